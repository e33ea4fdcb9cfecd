// This file computes the tables of a time step. Decaying modes use the scheme of S. Krogstad, "Generalized integrating
// factor methods for stiff PDEs", Journal of Computational Physics 203 (2005), with z = L h and phi of z unless noted,
//
//	a    = e^(z/2) u + h/2 phi1(z/2) N(u)
//	b    = e^(z/2) u + h (phi1/2 - phi2)(z/2) N(u) + h phi2(z/2) N(a)
//	c    = e^z u + h (phi1 - 2 phi2) N(u) + 2 h phi2 N(b)
//	next = e^z u + h (phi1 - 3 phi2 + 4 phi3) N(u) + h (2 phi2 - 4 phi3) (N(a) + N(b)) + h (4 phi3 - phi2) N(c).
//
// It has order four, and order two for modes that turn many times within a step and are rough: see worker.estimate.

package equation

import (
	"math"
	"math/cmplx"

	"rfm/solver/num/phi"
)

// The tables of a step: e^(z/2), e^z, and the factors of N in the order of the formulas above.
const (
	half = iota
	whole
	aU
	bU
	bA
	cU
	cB
	nextU
	nextAB
	nextC
	tableCount
)

// multiplier is a matrix of functions of k. Real ones are diagonal and have one number a mode, complex ones two; nil is
// 0.
type multiplier [maxField][maxField][]float64

// tables holds the tables of one step.
type tables struct {
	step   float64
	m      [tableCount]multiplier
	errors [maxField][]float64 // squared factor of N(c) - N(next) in the error
	bends  [maxField][]float64 // squared factor of the bend of the rest in the sum of the errors; see worker.estimate
}

// setModes computes the tables of coupled fields at the position p and its mirror.
func (w *worker) setModes(fields []int, p int) {
	m, f, g, size, trace, step := &w.m, &w.f, &w.g, len(fields), 0.0, w.tables.step
	w.at(m, fields, p)
	for i, field := range fields {
		m[i][i] -= complex(w.split[field]*w.square(p), 0)
		trace += real(m[i][i])
	}
	h, short := complex(step, 0), complex(step/2, 0)
	phi.Of(g, short, m, size)
	phi.Double(f, g, size)
	norm := m.Norm(size)
	turns := -trace/float64(size) < 0.4*norm
	if size == 1 {
		turns = math.Abs(imag(m[0][0])) > math.Abs(trace)
	}
	for i, row := range fields {
		d := [4]complex128{2: f[2][i][i], 3: f[3][i][i]}
		if !turns && (size > 1 || imag(m[i][i]) != 0) { // only decay counts, since oscillation does not reduce errors
			d = phi.OfNumber(complex(real(m[i][i])*step, 0))
		}
		w.setError(row, p, 0.6*step*real(4*d[3]-d[2]), norm, turns)
		for j, column := range fields {
			f0, f1, f2, f3, g1, g2 := f[0][i][j], f[1][i][j], f[2][i][j], f[3][i][j], g[1][i][j], g[2][i][j]
			w.set(row, column, p, [tableCount]complex128{g[0][i][j], f0, short * g1, h * (0.5*g1 - g2), h * g2,
				h * (f1 - 2*f2), 2 * h * f2, h * (f1 - 3*f2 + 4*f3), h * (2*f2 - 4*f3), h * (4*f3 - f2)})
		}
	}
}

// square returns -1 times the symbol of the Laplacian.
func (w *worker) square(p int) float64 {
	k := w.waves[p]
	return k[0]*k[0] + k[1]*k[1]
}

// setError sets the factors of the error estimate of a mode: of one that decays, for which L = 0 gives h/10 (Balac &
// Mahe 2013), or that turns with a symbol of a size.
func (w *worker) setError(row, p int, factor, size float64, turns bool) {
	t, bend := w.tables, 0.0
	if turns {
		z := size * t.step
		factor, bend = t.step/10, bendShare*w.time/(1+math.Pow(z/2, 4))+t.step*math.Min(1, z/3)
		if w.rows[row].varies { // the errors of all steps have one sign
			bend *= 3
		}
	} else if w.clock {
		bend = 3 * bendShare * w.time
	}
	if t.errors[row] == nil {
		t.errors[row], t.bends[row] = make([]float64, w.n), make([]float64, w.n)
	}
	for _, at := range [2]int{p, w.mirror[p]} {
		t.errors[row][at], t.bends[row][at] = factor*factor, bend*bend
	}
}

// set stores the coefficients of a mode and of its mirror, so that real functions stay real.
func (w *worker) set(i, j, p int, c [tableCount]complex128) {
	q, width := w.mirror[p], 2
	if w.isReal {
		width = 1
	}
	for k, v := range c {
		table := w.tables.m[k][i][j]
		if table == nil && v == 0 {
			continue
		} else if table == nil {
			table = make([]float64, width*w.n)
			w.tables.m[k][i][j] = table
		}
		mirrored := cmplx.Conj(v)
		if k >= aU {
			v, mirrored = v*w.plan.factor[j][p], mirrored*w.plan.factor[j][q]
		}
		if table[width*q], table[width*p] = real(mirrored), real(v); !w.isReal {
			table[2*q+1], table[2*p+1] = imag(mirrored), imag(v)
		}
	}
}
