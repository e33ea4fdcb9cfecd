package feature

import (
	"errors"
	"math"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/num/activation"
	"rfm/solver/space/grid"
)

// The argument v of the activation is seen as relu(v) and relu(-v), whose squares sum to v^2.
func TestGainGivesTheRootMeanSquareOnEveryDomain(t *testing.T) {
	const m, wanted = 5, 1.3
	for _, d := range grid.Domains() {
		for _, intervals := range []int{24, 12, 8} {
			f := drawnOn(t, d, m, 24)
			f.Activation, _ = activation.ByName("relu")
			f.RMS, f.Bias = wanted, nil
			inputs, sum := inputsOn(d, pointsOf(d, intervals), 4), 0.0
			g := must(f.Calibrate(t.Context(), inputs, 2)).(Spectral)
			for range 2 {
				g.Gain = -g.Gain
				e := on(t, g, inputs.Points)
				for i := range inputs.Count {
					for j := range m {
						v := e.values(j, prepare(e, inputs.Range(i, 1)))
						sum += d.Inner(v, v)
					}
				}
			}
			expectClose(t, "root mean square on "+d.Grid(inputs.Points), []float64{math.Sqrt(sum / float64(m*inputs.Count))},
				[]float64{wanted}, fieldTolerance)
		}
	}
}

func TestInputsWithoutVariationOrOnAnotherGridHaveNoFeatures(t *testing.T) {
	for _, d := range grid.Domains() {
		f := drawnOn(t, d, 3, 12)
		f.RMS = 1
		_, constant := f.Calibrate(t.Context(), grid.NewBatch(d, f.Finest(), 2), 2)
		_, divide := f.Calibrate(t.Context(), inputsOn(d, pointsOf(d, 8), 1), 2)
		_, on := f.On(t.Context(), pointsOf(d, 8), 2)
		for name, err := range map[string]error{"constant": constant, "grid": divide, "grid of features": on} {
			var data *fault.Data
			if !errors.As(err, &data) {
				t.Errorf("%s, %s: %v is not a *fault.Data", d.Name(), name, err)
			}
		}
	}
}
