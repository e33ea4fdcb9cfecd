package local

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Task is to learn functions of one channel from others.
type Task struct {
	*View
	Inputs  grid.Batch
	Targets grid.Batch
	Groups  ridge.Groups // functions that are left out together
	Seed    uint64
	Layer   int // position in a chain of layers, whose random choices are independent
	Workers int
}

const (
	// mostParts bounds the parts of the functions that are left out in turn, searchParts those of a search.
	mostParts, searchParts = 16, 5
	// The search for directions uses some functions, points of them, features and rounds.
	searchFunctions, searchRows, searchFeatures, rounds = 300, 9600, 300, 3
	// work bounds rows times squared features of a layer, mostFeatures and leastFeatures the features themselves.
	work                        = 5e10
	leastFeatures, mostFeatures = 32, 1024
	layerBytes                  = 8 * mostFeatures * mostFeatures * mostParts
	// floor bounds eigenvalues from below, relative to the largest.
	floor = 1e-6
)

// The random streams.
const (
	purposeParts      draw.Purpose = "layer-parts"      // index: layer; the parts of functions
	purposePoints     draw.Purpose = "layer-points"     // index: layer and function; its points in a search
	purposeDirections draw.Purpose = "layer-directions" // index: layer, round of the search and feature
)

// order returns an order of the functions for this layer.
func (t *Task) order() []int {
	return draw.Permutation(t.Seed, purposeParts, t.Layer, t.Targets.Count)
}

// pointsOf returns an order of the distinct points of a function for this layer.
func (t *Task) pointsOf(function int) []int {
	const functions = 1 << 32 // more than there are
	return draw.Permutation(t.Seed, purposePoints, t.Layer*functions+function, t.Points())
}

// directions returns the random numbers of a feature in a round of this layer's search.
func (t *Task) directions(round, feature int) *rand.Rand {
	const features, all = 1 << 20, 1 << 40 // more than there are in a round, and in all rounds of a layer
	return draw.Stream(t.Seed, purposeDirections, t.Layer*all+round*features+feature)
}

// Directions are the distribution of the weights of a layer.
type Directions struct {
	base   *mat.Dense
	length float64
	lambda float64
	// Error is the root mean square that features of these directions miss of left-out functions, relative to them.
	Error float64
}

// weights returns those of count features: base times normal vectors of random lengths, over a length, and random
// phases.
func (t *Task) weights(d Directions, count, round int) *mat.Dense {
	size, modes := d.base.Dims()
	w := mat.NewDense(size+1, count, nil)
	normals := mat.NewDense(modes, count, nil)
	for j := range count {
		random := t.directions(round, j)
		x, y, z := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		length := d.length * math.Sqrt((x*x+y*y+z*z)/3) // so weights have a t distribution, and the kernel is Matern's
		for k := range modes {
			normals.Set(k, j, random.NormFloat64()/length)
		}
		w.Set(size, j, 2*math.Pi*random.Float64())
	}
	w.Slice(0, size, 0, count).(*mat.Dense).Mul(d.base, normals)
	return w
}

var errUnsolved = &fault.Numerical{Where: "local layer",
	What: "the features are linearly dependent up to rounding, with every ridge", Do: "choose another train.method"}

// sample holds rows of a search.
type sample struct {
	z          []*linalg.Panels // of each part
	targets    [][]float64
	rows       *mat.Dense // all z without the last coordinate
	covariance *mat.SymDense
}

