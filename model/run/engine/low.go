// This file trains models with pairs of low fidelity: many pairs of a cheap approximation of the operator.

package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/learn/fidelity"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/run/reading"
	"rfm/model/run/store"
	"rfm/model/show/report"
	"rfm/model/trained/price"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// lowGainFile contains the LowGain of a run. Runs without pairs of low fidelity do not have it.
const lowGainFile = "low.json"

// LowGain tells what pairs of low fidelity gain: mean relative errors of training outputs that are left out, with the
// model of these pairs and without. The model uses them if they gain.
type LowGain struct {
	File    string  `json:"file"` // see reading.LowName
	Pairs   int     `json:"pairs"`
	Own     float64 `json:"own"`     // error of their model on them
	Method  string  `json:"method"`  // title of the method of their model
	Without float64 `json:"without"` // error without them
	Alone   string  `json:"alone"`   // title of the method without them
	With    float64 `json:"with"`    // least error with them; 0 if no method learns what their model leaves
	Rest    string  `json:"rest"`    // title of the method that learns what their model leaves
	Sees    bool    `json:"sees"`    // and that sees its predictions
	Used    bool    `json:"used"`
	Known   int     `json:"known,omitempty"` // pairs that are left out because their inputs are those of the other pairs
}

// obtainLow reads the pairs of low fidelity, if there are any, unless they are stored.
func (w *work) obtainLow(ctx context.Context) error {
	if !w.Config.Data.HasLow() || w.low.Count() > 0 {
		return nil
	}
	if w.store.Has(store.LowFile) {
		err := w.store.ReadArray(ctx, store.LowFile, func(shape []int) (store.Block, error) {
			return w.rowsOf(&w.low, shape, shape[0])
		})
		w.low.Groups, _ = dataset.FindGroups(w.low, dataset.First(w.low.Count()))
		return err
	}
	var low dataset.Pairs
	err := w.readStamped([]string{w.Config.Data.Low}, func() error {
		var err error
		low, err = w.files.ReadLow(ctx, w.Config, w.train, w.test)
		return errors.Join(err, w.files.Close())
	})
	if err != nil {
		return err
	}
	low.Groups, _ = dataset.FindGroups(low, dataset.First(low.Count()))
	w.low = low
	return nil
}

// learnWithLow trains a model of the pairs of low fidelity, and by every method what it leaves of the outputs of the
// other pairs: of their inputs, and of inputs and predictions. It returns the best of these if it lowers the error of
// pairs that are left out, else the model that was learned without them.
func (t *trainer) learnWithLow(ctx context.Context, pairs dataset.Pairs, alone candidate) (candidate, error) {
	lows, err := t.low.Restrict(pairs.Inputs.Points)
	if err != nil {
		return candidate{}, err
	}
	low, err := t.ofLow(lows).learnLow(ctx, lows)
	if err != nil {
		return candidate{}, fmt.Errorf("pairs of low fidelity (data.low): %w", err)
	}
	gain := &LowGain{
		File:    reading.LowName(t.config),
		Pairs:   lows.Count(),
		Known:   t.config.Data.LowPairs - lows.Count(),
		Own:     low.LeaveOneOut,
		Method:  low.Name,
		Without: alone.LeaveOneOut,
		Alone:   t.methodCalled(alone.operator.Name()).Title,
	}
	t.lowGain = gain
	best, sees, err := t.bestRest(ctx, pairs, low.operator, alone)
	if err != nil {
		return candidate{}, err
	}
	if best.operator == nil {
		return alone, nil
	}
	gain.With = best.LeaveOneOut
	gain.Rest = best.Name
	gain.Sees = sees
	gain.Used = gain.With < operator.Gain*gain.Without
	if !gain.Used {
		return alone, nil
	}
	return best, nil
}

// ofLow returns a trainer of the pairs of low fidelity. Random features and neural operators are none of its methods.
func (t *trainer) ofLow(lows dataset.Pairs) *trainer {
	c := t.config
	c.Data.Train = lows.Count()
	c.Train.Patience = 0
	return &trainer{
		config:  c,
		pairs:   lows,
		workers: t.workers,
		tracker: t.tracker,
	}
}

// learnLow trains the configured method, or the best of all that need no features.
func (t *trainer) learnLow(ctx context.Context, pairs dataset.Pairs) (candidate, error) {
	if t.config.Train.Method != config.Best {
		return t.learnAlone(ctx, t.methodCalled(t.config.Train.Method), pairs)
	}
	all, err := t.learnOthers(ctx, pairs, t.comparison(pairs).methods, operator.NewRace())
	if err == nil && len(all) == 0 {
		err = fault.Bad("training pairs", "leave out data.low", "are suitable for no method")
	}
	if err != nil {
		return candidate{}, err
	}
	return best(all), nil
}

