// Tests of the transforms. Every test runs on the pure Go and on the assembly kernels.

package fft

import (
	"math"
	"math/cmplx"
	"sync"
	"testing"
)

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

func TestWrongLengthPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a block of the wrong length was accepted")
		}
	}()
	NewPlan(16).Forward(make([]float64, 64))
}
