package spectral

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Worker integrates blocks of trajectories. It reuses its memory and serves one goroutine at a time.
type Worker struct {
	solver    *Solver
	term      func(block []float64)
	count     int       // trajectories
	u         []float64 // spectrum block of the solution, normalised: coefficients u_k
	image     []float64 // S of u
	next      []float64 // candidate for u
	nextImage []float64 // S of it
	stage     []float64 // stages of a step; then S of the last one
	step      float64   // h
	whole     float64   // time to the last output
	c         coefficients
	steps     int // accepted and rejected steps since Solve began

	left                    float64 // time before the next output, of the weights; negative if there are none
	errorWeight, normWeight []float64
}

// NewWorker allocates the memory for one block.
func (s *Solver) NewWorker() *Worker {
	n := len(s.linear)
	w := &Worker{solver: s, term: func(block []float64) { clear(block) }, c: newCoefficients(n, len(s.force), s.lasts),
		errorWeight: make([]float64, n), normWeight: make([]float64, n)}
	if s.Term != nil {
		w.term = s.Term()
	}
	for _, b := range []*[]float64{&w.u, &w.image, &w.next, &w.nextImage, &w.stage} {
		*b = make([]float64, BlockSize*n)
	}
	return w
}

// Steps is the number of time steps of the last Solve, rejected ones included. A step evaluates S four times.
func (w *Worker) Steps() int { return w.steps }

// Solve writes u(times[j], .) for the initial conditions in a to outputs[j]. a and the outputs have at most BlockSize
// functions on the solver's grid; times are positive and increasing. Trajectories share their steps, so a function's
// last digits (below the tolerance) depend on the others in the block.
//
// A *fault.Numerical says that the solution cannot be trusted: not resolved by the grid, growing more than the equation
// allows, or beyond the reach of any reasonable step. label names the block in it. The other error is ctx's, which is
// obeyed within a step.
func (w *Worker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	w.check(outputs, a, times)
	w.load(a)
	w.steps, w.step, w.left = 0, 0, -1
	if err := w.finite(label); err != nil {
		return err
	}
	m := newMonitor(w)
	w.start()
	w.whole = times[len(times)-1]
	h, longest := w.whole, math.Inf(1)
	if w.solver.Term != nil {
		h *= firstStep
	}
	if w.solver.fastest > 0 {
		longest = stableRate / w.solver.fastest
	}
	t := 0.0
	for j, end := range times {
		for t < end {
			if err := ctx.Err(); err != nil {
				return err
			}
			h = math.Min(h, longest)
			count := math.Ceil((end - t) / h * (1 - 1e-12)) // equal steps to the end, so that none is tiny
			if w.setStep((end-t)/count) != nil || w.steps >= maxSteps {
				return w.fault(label, t, fmt.Sprintf("needs more than %d time steps", maxSteps),
					w.solver.Remedy+" or the tolerance, or lower the time")
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
					return w.fault(label, t, "blows up: no step is small enough", "the grid does not resolve it: "+w.solver.Remedy)
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
	firstStep  = 1. / 128 // of the whole time; corrected at once if it is wrong
	maxSteps   = 1_000_000
	stableRate = 2.5 // frequency times step; waves grow from 2.83 on
)

// Equal writes u(time, .) for the initial conditions in a to output, after so many equal steps and without a look at
// errors: convergence of the scheme can be measured with it. Batches are those of Solve.
func (w *Worker) Equal(output, a grid.Batch, time float64, steps int) {
	w.check([]grid.Batch{output}, a, []float64{time})
	w.load(a)
	w.start()
	if err := w.setStep(time / float64(steps)); err != nil {
		panic(fmt.Sprintf("spectral: %d steps to time %g", steps, time))
	}
	for range steps {
		w.try()
		w.accept()
	}
	w.store(output)
}

func (w *Worker) check(outputs []grid.Batch, a grid.Batch, times []float64) {
	s := w.solver
	if !s.has(a) || a.Count < 1 || a.Count > BlockSize || len(outputs) != len(times) || len(times) == 0 {
		panic(fmt.Sprintf("spectral: %d %s on %s and %d outputs for %d times, solver on %s", a.Count, a.Domain.Name(),
			a.Domain.Grid(a.Points), len(outputs), len(times), s.Domain.Grid(s.Points)))
	}
	before := 0.0
	for j, t := range times {
		if !s.has(outputs[j]) || outputs[j].Count != a.Count || !(t > before) {
			panic(fmt.Sprintf("spectral: output %d has %d functions on %s at time %g", j, outputs[j].Count,
				outputs[j].Domain.Grid(outputs[j].Points), t))
		}
		before = t
	}
}

func (s *Solver) has(b grid.Batch) bool { return b.Domain == s.Domain && b.Points == s.Points }

// load transforms the initial conditions to normalised coefficients of u_l + i u_(l+Lanes).
func (w *Worker) load(a grid.Batch) {
	s := w.solver
	w.count = a.Count
	clear(w.u)
	for l := range a.Count {
		s.lines(a.At(l), func(line []float64, first int) {
			for x, v := range line {
				w.u[BlockSize*(first+x)+l] = v
			}
		})
	}
	s.transform.Forward(w.u)
	for i := range w.u {
		w.u[i] /= float64(len(s.linear))
	}
	for p, kept := range s.isKept {
		if !kept {
			*at(w.u, p) = [BlockSize]float64{}
		}
	}
}

// lines calls do with the distinct values along the second axis, the only one of an interval, and the position of the
// first in a block.
func (s *Solver) lines(f []float64, do func(line []float64, first int)) {
	N := s.Points - 1
	for i := range len(s.linear) / N {
		do(f[i*s.Points:i*s.Points+N], i*N)
	}
}

// start prepares the first step.
func (w *Worker) start() {
	copy(w.image, w.u)
	w.term(w.image)
}

// store evaluates the solution on the closed grid.
func (w *Worker) store(dst grid.Batch) {
	s := w.solver
	copy(w.next, w.u)
	s.transform.Inverse(w.next)
	for l := range dst.Count {
		f := dst.At(l)
		s.lines(f, func(line []float64, first int) {
			for x := range line {
				line[x] = w.next[BlockSize*(first+x)+l]
			}
		})
		s.close(f)
	}
}

// close repeats the first values along every axis as the last.
func (s *Solver) close(f []float64) {
	K := s.Points
	for i := 0; i < len(f); i += K {
		f[i+K-1] = f[i]
	}
	if s.Domain.Dims == 2 {
		copy(f[len(f)-K:], f[:K])
	}
}

func (w *Worker) finite(label string) error {
	if !grid.Finite(w.u...) {
		return w.fault(label, 0, "is not finite", "check the initial condition")
	}
	return nil
}

func (w *Worker) fault(label string, t float64, what, do string) error {
	s := w.solver
	where := []string{s.Name, label, s.Parameters, s.Domain.Grid(s.Points)}
	where = slices.DeleteFunc(where, func(part string) bool { return part == "" })
	return &fault.Numerical{Where: strings.Join(where, ", "),
		What: fmt.Sprintf("the solution at t=%.4g %s", t, what), Do: do}
}
