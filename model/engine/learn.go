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
	"rfm/model/machine"
	"rfm/model/method"
	"rfm/model/price"
	"rfm/model/rfm"
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

// learn trains the configured method, or all of them and returns the one with the least leave-one-out error.
func (e *Experiment) learn(ctx context.Context, pairs dataset.Pairs) (learned, error) {
	if e.Config.Train.Method == config.Best {
		const least = 3 // of two pairs each is predicted from one other, which chooses neither lambda nor a method
		if n := pairs.Count(); n < least {
			return learned{}, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("%d choose no method: at least %d are needed for train.method = %s", n, least, config.Best),
				Do:   "raise data.train, or name a method and lambda: train.method = features, train.choice = given"}
		}
		all, err := e.learnAll(ctx, pairs, e.store)
		if err != nil {
			return learned{}, err
		}
		e.compared = all
		return best(all), nil
	}
	m := e.methodCalled(e.Config.Train.Method, e.store)
	needed := m.Bytes(pairs, e.options(nil))
	if err := machine.CheckBytes("training by "+m.Title, needed,
		"lower data.train, or take another train.method"); err != nil {
		return learned{}, err
	}
	e.tracker.begin(Training, "methods", 1)
	return e.learnBy(ctx, m, pairs, e.options(&follower{e}))
}

// methodCalled is the method that a configuration calls so, which is a valid name. Random features may take sums that
// others have made, if what is trained is kept in a store.
func (e *Experiment) methodCalled(name string, to *kept) method.Method {
	m, ok := e.random(to).Named(name)
	if !ok {
		panic("engine: no method " + name) // config.Validate refuses it
	}
	return m
}

// random is random features before training.
func (e *Experiment) random(to *kept) method.Random {
	r := method.Random{Config: e.Config, Drawn: e.features, Fine: e.train}
	if to != nil {
		r.Summed = e.sumTiles
	}
	return r
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
func (e *Experiment) learnAll(ctx context.Context, pairs dataset.Pairs, to *kept) ([]learned, error) {
	features, err := e.learnBy(ctx, e.random(to).Method(), pairs, e.options(&follower{e}))
	if err != nil && !fault.BlamesInput(err) {
		return nil, err
	}
	others, failure := e.learnOthers(ctx, pairs)
	if failure != nil {
		return nil, failure
	}
	var all []learned
	if err == nil {
		all = append(all, features)
	} else {
		e.omit("random features", err)
	}
	if all = append(all, others...); len(all) > 0 {
		return all, nil
	}
	return nil, err
}

// learnOthers trains the methods without random features.
func (e *Experiment) learnOthers(ctx context.Context, pairs dataset.Pairs) ([]learned, error) {
	methods := method.Rivals(e.Config, pairs.Inputs.Domain, pairs.Outputs.Domain)
	defer e.tracker.digress(Comparing, "methods", len(methods))()
	e.omitted = nil
	var all []learned
	options := e.options(nil)
	for _, m := range methods {
		one, err := e.learnWithin(ctx, m, pairs, options)
		switch {
		case ctx.Err() != nil || err != nil && !fault.BlamesInput(err):
			return nil, errors.Join(ctx.Err(), err)
		case err != nil:
			e.omit(m.Title, err)
		default:
			all, options.Known = append(all, one), append(options.Known, one.operator)
			options.Beat = best(all).leftOut
		}
		e.tracker.advance(1)
	}
	return all, nil
}

// purposeFewer names the stream that draws the pairs that a method learns from if all would take too long.
const purposeFewer draw.Purpose = "method-fewer"

// learnWithin trains a method, on fewer pairs if all take longer than minutes; the error is a *fault.Data if the memory
// does not suffice.
func (e *Experiment) learnWithin(ctx context.Context, m method.Method, pairs dataset.Pairs, o method.Options) (learned,
	error) {
	if n := pairs.Count(); n > m.Most {
		some := draw.Permutation(e.Config.Seed, purposeFewer, n)[:m.Most]
		slices.Sort(some)
		pairs = pairs.Take(some)
		e.omitted = append(e.omitted, fmt.Sprintf("The method %s learns from %d of the %d training pairs: all take too long.",
			m.Title, m.Most, n))
	}
	if err := machine.CheckBytes("its training", m.Bytes(pairs, o), ""); err != nil {
		return learned{}, err
	}
	return e.learnBy(ctx, m, pairs, o)
}

// omit keeps why a method is not compared.
func (e *Experiment) omit(title string, why error) {
	e.omitted = append(e.omitted, fmt.Sprintf("The method %s is left out: %s.", title, strings.TrimSuffix(why.Error(), ".")))
}

// options say how methods are trained, and who follows.
func (e *Experiment) options(watch method.Watch) method.Options {
	return method.Options{Workers: e.workers, Seed: e.Config.Seed, Symmetry: e.Config.Data.Symmetry, Watch: watch,
		Like: e.like}
}

// learnBy trains a method.
func (e *Experiment) learnBy(ctx context.Context, m method.Method, pairs dataset.Pairs, o method.Options) (learned,
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

// others measures the methods that the model is compared with on the evaluation's test pairs: all but its own. Errors
// are ctx's, and a *fault.Data if the pairs do not fit the grid.
func (e *Experiment) others(ctx context.Context, v *Evaluation) ([]Rival, error) {
	if !e.Config.Evaluation.Baselines {
		return nil, nil
	}
	all, err := e.competitors(ctx)
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

// competitors are what the model is compared with: what it was chosen from, or methods that are trained now.
func (e *Experiment) competitors(ctx context.Context) ([]learned, error) {
	if e.compared != nil {
		return e.compared, nil
	}
	pairs, err := e.train.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, err
	}
	if e.Config.Train.Method == config.RandomFeatures {
		return e.learnOthers(ctx, pairs)
	}
	defer e.tracker.digress(Comparing, "", 0)()
	all, err := e.learnAll(ctx, pairs, nil)
	if err == nil && e.Config.Train.Method == config.Best {
		e.compared = all
	}
	return all, err
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
	if _, err := e.competitors(ctx); err != nil { // which are not known if the run goes on after training
		return "", err
	}
	model := e.ModelTitle()
	text := fmt.Sprintf("The model is what %s has learned: its leave-one-out error on the training pairs is the least "+
		"of all", model)
	found, least := "", math.Inf(1)
	var errors []string
	for _, l := range e.compared {
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
func (e *Experiment) ModelTitle() string { return e.methodCalled(e.model.Operator.Name(), nil).Title }
