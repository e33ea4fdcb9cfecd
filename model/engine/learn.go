// This file trains methods: the one that is configured, or all of them and takes the best, and those that a model is
// compared with.

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/machine"
	"rfm/model/method"
	"rfm/model/price"
	"rfm/model/rfm"
	"rfm/model/trained"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
)

// learned is what a method has learned from the training pairs.
type learned struct {
	name, title string
	operator    method.Operator
	leftOut     float64 // its leave-one-out error, or that of holding pairs out; 0 if it is not known
	seconds     float64
}

// trainer trains the methods of a configuration on pairs. It stores nothing.
type trainer struct {
	config   config.Config
	features feature.Map   // as they were drawn
	pairs    dataset.Pairs // for training, on their grid
	workers  int
	tracker  *tracker
	like     method.Operator // see method.Options
	sums     method.Summed   // see method.Random

	compared []learned // what the best was chosen from
	omitted  []string  // sentences on methods that were to be compared and could not, and why
}

// trainer trains for the experiment, once it has its pairs and features.
func (e *Experiment) trainer() *trainer {
	if e.learning == nil {
		e.learning = &trainer{config: e.Config, features: e.features, pairs: e.train, workers: e.workers, tracker: &e.tracker}
	}
	return e.learning
}

// without is the trainer on other pairs, of the method that has trained a model.
func (t *trainer) without(pairs dataset.Pairs, model method.Operator) *trainer {
	c := t.config
	c.Data.Train, c.Train.Method = pairs.Count(), model.Name()
	return &trainer{config: c, features: t.features, pairs: pairs, workers: t.workers, tracker: new(tracker), like: model}
}

// model trains the configured model. Errors are *fault.Data for pairs that do not fit, *fault.Numerical from solutions,
// and ctx's.
func (t *trainer) model(ctx context.Context) (trained.Model, error) {
	c := t.config
	pairs, err := t.pairs.Restrict(c.Train.Grid)
	if err != nil {
		return trained.Model{}, err
	}
	found, err := t.learn(ctx, pairs)
	if err != nil {
		return trained.Model{}, err
	}
	m := trained.Model{Operator: found.operator, Problem: c.Problem, Grid: c.Train.Grid, Config: string(c.TOML()),
		Version: machine.Version()}
	if c.Train.Coarsen > 0 {
		return m.Coarsen(ctx, t.pairs, c.Train.Coarsen, t.workers)
	}
	return m, nil
}

// learn trains the configured method, or all of them and returns the one with the least leave-one-out error.
func (t *trainer) learn(ctx context.Context, pairs dataset.Pairs) (learned, error) {
	if t.config.Train.Method == config.Best {
		const least = 3 // of two pairs each is predicted from one other, which chooses neither lambda nor a method
		if n := pairs.Count(); n < least {
			return learned{}, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("%d choose no method: at least %d are needed for train.method = %s", n, least, config.Best),
				Do:   "raise data.train, or name a method and lambda: train.method = features, train.choice = given"}
		}
		all, err := t.learnAll(ctx, pairs)
		if err != nil {
			return learned{}, err
		}
		t.compared = all
		return best(all), nil
	}
	m := t.methodCalled(t.config.Train.Method)
	needed := m.Bytes(pairs, t.options(nil))
	if err := machine.CheckBytes("training by "+m.Title, needed,
		"lower data.train, or take another train.method"); err != nil {
		return learned{}, err
	}
	t.tracker.begin(Training, "methods", 1)
	return t.learnBy(ctx, m, pairs, t.options(t.tracker))
}

// methodCalled is the method that a configuration calls so, which is a valid name.
func (t *trainer) methodCalled(name string) method.Method {
	m, ok := t.random().Named(name)
	if !ok {
		panic("engine: no method " + name) // config.Validate refuses it
	}
	return m
}

// random is random features before training.
func (t *trainer) random() method.Random {
	return method.Random{Config: t.config, Drawn: t.features, Fine: t.pairs, Summed: t.sums}
}

// estimateMargin is by how much, relative to them, leave-one-out errors that are estimates count as larger: retraining
// without each pair gave up to 5% more.
const estimateMargin = 0.05

