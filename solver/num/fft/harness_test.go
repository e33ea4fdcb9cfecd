// This file contains common helpers of the tests: plans of both kinds of kernels, data, comparison.

package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rfm/solver/num/simd"
)

// rounding bounds the error of one or two transforms of up to 12500 points relative to the root mean square of the
// result: 14 passes, or 34 of a convolution, of a few roundings each.
const rounding = 1e-13

// bound is the documented error of a transform, with measured constants: log2 n passes of half a unit each, twice with
// a convolution, at the worst of n positions.
func bound(n int) float64 { return 0x1p-52 * (2 + 1.5*math.Log2(float64(n))) }

// lengths has single passes, all radices in all places, and convolutions.
var lengths = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 17, 31, 60, 97, 16, 32, 64, 100, 105, 128, 250, 256, 420, 499, 512,
	998, 1000,
	1024, 1029, 1250, 2048, 5000, 8192}

func levels() []simd.Level {
	all := []simd.Level{simd.Generic, simd.AVX2, simd.AVX512}
	return all[:simd.Active()+1]
}

// shapes contains single points and lines, both parities, squares and rectangles, and convolutions along either axis.
var shapes = [][2]int{{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 5}, {5, 4}, {8, 8}, {12, 10}, {11, 6}, {6, 11}, {16, 16},
	{15, 32}, {20, 21}, {64, 48}}

// forEachPlan tests transforms of functions of one variable, and of fields.
func forEachPlan(t *testing.T, test func(t *testing.T, p *Plan)) {
	all := slices.Clone(shapes)
	for _, n := range lengths {
		all = append(all, [2]int{0, n})
	}
	for _, level := range levels() {
		for _, n := range all {
			t.Run(fmt.Sprintf("%v/%v", level, n), func(t *testing.T) { test(t, newPlan(n[0], n[1], level)) })
		}
	}
}

// shape returns the numbers of points along both axes; functions of one variable have one row.
func (p *Plan) shape() (n1, n2 int) { return p.n / p.rows.n, p.rows.n }

func upTo(n int) []int {
	ks := make([]int, n)
	for k := range ks {
		ks[k] = k
	}
	return ks
}

// directSums returns sum_ij x_ij exp(sign 2 pi i (i k1/N1 + j k2/N2)) in row-major order of the frequencies modulo N1,
// N2.
func directSums(x []complex128, n1, n2 int, sign float64) []complex128 {
	half, sums := make([]complex128, len(x)), make([]complex128, len(x))
	for i := range n1 {
		copy(half[i*n2:(i+1)*n2], directSum(x[i*n2:(i+1)*n2], upTo(n2), sign))
	}
	column := make([]complex128, n1)
	for j := range n2 {
		for i := range column {
			column[i] = half[i*n2+j]
		}
		for k, sum := range directSum(column, upTo(n1), sign) {
			sums[k*n2+j] = sum
		}
	}
	return sums
}

// stored rearranges values from row-major order of the frequencies to storage order.
func stored(p *Plan, natural []complex128) []complex128 {
	n1, n2 := p.shape()
	spectrum := make([]complex128, len(natural))
	for position, k := range p.Frequencies() {
		if p.columns == nil {
			k = [2]int{0, k[0]}
		}
		spectrum[position] = natural[(k[0]+n1)%n1*n2+(k[1]+n2)%n2]
	}
	return spectrum
}

// random returns n normal numbers, the same ones for the same n.
func random(n int) []float64 {
	source := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = source.NormFloat64()
	}
	return x
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

func expectEqual(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	var square float64
	for _, w := range want {
		square += w * w
	}
	scale := math.Sqrt(square / float64(len(want)))
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance*scale) {
			t.Fatalf("%s differs at %d: got %v, want %v, root mean square %v", what, i, got[i], want[i], scale)
		}
	}
}

func laneOf(block []float64, l int) []complex128 {
	x := make([]complex128, len(block)/stride)
	for i := range x {
		x[i] = complex(block[stride*i+l], block[stride*i+l+Lanes])
	}
	return x
}

func setLane(block []float64, l int, x []complex128) {
	for i, c := range x {
		block[stride*i+l], block[stride*i+l+Lanes] = real(c), imag(c)
	}
}

// directSum returns sum_i x_i exp(sign 2 pi i k i/N) for k in ks, correct to the last bit or so of the roots.
func directSum(x []complex128, ks []int, sign float64) []complex128 {
	n := len(x)
	roots := make([]complex128, n)
	for j := range roots {
		re, im := rootOfUnity(j, n)
		roots[j] = complex(re, sign*im)
	}
	sums := make([]complex128, len(ks))
	for p, k := range ks {
		step := (k + n) % n
		var re, im compensated
		for i, j := 0, 0; i < n; i, j = i+1, (j+step)%n {
			a, w := x[i], roots[j]
			re.addProduct(real(a), real(w))
			re.addProduct(-imag(a), imag(w))
			im.addProduct(real(a), imag(w))
			im.addProduct(imag(a), real(w))
		}
		sums[p] = complex(re.sum+re.error, im.sum+im.error)
	}
	return sums
}

// compensated is a sum with its accumulated rounding error (Ogita, Rump & Oishi 2005).
type compensated struct{ sum, error float64 }

func (c *compensated) addProduct(x, y float64) {
	product := x * y
	lost := math.FMA(x, y, -product)
	sum := c.sum + product
	part := sum - c.sum
	c.error += lost + ((c.sum - (sum - part)) + (product - part))
	c.sum = sum
}

// expectSame, unlike expectEqual, may be called from any goroutine.
func expectSame(t *testing.T, got, want []float64) {
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("differs at %d: got %v, want %v", i, got[i], want[i])
			return
		}
	}
}

// fewestAllocations ignores a pool emptied by a garbage collection or the race detector.
func fewestAllocations(operation func()) float64 {
	fewest := testing.AllocsPerRun(1, operation)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, operation))
	}
	return fewest
}
