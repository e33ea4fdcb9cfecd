// This file tries arrays that a reading leaves out as further inputs.

package reading

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"rfm/config"
	"rfm/model/learn/kernel"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

const (
	triedPairs  = 128 // by which inputs are compared
	triedInputs = 4   // arrays that are tried at most
	// gain is the part of the error on pairs left out below which a further input is taken.
	gain = 0.8
)

// addInputs tries each array that the reading of a guess leaves out, and that may be a further input, by kernel ridge
// regression of whole functions, and then of windows around points: it is taken if the least error on groups of pairs
// that are left out falls by a fifth. It notes both errors. It returns ctx.Err() if ctx is done.
func (r *Interpretation) addInputs(ctx context.Context, f *exchange.File, base config.Config, g pairs.Guess,
	settings []string) error {
	var without leftOutErrors
	tried := 0
	var taken []string
	for _, m := range r.unused(f) {
		if told(settings, "input", "axes") || tried == triedInputs || !pairs.Plausible(f, g, m) {
			continue
		}
		more, ok := g.With(f, m)
		if !ok {
			continue
		}
		next := Interpretation{
			files:   r.files,
			guess:   more,
			problem: base,
		}
		if err := next.read(ctx, f, base, more, settings); err != nil || next.Config.Problem != r.Config.Problem {
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		tried++
		if tried == 1 {
			without = r.errorsOf(ctx)
		}
		with := next.errorsOf(ctx)
		better := with.better(without)
		if !better {
			without.ofWindows(ctx)
			with.ofWindows(ctx)
			better = with.better(without)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !better {
			continue
		}
		taken = append(taken, fmt.Sprintf("%s is taken as a further input: the leave-one-out error is %.2g without it, "+
			"%.2g with it", pairs.WithShape(m), without.least(), with.least()))
		next.said = append(next.said, r.said...)
		*r = next
		g = more
		without = with
	}
	r.said = append(r.said, taken...)
	return nil
}

// dropCoordinates leaves out channels of inputs that hold the coordinates of the points: they tell nothing, and a ramp
// hides that functions are periodic. It returns ctx.Err() if ctx is done.
func (s *search) dropCoordinates(ctx context.Context, r *Interpretation) error {
	if s.told("input", "axes", "test_input") || r.Config.Scattered() {
		return nil
	}
	inputs, _, _ := strings.Cut(r.Config.Data.Axes, "->")
	if !strings.Contains(inputs, "c") { // no channels
		return nil
	}
	found, err := r.files.find(ctx, TrainSource(r.Config))
	if err != nil {
		return ctx.Err()
	}
	input, dropped, ok := found.WithoutCoordinates()
	if !ok {
		return nil
	}
	fewer, ok := r.guess.Taking(s.file, input)
	if !ok {
		return nil
	}
	next := Interpretation{
		files:   r.files,
		guess:   fewer,
		problem: r.problem,
	}
	err = next.read(ctx, s.file, r.problem, fewer, s.settings)
	if err != nil {
		return ctx.Err()
	}
	next.said = append(next.said, r.said...)
	next.said = append(next.said, dropped+" hold the coordinates of the points, the same in all pairs, and are left out")
	*r = next
	return nil
}

// unused returns the arrays of a file that the reading leaves out.
func (r *Interpretation) unused(f *exchange.File) []npy.Member {
	d := r.Config.Data
	count := r.count
	return pairs.Unused(f, count, d.Input, d.Output, d.TestInput, d.TestOutput, d.Points)
}

// leftOut describes the arrays of a file that the reading leaves out; empty if it uses all.
func (r *Interpretation) leftOut(f *exchange.File) string {
	var names []string
	for _, m := range r.unused(f) {
		names = append(names, pairs.WithShape(m))
	}
	if names == nil {
		return ""
	}
	return "not used: " + strings.Join(names, ", ")
}

// leftOutErrors are errors on pairs that are left out, of predictions from some inputs; 0 if one is not known.
type leftOutErrors struct {
	few       dataset.Pairs // of which they are
	functions float64       // by kernel ridge regression of whole functions
	windows   float64       // of windows around points
	tried     bool          // windows are measured
}

// errorsOf measures the error of whole functions on a few pairs of the reading.
func (r *Interpretation) errorsOf(ctx context.Context) (e leftOutErrors) {
	found, err := r.files.find(ctx, TrainSource(r.Config))
	if err != nil {
		return e
	}
	rows := dataset.First(min(triedPairs, found.Count))
	c := r.Config
	few, err := read(c, found, rows, c.TrainPairsGrid)
	if err != nil {
		return e
	}
	few, err = few.Restrict(c.CoarseGrid(few.Inputs.Points))
	if err != nil {
		return e
	}
	few.Groups, _ = dataset.FindGroups(few, found.Numbers(rows))
	e.few = few
	left, err := kernel.Error(ctx, few, runtime.GOMAXPROCS(0))
	if err != nil {
		return e
	}
	e.functions = left
	return e
}

// ofWindows measures the error of windows, unless it has been.
func (e *leftOutErrors) ofWindows(ctx context.Context) {
	if e.tried || e.functions == 0 {
		return
	}
	e.tried = true
	e.windows = windowError(ctx, e.few)
}

// least returns the smaller error of those that are known.
func (e leftOutErrors) least() float64 {
	if e.windows > 0 && e.windows < e.functions {
		return e.windows
	}
	return e.functions
}

// better reports whether the least error is clearly smaller than without a further input.
func (e leftOutErrors) better(without leftOutErrors) bool {
	return e.least() > 0 && without.least() > 0 && e.least() <= gain*without.least()
}
