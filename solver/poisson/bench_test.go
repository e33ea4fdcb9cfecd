// Benchmarks compared with the same methods on gonum's DST: go test -bench . -benchtime 0.3s
//
// RFM_SIMD=off disables the assembly in this package and in its dependencies.

package poisson

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"

	"rfm/solver/simd"
)

var benchmarkGrids = []int{33, 257}

func BenchmarkSolve(b *testing.B) {
	for _, r := range benchmarkGrids {
		f := random((r - 2) * (r - 2))
		u := make([]float64, len(f))
		b.Run(fmt.Sprintf("gonum/%d", r), func(b *testing.B) {
			g := newGonumSolver(r)
			for b.Loop() {
				g.solve(u, f)
			}
		})
		b.Run(fmt.Sprintf("%v/%d", simd.Active(), r), func(b *testing.B) {
			s, _ := NewSolver(r)
			for b.Loop() {
				s.Solve(u, f)
			}
		})
	}
}

func BenchmarkSine(b *testing.B) {
	for _, r := range benchmarkGrids {
		f := random((r - 2) * (r - 2))
		u := make([]float64, len(f))
		b.Run(fmt.Sprintf("gonum/%d", r), func(b *testing.B) {
			g := newGonumSolver(r)
			for b.Loop() {
				g.sine(u, f)
			}
		})
		b.Run(fmt.Sprintf("%v/%d", simd.Active(), r), func(b *testing.B) {
			s, _ := NewSolver(r)
			for b.Loop() {
				s.Sine(u, f)
			}
		})
	}
}

// gonumSolver transforms rows with gonum and, for solve, eliminates along columns row by row, in the order of memory.
type gonumSolver struct {
	points    int
	transform *fourier.DST
	pivots    []float64 // [row][mode]
	half      []float64
}

func newGonumSolver(r int) *gonumSolver {
	n, points := r-1, r-2
	g := &gonumSolver{points: points, transform: fourier.NewDST(points)}
	g.pivots, g.half = make([]float64, points*points), make([]float64, points*points)
	for k := range points {
		diagonal := 4 - 2*math.Cos(math.Pi*float64(k+1)/float64(n))
		c := 0.0
		for i := range points {
			c = 1 / (diagonal - c)
			g.pivots[i*points+k] = c
		}
	}
	return g
}

func (g *gonumSolver) rows(dst, src []float64) {
	for i := 0; i < len(src); i += g.points {
		g.transform.Transform(dst[i:i+g.points], src[i:i+g.points])
	}
}

func (g *gonumSolver) solve(u, f []float64) {
	m := g.points
	g.rows(g.half, f)
	for i := range m * m {
		y := g.half[i]
		if i >= m {
			y += g.half[i-m]
		}
		g.half[i] = y * g.pivots[i]
	}
	for i := m*(m-1) - 1; i >= 0; i-- {
		g.half[i] += g.pivots[i] * g.half[i+m]
	}
	g.rows(u, g.half)
	// gonum's transform is twice the sum of sines, which is its own inverse up to 2n.
	n := float64(m + 1)
	scale := 1 / (2 * n * n * n)
	for i := range u {
		u[i] *= scale
	}
}

func (g *gonumSolver) sine(s, f []float64) {
	m := g.points
	g.rows(g.half, f)
	exchange(s, g.half, m)
	g.rows(g.half, s)
	exchange(s, g.half, m)
	for i := range s {
		s[i] /= 2 * float64(m+1)
	}
}

func exchange(dst, src []float64, m int) {
	for i := range m {
		for j := range m {
			dst[j*m+i] = src[i*m+j]
		}
	}
}
