package feature

import (
	"fmt"
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/num/activation"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Groups may be summed two by two, the last one alone, and inputs in blocks: nothing of it may show.
func TestPredictionsDependOnNothingElse(t *testing.T) {
	const inputs = 70
	torus := grf.Measure{Tau: 5, Alpha: 2, Axis: 1, Space: grid.Torus}
	for _, points := range []int{5, 65, 129} {
		for _, name := range []string{"elu", "tanh"} {
			sigma, _ := activation.ByName(name)
			f := paperFeatures(t, must(Draw(t.Context(), torus, 1, 43, points, 1)), 43)
			f.Activation = sigma
			a := grid.NewBatch(grid.Torus, points, inputs)
			torus.On(points).Draw(a, 2, draw.InputTest, 0)
			e := on(t, f, points)
			vectors := [][]float64{sines(43), sines(9), sines(1)}
			all := must(e.Predict(t.Context(), vectors, a, 2, nil))
			for q, alpha := range vectors {
				t.Run(fmt.Sprintf("%s/%d points/%d features", name, points, len(alpha)), func(t *testing.T) {
					alone := must(e.Predict(t.Context(), [][]float64{alpha}, a, 1, nil))[0]
					if !slices.Equal(alone.Data, all[q].Data) {
						t.Error("other coefficients, or workers, change predictions")
					}
					if none := must(e.Predict(t.Context(), [][]float64{alpha}, a.Range(0, 0), 2, nil))[0]; none.Count != 0 {
						t.Errorf("%d predictions for no input", none.Count)
					}
					last := must(e.Predict(t.Context(), [][]float64{alpha}, a.Range(inputs-1, 1), 1, nil))[0]
					if !slices.Equal(last.Data, alone.At(inputs-1)) {
						t.Error("other inputs change a prediction")
					}
					want := make([]float64, points)
					spectrum := prepare(e, a.Range(3, 1))
					for j, c := range alpha {
						for x, v := range e.values(j, spectrum) {
							want[x] += c / float64(len(alpha)) * v
						}
					}
					if d := difference(alone.At(3), want); d > fieldTolerance {
						t.Errorf("predictions differ from sums of features by %.2g", d)
					}
				})
			}
		}
	}
}
