// This file trains the configured method.

package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/fidelity"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/machine"
	"rfm/model/trained"
	"rfm/model/trained/price"
	"rfm/model/trained/unlike"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
)

// trainer trains the methods of a configuration on given pairs. It stores nothing.
type trainer struct {
	config   config.Config
	features feature.Map   // as drawn
	pairs    dataset.Pairs // for training, on their grid
	workers  int
	tracker  *Tracker
	like     operator.Operator // see operator.Options
	sums     random.Summed     // see random.Random
	// checkpoints keep the states of descents on these pairs; nil: nobody does
	checkpoints operator.Checkpoints
	low         dataset.Pairs    // of low fidelity, on the grid of pairs; there may be none
	staged      *fidelity.Staged // model of all pairs, when one of a part of them is trained; nil: none, or without low pairs

	lowGain *LowGain // what the low pairs gain, once a model is trained with them

	compared []candidate // the methods among which the best was chosen
	choosing float64     // seconds of training that went into the methods that were not chosen
	omitted  []string    // sentences on methods that could not be compared, and why
}

// without returns a copy of the trainer for other pairs and the method of a trained model.
func (t *trainer) without(pairs dataset.Pairs, model operator.Operator) *trainer {
	c := t.config
	c.Data.Train = pairs.Count()
	c.Train.Method = model.Name()
	part := &trainer{
		config:   c,
		features: t.features,
		pairs:    pairs,
		workers:  t.workers,
		tracker:  new(Tracker),
		like:     model,
	}
	if staged, ok := model.(*fidelity.Staged); ok {
		part.staged = staged
		part.like = staged.Rest
	}
	return part
}

// model trains the configured model. Errors: *fault.Data for unsuitable pairs, *fault.Numerical from solutions,
// ctx.Err().
func (t *trainer) model(ctx context.Context) (trained.Model, error) {
	c := t.config
	pairs, err := t.pairs.Restrict(c.Train.Grid)
	if err != nil {
		return trained.Model{}, err
	}
	learned, err := t.learn(ctx, pairs)
	if err != nil {
		return trained.Model{}, err
	}
	training, err := unlike.New(ctx, pairs.Inputs, pairs.Groups)
	if err != nil {
		return trained.Model{}, err
	}
	m := trained.Model{
		Operator: learned.operator,
		Training: training,
		Problem:  c.Title(),
		Grid:     c.Train.Grid,
		Config:   string(c.TOML()),
		Version:  machine.Version(),
	}
	if c.Train.Coarsen > 0 {
		return m.Coarsen(ctx, t.pairs, c.Train.Coarsen, t.workers)
	}
	return m, nil
}

// learn trains the configured method, or all of them and returns the one with the least leave-one-out error; with
// train.noise it trains that once more with the noise of its errors.
func (t *trainer) learn(ctx context.Context, pairs dataset.Pairs) (candidate, error) {
	if t.staged != nil {
		m := t.methodCalled(t.config.Train.Method)
		return t.learnRest(ctx, m, pairs, t.staged.Low, t.staged.Sees)
	}
	learned, err := t.learnOnce(ctx, pairs)
	if err != nil {
		return learned, err
	}
	if t.low.Count() > 0 {
		return t.learnWithLow(ctx, pairs, learned)
	}
	if !t.config.Train.Noise {
		return learned, nil
	}
	t.checkpoints = nil // they are of other pairs
	noisy, err := method.WithNoise(pairs, learned.operator, t.config.Seed)
	if err != nil {
		return candidate{}, err
	}
	return t.learnAlone(ctx, t.methodCalled(learned.operator.Name()), noisy)
}

