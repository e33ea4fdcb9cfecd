package paper

import (
	"context"
	"math"
	"sync"
	"testing"

	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/interchange"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// small returns a tour of a fraction of a second.
func small() Tour {
	p := NewTour(1)
	p.Burgers.Data.Train, p.Burgers.Data.Test, p.Burgers.Data.Grid, p.Burgers.Train.Grid, p.Burgers.Features.Count = 48,
		16, 257, 33, 64
	p.Grids = []int{33, 65, 257}
	p.BridgeCounts = []int{20, 200}
	p.Bridge.Truncation = 200
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

// The energy of a solution of Burgers' equation decreases.
func TestEvolutionBeginsAtTheInputAndDecays(t *testing.T) {
	l, err := small().Look(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if grid.Torus.Distance2(l.Evolution.At(0), l.Inputs.At(l.Shown)) != 0 {
		t.Error("the evolution does not begin at the input shown")
	}
	for j := 1; j < l.Evolution.Count; j++ {
		before, now := l.Evolution.At(j-1), l.Evolution.At(j)
		if grid.Torus.Inner(now, now) >= grid.Torus.Inner(before, before) {
			t.Errorf("the energy does not decrease until t = %g", l.Times[j])
		}
	}
}

func TestLookShowsWhatTheExperimentUses(t *testing.T) {
	p := small()
	l, err := p.Look(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Burgers.Evaluation.Grid = l.K
	train, err := engine.TrainingPairs(t.Context(), p.Burgers, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := l.Evolution.At(l.Evolution.Count - 1)
	// The time steps to several times differ from those to a single time: both are right up to the solver's tolerance.
	if d := math.Sqrt(grid.Torus.Distance2(last, train.Outputs.At(l.Shown)) /
		grid.Torus.Inner(last, last)); d > 10*p.Burgers.Burgers.Tolerance {
		t.Errorf("the last picture of the evolution differs from the training output by %g", d)
	}
	if grid.Torus.Distance2(l.Inputs.At(1), train.Inputs.At(1)) != 0 {
		t.Error("the inputs are not the training inputs")
	}
}

func TestLikenessIsThatOfAGramMatrix(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := small()
	s, err := p.System(t.Context(), trained(), 1)
	if err != nil {
		t.Fatal(err)
	}
	r := s.Likeness()
	const rounding = 1e-12
	for j := range s.Count {
		if math.Abs(r[j*s.Count+j]-1) > rounding {
			t.Errorf("likeness %g of feature %d to itself", r[j*s.Count+j], j)
		}
		for l := range s.Count {
			if v := r[j*s.Count+l]; v != r[l*s.Count+j] || v < 0 || v > 1+rounding {
				t.Errorf("likeness %g of features %d and %d", v, j, l)
			}
		}
	}
}

func TestGridsAreThoseOfThePlan(t *testing.T) {
	p := small()
	list, err := p.OnGrids(t.Context(), trained())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range list {
		if v.Grid != p.Grids[i] || v.Test.ExpectedRelative <= 0 {
			t.Errorf("evaluation %d: K=%d, error %g", i, v.Grid, v.Test.ExpectedRelative)
		}
	}
}

func TestCompositionsReachTheirTimes(t *testing.T) {
	watched := 0
	list, err := small().Composed(t.Context(), 2, func(*engine.Experiment) { watched++ })
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != compositions || watched != 1 {
		t.Fatalf("%d compositions, %d experiments", len(list), watched)
	}
	for j, c := range list {
		if want := 0.5 * float64(j+1); c.Time != want || c.Errors.ExpectedRelative <= 0 || c.Errors.ExpectedRelative > 1 {
			t.Errorf("composition %d: time %g, error %g", j, c.Time, c.Errors.ExpectedRelative)
		}
	}
}

// A model of one feature is that feature times its coefficient.
func TestFeaturesAreTheModelsOwn(t *testing.T) {
	p := small()
	models, err := p.Bridge.Train(t.Context(), []int{1}, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	f, model := p.feature(0), models[0]
	const rounding = 1e-12
	for j, c := range f.Coefficients {
		if want := model.Alpha[0] * c; math.Abs(model.Coefficients[j]-want) > rounding*math.Abs(want) {
			t.Errorf("coefficient %d of the model is %g, the feature gives %g", j, model.Coefficients[j], want)
		}
	}
}

func TestMoreFeaturesComeNearerToTheInterpolant(t *testing.T) {
	b, err := small().Scalar(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if last := len(b.Levels) - 1; b.Levels[last].RMS >= b.Levels[0].RMS || len(b.Features) != bridgeFeatures {
		t.Errorf("%d features, distances %v", len(b.Features), b.Levels)
	}
}

// The inferred input is nearer to the true one than most inputs of its law, for any number of workers.
func TestCauseOfAnOutput(t *testing.T) {
	var before interchange.Inverted
	for workers := 2; workers > 0; workers-- {
		c, err := small().Cause(t.Context(), trained(), workers)
		if err != nil || c.BestError == nil || !(*c.BestError < 0.9) || c.Observed != 16 || c.Iterations < 2 {
			t.Fatalf("%+v, %v", c, err)
		}
		if before.BestError != nil && *before.BestError != *c.BestError {
			t.Errorf("by one worker it has the error %g, not %g", *c.BestError, *before.BestError)
		}
		before = c
	}
}
