// This file fits corrections of an operator's predictions.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

const (
	// The features of a step: more help little, as each has a coefficient for every function of the basis.
	correctionFeatures = 48  // of fields
	lineFeatures       = 192 // of functions of one variable
	fourierFeatures    = 128 // of the same in a basis with two numbers for each
	// mostPointed bounds the values of functions for which there is a ridge regression at each point.
	mostPointed = 1200
	// unsmoothed is a width in which nothing is lost.
	unsmoothed = 1e6
	// correctionPairs is how many pairs there have to be: with fewer the leave-one-out error of so many coefficients is
	// not to be relied on.
	correctionPairs = 12
	// correctionWaves bounds the waves along an axis, lineWaves those of functions of one variable.
	correctionWaves, lineWaves = 24, 40
	// mostSteps bounds the corrections, leastGain is what one has to lower the leave-one-out error by.
	mostSteps, leastGain = 8, 0.02
	// purposeCorrection names the streams of the features.
	purposeCorrection draw.Purpose = "method-correction"
)

// correctionRidges are the ridges, relative to the mean square of a feature's wave, from which the leave-one-out error
// chooses.
var correctionRidges = [...]float64{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100, 1000}

// correctedMethod is a line of methods.
var correctedMethod = Method{Name: config.Corrected, Title: "kernel, corrected", Most: 2048,
	Bytes: func(pairs dataset.Pairs, o Options) float64 {
		return kernelMethod.Bytes(pairs, o) + correctionBytes(pairs)
	},
	suits: func(in, out grid.Domain, symmetry string) bool {
		return in == out && in.Width() == 1 && still(in, out, symmetry)
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		if n := pairs.Count(); n < correctionPairs {
			return nil, &fault.Data{Where: "training pairs",
				What: fmt.Sprintf("%d are too few for corrections: at least %d are needed", n, correctionPairs),
				Do:   "raise data.train, or choose train.method=kernel"}
		}
		var first Operator
		for _, k := range o.Known { // not trained again, if it was in the same units
			if left, ok := missedBy(k); ok && left.Count == pairs.Count() && o.units.none() {
				first = k
			}
		}
		if first == nil {
			var err error
			if first, err = kernelMethod.Train(ctx, pairs, o); err != nil {
				return nil, err
			}
		}
		c, err := correct(ctx, first, pairs, o)
		if err != nil {
			return nil, err
		}
		return commuting(c, o.Symmetry), nil
	}}

// missedBy is what a kernel misses of each training output when it learns from all other pairs; ok is false if the
// operator is none, or was read from a file.
func missedBy(o Operator) (left grid.Batch, ok bool) {
	k, ok := Unscaled(o).(*KernelRidge)
	if !ok || k.left.Count == 0 {
		return left, false
	}
	if s, scaled := o.(scaled); scaled {
		return affinely(k.left, func(c int) (float64, float64) { return 0, s.Output[c] }), true
	}
	return k.left, true
}

// basesOf are the bases of a domain.
func basesOf(domain grid.Domain) []string {
	switch {
	case !domain.Periodic:
		return []string{inSines, inCosines, inPoints}
	case domain.Dims == 1:
		return []string{inFourier, inPoints}
	}
	return []string{inPoints}
}

