// Package random learns operators by the random feature model: it chooses features and their regularisation, and package
// rfm computes the coefficients.
package random

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/rfm"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Features is the random feature model F(a) = (1/m) sum_j alpha_j phi_j(a) + offset, whose coefficients package rfm
// computes.
type Features struct {
	Map          feature.Trained `json:"map"`
	rfm.Solution                 // one coefficient for each feature, and facts of the solve
	Offset       []float64       `json:"offset,omitempty" shape:"offset_grid"` // function on a grid of its own; nil: 0
	OffsetPoints int             `json:"offset_points,omitempty"`              // along the first axis of that grid
}

func (f *Features) Domain() grid.Domain { return f.Map.Domain() }

func (f *Features) Channels() (in, out int) { return 1, 1 }

// Finest implements Operator. Between the points of that grid the random functions are interpolated.
func (f *Features) Finest() int { return f.Map.Finest() }

// LeaveOneOut implements Operator. It is known if lambda was chosen by it.
func (f *Features) LeaveOneOut() float64 { return f.Solution.LeaveOneOut }

func (*Features) Name() string { return config.RandomFeatures }

func (f *Features) String() string {
	s := f.Solution
	return fmt.Sprintf("%d %s with lambda=%.4g, rank %d", len(s.Alpha), f.Map.Label(), s.Lambda, s.Rank)
}

// Bytes returns about the memory, besides functions, of predictions on the grid with the given points along an axis:
// theta and its spectra. The fields of collapsed features are few.
func (f *Features) Bytes(points int) float64 {
	_, collapsed := f.Map.(*feature.Collapsed)
	if collapsed {
		return 0
	}
	const number = 8 // bytes
	m := float64(len(f.Solution.Alpha))
	values := float64(f.Domain().Values(points))
	return 2 * number * m * values
}

// Predict implements Operator. The mollifier limits how fine the grid of predictor-corrector features may be. On grids
// that the model's own contains, the result is bitwise that of the model in memory after training.
func (f *Features) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	predictions, err := f.Map.Predict(ctx, f.Solution.Alpha, inputs, workers, progress)
	if err != nil || f.Offset == nil {
		return predictions, err
	}
	own := grid.BatchOf(f.Domain(), f.OffsetPoints, f.Offset)
	offset, err := resample.To(own, predictions.Points)
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions.Plus(1, offset.Data), nil
}

func (f *Features) Sizes() (map[string][]int, error) {
	leaveOneOut := f.Solution.LeaveOneOut
	finite := grid.Finite(f.Lambda, leaveOneOut)
	negative := f.Lambda < 0 || leaveOneOut < 0 || f.Rank < 0
	if !finite || negative {
		return nil, codec.Bad("has lambda = %g, the leave-one-out error %g and the rank %d",
			f.Lambda, leaveOneOut, f.Rank)
	}
	if f.OffsetPoints == 0 {
		return nil, nil
	}
	d := f.Domain()
	_, err := codec.GridOf(d, f.OffsetPoints, 1, 1).Domain()
	sizes := map[string][]int{"offset_grid": d.Shape(f.OffsetPoints)}
	return sizes, err
}

func (f *Features) Restored() error {
	m := len(f.Alpha)
	count := f.Map.Count() // 0 of collapsed features
	tooMany := f.Rank > m || len(f.Eigenvalues) > m
	others := count > 0 && count != m
	if tooMany || others {
		return codec.Bad("has the rank %d, %d eigenvalues and %d features for %d coefficients",
			f.Rank, len(f.Eigenvalues), count, m)
	}
	return nil
}

// Random holds random features before training.
type Random struct {
	Config config.Config // of features and training
	Drawn  feature.Map   // all features of the pool
	Fine   dataset.Pairs // the training pairs on the grid of the fitted function of x
	Summed Summed        // source of the sums; nil: they are computed
}

// Summed fills in the sums of the training pairs, see rfm.Normal.Put, if other processes have computed them; done is
// false otherwise.
type Summed func(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, n *rfm.Normal) (done bool, err error)

// Method trains these features on pairs on the training grid. The operator is a Features.
func (r Random) Method() operator.Method {
	return operator.Method{
		Name:  config.RandomFeatures,
		Title: "random features",
		Most:  math.MaxInt,
		Bytes: func(dataset.Pairs, operator.Options) float64 {
			return 0 // because engine.New accounts for it
		},
		Scattered: true,
		Accepts:   accepts,
		Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
			if o.Watch == nil {
				o.Watch = operator.Unwatched{}
			}
			t := training{
				Random:  r,
				Options: o,
				pairs:   pairs,
			}
			return operator.From(t.train(ctx))
		},
	}
}

// accepts reports whether there are features of functions on two domains: of one channel, and at scattered points only if
// these have eigenfunctions of the Laplacian.
func accepts(in, out grid.Domain, _ string) bool {
	if in.Width() > 1 || out.Width() > 1 {
		return false
	}
	return !in.Scattered() || in.Cloud.Why() == ""
}

