// The activation functions of one number, in pure Go: the algorithms of the vector kernels, in the same order of
// operations but without fused multiply-add where that costs no accuracy.

package activation

import (
	"math"

	"rfm/solver/num/activation/internal/approx"
	"rfm/solver/num/simd"
)

// log 2 in two parts, of which the first has 33 bits: n*ln2Head is exact for |n| < 2^20.
const (
	ln2Head = 6.93147180369123816490e-01
	ln2Tail = 1.90821492927058770002e-10
)

// power returns 2^n for -1022 <= n <= 1023.
func power(n int) float64 {
	exponent := uint64(n + approx.ExponentBias)
	return math.Float64frombits(exponent << 52)
}

// scale returns 2^n x for -2044 <= n <= 2046, rounded once.
func scale(x float64, n int) float64 {
	half := n >> 1
	return x * power(half) * power(n-half)
}

// reduce returns n and r with z = n log 2 + r and |r| <= log(2)/2, for |z| < 2^20.
func reduce(z float64) (n int, r float64) {
	k := float64(z*math.Log2E+approx.RoundingShift) - approx.RoundingShift
	return int(k), (z - k*ln2Head) - k*ln2Tail
}

// expm1Reduced returns exp(r) - 1 for |r| <= log(2)/2.
func expm1Reduced(r float64) float64 {
	c := &approx.Exp
	r2 := r * r
	r4 := r2 * r2
	// In parts, which do not wait for each other.
	low := (c[0] + r*c[1]) + r2*(c[2]+r*c[3])
	middle := (c[4] + r*c[5]) + r2*(c[6]+r*c[7])
	high := (c[8] + r*c[9]) + r2*c[10]
	q := low + r4*(middle+r4*high)
	return r + r2*q
}

// expm1Negative returns exp(x) - 1 for x <= 0, and NaN for NaN.
func expm1Negative(x float64) float64 {
	if x < approx.Expm1Min {
		return -1
	}
	n, r := reduce(x)
	p := expm1Reduced(r)
	s := power(n)
	return s*p + (s - 1)
}

// expNegative returns exp(x) for x <= 0, and NaN for NaN.
func expNegative(x float64) float64 {
	if x < approx.ExpMin {
		return 0
	}
	n, r := reduce(x)
	return scale(1+expm1Reduced(r), n)
}

func eluValue(x float64) float64 {
	if x < 0 {
		return expm1Negative(x)
	}
	return x
}

func reluValue(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x
}

func tanhValue(x float64) float64 {
	t := expm1Negative(-2 * math.Abs(x))
	return math.Copysign(t/(t+2), x)
}

func sigmoidValue(x float64) float64 {
	e := expNegative(-math.Abs(x))
	if x < 0 {
		return e / (1 + e)
	}
	return 1 / (1 + e)
}

func softplusValue(x float64) float64 {
	return max(x, 0) + log1pUnit(expNegative(-math.Abs(x)))
}

// log1pUnit returns log(1+e) for 0 <= e <= 1.
func log1pUnit(e float64) float64 {
	f := e
	offset := 0.0
	if e > math.Sqrt2-1 { // log(1+e) = log 2 + log(1+f), f = (e-1)/2
		f = (e - 1) * 0.5
		offset = math.Ln2
	}
	s := f / (2 + f)
	z := s * s
	c := &approx.Log
	tail := c[5] + z*c[6] // c0 + z c1 + ... (Horner)
	tail = c[4] + z*tail
	tail = c[3] + z*tail
	tail = c[2] + z*tail
	tail = c[1] + z*tail
	tail = c[0] + z*tail
	tail *= z
	half := 0.5 * f * f
	return offset + (f - (half - s*(half+tail)))
}

func sinValue(x float64) float64 {
	if !(math.Abs(x) <= approx.SinMax) {
		return math.Sin(x)
	}
	n := float64(x*(1/math.Pi)+approx.RoundingShift) - approx.RoundingShift
	r := math.FMA(-n, approx.PiHigh, x) // x - n pi
	r = math.FMA(-n, approx.PiMid, r)
	sign := r // the last step would lose the sign of x = -0
	r = math.FMA(-n, approx.PiLow, r)
	z := r * r
	z2 := z * z
	c := &approx.Sin
	low := (c[0] + z*c[1]) + z2*(c[2]+z*c[3])
	high := (c[4] + z*c[5]) + z2*(c[6]+z*c[7])
	q := low + z2*z2*high
	size := math.Abs(r + r*z*q)
	y := math.Copysign(min(size, 1), sign)
	if int(n)%2 != 0 {
		return -y
	}
	return y
}

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
func (r Radial) Apply(x []float64, shift *[8]float64) {
	f := Func{kind: kind(r), level: simd.Active()}
	f.apply(x, shift)
}

func (r Radial) value(d float64) float64 {
	d = max(d, 0)
	switch r {
	case Rational:
		return 1 / (1 + d/2)
	case Gaussian:
		return expNegative(-min(d/2, approx.RadialMax))
	}
	s := min(math.Sqrt(5*d), approx.RadialMax)
	polynomial := 1 + s*(1+s*(1.0/3))
	return polynomial * expNegative(-s)
}
