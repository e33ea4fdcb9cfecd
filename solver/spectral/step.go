// This file is the time step: the embedded pair of orders 4 and 3 in the interaction picture of S. Balac and F. Mahé,
// "Embedded Runge-Kutta scheme for step-size control in the interaction picture method", Computer Physics
// Communications 184 (2013). Its order-4 member is the integrating-factor RK4 of Kassam & Trefethen 2005.

package spectral

import (
	"errors"
	"math"

	"rfm/solver/fft"
)

// Where solutions decay, what counts is the relative error at the next output time, so both the error estimate and the
// solution are damped on the way there as the linear part would damp them: by exp(share L(k) s), s the time that is
// left. An error in the high modes of a rough initial condition hardly matters in the end; a solution that decays makes
// earlier errors count more. The nonlinear part moves energy between modes meanwhile, hence shares below one. The
// estimate belongs to the pair's order-3 member and shrinks with the step as the order-4 error does. All constants were
// set by measurement on Burgers' equation with inputs from nearly shocks to pure decay: TestTolerance of package
// burgers. Where errors last, all count alike, and see lasting.
const (
	stepShare   = 0.4  // allowed estimate of one step, in units of the tolerance
	offsetShare = 0.2  // allowed offset of modes that follow the nonlinear term, in units of the tolerance
	errorShare  = 0.15 // of the damping that the error will meet
	normShare   = 0.5  // of the damping that the solution will meet
	maxDecay    = 6    // largest damping exponent of the slowest mode: beyond, only relative sizes of modes matter
)

var errStepTooSmall = errors.New("step too small")

// coefficients are the real factors of a step of length h in storage order, with E = exp(L(k) h/2) and g
// the factor of S: the nonlinear term is F(u) = i g S.
type coefficients struct {
	e, ee          []float64 // E, E^2
	halfE, half    []float64 // h/2 E g, h/2 g
	wholeE         []float64 // h E g
	sixthEE, sixth []float64 // h/6 E^2 g, h/6 g
	thirdE         []float64 // h/3 E g
	one            []float64
	pushHalf       []float64 // what f_k has made of nothing after h/2: (E - 1)/L, for the modes of the force
	push           []float64 // and after h
	offset         []float64 // see lasting; nil if errors fade
}

func newCoefficients(n, forces int, lasting bool) coefficients {
	c := coefficients{pushHalf: make([]float64, forces), push: make([]float64, forces)}
	if lasting {
		c.offset = make([]float64, n)
	}
	for _, f := range []*[]float64{&c.e, &c.ee, &c.halfE, &c.half, &c.wholeE, &c.sixthEE, &c.sixth, &c.thirdE, &c.one} {
		*f = make([]float64, n)
	}
	for p := range c.one {
		c.one[p] = 1
	}
	return c
}

// setStep prepares the coefficients for the step h.
func (w *Worker) setStep(h float64) error {
	if !(h > 0) {
		return errStepTooSmall
	}
	if math.Abs(h-w.step) <= 1e-13*h { // equal steps but for rounding
		return nil
	}
	w.step = h
	c := &w.c
	for p, L := range w.solver.linear {
		e, g := math.Exp(L*h/2), w.solver.factor[p]
		c.e[p], c.ee[p] = e, e*e
		c.halfE[p], c.half[p] = h/2*e*g, h/2*g
		c.wholeE[p], c.thirdE[p] = h*e*g, h/3*e*g
		c.sixthEE[p], c.sixth[p] = h/6*e*e*g, h/6*g
	}
	for i, f := range w.solver.force {
		c.pushHalf[i], c.push[i] = h/2, h
		if L := w.solver.linear[f.position]; L != 0 {
			c.pushHalf[i], c.push[i] = math.Expm1(L*h/2)/L, math.Expm1(L*h)/L
		}
	}
	for p := range c.offset {
		if L := w.solver.linear[p]; L != 0 {
			c.offset[p] = math.Pow(w.solver.factor[p]/L*simpsonError(L*h), 2)
		}
	}
	return nil
}

// simpsonError is the relative error of Simpson's rule, (1 + 4 e^(z/2) + e^z)/6, for the integral of e^(zs) over [0,
// 1].
func simpsonError(z float64) float64 {
	if math.Abs(z) < 0.1 {
		return z * z * z * z / 2880 // and more by a thousandth at most
	}
	return (1+4*math.Exp(z/2)+math.Exp(z))/6*z/math.Expm1(z) - 1
}

