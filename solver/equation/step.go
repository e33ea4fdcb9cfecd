// This file implements a step with its error estimate.

package equation

import (
	"math"
	"slices"

	"rfm/solver/fft"
)

// The constants of error control, from measurements on Burgers' equation with inputs from near shocks to pure decay. If
// solutions decay, the relative error at the next output time counts. So the estimate damps error and solution by
// exp(share L(k) s), the effect of the linear part over the remaining time s. Shares are below one because the
// nonlinear part moves energy between modes in the meantime.
const (
	stepShare   = 0.4  // largest estimate of one step, in units of the tolerance
	offsetShare = 0.2  // largest offset of modes that follow the rest, in units of the tolerance
	errorShare  = 0.15 // of the future damping of the error
	normShare   = 0.5  // of the future damping of the solution
	maxDecay    = 6    // largest damping exponent of the slowest mode; for larger ones only relative sizes of modes matter
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
// time times the rate of the rest. A mode that turns fast follows the rest. If the rest hardly changes within a step,
// both members of the pair have the same error, that of Simpson's rule, which the offset counts.
func (w *Worker) estimate() float64 {
	var errors, norms, rates, offsets [fft.Lanes]float64
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
		}
		if w.solver.clock {
			w.addClock(&errors, i)
		}
		if !w.solver.lasts {
			continue
		}
		for p, o := range w.tables.offset[i] {
			g, y := w.imageWeight[i][p], (*[block]float64)(s5[block*p:])
			for l := range fft.Lanes {
				square := g * (y[l]*y[l] + y[l+fft.Lanes]*y[l+fft.Lanes])
				rates[l] += square
				offsets[l] += o * square
			}
		}
	}
	simpson := w.simpson()
	worst := 0.0
	for l := range fft.Lanes {
		if errors[l] == 0 && offsets[l] == 0 {
			continue // also a lane without a trajectory
		}
		norm := norms[l] + 1e-30
		ratio := math.Sqrt(errors[l]/norm) / (stepShare * w.solver.Tolerance)
		if w.solver.lasts {
			ratio = math.Max(ratio*math.Max(1, w.time*math.Sqrt(rates[l]/norm)),
				math.Sqrt(offsets[l]/norm)/(offsetShare*w.solver.Tolerance))
			ratio = math.Max(ratio, simpson[l]/math.Sqrt(norm)*w.time/w.tables.step/w.solver.Tolerance)
		}
		if math.IsNaN(ratio) {
			return ratio
		}
		worst = math.Max(worst, ratio)
	}
	return worst
}

// simpson returns the error of coupled oscillating modes, by lanes. In the rotating frame the step is Simpson's rule
// for g = e^(-Ls) N. Its error is h/180 d4 with the fourth difference d4, estimated from the second one as d4 = d2^2/g.
// The pair misses this error if the rest of a field depends on other fields only, as in a wave equation.
func (w *Worker) simpson() (errors [fft.Lanes]float64) {
	s, m, h := w.solver, &w.tables.m, w.tables.step
	if !s.lasts || !slices.ContainsFunc(s.parts, func(fields []int) bool { return len(fields) > 1 }) {
		return errors
	}
	for _, b := range w.s2 {
		clear(b)
	}
	w.join(w.stage, &m[nextU], w.image, &m[nextC], w.nextImage)
	w.join(w.s2, nil, nil, &m[nextAB], w.s3) // stage - s2 is h/6 d2
	var squares, rests [fft.Lanes]float64
	for _, fields := range s.parts {
		for p, turns := range w.tables.turns[fields[0]] {
			for i := 0; turns && i < len(fields); i++ {
				f, b := fields[i], block*p
				x, y, v := (*[block]float64)(w.stage[f][b:]), (*[block]float64)(w.s2[f][b:]), (*[block]float64)(w.nextImage[f][b:])
				for l := range block {
					squares[l%fft.Lanes] += (x[l] - y[l]) * (x[l] - y[l])
					rests[l%fft.Lanes] += w.imageWeight[f][p] * v[l] * v[l]
				}
			}
		}
	}
	for l, square := range squares {
		if rests[l] > 0 {
			errors[l] = square / (5 * h * math.Sqrt(rests[l]))
		}
	}
	return errors
}

// addClock adds the error of a rest that depends on time explicitly, which N(c) - N(next) misses: h/24 times its second
// difference.
func (w *Worker) addClock(errors *[fft.Lanes]float64, field int) {
	first, middle, last := w.image[field], w.s3[field], w.s2[field]
	scale := math.Pow(w.tables.step/24, 2)
	for p, g := range w.imageWeight[field] {
		for l := range block {
			d := first[block*p+l] - 2*middle[block*p+l] + last[block*p+l]
			errors[l%fft.Lanes] += scale * w.weight[p] * g * d * d
		}
	}
}
