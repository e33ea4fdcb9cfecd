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
	// Folds reports whether a method for periodic functions learns functions between sides on a torus twice as long, if
	// data.symmetry tells how they continue.
	Folds bool
	// Logarithms reports whether to try logarithms of positive inputs, too; the leave-one-out error decides.
	Logarithms bool
	// Accepts reports whether the method learns operators between functions on two domains with a symmetry; nil: all.
	Accepts func(in, out grid.Domain, symmetry string) bool
	// Fit learns an operator from pairs that Try has scaled. Errors are those of Try.
	Fit func(ctx context.Context, pairs dataset.Pairs, o Options) (Result, error)
}

// Options control training.
type Options struct {
	Workers int    // goroutines, which do not change the result
	Seed    uint64 // of all random choices
	Watch   Watch  // nil: unwatched
	// Symmetry is the symmetry to impose, in words of data.symmetry; empty is auto: the method's choice.
	Symmetry string
	// Mirrored is the parity of all inputs, which are their own images under a reflection of the torus then, so that nothing is
	// learned from these images; 0: they have none.
	Mirrored grid.Parity
	// Like was learned from these pairs and others by the same method. Parameters that are found on a sample of the pairs
	// are taken from it, so that models for held-out parts differ by these pairs alone. nil: none.
	Like Operator
	// Known are operators learned from the same pairs, with which corrections may begin.
	Known []Operator
	// Race is that of the methods that are compared. nil: none.
	Race *Race
	// Failed is told of candidates within a method that are dropped because their computation failed, while others have
	// learned. nil: nobody is.
	Failed func(err *fault.Numerical)
	// Network holds the sizes and the effort of neural operators.
	Network Network
	// Checkpoints keep the states of long descents. nil: a descent that is interrupted begins again.
	Checkpoints Checkpoints
	// Aside has garbage collected as usual, for few pairs: a training by itself has it collected less often, to be faster.
	Aside bool
	// Units are those of the pairs that Fit is given: Try sets them.
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
// pairs, a value is not finite, all inputs are the same or an output is zero, or Result.Err; a *fault.Numerical;
// ctx.Err().
func (m Method) Train(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	result, err := m.Try(ctx, pairs, o)
	if err != nil {
		return nil, err
	}
	if err := result.Err(); err != nil {
		return nil, err
	}
	return result.Operator, nil
}

// Try learns an operator as Train does, except that a method that gains nothing is a result and no error.
func (m Method) Try(ctx context.Context, pairs dataset.Pairs, o Options) (Result, error) {
	in := pairs.Inputs.Domain
	out := pairs.Outputs.Domain
	if !m.Suits(in, out, o.Symmetry) {
		return Result{}, m.unsuited(in, out, o.Symmetry)
	}
	if !o.Aside {
		defer bound(m.Bytes(pairs, o))()
	}
	all := []Scaling{ScalingOf(pairs)}
	if m.Logarithms {
		log, ok := logarithmic(pairs)
		if ok {
			all = []Scaling{log, all[0]}
		}
	}
	return BestOf(o, all, func(units Scaling) (Result, error) {
		own := o
		own.Units = units
		learned, err := m.Fit(ctx, units.Apply(pairs), own)
		if err != nil || learned.Operator == nil {
			return learned, err
		}
		learned.Operator = units.Of(learned.Operator)
		return learned, nil
	})
}

// unsuited returns the error of pairs on domains from which the method does not learn.
func (m Method) unsuited(in, out grid.Domain, symmetry string) error {
	what := fmt.Sprintf("are %s and %s: the method %s does not learn from such", in.Name(), out.Name(), m.Name)
	if config.Commutes(symmetry) {
		what += " with data.symmetry = " + symmetry
	}
	if in.Scattered() && in.Cloud.Why() != "" {
		what += ", since " + in.Cloud.Why()
	}
	return &fault.Data{
		Where: "training pairs",
		What:  what,
		Do:    "choose another train.method",
	}
}

// Network holds the sizes of neural operators, 0 for the usual ones, and the effort of their training.
type Network struct {
	Width   int
	Modes   int
	Layers  int
	Seconds float64 // on one core of the usual speed
	// Compared networks need an error on pairs that they have not seen: they spend half of the time on it.
	Compared bool
}
