package local

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

const (
	// A fit has so many features of the law, and of integrals; a search has fewer, and fewer points.
	lawFeatures       = 512
	searchLawFeatures = 192
	searchPoints      = 26
	// mostTogether bounds the points at which functions are compared that are left out together, lawNumbers the numbers
	// that a fit has in memory, a row for each pair and point and a column for each feature.
	mostTogether = 256
	lawNumbers   = 2e7
	// mostPointwise bounds the pairs: the covariance of integrals has as many rows.
	mostPointwise = 2048
)

// The random streams.
const (
	purposeLaw       draw.Purpose = "pointwise-law"       // index: feature
	purposeIntegrals draw.Purpose = "pointwise-integrals" // index: feature
	purposeCompared  draw.Purpose = "pointwise-points"
)

// lawFit is the ridge regression of outputs u_i(x), less their mean, on features of a law and integrals together. Before
// training the outputs at a point x are Gaussian with the covariance
//
//	C = K + Ridge I + Ratio Phi Phi',  K = 1 + Psi Psi',
//
// where Phi(x) are the features of the law, n x features, of mean square 1/features, and Psi the integrals of the others
// less their means, n x features, of mean sum of squares 1. Integrals at different points are independent, the law is
// the same at all. With P = (K + Ridge I)^-1 the coefficients of the law are, by Woodbury's formula,
//
//	c = A^-1 sum_x Phi(x)' P u(x),  A = I / Ratio + sum_x Phi(x)' P Phi(x),
//
// and those of the integrals Psi' alpha(x), alpha = P (u - Phi c).
type lawFit struct {
	pairs     dataset.Pairs
	options   operator.Options
	view      *View
	features  int
	points    []int        // at which the law is learned, ascending, of the distinct ones
	groups    ridge.Groups // pairs that are left out together
	targets   *mat.Dense   // outputs less their mean, pairs x (channels x distinct points)
	sizes     []float64    // L2 norms of the outputs
	units     []float64    // deviation of each channel of the inputs
	integrals map[Spread]centred
}

// newLawFit prepares a fit that learns a law with some features at up to count points. ok is false if more pairs are left
// out together than it can.
func newLawFit(pairs dataset.Pairs, features, count int, o operator.Options) (f *lawFit, ok bool) {
	in := pairs.Inputs
	f = &lawFit{
		pairs:     pairs,
		options:   o,
		view:      newView(in.Domain, in.Points, in.Domain.Width(), ofPoint),
		features:  features,
		groups:    ridge.Labelled(pairs.Groups, pairs.Count()),
		sizes:     operator.Sizes(pairs.Outputs),
		integrals: map[Spread]centred{},
	}
	largest := 0
	for _, group := range f.groups {
		largest = max(largest, len(group))
	}
	affordable := lawNumbers / (pairs.Count() * features)
	count = min(count, affordable, mostTogether/largest, f.view.Points())
	if count == 0 {
		return nil, false
	}
	f.points = f.spread(count)
	for c := range in.Domain.Width() {
		_, deviation := operator.Moments(in.Channel(c))
		f.units = append(f.units, deviation)
	}
	f.setTargets()
	return f, true
}

// lawBytes returns about the memory of a fit, which ends before layers are learned.
func lawBytes(pairs dataset.Pairs, o operator.Options) float64 {
	const number = 8 // bytes
	n := pairs.Count()
	if n > mostPointwise {
		return 0
	}
	values := pairs.Outputs.Values()
	points := min(pairs.Outputs.Points, mostTogether)
	projected := min(lawNumbers, n*lawFeatures*points)
	features := 4 * n * lawFeatures // of a point, as rows, panels and columns, and their integrals
	targets := 6 * n * values       // with those solved for, what a law leaves, and its panels
	integrals := 2 * lawFeatures * values
	ofWorkers := o.Workers * (2*lawFeatures*mostTogether + 2*mostTogether*mostTogether)
	return number * float64(projected+features+targets+integrals+ofWorkers+2*n*n)
}

// spread returns some of the distinct points, ascending: evenly spaced along a line, so that no gap hides how a law depends
// on the place, else at random.
func (f *lawFit) spread(count int) (points []int) {
	all := f.view.Points()
	if count == 1 || f.view.domain.Scattered() || f.view.domain.Dims > 1 {
		points = draw.Permutation(f.options.Seed, purposeCompared, 0, all)[:count]
		slices.Sort(points)
		return points
	}
	for k := range count {
		points = append(points, k*(all-1)/(count-1))
	}
	return points
}

