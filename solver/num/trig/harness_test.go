// This file contains common helpers of the tests: grids, data, comparison, direct sums.

package trig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rfm/solver/num/simd"
)

// rounding bounds errors relative to the largest value: a transform sums r^2 rounded terms in O(log r) stages and r/2
// running sums.
const rounding = 1e-13

func levels() []simd.Level {
	if simd.Active() >= simd.AVX2 {
		return []simd.Level{simd.Generic, simd.AVX2}
	}
	return []simd.Level{simd.Generic}
}

// forEachGrid tests every small size, odd and even, square and not, and some larger ones.
func forEachGrid(t *testing.T, least int, test func(t *testing.T, rows, columns int, level simd.Level)) {
	var grids [][2]int
	for r := least; r <= 26; r++ {
		grids = append(grids, [2]int{r, r}, [2]int{r, least + (7*r)%31})
	}
	grids = append(grids, [2]int{65, 65}, [2]int{101, 40}, [2]int{12, 104})
	for _, level := range levels() {
		for _, g := range grids {
			t.Run(fmt.Sprintf("%v/%dx%d", level, g[0], g[1]), func(t *testing.T) { test(t, g[0], g[1], level) })
		}
	}
}

func random(count int) []float64 {
	source := rand.New(rand.NewPCG(3, uint64(count)))
	f := make([]float64, count)
	for i := range f {
		f[i] = source.NormFloat64()
	}
	return f
}

func expectEqual(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*scale) {
			t.Fatalf("%s differs at %d: got %v, want %v, largest %v", what, i, got[i], want[i], scale)
		}
	}
}

// bothAxes returns A f B for a field f of rows x columns values, and matrices of functions of the indices.
func bothAxes(f []float64, rows, columns int, a, b func(i, k int) float64) []float64 {
	half, sums := make([]float64, len(f)), make([]float64, len(f))
	for j := range columns {
		for l := range columns {
			factor := b(j, l)
			for i := range rows {
				half[i*columns+l] += f[i*columns+j] * factor
			}
		}
	}
	for i := range rows {
		for k := range rows {
			factor := a(i, k)
			for l := range columns {
				sums[k*columns+l] += half[i*columns+l] * factor
			}
		}
	}
	return sums
}

// cosineOf returns the factor of f_j in the coefficient k of the cosine transform of r points.
func cosineOf(r int) func(j, k int) float64 {
	return func(j, k int) float64 {
		c := math.Cos(math.Pi * float64(j*k%(2*r-2)) / float64(r-1))
		if j == 0 || j == r-1 {
			c /= 2
		}
		return c
	}
}

// sineOf returns the factor of f_j+1 in the coefficient k+1 of the sine transform of m interior points.
func sineOf(m int) func(j, k int) float64 {
	return func(j, k int) float64 {
		n := float64(m + 1)
		return math.Sqrt(2/n) * math.Sin(math.Pi*float64((j+1)*(k+1)%(2*m+2))/n)
	}
}

func packed(values []float64, rows, columns int) Field { return Field{values, columns, rows, columns} }

// fewestAllocations ignores a pool emptied by a garbage collection or the race detector.
func fewestAllocations(operation func()) float64 {
	fewest := math.Inf(1)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, operation))
	}
	return fewest
}
