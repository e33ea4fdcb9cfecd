// Coordinates, ranges of them, and ticks.

package plot

import (
	"math"
	"strconv"
)

// Values beyond ±largest are drawn as out of range, values and ranges below smallest as zero, so that no arithmetic on
// an axis overflows.
const (
	largest  = 1e300
	smallest = 1e-300
)

// axis maps a coordinate to [lo, hi]. On a logarithmic axis coordinates, lo and hi are decimal logarithms.
type axis struct {
	lo, hi float64
	log    bool
	ticks  []tick
}

type tick struct {
	at    float64 // coordinate
	label string
}

// mostEmpty is the share of an axis that may be left empty so that ticks fall on rows.
const mostEmpty = 0.2

// coordinate transforms a value; on a logarithmic axis values that are not positive become -Inf.
func coordinate(v float64, log bool) float64 {
	switch {
	case !log:
		return v
	case v < smallest:
		return math.Inf(-1)
	case v > largest:
		return math.Inf(1)
	}
	return math.Log10(v)
}

// fraction returns 0 at lo and 1 at hi. Halves avoid overflow of the differences.
func (a axis) fraction(c float64) float64 {
	return (c/2 - a.lo/2) / (a.hi/2 - a.lo/2)
}

// span collects the range of finite coordinates.
type span struct{ lo, hi float64 }

func newSpan() span { return span{math.Inf(1), math.Inf(-1)} }

func (s *span) add(c float64) {
	if math.Abs(c) > largest || c != c {
		return
	}
	s.lo, s.hi = min(s.lo, c), max(s.hi, c)
}

func (s span) empty() bool { return s.lo > s.hi }

// widened returns s with a length that labels can resolve: a nearly constant range gets a margin of ten percent of its
// value on both sides, or half a decade.
func (s span) widened(log bool) span {
	if s.empty() {
		return span{0, 1}
	}
	const resolvable = 1e-6 // a narrower range needs labels too wide to read
	size := max(math.Abs(s.lo), math.Abs(s.hi))
	if length := s.hi - s.lo; length > smallest && length > resolvable*size {
		return s
	}
	middle := s.lo/2 + s.hi/2
	pad := 0.1 * math.Abs(middle)
	if log {
		pad = 0.5
	} else if pad < smallest {
		middle, pad = 0, 1
	}
	return span{middle - pad, middle + pad}
}

// niceMantissas are the mantissas of steps between ticks.
var niceMantissas = [...]float64{1, 2, 2.5, 5}

// power returns m * 10^k, correctly rounded.
func power(m float64, k int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(m, 'g', -1, 64)+"e"+strconv.Itoa(k), 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}

// niceStep returns the smallest nice step that is at least least.
func niceStep(least float64) float64 {
	for e := decadeOf(least); ; e++ {
		for _, m := range niceMantissas {
			if step := power(m, e); step >= least*(1-1e-9) {
				return step
			}
		}
	}
}

// linearTicks returns the multiples of step in [lo, hi].
func linearTicks(lo, hi, step float64) []tick {
	const slack = 1e-6
	first, last := math.Ceil(lo/step-slack), math.Floor(hi/step+slack)
	if !(last-first < 1000) {
		return nil
	}
	var at []float64
	for i := first; i <= last; i++ {
		at = append(at, i*step)
	}
	return label(at, writeNumbers(at, step))
}

// label pairs coordinates with their labels.
func label(at []float64, labels []string) []tick {
	ticks := make([]tick, len(at))
	for i := range at {
		ticks[i] = tick{at[i], labels[i]}
	}
	return ticks
}
