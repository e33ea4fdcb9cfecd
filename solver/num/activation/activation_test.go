// Accuracy of every function at every level.

package activation

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rfm/solver/num/simd"
)

// maxUlps are the documented bounds. The functions are compositions of an exponential, a logarithm or a sine, each good
// to about 1 ulp, and of divisions and products that add 0.5 to 1 ulp each.
var maxUlps = map[kind]float64{elu: 2, relu: 0, tanh: 4, sigmoid: 4, sin: 4, softplus: 4}

// levels returns the levels that this machine supports.
func levels() []simd.Level {
	all := []simd.Level{simd.Generic, simd.AVX2, simd.AVX512}
	return all[:simd.Active()+1]
}

// everywhere runs a test for every function at every level.
func everywhere(t *testing.T, test func(t *testing.T, f Func)) {
	for k := range functions {
		for _, level := range levels() {
			f := Func{kind: kind(k), level: level}
			t.Run(f.Name()+"/"+level.String(), func(t *testing.T) { test(t, f) })
		}
	}
}

// arguments returns n finite arguments: of ordinary size, of every magnitude down to
// subnormals, and near the points where the algorithms change.
func arguments(n int) []float64 {
	rng := rand.New(rand.NewPCG(3, 5))
	seams := []float64{0, math.Ln2 / 2, math.Ln2, 3 * math.Ln2 / 2, math.Pi / 2, math.Pi, 2 * math.Pi, 1000 * math.Pi,
		100000 * math.Pi, 1 << 20, 36.7, 37.5, 38.7, 39.5, 40, 708.4, 745.1, 750, math.Log(1 + math.Sqrt2)}
	x := make([]float64, n)
	for i := range x {
		switch i % 6 {
		case 0:
			x[i] = 2 * rng.NormFloat64()
		case 1:
			x[i] = 12 * rng.NormFloat64()
		case 2:
			x[i] = 1000 * (2*rng.Float64() - 1)
		case 3:
			x[i] = math.Exp2(-1080 + 1090*rng.Float64())
		case 4:
			seam := seams[rng.IntN(len(seams))]
			x[i] = seam + float64(rng.IntN(41)-20)*(math.Nextafter(seam, math.Inf(1))-seam)
		case 5:
			x[i] = 2e6 * (rng.Float64() - 0.5)
		}
		if i%12 >= 6 {
			x[i] = -x[i]
		}
	}
	return x
}

func TestErrorIsWithinTheBound(t *testing.T) {
	x := arguments(1200)
	for k := range functions {
		k := kind(k)
		exact := make([]*big.Float, len(x))
		for i, v := range x {
			exact[i] = reference(k, v)
		}
		for _, level := range levels() {
			f := Func{kind: k, level: level}
			t.Run(f.Name()+"/"+level.String(), func(t *testing.T) {
				y := slices.Clone(x)
				f.Apply(y)
				worst, at := 0.0, 0.0
				for i, want := range exact {
					if d := ulps(y[i], want); !(d <= worst) {
						worst, at = d, x[i]
					}
				}
				t.Logf("largest error %.2f ulp, at %v", worst, at)
				if worst > maxUlps[k] {
					t.Errorf("error of %.2f ulp at %v, want at most %v", worst, at, maxUlps[k])
				}
			})
		}
	}
}

func TestELUIsWithinItsBoundBesideZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 6))
	x := make([]float64, 20000)
	for i := range x {
		x[i] = -rng.Float64() / 8
		if i%2 == 0 {
			part := float64(rng.IntN(40)) - 0.5 // its ends are where another power is looked up
			x[i] = -part * math.Ln2 / 16 * (1 + 1e-3*rng.NormFloat64())
		}
	}
	for _, level := range levels() {
		y := slices.Clone(x)
		Func{kind: elu, level: level}.Apply(y)
		for i, got := range y {
			if d := ulps(got, reference(elu, x[i])); !(d <= maxUlps[elu]) {
				t.Errorf("%v: error of %.2f ulp at %v", level, d, x[i])
			}
		}
	}
}

// ulp is the largest distance of neighbouring doubles, relative to their size.
const ulp = 0x1p-52

func TestLevelsAgree(t *testing.T) {
	x := arguments(60000)
	for k, bound := range maxUlps {
		want := slices.Clone(x)
		Func{kind: k, level: simd.Generic}.Apply(want)
		for _, level := range levels()[1:] {
			f := Func{kind: k, level: level}
			t.Run(f.Name()+"/"+level.String(), func(t *testing.T) {
				y := slices.Clone(x)
				f.Apply(y)
				for i, got := range y {
					if d := math.Abs(got - want[i]); !(d <= 2*bound*max(ulp*math.Abs(want[i]), math.SmallestNonzeroFloat64)) {
						t.Fatalf("%s(%v) = %v, in pure Go %v", f.Name(), x[i], got, want[i])
					}
				}
			})
		}
	}
}

// With AVX-512, every function except elu has the bits that it has with AVX2, because the operations and their order
// are the same.
func TestWideVectorsChangeNoBit(t *testing.T) {
	if simd.Active() < simd.AVX512 {
		t.Skip("needs AVX-512")
	}
	for k := range functions {
		if kind(k) == elu {
			continue
		}
		y := arguments(60000)
		z := slices.Clone(y)
		Func{kind: kind(k), level: simd.AVX2}.Apply(y)
		Func{kind: kind(k), level: simd.AVX512}.Apply(z)
		for i := range y {
			if math.Float64bits(y[i]) != math.Float64bits(z[i]) {
				t.Fatalf("%s: AVX2 gives %v and AVX-512 %v", functions[k].name, y[i], z[i])
			}
		}
	}
}

func TestResultDoesNotDependOnPositionOrLength(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		x := arguments(100)
		x[3], x[40], x[77] = 1e10, math.Inf(1), -3e6 // too large for the sine's kernel
		whole := slices.Clone(x)
		f.Apply(whole)
		for length := range 50 {
			for _, start := range []int{0, 1, 7} {
				some := slices.Clone(x)
				f.Apply(some[start : start+length])
				for i, v := range some {
					want := x[i] // beyond the slice nothing is touched
					if start <= i && i < start+length {
						want = whole[i]
					}
					if math.Float64bits(v) != math.Float64bits(want) {
						t.Fatalf("value %d, with %d from %d on, is %v, want %v", i, length, start, v, want)
					}
				}
			}
		}
	})
}

func TestNamesAreKnown(t *testing.T) {
	for _, own := range functions {
		name := own.name
		if f, ok := ByName(name); !ok || f.Name() != name {
			t.Errorf("ByName(%q) = %q, %v", name, f.Name(), ok)
		}
	}
	if _, ok := ByName("swish"); ok {
		t.Error("ByName knows swish")
	}
}
