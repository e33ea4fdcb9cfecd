// This file trains the configured method, or all methods and chooses the best, and the baselines of a model.

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
	"rfm/model/learn/feature"
	"rfm/model/learn/fidelity"
	"rfm/model/learn/mean"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/run/machine"
	"rfm/model/show/report"
	"rfm/model/trained"
	"rfm/model/trained/price"
	"rfm/model/trained/unlike"
	"rfm/solver/base/draw"
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

// model trains the configured model. Errors: *fault.Data for unsuitable pairs, *fault.Numerical from solutions, ctx's.
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
		return t.learnRest(ctx, t.methodCalled(t.config.Train.Method), pairs, t.staged.Low, t.staged.Sees)
	}
	learned, err := t.learnOnce(ctx, pairs)
	if err == nil && t.low.Count() > 0 {
		return t.learnWithLow(ctx, pairs, learned)
	}
	if err != nil || !t.config.Train.Noise {
		return learned, err
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
	if n := pairs.Count(); n < least {
		return candidate{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("%d choose no method: at least %d are needed for train.method = %s", n, least, config.Best),
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
	learned, why, err := t.learnBy(ctx, m, pairs, t.options(t.tracker))
	if err == nil {
		err = why
	}
	return learned, err
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

// estimateMargin is the relative margin by which leave-one-out errors that are estimates count as larger: retraining
// without each pair gave up to 5% more.
const estimateMargin = 0.05

// best returns the method with the least leave-one-out error, with a margin for estimates. Unknown errors count last.
func best(all []candidate) candidate {
	bound := func(l candidate) float64 {
		switch {
		case l.LeaveOneOut == 0:
			return math.Inf(1)
		case method.Estimated(l.operator):
			return (1 + estimateMargin) * l.LeaveOneOut
		}
		return l.LeaveOneOut
	}
	return slices.MinFunc(all, func(a, b candidate) int {
		return cmp.Compare(bound(a), bound(b))
	})
}

// comparison returns the methods to compare on some pairs.
func (t *trainer) comparison(pairs dataset.Pairs) comparison {
	return comparisonOf(t.config, pairs.Inputs.Domain, pairs.Outputs.Domain)
}

// learnAll trains the methods of a comparison. It omits a method that fails on these pairs, with a warning; if all fail, it
// returns the first error.
func (t *trainer) learnAll(ctx context.Context, pairs dataset.Pairs, compared comparison) ([]candidate, error) {
	race := operator.NewRace()
	all, err := t.learnOthers(ctx, pairs, compared.methods, race)
	if err != nil || !compared.features {
		return all, err
	}
	features := t.random().Method()
	suits := features.Suits(pairs.Inputs.Domain, pairs.Outputs.Domain, t.config.Data.Symmetry)
	if len(all) > 0 && !suits {
		return all, nil
	}
	if why := exhausted(features, all); why != nil {
		t.omit("random features", why)
		return all, nil
	}
	learned, why, err := t.learnFeatures(ctx, features, pairs, race)
	if err != nil && (ctx.Err() != nil || !fault.BlamesInput(err) || len(all) == 0) {
		return nil, err
	}
	if err != nil {
		why = err
	}
	if why != nil {
		t.omit("random features", why)
		return all, nil
	}
	return append([]candidate{learned}, all...), nil
}

// mostScattered is the largest number of values of all outputs at points of any geometry from which random features learn
// within a few minutes: a product of matrices takes the eigenfunctions to every point.
const mostScattered = 1 << 17

// tooManyScattered reports whether random features of pairs at points of any geometry take too long to be compared.
func tooManyScattered(pairs dataset.Pairs) bool {
	return pairs.Outputs.Domain.Scattered() && len(pairs.Outputs.Data) > mostScattered
}

// learnFeatures trains random features unless they are behind in the race. why is the reason if they are.
func (t *trainer) learnFeatures(ctx context.Context, m operator.Method, pairs dataset.Pairs, race *operator.Race) (
	learned candidate, why, err error) {
	if tooManyScattered(pairs) {
		return candidate{}, &fault.Data{
			Where: "training pairs",
			What: fmt.Sprintf("all points of all pairs, %d values, take "+
				"too long", len(pairs.Outputs.Data)),
			Do: "set train.method = features",
		}, nil
	}
	o := t.options(t.tracker)
	o.Race = race
	ended, behind, err := t.random().Look(ctx, pairs, o)
	if err != nil {
		return candidate{}, nil, err
	}
	if behind {
		return candidate{}, ended.Err(), nil
	}
	return t.learnBy(ctx, m, pairs, o)
}

// exhausted returns a *fault.Data if some method has learned the pairs to rounding, as linear does from those of a linear
// operator: another method, unless it is a reference, has nothing to gain.
func exhausted(m operator.Method, all []candidate) error {
	if m.Reference {
		return nil
	}
	const rounding = 6e-8 // of single precision
	for _, l := range all {
		if l.LeaveOneOut > 0 && l.LeaveOneOut < rounding {
			return &fault.Data{
				Where: "training pairs",
				What:  fmt.Sprintf("%s already has the error %.2g", l.Name, l.LeaveOneOut),
			}
		}
	}
	return nil
}

// learnOthers trains methods without random features.
func (t *trainer) learnOthers(ctx context.Context, pairs dataset.Pairs, methods []operator.Method, race *operator.Race) (
	[]candidate, error) {
	defer t.tracker.digress("methods", len(methods))()
	t.omitted = nil
	var all []candidate
	options := t.options(nil)
	options.Race = race
	for _, m := range methods {
		t.tracker.Set(func(p *Progress) { p.Note = m.Title })
		var learned candidate
		why := exhausted(m, all)
		if why == nil {
			var err error
			learned, why, err = t.learnWithin(ctx, m, pairs, options)
			if ctx.Err() != nil || err != nil && !fault.BlamesInput(err) {
				return nil, errors.Join(ctx.Err(), err)
			}
			if err != nil {
				why = err
			}
		}
		if why != nil {
			t.omit(m.Title, why)
		} else {
			all = append(all, learned)
			options.Known = append(options.Known, learned.operator)
			t.tracker.Set(func(p *Progress) {
				p.Race = append(slices.Clip(p.Race), learned.Row)
			})
		}
		t.tracker.Advance(1)
	}
	return all, nil
}

// purposeFewer names the stream that draws a subset of pairs for a method that would take too long on all of them.
const purposeFewer draw.Purpose = "method-fewer"

// learnWithin trains a method, on m.Most pairs if there are more. Its results are those of learnBy.
func (t *trainer) learnWithin(ctx context.Context, m operator.Method, pairs dataset.Pairs, o operator.Options) (
	learned candidate, why, err error) {
	if n := pairs.Count(); n > m.Most {
		some := draw.Permutation(t.config.Seed, purposeFewer, 0, n)[:m.Most]
		slices.Sort(some)
		pairs = pairs.Take(some)
		t.omitted = append(t.omitted, fmt.Sprintf(aboutMethod+"%s learns from %d of the %d training pairs: all take too "+
			"long.", m.Title, m.Most, n))
	}
	return t.learnBy(ctx, m, pairs, o)
}

// omit records why a method is not compared. A remedy would be for a method that is asked for.
func (t *trainer) omit(title string, why error) {
	var data *fault.Data
	if errors.As(why, &data) {
		why = &fault.Data{
			Where: data.Where,
			What:  data.What,
			Err:   data.Err,
		}
	}
	text := strings.TrimSuffix(why.Error(), ".")
	t.omitted = append(t.omitted, fmt.Sprintf(aboutMethod+"%s is left out: %s.", title, text))
}

// omitDearer tells which methods are not compared because they cost too much.
func (t *trainer) omitDearer(compared comparison) {
	if compared.dearer == nil {
		return
	}
	own := t.methodCalled(t.config.Train.Method).Title
	t.omitted = append(t.omitted, compared.sentence(own))
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

// learnBy trains the method m on the pairs. why is the reason if it gains nothing on them. The error is a *fault.Data for
// lack of memory, or one of training.
func (t *trainer) learnBy(ctx context.Context, m operator.Method, pairs dataset.Pairs, o operator.Options) (
	learned candidate, why, err error) {
	begin := time.Now()
	err = machine.CheckBytes("training by "+m.Title, m.Bytes(pairs, o), "lower data.train, or take another train.method")
	if err != nil {
		return candidate{}, nil, err
	}
	o.Failed = func(err *fault.Numerical) {
		text := strings.TrimSuffix(err.Error(), ".")
		t.omitted = append(t.omitted, fmt.Sprintf(aboutMethod+"%s tried a candidate that failed: %s.", m.Title, text))
	}
	result, err := m.Try(ctx, pairs, o)
	if err != nil || result.Operator == nil {
		return candidate{}, result.Err(), err
	}
	row := Row{
		Offer:       price.Offer{Name: m.Title},
		LeaveOneOut: result.Operator.LeaveOneOut(),
		Training:    time.Since(begin).Seconds(),
	}
	return candidate{Row: row, operator: result.Operator}, nil, nil
}

// competitors returns the methods among which the model was chosen, or trains the baselines now.
func (t *trainer) competitors(ctx context.Context) ([]candidate, error) {
	if t.compared != nil {
		return t.compared, nil
	}
	pairs, err := t.pairs.Restrict(t.config.Train.Grid)
	if err != nil {
		return nil, err
	}
	compared := t.comparison(pairs)
	if t.config.Train.Method == config.RandomFeatures {
		all, err := t.learnOthers(ctx, pairs, compared.methods, nil)
		t.omitDearer(compared)
		return all, err
	}
	defer t.tracker.digress("", 0)()
	all, err := t.learnAll(ctx, pairs, compared)
	if err == nil && t.config.Train.Method == config.Best {
		t.compared = all
	}
	t.omitDearer(compared)
	return all, err
}

// choice describes which method was chosen, and why; empty if the configuration names it. The error is one of training.
func (e *evaluating) choice(ctx context.Context) (string, error) {
	if e.Config.Train.Method != config.Best {
		return "", nil
	}
	all, err := e.learning.competitors(ctx) // computed again if the run is resumed after training
	if err != nil {
		return "", err
	}
	text := reason(e.title(), all)
	if e.usesLow() {
		alone := e.learning.methodCalled(best(all).operator.Name())
		text = "Without pairs of low fidelity: " + reason(alone.Title, all)
	}
	symmetry := method.Found(best(all).operator)
	if symmetry != "" && e.Config.Data.Symmetry == config.AutoSymmetry {
		text += fmt.Sprintf(" It has found a symmetry of the pairs: data.symmetry = %s has all methods commute with it.",
			symmetry)
	}
	return text, nil
}

// reason describes why the method with the given title was chosen of all.
func reason(title string, all []candidate) string {
	text := learnedBy(title) + ": its error on training pairs that are left out is the least of all"
	least := math.Inf(1)
	var errors []string
	for _, l := range all {
		if l.LeaveOneOut == 0 || math.IsInf(l.LeaveOneOut, 1) {
			continue
		}
		least = min(least, l.LeaveOneOut)
		one := l.Name + " " + report.Error(l.LeaveOneOut, 5)
		if l.operator.Name() == config.RandomFeatures {
			one += " (held-out fifths)"
		}
		errors = append(errors, one)
	}
	if least < best(all).LeaveOneOut {
		text += fmt.Sprintf(", where estimates count %.0f%% larger", 100*estimateMargin)
	}
	if len(errors) > 0 {
		text += ": " + strings.Join(errors, ", ")
	}
	return text + "."
}

// learnedBy names the method of a model in the beginning of a sentence.
func learnedBy(title string) string {
	if title == mean.Title {
		return "The model is the " + title
	}
	return "The model was learned by " + title
}

// ModelTitle returns the title of the model's method.
func (e *Experiment) ModelTitle() string { return e.evaluating().title() }

// title returns the title of the model's method.
func (e *evaluating) title() string {
	return e.learning.methodCalled(e.model.Operator.Name()).Title
}