// best is what has the least leave-one-out error, with a margin for estimates. What is not known is no reason to choose.
func best(all []learned) learned {
	bound := func(l learned) float64 {
		switch {
		case l.leftOut == 0:
			return math.Inf(1)
		case method.Estimated(l.operator):
			return (1 + estimateMargin) * l.leftOut
		}
		return l.leftOut
	}
	return slices.MinFunc(all, func(a, b learned) int { return cmp.Compare(bound(a), bound(b)) })
}

// learnAll trains features, and every other method that does not take long with so many pairs. A method that does not
// work with these pairs is left out, which a warning tells; if none works, the error is the first one's.
func (t *trainer) learnAll(ctx context.Context, pairs dataset.Pairs) ([]learned, error) {
	features, err := t.learnBy(ctx, t.random().Method(), pairs, t.options(t.tracker))
	if err != nil && !fault.BlamesInput(err) {
		return nil, err
	}
	others, failure := t.learnOthers(ctx, pairs)
	if failure != nil {
		return nil, failure
	}
	var all []learned
	if err == nil {
		all = append(all, features)
	} else {
		t.omit("random features", err)
	}
	if all = append(all, others...); len(all) > 0 {
		return all, nil
	}
	return nil, err
}

// learnOthers trains the methods without random features.
func (t *trainer) learnOthers(ctx context.Context, pairs dataset.Pairs) ([]learned, error) {
	methods := method.Rivals(t.config, pairs.Inputs.Domain, pairs.Outputs.Domain)
	defer t.tracker.digress(Comparing, "methods", len(methods))()
	t.omitted = nil
	var all []learned
	options := t.options(nil)
	for _, m := range methods {
		one, err := t.learnWithin(ctx, m, pairs, options)
		switch {
		case ctx.Err() != nil || err != nil && !fault.BlamesInput(err):
			return nil, errors.Join(ctx.Err(), err)
		case err != nil:
			t.omit(m.Title, err)
		default:
			all, options.Known = append(all, one), append(options.Known, one.operator)
			options.Beat = best(all).leftOut
		}
		t.tracker.Advance(1)
	}
	return all, nil
}

// purposeFewer names the stream that draws the pairs that a method learns from if all would take too long.
const purposeFewer draw.Purpose = "method-fewer"

// learnWithin trains a method, on fewer pairs if all take longer than minutes; the error is a *fault.Data if the memory
// does not suffice.
func (t *trainer) learnWithin(ctx context.Context, m method.Method, pairs dataset.Pairs, o method.Options) (learned,
	error) {
	if n := pairs.Count(); n > m.Most {
		some := draw.Permutation(t.config.Seed, purposeFewer, n)[:m.Most]
		slices.Sort(some)
		pairs = pairs.Take(some)
		t.omitted = append(t.omitted, fmt.Sprintf("The method %s learns from %d of the %d training pairs: all take too long.",
			m.Title, m.Most, n))
	}
	if err := machine.CheckBytes("its training", m.Bytes(pairs, o), ""); err != nil {
		return learned{}, err
	}
	return t.learnBy(ctx, m, pairs, o)
}

// omit keeps why a method is not compared.
func (t *trainer) omit(title string, why error) {
	t.omitted = append(t.omitted, fmt.Sprintf("The method %s is left out: %s.", title, strings.TrimSuffix(why.Error(), ".")))
}

// options say how methods are trained, and who follows.
func (t *trainer) options(watch method.Watch) method.Options {
	return method.Options{Workers: t.workers, Seed: t.config.Seed, Symmetry: t.config.Data.Symmetry, Watch: watch,
		Like: t.like}
}

// learnBy trains a method.
func (t *trainer) learnBy(ctx context.Context, m method.Method, pairs dataset.Pairs, o method.Options) (learned,
	error) {
	begin := time.Now()
	operator, err := m.Train(ctx, pairs, o)
	if err != nil {
		return learned{}, err
	}
	one := learned{m.Name, m.Title, operator, operator.LeaveOneOut(), time.Since(begin).Seconds()}
	// pairs held out together are a little harder
	if f, random := method.Unscaled(operator).(method.Features); random && f.Path != nil {
		one.leftOut = f.Path.Error[f.Path.Best]
	}
	return one, nil
}

