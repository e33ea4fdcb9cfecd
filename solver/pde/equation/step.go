// This file implements a step with its error estimate.

package equation

import (
	"math"

	"rfm/solver/num/fft"
)

// The constants of error control, from measurements on Burgers' equation with inputs from near shocks to pure decay.
// The relative error at the next output counts, after the remaining time s. So the estimate damps the error and the
// solution of a mode whose symbol is L < 0. If solutions decay, it damps by exp(share L s), the effect of the linear
// part; shares are below one because the nonlinear part moves energy between modes in the meantime. If solutions
// last, the error lives for 1/|L|, and in that time a part of it moves to modes that last. So squares fall as
// 1/(1 - 2 share L s), alike in all sums: a damping that all modes share has no effect.
const (
	stepShare  = 0.4  // largest estimate of one step, in units of the tolerance
	bendShare  = 0.02 // of the bend of the rest in the sum of all errors
	frameShare = 0.03 // the same of a rest that turns with its mode
	blurShare  = 0.3  // the same of the square root of the number of steps, if its errors have changing signs
	errorShare = 0.15 // of the future damping of the error
	normShare  = 0.5  // of the future damping of a solution that decays
	maxDecay   = 6    // largest damping exponent of the slowest mode; for larger ones only relative sizes of modes matter
)

// join sets dst to the sum of the products of tables, by number, and spectra, of which the first are of the solution.
func (w *worker) join(dst [][]float64, numbers []int, spectra ...[][]float64) {
	for i := range dst {
		for k, number := range numbers {
			for j, v := range spectra[k] {
				w.plan.put(w.tables.m[number][i][j], v)
			}
		}
		w.plan.flush(dst[i], w.isReal)
	}
}

// try computes the candidate w.next after one step from w.u and returns the estimated error in units of the tolerance.
// The rest at the candidate is the first rest of the next step.
func (w *worker) try() float64 {
	u, rest := w.u, w.image
	w.join(w.stage, []int{half, aU}, u, rest)
	w.plan.rest(w.s2, w.stage)
	w.join(w.stage, []int{half, bU, bA}, u, rest, w.s2)
	w.plan.rest(w.s3, w.stage)
	w.join(w.stage, []int{whole, cU, cB}, u, rest, w.s3)
	w.plan.rest(w.s4, w.stage)
	w.join(w.next, []int{whole, nextU, nextAB, nextAB, nextC}, u, rest, w.s2, w.s3, w.s4)
	w.plan.rest(w.nextImage, w.next)
	return w.estimate()
}

// weigh prepares the weights of errors and solution for the tables, with time left before the next output. They vary
// slowly with this time, so weigh renews them only after it has changed by a tenth.
func (w *worker) weigh(left float64) {
	if left = math.Min(left, w.ahead); left < 0.9*w.left || left > w.left {
		w.left, w.weighted = left, nil
	}
	if w.weighted == w.tables {
		return
	}
	w.weighted = w.tables
	for i, f := range w.weights[:len(w.rows)] {
		symbol := w.rows[0].symbol[0]
		for p, c := range w.plan.factor[i] {
			if q := w.mirror[p]; q < p { // of the same size
				copy(f[4*p:4*p+4], f[4*q:])
				if w.hasFrame {
					w.bendWeights[i][4*p+3] = w.bendWeights[i][4*q+3]
				}
				continue
			}
			rate, error, norm := 0.0, 1.0, 1.0
			if symbol != nil {
				rate = symbol[2*p]
			}
			if w.lasts {
				error = 1 / (1 - errorShare*2*min(0, rate)*w.left)
				norm = error
			} else {
				future := 2 * rate * w.left
				error, norm = math.Exp(errorShare*future), math.Exp(normShare*future)
			}
			size := real(c)*real(c) + imag(c)*imag(c)
			f[4*p] = w.tables.errors[i][p] * size * error
			f[4*p+1] = norm
			f[4*p+2] = size * error
			f[4*p+3] = w.tables.bends[i][p] * size * error
			if w.hasFrame {
				w.bendWeights[i][4*p+3] = w.tables.bends[i][p] * error
			}
		}
	}
}

// estimate returns the largest ratio, over lanes, of the local error to the allowed one. The two functions of a lane
// count together. Where errors persist, errors of all steps sum up: the ratio of their sum to the estimate is the total
// time times the rate of the rest.
//
// N(c) - N(next) misses the error of modes that turn within a step while their rest turns with them, of a rest that
// depends on other fields only, as in a wave equation, and of one that depends on time. For these a step is a
// quadrature of the rest with the nodes 0, h/2, h, whose error is the fourth difference, estimated from the second one
// as d2^2/N: the bend.
func (w *worker) estimate() float64 {
	w.sums = [4][fft.Lanes]float64{}
	for i := range w.u {
		first := w.image[i]
		if w.isReal && !w.clock || w.hasFrame { // no mode turns, or bends are added below
			first = nil
		}
		w.transform.Estimate(&w.sums, w.weights[i], w.s4[i], w.nextImage[i], w.u[i], first, w.s3[i])
	}
	if w.hasFrame {
		w.addBends()
	}
	worst := 0.0
	for l := range fft.Lanes {
		errors, norm, rate, bends := w.sums[0][l], w.sums[1][l]+1e-30, w.sums[2][l], w.sums[3][l]
		ratio := math.Sqrt(errors/norm) / (stepShare * w.tolerance)
		if w.lasts {
			ratio *= math.Max(1, w.time*math.Sqrt(rate/norm))
		}
		ratio = math.Max(ratio, math.Sqrt(bends/norm)/w.tolerance)
		if !(ratio <= worst) { // NaN wins
			worst = ratio
		}
	}
	return worst
}
