// This file computes the tables of a time step. Decaying modes use the scheme of S. Krogstad, "Generalized integrating
// factor methods for stiff PDEs", Journal of Computational Physics 203 (2005), with z = L h and phi of z unless noted,
//
//	a    = e^(z/2) u + h/2 phi1(z/2) N(u)
//	b    = e^(z/2) u + h (phi1/2 - phi2)(z/2) N(u) + h phi2(z/2) N(a)
//	c    = e^z u + h (phi1 - 2 phi2) N(u) + 2 h phi2 N(b)
//	next = e^z u + h (phi1 - 3 phi2 + 4 phi3) N(u) + h (2 phi2 - 4 phi3) (N(a) + N(b)) + h (4 phi3 - phi2) N(c).
//
// It has order four, and order two for modes that turn many times within a step and are rough: see worker.estimate.
// Modes whose rest turns with them have the scheme of J. D. Lawson, SIAM Journal on Numerical Analysis 4 (1967), the
// classical Runge-Kutta scheme for e^(-tL) u: see frames.go.

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
	frameU // from N(u), N(b) and N(next) to the frame of the mode at the end of the step, if a mode has a frame
	frameB
	frameC
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

// setModes computes the tables of a part of coupled fields at the position p, at its partner and at their mirrors.
func (w *worker) setModes(part, p, partner int) {
	fields := w.parts[part]
	m := &w.m
	size := len(fields)
	step := w.tables.step
	trace := w.coupled(fields, p)
	phi.Of(&w.g, complex(step/2, 0), m, size)
	phi.Double(&w.f, &w.g, size)
	norm := m.Norm(size)
	turns := turning(m, size, trace, norm)
	inFrame := still
	if turns {
		inFrame = w.frames[part][p]
	}
	for i, row := range fields {
		phi2 := w.f[2][i][i]
		phi3 := w.f[3][i][i]
		if !turns && (size > 1 || imag(m[i][i]) != 0) { // only decay counts, since oscillation does not reduce errors
			ofDecay := phi.OfNumber(complex(real(m[i][i])*step, 0))
			phi2 = ofDecay[2]
			phi3 = ofDecay[3]
		}
		factor := 0.6 * step * real(4*phi3-phi2)
		w.setError(row, p, factor, norm, turns, inFrame)
		if partner != p {
			w.setError(row, partner, factor, norm, turns, inFrame)
		}
		for j, column := range fields {
			var entries [tableCount]complex128
			if inFrame != still {
				entries = w.lawson(i, j)
			} else {
				entries = krogstad(&w.f, &w.g, step, i, j)
			}
			w.set(row, column, p, &entries)
			if partner != p {
				w.set(row, column, partner, &entries)
			}
		}
	}
}

// coupled writes the symbol of coupled fields at a position to w.m, with the diffusion that moved to it, and returns the
// real part of its trace.
func (w *worker) coupled(fields []int, p int) (trace float64) {
	w.at(&w.m, fields, p)
	for i, field := range fields {
		w.m[i][i] -= complex(w.moved(field, p), 0)
		trace += real(w.m[i][i])
	}
	return trace
}

// turning reports whether the modes of a symbol turn rather than decay.
func turning(m *phi.Matrix, size int, trace, norm float64) bool {
	if size == 1 {
		return math.Abs(imag(m[0][0])) > math.Abs(trace)
	}
	return -trace/float64(size) < 0.4*norm
}

// krogstad returns the entries i, j of the tables of the exponential scheme from phi functions of a step and of half of it.
func krogstad(f, g *[4]phi.Matrix, step float64, i, j int) [tableCount]complex128 {
	h := complex(step, 0)
	g0 := g[0][i][j]
	g1 := g[1][i][j]
	g2 := g[2][i][j]
	f0 := f[0][i][j]
	f1 := f[1][i][j]
	f2 := f[2][i][j]
	f3 := f[3][i][j]
	one := identity(i, j)
	return [tableCount]complex128{
		half:   g0,
		whole:  f0,
		aU:     h / 2 * g1,
		bU:     h * (g1/2 - g2),
		bA:     h * g2,
		cU:     h * (f1 - 2*f2),
		cB:     2 * h * f2,
		nextU:  h * (f1 - 3*f2 + 4*f3),
		nextAB: h * (2*f2 - 4*f3),
		nextC:  h * (4*f3 - f2),
		frameU: one,
		frameB: one,
		frameC: one,
	}
}

// lawson returns the entries i, j of the tables of the classical scheme in the frame that turns with the modes.
func (w *worker) lawson(i, j int) [tableCount]complex128 {
	h := complex(w.tables.step, 0)
	g0 := w.g[0][i][j]
	f0 := w.f[0][i][j]
	one := identity(i, j)
	return [tableCount]complex128{
		half:   g0,
		whole:  f0,
		aU:     h / 2 * g0,
		bA:     h / 2 * one,
		cB:     h * g0,
		nextU:  h / 6 * f0,
		nextAB: h / 3 * g0,
		nextC:  h / 6 * one,
		frameU: f0,
		frameB: g0,
		frameC: one,
	}
}

// identity returns an entry of the identity.
func identity(i, j int) complex128 {
	if i == j {
		return 1
	}
	return 0
}

// setError sets the factors of the error estimate of a mode: of one that decays, for which L = 0 gives h/10 (Balac &
// Mahe 2013), or that turns with a symbol of a size.
func (w *worker) setError(row, p int, factor, size float64, turns bool, inFrame frame) {
	t := w.tables
	varies := w.rows[row].varies
	bend := 0.0
	switch {
	case inFrame != still:
		factor = t.step / 10
		bend = frameShare * w.time
		if inFrame == blurred {
			ofChangingSigns := blurShare * math.Sqrt(t.step*w.time)
			bend = math.Min(bend, ofChangingSigns)
		}
		if varies { // the errors of all steps have one sign
			bend *= 12
		}
	case turns:
		z := size * t.step
		factor = t.step / 10
		bend = bendShare*w.time/(1+math.Pow(z/2, 4)) + t.step*math.Min(1, z/3)
		if varies {
			bend *= 3
		}
	case w.clock:
		bend = 3 * bendShare * w.time
	}
	if t.errors[row] == nil {
		t.errors[row] = make([]float64, w.n)
		t.bends[row] = make([]float64, w.n)
	}
	for _, at := range [2]int{p, w.mirror[p]} {
		t.errors[row][at] = factor * factor
		t.bends[row][at] = bend * bend
	}
}

// set stores the coefficients of a mode and of its mirror, so that real functions stay real.
func (w *worker) set(i, j, p int, c *[tableCount]complex128) {
	q := w.mirror[p]
	for k, v := range c {
		if k >= frameU && !w.hasFrame {
			continue
		}
		table := w.tables.m[k][i][j]
		if table == nil {
			if v == 0 {
				continue
			}
			table = w.newTable()
			w.tables.m[k][i][j] = table
		}
		mirrored := cmplx.Conj(v)
		if k >= aU {
			v *= w.plan.factor[j][p]
			mirrored *= w.plan.factor[j][q]
		}
		if w.isReal { // the mode last, because it can be its own mirror
			table[q] = real(mirrored)
			table[p] = real(v)
			continue
		}
		table[2*q] = real(mirrored)
		table[2*q+1] = imag(mirrored)
		table[2*p] = real(v)
		table[2*p+1] = imag(v)
	}
}

// newTable returns a table of zeros: a number a mode if the symbol is real, else two.
func (w *worker) newTable() []float64 {
	if w.isReal {
		return make([]float64, w.n)
	}
	return make([]float64, 2*w.n)
}
