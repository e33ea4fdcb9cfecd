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

// Powers and ExpShort are for exp(x) = S (1 + C_j) exp(r) with x = n log(2)/16 + r, n = 16 k + j, 0 <= j < 16, and S =
// 2^k (1 + j/16), whose bits are those of n. Powers are the C_j, that is 2^(j/16)/(1 + j/16) - 1: small, so that S C_j +
// (S - 1) is exact enough near x = 0. They are those of the rounded log(2)/16 for k = -1, because only there, next to 0,
// it matters.
var Powers = [PowersCount]float64{
	0, -0.017154087127139894, -0.030659793186437617, -0.04102009704699648,
	-0.04863430799782313, -0.05382261937258357, -0.05684396025381114, -0.05790918473955287,
	-0.05719095841793662, -0.05483126659872043, -0.0509471843643441, -0.04563535884488633,
	-0.03897552542432623, -0.031033290828524417, -0.02186235391501735, -0.011506290891794944,
}

// PowersCount is the number of parts of log(2) for which powers are tabulated.
const PowersCount = 16

// ExpShort is (exp(r) - 1 - r) / r^2 as a polynomial in r, lowest degree first, for |r| <= log(2)/32. With it exp(r) - 1 has
// a relative error of 2^-58.
var ExpShort = [...]float64{
	0.5000000000000001, 0.16666666666666669, 0.041666666663595475,
	0.00833333333299209, 0.0013889063440690236, 0.0001984146378750897,
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
