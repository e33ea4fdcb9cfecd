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
	mostParts   = 16
	searchParts = 5
	// The search for directions uses some functions, points of them, features and rounds.
	searchFunctions = 300
	searchRows      = 9600 // points of all functions together
	searchFeatures  = 300
	rounds          = 3
	// work bounds rows times squared features of a layer, mostFeatures and leastFeatures the features themselves.
	work          = 5e10
	leastFeatures = 32
	mostFeatures  = 1024
	layerBytes    = 8 * mostFeatures * mostFeatures * mostParts
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
	const (
		ofRound = 1 << 20 // more features than there are in a round
		ofLayer = 1 << 40 // more than there are in all rounds of a layer
	)
	index := t.Layer*ofLayer + round*ofRound + feature
	return draw.Stream(t.Seed, purposeDirections, index)
}

// Directions are the distribution of the weights of a layer.
type Directions struct {
	base   *mat.Dense // size of z without its last coordinate x modes
	length float64
	lambda float64 // ridge, relative to the mean square of a feature
	// Error is the root mean square that features of these directions miss of left-out functions, relative to them.
	Error float64
}

// weights returns those of count features: base times normal vectors of random lengths, over a length, and random
// phases.
func (t *Task) weights(d Directions, count, round int) *mat.Dense {
	size, modes := d.base.Dims()
	w := mat.NewDense(size+1, count, nil) // the last row holds the phases
	normals := mat.NewDense(modes, count, nil)
	for j := range count {
		random := t.directions(round, j)
		x := random.NormFloat64()
		y := random.NormFloat64()
		z := random.NormFloat64()
		// The root mean square of three normal numbers gives weights a t distribution, so that the kernel is Matern's.
		meanSquare := (x*x + y*y + z*z) / 3
		length := d.length * math.Sqrt(meanSquare)
		for k := range modes {
			normals.Set(k, j, random.NormFloat64()/length)
		}
		w.Set(size, j, 2*math.Pi*random.Float64())
	}
	withoutPhases := w.Slice(0, size, 0, count).(*mat.Dense)
	withoutPhases.Mul(d.base, normals)
	return w
}

var errUnsolved = &fault.Numerical{
	Where: "local layer",
	What:  "the features are linearly dependent up to rounding, with every ridge",
	Do:    "choose another train.method",
}

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
	each := max(1, min(t.Points(), searchRows/len(order)))
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

const clearGain = 0.75

