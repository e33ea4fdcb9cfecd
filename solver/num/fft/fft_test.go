// Tests of the transforms. Every test runs on the pure Go and on the assembly kernels.

package fft

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

// directLengths returns all small lengths and some typical ones.
func directLengths() []int {
	largest := 300
	if testing.Short() {
		largest = 70
	}
	var ns []int
	for n := 1; n <= largest; n++ {
		ns = append(ns, n)
	}
	if testing.Short() {
		return append(ns, 97, 128, 420, 499, 512)
	}
	return append(ns, 420, 499, 512, 998, 1000, 1024)
}

func TestForwardAndInverseAreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	all := slices.Clone(shapes)
	for _, n := range directLengths() {
		all = append(all, [2]int{0, n})
	}
	for _, n := range all {
		for _, level := range levels() {
			p := newPlan(n[0], n[1], level)
			n1, n2 := p.shape()
			z, limit, l := random(stride*p.n), bound(p.n), p.n%Lanes
			if p.columns != nil {
				limit *= 2
			}
			x, got := laneOf(z, l), clone(z)
			p.Forward(got)
			expectEqual(t, fmt.Sprintf("Forward of %v points with %v kernels", n, level), interleaved(laneOf(got, l)),
				interleaved(stored(p, directSums(x, n1, n2, -1))), limit)
			got = clone(z)
			setLane(got, l, stored(p, x))
			p.Inverse(got)
			expectEqual(t, fmt.Sprintf("Inverse of %v points with %v kernels", n, level), interleaved(laneOf(got, l)),
				interleaved(directSums(x, n1, n2, 1)), limit)
		}
	}
}

func interleaved(x []complex128) []float64 {
	var parts []float64
	for _, c := range x {
		parts = append(parts, real(c), imag(c))
	}
	return parts
}

func TestInverseUndoesForwardAndParsevalHolds(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		z := random(stride * p.N())
		want, energy := clone(z), 0.0
		for i := range want {
			energy += z[i] * z[i]
			want[i] *= float64(p.N())
		}
		p.Forward(z)
		var transformed float64
		for _, v := range z {
			transformed += v * v
		}
		expectEqual(t, "energy", []float64{transformed}, []float64{energy * float64(p.N())}, rounding)
		p.Inverse(z)
		expectEqual(t, "inverse of forward", z, want, rounding)
	})
}

func TestInverseProductIsInverseOfTheProduct(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		v, a := random(stride*n), random(2*n)
		keptV, keptA := clone(v), clone(a)
		re, im, work := make([]float64, Lanes*n), make([]float64, Lanes*n), random(stride*n)
		p.InverseProduct(re, im, v, a, work)

		product := make([]float64, stride*n)
		for l := range Lanes {
			x := laneOf(v, l)
			for i := range x {
				x[i] *= complex(a[2*i], a[2*i+1])
			}
			setLane(product, l, x)
		}
		multiplied := make([]float64, stride*n)
		p.Multiply(multiplied, v, a)
		expectEqual(t, "product", multiplied, product, rounding)
		p.Inverse(product)
		wantRe, wantIm := make([]float64, Lanes*n), make([]float64, Lanes*n)
		split(wantRe, wantIm, product)
		expectEqual(t, "panel of real parts", re, wantRe, rounding)
		expectEqual(t, "panel of imaginary parts", im, wantIm, rounding)
		expectEqual(t, "input block afterwards", v, keptV, 0)
		expectEqual(t, "input spectrum afterwards", a, keptA, 0)
	})
}

func TestWideBlocksAreTransformedAsTheirHalves(t *testing.T) {
	if simd.Active() < simd.AVX512 {
		t.Skip("needs AVX-512")
	}
	wide := 0
	forEachPlan(t, func(t *testing.T, p *Plan) {
		if !p.Wide() {
			return
		}
		wide++
		n := p.N()
		a := random(2 * n)
		halves := [2][]float64{random(stride * n), random(stride*n + 1)[1:]}
		packed := make([]float64, 2*stride*n)
		p.Pack(packed, halves[0], halves[1])
		z := make([]float64, 2*stride*n)
		p.InverseProductWide(z, packed, a)
		want := make([]float64, 2*stride*n)
		for i, v := range halves {
			product := make([]float64, stride*n)
			p.InverseOf(product, v, a)
			halves[i] = product
		}
		p.Pack(want, halves[0], halves[1])
		expectSame(t, z, want)
		p.Pack(packed, halves[0], nil)
		p.Pack(want, halves[0], make([]float64, stride*n))
		expectSame(t, packed, want)
	})
	if wide == 0 {
		t.Error("no plan is wide")
	}
}

// Sums of products agree with complex numbers, also in place of their last block.
func TestSumsArePointwise(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		for count := 1; count <= 3; count++ {
			var blocks, reals, spectra [][]float64
			mixed, combined, blended := make([]float64, stride*n), make([]float64, stride*n), make([]float64, stride*n)
			for j := range count {
				blocks = append(blocks, random(stride*n + j)[j:])
				reals, spectra = append(reals, random(n + j)[j:]), append(spectra, random(2*n + j)[j:])
				for l := range Lanes {
					x, m, c, b := laneOf(blocks[j], l), laneOf(mixed, l), laneOf(combined, l), laneOf(blended, l)
					for i := range x {
						a := complex(0, reals[j][i])
						if j == 0 {
							a *= -1i
						}
						m[i] += complex(reals[j][i], 0) * x[i]
						c[i] += a * x[i]
						b[i] += complex(spectra[j][2*i], spectra[j][2*i+1]) * x[i]
					}
					setLane(mixed, l, m)
					setLane(combined, l, c)
					setLane(blended, l, b)
				}
			}
			last, kept := blocks[count-1], clone(blocks[count-1])
			p.Combine(last, 1, reals, blocks)
			expectEqual(t, "the combination", last, combined, rounding)
			copy(last, kept)
			p.Combine(last, count, reals, blocks)
			expectEqual(t, "the mixture", last, mixed, rounding)
			copy(last, kept)
			p.Blend(last, spectra, blocks)
			expectEqual(t, "the blend", last, blended, rounding)
		}
	})
}

