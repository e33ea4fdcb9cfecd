// Package method learns operators from pairs of functions. A Method is a way to do it, an Operator what one has
// learned: it predicts on any grid, says what it costs and what its leave-one-out error is, and is stored in a model
// file. A new method is a file and a line in methods.
//
//   - Random is the random feature model, whose coefficients package rfm computes; Features is what it has learned.
//   - Linear is the best linear operator, by ridge regression.
//   - Kernel is kernel ridge regression on principal components or weighted frequencies, what a sceptic would try first.
//   - Local is kernel ridge regression at each point, with a kernel of what is near.
//   - Equivariant is kernel ridge regression with a kernel that moves with the functions, on periodic domains.
//   - Corrected is a kernel whose residual random features learn.
//
// Whatever a method chooses, it chooses by leave-one-out errors on the training pairs; no test pair is looked at. They are
// exact with the parameters held fixed: pairs that are left out took part in choosing those, the features of a pool, and
// the kernel under a correction, so that the errors are estimates and somewhat too small.
package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/codec"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Method is a way to learn an operator from pairs.
type Method struct {
	Name  string // in configurations and model files
	Title string // for people
	Most  int    // training pairs with which it takes no longer than a few minutes; best takes no more of them
	// Reference methods are set beside random features on data of a known equation: the others take as long as all else,
	// and are for pairs of which nothing is known.
	Reference bool
	// Bytes is about the memory in bytes that training takes besides the pairs, with Options as Train has them.
	Bytes func(pairs dataset.Pairs, o Options) float64
	shows bool // Shows compares it with and without a symmetry
	// logarithms of positive inputs are tried as well as these themselves; the leave-one-out error decides.
	logarithms bool
	suits      func(in, out grid.Domain, symmetry string) bool // may be nil: everything
	train      func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error)
}

// methods are those that need nothing but pairs on one grid. Random is the other one.
var methods = []Method{linearMethod, kernelMethod, localMethod, equivariantMethod, shearedMethod, correctedMethod}

// Options say how to train.
type Options struct {
	Workers int    // goroutines, which do not change the result
	Seed    uint64 // of what is drawn
	Watch   Watch  // nil: nobody follows
	// Symmetry is what the operator has to commute with, in words of data.symmetry; empty is auto: what a method finds.
	Symmetry string
	// Like has learned from these pairs and others by the same method: where parameters are found on a sample of the pairs
	// its own are taken, so that what parts of the pairs are held out from differs by these pairs alone. nil: none.
	Like Operator
	// Known are operators that were learned from the same pairs, which corrections may begin with.
	Known []Operator
	// Beat is the least leave-one-out error of other methods: one that is far worse in a first look at the pairs may stop
	// there, with a *fault.Data. 0: none.
	Beat  float64
	rough bool    // parameters of circulant systems are found in large steps only
	units Scaling // of the pairs, as they are trained on
}

// Operator is an operator that was learned from pairs. It is immutable and safe for concurrent use.
type Operator interface {
	Domain() grid.Domain     // where inputs and outputs live, with one channel
	Channels() (in, out int) // of inputs and outputs
	Finest() int             // points along an axis of the grid of its functions
	Name() string            // of the method that learned it, in configurations
	String() string          // what it is, in half a line
	// LeaveOneOut is the mean relative L2 error of predictions of each training output from all other pairs; 0 if it is
	// not known.
	LeaveOneOut() float64
	// Cost is the number of multiplications and additions of a prediction on the grid with so many points along an axis,
	// about.
	Cost(points int) float64
	// Bytes is about the memory that predictions on the grid with so many points along an axis take besides functions.
	Bytes(points int) float64
	// Predict evaluates the operator for all inputs on their grid, any of at least 3 points along an axis, on up to
	// workers goroutines; functions are interpolated (resample.To) where a grid does not contain the other. progress
	// (which may be nil) is called from worker goroutines with the number of predictions that are finished since its last
	// call. The result does not depend on workers. Errors: a *fault.Data if the grid or an input does not fit, ctx's.
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
	Stored() codec.Part // in the form of model files
}

// All lists the methods that learn operators from functions on one domain to functions on the other, which differ in
// their channels, and that can have a symmetry, in words of data.symmetry.
func All(in, out grid.Domain, symmetry string) []Method {
	return slices.DeleteFunc(slices.Clone(methods), func(m Method) bool { return !m.Suits(in, out, symmetry) })
}

// Rivals lists the methods besides random features that an experiment trains if it compares methods: All, but features
// that were asked for, on data of a known equation, have reference methods beside them.
func Rivals(c config.Config, in, out grid.Domain) []Method {
	all := All(in, out, c.Data.Symmetry)
	if !c.Of().Files && c.Train.Method == config.RandomFeatures {
		all = slices.DeleteFunc(all, func(m Method) bool { return !m.Reference })
	}
	return all
}

// Suits reports whether the method is one of All.
func (m Method) Suits(in, out grid.Domain, symmetry string) bool {
	return m.suits == nil || m.suits(in, out, symmetry)
}

