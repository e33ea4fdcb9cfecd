// Package approx contains the constants of the approximations that the vector kernels and their pure Go twins share.
//
// The polynomials interpolate at Chebyshev nodes, were computed in 2400-bit
// arithmetic and then rounded; the tests of package activation measure their errors.
package approx

import "math"

// Arguments are reduced modulo log 2 and modulo pi with these sums of two and three
// doubles, which represent the constants to 106 and 159 bits.
const (
	Ln2High = math.Ln2
	Ln2Low  = 2.3190468138462996e-17
	PiHigh  = math.Pi
	PiMid   = 1.2246467991473532e-16
	PiLow   = -2.9947698097183397e-33
)

// RoundingShift is 1.5 * 2^52: adding it to |x| < 2^51 rounds x to an integer, which
// then stands in the low bits of the sum.
const RoundingShift = 0x1.8p52

// ExponentBias added to an integer n turns its low bits, shifted left by 52, into 2^n.
const ExponentBias = 1023

// Arguments are clamped where the result no longer changes.
const (
	Expm1Min  = -40     // exp(x) - 1 rounds to -1 below -37.5
	ExpMin    = -760    // exp(x) rounds to 0 below -745.2
	RadialMax = 700     // exp(-x) is not subnormal, and far below any value that matters
	SinMax    = 1 << 20 // up to here the reduction modulo pi is exact to 2^-53 relative
)

// Exp is (exp(r) - 1 - r) / r^2 as a polynomial in r, lowest degree first, for
// |r| <= log(2)/2. With it exp(r) - 1 has a relative error of 2^-60.
var Exp = [...]float64{
	0.5, 0.1666666666666667, 0.04166666666666667, 0.008333333333326136,
	0.0013888888888883748, 0.00019841269874820627, 2.4801587325547743e-05, 2.7557255400206422e-06,
	2.75572736431103e-07, 2.5105217004720745e-08, 2.0914686968086876e-09,
}

// Sin is (sin(r) - r) / r^3 as a polynomial in r^2, lowest degree first, for
// |r| <= pi/2. With it sin(r) has a relative error of 2^-54.6.
var Sin = [...]float64{
	-0.16666666666666666, 0.008333333333333316, -0.00019841269841254966, 2.7557319219160833e-06,
	-2.505210761669045e-08, 1.6058977292642743e-10, -7.643969663988074e-13, 2.7314368769379893e-15,
}

// Log is the polynomial R(z) in z = s^2, lowest degree first and without its constant term 0, with log(1+f) = f -
// (f^2/2 - s*(f^2/2 + R)), s = f/(2+f), for -0.2929 < f < 0.4143: from e_log.c of Sun's FreeBSD msun, error 2^-58.45.
var Log = [...]float64{
	6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
	1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
}
