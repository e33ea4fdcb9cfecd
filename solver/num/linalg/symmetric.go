// Symmetric matrices, in the storage format of the kernels.

package linalg

import (
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/num/simd"
)

// Symmetric is a symmetric matrix of order n. The upper triangle is stored row by row, rows and columns padded to whole
// kernel tiles. Methods that do not change the matrix are safe for concurrent use.
type Symmetric struct {
	order  int
	stride int
	// data[i*stride+j] is entry (i, j) for i <= j < order. Everything else is
	// padding and the lower halves of diagonal tiles: finite or not, never read.
	data  []float64
	level simd.Level
}

// NewSymmetric returns the zero matrix of order n.
func NewSymmetric(n int) *Symmetric {
	stride := padded(n)
	s := &Symmetric{
		order:  n,
		stride: stride,
		data:   make([]float64, stride*stride),
		level:  simd.Active(),
	}
	for i := range n {
		touched(s.Row(i))
	}
	return s
}

// touched writes to each page of fresh zeros, and returns them. A page that is read first, as sums do, is mapped to a
// page of zeros that all share, and its first write interrupts all processors: a sixth of the time of large systems.
func touched(zeros []float64) []float64 {
	for x := 0; x < len(zeros); x += 512 {
		zeros[x] = 0
	}
	return zeros
}

// Dense returns the full matrix, both triangles, as row-major n*n values.
func (s *Symmetric) Dense() []float64 {
	n := s.order
	dense := make([]float64, n*n)
	for i := range n {
		for j, v := range s.Row(i) {
			dense[i*n+i+j] = v
			dense[(i+j)*n+i] = v
		}
	}
	return dense
}

// Order returns n.
func (s *Symmetric) Order() int { return s.order }

// At returns entry (i, j) = (j, i). It panics if an index is out of range.
func (s *Symmetric) At(i, j int) float64 { return s.data[s.index(i, j)] }

// Set sets entries (i, j) and (j, i) to v. It panics if an index is out of range.
func (s *Symmetric) Set(i, j int, v float64) { s.data[s.index(i, j)] = v }

func (s *Symmetric) index(i, j int) int {
	if i < 0 || j < 0 || i >= s.order || j >= s.order {
		panic(fmt.Sprintf("linalg: entry (%d, %d) of a matrix of order %d", i, j, s.order))
	}
	return min(i, j)*s.stride + max(i, j)
}

// upper returns entry (i, j) of the upper triangle, i <= j, without a check.
func (s *Symmetric) upper(i, j int) float64 { return s.data[i*s.stride+j] }

// Row returns the entries (i, i) to (i, n-1); it shares memory with s.
func (s *Symmetric) Row(i int) []float64 {
	return s.data[i*s.stride+i : i*s.stride+s.order]
}

// Leading returns a copy of the leading k x k block. It panics unless 0 <= k <= n.
func (s *Symmetric) Leading(k int) *Symmetric {
	if k < 0 || k > s.order {
		panic(fmt.Sprintf("linalg: leading block of order %d of a matrix of order %d", k, s.order))
	}
	b := NewSymmetric(k)
	b.level = s.level
	for i := range k {
		copy(b.Row(i), s.Row(i))
	}
	return b
}

// Clone returns a copy of s.
func (s *Symmetric) Clone() *Symmetric { return s.Leading(s.order) }

// Scale multiplies every entry by c.
func (s *Symmetric) Scale(c float64) {
	for i := range s.order {
		floats.Scale(c, s.Row(i))
	}
}

// AddDiagonal adds c to every diagonal entry: s + c I.
func (s *Symmetric) AddDiagonal(c float64) {
	for i := range s.order {
		s.data[i*s.stride+i] += c
	}
}

// NotPositiveDefiniteError reports that S + lambda I has no Cholesky factor.
type NotPositiveDefiniteError struct {
	Pivot  int     // index of the first pivot that is not positive, counted from 0
	Value  float64 // value of the pivot
	Lambda float64
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("matrix is not positive definite at pivot %d: want > 0, got %.3g; lambda = %.3g is too small, "+
		"increase it or use lambda = 0 with truncation",
		e.Pivot, e.Value, e.Lambda)
}

// NonFiniteError reports that entry (Row, Col) is NaN or infinite.
type NonFiniteError struct {
	Row   int
	Col   int
	Value float64
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("matrix entry (%d, %d) is %v, want a finite number; check the features it was summed from",
		e.Row, e.Col, e.Value)
}

// UnsolvedError reports that eigenvalues or a solution could not be computed.
type UnsolvedError struct{ Reason string }

func (e *UnsolvedError) Error() string { return e.Reason }
