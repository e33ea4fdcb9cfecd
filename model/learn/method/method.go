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
package method

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/learn/fno"
	"rfm/model/learn/rfm"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
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
	// logarithms reports whether to try logarithms of positive inputs, too; the leave-one-out error decides.
	logarithms bool
	suits      func(in, out grid.Domain, symmetry string) bool // may be nil: everything
	train      func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error)
}

// methods are the methods that need only pairs on one grid. Random is the other method.
var methods = []Method{meanMethod, linearMethod, kernelMethod, equivariantMethod, shearedMethod, layersMethod, correctedMethod,
	neuralMethod}

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
	rough  bool    // find parameters of circulant systems in large steps only
	exact  int     // pairs that kernel ridge regression solves for without landmarks; 0: MostExact
	units  Scaling // of the pairs in training
	// Network holds the sizes and the effort of neural operators.
	Network fno.Settings
}

// A method that is behind the best one by a factor in a first look ends there. Random features of pairs of an unknown law
// end sooner, because no set is known where they were the best in the end.
const behind, featuresBehind = 5, 2

// look takes the error of a first look. It returns a *fault.Data if it is more than a factor above the least so far.
func (o Options) look(score, behind float64) error {
	if o.Looked == nil {
		return nil
	}
	if least := *o.Looked; score > behind*least {
		return &fault.Data{Where: "training", What: fmt.Sprintf("the error is %.2g in a first look, that of other methods "+
			"%.2g", score, least), Do: "take another method"}
	}
	*o.Looked = min(*o.Looked, score)
	return nil
}

// near returns those of several candidates whose errors in a first look are within a factor of the least, the best
// first. The error is that of look.
func near[C any](all []C, score func(C) float64, factor float64, o Options) ([]C, error) {
	slices.SortStableFunc(all, func(a, b C) int { return cmp.Compare(score(a), score(b)) })
	least := score(all[0])
	return slices.DeleteFunc(all, func(c C) bool { return score(c) > factor*least }), o.look(least, behind)
}

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
	// Errors: a *fault.Data if the grid or an input does not fit, ctx's.
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// All lists the methods that learn operators between functions on two domains, which differ in their channels, with a
// given symmetry, a word of data.symmetry.
func All(in, out grid.Domain, symmetry string) []Method {
	return slices.DeleteFunc(slices.Clone(methods), func(m Method) bool { return !m.Suits(in, out, symmetry) })
}

// Compared lists the methods that a comparison trains besides random features: All, or only reference methods if the
// configuration asks for random features on data of a known equation. Neural operators take minutes, so that they are
// among them only if the configuration gives them time.
func Compared(c config.Config, in, out grid.Domain) []Method {
	all := All(in, out, c.Data.Symmetry)
	if c.NetworkSeconds() == 0 {
		all = slices.DeleteFunc(all, func(m Method) bool { return m.Name == config.NeuralOperator })
	}
	if !c.Of().Files && c.Train.Method == config.RandomFeatures {
		all = slices.DeleteFunc(all, func(m Method) bool { return !m.Reference })
	}
	return all
}

// Suits reports whether All lists the method.
func (m Method) Suits(in, out grid.Domain, symmetry string) bool {
	return m.suits == nil || m.suits(in, out, symmetry)
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
	if log, ok := logarithmic(pairs); ok && m.logarithms {
		all = []Scaling{log, all[0]}
	}
	return bestOf(o, all, func(units Scaling) (Operator, error) {
		o.units = units
		learned, err := m.train(ctx, units.Apply(pairs), o)
		if err != nil {
			return nil, err
		}
		return units.Of(learned), nil
	})
}

// bestOf trains every candidate and returns the operator with the least leave-one-out error. Errors that blame the
// pairs count only if no candidate learns from them: the first one is returned then. Else Options.Failed is told of
// those that are numerical failures; all others are ways to say that a candidate does not suit. Without candidates there
// is no operator and no error.
func bestOf[C any](o Options, candidates []C, train func(C) (Operator, error)) (best Operator, err error) {
	var dropped []error
	for _, c := range candidates {
		learned, err := train(c)
		switch {
		case err == nil && (best == nil || learned.LeaveOneOut() < best.LeaveOneOut()):
			best = learned
		case err != nil && !fault.BlamesInput(err):
			return nil, err
		case err != nil:
			dropped = append(dropped, err)
		}
	}
	if best == nil && len(dropped) > 0 {
		return nil, dropped[0]
	}
	for _, err := range dropped {
		var failed *fault.Numerical
		if errors.As(err, &failed) && o.Failed != nil {
			o.Failed(failed)
		}
	}
	return best, nil
}

// least returns the operator with the smallest leave-one-out error.
func least(all []Operator) Operator {
	return slices.MinFunc(all, func(a, b Operator) int { return cmp.Compare(a.LeaveOneOut(), b.LeaveOneOut()) })
}

