package engine

import (
	"math"
	"strings"
	"testing"
)

func TestModelPaysForItselfAgainstTheSolverOfItsError(t *testing.T) {
	e := &Experiment{workers: 1, seconds: [3]float64{5, 1, 100},
		evaluation: &Evaluation{workers: 2, Rivals: []Rival{{Name: "model", Seconds: 0.001},
			{Name: FullSolve, Seconds: 0.005, Error: math.NaN()}, {Name: EqualSolve, Seconds: 0.003}}}}
	expect := func(what, against string, faster, evaluations float64) {
		p := e.payoff()
		if p == nil || p.Against != against || math.Abs(p.Faster-faster) > 1e-12 || p.Spent != 12 ||
			math.Abs(p.Evaluations-evaluations) > 1e-9 {
			t.Errorf("%s: %+v", what, p)
		}
	}
	expect("an equal solve", EqualSolve, 3, 6000)
	e.Config.Train.Searched = 8
	if p := e.payoff(); p.Spent != 20 || p.Search != 8 || math.Abs(p.Evaluations-10000) > 1e-9 ||
		!strings.Contains(strings.Join(p.Sentences("20 s"), " "), "Data, training and the search for features took 20 s") {
		t.Errorf("features that were searched for: %+v", p)
	}
	e.Config.Train.Searched = 0
	e.evaluation.Rivals[2].Seconds = 0.0005
	expect("a model that is slower than an equal solve", EqualSolve, 0.5, 0)
	if p := e.payoff(); !strings.Contains(strings.Join(p.Sentences("12 s"), " "), "2.0 times as fast as the model") {
		t.Error(p.Sentences("12 s"))
	}
	e.evaluation.Rivals = e.evaluation.Rivals[:2]
	expect("no equal solve", FullSolve, 5, 3000)
	e.evaluation.Rivals = e.evaluation.Rivals[:1]
	if p := e.payoff(); p != nil {
		t.Errorf("without a solver: %+v", p)
	}
}
