package grid

import (
	"errors"
	"math"
	"testing"

	"rfm/solver/base/fault"
)

func sine(K int, k float64) []float64 {
	f := make([]float64, K)
	for i := range f {
		f[i] = math.Sin(2 * math.Pi * k * float64(i) / float64(K-1))
	}
	return f
}

func TestTrapezoidIsExactForTrigonometricPolynomials(t *testing.T) {
	for _, test := range []struct{ k, l, want float64 }{{3, 3, 0.5}, {3, 5, 0}, {1, 7, 0}} {
		if got := Torus.Inner(sine(33, test.k), sine(33, test.l)); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("<sin %g, sin %g> = %g, want %g", test.k, test.l, got, test.want)
		}
	}
}

func TestUnusableDataIsNamed(t *testing.T) {
	b := NewBatch(Torus, 9, 3)
	_, divide := b.Restrict(6)
	b.At(1)[4] = math.NaN()
	notFinite := b.CheckFinite("a", nil)
	b.At(1)[4] = 0
	b.At(2)[8] = 1
	for name, err := range map[string]error{"restrict": divide, "finite": notFinite,
		"periodic": b.CheckPeriodic("u", nil)} {
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("%s: %v is not a *fault.Data", name, err)
		}
	}
}

func TestBatchLessItsMeanHasMeanZero(t *testing.T) {
	b := NewBatch(Torus, 4, 3)
	for i := range b.Data {
		b.Data[i] = float64(i * i)
	}
	mean := b.Mean()
	if want := (0. + 16 + 64) / 3; math.Abs(mean[0]-want) > 1e-14*want {
		t.Errorf("mean %g, want %g", mean[0], want)
	}
	for x, v := range b.Plus(-1, mean).Mean() {
		if math.Abs(v) > 1e-13 {
			t.Errorf("mean of the rest at %d is %g", x, v)
		}
	}
	if b.Data[5] != 25 {
		t.Error("the batch itself has changed")
	}
}