// correct adds steps to a kernel, fitted to what that misses of pairs that it has not seen: v is predicted from all other
// pairs, and so is what a step leaves for the next one. A step that does not lower the leave-one-out error is the end.
// That error is exact for given v and v's errors; what is neglected is that without a pair those of the others change.
// The basis and whether features see v are those with the least error after a first step.
func correct(ctx context.Context, kernel Operator, pairs dataset.Pairs, o Options) (*Corrected, error) {
	sizes, err := norms(pairs.Outputs)
	if err != nil {
		return nil, err
	}
	left, _ := missedBy(kernel)
	whole := &correcting{inputs: pairs.Inputs, v: pairs.Outputs.Minus(left), left: left.Clone(), sizes: sizes,
		groups: pairs.Groups}
	few := whole
	if order := draw.Permutation(o.Seed, purposeSearch, pairs.Count()); len(order) > searchPairs {
		few = whole.some(order[:searchPairs])
	}
	var best *Corrected
	var first *correction
	least, slope, corrections := math.Inf(1), 0.0, grid.Batch{}
	for _, basis := range basesOf(pairs.Inputs.Domain) {
		if basis == inPoints && pairs.Outputs.Values() > mostPointed {
			continue
		}
		for _, s := range []float64{0, 1} {
			c := newCorrected(kernel, pairs, basis).prepare()
			step, score, err := few.fit(ctx, c, 0, s, o)
			if err != nil {
				return nil, err
			}
			if score < least || best == nil {
				best, first, least, slope, corrections = c, step, score, s, few.corrections
			}
		}
	}
	if best == nil {
		return nil, &fault.Data{Where: "training pairs", What: "are on too fine a grid for corrections",
			Do: "lower train.grid, or choose train.method=kernel"}
	}
	best.leaveOneOut = kernel.LeaveOneOut()
	for len(best.steps) < mostSteps {
		s, score := first, least
		if whole.corrections = corrections; few != whole || len(best.steps) > 0 {
			if s, score, err = whole.fit(ctx, best, len(best.steps), slope, o); err != nil {
				return nil, err
			}
		}
		if s == nil || !(score < (1-leastGain)*best.leaveOneOut) {
			break
		}
		best.steps, best.leaveOneOut = append(best.steps, s), score
		floats.Add(whole.v.Data, whole.corrections.Data)
		floats.Sub(whole.left.Data, whole.corrections.Data)
	}
	if best.Steps = len(best.steps); best.Steps == 0 {
		return nil, &fault.Data{Where: "training pairs",
			What: fmt.Sprintf("no correction lowers the leave-one-out error of the kernel, %.3g, by %g%%", best.leaveOneOut,
				100*leastGain), Do: "choose train.method=kernel"}
	}
	return best, nil
}

// featuresOf is the number of features of a step.
func featuresOf(domain grid.Domain, basis string) int {
	switch {
	case domain.Dims == 2:
		return correctionFeatures
	case basis == inFourier:
		return fourierFeatures
	}
	return lineFeatures
}

// newCorrected has no steps yet, and is to be prepared.
func newCorrected(first Operator, pairs dataset.Pairs, basis string) *Corrected {
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
	c.CorrectedParameters = CorrectedParameters{Basis: basis, Log: log, Shift: mean, Input: unit(deviation, mean),
		Output: unit(math.Hypot(size, spread), 0), Count: featuresOf(pairs.Inputs.Domain, basis)}
	rows, columns := c.domain.Axes(c.points)
	waves := correctionWaves
	if c.domain.Dims == 1 {
		waves = lineWaves
	}
	for axis, size := range []int{rows, columns} {
		switch c.Modes[axis] = 1; {
		case size == 1:
		case basis == inPoints:
			c.Modes[axis] = size
		case basis == inFourier:
			c.Modes[axis] = min((size-2)/2*2, 2*waves) + 1
		case c.domain.Cells:
			c.Modes[axis] = min(size, waves)
		default:
			c.Modes[axis] = min(size-2, waves) // sines
		}
	}
	c.ubar = pairs.Outputs.Mean()
	floats.Scale(1/c.Output, c.ubar)
	return c
}

// correcting is pairs with what is to be corrected.
type correcting struct {
	inputs, v, left grid.Batch // left is what v misses
	sizes           []float64
	groups          []int      // see dataset.Pairs.Groups
	corrections     grid.Batch // of the last fit: of each pair, learned from the others
}

