// Tests of the transforms on a periodic rectangle, on both kinds of kernels.

package fft

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

// shapes contains single points and lines, both parities, squares and rectangles, and convolutions along either axis.
var shapes = [][2]int{{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 5}, {5, 4}, {8, 8}, {12, 10}, {11, 6}, {6, 11}, {16, 16},
	{15, 32}, {20, 21}, {64, 48}}

func forEachPlan2(t *testing.T, test func(t *testing.T, p *Plan2)) {
	for _, level := range levels() {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%v/%dx%d", level, s[0], s[1]), func(t *testing.T) { test(t, newPlan2(s[0], s[1], level)) })
		}
	}
}

// directSum2 returns sum_ij x_ij exp(sign 2 pi i (i k1/N1 + j k2/N2)) in row-major order of the frequencies modulo N1,
// N2.
func directSum2(x []complex128, n1, n2 int, sign float64) []complex128 {
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

func upTo(n int) []int {
	ks := make([]int, n)
	for k := range ks {
		ks[k] = k
	}
	return ks
}

// stored rearranges values from row-major order of the frequencies to storage order.
func stored(p *Plan2, natural []complex128) []complex128 {
	n1, n2 := p.Shape()
	spectrum := make([]complex128, len(natural))
	for position, k := range p.Frequencies() {
		spectrum[position] = natural[(k[0]+n1)%n1*n2+(k[1]+n2)%n2]
	}
	return spectrum
}

func TestForward2AndInverse2AreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n1, n2 := p.Shape()
		z := random(stride * p.N())
		for l := range Lanes {
			x := laneOf(z, l)
			got := clone(z)
			p.Forward(got)
			expectEqual(t, "Forward", interleaved(laneOf(got, l)), interleaved(stored(p, directSum2(x, n1, n2, -1))),
				2*bound(p.N()))
			got = clone(z)
			setLane(got, l, stored(p, x))
			p.Inverse(got)
			expectEqual(t, "Inverse", interleaved(laneOf(got, l)), interleaved(directSum2(x, n1, n2, 1)), 2*bound(p.N()))
		}
	})
}

func TestInverse2UndoesForward2AndParsevalHolds(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
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

func TestInverseProduct2IsInverseOfTheProduct(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
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

func TestFrequencies2AreEachThereOnce(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n1, n2 := p.Shape()
		seen := make(map[[2]int]bool)
		for _, k := range p.Frequencies() {
			if 2*k[0] <= -n1 || 2*k[0] > n1 || 2*k[1] <= -n2 || 2*k[1] > n2 || seen[k] {
				t.Fatalf("frequency %v is out of range or there twice", k)
			}
			seen[k] = true
		}
		if len(seen) != n1*n2 {
			t.Errorf("%d frequencies, want %d", len(seen), n1*n2)
		}
	})
}

func TestSpectra2AreTheDirectSums(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const count = 13 // one whole block and one that is not full, with both halves in use
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		n1, n2 := p.Shape()
		n := p.N()
		u, spectra := random(count*n), make([]float64, 2*count*n)
		p.Spectra(spectra, u, count)
		for s := range count {
			x := make([]complex128, n)
			for i, v := range u[s*n : (s+1)*n] {
				x[i] = complex(v, 0)
			}
			sums := directSum2(x, n1, n2, -1)
			expectEqual(t, fmt.Sprintf("spectrum %d", s), spectra[2*s*n:2*(s+1)*n], interleaved(stored(p, sums)), rounding)
		}
	})
}

func TestUnpackUndoesPack(t *testing.T) {
	forEachPlan2(t, func(t *testing.T, p *Plan2) {
		for _, fields := range []int{1, 5, 8} {
			u, got, z := random(fields*p.N()), make([]float64, fields*p.N()), random(stride*p.N())
			p.Pack(z, u)
			p.Unpack(got, z)
			expectEqual(t, fmt.Sprintf("%d fields", fields), got, u, 0)
		}
	})
}

// TestDerivativesOfTrigonometricPolynomialsAreExact multiplies spectra by 2 pi i k1 and by -4 pi^2 |k|^2.
func TestDerivativesOfTrigonometricPolynomialsAreExact(t *testing.T) {
	for _, level := range levels() {
		for _, shape := range [][2]int{{16, 16}, {15, 20}, {22, 9}} {
			p := newPlan2(shape[0], shape[1], level)
			n1, n2 := p.Shape()
			polynomial := func(x, y, phase float64) (u, slope, laplacian float64) {
				const tau = 2 * math.Pi
				for _, k := range [][2]float64{{1, 0}, {0, 2}, {3, -4}, {-6, 3}} {
					s, c := math.Sincos(tau*(k[0]*x+k[1]*y) + phase)
					u += s
					slope += tau * k[0] * c
					laplacian -= tau * tau * (k[0]*k[0] + k[1]*k[1]) * s
				}
				return u, slope, laplacian
			}
			u, slopes, laplacians := make([]float64, 8*p.N()), make([]float64, 8*p.N()), make([]float64, 8*p.N())
			for i := range u {
				field, x := i/p.N(), i%p.N()
				u[i], slopes[i], laplacians[i] = polynomial(float64(x/n2)/float64(n1), float64(x%n2)/float64(n2), float64(field))
			}
			first, second := make([]float64, 2*p.N()), make([]float64, 2*p.N())
			for position, k := range p.Frequencies() {
				scale := 1 / float64(p.N())
				if 2*k[0] != n1 { // the Nyquist mode has no odd derivative
					first[2*position+1] = 2 * math.Pi * float64(k[0]) * scale
				}
				second[2*position] = -4 * math.Pi * math.Pi * float64(k[0]*k[0]+k[1]*k[1]) * scale
			}
			for name, c := range map[string]struct{ symbol, want []float64 }{"slope": {first, slopes},
				"Laplacian": {second, laplacians}} {
				z, got := make([]float64, stride*p.N()), make([]float64, len(u))
				p.Pack(z, u)
				p.Forward(z)
				p.Multiply(z, z, c.symbol)
				p.Inverse(z)
				p.Unpack(got, z)
				expectEqual(t, fmt.Sprintf("%s on %v points", name, shape), got, c.want, rounding)
			}
		}
	}
}

