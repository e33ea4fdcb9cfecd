// This file is regression on scalar random features, with functions as coefficients.

package method

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// scalarMethod is a line of methods.
var scalarMethod = Method{Name: "scalar", Title: "scalar features", Most: 1 << 20, read: readScalar,
	moved: true, logarithms: true, suits: still,
	Bytes: func(pairs, values, workers int) float64 {
		return 8 * (3*float64(scalarFeatures)*float64(scalarFeatures) + 4*float64(scalarFeatures+pairs)*float64(values))
	},
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		return ScalarFeatures(ctx, pairs, o)
	}}

// Scalar is ridge regression on random Fourier features of the input (Rahimi & Recht 2007),
//
//	F(a) = c_0 + sum_j phi_j(a) c_j,  phi_j(a) = sqrt(2/m) cos(w_j . z + b_j),
//
// z the coefficients of a in waves, multiplied with (1 + (frequency/Cutoff)^2)^(-Decay/2) and measured in length
// scales, w_j random, b_j uniform, and c_j functions, for which there is one matrix of the order of the number of
// features, whatever the number of pairs. With infinitely many features this is kernel ridge regression: Gaussian w
// have a Gaussian kernel, those with Student's t distribution of 2 nu degrees of freedom a Matern kernel of order nu,
// 1 degree (Cauchy) an exponential one.
type Scalar struct {
	expansion
	ScalarParameters
	directions *mat.Dense // w_j, in columns
	phases     []float64  // b_j
}

// ScalarParameters are what the leave-one-out error chooses.
type ScalarParameters struct {
	Parameters
	Tail int `json:"tail"` // degrees of freedom of the distribution of w; 0: Gaussian
}

const (
	// scalarFeatures is their number.
	scalarFeatures = 2048
	// scalarPairs and firstFeatures are the numbers of pairs and features with which parameters are chosen.
	scalarPairs, firstFeatures = 256, 512
	// leftOutPairs bounds the pairs that are left out to choose the ridge where pairs are more than features.
	leftOutPairs = 1024
	// scalarChunk is the number of pairs whose features are held at once: a multiple of linalg.KC.
	scalarChunk = 1024
	// purposeScalar names the streams of the features.
	purposeScalar draw.Purpose = "method-scalar"
)

// tailLadder is the possible distributions, from heavy to light tails.
var tailLadder = [...]int{1, 3, 5, 0}

// ScalarFeatures fits a Scalar to the pairs. Its parameters are those with the smallest leave-one-out error, exact in
// closed form, that a descent finds on scalarPairs pairs, drawn if there are more; the ridge is then found anew with
// all pairs. Errors: those of Method.Train.
func ScalarFeatures(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	moved := newImages(pairs, o.Symmetry)
	k, err := newKernelProblem(moved.Pairs, moved.Outputs, newFrequencies)
	if err != nil {
		return nil, err
	}
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	p := &scalarProblem{k, newDraws(o.Seed, len(k.inputs.variances)), moved}
	few := moved.numbers(order[:min(len(order), scalarPairs/moved.group())])
	some := &scalarProblem{k.some(few, len(few)), p.draws.first(firstFeatures), moved}
	q, err := some.choose(ctx, o.Workers)
	if err != nil {
		return nil, err
	}
	s, err := p.fit(ctx, q, order[:min(len(order), leftOutPairs/moved.group())], o.Workers)
	if err != nil {
		return nil, err
	}
	return moved.operator(s), nil
}

// draws are what features are made of.
type draws struct {
	normal  *mat.Dense // standard normal numbers, a column each
	squares [][]float64
	phases  []float64
}

