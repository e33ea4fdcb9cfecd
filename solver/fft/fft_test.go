// Tests of the transforms. Every test runs on the pure Go and on the assembly kernels.

package fft

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync"
	"testing"

	"rfm/solver/simd"
)

const (
	// rounding bounds the error of one or two transforms of up to 8192 points relative to
	// the root mean square of the result: 13 passes of a few roundings each.
	rounding = 1e-13
	// directRounding is for sums of N terms one after the other and for lengths with a
	// large prime factor, where gonum's transform is such a sum.
	directRounding = 1e-12
)

// lengths has 1, 2, primes, other lengths for gonum, and for the kernels both first
// radices with one to three levels of cache blocking.
var lengths = []int{1, 2, 3, 4, 5, 7, 8, 12, 15, 17, 31, 60, 97, 16, 32, 64, 128, 256, 512, 1024, 2048, 8192}

func levels() []simd.Level {
	if simd.Active() >= simd.AVX2 {
		return []simd.Level{simd.Generic, simd.AVX2}
	}
	return []simd.Level{simd.Generic}
}

func forEachPlan(t *testing.T, test func(t *testing.T, p *Plan)) {
	for _, level := range levels() {
		for _, n := range lengths {
			t.Run(fmt.Sprintf("%v/%d", level, n), func(t *testing.T) { test(t, newPlan(n, level)) })
		}
	}
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

// directSum returns sum_i x_i exp(sign 2 pi i k i/N) for k in ks.
func directSum(x []complex128, ks []int, sign float64) []complex128 {
	n := len(x)
	roots := make([]complex128, n)
	for j := range roots {
		roots[j] = cmplx.Rect(1, sign*2*math.Pi*float64(j)/float64(n))
	}
	sums := make([]complex128, len(ks))
	for p, k := range ks {
		step := (k + n) % n
		for i, j := 0, 0; i < n; i, j = i+1, (j+step)%n {
			sums[p] += x[i] * roots[j]
		}
	}
	return sums
}

func TestForwardIsTheDirectSum(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		if p.N() > 1024 {
			t.Skip("the direct sum takes long; the agreement with gonum covers this length")
		}
		z := random(stride * p.N())
		want := make([]float64, len(z))
		for l := range Lanes {
			setLane(want, l, directSum(laneOf(z, l), p.Frequencies(), -1))
		}
		p.Forward(z)
		expectEqual(t, "the transform", z, want, directRounding)
	})
}

func TestForwardAgreesWithGonum(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		z := random(stride * p.N())
		gonum, want := clone(z), make([]float64, len(z))
		newAnyLength(p.N()).forward(gonum)
		for position, k := range p.Frequencies() {
			*at(want, position) = *at(gonum, (k+p.N())%p.N())
		}
		p.Forward(z)
		expectEqual(t, "the transform", z, want, rounding)
	})
}

func TestInverseUndoesForward(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		z := random(stride * p.N())
		want := clone(z)
		for i := range want {
			want[i] *= float64(p.N())
		}
		p.Forward(z)
		p.Inverse(z)
		expectEqual(t, "inverse of forward", z, want, rounding)
	})
}

func TestForwardIsLinear(t *testing.T) {
	const c = -1.75
	forEachPlan(t, func(t *testing.T, p *Plan) {
		x, y := random(stride*p.N()), random(stride*p.N() + 1)[1:]
		sum := make([]float64, len(x))
		for i := range sum {
			sum[i] = x[i] + c*y[i]
		}
		p.Forward(x)
		p.Forward(y)
		p.Forward(sum)
		want := make([]float64, len(x))
		for i := range want {
			want[i] = x[i] + c*y[i]
		}
		expectEqual(t, "transform of a sum", sum, want, rounding)
	})
}

func TestParseval(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		z := random(stride * p.N())
		energies := func() []float64 {
			sums := make([]float64, Lanes)
			for l := range sums {
				for _, c := range laneOf(z, l) {
					sums[l] += real(c)*real(c) + imag(c)*imag(c)
				}
			}
			return sums
		}
		want := energies()
		for l := range want {
			want[l] *= float64(p.N())
		}
		p.Forward(z)
		expectEqual(t, "energy of each lane", energies(), want, rounding)
	})
}

