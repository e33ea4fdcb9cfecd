// Package poisson solves the discrete Poisson equation on the unit square.
//
// The closed grid has r x r points, n = r-1 intervals, h = 1/n; the unknowns are its
// (r-2) x (r-2) interior points, the boundary values are zero, and the Laplacian is the
// five-point stencil
//
//	(-Laplacian_h u)_ij = (4 u_ij - u_i-1,j - u_i+1,j - u_i,j-1 - u_i,j+1) / h^2.
//
// Sine transforms along one axis leave tridiagonal systems along the other. Columns are processed eight at a time, as
// in package trig.
//
// A field is a row-major []float64 that holds either the interior points, length (r-2)^2, or the whole grid, length
// r^2; its length distinguishes them. On a whole grid the boundary values are never read and are written as zero.
package poisson

import (
	"fmt"
	"math"
	"sync"

	"rfm/solver/num/simd"
	"rfm/solver/num/trig"
)

// columns is the number of columns that are transformed together.
const columns = trig.Columns

// Solver holds the tables for one grid. It is immutable and safe for concurrent use; in the steady state its methods do
// not allocate.
type Solver struct {
	r           int // points along an axis
	n           int // intervals along an axis, r-1
	points      int // unknowns along an axis, n-1
	padded      int // points, rounded up to whole blocks of columns
	stride      int // of rows that would share sets of the cache if it were padded
	kernels     kernels
	axis        *trig.Axis // times h^(3/2) sqrt(2)
	sine        *trig.Planar
	elimination elimination
	// inverses contains the inverse eigenvalues of -Laplacian_h,
	//
	//	lambda_kl = (2/h^2) (2 - cos(k pi h) - cos(l pi h)),  k, l = 1 ... r-2,
	//
	// row-major, in the order of the coefficients of Sine.
	inverses   []float64
	workspaces sync.Pool
}

// NewSolver returns the solver for the closed r x r grid. It panics if r < 3.
func NewSolver(r int) *Solver { return newSolver(r, simd.Active()) }

func newSolver(r int, level simd.Level) *Solver {
	if r < 3 {
		panic(fmt.Sprintf("poisson: a grid of %d x %d points has no interior", r, r))
	}
	n := r - 1
	s := &Solver{
		r:       r,
		n:       n,
		points:  n - 1,
		padded:  trig.Padded(n - 1),
		kernels: simd.Choose(level, genericKernels, vectorKernels),
	}
	s.stride = s.padded + columns
	scale := math.Sqrt(2/float64(n)) / float64(n)
	s.axis = trig.NewSineAxis(r, scale)
	s.sine = trig.NewSine(r, r)
	s.elimination = newElimination(n, s.padded)
	axis := make([]float64, s.points) // (2/h^2) (1 - cos x) = ((2/h) sin(x/2))^2, without the cancellation
	for k := range axis {
		halfAngle := math.Pi * float64(k+1) / float64(2*n)
		root := 2 * float64(n) * math.Sin(halfAngle)
		axis[k] = root * root
	}
	for _, first := range axis {
		for _, second := range axis {
			s.inverses = append(s.inverses, 1/(first+second))
		}
	}
	s.workspaces.New = func() any {
		return &workspace{
			transformed: make([]float64, s.padded*s.stride),
			block:       make([]float64, columns*s.padded),
			edge:        make([]float64, columns*s.padded),
			work:        make([]float64, s.axis.Work),
			row:         make([]float64, s.padded),
		}
	}
	return s
}

// Solve sets dst = (-Laplacian_h)^-1 f for fields dst and f. dst may be f.
func (s *Solver) Solve(dst, f []float64) {
	solution := s.field("solution", dst)
	rhs := s.field("right-hand side", f)
	w := s.workspaces.Get().(*workspace)
	defer s.workspaces.Put(w)

	clear(w.row)
	previous := w.row
	for j := 0; j < s.points; j += columns {
		s.axis.Transform(trig.Block(w.block), rhs.Eight(j, w.edge), w.work)
		s.eliminate(w, j, previous)
		previous = w.transformed[(j+columns-1)*s.stride:][:s.padded]
	}
	// The value after the last unknown is on the boundary.
	clear(w.transformed[s.points*s.stride:])
	clear(w.row)
	for j := s.padded - columns; j >= 0; j -= columns {
		s.substitute(w, j, w.row)
		s.toColumns(solution, j, w)
	}
	s.clearBoundary(dst)
}

// Sine writes to dst the orthonormal discrete sine transform (DST-I) of f,
//
//	dst_kl = (2/n) sum_ij f_ij sin(i k pi/n) sin(j l pi/n),  i, j, k, l = 1 ... n-1,
//
// for fields dst and f; the coefficients are arranged like the interior points. Sine is
// its own inverse and keeps the sum of squares. dst may be f.
func (s *Solver) Sine(dst, f []float64) { s.transform(dst, f, nil) }

// SineSolve writes Sine of the solution of Solve to dst, which is Sine(f) divided by the eigenvalues, at the cost of
// Sine. dst may be f.
func (s *Solver) SineSolve(dst, f []float64) { s.transform(dst, f, s.inverses) }

func (s *Solver) transform(dst, f, factors []float64) {
	coefficients := s.field("transform", dst)
	values := s.field("values", f)
	s.sine.Transform(coefficients, values, factors)
	s.clearBoundary(dst)
}

// toColumns writes the sine transforms of w.block into the columns of f from j on.
func (s *Solver) toColumns(f trig.Field, j int, w *workspace) {
	block := trig.Block(w.block)
	if f.Columns-j >= columns {
		s.axis.Transform(f.From(j), block, w.work)
		return
	}
	s.axis.Transform(trig.Block(w.edge), block, w.work)
	for i := range f.Rows {
		row := w.edge[i*columns:][:columns]
		copy(f.Row(i)[j:], row)
	}
}

// field returns a view of the unknowns in x.
func (s *Solver) field(what string, x []float64) trig.Field {
	view := trig.Field{Rows: s.points, Columns: s.points}
	interior := s.points * s.points
	whole := s.r * s.r
	switch len(x) {
	case interior:
		view.Values = x
		view.Stride = s.points
	case whole:
		view.Values = x[s.r+1:]
		view.Stride = s.r
	default:
		panic(fmt.Sprintf("poisson: %s has length %d, want %d for the interior or %d for the whole of a %d x %d grid",
			what, len(x), interior, whole, s.r, s.r))
	}
	return view
}

// clearBoundary sets the boundary values to zero if x is a field on the whole grid.
func (s *Solver) clearBoundary(x []float64) {
	if len(x) != s.r*s.r {
		return
	}
	clear(x[:s.r])
	for i := 1; i < s.n; i++ {
		row := x[i*s.r:][:s.r]
		row[0] = 0
		row[s.n] = 0
	}
	clear(x[s.n*s.r:])
}

// workspace is the scratch memory of one solution.
type workspace struct {
	transformed []float64 // padded rows at the stride: one axis transformed, the axes exchanged
	block       []float64 // eight columns, [row][column]; zero in rows without unknowns
	edge        []float64 // a block
	work        []float64 // of the transform
	row         []float64 // a row of transformed
}