func TestProductIsNumberByNumber(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		a, b, want := random(stride*p.N()), random(stride*p.N()), make([]float64, stride*p.N())
		for i := range a {
			want[i] = (0.3*a[i] + 0.7) * b[i]
		}
		sum := clone(a)
		p.Product(sum, 0.3, a, 0.7, b, true)
		p.Product(b, 0.3, a, 0.7, b, false)
		for i := range a {
			if b[i] != want[i] || sum[i] != a[i]+want[i] {
				t.Fatalf("number %d: %g and %g, want %g and %g", i, b[i], sum[i], want[i], a[i]+want[i])
			}
		}
	})
}

func TestConvolutionsAreForLargePrimeFactorsOnly(t *testing.T) {
	for n := 1; n <= 1000; n++ {
		rest := n
		for _, prime := range []int{2, 3, 5, 7} {
			for rest%prime == 0 {
				rest /= prime
			}
		}
		p := On(0, n).rows
		if convolved := p.convolution != nil; convolved != (rest > 1) {
			t.Errorf("length %d: a convolution is %v, want %v", n, convolved, rest > 1)
		}
		if p.convolution != nil && (p.convolution.line.n < 2*n-1 || p.convolution.line.convolution != nil) {
			t.Errorf("length %d: convolution of length %d", n, p.convolution.line.n)
		}
	}
}

// The sums of a lane agree with their definitions in complex numbers and are added to their previous values.
func TestEstimateIsASumOverPositions(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		weights := random(4 * p.N())
		var blocks [5][]float64
		for i := range blocks {
			blocks[i] = random(stride*p.N() + i)[i:]
		}
		step := Step{Last: blocks[0], Next: blocks[1], U: blocks[2], First: blocks[3], Middle: blocks[4]}
		sums := Sums{{1}, {2}, {3}, {4}}
		p.Estimate(&sums, weights, step)
		without := Sums{{1}, {2}, {3}, sums[3]}
		step.First = nil
		p.Estimate(&without, weights, step)
		for k := range sums {
			expectEqual(t, "the estimate without the bend", without[k][:], sums[k][:], 1e-14)
		}
		for l := range Lanes {
			var v [5][]complex128
			for i, b := range blocks {
				v[i] = laneOf(b, l)
			}
			var want [4]float64
			if l == 0 {
				want = [4]float64{1, 2, 3, 4}
			}
			square := func(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }
			for i := range v[0] {
				last, next, u, x, y := v[0][i], v[1][i], v[2][i], v[3][i], v[4][i]
				want[0] += weights[4*i] * square(next-last)
				want[1] += weights[4*i+1] * square(u)
				want[2] += weights[4*i+2] * square(next)
				bend := square(x - 2*y + next)
				want[3] += weights[4*i+3] * bend * bend / (square(x) + 2*square(y) + square(next))
			}
			got := []float64{sums[0][l], sums[1][l], sums[2][l], sums[3][l]}
			expectEqual(t, "the estimate", got, want[:], 1e-13*float64(p.N()))
		}
	})
}

func TestTransformsDoNotAllocate(t *testing.T) {
	for _, level := range levels() {
		for _, p := range []*Plan{newPlan(0, 100, level), newPlan(0, 499, level), newPlan(0, 512, level),
			newPlan(20, 32, level)} {
			n := p.N()
			v, z, a, u, c := random(stride*n), random(stride*n), random(2*n), random(n), random(n)
			tables, blocks := [][]float64{c, c}, [][]float64{v, z}
			re, im, spectrum := make([]float64, Lanes*n), make([]float64, Lanes*n), make([]float64, 2*n)
			for name, transform := range map[string]func(){
				"Forward":        func() { p.Forward(z) },
				"Inverse":        func() { p.Inverse(z) },
				"InverseProduct": func() { p.InverseProduct(re, im, v, a, z) },
				"Combine":        func() { p.Combine(z, 1, tables, blocks) },
				"Spectrum":       func() { p.Spectrum(spectrum, u) },
			} {
				if got := fewestAllocations(transform); got > 0 {
					t.Errorf("%s of %d points with %v kernels allocates %v times", name, n, level, got)
				}
			}
		}
	}
}

func TestOnePlanServesManyGoroutines(t *testing.T) {
	for _, p := range []*Plan{On(0, 60), On(0, 499), On(0, 512), On(22, 20)} {
		u, want := random(p.N()), make([]float64, 2*p.N())
		p.Spectrum(want, u)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				got := make([]float64, len(want))
				for range 4 {
					p.Spectrum(got, u)
					expectSame(t, got, want)
				}
			})
		}
		group.Wait()
	}
}

func TestWrongLengthsPanic(t *testing.T) {
	for name, operation := range map[string]func(){
		"a short block":           func() { On(0, 16).Forward(make([]float64, 64)) },
		"a short block of fields": func() { On(4, 6).Forward(make([]float64, 8*20)) },
		"no points":               func() { On(4, 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was accepted", name)
				}
			}()
			operation()
		}()
	}
}
