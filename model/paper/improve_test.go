package paper

import (
	"testing"

	"rfm/model/tune"
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
	p.Models = 12
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
