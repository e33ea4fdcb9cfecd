package darcy

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/num/simd"
)

// kernelTolerance bounds the difference of sums of up to 300 terms in different orders, with and without fused
// multiplication.
const kernelTolerance = 1e-13

func levels() []simd.Level {
	if simd.Active() >= simd.AVX2 {
		return []simd.Level{simd.Generic, simd.AVX2}
	}
	return []simd.Level{simd.Generic}
}

// forEachKernels runs the test for all kernels and lengths around every vector length.
func forEachKernels(t *testing.T, test func(t *testing.T, k kernels, n int)) {
	for _, level := range levels() {
		for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 255} {
			t.Run(fmt.Sprintf("%v/%d", level, n), func(t *testing.T) {
				test(t, simd.Choose(level, genericKernels, vectorKernels), n)
			})
		}
	}
}

func random(n int, seed uint64) []float64 {
	source, x := rand.New(rand.NewPCG(seed, uint64(n))), make([]float64, n)
	for i := range x {
		x[i] = source.NormFloat64()
	}
	return x
}

func expectClose(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= kernelTolerance*(1+math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestApplyIsTheScheme(t *testing.T) {
	forEachKernels(t, func(t *testing.T, k kernels, n int) {
		image, above, row, below := make([]float64, n), random(n, 1), random(n+2, 2), random(n, 3)
		east, north, south := random(n+1, 4), random(n, 5), random(n, 6)
		sum, products := k.apply(image, above, row, below, east, north, south), 0.0
		for j := range n {
			v := row[j+1]
			want := east[j+1]*(v-row[j+2]) + east[j]*(v-row[j]) + north[j]*(v-above[j]) + south[j]*(v-below[j])
			expectClose(t, fmt.Sprintf("image %d", j), image[j], want)
			products += v * want
		}
		expectClose(t, "p.q", sum, products)
	})
}

func TestCombineIsTheNewDirection(t *testing.T) {
	forEachKernels(t, func(t *testing.T, k kernels, n int) {
		p, z := random(n, 1), random(n, 2)
		k.combine(p, z, 0.7)
		for i, old := range random(n, 1) {
			expectClose(t, fmt.Sprintf("p %d", i), p[i], z[i]+0.7*old)
		}
	})
}

func TestAdvanceUpdatesSolutionAndResidual(t *testing.T) {
	forEachKernels(t, func(t *testing.T, k kernels, n int) {
		u, b, p, q := random(n, 1), random(n, 2), random(n, 3), random(n, 4)
		sum, squares := k.advance(u, b, p, q, 0.3), 0.0
		oldU, oldB := random(n, 1), random(n, 2)
		for i := range n {
			expectClose(t, fmt.Sprintf("u %d", i), u[i], oldU[i]+0.3*p[i])
			expectClose(t, fmt.Sprintf("b %d", i), b[i], oldB[i]-0.3*q[i])
			squares += b[i] * b[i]
		}
		expectClose(t, "b.b", sum, squares)
	})
}

func TestDotIsTheSumOfProducts(t *testing.T) {
	forEachKernels(t, func(t *testing.T, k kernels, n int) {
		x, y, want := random(n, 1), random(n, 2), 0.0
		for i := range n {
			want += x[i] * y[i]
		}
		expectClose(t, "x.y", k.dot(x, y), want)
	})
}

func TestSolutionsDoNotDependOnTheKernels(t *testing.T) {
	for _, r := range []int{3, 10, 33, 65} {
		a, want := drawn(r, 0), make([]float64, r*r)
		for i, level := range levels() {
			u := make([]float64, r*r)
			if err := newSolver(exact(goldenSource, Arithmetic), r, level).NewWorker().Solve(context.Background(), u, a,
				"test"); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = u
			} else if d := relative(u, want); d > fieldTolerance {
				t.Errorf("r = %d, %v: relative difference %.2g", r, level, d)
			}
		}
	}
}