// sample draws functions and points for a search.
func (t *Task) sample(ctx context.Context, count int) (*sample, error) {
	order := t.order()
	order = order[:min(count, len(order))]
	each := max(1, min(t.Points(), searchRows/len(order)))
	parts := t.Groups.Parts(order, min(searchParts, len(order)))
	s := &sample{}
	var rows []float64 // points x (Size - 1)
	seen := make([]float64, t.Size())
	for _, part := range parts {
		z := linalg.NewPanels(t.Size(), len(part)*each) // a column for each point
		target := make([]float64, 0, len(part)*each)
		err := t.each(ctx, t.Inputs, part, func(i int, of *linalg.Panels) error {
			values := t.domain.Distinct(t.Targets.At(i))
			for _, x := range t.pointsOf(i)[:each] {
				for k := range seen {
					seen[k] = of.Panel(x / 4)[4*k+x%4]
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

// Search finds directions on up to count functions: isotropic ones, in units of the channels' deviations, then those in
// which the last fit changes most, as long as the error falls. Errors: ctx's, or those of linalg.
func (t *Task) Search(ctx context.Context, count int) (Directions, error) {
	s, err := t.sample(ctx, min(count, searchFunctions))
	if err != nil {
		return Directions{}, err
	}
	units := t.isotropic(s.covariance)
	current, err := t.fit(ctx, s, 0, []*mat.Dense{units}, 0.3, 1)
	best := current.Directions
	if err != nil {
		return best, err
	}
	for round := 1; round <= rounds && current.base != nil; round++ {
		before := best.Error
		metric, err := current.gradients(ctx, s.rows, units, t.Workers)
		if err != nil {
			return best, err
		}
		bases := []*mat.Dense{new(mat.Dense), new(mat.Dense)}
		bases[0].Mul(units, root(metric, 0.5))
		bases[1].Mul(units, root(metric, 0.25))
		current, err = t.fit(ctx, s, round, bases, 0.1, 0.3, 1)
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

// isotropic returns the base of directions that treat all coordinates alike, in units of the deviations of the channels.
func (t *Task) isotropic(covariance *mat.SymDense) *mat.Dense {
	size := covariance.SymmetricDim()
	base := mat.NewDense(size, size, nil)
	for k := range size {
		of := k
		if k < t.channels*len(t.taps) {
			of = k / len(t.taps) * len(t.taps) // the channel at the point itself
		}
		if v := covariance.At(of, of); v > 0 {
			base.Set(k, k, 1/math.Sqrt(v))
		}
	}
	return base
}

// searchRidges are the ridges among which a search chooses. The final fit tries others around the best.
var searchRidges = [...]float64{1e-3, 1e-4, 1e-5}

// fit is a fit of a few features to a sample.
type fit struct {
	Directions
	weights      *mat.Dense
	coefficients []float64
}

// fit returns the fit with the smallest error: of several bases of directions, of lengths relative to the spread of a
// sample, and of ridges. It has no base if no ridge solves. Errors: ctx's, or those of linalg.
func (t *Task) fit(ctx context.Context, s *sample, round int, bases []*mat.Dense, lengths ...float64) (fit, error) {
	best := fit{Directions: Directions{Error: math.Inf(1)}}
	n, _ := s.rows.Dims()
	features := min(searchFeatures, n/4)
	for _, base := range bases {
		var image mat.Dense
		image.Mul(s.covariance, base)
		image.MulElem(&image, base)
		spread := mat.Sum(&image)
		if !(spread > 0) {
			continue
		}
		for _, length := range lengths {
			d := Directions{base: base, length: length * math.Sqrt(spread)}
			weights := t.weights(d, features, round)
			w := linalg.PanelsOf(weights.RawMatrix())
			l, err := sum(ctx, len(s.z), features, t.Workers, func(i int, sums *linalg.Symmetric) error {
				return add(ctx, sums, s.z[i], w, s.targets[i])
			})
			if err != nil {
				return best, err
			}
			for _, lambda := range searchRidges {
				d.lambda = lambda
				_, d.Error, err = l.errors(ctx, lambda, t.Workers)
				if err != nil {
					return best, err
				}
				if d.Error < best.Error {
					best.Directions = d
					best.weights = weights
					best.coefficients, err = solved(ctx, l.all, lambda, t.Workers)
					if err != nil {
						return best, err
					}
				}
			}
		}
	}
	return best, nil
}

// root returns a power of a metric, which does not depend on the choice of eigenvectors.
func root(metric *mat.SymDense, power float64) *mat.Dense {
	var e mat.EigenSym
	var v, scaled, all mat.Dense
	if !e.Factorize(metric, true) {
		return &v
	}
	e.VectorsTo(&v)
	values := e.Values(nil)
	least := floor * values[len(values)-1]
	scaled.Apply(func(_, k int, x float64) float64 { return x * math.Pow(max(values[k], least), power) }, &v)
	all.Mul(&scaled, v.T())
	return &all
}

// gradients returns the mean outer product of the gradients of a fit at some rows, z without its last coordinate. The
// error is ctx's.
func (f *fit) gradients(ctx context.Context, rows, units *mat.Dense, workers int) (*mat.SymDense, error) {
	const every = 5
	n, size := rows.Dims()
	some := linalg.NewPanels(size, (n+every-1)/every) // a column for each row
	for i := 0; i < n; i += every {
		some.SetColumn(i/every, rows.RawRowView(i))
	}
	weights := f.weights.Slice(0, size, 0, len(f.coefficients)).(*mat.Dense)
	phases := f.weights.RawRowView(size)
	slopes, err := linalg.Product(ctx, some, linalg.PanelsOf(weights.RawMatrix()), workers) // of each feature at each row
	if err != nil {
		return nil, err
	}
	for i := range some.Cols() {
		slope := slopes.Row(i)
		for j, v := range slope {
			slope[j] = f.coefficients[j] * math.Cos(v+phases[j])
		}
	}
	gradients, err := linalg.Product(ctx, linalg.TransposeOf(slopes.General()), linalg.TransposeOf(weights.RawMatrix()),
		workers)
	if err != nil {
		return nil, err
	}
	scaled := mat.NewDense(some.Cols(), size, nil) // in units of the channels' deviations
	for i := range some.Cols() {
		for k, v := range gradients.Row(i) {
			scaled.Set(i, k, v/max(units.At(k, k), 1e-300))
		}
	}
	metric := new(mat.SymDense)
	metric.SymOuterK(1/float64(some.Cols()), scaled.T())
	return metric, nil
}

// ladder holds the ridges among which a layer chooses: the one that a search found, larger and smaller ones.
var ladder = [...]float64{10, 1, 1e-1, 1e-2, 1e-3}

// Learn fits a layer with given directions to all functions. It also returns predictions of the targets, each by a layer
// of the same features that has learned from other parts. Errors: ctx's, or those of linalg.
func (t *Task) Learn(ctx context.Context, d Directions) (*Layer, grid.Batch, error) {
	rows := float64(t.Targets.Count * t.Points())
	count := int(min(max(leastFeatures, math.Sqrt(work/rows)), mostFeatures, max(leastFeatures, rows/8)))
	l := &Layer{Weights: t.weights(d, count, rounds+1)}
	order := t.order()
	parts := t.Groups.Parts(order, min(mostParts, len(order)))
	left, err := t.sums(ctx, linalg.PanelsOf(l.Weights.RawMatrix()), parts)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	var without [][]float64
	lambda := 0.0
	least := math.Inf(1)
	for _, factor := range ladder {
		c, e, err := left.errors(ctx, factor*d.lambda, t.Workers)
		if err != nil {
			return nil, grid.Batch{}, err
		}
		if !(e < least) {
			break
		}
		without = c
		lambda = factor * d.lambda
		least = e
	}
	if without == nil {
		return nil, grid.Batch{}, errUnsolved
	}
	if l.Coefficients, err = solved(ctx, left.all, lambda, t.Workers); err != nil {
		return nil, grid.Batch{}, err
	}
	predicted := t.Targets.Like(t.Targets.Count)
	for p, part := range parts {
		others := Layer{l.Weights, without[p]}
		if err := others.Add(ctx, t.View, predicted, t.Inputs, part, t.Workers, nil); err != nil {
			return nil, grid.Batch{}, err
		}
	}
	return l, predicted, nil
}

// sums returns the sums of features with given weights over parts of the functions.
func (t *Task) sums(ctx context.Context, w *linalg.Panels, parts [][]int) (leftOut, error) {
	return sum(ctx, len(parts), w.Cols(), t.Workers, func(p int, sums *linalg.Symmetric) error {
		return t.each(ctx, t.Inputs, parts[p], func(i int, z *linalg.Panels) error {
			return add(ctx, sums, z, w, t.domain.Distinct(t.Targets.At(i)))
		})
	})
}

// add adds the squares and products of the features of a set of points, and of the targets behind them.
func add(ctx context.Context, sums *linalg.Symmetric, z, w *linalg.Panels, targets []float64) error {
	return features(ctx, z, w, func(first int, phi *linalg.Rectangle) error {
		count := phi.General().Rows
		rows := linalg.NewPanels(count, sums.Order())
		for x := range count {
			rows.SetRow(x, phi.Row(x))
		}
		rows.SetColumn(w.Cols(), targets[first:first+count])
		return sums.RankUpdate(ctx, rows, count, 1)
	})
}

// plus adds a factor times other sums.
func plus(sums *linalg.Symmetric, c float64, more *linalg.Symmetric) {
	for i := range sums.Order() {
		floats.AddScaled(sums.Row(i), c, more.Row(i))
	}
}

// missed returns the sum of squares that coefficients miss of the targets in sums.
func missed(sums *linalg.Symmetric, c []float64) float64 {
	total := 0.0
	c = append(slices.Clone(c), -1) // of the targets
	for i, v := range c {
		row := sums.Row(i)
		total += v * (v*row[0] + 2*floats.Dot(c[i+1:], row[1:]))
	}
	return max(0, total)
}

// solved returns coefficients for the ridge lambda, relative to the mean square of a feature. The error is
// linalg.Factor's.
func solved(ctx context.Context, sums *linalg.Symmetric, lambda float64, workers int) ([]float64, error) {
	m := sums.Order() - 1
	mean := 0.0 // square of a feature
	c := make([]float64, m)
	for i := range c {
		c[i] = sums.At(i, m)
		mean += sums.At(i, i) / float64(m)
	}
	f, err := linalg.Factor(ctx, sums.Leading(m), lambda*mean, workers)
	if err == nil {
		f.Solve(c)
	}
	return c, err
}

// leftOut holds the sums of parts that are left out in turn.
type leftOut struct {
	all   *linalg.Symmetric
	parts []*linalg.Symmetric
}

// sum computes the sums of count parts.
func sum(ctx context.Context, count, features, workers int, part func(i int, s *linalg.Symmetric) error) (leftOut,
	error) {
	l := leftOut{linalg.NewSymmetric(features + 1), make([]*linalg.Symmetric, count)}
	err := parallel.For(ctx, workers, count, func(_, i int) error {
		l.parts[i] = linalg.NewSymmetric(features + 1)
		return part(i, l.parts[i])
	})
	for i := 0; err == nil && i < count; i++ {
		plus(l.all, 1, l.parts[i])
	}
	return l, err
}

// errors returns the coefficients without each part and the root mean square that they miss there, relative to the
// targets; +Inf if lambda is too small to solve. The error is linalg.Factor's.
func (l leftOut) errors(ctx context.Context, lambda float64, workers int) (without [][]float64, relative float64,
	err error) {
	without = make([][]float64, len(l.parts))
	squares := make([]float64, len(l.parts))
	err = parallel.For(ctx, workers, len(l.parts), func(_, i int) (err error) {
		rest := l.all.Clone()
		plus(rest, -1, l.parts[i])
		if without[i], err = solved(ctx, rest, lambda, 1); err == nil {
			squares[i] = missed(l.parts[i], without[i])
		}
		return err
	})
	all := l.all.At(l.all.Order()-1, l.all.Order()-1) // square of the targets
	if ridge.Unsolved(err) || err == nil && all == 0 {
		return nil, math.Inf(1), nil
	}
	return without, math.Sqrt(floats.Sum(squares) / all), err
}
