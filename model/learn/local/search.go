// This file searches for the directions of the weights of a layer.

package local

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rfm/solver/num/linalg"
)

// sample holds rows of a search.
type sample struct {
	z          []*linalg.Panels // of each part: Size x points
	targets    [][]float64      // of each part: one for each point
	rows       *mat.Dense       // all z without the last coordinate: points x (Size - 1)
	covariance *mat.SymDense    // of the columns of rows
}

// sample draws functions and points for a search.
func (t *Task) sample(ctx context.Context, count int) (*sample, error) {
	order := t.order()
	order = order[:min(count, len(order))]
	affordable := SearchRows / len(order)
	each := max(1, min(t.Points(), affordable)) // points of a function
	parts := t.Groups.Parts(order, min(searchParts, len(order)))
	s := &sample{}
	var rows []float64 // points x (Size - 1), row-major
	seen := make([]float64, t.Size())
	for _, part := range parts {
		points := len(part) * each
		z := linalg.NewPanels(t.Size(), points)
		target := make([]float64, 0, points)
		err := t.each(ctx, t.Inputs, part, func(i int, of *linalg.Panels) error {
			values := t.domain.Distinct(t.Targets.At(i))
			for _, x := range t.pointsOf(i)[:each] {
				for k := range seen {
					seen[k] = of.At(k, x)
				}
				z.SetColumn(len(target), seen)
				target = append(target, values[x])
				rows = append(rows, seen[:len(seen)-1]...)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		s.z = append(s.z, z)
		s.targets = append(s.targets, target)
	}
	size := t.Size() - 1
	s.rows = mat.NewDense(len(rows)/size, size, rows)
	s.covariance = mat.NewSymDense(size, nil)
	stat.CovarianceMatrix(s.covariance, s.rows, nil)
	return s, nil
}

// A search also begins with less weight of the neighbours of a point than of the point itself, because many neighbours
// that count as much hide a law of the point alone. If an error is not clearly lower, gradients find directions that
// neighbours have a part in sooner from equal weights.
var dampings = [...]float64{0.3, 0.1, 0.03, 0}

// clearGain is the part of an error below which another one is clearly lower.
const clearGain = 0.75

// Search finds directions on up to count functions: isotropic ones, in units of the channels' deviations, perhaps with
// less weight of neighbours, then those in which the last fit changes most, as long as the error falls. Errors:
// ctx.Err(), or those of linalg.
func (t *Task) Search(ctx context.Context, count int) (Directions, error) {
	s, err := t.sample(ctx, min(count, searchFunctions))
	if err != nil {
		return Directions{}, err
	}
	units := t.units(s.covariance)
	isotropic := []*mat.Dense{units}
	current, err := t.fit(ctx, s, 0, isotropic, lengths)
	if err != nil {
		return Directions{}, err
	}
	best := current.Directions
	first := units
	fromPoint, err := t.fit(ctx, s, 0, t.fromPoint(units), lengths)
	if err != nil {
		return best, err
	}
	if fromPoint.Error < clearGain*current.Error {
		current = fromPoint
		best = current.Directions
		first = best.base
	}
	for round := 1; round <= rounds && current.base != nil; round++ {
		before := best.Error
		metric, err := current.gradients(ctx, s.rows, t.Workers)
		if err != nil {
			return best, err
		}
		bases := []*mat.Dense{
			scaledRoot(metric, units, 0.5),
			scaledRoot(metric, units, 0.25),
		}
		if first != units {
			damped := scaledRoot(metric, first, 0.25)
			bases = append(bases, damped)
		}
		current, err = t.fit(ctx, s, round, bases, lengths)
		if err != nil {
			return best, err
		}
		if current.Error < best.Error {
			best = current.Directions
		}
		if !(current.Error < 0.99*before) {
			break
		}
	}
	if best.base == nil {
		return best, errUnsolved
	}
	return best, nil
}

// constant is the part of the variance of a channel below which that of one of its taps is rounding.
const constant = 1e-12

// units returns the diagonal base of directions that treat all coordinates alike, in units of the deviations of the
// channels. Coordinates that do not vary have no direction.
func (t *Task) units(covariance *mat.SymDense) *mat.Dense {
	size := covariance.SymmetricDim()
	taps := len(t.widths)
	base := mat.NewDense(size, size, nil)
	for k := range size {
		unit := k // the coordinate whose deviation is the unit of coordinate k
		if k < t.channels*taps {
			channel := k / taps
			unit = channel * taps // the channel at the point itself
		}
		variance := covariance.At(unit, unit)
		if covariance.At(k, k) > constant*variance {
			base.Set(k, k, 1/math.Sqrt(variance))
		}
	}
	return base
}

// fromPoint returns diagonal bases in which neighbours of the point have less weight.
func (t *Task) fromPoint(units *mat.Dense) (bases []*mat.Dense) {
	taps := len(t.widths)
	for _, damping := range dampings {
		base := mat.DenseCopyOf(units)
		for k := range t.channels * taps {
			width := t.widths[k%taps]
			mean := math.IsInf(width, 1)
			if width > 0 && !mean {
				base.Set(k, k, damping*units.At(k, k))
			}
		}
		bases = append(bases, base)
	}
	return bases
}

// scaledRoot returns the base D (D^-1 M D^-1)^power for the metric M of gradients and a diagonal base D. The distribution
// of weights has the covariance M for the power 1/2, and for 1/4 the geometric mean of M and D^2.
func scaledRoot(metric *mat.SymDense, diagonal *mat.Dense, power float64) *mat.Dense {
	size := metric.SymmetricDim()
	scaled := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			unit := diagonal.At(i, i) * diagonal.At(j, j)
			if unit > 0 {
				scaled.SetSym(i, j, metric.At(i, j)/unit)
			}
		}
	}
	var base mat.Dense
	base.Mul(diagonal, root(scaled, power))
	return &base
}

// lengths are those of directions, relative to the spread of a sample, among which a search chooses.
var lengths = []float64{0.3, 1}

// searchRidges are the ridges among which a search chooses. The final fit tries others around the best.
var searchRidges = [...]float64{1e-3, 1e-4, 1e-5}

// fit is a fit of a few features to a sample.
type fit struct {
	Directions
	weights      *mat.Dense // Size x features
	coefficients []float64  // of each feature
}

// fit returns the fit with the smallest error: of several bases of directions, of lengths relative to the spread of a
// sample, and of ridges. It has no base if no ridge solves. Errors: ctx.Err(), or those of linalg.
func (t *Task) fit(ctx context.Context, s *sample, round int, bases []*mat.Dense, lengths []float64) (fit, error) {
	best := fit{Directions: Directions{Error: math.Inf(1)}}
	for _, base := range bases {
		variance := s.variance(base)
		if !(variance > 0) {
			continue
		}
		spread := math.Sqrt(variance)
		for _, length := range lengths {
			d := Directions{base: base, length: length * spread}
			err := t.improve(ctx, &best, s, round, d)
			if err != nil {
				return best, err
			}
		}
	}
	return best, nil
}

// variance returns the sum of the variances of a sample along the columns of base: trace(base^T covariance base).
func (s *sample) variance(base *mat.Dense) float64 {
	var image mat.Dense
	image.Mul(s.covariance, base)
	image.MulElem(&image, base)
	return mat.Sum(&image)
}

// improve fits features of directions to a sample with each ridge and replaces best where the error is smaller. Errors:
// ctx.Err(), or those of linalg.
func (t *Task) improve(ctx context.Context, best *fit, s *sample, round int, d Directions) error {
	n, _ := s.rows.Dims()
	features := min(SearchFeatures, n/4)
	weights := t.weights(d, features, round)
	w := linalg.PanelsOf(weights.RawMatrix())
	l, err := sum(ctx, len(s.z), features, t.Workers, func(i int, sums *linalg.Symmetric) error {
		return add(ctx, sums, s.z[i], w, s.targets[i])
	})
	if err != nil {
		return err
	}
	for _, lambda := range searchRidges {
		d.lambda = lambda
		_, d.Error, err = l.errors(ctx, lambda, t.Workers)
		if err != nil {
			return err
		}
		if !(d.Error < best.Error) {
			continue
		}
		best.Directions = d
		best.weights = weights
		best.coefficients, err = solved(ctx, l.all, lambda, t.Workers)
		if err != nil {
			return err
		}
	}
	return nil
}

// root returns a power of a metric relative to its largest eigenvalue, which does not depend on the choice of eigenvectors.
// The scale of a base does not matter. It is divided out because powers of numbers round differently if these are multiplied
// by two: directions would depend on the units of outputs.
func root(metric *mat.SymDense, power float64) *mat.Dense {
	var e mat.EigenSym
	var v, scaled, all mat.Dense
	if !e.Factorize(metric, true) {
		return &v
	}
	e.VectorsTo(&v)
	values := e.Values(nil)
	largest := values[len(values)-1]
	scaled.Apply(func(_, k int, x float64) float64 {
		return x * math.Pow(max(values[k]/largest, floor), power)
	}, &v)
	all.Mul(&scaled, v.T())
	return &all
}

// gradients returns the mean outer product of the gradients of a fit at some rows, z without its last coordinate. It
// returns ctx.Err() if ctx is done.
func (f *fit) gradients(ctx context.Context, rows *mat.Dense, workers int) (*mat.SymDense, error) {
	const every = 5
	n, size := rows.Dims()
	some := linalg.NewPanels(size, (n+every-1)/every) // a column for each row
	for i := 0; i < n; i += every {
		some.SetColumn(i/every, rows.RawRowView(i))
	}
	weights := linalg.RowsOf(f.weights, 0, size)
	phases := f.weights.RawRowView(size)
	w := linalg.PanelsOf(weights.RawMatrix())
	slopes, err := linalg.Product(ctx, some, w, workers) // of each feature at each row
	if err != nil {
		return nil, err
	}
	for i := range some.Cols() {
		slope := slopes.Row(i)
		for j, v := range slope {
			slope[j] = f.coefficients[j] * math.Cos(v+phases[j])
		}
	}
	slopesTransposed := linalg.TransposeOf(slopes.General())
	weightsTransposed := linalg.TransposeOf(weights.RawMatrix())
	gradients, err := linalg.Product(ctx, slopesTransposed, weightsTransposed, workers) // rows x size
	if err != nil {
		return nil, err
	}
	all := mat.NewDense(some.Cols(), size, nil)
	for i := range some.Cols() {
		all.SetRow(i, gradients.Row(i))
	}
	metric := new(mat.SymDense)
	share := 1 / float64(some.Cols())
	metric.SymOuterK(share, all.T())
	return metric, nil
}
