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

// setStep prepares the exponentials for the step h.
func (w *Worker) setStep(h float64) error {
	if !(h > 0) {
		return errStepTooSmall
	}
	if math.Abs(h-w.step) <= 1e-13*h { // equal steps but for rounding
		return nil
	}
	for p, d := range w.solver.decay {
		w.decay[p] = math.Exp(-d * h / 2)
	}
	w.step = h
	return nil
}

// try computes the candidate w.next after one step from w.u, with F(w.next) in w.k[2], and returns the estimated local
// error in units of what is allowed. With E = exp(-nu k^2 h/2):
//
//	k1 = E F(u)
//	k2 = F(E u + h/2 k1)
//	k3 = F(E u + h/2 k2)
//	k4 = F(E (E u + h k3))
//	next = E (E u + h/6 k1 + h/3 k2 + h/3 k3) + h/6 k4
//	error = h/10 (k4 - F(next))
func (w *Worker) try() float64 {
	h := w.step
	k, slope, half := w.k, w.slope, w.half
	next := w.next
	for p, e := range w.decay {
		u, f := at(w.u, p), at(slope, p)
		k1, eu, stage, sum := at(k[0], p), at(half, p), at(k[1], p), at(next, p)
		for l := range BlockSize {
			k1[l] = e * f[l]
			eu[l] = e * u[l]
			stage[l] = eu[l] + h/2*k1[l]
			sum[l] = eu[l] + h/6*k1[l]
		}
	}
	w.nonlinear(k[1], k[1])
	for p := range w.decay {
		eu, k2, stage, sum := at(half, p), at(k[1], p), at(k[2], p), at(next, p)
		for l := range BlockSize {
			stage[l] = eu[l] + h/2*k2[l]
			sum[l] += h / 3 * k2[l]
		}
	}
	w.nonlinear(k[2], k[2])
	for p, e := range w.decay {
		eu, k3, stage, sum := at(half, p), at(k[2], p), at(k[1], p), at(next, p)
		for l := range BlockSize {
			stage[l] = e * (eu[l] + h*k3[l])
			sum[l] = e * (sum[l] + h/3*k3[l])
		}
	}
	w.nonlinear(k[1], k[1])
	for p := range w.decay {
		k4, sum := at(k[1], p), at(next, p)
		for l := range BlockSize {
			sum[l] += h / 6 * k4[l]
		}
	}
	w.nonlinear(k[2], next)
	return w.estimate()
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
		w.errorWeight[p] = math.Exp(-2 * errorShare * d * left)
		w.normWeight[p] = math.Exp(-2 * normShare * d * left)
	}
}

// estimate is the largest ratio, over the lanes, of the local error to what is allowed.
func (w *Worker) estimate() float64 {
	var errors, norms [fft.Lanes]float64
	for p, e := range w.errorWeight {
		k4, k5, u := at(w.k[1], p), at(w.k[2], p), at(w.u, p)
		n := w.normWeight[p]
		for l := range fft.Lanes {
			re, im := k4[l]-k5[l], k4[l+fft.Lanes]-k5[l+fft.Lanes]
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

// accept makes the candidate the solution.
func (w *Worker) accept() {
	w.u, w.next = w.next, w.u
	w.slope, w.k[2] = w.k[2], w.slope
}

// nonlinear writes F(u) = -(1/2) d/dx u^2, from spectrum to spectrum; dst may be u. The real and imaginary parts of
// a lane are two functions, so the square is taken of each; the derivative is linear and treats them together.
func (w *Worker) nonlinear(dst, u []float64) {
	s := w.solver
	if &dst[0] != &u[0] {
		copy(dst, u)
	}
	s.plan.Inverse(dst)
	for i, v := range dst {
		dst[i] = v * v
	}
	s.plan.Forward(dst)
	scale := -0.5 / float64(s.plan.N())
	for p, k := range s.wavenumber {
		z := at(dst, p)
		g := scale * k
		for l := range fft.Lanes {
			z[l], z[l+fft.Lanes] = -g*z[l+fft.Lanes], g*z[l]
		}
	}
}

// at is the position p of a block: four real parts, then four imaginary parts.
func at(block []float64, p int) *[BlockSize]float64 {
	return (*[BlockSize]float64)(block[BlockSize*p:])
}