// Train learns an operator from pairs on one grid, which is then its own. Errors: a *fault.Data if there are too
// few pairs, a value is not finite, all inputs are the same or an output is zero; a *fault.Numerical; ctx's.
func (m Method) Train(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	if in, out := pairs.Inputs.Domain, pairs.Outputs.Domain; !m.Suits(in, out, o.Symmetry) {
		what := fmt.Sprintf("are %s and %s: the method %s does not learn from such", in.Name(), out.Name(), m.Name)
		if config.Commutes(o.Symmetry) {
			what += " with data.symmetry = " + o.Symmetry
		}
		return nil, &fault.Data{Where: "training pairs", What: what, Do: "choose another train.method"}
	}
	all := []Scaling{ScalingOf(pairs)}
	if log, ok := logarithmic(pairs); ok && m.logarithms {
		all = []Scaling{log, all[0]}
	}
	var best Operator
	var failure error
	for _, units := range all {
		learned, err := m.in(ctx, units, pairs, o)
		switch {
		case err != nil && !fault.BlamesInput(err):
			return nil, err
		case err != nil:
			failure = err
		case best == nil || learned.LeaveOneOut() < best.LeaveOneOut():
			best = learned
			if e := best.LeaveOneOut(); o.Beat == 0 || e < o.Beat {
				o.Beat = e
			}
		}
	}
	if best == nil {
		return nil, failure
	}
	return best, nil
}

// in is Train in given units.
func (m Method) in(ctx context.Context, units Scaling, pairs dataset.Pairs, o Options) (Operator, error) {
	o.units = units
	learned, err := m.train(ctx, units.Apply(pairs), o)
	if err != nil {
		return nil, err
	}
	return units.Of(learned), nil
}

// Estimated reports whether the leave-one-out error of an operator is an estimate: without a pair the predictions that
// corrections begin with would change for the other pairs, too, and the mean over a group has other errors than what it
// is a mean of. Other leave-one-out errors are those of retraining.
func Estimated(o Operator) bool {
	switch o := Unscaled(o).(type) {
	case *Corrected:
		return true
	case symmetrised:
		_, exact := o.Operator.(*Local) // which has learned from the images of the pairs
		return !exact
	}
	return false
}

// minPairs is the number of pairs from which something can be left out.
const minPairs = 3

// check returns a *fault.Data if nothing can be learned from the pairs: too few, not finite, or with a zero output,
// whose relative error does not exist.
func check(pairs dataset.Pairs) error {
	if pairs.Inputs.Count != pairs.Outputs.Count || !pairs.Inputs.SameGrid(pairs.Outputs) {
		panic(fmt.Sprintf("method: %d inputs of %d values, %d outputs of %d", pairs.Inputs.Count, pairs.Inputs.Values(),
			pairs.Outputs.Count, pairs.Outputs.Values()))
	}
	if pairs.Count() < minPairs {
		return &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("%d are too few for this method: at least %d are needed", pairs.Count(), minPairs),
			Do:   "raise data.train"}
	}
	if err := pairs.Inputs.CheckFinite("training inputs", nil); err != nil {
		return err
	}
	return pairs.Outputs.CheckFinite("training outputs", nil)
}

// norms are the L2 norms of functions; the error is a *fault.Data if one is zero.
func norms(functions grid.Batch) ([]float64, error) {
	all, weights := make([]float64, functions.Count), functions.Domain.Weights(functions.Points)
	for i := range all {
		for x, v := range functions.At(i) {
			all[i] += weights[x] * v * v
		}
		if all[i] == 0 {
			return nil, &fault.Data{Where: fmt.Sprintf("output %d", i), What: "is zero, so a relative error does not exist",
				Do: "leave this pair out"}
		}
		all[i] = math.Sqrt(all[i])
	}
	return all, nil
}

// meanRelative is the mean relative L2 error of functions with given residuals, row-major, by the L2 norms of the
// functions.
func meanRelative(residuals, weights, sizes []float64) float64 {
	total, V := 0.0, len(weights)
	for i, size := range sizes {
		square := 0.0
		for x, v := range residuals[i*V : (i+1)*V] {
			square += weights[x] * v * v
		}
		total += math.Sqrt(square) / size
	}
	return total / float64(len(sizes))
}

// place is where an operator lives that belongs to the grid of its training pairs, with the error that was found there.
type place struct {
	domain      grid.Domain // of one channel
	in, out     int         // channels
	points      int
	leaveOneOut float64
}

func placeOf(pairs dataset.Pairs) place {
	return place{domain: pairs.Inputs.Domain.One(), in: pairs.Inputs.Domain.Width(), out: pairs.Outputs.Domain.Width(),
		points: pairs.Inputs.Points}
}

// Channels implements Operator.
func (p place) Channels() (in, out int) { return p.in, p.out }

// inputs and outputs are the domains with their channels.
func (p place) inputs() grid.Domain  { return p.domain.With(p.in) }
func (p place) outputs() grid.Domain { return p.domain.With(p.out) }

// Domain implements Operator.
func (p place) Domain() grid.Domain { return p.domain }

// Finest implements Operator.
func (p place) Finest() int { return p.points }

// LeaveOneOut implements Operator.
func (p place) LeaveOneOut() float64 { return p.leaveOneOut }

// Bytes implements Operator.
func (p place) Bytes(int) float64 { return 0 }

// values is the number of values of an output.
func (p place) values() int { return p.outputs().Values(p.points) }

// apply evaluates an operator on its own grid, a block of inputs at a time, whatever grid they are on.
func (p place) apply(ctx context.Context, inputs grid.Batch, progress func(added int),
	own func(inputs grid.Batch, progress func(added int)) (grid.Batch, error)) (grid.Batch, error) {
	if inputs.Domain != p.inputs() {
		return grid.Batch{}, &fault.Data{Where: "input",
			What: fmt.Sprintf("are %s, the model is for %s", inputs.Domain.Name(), p.inputs().Name())}
	}
	if progress == nil {
		progress = func(int) {}
	}
	moved, err := resample.To(inputs, p.points)
	if err != nil {
		return grid.Batch{}, err
	}
	outputs, err := own(moved, progress)
	if err != nil || inputs.Points == p.points {
		return outputs, err
	}
	if err := ctx.Err(); err != nil {
		return grid.Batch{}, err
	}
	return resample.To(outputs, inputs.Points)
}
