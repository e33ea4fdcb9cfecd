package words

import (
	"strings"
	"testing"

	"rfm/model/learn/score"
	"rfm/model/run/engine"
	"rfm/model/trained/price"
)

func TestPayoffIsSaidInOneSentence(t *testing.T) {
	for want, p := range map[string]engine.Payoff{
		"The solver at the same error is 15 times faster: a model does not pay here.": {
			Against: engine.EqualSolve, Faster: 1. / 15},
		"The model is 2.5 times faster than the solver; it has paid for data and training after 640 predictions.": {
			Against: engine.FullSolve, Faster: 2.5, Evaluations: 640},
		"The model is as fast as the solver at the same error; it has paid for data and training after 6.4 million predictions.": {
			Against: engine.EqualSolve, Faster: 1.02, Evaluations: 6.4e6},
		"The model is 15 times faster than the solver; it has paid for data and training after 5 predictions.": {
			Against: engine.FullSolve, Faster: 15, Evaluations: 4.2},
		"The model is 15 times faster than the solver; it has paid for data and training after the first prediction.": {
			Against: engine.FullSolve, Faster: 15, Evaluations: 0.96},
	} {
		if got := Payoff(&p); len(got) != 1 || got[0] != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Payoff(nil); got != nil {
		t.Errorf("without a solver: %q", got)
	}
	if got := Speed(&engine.Payoff{Faster: 0.069}); got != "14 times slower" {
		t.Errorf("a speed-up of 0.069 is %q", got)
	}
}

// The model comes first, then the methods by their errors, then the solvers.
func TestMethodsAreOrderedByTheirErrors(t *testing.T) {
	row := func(name string, deviation float64) engine.Row {
		return engine.Row{Offer: price.Offer{Name: name, Error: deviation}}
	}
	var got []string
	for _, r := range ordered([]engine.Row{row("model", 0.04), row(engine.FullSolve, 1e-4), row(engine.EqualSolve, 0.002),
		row("linear", 0.4), row("kernel ridge", 0.03), row(engine.MeanOfOutputs, 1)}) {
		got = append(got, r.Name)
	}
	want := "model, kernel ridge, linear, " + engine.MeanOfOutputs + ", " + engine.FullSolve + ", " + engine.EqualSolve
	if strings.Join(got, ", ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

// A mean error is printed with one digit beyond the first uncertain one, so that more inputs give more digits.
func TestErrorsHaveTheDigitsThatSaySomething(t *testing.T) {
	for _, test := range []struct {
		inputs int
		want   string
	}{{12, "test error 0.040"}, {512, "test error 0.0400"}, {100000, "test error 0.04000"}} {
		v := &engine.Evaluation{Test: score.Errors{ExpectedRelative: 0.04, Ascending: []float64{0.02, 0.06}}}
		for i := range test.inputs {
			v.Test.Relative = append(v.Test.Relative, 0.02+0.04*float64(i%2)+0.05*float64(i%3-1))
		}
		if number, _ := Sentence(v); number != test.want {
			t.Errorf("%d inputs: %q, want %q", test.inputs, number, test.want)
		}
	}
}

// Test inputs that are copies of training inputs are not called unseen.
func TestCopiesAreNotCalledUnseen(t *testing.T) {
	v := &engine.Evaluation{Test: score.Errors{
		ExpectedRelative: 0.04,
		Relative:         []float64{0.02, 0.04, 0.06},
		Ascending:        []float64{0.02, 0.04, 0.06},
	}}
	for shared, want := range map[int][2]string{
		0: {"test error 0.04", "on 3 unseen inputs;"},
		1: {"test error 0.04", "on 3 inputs, 1 of them copies"},
		2: {"mostly of copies", "on 3 inputs, 2 of them copies"},
	} {
		v.Shared = shared
		number, meaning := Sentence(v)
		if !strings.Contains(number, want[0]) || !strings.Contains(meaning, want[1]) {
			t.Errorf("%d copies: %q, %q, want %q", shared, number, meaning, want)
		}
	}
	v.Shared = 1
	if number, _ := Sentence(v); strings.Contains(number, "copies") {
		t.Errorf("a copy among three: %q", number)
	}
}

// What the error was before is compared only on the same test pairs.
func TestChangesOfTheError(t *testing.T) {
	v := &engine.Evaluation{}
	v.Test.ExpectedRelative = 0.02
	for _, test := range []struct {
		before float64
		same   bool
		want   string
	}{
		{0.04, true, "was 0.0400, 50% less now"},
		{0.016, true, "was 0.0160, 25% more now"},
		{0.005, true, "was 0.00500, 4 times as much now"},
		{0.02, true, "was 0.0200"},
		{0.04, false, "was 0.0400 on other test pairs"},
	} {
		if got := Change(v, test.before, test.same); got != test.want {
			t.Errorf("%g: %q, want %q", test.before, got, test.want)
		}
	}
}
