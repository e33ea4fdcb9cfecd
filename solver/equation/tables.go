// This file computes the tables of a time step. Decaying modes use the scheme of S. Krogstad, "Generalized integrating
// factor methods for stiff PDEs", Journal of Computational Physics 203 (2005), with z = L h and phi of z unless noted,
//
//	a    = e^(z/2) u + h/2 phi1(z/2) N(u)
//	b    = e^(z/2) u + h (phi1/2 - phi2)(z/2) N(u) + h phi2(z/2) N(a)
//	c    = e^z u + h (phi1 - 2 phi2) N(u) + 2 h phi2 N(b)
//	next = e^z u + h (phi1 - 3 phi2 + 4 phi3) N(u) + h (2 phi2 - 4 phi3) (N(a) + N(b)) + h (4 phi3 - phi2) N(c).
//
// It has order four, and order two for modes that turn many times within a step and are rough: see Worker.estimate.

package equation

import (
	"math"
	"math/cmplx"
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
	bends  [maxField][]float64 // squared factor of the bend of the rest in the sum of the errors; see Worker.estimate
}

// newTables computes the tables for a step h of a solution over the time w.time.
func (w *Worker) newTables(h float64) *tables {
	s, t := w.solver, &tables{step: h}
	for i := range s.fields {
		t.errors[i], t.bends[i] = make([]float64, s.n), make([]float64, s.n)
	}
	for _, fields := range s.parts {
		for p, q := range s.mirror {
			switch {
			case q < p: // as of its mirror
			case len(fields) == 1:
				w.setField(t, fields[0], p)
			default:
				w.setFields(t, fields, p)
			}
		}
	}
	return t
}

// setField computes the tables of a field that the symbol does not couple: several times as fast as setFields.
func (w *Worker) setField(t *tables, i, p int) {
	L, h := w.solver.at([]int{i}, p)[0][0]-complex(w.split[i]*w.square(p), 0), complex(t.step, 0)
	f, g := phisOf(L*h), phisOf(L*h/2)
	w.setError(t, i, p, real(L), cmplx.Abs(L), math.Abs(imag(L)) > math.Abs(real(L)))
	w.set(t, i, i, p, coefficients(h, [4]complex128(f[:4]), [4]complex128(g[:4])))
}

// setFields computes the tables of coupled fields at the position p and its mirror.
func (w *Worker) setFields(t *tables, fields []int, p int) {
	s, h, size := w.solver, complex(t.step, 0), len(fields)
	m := s.at(fields, p)
	trace := 0.0
	for i, field := range fields {
		m[i][i] -= complex(w.split[field]*w.square(p), 0)
		trace += real(m[i][i])
	}
	var z, middle matrix
	z.add(h, &m, size)
	middle.add(h/2, &m, size)
	f, g := phis(&z, size), phis(&middle, size)
	norm := m.norm(size)
	for i, row := range fields {
		w.setError(t, row, p, real(m[i][i]), norm, -trace/float64(size) < 0.4*norm)
		for j, column := range fields {
			w.set(t, row, column, p, coefficients(h, [4]complex128{f[0][i][j], f[1][i][j], f[2][i][j], f[3][i][j]},
				[4]complex128{g[0][i][j], g[1][i][j], g[2][i][j], g[3][i][j]}))
		}
	}
}

// square returns -1 times the symbol of the Laplacian.
func (w *Worker) square(p int) float64 {
	k := w.solver.waves[p]
	return k[0]*k[0] + k[1]*k[1]
}

// setError sets the factors of the error estimate of a mode whose symbol has a real part and a size. Only decay enters
// the first one, since oscillation does not reduce errors; for L = 0 it is h/10 (Balac & Mahe 2013).
func (w *Worker) setError(t *tables, row, p int, decay, size float64, turns bool) {
	h, factor, bend := t.step, t.step/10, 0.0
	if turns {
		z := size * h
		bend = bendShare*w.time/(1+math.Pow(z/2, 4)) + h*math.Min(1, z/3)
		if w.solver.varies[row] { // the errors of all steps have one sign
			bend *= 3
		}
	} else {
		d := phisReal(decay * h)
		factor = 0.6 * h * (4*d[3] - d[2])
		if w.solver.clock {
			bend = 3 * bendShare * w.time
		}
	}
	for _, at := range [2]int{p, w.solver.mirror[p]} {
		t.errors[row][at], t.bends[row][at] = factor*factor, bend*bend
	}
}

// coefficients returns the coefficients of Krogstad's scheme, f = phi(z) and g = phi(z/2).
func coefficients(h complex128, f, g [4]complex128) [tableCount]complex128 {
	return [tableCount]complex128{g[0], f[0], h * g[1] / 2, h * (g[1]/2 - g[2]), h * g[2], h * (f[1] - 2*f[2]),
		2 * h * f[2],
		h * (f[1] - 3*f[2] + 4*f[3]), h * (2*f[2] - 4*f[3]), h * (4*f[3] - f[2])}
}

// set stores the coefficients of a mode and of its mirror, so that real functions stay real.
func (w *Worker) set(t *tables, i, j, p int, c [tableCount]complex128) {
	s := w.solver
	for k, v := range c {
		table := &t.m[k][i][j]
		if *table == nil {
			if v == 0 {
				continue
			}
			*table = make([]float64, len(w.ones))
		}
		for e, at := range [2]int{s.mirror[p], p} {
			v := v
			if e == 0 {
				v = cmplx.Conj(v)
			}
			if k >= aU {
				v *= w.factor[j][at]
			}
			if s.isReal {
				(*table)[at] = real(v)
			} else {
				(*table)[2*at], (*table)[2*at+1] = real(v), imag(v)
			}
		}
	}
}
