// Matrices and comparisons that several tests need.

package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/num/simd"
)

// unit is the rounding unit of a double.
const unit = 0x1p-53

// levels returns the levels that this machine supports.
func levels() []simd.Level {
	all := []simd.Level{simd.Generic, simd.AVX2, simd.AVX512}
	return all[:simd.Active()+1]
}

func everyLevel(t *testing.T, test func(t *testing.T, level simd.Level)) {
	for _, level := range levels() {
		t.Run(level.String(), func(t *testing.T) { test(t, level) })
	}
}

func newSymmetricAt(level simd.Level, n int) *Symmetric {
	s := NewSymmetric(n)
	s.level = level
	return s
}

func normal(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func normalPanels(rows, cols int) *Panels {
	f, x := NewPanels(rows, cols), normal(rows*cols, 2)
	for r := range rows {
		for j := range cols {
			f.Panel(j / 4)[4*r+j%4] = x[r*cols+j]
		}
	}
	return f
}

func entryOf(f *Panels, r, j int) float64 { return f.Panel(j / 4)[4*r+j%4] }

// gram returns F'F at the given level.
func gram(level simd.Level, f *Panels) *Symmetric {
	s := newSymmetricAt(level, f.Cols())
	s.RankUpdate(context.Background(), f, f.Rows(), 1)
	return s
}

// withSpectrum returns a matrix with the given eigenvalues: Q diag Q', Q a product of three random reflections.
func withSpectrum(level simd.Level, values []float64) *Symmetric {
	n := len(values)
	dense := make([]float64, n*n)
	for i, v := range values {
		dense[i*n+i] = v
	}
	row := make([]float64, n)
	for k := range uint64(3) {
		v := normal(n, 10+k)
		scale := 2 / dotGeneric(v, v)
		for range 2 { // from the left, then, on the transpose, from the right
			clear(row)
			for i := range n {
				axpyGeneric(scale*v[i], dense[i*n:(i+1)*n], row)
			}
			for i := range n {
				axpyGeneric(-v[i], row, dense[i*n:(i+1)*n])
			}
			for i := range n {
				for j := range i {
					dense[i*n+j], dense[j*n+i] = dense[j*n+i], dense[i*n+j]
				}
			}
		}
	}
	s := symmetricFromDense(n, dense)
	s.level = level
	return s
}

func multiply(s *Symmetric, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range y {
		for j, v := range x {
			y[i] += s.At(i, j) * v
		}
	}
	return y
}

func norm(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	sum := 0.0
	for _, v := range x {
		sum += (v / largest) * (v / largest)
	}
	return largest * math.Sqrt(sum)
}

// relative returns |x - y| / |y|.
func relative(x, y []float64) float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = x[i] - y[i]
	}
	if norm(d) == 0 {
		return 0
	}
	return norm(d) / norm(y)
}

func mustPanic(t *testing.T, what string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s does not panic", what)
		}
	}()
	call()
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// symmetricFromDense returns the symmetric matrix of order n whose upper triangle is that of the row-major n x n matrix
// dense; it does not read the strict lower triangle. It panics unless len(dense) = n*n.
func symmetricFromDense(n int, dense []float64) *Symmetric {
	if len(dense) != n*n {
		panic(fmt.Sprintf("linalg: %d values for a dense matrix of order %d, want %d", len(dense), n, n*n))
	}
	s := NewSymmetric(n)
	for i := range n {
		copy(s.Row(i), dense[i*n+i:(i+1)*n])
	}
	return s
}

// solveShifted stores the solution of (S + lambda I) x = b in dst, by a factor in place of S.
func solveShifted(ctx context.Context, s *Symmetric, dst, b []float64, lambda float64, workers int) error {
	checkSystem(s.order, dst, b)
	factor, err := Factor(ctx, s, lambda, workers)
	if err != nil {
		return err
	}
	copy(dst, b)
	factor.Solve(dst)
	return nil
}

// SolveShifted solves (S + lambda I) x = b for S without negative eigenvalues and stores x in dst.
func (d *Spectral) SolveShifted(dst, b []float64, lambda float64) error {
	_, err := d.SolveRelative(dst, b, lambda/d.Eigenvalues()[0])
	return err
}
