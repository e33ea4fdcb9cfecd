// This file implements a step with its error estimate.

package equation

import (
	"math"

	"rfm/solver/fft"
)

// The constants of error control, from measurements on Burgers' equation with inputs from near shocks to pure decay. If
// solutions decay, the relative error at the next output time counts. So the estimate damps error and solution by
// exp(share L(k) s), the effect of the linear part over the remaining time s. Shares are below one because the
// nonlinear part moves energy between modes in the meantime.
const (
	stepShare  = 0.4  // largest estimate of one step, in units of the tolerance
	bendShare  = 0.02 // of the bend of the rest in the sum of all errors
	errorShare = 0.15 // of the future damping of the error
	normShare  = 0.5  // of the future damping of the solution
	maxDecay   = 6    // largest damping exponent of the slowest mode; for larger ones only relative sizes of modes matter
)

// join sets dst = A u + B image, or adds B image to dst if A is nil.
func (w *Worker) join(dst [][]float64, A *multiplier, u [][]float64, B *multiplier, image [][]float64) {
	s := w.solver
	for i := range dst {
		if s.isReal {
			a, v := w.ones, dst[i]
			if A != nil {
				a, v = A[i][i], u[i]
			}
			switch b := B[i][i]; {
			case b != nil:
				s.transform.Combine(dst[i], a, v, b, image[i])
			case A != nil:
				s.transform.Combine(dst[i], a, v, w.plan.zeros[:s.n], v)
			}
			continue
		}
		w.plan.begun = A == nil
		for j := range dst {
			if A != nil {
				w.plan.put(dst[i], A[i][j], u[j])
			}
			w.plan.put(dst[i], B[i][j], image[j])
		}
		w.plan.flush(dst[i])
	}
}

// try computes the candidate w.next after one step from w.u and returns the estimated error in units of the tolerance.
// The rest at the candidate is the first rest of the next step.
func (w *Worker) try() float64 {
	m := &w.tables.m
	w.join(w.stage, &m[half], w.u, &m[aU], w.image)
	w.rest(w.s2, w.stage, true)
	w.join(w.stage, &m[half], w.u, &m[bU], w.image)
	w.join(w.stage, nil, nil, &m[bA], w.s2)
	w.rest(w.s3, w.stage, true)
	w.join(w.stage, &m[whole], w.u, &m[cU], w.image)
	w.join(w.stage, nil, nil, &m[cB], w.s3)
	w.join(w.next, &m[whole], w.u, &m[nextU], w.image)
	w.join(w.next, nil, nil, &m[nextAB], w.s2)
	w.join(w.next, nil, nil, &m[nextAB], w.s3)
	w.rest(w.s2, w.stage, true)
	w.join(w.next, nil, nil, &m[nextC], w.s2)
	w.rest(w.nextImage, w.next, false)
	return w.estimate()
}

// look prepares the weights of errors and solution with time left before the next output. The weights vary slowly, so
// look renews them only after this time has changed by a tenth.
func (w *Worker) look(left float64) {
	left = math.Min(left, w.solver.ahead)
	if left >= 0.9*w.left && left <= w.left {
		return
	}
	w.left = left
	for p := range w.weight {
		L := 0.0
		if symbol := w.solver.symbols[0][0]; symbol != nil && w.solver.fields == 1 {
			L = real(symbol[p])
		}
		w.weight[p] = math.Exp(2 * errorShare * L * left)
		w.normWeight[p] = math.Exp(2 * normShare * L * left)
	}
}

// estimate returns the largest ratio, over lanes, of the local error to the allowed one. The two functions of a lane
// count together. Where errors persist, errors of all steps sum up: the ratio of their sum to the estimate is the total
// time times the rate of the rest.
//
// N(c) - N(next) misses the error of modes that turn within a step while their rest turns with them, of a rest that
// depends on other fields only, as in a wave equation, and of one that depends on time. For these a step is a quadrature
// of the rest with the nodes 0, h/2, h; see addBend.
func (w *Worker) estimate() float64 {
	var errors, norms, rates, bends [fft.Lanes]float64
	for i := range w.u {
		s4, s5, u := w.s2[i], w.nextImage[i], w.u[i]
		for p, e := range w.tables.errors[i] {
			e *= w.weight[p] * w.imageWeight[i][p]
			n, b := w.normWeight[p], block*p
			x, y, v := (*[block]float64)(s4[b:]), (*[block]float64)(s5[b:]), (*[block]float64)(u[b:])
			for l := range fft.Lanes {
				re, im := x[l]-y[l], x[l+fft.Lanes]-y[l+fft.Lanes]
				errors[l] += e * (re*re + im*im)
				norms[l] += n * (v[l]*v[l] + v[l+fft.Lanes]*v[l+fft.Lanes])
			}
			if w.tables.bends[i][p] != 0 {
				w.addBend(&bends, i, p)
			}
			if w.solver.lasts {
				g := w.imageWeight[i][p]
				for l := range fft.Lanes {
					rates[l] += g * (y[l]*y[l] + y[l+fft.Lanes]*y[l+fft.Lanes])
				}
			}
		}
	}
	worst := 0.0
	for l := range fft.Lanes {
		if errors[l] == 0 && bends[l] == 0 {
			continue // also a lane without a trajectory
		}
		norm := norms[l] + 1e-30
		ratio := math.Sqrt(errors[l]/norm) / (stepShare * w.solver.Tolerance)
		if w.solver.lasts {
			ratio *= math.Max(1, w.time*math.Sqrt(rates[l]/norm))
		}
		ratio = math.Max(ratio, math.Sqrt(bends[l]/norm)/w.solver.Tolerance)
		if !(ratio <= worst) { // NaN wins
			worst = ratio
		}
	}
	return worst
}

// addBend adds to the squared errors of a mode its fourth difference, estimated from the second one as d2^2/N.
func (w *Worker) addBend(errors *[fft.Lanes]float64, field, p int) {
	b := block * p
	first, middle := (*[block]float64)(w.image[field][b:]), (*[block]float64)(w.s3[field][b:])
	last := (*[block]float64)(w.nextImage[field][b:])
	scale := w.tables.bends[field][p] * w.weight[p] * w.imageWeight[field][p]
	for l := range fft.Lanes {
		x, y, z := first[l], middle[l], last[l]
		u, v, w := first[l+fft.Lanes], middle[l+fft.Lanes], last[l+fft.Lanes]
		re, im := x-2*y+z, u-2*v+w
		square := re*re + im*im
		errors[l] += scale * square * square / (x*x + u*u + 2*(y*y+v*v) + z*z + w*w + 1e-300)
	}
}
