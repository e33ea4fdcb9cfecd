// Package burgers solves viscous Burgers' equation
//
//	u_t + (u^2/2)_x = nu u_xx,  u(0, .) = a,
//
// on the unit torus (eq. 3.1 of Nelsen & Stuart 2021): Fourier pseudospectral in space, integrating-factor
// Runge-Kutta of order four in time with the step chosen from a tolerance, eight trajectories side by side.
package burgers

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/fault"
	"rfm/solver/fft"
	"rfm/solver/grid"
)

// BlockSize is the number of trajectories that advance side by side, with one common step.
const BlockSize = 2 * fft.Lanes

// Solver holds one equation on one grid. It is immutable; every goroutine needs its own Worker.
type Solver struct {
	viscosity, tolerance float64
	plan                 *fft.Plan
	flux                 []float64 // -2 pi k/(2N) in storage order, 0 for the Nyquist mode: F(u) = i flux S, S the transform of u^2
	decay                []float64 // nu (2 pi k)^2 in storage order
	isTail               []bool    // whether a mode belongs to the highest fifth, which a resolved solution leaves empty
}

// New prepares the equation with viscosity nu > 0 on the closed grid of K points, K odd and at least 9. tolerance is
// the relative L2 error in time that a solution may have.
func New(viscosity, tolerance float64, K int) *Solver {
	if viscosity <= 0 || tolerance <= 0 || K < 9 || K%2 == 0 {
		panic(fmt.Sprintf("burgers: viscosity %g, tolerance %g, K=%d", viscosity, tolerance, K))
	}
	N := K - 1
	s := &Solver{viscosity: viscosity, tolerance: tolerance, plan: fft.NewPlan(N),
		flux: make([]float64, N), decay: make([]float64, N), isTail: make([]bool, N)}
	for p, k := range s.plan.Frequencies() {
		w := 2 * math.Pi * float64(k)
		s.decay[p] = viscosity * w * w
		if 2*k != N {
			s.flux[p] = -w / float64(2*N)
		}
		s.isTail[p] = 5*max(k, -k) > 2*N
	}
	return s
}

// K is the number of points of the solver's grid.
func (s *Solver) K() int { return s.plan.N() + 1 }

// Worker integrates blocks of trajectories. It reuses its memory and serves one goroutine at a time.
type Worker struct {
	solver      *Solver
	u           []float64 // spectrum block of the solution, normalised: coefficients a_k
	squares     []float64 // transform of u^2
	next        []float64 // candidate for u
	nextSquares []float64 // transform of its square
	stage       []float64 // stages of a step; then the transform of the last one's square
	step        float64   // h
	c           coefficients
	steps       int // accepted and rejected steps since Solve began

	left                    float64 // time before the next output, of the weights
	errorWeight, normWeight []float64
}

// NewWorker allocates the memory for one block.
func (s *Solver) NewWorker() *Worker {
	N := s.plan.N()
	w := &Worker{solver: s, c: newCoefficients(N), errorWeight: make([]float64, N), normWeight: make([]float64, N)}
	for _, b := range []*[]float64{&w.u, &w.squares, &w.next, &w.nextSquares, &w.stage} {
		*b = make([]float64, BlockSize*N)
	}
	return w
}

// Steps is the number of time steps of the last Solve, rejected ones included.
func (w *Worker) Steps() int { return w.steps }

