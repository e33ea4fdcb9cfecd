package report

import (
	"fmt"
	"math"
	"strconv"
)

// An axis maps the values from lo to hi to the pixels from from to to, linearly or by their logarithms.
type axis struct {
	log      bool
	known    bool // lo and hi are set
	lo, hi   float64
	from, to float64
}

// smallest and largest bound the values that are drawn, so that no arithmetic overflows.
const smallest, largest = 1e-300, 1e300

// shows reports whether a value lies on the axis.
func (a *axis) shows(v float64) bool { return math.Abs(v) <= largest && (!a.log || v >= smallest) }

// include extends the range to a value.
func (a *axis) include(v float64) {
	if !a.known {
		a.lo, a.hi, a.known = v, v, true
	}
	a.lo, a.hi = min(a.lo, v), max(a.hi, v)
}

// flat reports whether the range is so small that labels for its ends would be too long to read.
func (a *axis) flat() bool {
	const resolvable = 1e-9
	return a.hi-a.lo <= max(smallest, resolvable*max(math.Abs(a.lo), math.Abs(a.hi)))
}

// widen adds room at both ends of the range, also of an empty one or a single value.
func (a *axis) widen() {
	const room = 0.03
	switch {
	case !a.known && a.log:
		a.lo, a.hi = 1, 10
	case !a.known:
		a.lo, a.hi = 0, 1
	case a.flat() && a.log:
		a.lo, a.hi = a.lo/2, a.hi*2
	case a.flat():
		pad := 0.1 * max(math.Abs(a.lo), math.Abs(a.hi))
		if pad < smallest {
			pad = 1
		}
		a.lo, a.hi = a.lo-pad, a.hi+pad
	case a.log:
		factor := math.Exp(room * (math.Log(a.hi) - math.Log(a.lo)))
		a.lo, a.hi = a.lo/factor, a.hi*factor
	default:
		pad := room * (a.hi - a.lo)
		a.lo, a.hi = a.lo-pad, a.hi+pad
	}
}

// fraction returns 0 at lo and 1 at hi.
func (a *axis) fraction(v float64) float64 {
	if a.log {
		return (math.Log(v) - math.Log(a.lo)) / (math.Log(a.hi) - math.Log(a.lo))
	}
	return (v/2 - a.lo/2) / (a.hi/2 - a.lo/2) // halves do not overflow
}

// at returns the pixel of a value.
func (a *axis) at(v float64) float64 { return a.from + a.fraction(v)*(a.to-a.from) }

// widest returns the width of the widest label.
func (a *axis) widest() float64 {
	w := 0.0
	for _, t := range a.ticks() {
		w = max(w, textWidth(t.label))
	}
	return w
}

// A tick is a round value and its label.
type tick struct {
	value float64
	label string
}

// decimal returns the tick at digits times ten to the exponent, exact to the last bit, unlike a product with a power.
func decimal(digits, exponent int) tick {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", digits, exponent), 64)
	if err != nil {
		panic("report: " + err.Error()) // values are at most the largest
	}
	return tick{v, strconv.FormatFloat(v, 'g', -1, 64)}
}

// ticks returns the ticks of the axis, at most a dozen.
func (a *axis) ticks() []tick {
	if a.log {
		if t := logTicks(a.lo, a.hi); len(t) > 1 {
			return t
		}
	}
	return linearTicks(a.lo, a.hi)
}

// linearTicks returns the multiples of 1, 2 or 5 times a power of ten, four to nine of them.
func linearTicks(lo, hi float64) (ticks []tick) {
	exponent := int(math.Floor(math.Log10(hi/8 - lo/8))) // at the required step or below it
	step := decimal(1, exponent)
	digit := 1
	for _, digit = range []int{1, 2, 5, 10} {
		if step = decimal(digit, exponent); step.value >= hi/8-lo/8 {
			break
		}
	}
	for i := int(math.Ceil(lo / step.value)); i <= int(math.Floor(hi/step.value)); i++ {
		ticks = append(ticks, decimal(i*digit, exponent))
	}
	return ticks
}

// wide is the ratio of the ends above which a logarithmic axis has labels at powers of ten only.
const wide = 300

// logTicks returns 1, 2 and 5 times the powers of ten, or the powers alone if there are many.
func logTicks(lo, hi float64) (ticks []tick) {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := 1 + (last-first)/8
	for e := first; e <= last; e++ {
		for _, digit := range []int{1, 2, 5} {
			t := decimal(digit, e)
			if wanted := hi < wide*lo || digit == 1 && (e-first)%every == 0; wanted && t.value >= lo && t.value <= hi {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}
