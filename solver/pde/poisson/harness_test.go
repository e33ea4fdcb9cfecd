// This file contains common helpers of the tests: solvers with both kinds of kernels, fields, comparison.

package poisson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/num/simd"
)

const (
	// rounding bounds errors relative to the largest value: a sine transform sums n/2
	// rounded terms, and solutions amplify little because low modes dominate them.
	rounding = 1e-12
	// residualRounding bounds the error of the stencil applied to a solution, which
	// magnifies its rounding errors by about 4 r^2/pi^2: 3e4 at r = 257.
	residualRounding = 1e-10
	// sampleRounding is the relative error of sines of angles up to n pi.
	sampleRounding = 4e-15
)

// grids returns every small size, and sizes with the tables of one and of many bands.
func grids() []int {
	var rs []int
	for r := 3; r <= 40; r++ {
		rs = append(rs, r)
	}
	return append(rs, 65, 129, 257)
}

func levels() []simd.Level {
	if simd.Active() >= simd.AVX2 {
		return []simd.Level{simd.Generic, simd.AVX2}
	}
	return []simd.Level{simd.Generic}
}

func forEachSolver(t *testing.T, test func(t *testing.T, s *Solver)) {
	for _, level := range levels() {
		for _, r := range grids() {
			t.Run(fmt.Sprintf("%v/%d", level, r), func(t *testing.T) { test(t, newSolver(r, level)) })
		}
	}
}

// random returns n normal numbers, the same ones for the same n.
func random(n int) []float64 {
	source := rand.New(rand.NewPCG(2, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = source.NormFloat64()
	}
	return x
}

// sampled returns f at the interior points of the grid.
func sampled(s *Solver, f func(x, y float64) float64) []float64 {
	h := 1 / float64(s.n)
	values := make([]float64, 0, s.points*s.points)
	for i := 1; i < s.n; i++ {
		for j := 1; j < s.n; j++ {
			values = append(values, f(float64(i)*h, float64(j)*h))
		}
	}
	return values
}

// onWholeGrid surrounds interior values by the boundary value.
func onWholeGrid(s *Solver, interior []float64, boundary float64) []float64 {
	whole := make([]float64, s.r*s.r)
	for i := range whole {
		whole[i] = boundary
	}
	for i := range s.points {
		copy(whole[(i+1)*s.r+1:], interior[i*s.points:(i+1)*s.points])
	}
	return whole
}

func stencil(s *Solver, interior []float64) []float64 {
	u := onWholeGrid(s, interior, 0)
	f := make([]float64, 0, len(interior))
	for i := 1; i < s.n; i++ {
		for j := 1; j < s.n; j++ {
			c := i*s.r + j
			f = append(f, (4*u[c]-u[c-1]-u[c+1]-u[c-s.r]-u[c+s.r])*float64(s.n*s.n))
		}
	}
	return f
}

func dot(x, y []float64) float64 {
	var sum float64
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func largest(x []float64) float64 {
	var m float64
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

func expectEqual(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	scale := largest(want)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*scale) {
			t.Fatalf("%s differs at %d: got %v, want %v, largest %v", what, i, got[i], want[i], scale)
		}
	}
}

func solved(s *Solver, f []float64) []float64 {
	u := make([]float64, len(f))
	s.Solve(u, f)
	return u
}

func transformed(s *Solver, f []float64) []float64 {
	c := make([]float64, len(f))
	s.Sine(c, f)
	return c
}

// fewestAllocations ignores a pool emptied by a garbage collection or the race detector.
func fewestAllocations(operation func()) float64 {
	fewest := testing.AllocsPerRun(1, operation)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, operation))
	}
	return fewest
}