// Solve writes u(times[j], .) for the initial conditions in a to outputs[j]. a and the outputs have at most BlockSize
// functions on the solver's grid; times are positive and increasing. Trajectories share their steps, so a function's
// last digits (below the tolerance) depend on the others in the block.
//
// A *fault.Numerical says that the solution cannot be trusted: not resolved by the grid, growing, or beyond the
// reach of any reasonable step. label names the block in it. The other error is ctx's, which is obeyed within a step.
func (w *Worker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	w.check(outputs, a, times)
	w.load(a)
	w.steps, w.step, w.left = 0, 0, 0
	if err := w.finite(label, 0); err != nil {
		return err
	}
	m := newMonitor(w)
	w.start()
	h := times[len(times)-1] * firstStep
	t := 0.0
	for j, end := range times {
		for t < end {
			if err := ctx.Err(); err != nil {
				return err
			}
			count := math.Ceil((end - t) / h * (1 - 1e-12)) // equal steps to the end, so that none is tiny
			if w.setStep((end-t)/count) != nil || w.steps >= maxSteps {
				return w.fault(label, t, fmt.Sprintf("needs more than %d time steps", maxSteps), "raise the viscosity or the tolerance, or lower the time")
			}
			w.look(end - t)
			estimate := w.try()
			w.steps++
			if !(estimate <= 1) { // NaN included
				h = w.step * math.Max(0.2, 0.9*math.Pow(estimate, -0.25))
				if math.IsNaN(h) || math.IsInf(estimate, 0) {
					h = w.step / 10
				}
				if h < end*1e-9 {
					return w.fault(label, t, "blows up: no step is small enough", "the grid does not resolve it: raise data.grid or the viscosity")
				}
				continue
			}
			w.accept()
			if count == 1 {
				t = end
			} else {
				t += w.step
			}
			if grown := w.step * math.Min(2, 0.9*math.Pow(math.Max(estimate, 1e-12), -0.25)); grown > 1.15*h || grown < h {
				h = grown // small gains are not worth new exponentials
			}
			if err := m.observe(label, t); err != nil {
				return err
			}
		}
		w.store(outputs[j])
	}
	return nil
}

const (
	firstStep = 1. / 128 // of the whole time; corrected at once if it is wrong
	maxSteps  = 1_000_000
)

func (w *Worker) check(outputs []grid.Batch, a grid.Batch, times []float64) {
	K := w.solver.K()
	if a.Points != K || a.Count < 1 || a.Count > BlockSize || len(outputs) != len(times) || len(times) == 0 {
		panic(fmt.Sprintf("burgers: %d functions on K=%d and %d outputs for %d times, solver on K=%d", a.Count, a.Points, len(outputs), len(times), K))
	}
	before := 0.0
	for j, t := range times {
		if outputs[j].Points != K || outputs[j].Count != a.Count || !(t > before) {
			panic(fmt.Sprintf("burgers: output %d has %d functions on K=%d at time %g", j, outputs[j].Count, outputs[j].Points, t))
		}
		before = t
	}
}

// load transforms the initial conditions to normalised coefficients of u_l + i u_(l+Lanes).
func (w *Worker) load(a grid.Batch) {
	N := w.solver.plan.N()
	clear(w.u)
	for l := range a.Count {
		for x, v := range a.At(l)[:N] {
			w.u[BlockSize*x+l] = v
		}
	}
	w.solver.plan.Forward(w.u)
	for i := range w.u {
		w.u[i] /= float64(N)
	}
}

// start prepares the first step.
func (w *Worker) start() {
	copy(w.squares, w.u)
	w.square(w.squares)
}

// store evaluates the solution on the closed grid.
func (w *Worker) store(dst grid.Batch) {
	N := w.solver.plan.N()
	copy(w.next, w.u)
	w.solver.plan.Inverse(w.next)
	for l := range dst.Count {
		f := dst.At(l)
		for x := range N {
			f[x] = w.next[BlockSize*x+l]
		}
		f[N] = f[0]
	}
}

func (w *Worker) finite(label string, t float64) error {
	for _, v := range w.u {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return w.fault(label, t, "is not finite", "check the initial condition")
		}
	}
	return nil
}

func (w *Worker) fault(label string, t float64, what, do string) error {
	return &fault.Numerical{Where: fmt.Sprintf("Burgers solver, %s, nu=%g, K=%d", label, w.solver.viscosity, w.solver.K()),
		What: fmt.Sprintf("the solution at t=%.4g %s", t, what), Do: do}
}
