package brownian

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/draw"
)

func TestFeaturesAreTheirSineSeries(t *testing.T) {
	p := small(7, 45) // neither divides by four
	d := p.Data()
	phi := features(t, p, 70)
	for l := range 70 {
		stream := draw.Stream(p.Seed, draw.ThetaBridge, l)
		theta := make([]float64, p.Truncation)
		for j := range theta {
			theta[j] = stream.NormFloat64()
		}
		for i, x := range d.X {
			want := 0.0
			for j, v := range theta {
				want += v * mode(j+1, x)
			}
			if got := phi.At(l, i); math.Abs(got-want) > rounding {
				t.Fatalf("phi(x_%d; theta_%d) = %g, series %g", i, l, got, want)
			}
		}
	}
}

// An entry of the empirical kernel has the variance (k_ii k_ll + k_il^2)/m, so the sum of the squared errors over its
// expectation is near one for every m: the Monte Carlo rate with its constant.
func TestEmpiricalKernelConvergesAtTheMonteCarloRate(t *testing.T) {
	const low, high = 0.3, 2.2 // entries of a smooth process are strongly correlated, so the quotient scatters
	p := small(16, 200)
	d := p.Data()
	counts := []int{64, 512, 4096}
	phi := features(t, p, counts[len(counts)-1])
	for _, m := range counts {
		var sums mat.Dense
		some := phi.Slice(0, m, 0, p.Points)
		sums.Mul(some.T(), some)
		var squares, expected float64
		for i, x := range d.X {
			for l, y := range d.X {
				k := truncatedKernel(x, y, p.Truncation)
				e := sums.At(i, l)/float64(m) - k
				squares += e * e
				expected += (truncatedKernel(x, x, p.Truncation)*truncatedKernel(y, y, p.Truncation) + k*k) / float64(m)
			}
		}
		if q := squares / expected; q < low || q > high {
			t.Errorf("m = %d: squared errors are %g of their expectation", m, q)
		}
	}
}