// bestRest returns the best operator that begins with the model of low fidelity; without an operator if none learns.
func (t *trainer) bestRest(ctx context.Context, pairs dataset.Pairs, low operator.Operator, alone candidate) (
	chosen candidate, sees bool, err error) {
	trials := t.restTrials(pairs, alone.operator.Name())
	defer t.tracker.digress("methods on low predictions", len(trials))()
	least := math.Inf(1)
	for _, trial := range trials {
		t.tracker.Set(func(p *Progress) { p.Note = trial.method.Title })
		learned, err := t.learnRest(ctx, trial.method, pairs, low, trial.sees)
		t.tracker.Advance(1)
		if ctx.Err() != nil || err != nil && !fault.BlamesInput(err) {
			return candidate{}, false, errors.Join(ctx.Err(), err)
		}
		if err != nil || learned.LeaveOneOut == 0 {
			continue // it does not suit what is left, or does not know its errors
		}
		bound := learned.LeaveOneOut
		if method.Estimated(learned.operator.(*fidelity.Staged).Rest) {
			bound *= 1 + estimateMargin
		}
		if bound < least {
			least = bound
			chosen = learned
			sees = trial.sees
		}
	}
	return chosen, sees, nil
}

// restNames are the fast methods, which are tried on what any model of low fidelity leaves.
var restNames = []string{config.Mean, config.Linear, config.KernelRidge, config.EquivariantKernel}

// restTrial is a way to learn what a model of low fidelity leaves.
type restTrial struct {
	method operator.Method
	sees   bool // its predictions as a further input
}

// restTrials lists the ways to learn what a model of low fidelity leaves: the configured method, or the fast ones and the
// one that is the best without that model, each of inputs alone and of inputs and predictions.
func (t *trainer) restTrials(pairs dataset.Pairs, alone string) (all []restTrial) {
	symmetry := t.config.Data.Symmetry
	in := pairs.Inputs.Domain
	out := pairs.Outputs.Domain
	names := []string{alone}
	if t.config.Train.Method == config.Best {
		names = append(names, restNames...)
	}
	for _, sees := range []bool{false, true} {
		width := in.Width()
		if sees {
			width += out.Width()
		}
		if width > grid.MostChannels {
			continue
		}
		for _, m := range method.All(in.With(width), out, symmetry) {
			if slices.Contains(names, m.Name) {
				all = append(all, restTrial{method: m, sees: sees})
			}
		}
	}
	return all
}

// learnRest trains a method on what a model of low fidelity leaves of the outputs. The error is as for learnBy, also if it
// gains nothing.
func (t *trainer) learnRest(ctx context.Context, m operator.Method, pairs dataset.Pairs, low operator.Operator, sees bool) (
	candidate, error) {
	predicted, err := low.Predict(ctx, pairs.Inputs, t.workers, nil)
	if err != nil {
		return candidate{}, err
	}
	rest := fidelity.Pairs(pairs, predicted, sees)
	tried, err := t.learnBy(ctx, m, rest, t.options(nil))
	if err != nil {
		return candidate{}, err
	}
	if tried.why != nil {
		return candidate{}, tried.why
	}
	staged := fidelity.New(pairs, low, tried.operator, sees)
	row := Row{
		Offer:       price.Offer{Name: m.Title},
		LeaveOneOut: staged.LeaveOneOut(),
		Training:    tried.Training,
	}
	return candidate{Row: row, operator: staged}, nil
}

// usesLow reports whether the model begins with one of pairs of low fidelity.
func (e *evaluating) usesLow() bool {
	_, staged := e.model.Operator.(*fidelity.Staged)
	return staged
}

// String describes the gain in two sentences.
func (g *LowGain) String() string {
	model := fmt.Sprintf("The model of the %d pairs of %s (%s, cross-validation error %s)", g.Pairs, g.File,
		g.Method, report.Error(g.Own, 4))
	if g.With == 0 {
		return model + " leaves nothing that a method can learn; it is not used."
	}
	how := "as the start"
	if g.Sees {
		how = "as the start and as a further input"
	}
	errors := fmt.Sprintf("the cross-validation error is %s with it (%s), %s without it (%s)",
		report.Error(g.With, 4), g.Rest, report.Error(g.Without, 4), g.Alone)
	text := fmt.Sprintf("%s does not help, %s: %s. It is not used.", model, how, errors)
	if g.Used {
		text = fmt.Sprintf("%s is used %s: %s.", model, how, errors)
	}
	if g.Known > 0 {
		text += fmt.Sprintf(" Another %d of %s have inputs of the other pairs and are left out, so that errors are those at "+
			"new inputs.", g.Known, g.File)
	}
	return text
}
