package engine

import (
	"slices"
	"strings"
	"testing"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

func TestSuspectsAreFarFromAllOthers(t *testing.T) {
	errors, ofMean := slices.Repeat([]float64{0.01, 0.03}, 50), slices.Repeat([]float64{1.2}, 100)
	if s := suspectsAmong(errors, ofMean, 1); s.String() != "" {
		t.Errorf("equal errors: %v", s)
	}
	errors[7], errors[41], errors[60] = 1.4, 0.9, 3
	s := suspectsAmong(errors, ofMean, 1)
	if !slices.Equal(s.Pairs, []int{7, 60}) || s.Median > 0.03 || !strings.Contains(s.String(), "7 (1.40), 60 (3.00)") {
		t.Errorf("got %+v: %v, want the pairs 7 and 60", s, s)
	}
	for i := range 10 { // a tenth of the pairs is no exception
		errors[i] = 2
	}
	if s := suspectsAmong(errors, ofMean, 1); len(s.Pairs) > 0 {
		t.Errorf("a tenth of the pairs: %v", s)
	}
	if s := suspectsAmong(nil, nil, 1); s.String() != "" {
		t.Errorf("unknown errors: %v", s)
	}
}

// A run names the pairs whose outputs were exchanged, also after it is opened again.
func TestExchangedOutputsAreNamed(t *testing.T) {
	detector.Skip(t, detector.Stored)
	pairs := smoothed(grid.Torus, 33, 60)
	first, second := pairs.Outputs.At(11), pairs.Outputs.At(38)
	for x := range first {
		first[x], second[x] = second[x], first[x]
	}
	e := stored(t, copied(t, pairs, "data.test=40"), 2)
	for _, opened := range []*Experiment{e, reopened(t, e.Directory(), Options{Workers: 1})} {
		warnings := strings.Join(opened.result().Warnings, " ")
		if !slices.Equal(opened.suspects.Pairs, []int{11, 38}) || !strings.Contains(warnings, "Pairs, counted from 0") {
			t.Errorf("%+v, the result says %q", opened.suspects, warnings)
		}
	}
}

// With data.suspects = leave-out the model learns once more without such pairs. Both errors are told, and a run that is
// opened again has left out the same pairs.
func TestSuspectsAreLeftOutWhereAskedFor(t *testing.T) {
	detector.Skip(t, detector.Stored)
	pairs := smoothed(grid.Torus, 33, 60)
	clean := pairs.Take(ridge.Others([]int{11, 38}, 60))
	pairs.Outputs = pairs.Outputs.Clone()
	first := pairs.Outputs.At(11)
	second := pairs.Outputs.At(38)
	for x := range first {
		first[x], second[x] = second[x], first[x]
	}
	e := stored(t, copied(t, pairs, "data.test=40", "data.suspects=leave-out", "train.method=kernel"), 2)
	left := e.suspects.LeftOut
	if left == nil || !(left.After < 0.5*left.Others) || !(left.Others < left.All) {
		t.Fatalf("left out: %+v", left)
	}
	alone := run(t, copied(t, clean, "data.test=40", "train.method=kernel"), 2)
	if got, want := e.Model().Operator.LeaveOneOut(), alone.Model().Operator.LeaveOneOut(); got != want || got != left.After {
		t.Errorf("leave-one-out error %g, told as %g; without the pairs %g", got, left.After, want)
	}
	for _, opened := range []*Experiment{e, reopened(t, e.Directory(), Options{Workers: 1})} {
		warnings := strings.Join(opened.result().Warnings, " ")
		if opened.learning.pairs.Count() != 58 || !strings.Contains(warnings, "They were left out, as data.suspects=leave-out says") {
			t.Errorf("%d pairs remain, the result says %q", opened.learning.pairs.Count(), warnings)
		}
	}
}

// A wrong output whose relative error is below that of the mean is found once worse ones are left out, because until
// then the model follows it.
func TestSuspectsHideOthers(t *testing.T) {
	detector.Skip(t, detector.Stored)
	pairs := smoothed(grid.Torus, 33, 100)
	pairs.Outputs = pairs.Outputs.Clone()
	first := pairs.Outputs.At(11)
	second := pairs.Outputs.At(38)
	tooLarge := pairs.Outputs.At(20)
	for x := range first {
		first[x], second[x] = second[x], first[x]
		tooLarge[x] *= 2.5
	}
	e := run(t, copied(t, pairs, "data.test=20", "data.suspects=leave-out", "train.method=kernel"), 2)
	if !slices.Equal(e.suspects.Pairs, []int{11, 20, 38}) || e.learning.pairs.Count() != 97 {
		t.Errorf("learned from %d pairs without %+v", e.learning.pairs.Count(), e.suspects)
	}
}

// A model that is hardly better than the mean doubts no output, although the error relative to a small one is large.
func TestModelsThatKnowNothingSuspectNobody(t *testing.T) {
	const count = 100
	errors := slices.Repeat([]float64{0.95}, count)
	ofMean := slices.Repeat([]float64{1}, count)
	errors[7] = 26
	ofMean[7] = 25
	if s := suspectsAmong(errors, ofMean, 1); len(s.Pairs) > 0 {
		t.Errorf("suspects %v with a median error of %g", s.Pairs, s.Median)
	}
	for i := range errors {
		errors[i] /= 100
	}
	errors[7] = 2
	if s := suspectsAmong(errors, ofMean, 1); len(s.Pairs) != 1 {
		t.Errorf("suspects %v with a median error of %g, want one", s.Pairs, s.Median)
	}
}
