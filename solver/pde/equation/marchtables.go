// This file computes the tables of a time step on the modes of space: numbers for each mode, or matrices over the state.

package equation

import (
	"maps"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/phi"
)

// modeTables are the factors of a step for a part, in the order of tables.go, then by row and column: numbers by mode; nil
// for 0.
type modeTables [frameU][maxField][maxField][]float64

// stepTables are the factors of a step: numbers for the modes of each part, or matrices over the state.
type stepTables struct {
	parts    []modeTables
	matrices [frameU]*mat.Dense // size x size
}

// denseBytes bounds the memory of the tables of one discretisation.
const denseBytes = 64 << 20

// tablesOf returns the tables of a step.
func (s *stepper) tablesOf(h float64) *stepTables {
	if known := s.tables[h]; known != nil {
		return known
	}
	bytes := 8 * int(frameU) * s.size
	if s.matrix != nil {
		bytes *= s.size
	}
	if len(s.tables)*bytes > denseBytes {
		clear(s.tables)
	}
	t := &stepTables{}
	if s.matrix != nil {
		g, productsOfHalf := s.phis.of(s.matrix, h/2)
		f, products := s.phis.of(s.matrix, h)
		t.matrices = denseTables(g, f, h)
		s.budget.spend(s.workOfProducts(productsOfHalf + products))
	}
	for _, part := range s.parts {
		t.parts = append(t.parts, s.newModeTables(part, h))
	}
	s.tables[h] = t
	return t
}

// newModeTables returns the tables of a part for a step h.
func (s *stepper) newModeTables(p part, h float64) (tables modeTables) {
	size := len(p.fields)
	for number := range tables {
		for i := range size {
			for j := range size {
				tables[number][i][j] = make([]float64, p.modes)
			}
		}
	}
	var symbol phi.Matrix
	var ofStep, ofHalf [4]phi.Matrix // phi functions 0 to 3
	for k := range p.modes {
		s.symbolAt(&symbol, p, k)
		sizes := balance(&symbol, size)
		phi.Of(&ofHalf, complex(h/2, 0), &symbol, size)
		phi.Double(&ofStep, &ofHalf, size)
		for i := range size {
			for j := range size {
				entries := krogstad(&ofStep, &ofHalf, h, i, j)
				for number := range tables {
					tables[number][i][j][k] = real(entries[number]) * sizes[i] / sizes[j]
				}
			}
		}
	}
	tables.dropZeros(size)
	return tables
}

// dropZeros takes out tables between fields that are zero, because these fields do not depend on each other.
func (t *modeTables) dropZeros(size int) {
	for number := range t {
		for i := range size {
			for j := range size {
				isZero := floats.Norm(t[number][i][j], 1) == 0
				if i != j && isZero {
					t[number][i][j] = nil
				}
			}
		}
	}
}

// symbolAt writes the symbol of a part at its mode k to m, with what moved to it from the rest.
func (s *stepper) symbolAt(m *phi.Matrix, p part, k int) {
	for i, row := range p.fields {
		for j := range p.fields {
			m[i][j] = 0
			if symbol := p.symbol[i][j]; symbol != nil {
				m[i][j] = complex(symbol[k], 0)
			}
		}
		if s.shift != nil {
			first := s.fields[row].first
			m[i][i] += complex(s.shift[first+k], 0)
		}
	}
}

// balance scales the variables of a matrix so that its rows and columns are of one size (E. E. Osborne, "On
// pre-conditioning of matrices", Journal of the ACM 7 (1960)), and returns the sizes of the variables. The velocity of a
// fast mode is large; unscaled, the exponential would lose its digits.
func balance(m *phi.Matrix, size int) (sizes [phi.Size]float64) {
	for i := range sizes {
		sizes[i] = 1
	}
	for range 8 {
		for i := range size {
			row, column := offDiagonal(m, size, i)
			if row == 0 || column == 0 {
				continue
			}
			exponent := math.Round(math.Log2(row/column) / 2)
			scale := math.Exp2(exponent) // powers of two are exact
			sizes[i] *= scale
			for j := range size {
				if i != j {
					m[i][j] /= complex(scale, 0)
					m[j][i] *= complex(scale, 0)
				}
			}
		}
	}
	return sizes
}

// offDiagonal returns the sums of the sizes in row i and in column i of a matrix, without the diagonal.
func offDiagonal(m *phi.Matrix, size, i int) (row, column float64) {
	for j := range size {
		if i != j {
			row += cmplx.Abs(m[i][j])
			column += cmplx.Abs(m[j][i])
		}
	}
	return row, column
}

// denseTables computes the tables of a step h: the formulas of tables.go, with g the phi functions of half a step and f those of a
// whole one.
func denseTables(g, f densePhis, h float64) (tables [frameU]*mat.Dense) {
	tables[half] = withIdentity(g[0])
	tables[whole] = withIdentity(f[0])
	tables[aU] = weightedSum(h, multiple{0.5, g[1]})
	tables[bU] = weightedSum(h, multiple{0.5, g[1]}, multiple{-1, g[2]})
	tables[bA] = weightedSum(h, multiple{1, g[2]})
	tables[cU] = weightedSum(h, multiple{1, f[1]}, multiple{-2, f[2]})
	tables[cB] = weightedSum(h, multiple{2, f[2]})
	tables[nextU] = weightedSum(h, multiple{1, f[1]}, multiple{-3, f[2]}, multiple{4, f[3]})
	tables[nextAB] = weightedSum(h, multiple{2, f[2]}, multiple{-4, f[3]})
	tables[nextC] = weightedSum(h, multiple{4, f[3]}, multiple{-1, f[2]})
	return tables
}

