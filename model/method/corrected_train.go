// This file fits corrections of an operator's predictions.

package method

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

const (
	// correctionFeatures are the features of a step: more help little, as each has a coefficient for every wave.
	correctionFeatures = 48
	// correctionPairs is how many pairs there have to be: with fewer the leave-one-out error of so many coefficients is
	// not to be relied on.
	correctionPairs = 64
	// correctionWaves bounds the waves along an axis.
	correctionWaves = 24
	// mostSteps bounds the corrections, leastGain is what one has to lower the leave-one-out error by.
	mostSteps, leastGain = 8, 0.02
	// purposeCorrection names the streams of the features.
	purposeCorrection draw.Purpose = "method-correction"
)

// correctionRidges are the ridges, relative to the mean square of a feature's wave, from which the leave-one-out error
// chooses.
var correctionRidges = [...]float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}

// corrects reports whether corrections know such functions, of one channel and not periodic, and there are enough.
func corrects(pairs dataset.Pairs) bool {
	return pairs.Count() >= correctionPairs && pairs.Inputs.Domain.Intervals(pairs.Inputs.Points) > 3 &&
		correctable(pairs)
}

// correctable reports whether corrections know functions on such domains.
func correctable(pairs dataset.Pairs) bool {
	domain := pairs.Inputs.Domain
	return !domain.Periodic && domain.Width() == 1 && pairs.Outputs.Domain == domain
}

// missedBy is what a kernel misses of each training output when it learns from all other pairs.
func missedBy(kernel Operator) grid.Batch {
	left := Unscaled(kernel).(*KernelRidge).left
	if s, ok := kernel.(scaled); ok {
		return affinely(left, func(c int) (float64, float64) { return 0, s.Output[c] })
	}
	return left
}

// correct adds steps to a kernel, fitted to what it misses of pairs that it has not seen: v is predicted from all other
// pairs, and so is what a step leaves for the next one. A step that does not lower the leave-one-out error is the end.
// That error is exact for given v and v's errors; what is neglected is that without a pair those of the others change.
func correct(ctx context.Context, kernel Operator, pairs dataset.Pairs, o Options) (*Corrected, error) {
	sizes, err := norms(pairs.Outputs)
	if err != nil {
		return nil, err
	}
	left := missedBy(kernel)
	whole := &correcting{inputs: pairs.Inputs, v: pairs.Outputs.Minus(left), left: left.Clone(), sizes: sizes,
		labels: pairs.Groups}
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	few := whole
	if len(order) > searchPairs {
		few = whole.some(order[:searchPairs])
	}
	best, first, least := newCorrected(kernel, pairs, true), trial{}, math.Inf(1)
	for _, t := range []trial{{odd: true}, {odd: true, slope: 1}, {}, {slope: 1}} {
		c := newCorrected(kernel, pairs, t.odd)
		s, score, err := few.fit(ctx, c, 0, t.slope, o)
		if err != nil {
			return nil, err
		}
		if score < least {
			t.step, t.corrections = s, few.corrections
			best, first, least = c, t, score
		}
	}
	best.leaveOneOut = kernel.LeaveOneOut()
	for len(best.steps) < mostSteps {
		s, score, err := first.step, least, error(nil)
		if whole.corrections = first.corrections; few != whole || len(best.steps) > 0 {
			s, score, err = whole.fit(ctx, best, len(best.steps), first.slope, o)
		}
		if err != nil {
			return nil, err
		}
		if s == nil || !(score < (1-leastGain)*best.leaveOneOut) {
			break
		}
		best.steps, best.leaveOneOut = append(best.steps, s), score
		floats.Add(whole.v.Data, whole.corrections.Data)
		floats.Sub(whole.left.Data, whole.corrections.Data)
	}
	best.Steps = len(best.steps)
	return best, nil
}

// trial is a first step of one sort, and what it is for the pairs.
type trial struct {
	odd         bool
	slope       float64
	step        *correction
	corrections grid.Batch
}

// newCorrected has no steps yet.
func newCorrected(first Operator, pairs dataset.Pairs, odd bool) *Corrected {
	c := &Corrected{place: placeOf(pairs), First: first}
	log := false
	if s, ok := first.(scaled); ok {
		log = s.Log
	}
	inputs := pairs.Inputs.Clone()
	if log {
		for x, v := range inputs.Data {
			inputs.Data[x] = math.Log(v)
		}
	}
	mean, deviation := moments(inputs)
	size, spread := moments(pairs.Outputs)
	c.CorrectedParameters = CorrectedParameters{Odd: odd, Log: log, Shift: mean, Input: unit(deviation, mean),
		Output: unit(math.Hypot(size, spread), 0), Count: correctionFeatures}
	rows, columns := c.domain.Axes(c.points)
	for axis, points := range []int{rows, columns} {
		if c.Modes[axis] = 1; points > 1 {
			if !c.domain.Cells {
				points -= 2 // sines
			}
			c.Modes[axis] = min(points, correctionWaves)
		}
	}
	c.ubar = pairs.Outputs.Mean()
	floats.Scale(1/c.Output, c.ubar)
	return c.prepare()
}