// learnOnce is learn without noise.
func (t *trainer) learnOnce(ctx context.Context, pairs dataset.Pairs) (candidate, error) {
	name := t.config.Train.Method
	if name != config.Best {
		return t.learnAlone(ctx, t.methodCalled(name), pairs)
	}
	const least = 3 // with two pairs, each prediction uses one other pair, too little to choose lambda or a method
	n := pairs.Count()
	if n < least {
		return candidate{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("%d are too few to choose a method, want at least %d for train.method = %s", n, least, config.Best),
			Do:    "raise data.train, or name a method and lambda: train.method = features, train.choice = given",
		}
	}
	begin := time.Now()
	all, err := t.learnAll(ctx, pairs, t.comparison(pairs))
	if err != nil {
		return candidate{}, err
	}
	chosen := best(all)
	t.compared = all
	t.choosing = time.Since(begin).Seconds() - chosen.Training
	return chosen, nil
}

// learnAlone trains one method on all pairs. The error is as for learnBy.
func (t *trainer) learnAlone(ctx context.Context, m operator.Method, pairs dataset.Pairs) (candidate, error) {
	t.tracker.begin(Training, "methods", 1)
	tried, err := t.learnBy(ctx, m, pairs, t.options(t.tracker))
	if err != nil {
		return candidate{}, err
	}
	return tried.candidate, tried.why // because there is no other method to take
}

// methodCalled returns the method with the given name, which must be valid.
func (t *trainer) methodCalled(name string) operator.Method {
	m, ok := method.Named(name, t.random())
	if !ok {
		panic("engine: no method " + name) // config.Validate refuses it
	}
	return m
}

// random returns the method of random features before training.
func (t *trainer) random() random.Random {
	return random.Random{
		Config: t.config,
		Drawn:  t.features,
		Fine:   t.pairs,
		Summed: t.sums,
	}
}

// options returns the options of training, with watch as its observer.
func (t *trainer) options(watch operator.Watch) operator.Options {
	return operator.Options{
		Workers:  t.workers,
		Seed:     t.config.Seed,
		Symmetry: t.config.Data.Symmetry,
		Watch:    watch,
		Like:     t.like,
		Network:  networkOf(t.config),

		Checkpoints: t.checkpoints,
	}
}

// networkOf returns the sizes of neural operators and the effort of their training.
func networkOf(c config.Config) operator.Network {
	return operator.Network{
		Width:    c.Network.Width,
		Modes:    c.Network.Modes,
		Layers:   c.Network.Layers,
		Seconds:  c.NetworkSeconds(),
		Compared: c.Train.Method == config.Best,
	}
}

// learnBy trains the method m on the pairs. There is no candidate if it gains nothing on them. The error is a *fault.Data
// for lack of memory, or one of training.
func (t *trainer) learnBy(ctx context.Context, m operator.Method, pairs dataset.Pairs, o operator.Options) (attempt, error) {
	const remedy = "lower data.train, or take another train.method"
	begin := time.Now()
	err := machine.CheckBytes("training by "+m.Title, m.Bytes(pairs, o), remedy)
	if err != nil {
		return attempt{}, err
	}
	o.Failed = func(err *fault.Numerical) {
		const failed = aboutMethod + "%s tried a candidate that failed: %s."
		text := strings.TrimSuffix(err.Error(), ".")
		t.omitted = append(t.omitted, fmt.Sprintf(failed, m.Title, text))
	}
	result, err := m.Try(ctx, pairs, o)
	if err != nil {
		return attempt{}, err
	}
	if result.Operator == nil {
		return attempt{why: result.Err()}, nil
	}
	row := Row{
		Offer:       price.Offer{Name: m.Title},
		LeaveOneOut: result.Operator.LeaveOneOut(),
		Training:    time.Since(begin).Seconds(),
	}
	learned := candidate{Row: row, operator: result.Operator}
	return attempt{candidate: learned}, nil
}

// ModelTitle returns the title of the model's method.
func (e *Experiment) ModelTitle() string { return e.evaluating().title() }

// title returns the title of the model's method.
func (e *evaluating) title() string {
	return e.learning.methodCalled(e.model.Operator.Name()).Title
}