// newDraws draws features of so many coefficients. Every feature has its own stream.
func newDraws(seed uint64, coefficients int) draws {
	d := draws{normal: mat.NewDense(coefficients, scalarFeatures, nil)}
	for j := range scalarFeatures {
		random := draw.Stream(seed, purposeScalar, j)
		d.phases = append(d.phases, 2*math.Pi*random.Float64())
		squares := make([]float64, slices.Max(tailLadder[:])) // sums of 1, 2, ... squares of normal numbers
		for i := range squares {
			v := random.NormFloat64()
			squares[i] = v * v
		}
		d.squares = append(d.squares, floats.CumSum(squares, squares))
		for k := range coefficients {
			d.normal.Set(k, j, random.NormFloat64())
		}
	}
	return d
}

// first are the first draws.
func (d draws) first(count int) draws {
	rows, _ := d.normal.Dims()
	return draws{mat.DenseCopyOf(d.normal.Slice(0, rows, 0, count)), d.squares[:count], d.phases[:count]}
}

// directions are w for a distribution: with tails, normal numbers over the root of an independent mean of squares.
func (d draws) directions(tail int) *mat.Dense {
	if tail == 0 {
		return d.normal
	}
	w := mat.DenseCopyOf(d.normal)
	rows, _ := w.Dims()
	for j, squares := range d.squares {
		stretch := math.Sqrt(float64(tail) / squares[tail-1])
		for k := range rows {
			w.Set(k, j, stretch*w.At(k, j))
		}
	}
	return w
}

// features sets phi to the features of every row of z.
func features(phi, z, directions *mat.Dense, phases []float64) {
	product(phi, z, directions)
	rows, m := phi.Dims()
	size := math.Sqrt(2 / float64(m))
	for i := range rows {
		row := phi.RawRowView(i)
		for j, b := range phases {
			row[j] = size * math.Cos(row[j]+b)
		}
	}
}

// scalarProblem is the pairs, and their images, described by waves, with the draws.
type scalarProblem struct {
	*kernelProblem
	draws
	moved images
}

// features are those of some pairs, from first on, a row each.
func (p *scalarProblem) features(ctx context.Context, q ScalarParameters, directions *mat.Dense, pairs []int,
	workers int) (*mat.Dense, error) {
	phi, scales := mat.NewDense(len(pairs), len(p.phases), nil), q.scales(p.inputs)
	err := parallel.For(ctx, workers, (len(pairs)+predictBlock-1)/predictBlock, func(_, block int) error {
		first := block * predictBlock
		last := min(first+predictBlock, len(pairs))
		z := mat.NewDense(last-first, q.Modes, nil)
		for i, pair := range pairs[first:last] {
			floats.MulTo(z.RawRowView(i), scales, p.coefficients.RawRowView(pair))
		}
		features(phi.Slice(first, last, 0, len(p.phases)).(*mat.Dense), z, directions, p.phases)
		return nil
	})
	return phi, err
}

// choose begins with a kernel of Matern type, one length scale, and a ridge that hardly matters.
func (p *scalarProblem) choose(ctx context.Context, workers int) (ScalarParameters, error) {
	parameters := func(at []int) ScalarParameters {
		return ScalarParameters{Tail: tailLadder[at[0]], Parameters: Parameters{Modes: len(p.inputs.variances),
			Cutoff: cutoffLadder[at[1]], Decay: decayLadder[at[2]], Length: lengthLadder[at[3]], Ridge: ridgeLadder[at[4]]}}
	}
	rungs := []int{len(tailLadder), len(cutoffLadder), len(decayLadder), len(lengthLadder), len(ridgeLadder)}
	at, _, err := descend(rungs, []int{2, 4, 3, 8, 7}, func(at []int) (float64, error) {
		_, _, s, err := p.dual(ctx, parameters(at), workers)
		return s, err
	})
	if err != nil {
		return ScalarParameters{}, err
	}
	return parameters(at), nil
}

