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
	GaussMax  = 39.5    // x * Phi(-x) rounds to 0 above 38.7
	SinMax    = 1 << 20 // up to here the reduction modulo pi is exact to 2^-53 relative
)

// Exp is (exp(r) - 1 - r) / r^2 as a polynomial in r, lowest degree first, for
// |r| <= log(2)/2. With it exp(r) - 1 has a relative error of 2^-60.
var Exp = [...]float64{
	0.5,
	0.1666666666666667,
	0.04166666666666667,
	0.008333333333326136,
	0.0013888888888883748,
	0.00019841269874820627,
	2.4801587325547743e-05,
	2.7557255400206422e-06,
	2.75572736431103e-07,
	2.5105217004720745e-08,
	2.0914686968086876e-09,
}

// Sin is (sin(r) - r) / r^3 as a polynomial in r^2, lowest degree first, for
// |r| <= pi/2. With it sin(r) has a relative error of 2^-54.6.
var Sin = [...]float64{
	-0.16666666666666666,
	0.008333333333333316,
	-0.00019841269841254966,
	2.7557319219160833e-06,
	-2.505210761669045e-08,
	1.6058977292642743e-10,
	-7.643969663988074e-13,
	2.7314368769379893e-15,
}

// Log is the polynomial R(z) in z = s^2, lowest degree first and without its constant term 0, with log(1+f) = f -
// (f^2/2 - s*(f^2/2 + R)), s = f/(2+f), for -0.2929 < f < 0.4143: from e_log.c of Sun's FreeBSD msun, error 2^-58.45.
var Log = [...]float64{
	6.666666666666735130e-01,
	3.999999999940941908e-01,
	2.857142874366239149e-01,
	2.222219843214978396e-01,
	1.818357216161805012e-01,
	1.531383769920937332e-01,
	1.479819860511658591e-01,
}

// GaussCentre is k in Gauss.
const GaussCentre = 4

// Gauss is (a + k) * exp(a^2/2) * Phi(-a) as a polynomial in t = (a-k)/(a+k), lowest
// degree first, for 0 <= a <= 40. Its relative error is 2^-53.
var Gauss = [...]float64{
	0.7552851304157515,
	-0.6078966419718917,
	0.3871374007422194,
	-0.18652185795969317,
	0.06039657489067122,
	-0.007540188965633702,
	-0.0034796923617003038,
	0.0016308184426348964,
	0.00013334424878887473,
	-0.00023109482563064815,
	-1.907838021642977e-06,
	3.514422336308867e-05,
	7.149136077732137e-07,
	-5.919042556096743e-06,
	-6.249585896759781e-07,
	1.020135339573243e-06,
	2.6351231275633126e-07,
	-1.5470418474137963e-07,
	-7.634098907638476e-08,
	1.490420475160359e-08,
	1.3989515918223882e-08,
	-2.936426109653308e-11,
	-1.0069788608063938e-09,
}

// The constants of SELU, rounded to double precision (Klambauer et al. 2017, eq. 14).
const (
	SeluScale = 1.0507009873554804934193349852946
	SeluAlpha = 1.6732632423543772848170429916717
)