func TestTransforms2DoNotAllocate(t *testing.T) {
	for _, level := range levels() {
		p := newPlan2(20, 32, level)
		n := p.N()
		v, z, a, u := random(stride*n), random(stride*n), random(2*n), random(3*n)
		re, im, spectra := make([]float64, Lanes*n), make([]float64, Lanes*n), make([]float64, 6*n)
		for name, transform := range map[string]func(){
			"Forward":        func() { p.Forward(z) },
			"Inverse":        func() { p.Inverse(z) },
			"InverseProduct": func() { p.InverseProduct(re, im, v, a, z) },
			"Spectra":        func() { p.Spectra(spectra, u, 3) },
		} {
			if got := fewestAllocations(transform); got > 0 {
				t.Errorf("%s with %v kernels allocates %v times", name, level, got)
			}
		}
	}
}

func TestOnePlan2ServesManyGoroutines(t *testing.T) {
	p := NewPlan2(22, 20)
	u := random(9 * p.N())
	want := make([]float64, 18*p.N())
	p.Spectra(want, u, 9)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got := make([]float64, len(want))
			for range 4 {
				p.Spectra(got, u, 9)
				expectSame(t, got, want)
			}
		})
	}
	group.Wait()
}

func TestWrongSizesOfPlan2Panic(t *testing.T) {
	p := NewPlan2(4, 6)
	for name, operation := range map[string]func(){
		"short block": func() { p.Forward(make([]float64, 8*20)) },
		"no points":   func() { NewPlan2(4, 0) },
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

// BenchmarkSquare compares a value of a 2-D transform with a value of a 1-D transform of as many points.
func BenchmarkSquare(b *testing.B) {
	for _, r := range []int{32, 64, 100, 128} {
		p, line := newPlan2(r, r, simd.Active()), newPlan(r*r, simd.Active())
		n := p.N()
		z, v, a := make([]float64, stride*n), make([]float64, stride*n), make([]float64, 2*n)
		re, im := make([]float64, Lanes*n), make([]float64, Lanes*n)
		for _, c := range []struct {
			name      string
			transform func()
		}{
			{"line forward", func() { line.Forward(z) }},
			{"forward", func() { p.Forward(z) }},
			{"inverse", func() { p.Inverse(z) }},
			{"inverse product", func() { p.InverseProduct(re, im, v, a, z) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, r), func(b *testing.B) {
				for b.Loop() {
					c.transform()
				}
				perValue(b, n)
			})
		}
	}
}

func ExamplePlan2() {
	// The derivative of sin(2 pi y) cos(4 pi x) with respect to the first variable, x, at x = 1/8, y = 1/4.
	plan := NewPlan2(8, 8)
	u := make([]float64, 64)
	for i := range 8 {
		for j := range 8 {
			u[8*i+j] = math.Cos(4*math.Pi*float64(i)/8) * math.Sin(2*math.Pi*float64(j)/8)
		}
	}
	derivative := make([]float64, 2*plan.N())
	for position, k := range plan.Frequencies() {
		if k[0] != 4 { // the Nyquist mode has no odd derivative
			derivative[2*position+1] = 2 * math.Pi * float64(k[0]) / float64(plan.N())
		}
	}
	block := make([]float64, 8*plan.N()) // room for eight real fields
	plan.Pack(block, u)
	plan.Forward(block)
	plan.Multiply(block, block, derivative)
	plan.Inverse(block)
	plan.Unpack(u, block)
	fmt.Printf("%.4f = -4 pi\n", u[8*1+2])
	// Output:
	// -12.5664 = -4 pi
}

// Pack packs up to eight real fields, row-major and one after the other in u, into a block.
func (p *Plan2) Pack(z, u []float64) { pack(z, u, p.n) }

// Unpack writes the first of the eight real fields of a block, as many as u has room for.
func (p *Plan2) Unpack(u, z []float64) {
	for s := range len(u) / p.n {
		for x := range p.n {
			u[s*p.n+x] = z[stride*x+s]
		}
	}
}