// correcting is pairs with what is to be corrected.
type correcting struct {
	inputs, v, left grid.Batch // left is what v misses
	sizes           []float64
	labels          []int      // of pairs that are left out together; nil: each alone
	corrections     grid.Batch // of the last fit: of each pair, learned from the others
}

func (p *correcting) some(pairs []int) *correcting {
	q := &correcting{inputs: p.inputs.Take(pairs), v: p.v.Take(pairs), left: p.left.Take(pairs)}
	for _, i := range pairs {
		q.sizes = append(q.sizes, p.sizes[i])
		if p.labels != nil {
			q.labels = append(q.labels, p.labels[i])
		}
	}
	return q
}

// drawn is a step with its features, without coefficients.
func (c *Corrected) drawn(at int, slope float64, seed uint64) *correction {
	s := &correction{parameters: mat.NewDense(c.Count, numbers, nil)}
	for j := range c.Count {
		random := draw.Stream(seed, purposeCorrection, at*c.Count+j)
		between := func(low, high float64) float64 {
			return math.Exp(math.Log(low) + random.Float64()*math.Log(high/low))
		}
		const narrow, wide = 2, 40 // half periods in the unit of length
		s.parameters.SetRow(j, []float64{between(narrow, wide), between(narrow, wide),
			between(0.3, 3) * random.NormFloat64(), slope * random.NormFloat64(), 2 * math.Pi * random.Float64()})
	}
	c.ready(s)
	return s
}

// fit draws the features of a step and solves for their coefficients, with the ridge of the least leave-one-out error,
// which it returns. The step is nil if there is no solution. The error is ctx's.
func (p *correcting) fit(ctx context.Context, c *Corrected, at int, slope float64, o Options) (*correction, float64,
	error) {
	s := c.drawn(at, slope, o.Seed)
	system, err := p.system(ctx, c, s, o.Workers)
	if err != nil {
		return nil, 0, err
	}
	least, best, groups := math.Inf(1), 0.0, ridge.Labelled(p.labels, p.inputs.Count)
	for _, relative := range correctionRidges {
		lambda := relative * float64(p.inputs.Count) / float64(len(system.psi))
		predicted, err := system.predicted(ctx, lambda, groups, o.Workers)
		if ridge.Unsolved(err) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		score, corrections, err := p.score(ctx, c, predicted, o.Workers)
		if err != nil {
			return nil, 0, err
		}
		if score < least {
			least, best, p.corrections = score, lambda, corrections
		}
	}
	if !grid.Finite(least) {
		return nil, least, nil
	}
	s.coefficients = system.coefficients(best)
	return s, least, nil
}

// correctionSystem is a ridge regression for each wave, with the eigenvectors of the sums of products of features: with
// phi' phi = Q diag(e) Q' and psi = phi Q, coefficients are Q (e + ridge)^-1 psi' u.
type correctionSystem struct {
	// phi, features of unit mean square, a row for each pair, and psi as soon as decompose has turned it: one of the two,
	// as they take nearly all of the memory
	psi, q      []*mat.Dense // for each wave
	e, products [][]float64  // products is psi' u
	units       []float64    // by which features were multiplied
	targets     *mat.Dense   // u, a row for each pair, a column for each wave
}

// correctionBytes is about the memory that corrections of functions with so many values take: a system, half of it
// again for what is not yet collected of the one before it, and its eigenvectors, as large as so many pairs as
// features.
func correctionBytes(pairs, values int) float64 {
	return 1.5 * 8 * correctionFeatures * float64(pairs+correctionFeatures) *
		float64(min(values, correctionWaves*correctionWaves))
}

