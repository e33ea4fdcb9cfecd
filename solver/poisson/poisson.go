// Package poisson solves the discrete Poisson equation on the unit square.
//
// The closed grid has r x r points, n = r-1 intervals, h = 1/n; the unknowns are its
// (r-2) x (r-2) interior points, the boundary values are zero, and the Laplacian is the
// five-point stencil
//
//	(-Laplacian_h u)_ij = (4 u_ij - u_i-1,j - u_i+1,j - u_i,j-1 - u_i,j+1) / h^2.
//
// Sine transforms along one axis leave tridiagonal systems along the other. Columns
// are taken eight at a time, which is a block of package fft.
//
// A field is a row-major []float64 that holds either the interior points, length
// (r-2)^2, or the whole grid, length r^2; its length tells which. On a whole grid the
// boundary values are never read, and written as zero.
package poisson

import (
	"fmt"
	"math"
	"sync"

	"rfm/solver/fft"
	"rfm/solver/simd"
)

// Solver holds the tables for one grid. It never changes after NewSolver and may be
// used by any number of goroutines at once; in the steady state nothing allocates.
type Solver struct {
	r, n, points int // points = n-1 unknowns along an axis
	padded       int // points, rounded up to whole blocks of columns
	stride       int // of rows that would share sets of the cache if it were padded
	plan         *fft.Plan
	kernels      kernels
	orthonormal  sineTable
	scaledByH    sineTable
	elimination  elimination
	inverses     []float64 // padded x padded: 1/eigenvalues, zero beyond them
	workspaces   sync.Pool
}

// NewSolver returns the solver for the closed r x r grid, r >= 3.
func NewSolver(r int) (*Solver, error) { return newSolver(r, simd.Active()) }

func newSolver(r int, level simd.Level) (*Solver, error) {
	if r < 3 {
		return nil, fmt.Errorf("poisson: a grid of %d x %d points has no interior, want at least 3 x 3", r, r)
	}
	n := r - 1
	s := &Solver{r: r, n: n, points: n - 1, plan: fft.NewPlan(n)}
	s.padded = (s.points + columns - 1) / columns * columns
	s.stride = s.padded + columns
	s.kernels = kernelsFor(level, s.plan)
	s.orthonormal = newSineTable(s.plan, math.Sqrt(2/float64(n)))
	s.scaledByH = newSineTable(s.plan, math.Sqrt(2/float64(n))/float64(n))
	s.elimination = newElimination(n, s.padded)
	s.inverses = make([]float64, s.padded*s.padded)
	for i, lambda := range s.Eigenvalues() {
		s.inverses[i/s.points*s.padded+i%s.points] = 1 / lambda
	}
	s.workspaces.New = func() any { return newWorkspace(n, s.padded, s.stride) }
	return s, nil
}

// R returns the number of grid points along an axis, counting both ends.
func (s *Solver) R() int { return s.r }

// Eigenvalues returns those of -Laplacian_h,
//
//	lambda_kl = (2/h^2) (2 - cos(k pi h) - cos(l pi h)),  k, l = 1 ... r-2,
//
// row-major, length (r-2)^2, in the order of the coefficients of Sine. The slice is the
// caller's.
func (s *Solver) Eigenvalues() []float64 {
	// (2/h^2) (1 - cos x) = ((2/h) sin(x/2))^2, without the cancellation.
	axis := make([]float64, s.points)
	for k := range axis {
		root := 2 * float64(s.n) * math.Sin(math.Pi*float64(k+1)/float64(2*s.n))
		axis[k] = root * root
	}
	lambda := make([]float64, 0, s.points*s.points)
	for _, first := range axis {
		for _, second := range axis {
			lambda = append(lambda, first+second)
		}
	}
	return lambda
}

// Solve sets dst = (-Laplacian_h)^-1 f for fields dst and f. dst may be f.
func (s *Solver) Solve(dst, f []float64) {
	solution, rhs := s.field("solution", dst), s.field("right-hand side", f)
	w := s.workspaces.Get().(*workspace)
	defer s.workspaces.Put(w)

	clear(w.row)
	previous := w.row
	for j := 0; j < s.points; j += columns {
		s.sineOfColumns(w, rhs, j, &s.scaledByH)
		s.eliminate(w, j, previous)
		previous = w.transformed[(j+columns-1)*s.stride:][:s.padded]
	}
	// Beyond the last unknown there is the boundary value.
	clear(w.transformed[s.points*s.stride:])
	clear(w.row)
	for j := s.padded - columns; j >= 0; j -= columns {
		s.substitute(w, j, w.row)
		s.sineToColumns(solution, j, w, &s.scaledByH)
	}
	s.clearBoundary(dst)
}

// Sine sets dst to the orthonormal discrete sine transform (DST-I) of f,
//
//	dst_kl = (2/n) sum_ij f_ij sin(i k pi/n) sin(j l pi/n),  i, j, k, l = 1 ... n-1,
//
// for fields dst and f; the coefficients are arranged like the interior points. Sine is
// its own inverse and keeps the sum of squares. dst may be f.
func (s *Solver) Sine(dst, f []float64) { s.sine(dst, f, false) }

// SineSolve sets dst to Sine of the solution of Solve, which is Sine(f) divided by
// Eigenvalues, at the cost of Sine. dst may be f.
func (s *Solver) SineSolve(dst, f []float64) { s.sine(dst, f, true) }

func (s *Solver) sine(dst, f []float64, solve bool) {
	coefficients, values := s.field("transform", dst), s.field("values", f)
	w := s.workspaces.Get().(*workspace)
	defer s.workspaces.Put(w)

	for j := 0; j < s.points; j += columns {
		s.sineOfColumns(w, values, j, &s.orthonormal)
		s.kernels.transpose(w.transformed[j*s.stride:], s.stride, w.block)
	}
	half := field{w.transformed, s.stride, s.padded}
	for k := 0; k < s.points; k += columns {
		s.sineOfColumns(w, half, k, &s.orthonormal)
		s.kernels.transpose(w.edge, s.padded, w.block)
		if solve {
			s.kernels.multiply(w.edge, s.inverses[k*s.padded:(k+columns)*s.padded])
		}
		for i := range min(columns, s.points-k) {
			copy(coefficients.row(k+i), w.edge[i*s.padded:])
		}
	}
	s.clearBoundary(dst)
}