// dual solves for few pairs: c_j = sum_i phi_ij d_i, (1 + phi phi' + Ridge) d = u. The first row of c is the constant.
func (p *scalarProblem) dual(ctx context.Context, q ScalarParameters, workers int) (directions, c *mat.Dense,
	leaveOneOut float64, err error) {
	directions = p.directions(q.Tail)
	phi, err := p.features(ctx, q, directions, counted(p.count()), workers)
	if err != nil {
		return nil, nil, 0, err
	}
	values := linalg.NewSymmetric(p.count())
	err = parallel.For(ctx, workers, p.count(), func(_, i int) error {
		for j, row := i, values.Row(i); j < p.count(); j++ {
			row[j-i] = 1 + floats.Dot(phi.RawRowView(i), phi.RawRowView(j))
		}
		return nil
	})
	if err != nil {
		return nil, nil, 0, err
	}
	group, outputs := p.moved.group(), mat.NewDense(p.count(), len(p.weights), p.outputs)
	d, inverse, err := solveKernel(ctx, values, outputs, q.Ridge, group, workers)
	if err != nil || d == nil {
		return nil, nil, unsolved, err
	}
	if group == 1 {
		left := missedAlone(d, inverse)
		for i, size := range p.sizes {
			leaveOneOut += p.norm(left.RawRowView(i)) / size / float64(p.count())
		}
	} else {
		leaveOneOut = p.moved.leaveOneOut(p.sizesOf(counted(p.count()/group)), p.weights,
			func(at int) (rows, matrix *mat.Dense) {
				return d.Slice(at*group, (at+1)*group, 0, len(p.weights)).(*mat.Dense),
					mat.NewDense(group, group, inverse[at*group*group:(at+1)*group*group])
			})
	}
	c = mat.NewDense(1+len(p.phases), len(p.weights), nil)
	for i := range p.count() {
		floats.Add(c.RawRowView(0), d.RawRowView(i))
	}
	c.Slice(1, 1+len(p.phases), 0, len(p.weights)).(*mat.Dense).Mul(phi.T(), d)
	return directions, c, leaveOneOut, nil
}

// sizesOf are the L2 norms of the outputs of some pairs, whose images have the same.
func (p *scalarProblem) sizesOf(pairs []int) []float64 {
	sizes := make([]float64, len(pairs))
	for at, i := range pairs {
		sizes[at] = p.sizes[i*p.moved.group()]
	}
	return sizes
}

