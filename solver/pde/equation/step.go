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

// tabled are the spectra of all fields with the number of the table that multiplies them, in the order of tables.go.
type tabled struct {
	table   int
	spectra [][]float64 // by field
}

// join sets dst to the sum of the products of tables and spectra, of which the first are of the solution.
func (w *worker) join(dst [][]float64, sum ...tabled) {
	for i := range dst {
		for _, s := range sum {
			ofRow := &w.tables.m[s.table][i]
			for j, v := range s.spectra {
				w.plan.put(ofRow[j], v)
			}
		}
		w.plan.flush(dst[i], w.isReal)
	}
}

// try computes the candidate w.next after one step from w.u and returns the estimated error in units of the tolerance.
// The rest at the candidate is the first rest of the next step.
func (w *worker) try() float64 {
	u := w.u
	rest := w.image
	w.join(w.stage, tabled{half, u}, tabled{aU, rest})
	w.plan.rest(w.s2, w.stage)
	w.join(w.stage, tabled{half, u}, tabled{bU, rest}, tabled{bA, w.s2})
	w.plan.rest(w.s3, w.stage)
	w.join(w.stage, tabled{whole, u}, tabled{cU, rest}, tabled{cB, w.s3})
	w.plan.rest(w.s4, w.stage)
	w.join(w.next, tabled{whole, u}, tabled{nextU, rest}, tabled{nextAB, w.s2}, tabled{nextAB, w.s3}, tabled{nextC, w.s4})
	w.plan.rest(w.nextImage, w.next)
	return w.estimate()
}

// weigh prepares the weights of errors and solution for the tables, with time left before the next output. They vary
// slowly with this time, so weigh renews them only after it has changed by a tenth.
func (w *worker) weigh(left float64) {
	left = math.Min(left, w.ahead)
	if left < 0.9*w.left || left > w.left {
		w.left = left
		w.weighted = nil
	}
	if w.weighted == w.tables {
		return
	}
	w.weighted = w.tables
	for i := range w.rows {
		w.weighField(i)
	}
}

// weighField prepares the weights of a field: four for each mode, those of the error, the norm, the rest and the bend in
// Transform.Estimate.
func (w *worker) weighField(i int) {
	weights := w.weights[i]
	bendWeights := w.bendWeights[i]
	errors := w.tables.errors[i]
	bends := w.tables.bends[i]
	symbol := w.rows[0].symbol[0]
	for p, c := range w.plan.factor[i] {
		first := 4 * p
		if q := w.mirror[p]; q < p { // of the same size
			copy(weights[first:first+4], weights[4*q:])
			if w.hasFrame {
				bendWeights[first+3] = bendWeights[4*q+3]
			}
			continue
		}
		rate := 0.0
		if symbol != nil {
			rate = symbol[2*p]
		}
		error, norm := w.futureDamping(rate)
		size := real(c)*real(c) + imag(c)*imag(c)
		weights[first] = errors[p] * size * error
		weights[first+1] = norm
		weights[first+2] = size * error
		weights[first+3] = bends[p] * size * error
		if w.hasFrame {
			bendWeights[first+3] = bends[p] * error
		}
	}
}

// futureDamping returns by how much the squares of an error and of the solution in a mode with that growth rate fall until
// the next output.
func (w *worker) futureDamping(rate float64) (error, norm float64) {
	if w.lasts {
		damping := 1 / (1 - errorShare*2*min(0, rate)*w.left)
		return damping, damping
	}
	future := 2 * rate * w.left
	return math.Exp(errorShare * future), math.Exp(normShare * future)
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
	w.sums = fft.Sums{}
	nothingTurns := w.isReal && !w.clock
	for i := range w.u {
		first := w.image[i]
		if nothingTurns || w.hasFrame { // then there are no bends, or they are added below
			first = nil
		}
		w.transform.Estimate(&w.sums, w.weights[i], fft.Step{
			U:      w.u[i],
			Last:   w.s4[i],
			Next:   w.nextImage[i],
			First:  first,
			Middle: w.s3[i],
		})
	}
	if w.hasFrame {
		w.addBends()
	}
	worst := 0.0
	for l := range fft.Lanes {
		errors := w.sums[0][l]
		norm := w.sums[1][l] + 1e-30
		rate := w.sums[2][l]
		bends := w.sums[3][l]
		ratio := math.Sqrt(errors/norm) / (stepShare * w.tolerance)
		if w.lasts {
			stepsTogether := w.time * math.Sqrt(rate/norm)
			ratio *= math.Max(1, stepsTogether)
		}
		ofBends := math.Sqrt(bends/norm) / w.tolerance
		ratio = math.Max(ratio, ofBends)
		isLess := ratio <= worst
		if !isLess { // NaN wins
			worst = ratio
		}
	}
	return worst
}
