// Package darcy solves the equation of Darcy flow
//
//	-div(a grad u) = f  on the unit square,  u = 0 on its boundary
//
// (section 3.2 of Nelsen & Stuart 2021), which maps the permeability a to the pressure u: the five-point scheme in flux
// form, solved by conjugate gradients preconditioned with the fast Poisson solver.
//
// Fields are row-major on the closed r x r grid: value i*r + j belongs to the point (i h, j h), h = 1/(r-1).
package darcy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/num/simd"
	"rfm/solver/pde/poisson"
)

// Source is the right-hand side f as a function of x_1 and x_2.
type Source func(x1, x2 float64) float64

// Constant returns the source that equals c everywhere; the paper uses Constant(1).
func Constant(c float64) Source { return func(_, _ float64) float64 { return c } }

// On returns the values of the source on the closed r x r grid.
func (f Source) On(r int) []float64 {
	values := make([]float64, 0, r*r)
	intervals := float64(r - 1)
	for i := range r {
		x1 := float64(i) / intervals
		for j := range r {
			x2 := float64(j) / intervals
			values = append(values, f(x1, x2))
		}
	}
	return values
}

// Mean selects how the permeability at the face between two grid points follows from its values p, q at the points.
type Mean int

const (
	// Arithmetic is (p+q)/2, the mean of the paper's data.
	Arithmetic Mean = iota
	// Harmonic is 2pq/(p+q), which keeps the flux continuous across jumps.
	Harmonic
)

// Equation describes the equation and the accuracy of a Solver.
type Equation struct {
	Source     Source  // f, finite
	Mean       Mean    // of a at the faces
	Tolerance  float64 // on the residual |f - A u|, relative to |f|; > 0
	Iterations int     // limit to the number of conjugate gradient steps; > 0
}

// Paper returns the equation of the paper's data: f = 1, arithmetic means, residual 1e-10. Permeabilities of contrast 4
// need about 25 iterations; the number grows as the square root of the contrast.
func Paper() Equation {
	return Equation{
		Source:     Constant(1),
		Mean:       Arithmetic,
		Tolerance:  1e-10,
		Iterations: 500,
	}
}

// Solver holds one equation on one grid. It is immutable; every goroutine needs its own Worker.
type Solver struct {
	equation Equation
	r        int
	poisson  *poisson.Solver
	kernels  kernels
	rhs      []float64 // h^2 f inside, zero on the boundary
	norm     float64   // of rhs
}

// New prepares the equation on the closed r x r grid, r >= 3.
func New(e Equation, r int) *Solver { return newSolver(e, r, simd.Active()) }

func newSolver(e Equation, r int, level simd.Level) *Solver {
	isMean := e.Mean == Arithmetic || e.Mean == Harmonic
	if r < 3 || !(e.Tolerance > 0) || e.Iterations < 1 || !isMean {
		panic(fmt.Sprintf("darcy: r = %d, mean %d, tolerance %g, at most %d iterations",
			r, e.Mean, e.Tolerance, e.Iterations))
	}
	s := &Solver{
		equation: e,
		r:        r,
		poisson:  poisson.NewSolver(r),
		kernels:  simd.Choose(level, genericKernels, vectorKernels),
		rhs:      make([]float64, r*r),
	}
	f := e.Source.On(r)
	h := 1 / float64(r-1)
	for i := 1; i < r-1; i++ {
		for j := 1; j < r-1; j++ {
			s.rhs[i*r+j] = h * h * f[i*r+j]
		}
	}
	s.norm = math.Sqrt(dot(s.rhs, s.rhs))
	if math.IsNaN(s.norm) || math.IsInf(s.norm, 0) {
		panic("darcy: the source is not finite")
	}
	return s
}

// Worker solves for one permeability after another. It reuses its memory and must not be used concurrently.
type Worker struct {
	solver      *Solver
	east        []float64 // permeability of the faces to the points (i, j+1)
	south       []float64 // permeability of the faces to the points (i+1, j)
	least       float64   // value of the permeability
	residual    []float64 // b - A u; zero on the boundary, like all fields below
	conditioned []float64 // P residual
	direction   []float64 // p
	image       []float64 // A p
	iterations  int       // conjugate gradient steps of the last Solve
}

// NewWorker returns a Worker with the memory of one solution.
func (s *Solver) NewWorker() *Worker {
	newField := func() []float64 { return make([]float64, s.r*s.r) }
	return &Worker{
		solver:      s,
		east:        newField(),
		south:       newField(),
		residual:    newField(),
		conditioned: newField(),
		direction:   newField(),
		image:       newField(),
	}
}

// Solve writes the pressure for the permeability a to u; both have r^2 values and may not overlap. It returns a
// *fault.Data if a value of a is not positive and finite. It returns a *fault.Numerical, and u is invalid, if the
// iteration does not reach the tolerance or if the rounding error of grad u has no bound below 100 times the tolerance.
// label names the function in both. If ctx ends, Solve returns its error within an iteration.
func (w *Worker) Solve(ctx context.Context, u, a []float64, label string) error {
	s := w.solver
	if len(u) != s.r*s.r || len(a) != s.r*s.r {
		panic(fmt.Sprintf("darcy: fields of %d and %d values on a %d x %d grid", len(u), len(a), s.r, s.r))
	}
	if slices.ContainsFunc(a, impossible) {
		return CheckPermeability("permeability, "+label, a)
	}
	w.setFaces(a)
	return w.iterate(ctx, u, label)
}

func (w *Worker) fault(label, what, do string) error {
	where := fmt.Sprintf("Darcy solver, %s, r=%d", label, w.solver.r)
	return &fault.Numerical{Where: where, What: what, Do: do}
}
