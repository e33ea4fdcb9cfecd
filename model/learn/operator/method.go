// Package method learns operators from pairs of functions. A Method is a way to learn, an Operator is the result: it
// predicts on any grid, reports its leave-one-out error, and is stored in a model file. A new method is a
// file and a line in methods.
//
//   - Random learns the random feature model, a Features, whose coefficients package rfm computes.
//   - Mean answers with the mean of the training outputs, which every other method has to beat.
//   - Linear is the best linear operator, by ridge regression.
//   - Kernel is kernel ridge regression on principal components or weighted frequencies, the usual baseline.
//   - Equivariant is kernel ridge regression with a translation-equivariant kernel, on periodic domains.
//   - Sheared is the equivariant kernel on outputs whose fronts are flattened.
//   - Corrected is a kernel whose residual random features learn.
//   - Neural is a Fourier neural operator, trained by descent (package fno).
//   - Layered is random features of values near each point, with numbers as coefficients (package layers).
//
// Methods choose hyperparameters by leave-one-out errors on the training pairs, never by test pairs. These errors are
// exact for fixed parameters. Pairs that are left out took part in choosing the parameters, the features of a pool, and
// the kernel under a correction, so the errors are estimates and somewhat too small.
package operator

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Method is a way to learn an operator from pairs.
type Method struct {
	Name  string // in configurations and model files
	Title string // for messages and tables
	Most  int    // training pairs that it learns from within a few minutes; best gives it no more
	// Reference methods are baselines for random features on data of a known equation. The other methods take as long as
	// all else, and are for pairs of an unknown law.
	Reference bool
	// Timed methods take the time that they are given, however few the pairs: learning curves would take it again and again.
	Timed bool
	// Bytes returns about the memory in bytes that training takes besides the pairs, with Options as Train has them.
	Bytes func(pairs dataset.Pairs, o Options) float64
	// Scattered methods learn functions at points of any geometry: they need no neighbours of values along axes.
	Scattered bool
	// Logarithms reports whether to try logarithms of positive inputs, too; the leave-one-out error decides.
	Logarithms bool
	// Accepts reports whether the method learns operators between functions on two domains with a symmetry; nil: all.
	Accepts func(in, out grid.Domain, symmetry string) bool
	// Fit learns an operator from pairs that Train has checked and scaled. Errors are those of Train.
	Fit func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error)
}

// Options control training.
type Options struct {
	Workers int    // goroutines, which do not change the result
	Seed    uint64 // of all random choices
	Watch   Watch  // nil: unwatched
	// Symmetry is the symmetry to impose, in words of data.symmetry; empty is auto: the method's choice.
	Symmetry string
	// Like was learned from these pairs and others by the same method. Parameters that are found on a sample of the pairs
	// are taken from it, so that models for held-out parts differ by these pairs alone. nil: none.
	Like Operator
	// Known are operators learned from the same pairs, with which corrections may begin.
	Known []Operator
	// Looked is the least leave-one-out error of methods in a first look at some hundred pairs, which every method lowers.
	// A method that is far worse there stops with a *fault.Data. nil: none stops.
	Looked *float64
	// Failed is told of candidates within a method that are dropped because their computation failed, while others have
	// learned. nil: nobody is.
	Failed func(err *fault.Numerical)
	// Network holds the sizes and the effort of neural operators.
	Network Network
	// Units are those of the pairs that Fit is given: Train sets them.
	Units Scaling
}

// Suits reports whether the method learns operators between functions on two domains, which differ in their channels,
// with a given symmetry, a word of data.symmetry.
func (m Method) Suits(in, out grid.Domain, symmetry string) bool {
	if in.Scattered() && !m.Scattered {
		return false
	}
	return m.Accepts == nil || m.Accepts(in, out, symmetry)
}

// Train learns an operator from pairs on one grid, which becomes its own. Errors: a *fault.Data if there are too few
// pairs, a value is not finite, all inputs are the same or an output is zero; a *fault.Numerical; ctx's.
func (m Method) Train(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	if in, out := pairs.Inputs.Domain, pairs.Outputs.Domain; !m.Suits(in, out, o.Symmetry) {
		what := fmt.Sprintf("are %s and %s: the method %s does not learn from such", in.Name(), out.Name(), m.Name)
		if config.Commutes(o.Symmetry) {
			what += " with data.symmetry = " + o.Symmetry
		}
		return nil, &fault.Data{Where: "training pairs", What: what, Do: "choose another train.method"}
	}
	defer bound(m.Bytes(pairs, o))()
	all := []Scaling{ScalingOf(pairs)}
	if log, ok := logarithmic(pairs); ok && m.Logarithms {
		all = []Scaling{log, all[0]}
	}
	return BestOf(o, all, func(units Scaling) (Operator, error) {
		o.Units = units
		learned, err := m.Fit(ctx, units.Apply(pairs), o)
		if err != nil {
			return nil, err
		}
		return units.Of(learned), nil
	})
}

// Network holds the sizes of neural operators, 0 for the usual ones, and the effort of their training.
type Network struct {
	Width, Modes, Layers int
	Seconds              float64 // on one core of the usual speed
	// Compared networks need an error on pairs that they have not seen: they spend half of the time on it.
	Compared bool
}
