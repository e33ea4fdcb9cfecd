// Package operator defines what all methods of learning have in common. A Method is a way to learn from pairs of
// functions, an Operator is the result: it predicts on any grid, reports its leave-one-out error, and is stored in a model
// file. Each method is a package of its own, with its formula, fit, prediction and form in files; package method lists
// them. This package has what they share: Base, the grid and the errors of an operator; Scaling, the units of functions;
// Averaged, the mean over a group of motions; Starts, operators with which others begin.
//
// Methods choose hyperparameters by leave-one-out errors on the training pairs, never by test pairs. These errors are
// exact for fixed parameters. Pairs that are left out took part in choosing the parameters, the features of a pool, and
// the kernel under a correction, so the errors are estimates and somewhat too small.
package operator

import (
	"context"

	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
)

// Operator is an operator learned from pairs. It is immutable and safe for concurrent use.
type Operator interface {
	codec.Part
	Domain() grid.Domain     // of inputs and outputs, with one channel
	Channels() (in, out int) // of inputs and outputs
	Finest() int             // points along an axis of the grid of its functions
	Name() string            // of the method that learned it, as in configurations
	String() string          // a description in half a line
	// LeaveOneOut returns the mean relative L2 error of predictions of each training output from all other pairs, or 0 if
	// it is not known.
	LeaveOneOut() float64
	// Predict evaluates the operator for all inputs on their grid, any of at least 3 points along an axis, on up to
	// workers goroutines; functions are interpolated (resample.To) where a grid does not contain the other. Inputs have
	// the domain of the training (trained.Model refuses others). progress (which may be nil) is called from worker
	// goroutines with the number of predictions finished since its last call. The result does not depend on workers.
	// Errors: a *fault.Data if the grid or an input does not fit, ctx.Err().
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}
