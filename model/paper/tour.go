// This file computes, in seconds, the content of a guided tour of the random feature model. For Burgers' equation and
// for Darcy flow it has the inputs, the solutions, the features, the linear system, the trained model, its errors on
// several grids and the semigroup; besides, the scalar example with Brownian bridges. Each is one method of [Tour], so
// that a tour can begin while others are computed.

package paper

import (
	"context"
	"math"

	"rfm/config"
	"rfm/model/brownian"
	"rfm/model/compare"
	"rfm/model/engine"
	"rfm/model/feature"
	"rfm/model/interchange"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/draw"
	"rfm/solver/equation"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// Tour is the configurations and the sizes of a tour.
type Tour struct {
	Burgers config.Config
	Darcy   config.Config
	Grids   []int // K on which the Burgers model is tested, each contained in the data's grid

	Bridge       brownian.Problem
	BridgeCounts []int // numbers of features m of the scalar example

	Large  config.Config // the paper's experiment for Burgers' equation, whose features are improved
	Models int           // number of models in a search, so that the result does not depend on the machine's speed
}

// NewTour returns a tour for a seed, smaller than the paper's experiments: a few seconds in all on two cores.
func NewTour(seed uint64) Tour {
	p := Tour{Burgers: preset("quick"), Darcy: preset("darcy-quick"), Grids: []int{33, 65, 129, 257, 513, 1025},
		Bridge: brownian.Paper(seed), BridgeCounts: brownian.PaperCounts(), Large: compare.Alone(preset("burgers")),
		Models: searchModels}
	p.Burgers.Seed, p.Burgers.Data.Test, p.Burgers.Burgers.Tolerance = seed, 200, 1e-6
	p.Large.Seed, p.Large.Data.Test, p.Large.Burgers.Tolerance = seed, 200, 1e-6
	p.Darcy.Seed, p.Darcy.Data.Test = seed, 64
	p.Darcy.Data.Grid = 65
	return p
}

func preset(name string) config.Config {
	c, err := config.PresetByName(name)
	if err != nil {
		panic("tour: " + err.Error())
	}
	return c
}

// Look is the data of a tour before training. All functions are on the closed grid of K points, K <= 257.
type Look struct {
	K         int
	Inputs    grid.Batch // the first training inputs
	Shown     int        // index of the input with the largest norm, whose solution is shown
	Times     []float64  // of Evolution, from 0 to the time of the outputs
	Evolution grid.Batch // u(Times[j], .) for the input shown
	Theta     []float64  // the first feature parameter
	Filter    []float64  // chi(k) at k = 0, 1, 2, ...
	Features  grid.Batch // phi(a; theta_j) of the input shown and the first features
}

// Sizes of a look.
const (
	lookPoints   = 257
	lookFeatures = 6
	lookTimes    = 24
	lookFilter   = 200
)

// Look draws inputs and features and solves Burgers' equation for some inputs. The error is ctx's or a
// *fault.Numerical.
func (p Tour) Look(ctx context.Context, workers int) (*Look, error) {
	c := p.Burgers
	l := &Look{K: min(lookPoints, c.Data.Grid)}
	times := make([]float64, lookTimes)
	for i := range times {
		times[i] = c.Burgers.Time * float64(i+1) / lookTimes
	}
	operator := setup.Truth(c)
	inputs, outputs, err := truth.Generate(ctx, operator, truth.Wanted{Purpose: draw.InputTrain, Count: operator.Block(),
		Points: l.K, Times: times}, workers, nil)
	if err != nil {
		return nil, err
	}
	l.Inputs, l.Times = inputs, append([]float64{0}, times...)
	l.Evolution = grid.NewBatch(grid.Torus, l.K, len(l.Times))
	for i := range inputs.Count {
		if grid.Torus.Inner(inputs.At(i), inputs.At(i)) > grid.Torus.Inner(inputs.At(l.Shown), inputs.At(l.Shown)) {
			l.Shown = i
		}
	}
	copy(l.Evolution.At(0), inputs.At(l.Shown))
	for j, u := range outputs {
		copy(l.Evolution.At(j+1), u.At(l.Shown))
	}
	features, err := feature.New(ctx, c, c.Seed, lookFeatures, l.K, workers)
	if err != nil {
		return nil, err
	}
	l.Features = grid.NewBatch(grid.Torus, l.K, lookFeatures)
	for j := range lookFeatures {
		look, err := features.Look(ctx, j, inputs.Range(l.Shown, 1))
		if err != nil {
			return nil, err
		}
		copy(l.Features.At(j), look.Values)
		if j == 0 {
			l.Theta, l.Filter = look.Theta, look.Filter[:lookFilter]
		}
	}
	return l, nil
}

// System is the normal equations of the first features only, few enough for display, for the data of an experiment:
// Gram[j*Count+l] = G_jl.
type System struct {
	Count int
	Gram  []float64
}

// systemFeatures is the number of features of a System.
const systemFeatures = 24

// System sums the normal equations of a few features over the training pairs of an experiment, which must have been
// generated. The error is ctx's.
func (p Tour) System(ctx context.Context, e *engine.Experiment, workers int) (*System, error) {
	c := e.Config
	s := &System{Count: min(systemFeatures, c.Features.Count)}
	train, _ := e.Pairs()
	pairs, err := train.Restrict(c.Train.Grid)
	if err != nil {
		return nil, err
	}
	features, err := feature.New(ctx, c, c.Seed, s.Count, c.Data.Grid, workers)
	if err != nil {
		return nil, err
	}
	evaluator, err := features.On(ctx, c.Train.Grid, workers)
	if err != nil {
		return nil, err
	}
	normal, err := rfm.Accumulate(ctx, evaluator, pairs, workers, nil)
	if err != nil {
		return nil, err
	}
	s.Gram = normal.Gram(s.Count).Dense()
	return s, nil
}

// Likeness returns |G_jl| / sqrt(G_jj G_ll), the similarity of two features: 1 on the diagonal.
func (s *System) Likeness() []float64 {
	r := make([]float64, len(s.Gram))
	for j := range s.Count {
		for l := range s.Count {
			r[j*s.Count+l] = math.Abs(s.Gram[j*s.Count+l]) / math.Sqrt(s.Gram[j*s.Count+j]*s.Gram[l*s.Count+l])
		}
	}
	return r
}

// OnGrids evaluates a trained experiment on the grids of the plan.
func (p Tour) OnGrids(ctx context.Context, e *engine.Experiment) (list []*engine.Evaluation, err error) {
	for _, K := range p.Grids {
		v, err := e.EvaluateOn(ctx, K)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// compositions is the number of times the model is applied.
const compositions = 4

// composedInputs is the number of test inputs that are composed.
const composedInputs = 64

// Composed trains the model Psi for half the time and applies it to its own predictions: Psi, Psi o Psi, ... are models
// for 1, 2, ... times half the time, by the semigroup property of the equation (section 4.1 of Nelsen & Stuart 2021).
// It calls watch with the experiment before running it. Errors are ctx's and *fault.Numerical.
func (p Tour) Composed(ctx context.Context, workers int, watch func(*engine.Experiment)) ([]Composition, error) {
	c := p.Burgers
	half := c.Burgers.Time / 2
	c.Burgers.Time, c.Data.Grid, c.Data.Test = half, min(257, c.Data.Grid), equation.BlockSize
	e, err := engine.New(ctx, c, engine.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	watch(e)
	if err := e.Run(ctx); err != nil {
		return nil, err
	}
	var times []float64
	for j := range compositions {
		times = append(times, float64(j+1)*half)
	}
	inputs, outputs, err := truth.Generate(ctx, setup.Truth(c),
		truth.Wanted{Purpose: draw.InputTest, Count: min(composedInputs, p.Burgers.Data.Test), Times: times}, workers, nil)
	if err != nil {
		return nil, err
	}
	return compose(inputs, times, outputs, func(state grid.Batch) (grid.Batch, error) {
		return e.Model().Predict(ctx, state, workers, nil)
	})
}

// Cause infers the input of the test output with the median error, from 16 values with noise of 2%, by the model of a
// complete experiment. Errors are those of interchange.Invert.
func (p Tour) Cause(ctx context.Context, e *engine.Experiment, workers int) (interchange.Inverted, error) {
	ranking := e.Evaluation().Test.Ranking()
	return interchange.Inversion{Count: 16, Sample: ranking[len(ranking)/2], Noise: 0.02, Seed: e.Config.Seed, Chains: 4,
		Steps: 40, Workers: workers}.Of(ctx, e.Model())
}

// Bridge is the scalar example: models with several numbers of features, which are Brownian bridges.
type Bridge struct {
	*brownian.Result
	Features [][]float64 // the first features, on the grid of the result
}

// Sizes of a bridge.
const (
	bridgePoints   = 513
	bridgeFeatures = 5
)

// Scalar trains the models of the scalar example (Example 2.8 of Nelsen & Stuart 2021). Errors are ctx's, *fault.Data
// and *fault.Numerical.
func (p Tour) Scalar(ctx context.Context, workers int) (*Bridge, error) {
	sweep := brownian.Sweep{Problem: p.Bridge, Counts: p.BridgeCounts, Draws: 1, GridSize: bridgePoints}
	r, err := sweep.Run(ctx, workers, nil)
	b := &Bridge{Result: r}
	for j := range bridgeFeatures {
		b.Features = append(b.Features, p.feature(j).Curve(bridgePoints))
	}
	return b, err
}

// feature returns feature j of the first draw: a model with one coefficient.
func (p Tour) feature(j int) *brownian.Model {
	stream := draw.Stream(p.Bridge.Seed, draw.ThetaBridge, j)
	theta := make([]float64, p.Bridge.Truncation)
	for i := range theta {
		theta[i] = stream.NormFloat64()
	}
	return &brownian.Model{Alpha: []float64{1}, Coefficients: theta}
}