// system is that of a step's features. Errors: ctx's.
func (p *correcting) system(ctx context.Context, c *Corrected, s *correction, workers int) (*correctionSystem, error) {
	n, m, waves := p.inputs.Count, c.Count, c.Modes[0]*c.Modes[1]
	y := &correctionSystem{psi: make([]*mat.Dense, waves), units: make([]float64, m), targets: mat.NewDense(n, waves, nil)}
	for k := range y.psi {
		y.psi[k] = mat.NewDense(n, m, nil)
	}
	analysis, blocks := c.analysis(), (n+blockInputs-1)/blockInputs
	err := parallel.With(ctx, workers, blocks, c.newBlock, func(b *block, at int) error {
		first, count := at*blockInputs, min(blockInputs, n-at*blockInputs)
		b.load(count, func(i int) []float64 { return p.inputs.At(first + i) },
			func(i int) []float64 { return p.v.At(first + i) })
		for j := range m {
			b.feature(s, j)
			for k, phi := range y.psi {
				for i := range count {
					phi.RawRowView(first + i)[j] = b.waves[b.at(i, k/c.Modes[1], k%c.Modes[1])]
				}
			}
		}
		for i := first; i < first+count; i++ {
			target := analysis.of(c.matrix(p.left.At(i)))
			floats.ScaleTo(y.targets.RawRowView(i), 1/c.Output, target.RawMatrix().Data)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, phi := range y.psi {
		for i := range n {
			for j, v := range phi.RawRowView(i) {
				y.units[j] += v * v / float64(n)
			}
		}
	}
	for j, square := range y.units {
		if y.units[j] = 0; square > 0 {
			y.units[j] = 1 / math.Sqrt(square)
		}
	}
	for _, phi := range y.psi {
		for i := range n {
			floats.Mul(phi.RawRowView(i), y.units)
		}
	}
	return y, y.decompose(ctx, workers)
}

// decompose finds the eigenvectors, and turns phi into psi.
func (y *correctionSystem) decompose(ctx context.Context, workers int) error {
	n, waves := y.targets.Dims()
	m := len(y.units)
	y.q, y.e, y.products = make([]*mat.Dense, waves), make([][]float64, waves), make([][]float64, waves)
	memory := func() *mat.Dense { return mat.NewDense(n, m, nil) }
	return parallel.With(ctx, workers, waves, memory, func(phi *mat.Dense, k int) error {
		sums, q, psi := mat.NewSymDense(m, nil), new(mat.Dense), y.psi[k]
		phi.Copy(psi)
		sums.SymOuterK(1, phi.T())
		var eigen mat.EigenSym
		if !eigen.Factorize(sums, true) {
			return &fault.Numerical{Where: "corrections", What: "eigenvalues of the sums of features are not found",
				Do: "choose another train.method"}
		}
		eigen.VectorsTo(q)
		psi.Mul(phi, q)
		products := mat.NewVecDense(m, nil)
		products.MulVec(psi.T(), y.targets.ColView(k))
		y.q[k], y.e[k], y.products[k] = q, eigen.Values(nil), products.RawVector().Data
		return nil
	})
}

// solution is (e + ridge)^-1 psi' u, and that inverse.
func (y *correctionSystem) solution(k int, ridge float64) (c, inverse []float64) {
	inverse = make([]float64, len(y.units))
	for j, e := range y.e[k] {
		inverse[j] = 1 / (max(e, 0) + ridge)
	}
	return floats.MulTo(make([]float64, len(inverse)), inverse, y.products[k]), inverse
}

// coefficients are those of the features themselves, a row each.
func (y *correctionSystem) coefficients(ridge float64) *mat.Dense {
	all := mat.NewDense(len(y.units), len(y.psi), nil)
	for k := range y.psi {
		c, _ := y.solution(k, ridge)
		var turned mat.VecDense
		turned.MulVec(y.q[k], mat.NewVecDense(len(c), c))
		for j, unit := range y.units {
			all.Set(j, k, unit*turned.AtVec(j))
		}
	}
	return all
}

// predicted is what is predicted for each pair when its group is left out, with h = psi (e + ridge)^-1 psi'. A row for
// each pair, a column for each wave. The error is ridge.LeaveOut's.
func (y *correctionSystem) predicted(ctx context.Context, lambda float64, groups ridge.Groups, workers int) (*mat.Dense,
	error) {
	n, waves := y.targets.Dims()
	all := mat.NewDense(n, waves, nil)
	return all, parallel.For(ctx, workers, waves, func(_, k int) error {
		c, inverse := y.solution(k, lambda)
		residuals := make([]float64, n)
		for i := range n {
			residuals[i] = y.targets.At(i, k) - floats.Dot(y.psi[k].RawRowView(i), c)
		}
		var matrix []float64 // of one group after the other
		err := ridge.LeaveOut(ctx, residuals, 1, groups, func(g int) []float64 {
			matrix = matrix[:0]
			for _, i := range groups[g] {
				for _, j := range groups[g] {
					follows, other := 0.0, y.psi[k].RawRowView(j)
					for q, v := range y.psi[k].RawRowView(i) {
						follows += v * other[q] * inverse[q]
					}
					if matrix = append(matrix, -follows); i == j {
						matrix[len(matrix)-1]++
					}
				}
			}
			return matrix
		}, 1)
		for i, r := range residuals {
			all.Set(i, k, y.targets.At(i, k)-r)
		}
		return err
	})
}

// score is the mean relative error that remains after corrections with such coefficients in waves, which it returns.
func (p *correcting) score(ctx context.Context, c *Corrected, predicted *mat.Dense, workers int) (float64, grid.Batch,
	error) {
	corrections := p.left.Like(p.left.Count)
	missed, synthesis := make([]float64, p.left.Count), c.synthesis()
	err := parallel.For(ctx, workers, p.left.Count, func(_, i int) error {
		added := corrections.At(i)
		floats.ScaleTo(added, c.Output, synthesis.of(mat.NewDense(c.Modes[0], c.Modes[1],
			predicted.RawRowView(i))).RawMatrix().Data)
		missed[i] = math.Sqrt(p.left.Domain.Distance2(p.left.At(i), added)) / p.sizes[i]
		return nil
	})
	return floats.Sum(missed) / float64(len(missed)), corrections, err
}
