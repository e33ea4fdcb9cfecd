package paper

import (
	"math"
	"path/filepath"
	"testing"

	"rfm/model/tune"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/parallel/detector"
)

// More features give smaller errors, and the last model is the experiment's.
func TestErrorFallsWithFeatures(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := small()
	e := trained()
	list, err := p.Fewer(t.Context(), e, 2)
	if err != nil {
		t.Fatal(err)
	}
	first, last := list[0], list[len(list)-1]
	if first.Features != fewest || last.Features != e.Config.Features.Count ||
		last.Error != e.Evaluation().Test.ExpectedRelative {
		t.Errorf("models %v", list)
	}
	if last.Error >= first.Error {
		t.Errorf("errors do not fall: %v", list)
	}
}

// The search uses the features of the experiment, and its result is trained on the same pairs.
func TestImprovedFeaturesAreTestedOnTheSamePairs(t *testing.T) {
	p := small()
	p.Search, p.Models = 0, 12
	e := trained()
	var search *tune.Session
	better, err := p.Improved(t.Context(), e, e, 2, func(s *tune.Session) { search = s })
	if err != nil {
		t.Fatal(err)
	}
	if search == nil || search.Snapshot().Evaluations < 12 {
		t.Fatal("nobody was told of the search")
	}
	_, before := e.Pairs()
	_, after := better.Pairs()
	if &before.Inputs.Data[0] != &after.Inputs.Data[0] || better.Config.Features.Count != e.Config.Features.Count {
		t.Error("the features are tested on other pairs, or are not as many")
	}
	if better.Config.Features == e.Config.Features {
		t.Error("the features are as they were")
	}
}

// Pairs of any kind become an experiment; other files are refused with the reason.
func TestOwnPairsBecomeAnExperiment(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pairs.npy")
	values := make([]float64, 33*20*2)
	for k := range values {
		x, i := float64(k/40)/32, float64(k/2%20+1)
		values[k] = math.Sin(2*math.Pi*x+i) * (1 + float64(k%2)*i)
	}
	arraytest.NPY(t, name, npy.Array{Shape: []int{33, 20, 2}, Data: values})
	if _, err := OwnData(t.Context(), filepath.Join(t.TempDir(), "none.npz")); err == nil {
		t.Error("a file that is not there is taken")
	}
	c, err := OwnData(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if c.Data.TrainFile != name || c.Validate() != nil || c.Dims() != 1 {
		t.Errorf("the experiment is %+v", c.Data)
	}
}
