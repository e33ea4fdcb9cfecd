// This file trains all methods, chooses the best, and says why.

package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/learn/mean"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

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
	why := exhausted(features, all)
	if why != nil {
		t.omit("random features", why)
		return all, nil
	}
	tried, err := t.learnFeatures(ctx, features, pairs, race)
	if err != nil {
		mayBeOmitted := ctx.Err() == nil && fault.BlamesInput(err) && len(all) > 0
		if !mayBeOmitted {
			return nil, err
		}
		tried.why = err
	}
	if tried.why != nil {
		t.omit("random features", tried.why)
		return all, nil
	}
	return append([]candidate{tried.candidate}, all...), nil
}

// mostScattered is the largest number of values of all outputs at points of any geometry from which random features learn
// within a few minutes: a product of matrices takes the eigenfunctions to every point.
const mostScattered = 1 << 17

// tooManyScattered reports whether random features with such outputs, at points of any geometry, take too long to be
// compared. The outputs need no values.
func tooManyScattered(outputs grid.Batch) bool {
	return outputs.Domain.Scattered() && outputs.Count*outputs.Values() > mostScattered
}

// attempt is what a method gives on some pairs: a candidate, or the reason why there is none.
type attempt struct {
	candidate
	why error // nil if the method has learned
}

// learnFeatures trains random features unless they are behind in the race, or the pairs have too many points.
func (t *trainer) learnFeatures(ctx context.Context, m operator.Method, pairs dataset.Pairs, race *operator.Race) (
	attempt, error) {
	if tooManyScattered(pairs.Outputs) {
		why := &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("all points of all pairs, %d values, take too long", len(pairs.Outputs.Data)),
			Do:    "set train.method = features",
		}
		return attempt{why: why}, nil
	}
	o := t.options(t.tracker)
	o.Race = race
	ended, behind, err := t.random().Look(ctx, pairs, o)
	if err != nil {
		return attempt{}, err
	}
	if behind {
		return attempt{why: ended.Err()}, nil
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
		tried := attempt{why: exhausted(m, all)}
		if tried.why == nil {
			var err error
			tried, err = t.learnWithin(ctx, m, pairs, options)
			if ctx.Err() != nil {
				return nil, errors.Join(ctx.Err(), err)
			}
			if err != nil && !fault.BlamesInput(err) {
				return nil, err
			}
			if err != nil { // the pairs do not suit this method, but may suit others
				tried.why = err
			}
		}
		if tried.why != nil {
			t.omit(m.Title, tried.why)
		} else {
			all = append(all, tried.candidate)
			options.Known = append(options.Known, tried.operator)
			t.tracker.Set(func(p *Progress) {
				p.Race = append(slices.Clip(p.Race), tried.Row)
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
	attempt, error) {
	n := pairs.Count()
	if n > m.Most {
		order := draw.Permutation(t.config.Seed, purposeFewer, 0, n)
		some := order[:m.Most]
		slices.Sort(some)
		pairs = pairs.Take(some)
		const fewer = aboutMethod + "%s learns from %d of the %d training pairs: all take too long."
		t.omitted = append(t.omitted, fmt.Sprintf(fewer, m.Title, m.Most, n))
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
		const found = " It has found a symmetry of the pairs: data.symmetry = %s has all methods commute with it."
		text += fmt.Sprintf(found, symmetry)
	}
	return text, nil
}

// reason describes why the method with the given title was chosen of all.
func reason(title string, all []candidate) string {
	text := learnedBy(title) + ": its cross-validation error is the smallest of all"
	least := math.Inf(1)
	var errors []string
	for _, l := range all {
		if l.LeaveOneOut == 0 || math.IsInf(l.LeaveOneOut, 1) {
			continue
		}
		least = min(least, l.LeaveOneOut)
		one := l.Name + " " + report.Measured(l.LeaveOneOut)
		if l.operator.Name() == config.RandomFeatures {
			one += " (5-fold)"
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
