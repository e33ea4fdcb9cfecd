// Package advection solves the linear transport equation
//
//	u_t + c(x) u_x = 0,  u(0, .) = a,  c(x) = c0 + c1 sin(2 pi x),
//
// on the unit torus: values travel unchanged along the characteristics x' = c(x).
package advection

import (
	"fmt"
	"math"

	"rfm/solver/fft"
	"rfm/solver/spectral"
)

// Speed is c(x) = Mean + Variation sin(2 pi x).
type Speed struct{ Mean, Variation float64 }

// At is c(x).
func (c Speed) At(x float64) float64 { return c.Mean + c.Variation*math.Sin(2*math.Pi*x) }

// String is the formula.
func (c Speed) String() string {
	if c.Variation == 0 {
		return fmt.Sprintf("%g", c.Mean)
	}
	return fmt.Sprintf("%g%+g sin(2 pi x)", c.Mean, c.Variation)
}

// New prepares the equation on the closed grid of K points, K at least 9. tolerance is the relative L2 error in time
// that a solution may have. The Fourier series is cut off below the Nyquist mode: that keeps |u|' <= max |c'|/2 |u|.
func New(speed Speed, tolerance float64, K int) *spectral.Solver {
	plan := fft.NewPlan(K - 1)
	line := spectral.Line(plan)
	values := make([]float64, K-1)
	for x := range values {
		values[x] = speed.At(float64(x) / float64(K-1))
	}
	wave, zero := make([]float64, K-1), make([]float64, K-1)
	for p, k := range line.Waves() {
		wave[p] = k[0]
	}
	return spectral.New(line, spectral.Equation{
		Name:       "Advection solver",
		Parameters: fmt.Sprintf("c=%v", speed),
		Remedy:     "raise data.grid",
		Tolerance:  tolerance,
		Linear:     func(spectral.Wave) float64 { return 0 },
		Factor:     func(spectral.Wave) float64 { return -1 },
		Growth:     math.Pi * math.Abs(speed.Variation),
		Tail:       1e-3, // linear: the error is of that size
		Rate: func(k spectral.Wave) float64 {
			return (math.Abs(speed.Mean) + math.Abs(speed.Variation)) * math.Abs(k[0])
		},
		Term: func() func([]float64) {
			return func(block []float64) { // the transform of -i c u_x
				plan.Combine(block, wave, block, zero, block)
				plan.Inverse(block)
				for x, c := range values {
					u := block[spectral.BlockSize*x:][:spectral.BlockSize]
					for l := range u {
						u[l] *= c
					}
				}
				plan.Forward(block)
			}
		},
	})
}