// Search finds directions on up to count functions: isotropic ones, in units of the channels' deviations, perhaps with less
// weight of neighbours, then those in which the last fit changes most, as long as the error falls. Errors: ctx's, or those
// of linalg.
func (t *Task) Search(ctx context.Context, count int) (Directions, error) {
	s, err := t.sample(ctx, min(count, searchFunctions))
	if err != nil {
		return Directions{}, err
	}
	units := t.units(s.covariance)
	current, err := t.fit(ctx, s, 0, []*mat.Dense{units}, lengths)
	best := current.Directions
	if err != nil {
		return best, err
	}
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
	taps := len(t.taps)
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
	taps := len(t.taps)
	for _, damping := range dampings {
		base := mat.DenseCopyOf(units)
		for k := range t.channels * taps {
			tap := t.taps[k%taps]
			mean := math.IsInf(tap.Width, 1)
			if tap.Width > 0 && !mean {
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
// sample, and of ridges. It has no base if no ridge solves. Errors: ctx's, or those of linalg.
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
// ctx's, or those of linalg.
func (t *Task) improve(ctx context.Context, best *fit, s *sample, round int, d Directions) error {
	n, _ := s.rows.Dims()
	features := min(searchFeatures, n/4)
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
	scaled.Apply(func(_, k int, x float64) float64 {
		return x * math.Pow(max(values[k], least), power)
	}, &v)
	all.Mul(&scaled, v.T())
	return &all
}

// gradients returns the mean outer product of the gradients of a fit at some rows, z without its last coordinate. The
// error is ctx's.
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

// ladder holds the ridges among which a layer chooses: the one that a search found, larger and smaller ones.
var ladder = [...]float64{10, 1, 1e-1, 1e-2, 1e-3}

// Learn fits a layer with given directions to all functions. It also returns predictions of the targets, each by a layer
// of the same features that has learned from other parts. Errors: ctx's, or those of linalg.
func (t *Task) Learn(ctx context.Context, d Directions) (*Layer, grid.Batch, error) {
	count := t.features()
	l := &Layer{Weights: t.weights(d, count, rounds+1)}
	order := t.order()
	parts := t.Groups.Parts(order, min(mostParts, len(order)))
	left, err := t.sums(ctx, linalg.PanelsOf(l.Weights.RawMatrix()), parts)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	lambda, without, err := left.bestRidge(ctx, d.lambda, t.Workers)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	if without == nil {
		return nil, grid.Batch{}, errUnsolved
	}
	l.Coefficients, err = solved(ctx, left.all, lambda, t.Workers)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	predicted := t.Targets.Like(t.Targets.Count)
	for p, part := range parts {
		others := Layer{
			Weights:      l.Weights,
			Coefficients: without[p],
		}
		err := others.Add(ctx, t.View, predicted, t.Inputs, part, t.Workers, nil)
		if err != nil {
			return nil, grid.Batch{}, err
		}
	}
	return l, predicted, nil
}

// features returns how many features a layer has: as many as work allows, and no more than an eighth of the rows, but
// between leastFeatures and mostFeatures.
func (t *Task) features() int {
	rows := float64(t.Targets.Count * t.Points())
	affordable := max(leastFeatures, math.Sqrt(work/rows))
	determined := max(leastFeatures, rows/8)
	return int(min(affordable, mostFeatures, determined))
}

// bestRidge returns the ridge of the ladder around lambda behind which the error rises, with the coefficients without
// each part; nil if no ridge solves. The error is linalg.Factor's.
func (l leftOut) bestRidge(ctx context.Context, lambda float64, workers int) (
	best float64, without [][]float64, err error) {
	least := math.Inf(1)
	for _, factor := range ladder {
		tried := factor * lambda
		c, e, err := l.errors(ctx, tried, workers)
		if err != nil {
			return 0, nil, err
		}
		if !(e < least) {
			break
		}
		without = c
		best = tried
		least = e
	}
	return best, without, nil
}

// sums returns the sums of features with given weights over parts of the functions.
func (t *Task) sums(ctx context.Context, w *linalg.Panels, parts [][]int) (leftOut, error) {
	return sum(ctx, len(parts), w.Cols(), t.Workers, func(p int, sums *linalg.Symmetric) error {
		return t.each(ctx, t.Inputs, parts[p], func(i int, z *linalg.Panels) error {
			targets := t.domain.Distinct(t.Targets.At(i))
			return add(ctx, sums, z, w, targets)
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
		row := sums.Row(i) // from the diagonal on
		others := floats.Dot(c[i+1:], row[1:])
		total += v * (v*row[0] + 2*others)
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
	if err != nil {
		return nil, err
	}
	f.Solve(c)
	return c, nil
}

// leftOut holds the sums of parts that are left out in turn.
type leftOut struct {
	all   *linalg.Symmetric
	parts []*linalg.Symmetric
}

// sum computes the sums of count parts.
func sum(ctx context.Context, count, features, workers int,
	part func(i int, s *linalg.Symmetric) error) (leftOut, error) {
	l := leftOut{
		all:   linalg.NewSymmetric(features + 1),
		parts: make([]*linalg.Symmetric, count),
	}
	err := parallel.For(ctx, workers, count, func(_, i int) error {
		l.parts[i] = linalg.NewSymmetric(features + 1)
		return part(i, l.parts[i])
	})
	if err != nil {
		return l, err
	}
	for _, s := range l.parts {
		plus(l.all, 1, s)
	}
	return l, nil
}

// errors returns the coefficients without each part and the root mean square that they miss there, relative to the
// targets; +Inf if lambda is too small to solve. The error is linalg.Factor's.
func (l leftOut) errors(ctx context.Context, lambda float64, workers int) (
	without [][]float64, relative float64, err error) {
	without = make([][]float64, len(l.parts))
	squares := make([]float64, len(l.parts))
	err = parallel.For(ctx, workers, len(l.parts), func(_, i int) (err error) {
		rest := l.all.Clone()
		plus(rest, -1, l.parts[i])
		without[i], err = solved(ctx, rest, lambda, 1)
		if err != nil {
			return err
		}
		squares[i] = missed(l.parts[i], without[i])
		return nil
	})
	if ridge.Unsolved(err) {
		return nil, math.Inf(1), nil
	}
	if err != nil {
		return nil, 0, err
	}
	last := l.all.Order() - 1 // position of the targets
	all := l.all.At(last, last)
	if all == 0 {
		return nil, math.Inf(1), nil
	}
	return without, math.Sqrt(floats.Sum(squares) / all), nil
}