// firstFeatures bounds the number of features in a first look.
const firstFeatures = 256

// Look trains some features on some pairs on a coarse grid. behind reports whether they are behind the other methods of
// Options.Race, with the result. Errors: those of Method.Train.
func (r Random) Look(ctx context.Context, pairs dataset.Pairs, o operator.Options) (
	ended operator.Result, behind bool, err error) {
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	few := order[:min(operator.FirstPairs, len(order))]
	c := &r.Config // of the receiver, which is a copy
	c.Train.Grid = c.CoarseGrid(c.Train.Grid)
	c.Features.Count = min(firstFeatures, c.Features.Count)
	c.Features.Pool = 0
	some, err := pairs.Take(few).Restrict(c.Train.Grid)
	if err != nil {
		return operator.Result{}, false, err
	}
	r.Drawn = r.Drawn.Select(ridge.Others(nil, c.Features.Count))
	r.Fine = some
	r.Summed = nil
	o.Watch = nil
	learned, err := r.Method().Train(ctx, some, o)
	if err != nil {
		return operator.Result{}, false, err
	}
	factor := float64(operator.FarBehind)
	if r.Config.Of().Files {
		factor = operator.FeaturesBehind
	}
	ended, behind = o.Race.Behind(learned.LeaveOneOut(), factor)
	return ended, behind, nil
}

// training is the state of training random features.
type training struct {
	Random
	operator.Options
	pairs     dataset.Pairs     // on the training grid
	features  feature.Map       // calibrated; in the end those that are chosen
	evaluator feature.Evaluator // all features on the training grid
	normal    *rfm.Normal       // their normal equations
}

// train returns the operator that random features learn.
func (t *training) train(ctx context.Context) (operator.Operator, error) {
	t.Watch.Begin(operator.Summing, "samples", t.pairs.Count())
	err := t.prepare(ctx)
	if err != nil {
		return nil, err
	}
	err = t.sum(ctx)
	if err != nil {
		return nil, err
	}
	t.Watch.Begin(operator.Solving, "", 0)
	model := new(Features)
	model.Solution, err = t.solve(ctx)
	if err != nil {
		return nil, err
	}
	model.Map, err = t.features.Trained(ctx, model.Solution.Alpha, t.Workers)
	if err != nil {
		return nil, err
	}
	if t.Config.Train.Offset {
		model.Offset, err = t.missed(ctx, model)
		model.OffsetPoints = t.Fine.Inputs.Points
	}
	return model, err
}

// prepare calibrates the features, puts them on the training grid, and sets up their normal equations without sums.
func (t *training) prepare(ctx context.Context) (err error) {
	c := t.Config
	t.features, err = t.Drawn.Calibrate(ctx, t.pairs.Inputs, t.Workers)
	if err != nil {
		return err
	}
	t.evaluator, err = t.features.On(ctx, c.Train.Grid, t.Workers)
	if err != nil {
		return err
	}
	t.normal = rfm.NewNormal(t.evaluator.Count())
	t.normal.Rows = rfm.Rows{Seed: c.Seed, Count: c.Train.Rows}
	t.normal.Offset = c.Train.Offset
	m := float64(t.evaluator.Count())
	rows := float64(t.normal.Rows.Of(t.evaluator.Points()))
	t.Watch.Work(rows * m * (m + 1))
	return nil
}

// sum sums the normal equations, or takes the sums of other processes, and estimates errors meanwhile.
func (t *training) sum(ctx context.Context) error {
	done, err := t.takeSums(ctx)
	if done || err != nil {
		return err
	}
	validator := rfm.NewValidator(t.evaluator, t.normal.Rows, t.Config.Train.Lambda)
	seen := 0
	report := func(samples int) {
		t.Watch.Validated(validator.Points())
		t.Watch.Advance(samples - seen)
		seen = samples
	}
	err = t.normal.Accumulate(ctx, t.evaluator, t.pairs, t.Workers, validator, report)
	if err != nil {
		return err
	}
	validator.Finish()
	t.Watch.Validated(validator.Points())
	return nil
}

// takeSums takes the sums of other processes; done is false if there are none.
func (t *training) takeSums(ctx context.Context) (done bool, err error) {
	if t.Summed == nil {
		return false, nil
	}
	done, err = t.Summed(ctx, t.evaluator, t.pairs, t.normal)
	if !done || err != nil {
		return false, err
	}
	t.normal.Samples = t.pairs.Count()
	t.Watch.Skip(t.normal.Samples)
	t.normal.Weigh(t.evaluator)
	return true, nil
}

