package paper

import (
	"context"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/rfm"
	"rfm/model/run/engine"
	"rfm/model/run/setup"
	"rfm/model/run/tune"
	"rfm/model/show/brownian"
	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// Tour is the configurations and sizes of a guided tour of the random feature model. Each part of its content is
// computed in seconds by one method, so that a tour can begin while others are computed.
type Tour struct {
	Burgers config.Config
	Darcy   config.Config
	Large   config.Config  // the paper's experiment for Burgers' equation, whose features are improved
	Grids   []int          // K on which the Burgers model is tested, each contained in the data's grid
	Bridge  brownian.Sweep // the scalar example
	Models  int            // number of models in a search, so that the result does not depend on the machine's speed
}

// NewTour returns a tour for a seed, smaller than the paper's experiments: a few seconds in all on two cores.
func NewTour(seed uint64) Tour {
	p := Tour{
		Burgers: preset("quick"),
		Darcy:   preset("darcy-quick"),
		Large:   compare.Alone(preset("burgers")),
		Grids:   []int{33, 65, 129, 257, 513, 1025},
		Models:  searchModels,
	}
	p.Bridge = brownian.Sweep{
		Problem:  brownian.Paper(seed),
		Counts:   brownian.PaperCounts(),
		Draws:    1,
		GridSize: 513,
	}
	for _, c := range []*config.Config{&p.Burgers, &p.Large} {
		c.Seed = seed
		c.Data.Test = 200
		c.Equation.Tolerance = 1e-6
	}
	p.Darcy.Seed = seed
	p.Darcy.Data.Test = 64
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

// Viscosities are those of Burgers' equation with which the evolution can be seen.
var Viscosities = [...]float64{0.0025, 0.005, 0.01, 0.02, 0.05, 0.1}

// ViscosityOfExamples is the index of the one of the training pairs.
const ViscosityOfExamples = 2

// Look is an input and features of it before training, on a closed grid of at most 257 points.
type Look struct {
	Times     []float64  // of Evolution, from 0 to the time of the outputs
	Evolution grid.Batch // u(Times[j], .), from the input on
	Theta     []float64  // the first feature parameter
	Features  grid.Batch // phi(a; theta_j) of the first features
}

// Look solves Burgers' equation for the training input with the largest norm of a few, and evaluates features of it.
// The error is ctx.Err() or a *fault.Numerical.
func (p Tour) Look(ctx context.Context, workers int) (*Look, error) {
	const count = 6 // of features
	l := &Look{}
	input, err := p.evolve(ctx, l, p.Burgers, workers)
	if err != nil {
		return nil, err
	}
	K := input.Points
	l.Features = grid.NewBatch(grid.Torus, K, count)
	features, err := feature.New(ctx, setup.Features(p.Burgers), count, K, workers)
	if err != nil {
		return nil, err
	}
	for j := range count {
		look, err := features.Look(ctx, j, input)
		if err != nil {
			return nil, err
		}
		if j == 0 {
			l.Theta = look.Theta
		}
		copy(l.Features.At(j), look.Values)
	}
	return l, nil
}

// evolve gives a look the solution for the training input with the largest norm of a few, and returns this input.
func (p Tour) evolve(ctx context.Context, l *Look, c config.Config, workers int) (input grid.Batch, err error) {
	const (
		points   = 257
		pictures = 24 // of the evolution
	)
	l.Times = floats.Span(make([]float64, pictures+1), 0, c.Equation.Time)
	operator := setup.Truth(c)
	wanted := truth.Wanted{
		Purpose: draw.InputTrain,
		Count:   operator.Block,
		Points:  min(points, c.Data.Grid),
		Times:   l.Times[1:],
	}
	inputs, outputs, err := truth.Generate(ctx, operator, wanted, workers, nil)
	if err != nil {
		return input, err
	}
	shown := largest(inputs)
	l.Evolution = grid.NewBatch(grid.Torus, wanted.Points, len(l.Times))
	copy(l.Evolution.At(0), inputs.At(shown))
	for j, u := range outputs {
		copy(l.Evolution.At(j+1), u.At(shown))
	}
	return inputs.Range(shown, 1), nil
}

// Viscous returns a look with the solution for another viscosity. The error is ctx.Err() or a *fault.Numerical.
func (p Tour) Viscous(ctx context.Context, l *Look, viscosity float64, workers int) (*Look, error) {
	c := p.Burgers
	err := config.Assign(&c, fmt.Sprintf("equation.parameters.nu=%g", viscosity))
	if err != nil {
		return nil, err
	}
	other := *l
	_, err = p.evolve(ctx, &other, c, workers)
	return &other, err
}

// largest returns the index of the function with the largest norm, of periodic ones.
func largest(b grid.Batch) int {
	index := 0
	most := 0.0
	for i := range b.Count {
		square := grid.Torus.Inner(b.At(i), b.At(i))
		if square > most {
			index = i
			most = square
		}
	}
	return index
}

// Likeness returns |G_jl| / sqrt(G_jj G_ll), the similarity of the first count features, over the training pairs of an
// experiment, which must have been generated: element j*count + l. It returns ctx.Err() if ctx is done.
func (p Tour) Likeness(ctx context.Context, e *engine.Experiment, count, workers int) ([]float64, error) {
	c := e.Config
	train, _ := e.Pairs()
	pairs, err := train.Restrict(c.Train.Grid)
	if err != nil {
		return nil, err
	}
	evaluator, err := featuresOn(ctx, c, count, c.Train.Grid, workers)
	if err != nil {
		return nil, err
	}
	normal := rfm.NewNormal(evaluator.Count())
	err = normal.Accumulate(ctx, evaluator, pairs, workers, nil, nil)
	if err != nil {
		return nil, err
	}
	gram := normal.Gram(count).Dense() // count x count, row-major
	r := make([]float64, len(gram))
	for i, g := range gram {
		j := i / count
		l := i % count
		norms := math.Sqrt(gram[j*count+j] * gram[l*count+l])
		r[i] = math.Abs(g) / norms
	}
	return r, nil
}

// OnGrids returns the test errors of a trained experiment over the grids of the plan.
func (p Tour) OnGrids(ctx context.Context, e *engine.Experiment) (curve report.Curve, err error) {
	for _, K := range p.Grids {
		v, err := e.EvaluateOn(ctx, K)
		if err != nil {
			return curve, err
		}
		curve.X = append(curve.X, float64(K))
		curve.Y = append(curve.Y, v.Test.ExpectedRelative)
	}
	return curve, nil
}

// Pull is an input on its way out of the law of the training inputs, with the answers to it.
type Pull struct {
	Input    []float64
	Solution []float64
	Answer   engine.Answer
	Distance float64 // of the prediction from the solution, relative to it
}

// Pulls is the number of inputs of Tour.Pulled.
const Pulls = 12

// Pulled adds a bump to an input of the law, each time a higher one, and returns what model and solver say. The errors are
// those of both, and of engine.Experiment.Trial.
func (p Tour) Pulled(ctx context.Context, e *engine.Experiment) (all []Pull, err error) {
	const (
		highest = 3.0 // of the bump, in sizes of training inputs
		middle  = 0.45
		width   = 0.08
	)
	t, err := e.Trial(ctx, e.Evaluation())
	if err != nil {
		return nil, err
	}
	drawn := t.Draw(0)
	for k := range Pulls {
		height := highest * t.Law.Size * float64(k) / (Pulls - 1)
		input := make([]float64, len(drawn))
		for i, v := range drawn {
			x := float64(i) / float64(len(drawn)-1)
			z := (x - middle) / width
			input[i] = v + height*math.Exp(-z*z/2)
		}
		t.Domain.Wrap(input)
		pull := Pull{Input: input}
		pull.Answer, err = t.Predict(ctx, input)
		if err != nil {
			return nil, err
		}
		pull.Solution, err = t.Solve(ctx, input)
		if err != nil {
			return nil, err
		}
		pull.Distance = t.Distance(pull.Answer.Prediction, pull.Solution)
		all = append(all, pull)
	}
	return all, nil
}

// Bridge is the scalar example: models with several numbers of features, which are Brownian bridges.
type Bridge struct {
	*brownian.Result
	Features [][]float64 // the first features, on the grid of the result
}

// Scalar trains the models of the scalar example (Example 2.8 of Nelsen & Stuart 2021). Errors are ctx.Err(),
// *fault.Data and *fault.Numerical.
func (p Tour) Scalar(ctx context.Context, workers int) (*Bridge, error) {
	r, err := p.Bridge.Run(ctx, workers, nil)
	b := &Bridge{Result: r}
	for j := range 5 {
		b.Features = append(b.Features, p.Bridge.Problem.Feature(0, j).Curve(p.Bridge.GridSize))
	}
	return b, err
}

// fewest is the number of features of the smallest model of Fewer.
const fewest = 8

// Fewer returns the test errors of models of the first features of an experiment over their number. Each has twice the
// features of the one before; the experiment's own model is last. The error is one of the experiment's stages.
func (p Tour) Fewer(ctx context.Context, e *engine.Experiment, workers int) (curve report.Curve, err error) {
	c := compare.Alone(e.Config)
	all := e.Config.Features.Count
	for m := fewest; m < all; m *= 2 {
		c.Features.Count = m
		small, err := engine.Again(ctx, c, e, engine.Evaluating, engine.Options{Workers: workers})
		if err != nil {
			return curve, err
		}
		curve.X = append(curve.X, float64(m))
		curve.Y = append(curve.Y, small.Evaluation().Test.ExpectedRelative)
	}
	curve.X = append(curve.X, float64(all))
	curve.Y = append(curve.Y, e.Evaluation().Test.ExpectedRelative)
	return curve, nil
}

// Improved searches for better features on the training pairs of on, and then trains as many of them as e has on the
// pairs of e. The search tries Tour.Models models, without test pairs. It calls watch before the search. Errors are
// those of tune.Session and of the experiment's stages.
func (p Tour) Improved(ctx context.Context, on, e *engine.Experiment, workers int, watch func(*tune.Session)) (
	*engine.Experiment, error) {
	s := &tune.Session{Asked: on.Config}
	err := s.Obtain(ctx, on, workers)
	if err != nil {
		return nil, err
	}
	options := tune.Options{
		Evaluations: p.Models,
		Seed:        e.Config.Seed,
		Workers:     workers,
	}
	_, err = s.Begin(options)
	if err != nil {
		return nil, err
	}
	watch(s)
	result, err := s.Run(ctx)
	if err != nil {
		return nil, err
	}
	c := compare.Alone(tune.Adopt(e.Config, result.Config))
	return engine.Again(ctx, c, e, engine.Evaluating, engine.Options{Workers: workers})
}

// SearchTime is about the duration of the search in a tour, of searchModels models, on two cores.
const (
	SearchTime   = 15 * time.Second
	searchModels = 150
)
