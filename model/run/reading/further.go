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
// regression: it is taken if the error on groups of pairs that are left out falls by a fifth. It notes both errors, and
// all arrays that are not used. The error is ctx's.
func (r *Interpretation) addInputs(ctx context.Context, f *exchange.File, base config.Config, g pairs.Guess,
	settings []string) error {
	error0 := 0.0 // without the further input; 0: not measured yet
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
		next := Interpretation{files: r.files, guess: more, problem: base}
		if err := next.read(ctx, f, base, more, settings); err != nil || next.Config.Problem != r.Config.Problem {
			if err := ctx.Err(); err != nil {
				return err
			}
			continue
		}
		tried++
		if error0 == 0 {
			error0 = r.kernelError(ctx)
		}
		error1 := next.kernelError(ctx)
		if err := ctx.Err(); err != nil {
			return err
		}
		if error0 == 0 || error1 == 0 || error1 > gain*error0 {
			continue
		}
		taken = append(taken, fmt.Sprintf("%s is taken as a further input: the error on pairs left out is %.2g without it, "+
			"%.2g with it", pairs.WithShape(m), error0, error1))
		next.said = append(next.said, r.said...)
		*r = next
		g = more
		error0 = error1
	}
	r.said = append(r.said, taken...)
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

// kernelError returns the error of kernel ridge regression on pairs of the reading that are left out; 0 if it is not
// known.
func (r *Interpretation) kernelError(ctx context.Context) float64 {
	found, err := r.files.find(ctx, TrainSource(r.Config))
	if err != nil {
		return 0
	}
	rows := dataset.First(min(triedPairs, found.Count))
	c := r.Config
	few, err := read(c, found, rows, c.TrainPairsGrid)
	if err != nil {
		return 0
	}
	if few, err = few.Restrict(c.CoarseGrid(few.Inputs.Points)); err != nil {
		return 0
	}
	few.Groups, _ = dataset.FindGroups(few, found.Numbers(rows))
	left, err := kernel.Error(ctx, few, runtime.GOMAXPROCS(0))
	if err != nil {
		return 0
	}
	return left
}
