package engine

import (
	"math"
	"strings"
	"testing"

	"rfm/config"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// A neural operator is offered where methods are compared without one, for functions and numbers of pairs that suit it; the
// time grows with the work of a pass.
func TestNetworksAreOfferedWhereNoneIsTried(t *testing.T) {
	functions := []string{"train.method=best", "data.train=300", "train.grid=101", "data.grid=101"}
	for _, test := range []struct {
		preset string
		set    []string
		want   string
	}{
		{config.Functions, nil, "--set train.patience=120 tries one, too, in 2 min more of one core"},
		{config.Functions, []string{"data.train=30000"}, "train.patience=1200 tries one, too, in 20 min more"},
		{config.Functions, []string{"data.train=39"}, ""},
		{config.Functions, []string{"train.patience=30"}, ""},
		{config.Functions, []string{"train.method=kernel"}, ""},
		{config.Points, nil, ""},
	} {
		c := preset(t, test.preset, functions[:2]...)
		if test.preset == config.Functions {
			noError(t, config.Assign(&c, functions[2:]...))
		}
		noError(t, config.Assign(&c, test.set...))
		got := UntriedNetwork(c)
		if !strings.Contains(got, test.want) || (test.want == "") != (got == "") {
			t.Errorf("%s %q: %q, want %q", test.preset, test.set, got, test.want)
		}
	}
}

// The result of a run says so if its error is large, and says nothing if it is small. With the time that is offered, or any
// other, a network is one of the methods among which the best is chosen.
func TestLargeErrorsOfferANetwork(t *testing.T) {
	detector.Skip(t, detector.Stored)
	const offer = "tries one, too"
	pairs := smoothed(grid.Torus, 33, 60)
	easy := stored(t, copied(t, pairs, "train.method=best"), 2)
	stretched := pairs.Outputs.Like(pairs.Count())
	for i := range pairs.Count() { // u(x) = sin(40 a(2x))
		for x := range 33 {
			stretched.At(i)[x] = math.Sin(40 * pairs.Inputs.At(i)[2*x%32])
		}
	}
	pairs.Outputs = stretched
	hard := stored(t, copied(t, pairs, "train.method=best"), 2)
	for _, e := range []*Experiment{hard, easy} {
		left := e.Model().Operator.LeaveOneOut()
		brief := strings.Join(e.Evaluation().Brief(), " ")
		if (e == hard) != (left >= hardError) || (e == hard) != strings.Contains(brief, offer) {
			t.Errorf("the error is %g, and the result says %q", left, brief)
		}
	}
	tried := stored(t, copied(t, pairs, "train.method=best", "train.patience=1s"), 2)
	said := strings.Join(tried.Evaluation().Notes(), " ")
	if strings.Contains(said, offer) || !strings.Contains(said, "neural operator 0.") {
		t.Errorf("with time for a network the result says %q", said)
	}
}