// competitors are what a model is compared with: what it was chosen from, or methods that are trained now.
func (t *trainer) competitors(ctx context.Context) ([]learned, error) {
	if t.compared != nil {
		return t.compared, nil
	}
	pairs, err := t.pairs.Restrict(t.config.Train.Grid)
	if err != nil {
		return nil, err
	}
	if t.config.Train.Method == config.RandomFeatures {
		return t.learnOthers(ctx, pairs)
	}
	defer t.tracker.digress(Comparing, "", 0)()
	all, err := t.learnAll(ctx, pairs)
	if err == nil && t.config.Train.Method == config.Best {
		t.compared = all
	}
	return all, err
}

// others measures the methods that the model is compared with on the evaluation's test pairs: all but its own. Errors
// are ctx's, and a *fault.Data if the pairs do not fit the grid.
func (e *Experiment) others(ctx context.Context, v *Evaluation) ([]Rival, error) {
	if !e.Config.Evaluation.Baselines {
		return nil, nil
	}
	all, err := e.trainer().competitors(ctx)
	if err != nil {
		return nil, err
	}
	var rivals []Rival
	for _, l := range all {
		if l.name == e.model.Operator.Name() {
			continue
		}
		rival, err := e.measure(ctx, l, v)
		switch {
		case ctx.Err() != nil || err != nil && !fault.BlamesInput(err):
			return nil, errors.Join(ctx.Err(), err)
		case err == nil:
			rivals = append(rivals, rival)
		}
	}
	return rivals, nil
}

// measure measures what a method has learned on the test pairs.
func (e *Experiment) measure(ctx context.Context, l learned, v *Evaluation) (Rival, error) {
	rival := Rival{Name: l.title, Training: l.seconds, LeaveOneOut: l.leftOut, Operations: l.operator.Cost(v.Grid)}
	predictions, err := l.operator.Predict(ctx, v.TestPairs.Inputs, e.workers, nil)
	if err != nil {
		return Rival{}, err
	}
	errors, err := rfm.Measure(predictions, v.TestPairs.Outputs)
	if err != nil {
		return Rival{}, err
	}
	rival.Error = errors.ExpectedRelative
	rival.Seconds, err = price.Prediction(ctx, l.operator, v.TestPairs.Inputs)
	return rival, err
}

// choice says which method was taken, and why; empty if it was given. Errors are those of training.
func (e *Experiment) choice(ctx context.Context) (string, error) {
	if e.Config.Train.Method != config.Best {
		return "", nil
	}
	if _, err := e.trainer().competitors(ctx); err != nil { // which are not known if the run goes on after training
		return "", err
	}
	model := e.ModelTitle()
	text := fmt.Sprintf("The model is what %s has learned: its leave-one-out error on the training pairs is the least "+
		"of all", model)
	found, least := "", math.Inf(1)
	var errors []string
	for _, l := range e.trainer().compared {
		if l.leftOut > 0 && l.leftOut < least {
			found, least = method.Found(l.operator), l.leftOut
		}
		if l.leftOut > 0 && !math.IsInf(l.leftOut, 1) {
			errors = append(errors, fmt.Sprintf("%s %.5f", l.title, l.leftOut))
		}
	}
	if len(errors) == 0 {
		return text + ".", nil
	}
	text += ": " + strings.Join(errors, ", ") + "."
	if found != "" && e.Config.Data.Symmetry == config.AutoSymmetry {
		text += fmt.Sprintf(" It has found a symmetry of the pairs: data.symmetry = %s has all methods commute with it.",
			found)
	}
	return text, nil
}

// Learned is the configuration with the method that the model was trained with, where best has chosen one.
func (e *Experiment) Learned() config.Config {
	c := e.Config
	c.Train.Method = e.model.Operator.Name()
	return c
}

// ModelTitle is what the model's method is called.
func (e *Experiment) ModelTitle() string {
	return e.trainer().methodCalled(e.model.Operator.Name()).Title
}
