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

func TestCount(t *testing.T) {
	for want, n := range map[string]float64{"7": 7, "999": 999, "1 k": 999.6, "3.9 M": 3.93e6, "120 M": 1.2e8,
		"12 T": 1.2e13} {
		if got := Count(n); got != want {
			t.Errorf("%g is %q, want %q", n, got, want)
		}
	}
}

// Only an error of zero is written as zero.
func TestSmallErrorsKeepTheirDigits(t *testing.T) {
	for e, want := range map[float64]string{0.0328514: "0.032851", 1.02e-11: "1.02e-11", 0.000404: "0.000404", 0.00033: "0.000330", 0: "0",
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
