package activation

import (
	"math"

	"rfm/model/activation/internal/approx"
	"rfm/solver/simd"
)

// Radial is a function of distances, such as the profile of a kernel.
type Radial int

// The radial functions, of a squared distance d.
const (
	Matern   = Radial(matern)   // (1 + s + s^2/3) exp(-s), s = sqrt(5 d): Matern 5/2
	Gaussian = Radial(gaussian) // exp(-d/2)
	Rational = Radial(rational) // 1 / (1 + d/2)
)

// Apply replaces every x[i] by the function of max(0, x[i] + shift[i%8]), with a relative error below 2e-15. Below
// 1e-290 it is some tiny number. The result does not depend on the length of x. NaN stays NaN.
func (r Radial) Apply(x []float64, shift *[8]float64) { Func{kind(r), simd.Active()}.apply(x, shift) }

func (r Radial) value(d float64) float64 {
	d = max(d, 0)
	switch r {
	case Rational:
		return 1 / (1 + d/2)
	case Gaussian:
		return expNegative(-min(d/2, approx.RadialMax))
	}
	s := min(math.Sqrt(5*d), approx.RadialMax)
	return (1 + s*(1+s*(1.0/3))) * expNegative(-s)
}