// counted is the numbers below n.
func counted(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// fit solves with all pairs: with few by dual, with many by the sums over them, for which the ridge is chosen anew. The
// pairs to leave out for it are given. The error is ctx's, or a *fault.Numerical.
func (p *scalarProblem) fit(ctx context.Context, q ScalarParameters, leave []int, workers int) (*Scalar, error) {
	var directions, c *mat.Dense
	var leaveOneOut float64
	var err error
	if p.count() <= scalarFeatures {
		directions, c, leaveOneOut, err = p.dual(ctx, q, workers)
	} else {
		directions, c, leaveOneOut, err = p.primal(ctx, &q, leave, workers)
	}
	if err != nil {
		return nil, err
	}
	if !grid.Finite(leaveOneOut) {
		return nil, &fault.Numerical{Where: "scalar random features",
			What: fmt.Sprintf("the sums over %d pairs are not positive definite with ridge %g", p.count(), q.Ridge),
			Do:   "look for inputs that occur twice"}
	}
	at := p.place
	at.leaveOneOut = leaveOneOut
	s := &Scalar{ScalarParameters: q, directions: directions, phases: p.phases,
		expansion: expansion{place: at, coordinates: p.inputs.coordinates(q.scales(p.inputs)), constant: c.RawRowView(0),
			coefficients: mat.DenseCopyOf(c.Slice(1, 1+scalarFeatures, 0, len(p.weights)))}}
	return s.prepare(), nil
}

// sums are S = sum_i phi_i phi_i' and sum_i phi_i u_i', with phi_0 = 1.
func (p *scalarProblem) sums(ctx context.Context, q ScalarParameters, directions *mat.Dense, workers int) (
	gram *linalg.Symmetric, products *linalg.Rectangle, err error) {
	V := len(p.weights)
	gram, products = linalg.NewSymmetric(1+len(p.phases)), linalg.NewRectangle(1+len(p.phases), V)
	left, right := linalg.NewPanels(scalarChunk, 1+len(p.phases)), linalg.NewPanels(scalarChunk, V)
	all := counted(p.count())
	for first := 0; first < len(all); first += scalarChunk {
		some := all[first:min(first+scalarChunk, len(all))]
		phi, err := p.features(ctx, q, directions, some, workers)
		if err != nil {
			return nil, nil, err
		}
		for i, pair := range some {
			left.Panel(0)[4*i] = 1
			for j, v := range phi.RawRowView(i) {
				left.Panel((1 + j) / 4)[4*i+(1+j)%4] = v
			}
			for x, v := range p.outputs[pair*V : (pair+1)*V] {
				right.Panel(x / 4)[4*i+x%4] = v
			}
		}
		if _, err := gram.RankUpdateFrom(ctx, left, len(some), 0, workers); err != nil {
			return nil, nil, err
		}
		if err := products.AddProduct(ctx, left, right, len(some), workers); err != nil {
			return nil, nil, err
		}
	}
	return gram, products, nil
}

// primal solves (S + Ridge) c = sum_i phi_i u_i' for many pairs, and chooses the ridge by what is missed when each of
// some pairs is left out: (u_i - phi_i' c)/(1 - phi_i' (S + Ridge)^-1 phi_i).
func (p *scalarProblem) primal(ctx context.Context, q *ScalarParameters, leave []int, workers int) (directions,
	c *mat.Dense, leaveOneOut float64, err error) {
	directions = p.directions(q.Tail)
	gram, products, err := p.sums(ctx, *q, directions, workers)
	if err != nil {
		return nil, nil, 0, err
	}
	phi, err := p.features(ctx, *q, directions, p.moved.numbers(leave), workers)
	if err != nil {
		return nil, nil, 0, err
	}
	solve := func(ridge float64) (*mat.Dense, float64, error) {
		factor, err := linalg.Factor(ctx, gram.Clone(), ridge, workers)
		var notPositive *linalg.NotPositiveDefiniteError
		if errors.As(err, &notPositive) {
			return nil, math.Inf(1), nil
		}
		if err != nil {
			return nil, 0, err
		}
		return p.leave(ctx, factor, products, phi, leave, workers)
	}
	at, leaveOneOut, err := descend([]int{len(ridgeLadder)}, []int{slices.Index(ridgeLadder[:], q.Ridge)},
		func(at []int) (float64, error) {
			_, s, err := solve(ridgeLadder[at[0]])
			return s, err
		})
	if err != nil || math.IsInf(leaveOneOut, 1) {
		return nil, nil, leaveOneOut, err
	}
	q.Ridge = ridgeLadder[at[0]]
	c, leaveOneOut, err = solve(q.Ridge)
	return directions, c, leaveOneOut, err
}

// leave is the solution and the error of leaving out, with the factor of the sums and the features phi of some pairs.
func (p *scalarProblem) leave(ctx context.Context, factor *linalg.Cholesky, products *linalg.Rectangle, phi *mat.Dense,
	pairs []int, workers int) (c *mat.Dense, leaveOneOut float64, err error) {
	group := p.moved.group()
	V, n := len(p.weights), len(pairs)*group
	c = mat.NewDense(1+len(p.phases), V, nil)
	for j := range 1 + len(p.phases) {
		c.SetRow(j, products.Row(j))
	}
	if err := factor.SolveMany(ctx, c.RawMatrix().Data, V, workers); err != nil {
		return nil, 0, err
	}
	spread := mat.NewDense(1+len(p.phases), n, nil) // of (S + Ridge)^-1 phi_i in columns
	for i := range n {
		spread.Set(0, i, 1)
		for j, v := range phi.RawRowView(i) {
			spread.Set(1+j, i, v)
		}
	}
	if err := factor.SolveMany(ctx, spread.RawMatrix().Data, n, workers); err != nil {
		return nil, 0, err
	}
	var fitted mat.Dense
	fitted.Mul(phi, c.Slice(1, 1+len(p.phases), 0, V))
	if group > 1 {
		return c, p.moved.leaveOneOut(p.sizesOf(pairs), p.weights, func(at int) (rows, matrix *mat.Dense) {
			rows, matrix = mat.NewDense(group, V, nil), mat.NewDense(group, group, nil)
			for g := range group {
				i := at*group + g
				for x, u := range p.outputs[(pairs[at]*group+g)*V:][:V] {
					rows.Set(g, x, u-c.At(0, x)-fitted.At(i, x))
				}
				matrix.Set(g, g, 1)
				for h := range group {
					follows := spread.At(0, at*group+h)
					for j, v := range phi.RawRowView(i) {
						follows += v * spread.At(1+j, at*group+h)
					}
					matrix.Set(g, h, matrix.At(g, h)-follows)
				}
			}
			return rows, matrix
		}), nil
	}
	for i, pair := range pairs {
		kept, missed := 1-spread.At(0, i), 0.0
		for j, v := range phi.RawRowView(i) {
			kept -= v * spread.At(1+j, i)
		}
		constant, row := c.RawRowView(0), fitted.RawRowView(i)
		for x, u := range p.outputs[pair*V : (pair+1)*V] {
			d := u - constant[x] - row[x]
			missed += p.weights[x] * d * d
		}
		leaveOneOut += math.Sqrt(missed) / kept / p.sizes[pair] / float64(n)
	}
	return c, leaveOneOut, nil
}

// String is one of Operator.
func (s *Scalar) String() string {
	law := fmt.Sprintf("Student t (%d)", s.Tail)
	switch s.Tail {
	case 0:
		law = "Gaussian"
	case 1:
		law = "Cauchy"
	}
	return fmt.Sprintf("%d scalar random features, %s, with functions as coefficients, ridge %g", len(s.phases), law,
		s.Ridge)
}

// prepare derives what is not stored.
func (s *Scalar) prepare() *Scalar {
	modes, m := s.directions.Dims()
	s.work = float64(m) * (2*float64(modes) + exponential)
	s.terms = func(phi, z *mat.Dense) { features(phi, z, s.directions, s.phases) }
	return s
}

// Check is one of Operator.
func (s *Scalar) Check() error {
	if s.Tail < 0 {
		return feature.Unusable(fmt.Sprintf("has features of %d degrees of freedom", s.Tail))
	}
	return s.expansion.Check()
}

// scalarScalars is what model files say of it beside arrays.
type scalarScalars struct {
	gridScalars
	ScalarParameters
}

// Encode is one of Operator.
func (s *Scalar) Encode() (string, any, []npy.Named) {
	return scalarMethod.Name, scalarScalars{s.scalars(), s.ScalarParameters}, append(s.arrays(),
		dense("directions", s.directions), array("phases", s.phases, len(s.phases)))
}

func readScalar(leaveOneOut float64, s feature.Stored) (Operator, error) {
	var scalars scalarScalars
	if err := s.Scalars(&scalars); err != nil {
		return nil, err
	}
	e, err := readExpansion(s, scalars.gridScalars, leaveOneOut, -1)
	if err != nil {
		return nil, err
	}
	m, _ := e.coefficients.Dims()
	_, modes := e.components.Dims()
	directions, err := readDense(s, "directions", modes, m)
	if err != nil {
		return nil, err
	}
	phases, err := readArray(s, "phases", m)
	if err != nil {
		return nil, err
	}
	return readSymmetrised((&Scalar{*e, scalars.ScalarParameters, directions, phases.Data}).prepare(), s)
}

// NumPy is one of Operator.
func (s *Scalar) NumPy(points int) (imports, program string) {
	return s.program(points, `w, b = model["directions"], model["phases"]
phi = np.sqrt(2/len(b))*np.cos(z @ w + b)`)
}
