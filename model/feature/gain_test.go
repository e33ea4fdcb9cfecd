package feature

import (
	"context"
	"errors"
	"math"
	"testing"

	"rfm/model/activation"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// rootMeanSquare evaluates the argument v of the activation as relu(v) and relu(-v), whose squares sum to v^2.
func rootMeanSquare(t *testing.T, inputs grid.Batch, m int, gain float64,
	values func(gain float64, j int, a grid.Batch) []float64, inner func(f, g []float64) float64) float64 {
	t.Helper()
	sum := 0.0
	for i := range inputs.Count {
		for j := range m {
			for _, g := range []float64{gain, -gain} {
				v := values(g, j, inputs.Range(i, 1))
				sum += inner(v, v)
			}
		}
	}
	return math.Sqrt(sum / float64(m*inputs.Count))
}

func TestGainGivesTheRootMeanSquare(t *testing.T) {
	const m, wanted = 11, 0.98
	for _, K := range []int{33, 65, 17, 9} {
		f := paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, m, 1, 65, 2)), m)
		f.Activation, _ = activation.ByName("relu")
		inputs := grid.NewBatch(grid.Torus, K, 5)
		grf.NewSampler(grf.Periodic{Tau: 7, Alpha: 2.5}, K).Draw(inputs, 1, draw.InputTrain, 0)
		gain, err := f.GainForRMS(context.Background(), inputs, wanted, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := rootMeanSquare(t, inputs, m, gain, func(gain float64, j int, a grid.Batch) []float64 {
			f.Gain = gain
			e := on(t, f, K)
			return e.values(j, prepare(e, a))
		}, grid.Torus.Inner)
		expectClose(t, "root mean square", []float64{got}, []float64{wanted}, fieldTolerance)
	}
}

func TestGainOnTheSquareGivesTheRootMeanSquare(t *testing.T) {
	const m, wanted = 5, 1.3
	for _, r := range []int{9, 17, 12, 3} {
		f := paperCosine(t, m, (r-1)*2+1)
		f.Activation, _ = activation.ByName("relu")
		inputs := squareInputs(4, r)
		gain, err := f.GainForRMS(context.Background(), inputs, wanted, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := rootMeanSquare(t, inputs, m, gain, func(gain float64, j int, a grid.Batch) []float64 {
			f.Gain = gain
			e := cosineOn(t, f, r)
			return e.values(j, prepared(t, e, a))
		}, grid.Square.Inner)
		expectClose(t, "root mean square", []float64{got}, []float64{wanted}, fieldTolerance)
	}
}

func TestInputsWithoutVariationHaveNoGain(t *testing.T) {
	line, square := paperFeatures(t, must(Draw(context.Background(), grf.Periodic{Tau: 5, Alpha: 2}, 1, 3, 1, 33, 2)), 3),
		paperCosine(t, 3, 9)
	_, constant := line.GainForRMS(context.Background(), grid.NewBatch(grid.Torus, 33, 2), 1, 2)
	_, divide := line.GainForRMS(context.Background(), shifted(25), 1, 2)
	_, constantSquare := square.GainForRMS(context.Background(), grid.NewBatch(grid.Torus, 81, 2), 1, 2)
	_, divideSquare := square.GainForRMS(context.Background(), squareInputs(1, 7), 1, 2)
	for name, err := range map[string]error{"constant": constant, "grid": divide, "constant field": constantSquare,
		"square grid": divideSquare} {
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("%s: %v is not a *fault.Data", name, err)
		}
	}
}