// Estimated reports whether the leave-one-out error of an operator is an estimate, for two reasons: leaving a pair out
// would change the predictions for other pairs with which corrections begin, and the mean over a group has other errors
// than its terms. All other leave-one-out errors equal those of retraining.
func Estimated(o Operator) bool {
	switch Unscaled(o).(type) {
	case *Corrected, *Layered, *Stacked, *symmetrised:
		return true
	}
	return false
}

// checked returns the L2 norms of the outputs, or a *fault.Data if the pairs do not permit learning: too few, not finite,
// or with a zero output, whose relative error does not exist.
func checked(pairs dataset.Pairs) ([]float64, error) {
	if pairs.Inputs.Count != pairs.Outputs.Count || !pairs.Inputs.SameGrid(pairs.Outputs) {
		panic(fmt.Sprintf("method: %d inputs of %d values, %d outputs of %d", pairs.Inputs.Count, pairs.Inputs.Values(),
			pairs.Outputs.Count, pairs.Outputs.Values()))
	}
	const least = 3 // for leave-one-out errors
	if pairs.Count() < least {
		return nil, &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("%d are too few for this method: at least %d are needed", pairs.Count(), least),
			Do:   "raise data.train"}
	}
	if err := pairs.Inputs.CheckFinite("training inputs", nil); err != nil {
		return nil, err
	}
	if err := pairs.Outputs.CheckFinite("training outputs", nil); err != nil {
		return nil, err
	}
	sizes := norms(pairs.Outputs)
	if zero := slices.Index(sizes, 0); zero >= 0 {
		return nil, rfm.ZeroError(fmt.Sprintf("output %d", zero))
	}
	return sizes, nil
}

// norms returns the L2 norms of functions.
func norms(functions grid.Batch) (all []float64) {
	for i := range functions.Count {
		all = append(all, functions.Domain.Norm(functions.At(i)))
	}
	return all
}

// meanRelative returns the mean relative L2 error from residuals and the L2 norms of the functions.
func meanRelative(residuals grid.Batch, sizes []float64) float64 {
	total, weights := 0.0, residuals.Domain.Weights(residuals.Points)
	for i, size := range sizes {
		square := 0.0
		for x, v := range residuals.At(i) {
			square += weights[x] * v * v
		}
		total += math.Sqrt(square) / size
	}
	return total / float64(len(sizes))
}

// place is the part of an operator that belongs to its training pairs: the grid, and the errors found there.
type place struct {
	codec.Grid
	Error float64    `json:"leave_one_out"` // 0: unknown
	left  grid.Batch // leave-one-out residuals of the training outputs; none if they are not known
}

func placeOf(pairs dataset.Pairs) place {
	in, out := pairs.Inputs.Domain, pairs.Outputs.Domain
	return place{Grid: codec.GridOf(in.One(), pairs.Inputs.Points, in.Width(), out.Width())}
}

func (p place) Sizes() (map[string][]int, error) {
	if !grid.Finite(p.Error) || p.Error < 0 {
		return nil, codec.Bad("has the leave-one-out error %g", p.Error)
	}
	return p.Grid.Sizes()
}

func (p place) residuals() grid.Batch { return p.left }

// outputs returns the domain with the channels of outputs.
func (p place) outputs() grid.Domain { return p.Domain().With(p.out()) }

func (p place) in() int  { return max(1, p.In) }
func (p place) out() int { return max(1, p.Out) }

func (p place) Domain() grid.Domain {
	d, _ := p.Grid.Domain() // which exists, see Sizes
	return d
}

func (p place) Finest() int { return p.Points }

func (p place) LeaveOneOut() float64 { return p.Error }

// begins returns a *fault.Data unless another operator can be corrected by one on this grid.
func (p place) begins(first Operator) error {
	in, out := first.Channels()
	if in != p.in() || out != p.out() || first.Domain() != p.Domain() || first.Finest() != p.Points {
		return codec.Bad("corrects a %q on %s with %d and %d channels, want %d and %d on %s", first.Name(),
			first.Domain().Grid(first.Finest()), in, out, p.in(), p.out(), p.Domain().Grid(p.Points))
	}
	return nil
}

// apply evaluates an operator on its own grid, a block of inputs at a time; inputs may be on any grid.
func (p place) apply(inputs grid.Batch, progress func(added int),
	own func(inputs grid.Batch, progress func(added int)) (grid.Batch, error)) (grid.Batch, error) {
	if progress == nil {
		progress = func(int) {}
	}
	moved, err := resample.To(inputs, p.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	outputs, err := own(moved, progress)
	if err != nil {
		return outputs, err
	}
	return resample.To(outputs, inputs.Points)
}
