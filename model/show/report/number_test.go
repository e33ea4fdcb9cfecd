package report

import (
	"math"
	"testing"
)

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{0: "0 B", 512: "512 B", 1536: "1.5 KiB", 300 << 20: "300 MiB",
		1 << 30: "1.0 GiB", 5e12: "4.5 TiB", math.NaN(): "? B"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%g) = %q, want %q", n, got, want)
		}
	}
}

// Only an error of zero is written as zero.
func TestSmallErrorsKeepTheirDigits(t *testing.T) {
	for e, want := range map[float64]string{0.0328514: "0.032851", 1.02e-11: "1.02e-11", 0.000404: "4.04e-04", 0.00033: "3.30e-04", 0: "0",
		0.00135: "0.001350", 2: "2.000000"} {
		if got := Error(e, 6); got != want {
			t.Errorf("Error(%g) = %q, want %q", e, got, want)
		}
	}
	if got := Error(math.NaN(), 6); got != "-" {
		t.Errorf("an error that is not known is %q", got)
	}
	if got := Lambda(4.276270710928621e-11); got != "4.276e-11" {
		t.Errorf("lambda is %q", got)
	}
}

func TestTooFewValuesHaveNoStatistics(t *testing.T) {
	if v := []float64{Median(nil), Mean(nil), Spread(nil), Spread([]float64{1})}; !math.IsNaN(v[0]) || !math.IsNaN(v[1]) ||
		!math.IsNaN(v[2]) || !math.IsNaN(v[3]) {
		t.Errorf("%v, want four NaN", v)
	}
	if got := Spread([]float64{1, 3}); math.Abs(got-math.Sqrt2) > 1e-15 {
		t.Errorf("spread of 1 and 3 is %g", got)
	}
}

func TestMeasuredErrorsHaveFourDigits(t *testing.T) {
	for e, want := range map[float64]string{0.034895: "0.03490", 1.000435: "1.000", 0.000700412: "7.00e-04", 0: "0", math.NaN(): "-"} {
		if got := Measured(e); got != want {
			t.Errorf("%g: %q, want %q", e, got, want)
		}
	}
}

func TestSignificantDigits(t *testing.T) {
	for _, c := range []struct {
		value  float64
		digits int
		want   string
	}{{0.04337, 3, "0.0434"}, {0.035, 3, "0.0350"}, {1.249, 2, "1.2"}, {9.96, 2, "10"}, {340.4, 2, "340"}, {5.43e-5, 2, "5.4e-05"},
		{-0.0125, 2, "-0.013"}, {0, 3, "0"}, {math.NaN(), 3, "-"}, {0.9996, 3, "1.00"}, {0.00125, 2, "0.0013"}} {
		if got := Significant(c.value, c.digits); got != c.want {
			t.Errorf("%g with %d digits is %q, want %q", c.value, c.digits, got, c.want)
		}
	}
}