func TestShiftInSpaceTurnsThePhase(t *testing.T) {
	const shift = 3
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		z := random(stride * n)
		shifted := make([]float64, len(z))
		for i := range n {
			*at(shifted, (i+shift)%n) = *at(z, i)
		}
		p.Forward(z)
		p.Forward(shifted)
		for l := range Lanes {
			x := laneOf(z, l)
			for position, k := range p.Frequencies() {
				x[position] *= cmplx.Rect(1, -2*math.Pi*float64(shift*k%n)/float64(n))
			}
			setLane(z, l, x)
		}
		expectEqual(t, "transform of the shifted sequences", shifted, z, rounding)
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
		p.Inverse(product)
		wantRe, wantIm := make([]float64, Lanes*n), make([]float64, Lanes*n)
		split(wantRe, wantIm, product)
		expectEqual(t, "panel of real parts", re, wantRe, rounding)
		expectEqual(t, "panel of imaginary parts", im, wantIm, rounding)
		expectEqual(t, "input block afterwards", v, keptV, 0)
		expectEqual(t, "input spectrum afterwards", a, keptA, 0)
	})
}

func TestForwardSquaresIsForwardOfTheSquares(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		z := random(stride * p.N())
		want := clone(z)
		for i := range want {
			want[i] *= want[i]
		}
		p.Forward(want)
		p.ForwardSquares(z)
		expectEqual(t, "the transform", z, want, rounding)
	})
}

func TestCombineIsPointwise(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		v, w, c, d := random(stride*n), random(stride*n + 1)[1:], random(n), random(n + 1)[1:]
		want := make([]float64, stride*n)
		for l := range Lanes {
			x, y := laneOf(v, l), laneOf(w, l)
			for i := range x {
				x[i] = complex(c[i], 0)*x[i] + complex(0, d[i])*y[i]
			}
			setLane(want, l, x)
		}
		got := make([]float64, stride*n)
		p.Combine(got, c, v, d, w)
		expectEqual(t, "the combination", got, want, rounding)
		p.Combine(w, c, v, d, w)
		expectEqual(t, "the combination in place", w, want, rounding)
	})
}

func TestFrequenciesAreEachThereOnce(t *testing.T) {
	forEachPlan(t, func(t *testing.T, p *Plan) {
		n := p.N()
		seen := make(map[int]bool)
		for _, k := range p.Frequencies() {
			if 2*k <= -n || 2*k > n || seen[k] {
				t.Fatalf("frequency %d is out of range or there twice", k)
			}
			seen[k] = true
		}
		if len(seen) != n {
			t.Errorf("%d frequencies, want %d", len(seen), n)
		}
	})
}

func TestPowersOfTwoAreFast(t *testing.T) {
	for _, n := range lengths {
		want := n >= 16 && n&(n-1) == 0
		if got := NewPlan(n).Fast(); got != want {
			t.Errorf("length %d: fast is %v, want %v", n, got, want)
		}
	}
}

func TestTransformsDoNotAllocate(t *testing.T) {
	for _, level := range levels() {
		p := newPlan(512, level)
		n := p.N()
		v, z, a, u, c := random(stride*n), random(stride*n), random(2*n), random(3*n), random(n)
		re, im, spectra := make([]float64, Lanes*n), make([]float64, Lanes*n), make([]float64, 6*n)
		for name, transform := range map[string]func(){
			"Forward":        func() { p.Forward(z) },
			"Inverse":        func() { p.Inverse(z) },
			"InverseProduct": func() { p.InverseProduct(re, im, v, a, z) },
			"ForwardSquares": func() { p.ForwardSquares(z) },
			"Combine":        func() { p.Combine(z, c, v, c, z) },
			"Spectra":        func() { p.Spectra(spectra, u, 3) },
		} {
			if got := fewestAllocations(transform); got > 0 {
				t.Errorf("%s with %v kernels allocates %v times", name, level, got)
			}
		}
	}
}

// fewestAllocations forgives a pool that a garbage collection or the race detector empties.
func fewestAllocations(operation func()) float64 {
	fewest := testing.AllocsPerRun(1, operation)
	for range 20 {
		fewest = min(fewest, testing.AllocsPerRun(1, operation))
	}
	return fewest
}

func TestOnePlanServesManyGoroutines(t *testing.T) {
	for _, n := range []int{60, 512} {
		p := NewPlan(n)
		u := random(9 * n)
		want := make([]float64, 18*n)
		p.Spectra(want, u, 9)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				got := make([]float64, 18*n)
				for range 4 {
					p.Spectra(got, u, 9)
					expectSame(t, got, want)
				}
			})
		}
		group.Wait()
	}
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

func TestWrongLengthPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a block of the wrong length was accepted")
		}
	}()
	NewPlan(16).Forward(make([]float64, 64))
}
