// Reference values in multiple precision, and distances from them in ulp.

package activation

import (
	"math"
	"math/big"
)

// precision is the number of bits of the references; their relative error is below
// 2^-100, so that distances are exact to the digits that tests look at.
const precision = 200

func number(x float64) *big.Float { return newFloat().SetFloat64(x) }

func newFloat() *big.Float { return new(big.Float).SetPrec(precision) }

func plus(a, b *big.Float) *big.Float  { return newFloat().Add(a, b) }
func minus(a, b *big.Float) *big.Float { return newFloat().Sub(a, b) }
func times(a, b *big.Float) *big.Float { return newFloat().Mul(a, b) }
func over(a, b *big.Float) *big.Float  { return newFloat().Quo(a, b) }

func decimal(s string) *big.Float {
	x, _, err := big.ParseFloat(s, 10, precision, big.ToNearestEven)
	if err != nil {
		panic(err)
	}
	return x
}

// 70 digits of log 2 and pi.
const (
	log2Digits = "0.6931471805599453094172321214581765680755001343602552541206800094933936"
	piDigits   = "3.141592653589793238462643383279502884197169399375105820974944592307816"
)

// series sums term(1) + term(1) term(2) + ... until it no longer changes.
func series(ratio func(k int) *big.Float) *big.Float {
	sum, t := newFloat(), number(1)
	for k := 1; ; k++ {
		t = times(t, ratio(k))
		if t.Sign() == 0 || sum.Sign() != 0 && t.MantExp(nil) < sum.MantExp(nil)-precision-8 {
			return sum
		}
		sum = plus(sum, t)
	}
}

// reducedBig returns n and exp(r) - 1 with x = n log 2 + r.
func reducedBig(x *big.Float) (n int, tail *big.Float) {
	log2 := decimal(log2Digits)
	quotient, _ := over(x, log2).Float64()
	n = int(math.Round(quotient))
	r := minus(x, times(number(float64(n)), log2))
	return n, series(func(k int) *big.Float { return over(r, number(float64(k))) })
}

// expm1Big returns exp(x) - 1.
func expm1Big(x *big.Float) *big.Float {
	n, tail := reducedBig(x)
	power := newFloat().SetMantExp(number(1), n)
	return plus(times(power, tail), minus(power, number(1)))
}

func expBig(x *big.Float) *big.Float {
	n, tail := reducedBig(x)
	return newFloat().SetMantExp(plus(number(1), tail), n)
}

// log1pBig returns log(1+e) for 0 <= e <= 1, as 2 atanh(e/(2+e)).
func log1pBig(e *big.Float) *big.Float {
	s := over(e, plus(e, number(2)))
	square := times(s, s)
	sum, t := newFloat(), number(1)
	for k := 1; t.Sign() != 0 && t.MantExp(nil) > -precision-8; k += 2 {
		sum = plus(sum, over(t, number(float64(k))))
		t = times(t, square)
	}
	return times(number(2), times(s, sum))
}

func sinBig(x *big.Float) *big.Float {
	pi := decimal(piDigits)
	quotient, _ := over(x, pi).Float64()
	n := math.Round(quotient)
	r := minus(x, times(number(n), pi))
	square := times(r, r)
	y := plus(r, times(r, series(func(k int) *big.Float {
		return over(square, number(-float64(2*k*(2*k+1))))
	})))
	if math.Mod(n, 2) != 0 {
		y.Neg(y)
	}
	return y
}

// reference returns f(x) for finite x.
func reference(k kind, x float64) *big.Float {
	b := number(x)
	minusAbs := number(-math.Abs(x))
	switch k {
	case elu:
		if x < 0 {
			return expm1Big(b)
		}
		return b
	case relu:
		return number(max(x, 0))
	case tanh:
		t := expm1Big(times(number(2), minusAbs))
		y := over(t, plus(t, number(2)))
		if x > 0 {
			y.Neg(y)
		}
		return y
	case sigmoid:
		e := expBig(minusAbs)
		if x < 0 {
			return over(e, plus(e, number(1)))
		}
		return over(number(1), plus(e, number(1)))
	case sin:
		return sinBig(b)
	case softplus:
		return plus(number(max(x, 0)), log1pBig(expBig(minusAbs)))
	}
	panic("no reference")
}

// ulps returns |got - want| in units of the last place of a double next to want.
func ulps(got float64, want *big.Float) float64 {
	if math.IsNaN(got) || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	const (
		mantissa        = 53
		smallestSpacing = -1074
	)
	spacing := smallestSpacing
	if want.Sign() != 0 {
		spacing = max(spacing, want.MantExp(nil)-mantissa)
	}
	difference := minus(number(got), want)
	distance, _ := newFloat().SetMantExp(difference, -spacing).Float64()
	return math.Abs(distance)
}
