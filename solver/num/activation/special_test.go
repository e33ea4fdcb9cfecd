// Special values: NaN, infinities, zeros, and arguments beyond a kernel.

package activation

import (
	"math"
	"slices"
	"testing"
)

func TestNaNPropagates(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		for _, bits := range []uint64{0x7ff8000000000001, 0xfff8000000000001, 0x7ff0000000000001, 0xffffffffffffffff} {
			x := []float64{1, math.Float64frombits(bits), -1}
			f.Apply(x)
			if !math.IsNaN(x[1]) || math.IsNaN(x[0]) || math.IsNaN(x[2]) {
				t.Errorf("NaN %#x between 1 and -1 becomes %v", bits, x)
			}
		}
	})
}

func TestLimits(t *testing.T) {
	inf := math.Inf(1)
	limits := map[kind][2]float64{elu: {-1, inf}, relu: {0, inf}, tanh: {-1, 1}, sigmoid: {0, 1}, softplus: {0, inf},
		sin: {math.NaN(), math.NaN()}}
	everywhere(t, func(t *testing.T, f Func) {
		x := []float64{-inf, inf}
		f.Apply(x)
		for i, want := range limits[f.kind] {
			if x[i] != want && !(math.IsNaN(x[i]) && math.IsNaN(want)) {
				t.Errorf("limits %v, want %v", x, limits[f.kind])
			}
		}
	})
}

func TestOddFunctionsKeepNegativeZero(t *testing.T) {
	everywhere(t, func(t *testing.T, f Func) {
		if f.kind == sigmoid || f.kind == softplus {
			t.Skip("not zero at 0")
		}
		x := []float64{math.Copysign(0, -1), 0}
		f.Apply(x)
		if x[0] != 0 || !math.Signbit(x[0]) || x[1] != 0 || math.Signbit(x[1]) {
			t.Errorf("%s of -0 and 0 is %v", f.Name(), x)
		}
	})
}

func TestSineStaysWithinOne(t *testing.T) {
	for _, level := range levels() {
		x := make([]float64, 1<<16)
		for i := range x {
			x[i] = math.Pi/2 + float64(i-len(x)/2)*1e-10
		}
		y := slices.Clone(x)
		Func{kind: sin, level: level}.Apply(y)
		for i, v := range y {
			if v > 1 {
				t.Fatalf("%v: sin(%v) = %v", level, x[i], v)
			}
		}
	}
}
