// Householder tridiagonalisation of a symmetric matrix in two stages.
//
// Reducing a matrix to tridiagonal form at once (LAPACK's DSYTRD) needs, for every column, the product of the rest of
// the matrix with a vector: half of all operations wait for memory, however many workers there are. Here the matrix is
// first reduced to a band, by products of matrices (band.go), and the band to tridiagonal form, within the caches
// (chase.go): Bischof, Lang & Sun 2000, "A framework for symmetric band reduction"; Haidar, Ltaief & Dongarra 2011,
// "Parallel reduction to condensed forms for symmetric eigenvalue problems". The price is a second set of reflectors,
// which is negligible for transforming one vector. From order 900 on this is faster than a single stage; below, a
// single stage would save milliseconds.

package linalg

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// tridiagonal is S = Q T Q' with T tridiagonal and Q = Q1 Q2, Q1 = F(0) F(1) ... from the reduction to a band and Q2
// from the reduction of the band. Reflectors are I - tau v v', v[0] = 1.
type tridiagonal struct {
	diagonal    []float64 // n
	offDiagonal []float64 // n, the last is 0
	// Row j of reflectors holds the vector of F(j) in columns j+bandWidth to n-1, and that of
	// sweep n-1-j of Q2 in columns 0 to j-1.
	reflectors *Symmetric
	bandTau    []float64 // n
	chaseTau   []float64 // those of sweep s start at s*positions(n-1)
}

// bandWidth is the width of the band: wide enough for the first stage to run at the rate of its products, narrow
// enough for the second, whose cost is proportional to it, to be the smaller part. It is a multiple of strip.
const bandWidth = 2 * strip

// tridiagonalise reduces a, which it overwrites and keeps. It costs 4/3 n^3 + 6 n^2 bandWidth additions and
// multiplications, and 8 n^2 bytes. All entries of a should be at most about 1 in modulus. The result does not depend
// on workers. It returns ctx.Err() if ctx is done.
func tridiagonalise(ctx context.Context, a *Symmetric, workers int) (tridiagonal, error) {
	n := a.order
	t := tridiagonal{
		diagonal:    make([]float64, n),
		offDiagonal: make([]float64, n),
		reflectors:  a,
		bandTau:     make([]float64, n),
	}
	t.chaseTau = make([]float64, n*t.positions(n-1))
	b, err := t.reduceToBand(ctx, workers)
	if err != nil {
		return t, err
	}
	return t, t.reduceBand(ctx, b, workers)
}

// positions returns the number of reflectors of a sweep that transforms count rows.
func (t *tridiagonal) positions(count int) int { return ceilDiv(max(count, 0), bandWidth) }

// bandVector returns the vector of F(j), which transforms the rows from j+width on.
func (t *tridiagonal) bandVector(j int) []float64 {
	row := t.reflectors.Row(j)
	return row[min(bandWidth, len(row)):]
}

// chaseVector returns the vector of reflector p of sweep s, which transforms the rows from chaseRow(s, p) on.
func (t *tridiagonal) chaseVector(s, p int) []float64 {
	a := t.reflectors
	j := a.order - 1 - s
	vectors := a.data[j*a.stride:][:j]
	first := p * bandWidth
	return vectors[first:min(first+bandWidth, j)]
}

func (t *tridiagonal) chaseRow(s, p int) int { return s + 1 + p*bandWidth }

func (t *tridiagonal) tauOf(s, p int) *float64 {
	perSweep := t.positions(t.reflectors.order - 1)
	return &t.chaseTau[s*perSweep+p]
}

// applyQ replaces x by Q x.
func (t *tridiagonal) applyQ(x []float64) {
	n := len(x)
	for s := n - 2; s >= 0; s-- {
		t.reflectSweep(s, x)
	}
	for j := n - 1; j >= 0; j-- {
		t.reflectBand(j, x)
	}
}

// applyQTransposed replaces x by Q'x.
func (t *tridiagonal) applyQTransposed(x []float64) {
	n := len(x)
	for j := range n {
		t.reflectBand(j, x)
	}
	for s := range n - 1 {
		t.reflectSweep(s, x)
	}
}

// reflectBand applies F(j).
func (t *tridiagonal) reflectBand(j int, x []float64) {
	rows := x[min(j+bandWidth, len(x)):]
	t.reflect(t.bandTau[j], t.bandVector(j), rows)
}

// reflectSweep applies the reflectors of a sweep, no two of which share a row.
func (t *tridiagonal) reflectSweep(s int, x []float64) {
	for p := range t.positions(len(x) - 1 - s) {
		v := t.chaseVector(s, p)
		rows := x[t.chaseRow(s, p):][:len(v)]
		t.reflect(*t.tauOf(s, p), v, rows)
	}
}

// reflect replaces x by (I - tau v v') x.
func (t *tridiagonal) reflect(tau float64, v, x []float64) {
	k := kernels{t.reflectors.level}
	product := k.dot(v, x)
	k.axpy(-tau*product, v, x)
}

// reflector computes tau and v, v[0] = 1, such that (I - tau v v') x = (beta, 0, ..., 0)', and overwrites x by v. Entries
// of the matrix are at most about 1: rests whose squares could underflow count as zero.
func (v kernels) reflector(x []float64) (tau, beta float64) {
	alpha := x[0]
	x[0] = 1
	rest := x[1:]
	norm := math.Sqrt(v.dot(rest, rest))
	if norm < 0x1p-450 {
		clear(rest)
		return 0, alpha
	}
	beta = -math.Copysign(math.Hypot(alpha, norm), alpha)
	floats.Scale(1/(alpha-beta), rest)
	return (beta - alpha) / beta, beta
}

// setFactor sets column t of T, whose earlier columns are set: (-tau T V'v, tau). V'v is in products, step apart.
// I - V T V' is the product of reflectors in the compact form of Schreiber & Van Loan 1989.
func setFactor(factor *Panels, t int, tau float64, products []float64, step int) {
	column := factor.Panel(t / 4)[t%4:]
	for i := range t {
		sum := 0.0
		for s := i; s < t; s++ {
			sum += factor.At(i, s) * products[s*step]
		}
		column[4*i] = -tau * sum
	}
	column[4*t] = tau
}