// multiple is c times a matrix.
type multiple struct {
	c float64
	m *mat.Dense
}

// weightedSum returns h times a sum.
func weightedSum(h float64, sum ...multiple) *mat.Dense {
	n, _ := sum[0].m.Dims()
	out := mat.NewDense(n, n, nil)
	for _, s := range sum {
		addMultiple(out, h*s.c, s.m)
	}
	return out
}

// densePhis are the phi functions 1 to 3 of a matrix y, and in place of phi_0, which is e^y, the difference e^y - 1. The difference
// keeps the digits of slow modes, which 1 would hide: where the fastest mode decays 10^16 times as fast as the slowest, y may
// be below the rounding errors of 1 for the slow ones. They are not changed.
type densePhis [4]*mat.Dense

// phiLadder keeps the phi functions of multiples of a matrix. Because steps are halved and doubled, those of one step are on the way
// to those of others.
type phiLadder map[float64]densePhis

// ladderBytes bounds the memory of the phi functions of one discretisation.
const ladderBytes = 192 << 20

// of returns the phi functions of h a: those of a known half, quarter, ... or of a multiple whose norm is at most 1/2, doubled.
// It also returns how many products of matrices that took.
func (l phiLadder) of(a *mat.Dense, h float64) (p densePhis, products int) {
	excess := mat.Norm(a, math.Inf(1)) * h / 0.5
	doublings := 0
	if excess > 1 {
		doublings = int(math.Ceil(math.Log2(excess)))
	}
	rungs := 0 // to climb
	for rungs < doublings && l[math.Ldexp(h, -rungs)][0] == nil {
		rungs++
	}
	first := math.Ldexp(h, -rungs)
	p = l[first]
	if p[0] == nil {
		p = smallPhis(a, first)
		products = seriesTerms
	}
	for rung := rungs - 1; rung >= 0; rung-- {
		l.keep(math.Ldexp(first, rungs-1-rung), p)
		p = p.doubled()
		products += len(p)
	}
	l.keep(h, p)
	return p, products
}

// keep stores phi functions of a multiple. If there are too many, it forgets those of the smallest multiple.
func (l phiLadder) keep(h float64, p densePhis) {
	n, _ := p[0].Dims()
	most := max(2, ladderBytes/(8*len(p)*n*n))
	l[h] = p
	if len(l) > most {
		delete(l, slices.Min(slices.Collect(maps.Keys(l))))
	}
}

// seriesTerms is the number of terms of the series of smallPhis.
const seriesTerms = 16

// smallPhis computes the phi functions of h a, whose norm is at most 1/2, by the series
//
//	phi_j(y) = 1/j! + y phi_(j+1)(y),
//
// from zero for phi_16.
func smallPhis(a *mat.Dense, h float64) (p densePhis) {
	const last = len(p) - 1
	n, _ := a.Dims()
	var y mat.Dense
	y.Scale(h, a)
	factorials := [seriesTerms]float64{1}
	for j := 1; j < seriesTerms; j++ {
		factorials[j] = factorials[j-1] * float64(j)
	}
	for k := range p {
		p[k] = mat.NewDense(n, n, nil)
	}
	for j := seriesTerms - 1; j >= 0; j-- {
		before := min(j+1, last) // those above phi_3 pass through the last place
		next := matrixProducts(p[before], &y)[0]
		if j > 0 {
			addIdentity(next, 1/factorials[j])
		}
		p[min(j, last)] = next
	}
	return p
}

// withIdentity returns the sum of a square matrix and the identity.
func withIdentity(m *mat.Dense) *mat.Dense {
	sum := mat.DenseCopyOf(m)
	addIdentity(sum, 1)
	return sum
}

// addIdentity adds c times the identity to a square matrix.
func addIdentity(m *mat.Dense, c float64) {
	n, _ := m.Dims()
	for i := range n {
		m.Set(i, i, m.At(i, i)+c)
	}
}

// doubled returns those of 2 y:
//
//	e^(2y) - 1 = (e^y - 1)^2 + 2 (e^y - 1)
//	2^k phi_k(2 y) = (e^y - 1) phi_k(y) + phi_k(y) + sum of phi_l(y)/(k-l)! over l from 1 to k.
func (p densePhis) doubled() (q densePhis) {
	inverseFactorials := [4]float64{1, 1, 1. / 2, 1. / 6}
	products := matrixProducts(p[0], p[:]...)
	q[0] = products[0]
	addMultiple(q[0], 2, p[0])
	for k := 1; k < len(q); k++ {
		q[k] = products[k]
		q[k].Add(q[k], p[k])
		for l := 1; l <= k; l++ {
			addMultiple(q[k], inverseFactorials[k-l], p[l])
		}
		q[k].Scale(math.Ldexp(1, -k), q[k])
	}
	return q
}

// addMultiple adds c times a matrix to another one.
func addMultiple(to *mat.Dense, c float64, m *mat.Dense) {
	var part mat.Dense
	part.Scale(c, m)
	to.Add(to, &part)
}