// try computes the candidate w.next after one step from w.u and returns the estimated local error in units of what is
// allowed:
//
//	k1 = E F(u)
//	k2 = F(E u + h/2 k1)
//	k3 = F(E u + h/2 k2)
//	k4 = F(E (E u + h k3))
//	next = E (E u + h/6 k1 + h/3 k2 + h/3 k3) + h/6 k4
//	error = h/10 (k4 - F(next))
//
// F(next) is the next step's F(u). With a force, E u and E E u are what L and the force make of u in half a step and a
// whole one.
func (w *Worker) try() float64 {
	t, c, stage, next := w.solver.transform, &w.c, w.stage, w.next
	t.Combine(stage, c.e, w.u, c.halfE, w.image)
	w.push(stage, c.pushHalf)
	t.Combine(next, c.ee, w.u, c.sixthEE, w.image)
	w.push(next, c.push)
	w.term(stage)
	t.Combine(next, c.one, next, c.thirdE, stage)
	t.Combine(stage, c.e, w.u, c.half, stage)
	w.push(stage, c.pushHalf)
	w.term(stage)
	t.Combine(next, c.one, next, c.thirdE, stage)
	t.Combine(stage, c.ee, w.u, c.wholeE, stage)
	w.push(stage, c.push)
	w.term(stage)
	t.Combine(next, c.one, next, c.sixth, stage)
	copy(w.nextImage, next)
	w.term(w.nextImage)
	return w.estimate()
}

// push adds what the force has made, its modes times the given factors, to all trajectories.
func (w *Worker) push(block, factors []float64) {
	for i, f := range w.solver.force {
		z := at(block, f.position)
		re, im := factors[i]*real(f.value), factors[i]*imag(f.value)
		for l := range w.count {
			if l < fft.Lanes {
				z[l] += re
				z[l+fft.Lanes] += im
			} else { // times i
				z[l-fft.Lanes] -= im
				z[l] += re
			}
		}
	}
}

// accept makes the candidate the solution.
func (w *Worker) accept() {
	w.u, w.next = w.next, w.u
	w.image, w.nextImage = w.nextImage, w.image
}

// look prepares the weights for errors and solution with time left before the next output. They vary slowly, so
// they are renewed when that time has changed by a tenth.
func (w *Worker) look(left float64) {
	left = math.Min(left, w.solver.ahead)
	if left >= 0.9*w.left && left <= w.left {
		return
	}
	w.left = left
	for p, L := range w.solver.linear {
		g := w.solver.factor[p]
		w.errorWeight[p] = g * g * math.Exp(2*errorShare*L*left)
		w.normWeight[p] = math.Exp(2 * normShare * L * left)
	}
	for p, rate := range w.solver.rate { // see lasting
		w.errorWeight[p] *= math.Pow(math.Max(1, w.whole*rate), 2)
	}
}

// estimate is the largest ratio, over the lanes, of the local error h/10 |i g (S4 - S5)| to what is allowed. The error
// and the norm of a lane are those of its two functions together, see spectrum.
func (w *Worker) estimate() float64 {
	var errors, norms [fft.Lanes]float64
	for p, e := range w.errorWeight {
		s4, s5, u := at(w.stage, p), at(w.nextImage, p), at(w.u, p)
		n := w.normWeight[p]
		for l := range fft.Lanes {
			re, im := s4[l]-s5[l], s4[l+fft.Lanes]-s5[l+fft.Lanes]
			errors[l] += e * (re*re + im*im)
			norms[l] += n * (u[l]*u[l] + u[l+fft.Lanes]*u[l+fft.Lanes])
		}
	}
	forced := math.Pow(w.solver.push*w.step, 2) // a solution that begins with nothing soon has that much
	offsets, rates := w.lasting()
	worst := 0.0
	for l := range fft.Lanes {
		if errors[l] == 0 && offsets[l] == 0 {
			continue // also a lane without a trajectory
		}
		norm := norms[l] + forced
		ratio := w.step / 10 * math.Sqrt(errors[l]/norm) / (stepShare * w.solver.Tolerance)
		if w.solver.lasts {
			if w.solver.rate != nil {
				rates[l] = 0 // it is in the weights
			}
			ratio = math.Max(ratio*math.Max(1, w.whole*math.Sqrt(rates[l]/norm)),
				math.Sqrt(offsets[l]/norm)/(offsetShare*w.solver.Tolerance))
		}
		if math.IsNaN(ratio) {
			return ratio
		}
		worst = math.Max(worst, ratio)
	}
	return worst
}

// lasting is what else counts by lane, squared, where errors do not fade. The order-4 error of a step is the estimate
// times the step and the rate of F, and errors of all steps sum up: the whole time times that rate is between them and
// the estimate. The rate is |F(u)|/|u| if it is not known by modes. And a mode that decays fast follows the nonlinear
// term, u = -N/L; where that hardly changes within a step both members err alike, by the error of Simpson's rule for
// e^(Ls), and the estimate does not see it.
func (w *Worker) lasting() (offsets, rates [fft.Lanes]float64) {
	for p, o := range w.c.offset {
		s, g := at(w.nextImage, p), w.solver.factor[p]
		for l := range fft.Lanes {
			square := s[l]*s[l] + s[l+fft.Lanes]*s[l+fft.Lanes]
			offsets[l] += o * square
			rates[l] += g * g * square
		}
	}
	return offsets, rates
}

// at is the position p of a block: four real parts, then four imaginary parts.
func at(block []float64, p int) *[BlockSize]float64 {
	return (*[BlockSize]float64)(block[BlockSize*p:])
}
