package engine

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/fidelity"
	"rfm/model/run/store"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// fidelities returns a file of pairs (n, K) of smooth functions on an interval. Outputs are damped nonlinearly, and
// the damping is another one at low fidelity. With equal seeds the first pairs have equal inputs.
func fidelityFile(t *testing.T, n, K int, damping float64, seed uint64, change func(a, u []float64)) string {
	t.Helper()
	a := make([]float64, n*K)
	u := make([]float64, n*K)
	for i := range n {
		random := draw.Stream(seed, "fidelity-test", i)
		for k := 1; k <= 5; k++ {
			c := random.NormFloat64() / float64(k)
			for x := range K {
				wave := math.Sin(math.Pi * float64(k*x) / float64(K-1))
				a[i*K+x] += c * wave
				u[i*K+x] += c * wave * math.Exp(-damping*float64(k*k))
			}
		}
		for x := range K {
			u[i*K+x] += 0.3 * math.Tanh(3*u[i*K+x])
		}
		if change != nil {
			change(a[i*K:(i+1)*K], u[i*K:(i+1)*K])
		}
	}
	shape := npy.Shape{n, K}
	return arraytest.NPZ(t, filepath.Join(t.TempDir(), "pairs.npz"), map[string]npy.Array{"a": {Shape: shape, Data: a},
		"u": {Shape: shape, Data: u}})
}

// withFidelities returns a configuration of 24 pairs of high fidelity and 300 of low fidelity on a coarser grid.
func withFidelities(t *testing.T, settings ...string) config.Config {
	t.Helper()
	c := preset(t, config.Functions, append([]string{"train.method=kernel", "evaluation.baselines=no", "data.boundary=closed",
		"data.test=24"}, settings...)...)
	c.Data.TrainFile = fidelityFile(t, 48, 65, 0.05, 1, nil)
	c.Data.Low = fidelityFile(t, 300, 33, 0.08, 2, nil)
	return c
}

// Pairs of low fidelity with a related law lower the cross-validation error and the test error. A run stores all that
// its model needs, so that it has the same bytes when it is resumed without the file of low fidelity, at any stage
// and on any number of workers.
func TestPairsOfLowFidelityGainAndAreStoredWithTheRun(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := withFidelities(t)
	alone := c
	alone.Data.Low = ""
	without := run(t, alone, 2).Evaluation().Test.ExpectedRelative

	runs := t.TempDir()
	whole := begin(t, c, Options{Workers: 2}.In(runs, "whole", true))
	noError(t, whole.Run(t.Context()))
	gain := whole.Evaluation().Low
	if gain == nil || !gain.Used || gain.Pairs != 300 || gain.Known != 0 || !(gain.With < 0.7*gain.Without) {
		t.Fatalf("got the gain %+v, want one by which the error on pairs left out falls by a third", gain)
	}
	if with := whole.Evaluation().Test.ExpectedRelative; !(with < 0.7*without) {
		t.Errorf("test error %.3g with pairs of low fidelity, %.3g without", with, without)
	}
	if text := strings.Join(whole.Evaluation().Notes(), "\n"); !strings.Contains(text, "as the start") {
		t.Errorf("the notes do not tell how low pairs are used: %s", text)
	}

	parts := begin(t, c, Options{Workers: 1}.In(runs, "parts", true))
	noError(t, parts.Reach(t.Context(), Generating))
	noError(t, parts.Close())
	noError(t, os.Remove(c.Data.Low))
	for _, stage := range []string{Training, Evaluating} {
		e := reopened(t, parts.Directory(), Options{Workers: 1})
		noError(t, e.Reach(t.Context(), stage))
		noError(t, e.Close())
	}
	for _, name := range []string{store.ModelFile, store.TestPredictionsFile, lowGainFile, store.ReportFile} {
		a, err := os.ReadFile(filepath.Join(runs, "whole", name))
		noError(t, err)
		b, err := os.ReadFile(filepath.Join(runs, "parts", name))
		noError(t, err)
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs between a run in one session and one in three", name)
		}
	}
}

