package brownian

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Model is a trained random feature model
//
//	F_m(x) = (1/m) sum_l alpha_l phi(x; theta_l) = sum_j c_j sqrt2 sin(j pi x)/(j pi),  c_j = (1/m) sum_l alpha_l theta_lj,
//
// so evaluating it costs J operations a point, whatever m.
type Model struct {
	Draw         int       // the draw of the features
	Alpha        []float64 // length m
	Coefficients []float64 // c_j, length J
	Rank         int       // eigenvalues of the Gram matrix kept: min(m, n), or fewer
}

// Count is m.
func (f *Model) Count() int { return len(f.Alpha) }

// Predict returns F_m(x).
func (f *Model) Predict(x float64) float64 {
	sum := 0.0
	for j, c := range f.Coefficients {
		sum += c * mode(j+1, x)
	}
	return sum
}

// Curve returns F_m at the K >= 2 points i/(K-1), by one sine transform.
func (f *Model) Curve(K int) []float64 {
	checkGrid(K)
	values := make([]float64, K)
	N := K - 1
	if N < 2 {
		return values
	}
	// On the grid, mode j is mode j mod 2N, and mode 2N-j is minus mode j.
	inside := make([]float64, N-1)
	for j, c := range f.Coefficients {
		c *= math.Sqrt2 / (float64(j+1) * math.Pi)
		switch r := (j + 1) % (2 * N); {
		case 0 < r && r < N:
			inside[r-1] += c
		case r > N:
			inside[2*N-r-1] -= c
		}
	}
	fourier.NewDST(N-1).Transform(values[1:N], inside)
	for i := 1; i < N; i++ {
		values[i] /= 2 // gonum's transform is 2 sum_k inside_k sin(i k pi/N)
	}
	return values
}

// Distance returns the L2(0,1) norm of F_m - F, exact up to rounding by Parseval's identity. It panics unless both
// belong to problems of the same truncation.
func (f *Model) Distance(limit *Interpolant) float64 {
	if len(f.Coefficients) != len(limit.sine) {
		panic(fmt.Sprintf("brownian: model of %d modes against an interpolant for %d", len(f.Coefficients), len(limit.sine)))
	}
	return limit.distance(f.Coefficients)
}

// distance is the L2 norm of F - sum_j c_j sqrt2 sin(j pi x)/(j pi).
func (f *Interpolant) distance(c []float64) float64 {
	sum := f.tail
	for j, b := range f.sine {
		d := c[j]/(float64(j+1)*math.Pi) - b
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Grid returns the K >= 2 points i/(K-1) of [0, 1].
func Grid(K int) []float64 {
	checkGrid(K)
	x := make([]float64, K)
	for i := range x {
		x[i] = float64(i) / float64(K-1)
	}
	return x
}

func checkGrid(K int) {
	if K < 2 {
		panic(fmt.Sprintf("brownian: grid of %d points", K))
	}
}