func (p *correcting) some(pairs []int) *correcting {
	q := &correcting{inputs: p.inputs.Take(pairs), v: p.v.Take(pairs), left: p.left.Take(pairs)}
	for _, i := range pairs {
		q.sizes = append(q.sizes, p.sizes[i])
		if p.groups != nil {
			q.groups = append(q.groups, p.groups[i])
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
		width := func() float64 { // half periods in the unit of length
			const narrow, wide = 2, 40
			if c.domain.Dims == 1 && random.Float64() < 0.6 {
				return unsmoothed
			}
			return between(narrow, wide)
		}
		s.parameters.SetRow(j, []float64{width(), width(),
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
	least, best, groups := math.Inf(1), 0.0, ridge.Labelled(p.groups, p.inputs.Count)
	for _, relative := range correctionRidges {
		lambda := relative * float64(p.inputs.Count) / float64(c.Modes[0]*c.Modes[1])
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
	s.coefficients = system.coefficients(best, c.numbersOf())
	return s, least, nil
}

// correctionSystem is a ridge regression for each block, with the eigenvectors of the sums of products of features: with
// phi' phi = Q diag(e) Q' and psi = phi Q, coefficients are Q (e + ridge)^-1 psi' u.
type correctionSystem struct {
	blocks [][]int // functions of the basis with the same numbers: one, or the cosine and the sine of a frequency
	// phi, features of unit mean square, as many rows for each pair as the block has functions, and psi as soon as decompose
	// has turned it: one of the two, as they take nearly all of the memory
	psi, q      []*mat.Dense // for each block
	e, products [][]float64  // products is psi' u
	units       []float64    // by which features were multiplied
	targets     *mat.Dense   // u, a row for each pair, a column for each function of the basis
}

// blocks are those of the basis.
func (c *Corrected) blocks() [][]int {
	var all [][]int
	for k := 0; k < c.Modes[0]*c.Modes[1]; k++ {
		if other, ok := partner(k); c.Basis == inFourier && ok {
			all = append(all, []int{k, other})
			k++
			continue
		}
		all = append(all, []int{k})
	}
	return all
}

// correctionBytes is about the memory that corrections take: a system, half of it again for what is not yet collected of
// the one before it, and its eigenvectors, as large as so many pairs as features.
func correctionBytes(pairs dataset.Pairs) float64 {
	domain, values := pairs.Outputs.Domain, pairs.Outputs.Values()
	most := 0.0
	for _, basis := range basesOf(domain) {
		m, functions := float64(featuresOf(domain, basis)), values
		switch {
		case basis == inFourier:
			m, functions = 2*m, 2*lineWaves
		case basis == inPoints && values > mostPointed:
			functions = 0
		case basis != inPoints && domain.Dims == 2:
			functions = min(functions, correctionWaves*correctionWaves)
		}
		most = max(most, 1.5*8*m*(float64(pairs.Count())+m)*float64(functions))
	}
	return most
}

// system is that of a step's features. Errors: ctx's.
func (p *correcting) system(ctx context.Context, c *Corrected, s *correction, workers int) (*correctionSystem, error) {
	n, m, blocks := p.inputs.Count, c.Count, c.blocks()
	y := &correctionSystem{blocks: blocks, psi: make([]*mat.Dense, len(blocks)), units: make([]float64, m),
		targets: mat.NewDense(n, c.Modes[0]*c.Modes[1], nil)}
	for k, block := range blocks {
		y.psi[k] = mat.NewDense(n*len(block), m*len(block), nil)
	}
	analysis := c.analysis()
	err := parallel.With(ctx, workers, (n+blockInputs-1)/blockInputs, c.newBlock, func(b *block, at int) error {
		first, count := at*blockInputs, min(blockInputs, n-at*blockInputs)
		b.load(count, func(i int) []float64 { return p.inputs.At(first + i) },
			func(i int) []float64 { return p.v.At(first + i) })
		for j := range m {
			b.feature(s, j)
			for k, phi := range y.psi {
				for i := range count {
					value := func(k int) float64 { return b.waves[b.at(i, k/c.Modes[1], k%c.Modes[1])] }
					if f := blocks[k]; len(f) == 1 {
						phi.RawRowView(first + i)[j] = value(f[0])
					} else {
						cos, sin := value(f[0]), value(f[1])
						up, down := phi.RawRowView(2*(first+i)), phi.RawRowView(2*(first+i)+1)
						up[j], up[m+j], down[j], down[m+j] = cos, sin, sin, -cos
					}
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
		rows, _ := phi.Dims()
		for i := range rows {
			for j, v := range phi.RawRowView(i)[:m] {
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
		rows, columns := phi.Dims()
		for i := range rows {
			for j := 0; j < columns; j += m {
				floats.Mul(phi.RawRowView(i)[j:j+m], y.units)
			}
		}
	}
	return y, y.decompose(ctx, workers)
}

// target are those of a block, in the order of its rows.
func (y *correctionSystem) target(k int) []float64 {
	n, _ := y.targets.Dims()
	all := make([]float64, 0, n*len(y.blocks[k]))
	for i := range n {
		for _, f := range y.blocks[k] {
			all = append(all, y.targets.At(i, f))
		}
	}
	return all
}

// decompose finds the eigenvectors, and turns phi into psi.
func (y *correctionSystem) decompose(ctx context.Context, workers int) error {
	blocks := len(y.blocks)
	y.q, y.e, y.products = make([]*mat.Dense, blocks), make([][]float64, blocks), make([][]float64, blocks)
	return parallel.For(ctx, workers, blocks, func(_, k int) error {
		_, m := y.psi[k].Dims()
		sums, q, psi := mat.NewSymDense(m, nil), new(mat.Dense), new(mat.Dense)
		sums.SymOuterK(1, y.psi[k].T())
		var eigen mat.EigenSym
		if !eigen.Factorize(sums, true) {
			return &fault.Numerical{Where: "corrections", What: "eigenvalues of the sums of features are not found",
				Do: "choose another train.method"}
		}
		eigen.VectorsTo(q)
		psi.Mul(y.psi[k], q)
		target, products := y.target(k), mat.NewVecDense(m, nil)
		products.MulVec(psi.T(), mat.NewVecDense(len(target), target))
		y.psi[k], y.q[k], y.e[k], y.products[k] = psi, q, eigen.Values(nil), products.RawVector().Data
		return nil
	})
}

// solution is (e + ridge)^-1 psi' u, and that inverse.
func (y *correctionSystem) solution(k int, ridge float64) (c, inverse []float64) {
	inverse = make([]float64, len(y.e[k]))
	for j, e := range y.e[k] {
		inverse[j] = 1 / (max(e, 0) + ridge)
	}
	return floats.MulTo(make([]float64, len(inverse)), inverse, y.products[k]), inverse
}

// coefficients are those of the features themselves, so many rows each.
func (y *correctionSystem) coefficients(ridge float64, rows int) *mat.Dense {
	_, waves := y.targets.Dims()
	m := len(y.units)
	all := mat.NewDense(m*rows, waves, nil)
	for k, block := range y.blocks {
		c, _ := y.solution(k, ridge)
		var turned mat.VecDense
		turned.MulVec(y.q[k], mat.NewVecDense(len(c), c))
		for j, unit := range y.units {
			for _, f := range block {
				all.Set(rows*j, f, unit*turned.AtVec(j))
			}
			if len(block) == 2 {
				all.Set(rows*j+1, block[0], unit*turned.AtVec(m+j))
				all.Set(rows*j+1, block[1], -unit*turned.AtVec(m+j))
			}
		}
	}
	return all
}

// predicted is what is predicted for each pair when it is left out with its group, a row each, a column for each
// function of the basis: with the hat matrix H = psi (e + ridge)^-1 psi'. The error is that of ridge.LeaveOut.
func (y *correctionSystem) predicted(ctx context.Context, lambda float64, groups ridge.Groups, workers int) (*mat.Dense,
	error) {
	n, waves := y.targets.Dims()
	all := mat.NewDense(n, waves, nil)
	return all, parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		block, psi := y.blocks[k], y.psi[k]
		c, inverse := y.solution(k, lambda)
		target := y.target(k)
		missed := slices.Clone(target)
		for row := range missed {
			missed[row] -= floats.Dot(psi.RawRowView(row), c)
		}
		groups := groups.Times(len(block))
		err := ridge.LeaveOut(ctx, missed, 1, groups, func(g int) []float64 {
			members := groups[g]
			size := len(members)
			m := make([]float64, size*size)
			for i, row := range members {
				m[i*size+i] = 1
				for j, other := range members[:i+1] {
					follows, of := 0.0, psi.RawRowView(other)
					for f, v := range psi.RawRowView(row) {
						follows += v * of[f] * inverse[f]
					}
					m[i*size+j] -= follows
				}
			}
			return m
		}, 1)
		for i := range n {
			for r, f := range block {
				row := i*len(block) + r
				all.Set(i, f, target[row]-missed[row])
			}
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