// Pairs of an unrelated law do not help, so the model has the same bits as one that is learned without them.
func TestPairsOfAnotherLawAreNotUsed(t *testing.T) {
	c := withFidelities(t)
	noise := draw.Stream(3, "fidelity-test", 0)
	c.Data.Low = fidelityFile(t, 60, 33, 0.05, 2, func(_, u []float64) {
		for x := range u {
			u[x] = 10 * noise.NormFloat64()
		}
	})
	e := run(t, c, 2)
	if gain := e.Evaluation().Low; gain == nil || gain.Used {
		t.Errorf("noise is used: %+v", gain)
	}
	c.Data.Low = ""
	want := run(t, c, 2).Evaluation().Predictions.Data
	for i, v := range e.Evaluation().Predictions.Data {
		if v != want[i] {
			t.Fatalf("prediction %d is %g, want %g", i, v, want[i])
		}
	}
}

// Pairs of low fidelity with the input of a training or a test pair are left out, because errors would otherwise be
// measured at inputs that the low model has seen.
func TestPairsOfLowFidelityWithKnownInputsAreLeftOut(t *testing.T) {
	detector.Skip(t, detector.Stored)
	c := withFidelities(t)
	c.Data.Low = fidelityFile(t, 300, 33, 0.08, 1, nil) // its first inputs are the 48 of high fidelity
	e := run(t, c, 2)
	if gain := e.Evaluation().Low; gain == nil || gain.Known != 48 || gain.Pairs != 252 {
		t.Errorf("got %+v, want 252 pairs and 48 known", gain)
	}
	c.Data.Low = fidelityFile(t, 48, 33, 0.08, 1, nil)
	e = begin(t, c, Options{Workers: 2})
	err := e.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "other inputs") {
		t.Errorf("a file of nothing but known inputs: %v", err)
	}
}

// Prediction bands and learning curves train again on parts of the pairs, with the low model that the run has.
func TestBandsOfAModelOfTwoFidelities(t *testing.T) {
	detector.Skip(t, detector.Stored)
	e := run(t, withFidelities(t, "evaluation.bands=yes"), 2)
	if _, ok := e.Model().Operator.(*fidelity.Staged); !ok {
		t.Fatalf("the model is %v", e.Model().Operator)
	}
	covered := e.Evaluation().Uncertainty.Coverage
	if share := covered[len(covered)-1]; share.Function < 0.7 {
		t.Errorf("bands that promise %g cover %g of the test functions", share.Promised, share.Function)
	}
}

func TestPairsOfLowFidelityThatDoNotFitAreRefused(t *testing.T) {
	good := withFidelities(t)
	other := func(arrays map[string]npy.Array) string {
		return arraytest.NPZ(t, filepath.Join(t.TempDir(), "low.npz"), arrays)
	}
	few := npy.Array{Shape: npy.Shape{2, 33}, Data: make([]float64, 66)}
	many := npy.Array{Shape: npy.Shape{20, 33}, Data: make([]float64, 660)}
	channels := npy.Array{Shape: npy.Shape{20, 33, 2}, Data: make([]float64, 1320)}
	for i := range channels.Data {
		channels.Data[i] = math.Sin(float64(i / 2 % 33))
	}
	for i := range many.Data {
		many.Data[i] = math.Sin(float64(i % 33))
	}
	for name, test := range map[string]struct{ file, want string }{
		"no such file":   {filepath.Join(t.TempDir(), "nothing.npz"), "does not exist"},
		"other names":    {other(map[string]npy.Array{"x": many, "y": many}), `has no array "a"`},
		"two pairs":      {other(map[string]npy.Array{"a": few, "u": few}), "and at least 3"},
		"the same file":  {good.Data.TrainFile, "the file of the pairs of high fidelity"},
		"other channels": {other(map[string]npy.Array{"a": channels, "u": many}), "inputs of 2 channels"},
	} {
		c := good
		c.Data.Low = test.file
		_, err := New(t.Context(), c, Options{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for _, setting := range []string{"train.method=features", "train.method=fno", "train.noise=yes"} {
		c := good
		noError(t, config.Assign(&c, setting))
		if _, err := New(t.Context(), c, Options{}); err == nil || !strings.Contains(err.Error(), "low fidelity") {
			t.Errorf("%s: got %v, want an error about low fidelity", setting, err)
		}
	}
}