// solve chooses features from the pool, if any, and lambda, if it is not given, and computes the coefficients.
func (t *training) solve(ctx context.Context) (s rfm.Solution, err error) {
	c := t.Config
	r := rfm.Regularisation{
		Lambda:   c.Train.Lambda,
		Relative: c.Train.Relative,
		Rcond:    c.Train.Rcond,
	}
	least := 0.0 // unknown unless lambda is chosen
	if c.ChoosesLambda() {
		r.Relative, least, err = t.chooseLambda(ctx)
		if err != nil {
			return s, err
		}
		r.Lambda = 0
		t.Watch.Begin(operator.Solving, "", 0)
	}
	normal := t.normal
	if c.Features.Pool > c.Features.Count {
		some, err := normal.Select(ctx, c.Features.Count, t.Workers)
		if err != nil {
			return s, err
		}
		t.features = t.features.Select(some)
		normal = normal.Subset(some)
	}
	s, err = normal.Finish(ctx, r, t.Workers)
	s.LeaveOneOut = least
	return s, err
}

const (
	// mostHeldOut is the number of pairs that are held out to choose lambda; more hardly improve the choice.
	mostHeldOut = 256
	// heldOutParts is the number of parts of the pairs that are held out in turn.
	heldOutParts = 5
)

// chooseLambda finds the lambda, relative to the largest eigenvalue, with the least error on pairs held out, on the
// training grid or a coarser one that is fine enough.
func (t *training) chooseLambda(ctx context.Context) (relative, least float64, err error) {
	c := t.Config
	evaluator := t.evaluator
	pairs := t.pairs
	coarse := c.CoarseGrid(c.Train.Grid)
	if coarse != c.Train.Grid {
		evaluator, err = t.features.On(ctx, coarse, t.Workers)
		if err != nil {
			return 0, 0, err
		}
		pairs, err = pairs.Restrict(coarse)
		if err != nil {
			return 0, 0, err
		}
	}
	// Files may be sorted, so the pairs to hold out are drawn.
	order := draw.Permutation(c.Seed, draw.LeftOut, 0, pairs.Count())
	folds := heldOut(pairs, order)
	t.Watch.Begin(operator.Choosing, "folds", len(folds))
	progress := func(done int) { t.Watch.Advance(min(1, done)) }
	return rfm.HeldOut(ctx, evaluator, pairs, c.Train.Offset, c.Features.Count, folds, t.Workers, progress)
}

// heldOut returns parts of the pairs, as many as have mostHeldOut pairs together, or all. Pairs of a group are in the
// same part.
func heldOut(pairs dataset.Pairs, order []int) [][]int {
	groups := ridge.Labelled(pairs.Groups, len(order))
	folds := groups.Parts(order, min(heldOutParts, len(order)))
	held := 0
	for f, fold := range folds {
		held += len(fold)
		if held >= mostHeldOut {
			return folds[:f+1]
		}
	}
	return folds
}

// offsetPoints bound the grid of the fitted function of x in one and two dimensions. It is smooth: features contribute
// sums over many inputs.
var offsetPoints = [...]int{129, 65}

// missed returns the mean residual of a model over the training pairs, the fitted function of x, on the finest grid.
// The mean of the outputs is exact there; the mean of predictions is interpolated from a coarser grid that contains the
// training grid.
func (t *training) missed(ctx context.Context, model operator.Operator) ([]float64, error) {
	finest := t.Fine.Inputs.Points
	pairs, err := t.Fine.Restrict(t.offsetGrid(finest))
	if err != nil {
		return nil, err
	}
	mean, err := t.meanPrediction(ctx, model, pairs)
	if err != nil {
		return nil, err
	}
	mean, err = resample.To(mean, finest)
	if err != nil {
		return nil, err
	}
	missed := t.Units.Outputs(t.Fine.Outputs).Mean()
	floats.Sub(missed, mean.Data)
	return missed, nil
}

// offsetGrid returns the points along an axis of the grid on which the mean of predictions is computed: the finest that
// contains the training grid and has no more than offsetPoints, or the training grid itself.
func (t *training) offsetGrid(finest int) int {
	from := t.Config.Train.Grid
	most := offsetPoints[t.Config.Dims()-1]
	for _, points := range t.Config.Grids(finest) {
		contains := t.Config.Contains(points, t.Config.Train.Grid)
		isFewEnough := points <= max(most, from)
		if contains && isFewEnough {
			from = points
		}
	}
	return from
}

// meanPrediction returns the mean of a model's predictions for all inputs.
func (t *training) meanPrediction(ctx context.Context, model operator.Operator, pairs dataset.Pairs) (grid.Batch, error) {
	const most = 1 << 24 // values of predictions at the same time
	n := pairs.Count()
	portion := max(1, most/pairs.Outputs.Values()) // pairs
	mean := pairs.Outputs.Like(1)
	for first := 0; first < n; first += portion {
		some := pairs.Range(first, min(portion, n-first))
		inputs := t.Units.Apply(some).Inputs
		predictions, err := model.Predict(ctx, inputs, t.Workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		share := 1 / float64(n)
		for i := range predictions.Count {
			floats.AddScaled(mean.Data, share, predictions.At(i))
		}
	}
	return mean, nil
}
