package engine

import (
	"math"
	"testing"
)

func TestModelPaysForItself(t *testing.T) {
	e := &Experiment{workers: 2, seconds: Seconds{Generate: 5, Train: 1, Evaluate: 100},
		evaluation: &Evaluation{Rivals: []Rival{{Name: "model", Seconds: 0.001},
			{Name: FullSolve, Seconds: 0.005, Error: math.NaN()}}}}
	p, ok := e.Payoff()
	if want := (Payoff{Faster: 5, Spent: 12, Evaluations: 3000}); !ok || math.Abs(p.Faster-5) > 1e-12 ||
		p.Spent != want.Spent || math.Abs(p.Evaluations-3000) > 1e-9 {
		t.Errorf("%+v, %v, want %+v", p, ok, want)
	}
	e.evaluation.Rivals[1].Seconds = 0.0005
	if p, ok := e.Payoff(); !ok || p.Evaluations != 0 || p.Faster >= 1 {
		t.Errorf("a model that is slower than the solver: %+v, %v", p, ok)
	}
	e.evaluation.Rivals = e.evaluation.Rivals[:1]
	if p, ok := e.Payoff(); ok {
		t.Errorf("without a solver: %+v", p)
	}
}
