// This file is the time step: the embedded pair of orders 4 and 3 in the interaction picture of S. Balac and F. Mahé,
// "Embedded Runge-Kutta scheme for step-size control in the interaction picture method", Computer Physics
// Communications 184 (2013). Its order-4 member is the integrating-factor RK4 of Kassam & Trefethen 2005.

package burgers

import (
	"errors"
	"math"

	"rfm/solver/fft"
)

// What counts is the relative error at the next output time, so both the error estimate and the solution are damped
// on the way there as diffusion would damp them: by exp(-share nu (2 pi k)^2 s), s the time that is left. An error in
// the high modes of a rough initial condition hardly matters in the end; a solution that decays makes earlier errors
// count more. Advection moves energy between modes meanwhile, hence shares below one. The estimate belongs to the
// pair's order-3 member and shrinks with the step as the order-4 error does. All constants were set by measurement
// on inputs from nearly shocks to pure decay: TestTolerance.
const (
	stepShare  = 0.4  // allowed estimate of one step, in units of the tolerance
	errorShare = 0.15 // of the diffusion that the error will meet
	normShare  = 0.5  // of the diffusion that the solution will meet
	maxDecay   = 6    // largest damping exponent of the lowest mode: beyond, only relative sizes of modes matter
)

var errStepTooSmall = errors.New("step too small")

// coefficients are the real factors of a step of length h in storage order, with E = exp(-nu (2 pi k)^2 h/2) and
// g = -2 pi k/(2N), so that the nonlinear term is F(u) = i g S, S the unnormalised transform of u^2.
type coefficients struct {
	e, ee          []float64 // E, E^2
	halfE, half    []float64 // h/2 E g, h/2 g
	wholeE         []float64 // h E g
	sixthEE, sixth []float64 // h/6 E^2 g, h/6 g
	thirdE         []float64 // h/3 E g
	one            []float64
}

func newCoefficients(N int) coefficients {
	var c coefficients
	for _, f := range []*[]float64{&c.e, &c.ee, &c.halfE, &c.half, &c.wholeE, &c.sixthEE, &c.sixth, &c.thirdE, &c.one} {
		*f = make([]float64, N)
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
	for p, d := range w.solver.decay {
		e, g := math.Exp(-d*h/2), w.solver.flux[p]
		c.e[p], c.ee[p] = e, e*e
		c.halfE[p], c.half[p] = h/2*e*g, h/2*g
		c.wholeE[p], c.thirdE[p] = h*e*g, h/3*e*g
		c.sixthEE[p], c.sixth[p] = h/6*e*e*g, h/6*g
	}
	return nil
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
// F(next) is the next step's F(u).
func (w *Worker) try() float64 {
	plan, c, stage, next := w.solver.plan, &w.c, w.stage, w.next
	plan.Combine(stage, c.e, w.u, c.halfE, w.squares)
	plan.Combine(next, c.ee, w.u, c.sixthEE, w.squares)
	w.square(stage)
	plan.Combine(next, c.one, next, c.thirdE, stage)
	plan.Combine(stage, c.e, w.u, c.half, stage)
	w.square(stage)
	plan.Combine(next, c.one, next, c.thirdE, stage)
	plan.Combine(stage, c.ee, w.u, c.wholeE, stage)
	w.square(stage)
	plan.Combine(next, c.one, next, c.sixth, stage)
	copy(w.nextSquares, next)
	w.square(w.nextSquares)
	return w.estimate()
}

// square replaces the spectrum of u by the unnormalised spectrum of u^2. The real and imaginary parts of a lane are two
// functions, each is squared by itself.
func (w *Worker) square(block []float64) {
	w.solver.plan.Inverse(block)
	w.solver.plan.ForwardSquares(block)
}

// accept makes the candidate the solution.
func (w *Worker) accept() {
	w.u, w.next = w.next, w.u
	w.squares, w.nextSquares = w.nextSquares, w.squares
}

// look prepares the weights for errors and solution with time left before the next output. They vary slowly, so
// they are renewed when that time has changed by a tenth.
func (w *Worker) look(left float64) {
	left = math.Min(left, maxDecay/(normShare*w.solver.viscosity*4*math.Pi*math.Pi))
	if left > 0.9*w.left && left <= w.left {
		return
	}
	w.left = left
	for p, d := range w.solver.decay {
		g := w.solver.flux[p]
		w.errorWeight[p] = g * g * math.Exp(-2*errorShare*d*left)
		w.normWeight[p] = math.Exp(-2 * normShare * d * left)
	}
}

// estimate is the largest ratio, over the lanes, of the local error h/10 |i g (S4 - S5)| to what is allowed. The error and
// the norm of a lane are those of its two functions together, see spectrum.
func (w *Worker) estimate() float64 {
	var errors, norms [fft.Lanes]float64
	for p, e := range w.errorWeight {
		s4, s5, u := at(w.stage, p), at(w.nextSquares, p), at(w.u, p)
		n := w.normWeight[p]
		for l := range fft.Lanes {
			re, im := s4[l]-s5[l], s4[l+fft.Lanes]-s5[l+fft.Lanes]
			errors[l] += e * (re*re + im*im)
			norms[l] += n * (u[l]*u[l] + u[l+fft.Lanes]*u[l+fft.Lanes])
		}
	}
	worst := 0.0
	for l := range fft.Lanes {
		if errors[l] == 0 {
			continue // also a lane without a trajectory
		}
		ratio := w.step / 10 * math.Sqrt(errors[l]/norms[l]) / (stepShare * w.solver.tolerance)
		if math.IsNaN(ratio) {
			return ratio
		}
		worst = math.Max(worst, ratio)
	}
	return worst
}

// at is the position p of a block: four real parts, then four imaginary parts.
func at(block []float64, p int) *[BlockSize]float64 {
	return (*[BlockSize]float64)(block[BlockSize*p:])
}
