package paper

import (
	"context"
	"math"
	"sync"
	"testing"

	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/compare"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// small returns a tour of a fraction of a second.
func small() Tour {
	p := NewTour(1)
	p.Burgers.Data.Train, p.Burgers.Data.Test, p.Burgers.Data.Grid, p.Burgers.Train.Grid, p.Burgers.Features.Count = 48,
		16, 257, 33, 64
	p.Grids = []int{33, 65, 257}
	p.Bridge.Counts, p.Bridge.Problem.Truncation = []int{20, 200}, 200
	return p
}

// trained is the experiment of a small tour, made once; tests leave it as it is.
var trained = sync.OnceValue(func() *engine.Experiment {
	e, err := engine.New(context.Background(), compare.Alone(small().Burgers), engine.Options{Workers: 2})
	if err == nil {
		err = e.Run(context.Background())
	}
	if err != nil {
		panic(err)
	}
	return e
})

// A solution with another viscosity begins with the same input, and a larger one leaves less energy. That of the examples is
// the solution of the look.
func TestMoreViscosityLeavesLessEnergy(t *testing.T) {
	p := small()
	l, err := p.Look(t.Context(), 2)
	noError(t, err)
	last := l.Evolution.Count - 1
	before := math.Inf(1)
	for i, viscosity := range Viscosities {
		other, err := p.Viscous(t.Context(), l, viscosity, 2)
		noError(t, err)
		end := other.Evolution.At(last)
		energy := grid.Torus.Inner(end, end)
		isSame := grid.Torus.Distance2(other.Evolution.At(0), l.Evolution.At(0)) == 0
		if !isSame || energy >= before {
			t.Errorf("viscosity %g: energy %g, before %g; the same input: %t", viscosity, energy, before, isSame)
		}
		if i == ViscosityOfExamples && grid.Torus.Distance2(end, l.Evolution.At(last)) != 0 {
			t.Errorf("viscosity %g is not that of the examples", viscosity)
		}
		before = energy
	}
}

// The energy of a solution of Burgers' equation decreases, and its end is the output of the input for training.
func TestEvolutionDecaysToTheOutput(t *testing.T) {
	p := small()
	l, err := p.Look(t.Context(), 2)
	noError(t, err)
	for j := 1; j < l.Evolution.Count; j++ {
		before, now := l.Evolution.At(j-1), l.Evolution.At(j)
		if grid.Torus.Inner(now, now) >= grid.Torus.Inner(before, before) {
			t.Errorf("the energy does not decrease until t = %g", l.Times[j])
		}
	}
	p.Burgers.Evaluation.Grid = l.Evolution.Points
	e := engine.Complete(p.Burgers, engine.Options{Workers: 2})
	noError(t, err)
	train, err := e.TrainingPairs(t.Context())
	noError(t, err)
	last := l.Evolution.At(l.Evolution.Count - 1)
	for i := range train.Count() {
		// The time steps to several times differ from those to a single time: both are right up to the tolerance.
		if grid.Torus.Distance2(l.Evolution.At(0), train.Inputs.At(i)) == 0 &&
			math.Sqrt(grid.Torus.Distance2(last, train.Outputs.At(i))/grid.Torus.Inner(last, last)) <
				10*p.Burgers.Equation.Tolerance {
			return
		}
	}
	t.Error("the evolution is not one of the training pairs")
}

func TestLikenessIsThatOfAGramMatrix(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := small()
	const count = 24
	r, err := p.Likeness(t.Context(), trained(), count, 1)
	noError(t, err)
	const rounding = 1e-12
	for j := range count {
		if math.Abs(r[j*count+j]-1) > rounding {
			t.Errorf("likeness %g of feature %d to itself", r[j*count+j], j)
		}
		for l := range count {
			if v := r[j*count+l]; v != r[l*count+j] || v < 0 || v > 1+rounding {
				t.Errorf("likeness %g of features %d and %d", v, j, l)
			}
		}
	}
}

// More features give smaller errors, and the last model is the experiment's.
func TestErrorFallsWithFeatures(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := small()
	e := trained()
	list, err := p.Fewer(t.Context(), e, 2)
	noError(t, err)
	last := len(list.X) - 1
	if list.X[0] != fewest || int(list.X[last]) != e.Config.Features.Count ||
		list.Y[last] != e.Evaluation().Test.ExpectedRelative {
		t.Errorf("models %v", list)
	}
	if list.Y[last] >= list.Y[0] {
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
	noError(t, err)
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
