// Tests of training and prediction with cosine space features, and with the options of both feature maps.

package rfm

import (
	"context"
	"math"
	"slices"
	"testing"

	"rfm/model/feature"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// recovered is the relative difference between the predictions of a model and of one trained on them: rounding times
// the condition number of the system, which is 12000 at most.
const recovered = 1e-11

func cosineProblem(n, m, r, R int) (feature.Spectral, grid.Batch) {
	f := feature.Spectral{Filter: feature.Filter{Delta: 0.05, Beta: 2}, Activation: elu(), Gain: 300, M: m,
		Theta: must(feature.Draw(context.Background(), grf.Neumann{Tau: 10, Alpha: 2, Axis: grf.AxisNormalised}, 1, m, 1, R,
			2))}
	inputs := grid.NewBatch(grid.Square, r, n)
	grf.NewNeumannSampler(grf.Neumann{Tau: 5, Alpha: 2, Axis: grf.AxisNormalised}, r).Draw(inputs, 1, draw.InputTrain, 0)
	return f, inputs
}

func oscillating(m int) []float64 {
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = math.Sin(float64(1 + j*j))
	}
	return alpha
}

// retrain trains features on the predictions of a model with the same features.
func retrain(t *testing.T, e feature.Evaluator, inputs, predictions grid.Batch) []float64 {
	t.Helper()
	normal, err := Accumulate(t.Context(), e, dataset.Pairs{Inputs: inputs, Outputs: predictions}, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := normal.Fit(context.Background(), e.Count(), Regularisation{Rcond: rcond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return solution.Alpha
}

func TestTrainingFindsTheCosineModelThatMadeTheData(t *testing.T) {
	const m, r, R = 13, 17, 33
	for _, options := range []string{"plain", "biased", "biased and centred"} {
		f, inputs := cosineProblem(6, m, r, R)
		if options != "plain" {
			f.Bias = feature.DrawBias(0.7, 1, m)
		}
		f.Centred = options == "biased and centred"
		want, err := predict(t.Context(), f, oscillating(m), inputs, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.On(context.Background(), r, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := predict(t.Context(), f, retrain(t, e, inputs, want), inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := relative(got.Data, want.Data); !(d < recovered) {
			t.Errorf("%s: relative difference %.2g", options, d)
		}
	}
}

func TestTrainingFindsTheModelWithOptionsThatMadeTheData(t *testing.T) {
	const m = 13
	for _, centred := range []bool{false, true} {
		f, _, pairs := problem(t, 8, m, 65)
		f.Bias, f.Centred = feature.DrawBias(0.7, 1, m), centred
		want, err := predict(t.Context(), f, oscillating(m), pairs.Inputs, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		e, err := f.On(context.Background(), 65, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := predict(t.Context(), f, retrain(t, e, pairs.Inputs, want), pairs.Inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := relative(got.Data, want.Data); !(d < recovered) {
			t.Errorf("centred %t: relative difference %.2g", centred, d)
		}
	}
}

func TestManyCosineVectorsInOnePass(t *testing.T) {
	const m = 11
	f, inputs := cosineProblem(3, m, 9, 17)
	f.Bias, f.Centred = feature.DrawBias(0.7, 1, m), true
	alphas := [][]float64{oscillating(m), oscillating(m - 2), oscillating(m - 6)}
	models, err := f.Models(t.Context(), alphas, 2)
	if err != nil {
		t.Fatal(err)
	}
	many, err := models.Predict(t.Context(), inputs, 2)
	if err != nil {
		t.Fatal(err)
	}
	for q, alpha := range alphas {
		part := f
		part.M = len(alpha)
		one, err := predict(t.Context(), part, alpha, inputs, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d := relative(many[q].Data, one.Data); d > 1e-13 {
			t.Errorf("vector %d of length %d: relative difference %.2g", q, len(alpha), d)
		}
	}
}

func TestWorkersDoNotChangeCosinePredictions(t *testing.T) {
	const m = 11
	f, inputs := cosineProblem(35, m, 9, 9)
	one, err := predict(t.Context(), f, oscillating(m), inputs, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	three, err := predict(t.Context(), f, oscillating(m), inputs, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(one.Data, three.Data) {
		t.Error("3 workers change predictions")
	}
}