// channels returns the number of channels of outputs.
func (f *lawFit) channels() int { return f.pairs.Outputs.Domain.Width() }

// setTargets computes the targets.
func (f *lawFit) setTargets() {
	u := f.pairs.Outputs
	rest := u.Plus(-1, u.Mean())
	distinct := f.view.Points()
	f.targets = mat.NewDense(u.Count, f.channels()*distinct, nil)
	for i := range u.Count {
		row := f.targets.RawRowView(i)
		for c := range f.channels() {
			values := f.view.domain.Distinct(rest.Of(i, c))
			copy(row[c*distinct:], values)
		}
	}
}

// learnPointwise learns a Pointwise with given parameters; nil if the pairs do not suit. The ridge is larger where rounding is
// in the way: pairs that have been learned have smaller errors than those that are left out, so that a larger one is
// that of coefficients which cancel. The error is one of training.
func (t *chainTraining) learnPointwise(ctx context.Context, q Parameters) (*Pointwise, error) {
	f, ok := newLawFit(t.pairs, lawFeatures, mostTogether, t.options)
	if !ok {
		return nil, nil
	}
	for ; q.Ridge < largestRidge; q.Ridge *= 10 {
		p, err := f.learn(ctx, q)
		if ridge.Unsolved(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		fitted, err := p.Predict(ctx, t.pairs.Inputs, t.options.Workers, nil)
		if err != nil {
			return nil, err
		}
		e := operator.MeanRelative(t.pairs.Outputs.Minus(fitted), f.sizes)
		if e <= p.Error {
			return p, nil
		}
	}
	return nil, nil
}

// largestRidge bounds ridges from above.
const largestRidge = 0.5

// solution is a law, and what it needs for the rest of a Pointwise.
type solution struct {
	weights   *mat.Dense // of the law
	integrals centred
	factor    *linalg.Cholesky  // U, U'U = K + Ridge I
	blocks    [][]float64       // of P, for each group
	half      *linalg.Rectangle // U'^-1 u: pairs x (channels x distinct points)
	products  *linalg.Rectangle // P u
	laws
}

// laws holds coefficients of the law.
type laws struct {
	coefficients *linalg.Rectangle // features x channels
	without      *linalg.Rectangle // those without each group of pairs: features x (groups x channels)
	error        float64           // of laws and integrals without the group, the mean of relative errors at the points
}

// centred holds integrals less their means, times a factor.
type centred struct {
	*linalg.Rectangle // pairs x features
	means             []float64
	factor            float64
}

// solve learns the law. Errors: ctx.Err(), or those of linalg.Factor.
func (f *lawFit) solve(ctx context.Context, q Parameters) (*solution, error) {
	n := f.pairs.Count()
	workers := f.options.Workers
	s := &solution{weights: f.weights(q.Law, purposeLaw)}
	var err error
	s.integrals, err = f.centredIntegrals(ctx, q.Integral)
	if err != nil {
		return nil, err
	}
	covariance := linalg.NewSymmetric(n)
	columns := linalg.TransposeOf(s.integrals.General())
	err = covariance.RankUpdate(ctx, columns, columns.Rows(), workers)
	if err != nil {
		return nil, err
	}
	for i := range n {
		floats.AddConst(1, covariance.Row(i))
	}
	s.factor, err = linalg.Factor(ctx, covariance, q.Ridge, workers)
	if err != nil {
		return nil, err
	}
	s.blocks, err = s.factor.InverseBlocks(ctx, f.groups, workers)
	if err != nil {
		return nil, err
	}
	s.half = f.copyOfTargets()
	err = s.factor.Forward(ctx, s.half, workers)
	if err != nil {
		return nil, err
	}
	s.products = f.copyOfTargets()
	values := s.products.General().Data
	copy(values, s.half.General().Data)
	err = s.factor.Backward(ctx, s.products, workers)
	if err != nil {
		return nil, err
	}
	s.laws, err = f.solveLaw(ctx, q, s)
	return s, err
}

// copyOfTargets returns the targets.
func (f *lawFit) copyOfTargets() *linalg.Rectangle {
	rows, columns := f.targets.Dims()
	all := linalg.NewRectangle(rows, columns)
	for i := range rows {
		copy(all.Row(i), f.targets.RawRowView(i))
	}
	return all
}

// solveLaw computes the coefficients of the law, and those without each group of pairs. Errors: ctx.Err(), or those
// of linalg.Factor.
func (f *lawFit) solveLaw(ctx context.Context, q Parameters, s *solution) (laws, error) {
	n := f.pairs.Count()
	workers := f.options.Workers
	sums := linalg.NewSymmetric(f.features) // A - I / Ratio
	right := linalg.NewRectangle(f.features, f.channels())
	projected := make([]*linalg.Rectangle, n) // P Phi of each pair: features x points
	for i := range projected {
		projected[i] = linalg.NewRectangle(f.features, len(f.points))
	}
	for k, x := range f.points {
		phi, err := f.lawAt(ctx, s.weights, x)
		if err != nil {
			return laws{}, err
		}
		err = s.factor.Forward(ctx, phi, workers)
		if err != nil {
			return laws{}, err
		}
		panels := linalg.PanelsOf(phi.General())
		err = sums.RankUpdate(ctx, panels, n, workers)
		if err != nil {
			return laws{}, err
		}
		targets := linalg.NewPanels(n, f.channels())
		for i := range n {
			targets.SetRow(i, f.at(x, s.half.Row(i)))
		}
		err = right.AddProduct(ctx, panels, targets, n, workers)
		if err != nil {
			return laws{}, err
		}
		err = s.factor.Backward(ctx, phi, workers)
		if err != nil {
			return laws{}, err
		}
		for i, of := range projected {
			for j, v := range phi.Row(i) {
				of.Row(j)[k] = v
			}
		}
	}
	factor, err := linalg.Factor(ctx, sums, 1/q.Ratio, workers)
	if err != nil {
		return laws{}, err
	}
	err = factor.Forward(ctx, right, workers)
	if err != nil {
		return laws{}, err
	}
	return f.leaveOut(ctx, s, factor, right, projected)
}

// at returns the numbers of a row of targets that belong to a point, one a channel.
func (f *lawFit) at(x int, row []float64) (values []float64) {
	for c := range f.channels() {
		values = append(values, row[c*f.view.Points()+x])
	}
	return values
}

// leaveOut solves for the coefficients of the law, and for those without each group g of pairs: with R'R = A and
//
//	V = R'^-1 (P Phi)_g',  B = P_gg x I - V'V,  r = B^-1 (P (u - Phi c))_g
//
// r are the residuals of g at all points without g, and c - R^-1 V r the coefficients. half are R'^-1 A c. Errors:
// ctx.Err(), or those of linalg.Factor.
func (f *lawFit) leaveOut(ctx context.Context, s *solution, factor *linalg.Cholesky, half *linalg.Rectangle,
	projected []*linalg.Rectangle) (laws, error) {
	channels := f.channels()
	points := len(f.points)
	errors := make([]float64, f.pairs.Count())
	l := laws{
		coefficients: half,
		without:      linalg.NewRectangle(f.features, len(f.groups)*channels),
	}
	own := linalg.PanelsOf(half.General())
	err := parallel.For(ctx, f.options.Workers, len(f.groups), func(_, g int) error {
		group := f.groups[g]
		v := linalg.NewRectangle(f.features, len(group)*points)
		for j := range f.features {
			for a, i := range group {
				copy(v.Row(j)[a*points:], projected[i].Row(j))
			}
		}
		err := factor.Forward(ctx, v, 1)
		if err != nil {
			return err
		}
		panels := linalg.PanelsOf(v.General())
		block := linalg.NewSymmetric(len(group) * points)
		err = block.RankUpdate(ctx, panels, f.features, 1)
		if err != nil {
			return err
		}
		block.Scale(-1)
		for a := range group {
			for b := range a + 1 {
				for k := range points {
					row := a*points + k
					column := b*points + k
					block.Set(row, column, block.At(row, column)+s.blocks[g][a*len(group)+b])
				}
			}
		}
		solved, err := linalg.Factor(ctx, block, 0, 1)
		if err != nil {
			return err
		}
		learned, err := linalg.Product(ctx, own, panels, 1) // P Phi c: channels x (pairs x points)
		if err != nil {
			return err
		}
		for c := range channels {
			left := slices.Clone(learned.Row(c))
			for a, i := range group {
				products := s.products.Row(i)[c*f.view.Points():]
				for k, x := range f.points {
					at := a*points + k
					left[at] = products[x] - left[at]
				}
			}
			solved.Solve(left)
			for j := range f.features {
				l.without.Row(j)[g*channels+c] = -floats.Dot(v.Row(j), left)
			}
			for a, i := range group {
				some := left[a*points:][:points]
				errors[i] += floats.Dot(some, some)
			}
		}
		return nil
	})
	if err != nil {
		return l, err
	}
	for i, square := range errors {
		mean := square / float64(points)
		l.error += math.Sqrt(mean) / f.sizes[i] / float64(len(errors))
	}
	for j := range f.features {
		row := l.without.Row(j)
		for g := range f.groups {
			floats.Add(row[g*channels:][:channels], half.Row(j))
		}
	}
	err = factor.Backward(ctx, l.without, f.options.Workers)
	if err != nil {
		return l, err
	}
	return l, factor.Backward(ctx, l.coefficients, f.options.Workers)
}

// lawAt returns the features of the law at a distinct point: a row for each pair. It returns ctx.Err() if ctx is done.
func (f *lawFit) lawAt(ctx context.Context, weights *mat.Dense, x int) (*linalg.Rectangle, error) {
	n := f.pairs.Count()
	columns := f.view.distinct[1]
	place := x
	if f.view.domain.Periodic { // a row has a value more than distinct ones
		place += x / columns
	}
	z := linalg.NewPanels(f.view.Size(), n)
	values := make([]float64, n)
	for c := range f.view.channels {
		for i := range values {
			values[i] = f.pairs.Inputs.Of(i, c)[place]
		}
		z.SetRow(c, values)
	}
	for k, all := range f.view.common {
		z.SetRow(f.view.channels+k, slices.Repeat([]float64{all[x]}, n))
	}
	phi, err := linalg.Product(ctx, z, linalg.PanelsOf(weights.RawMatrix()), f.options.Workers)
	if err != nil {
		return nil, err
	}
	for i := range n {
		sine.Apply(phi.Row(i))
		floats.Scale(f.unit(), phi.Row(i))
	}
	return phi, nil
}

// unit is the factor of features of the law, so that the sum of their mean squares is 1.
func (f *lawFit) unit() float64 { return math.Sqrt(2 / float64(f.features)) }

// centredIntegrals returns integrals of features, less their means, such that the mean sum of their squares is 1. It
// returns ctx.Err() if ctx is done.
func (f *lawFit) centredIntegrals(ctx context.Context, spread Spread) (centred, error) {
	known, ok := f.integrals[spread]
	if ok {
		return known, nil
	}
	weights := f.weights(spread, purposeIntegrals)
	phi, err := integralsOf(ctx, f.view, weights, f.pairs.Inputs, f.options.Workers)
	if err != nil {
		return centred{}, err
	}
	n := f.pairs.Count()
	c := centred{
		Rectangle: phi,
		means:     make([]float64, f.features),
	}
	for i := range n {
		floats.AddScaled(c.means, 1/float64(n), phi.Row(i))
	}
	square := 0.0
	for i := range n {
		row := phi.Row(i)
		floats.Sub(row, c.means)
		square += floats.Dot(row, row) / float64(n)
	}
	if square > 0 { // else all inputs are the same
		c.factor = 1 / math.Sqrt(square)
	}
	for i := range n {
		floats.Scale(c.factor, phi.Row(i))
	}
	f.integrals[spread] = c
	return c, nil
}

// weights draws those of features, normal numbers over random lengths as for layers, and phases. Their distribution depends
// on the spread, but not the random numbers.
func (f *lawFit) weights(spread Spread, purpose draw.Purpose) *mat.Dense {
	phase := f.view.Size() - 1
	w := mat.NewDense(phase+1, f.features, nil)
	for j := range f.features {
		random := draw.Stream(f.options.Seed, purpose, j)
		length := lengthOf(random)
		for k := range phase {
			unit := 2 * math.Pi * spread.Place
			if k < f.view.channels {
				unit = spread.Value * f.units[k]
			}
			v := random.NormFloat64() / length
			if unit > 0 { // else the channel is the same everywhere
				w.Set(k, j, v/unit)
			}
		}
		w.Set(phase, j, 2*math.Pi*random.Float64())
	}
	return w
}

// learn learns a Pointwise. Errors: ctx.Err(), or those of linalg.Factor.
func (f *lawFit) learn(ctx context.Context, q Parameters) (*Pointwise, error) {
	s, err := f.solve(ctx, q)
	if err != nil {
		return nil, err
	}
	alpha, err := f.residuals(ctx, s)
	if err != nil {
		return nil, err
	}
	u := f.pairs.Outputs
	p := &Pointwise{
		Base:            operator.BaseOf(f.pairs),
		Parameters:      q,
		IntegralWeights: f.weights(q.Integral, purposeIntegrals),
		Constant:        u.Mean(),
		view:            f.view,
	}
	p.Left = f.complete(alpha.left)
	p.Error = operator.MeanRelative(p.Left, f.sizes)
	p.setLaw(s, f.unit())
	sums := f.complete(alpha.dual)
	coefficients := linalg.NewRectangle(f.features, u.Values())
	panels := linalg.NewPanels(u.Count, u.Values())
	for i := range u.Count {
		panels.SetRow(i, sums.At(i))
		floats.Add(p.Constant, sums.At(i))
	}
	err = coefficients.AddProduct(ctx, linalg.PanelsOf(s.integrals.General()), panels, u.Count, f.options.Workers)
	if err != nil {
		return nil, err
	}
	for j, mean := range s.integrals.means {
		row := coefficients.Row(j)
		floats.Scale(s.integrals.factor, row)
		floats.AddScaled(p.Constant, -mean, row) // because predictions take integrals as they are
	}
	p.IntegralCoefficients = linalg.PanelsOf(coefficients.General())
	return p, nil
}

// setLaw sets the weights and coefficients of the law, one after the other for each channel, whose features are the same
// times a unit.
func (p *Pointwise) setLaw(s *solution, unit float64) {
	p.Weights = s.weights
	features := s.coefficients.General()
	for c := range features.Cols {
		if c > 0 {
			both := new(mat.Dense)
			both.Augment(p.Weights, s.weights)
			p.Weights = both
		}
		for j := range features.Rows {
			p.Coefficients = append(p.Coefficients, unit*s.coefficients.Row(j)[c])
		}
	}
}

// rest holds what a law leaves: pairs x (channels x distinct points).
type rest struct {
	dual *mat.Dense // alpha = P (u - Phi c)
	left *mat.Dense // residuals of outputs without their group
}

// residuals computes what a law leaves at all points. It returns ctx.Err() if ctx is done.
func (f *lawFit) residuals(ctx context.Context, s *solution) (rest, error) {
	n := f.pairs.Count()
	channels := f.channels()
	distinct := f.view.Points()
	r := rest{
		dual: mat.NewDense(n, channels*distinct, nil),
		left: mat.NewDense(n, channels*distinct, nil),
	}
	inverses := make([]*mat.Dense, len(f.groups))
	for g, group := range f.groups {
		inverses[g] = new(mat.Dense)
		err := inverses[g].Inverse(mat.NewDense(len(group), len(group), s.blocks[g]))
		if err != nil {
			return r, err
		}
	}
	own := linalg.PanelsOf(s.coefficients.General())
	without := linalg.PanelsOf(s.without.General())
	for x := range distinct {
		phi, err := f.lawAt(ctx, s.weights, x)
		if err != nil {
			return r, err
		}
		err = s.factor.Forward(ctx, phi, f.options.Workers)
		if err != nil {
			return r, err
		}
		err = s.factor.Backward(ctx, phi, f.options.Workers)
		if err != nil {
			return r, err
		}
		columns := linalg.TransposeOf(phi.General())
		learned, err := linalg.Product(ctx, columns, own, f.options.Workers) // P Phi c: pairs x channels
		if err != nil {
			return r, err
		}
		leftOut, err := linalg.Product(ctx, columns, without, f.options.Workers) // pairs x (groups x channels)
		if err != nil {
			return r, err
		}
		for g, group := range f.groups {
			for c := range channels {
				at := c*distinct + x
				missed := mat.NewVecDense(len(group), nil)
				for a, i := range group {
					product := s.products.Row(i)[at]
					r.dual.Set(i, at, product-learned.Row(i)[c])
					missed.SetVec(a, product-leftOut.Row(i)[g*channels+c])
				}
				missed.MulVec(inverses[g], missed)
				for a, i := range group {
					r.left.Set(i, at, missed.AtVec(a))
				}
			}
		}
	}
	return r, nil
}

// complete returns functions from their values at the distinct points.
func (f *lawFit) complete(values *mat.Dense) grid.Batch {
	u := f.pairs.Outputs
	all := u.Like(u.Count)
	distinct := f.view.Points()
	for i := range u.Count {
		row := values.RawRowView(i)
		for c := range f.channels() {
			f.view.domain.Complete(all.Of(i, c), row[c*distinct:][:distinct], 1)
		}
	}
	return all
}
