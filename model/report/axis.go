package report

import (
	"math"
	"strconv"
)

// Values beyond ±Largest are drawn as out of range, values and ranges below Smallest as zero, so that no arithmetic on
// an axis overflows.
const (
	Largest  = 1e300
	Smallest = 1e-300
)

// Axis maps a coordinate to [lo, hi]. On a logarithmic axis coordinates, lo and hi are decimal logarithms.
type Axis struct {
	Lo, Hi float64
	Log    bool
	Ticks  []Tick
}

type Tick struct {
	At    float64 // coordinate
	Label string
}

// mostEmpty is the share of an axis that may be left empty so that ticks fall on rows.
const mostEmpty = 0.2

// Coordinate transforms a value; on a logarithmic axis values that are not positive become -Inf.
func Coordinate(v float64, log bool) float64 {
	switch {
	case !log:
		return v
	case v < Smallest:
		return math.Inf(-1)
	case v > Largest:
		return math.Inf(1)
	}
	return math.Log10(v)
}

// Fraction returns 0 at lo and 1 at hi. Halves avoid overflow of the differences.
func (a Axis) Fraction(c float64) float64 {
	return (c/2 - a.Lo/2) / (a.Hi/2 - a.Lo/2)
}

// Span collects the range of finite coordinates.
type Span struct{ Lo, Hi float64 }

func NewSpan() Span { return Span{math.Inf(1), math.Inf(-1)} }

func (s *Span) Add(c float64) {
	if math.Abs(c) > Largest || c != c {
		return
	}
	s.Lo, s.Hi = min(s.Lo, c), max(s.Hi, c)
}

func (s Span) Empty() bool { return s.Lo > s.Hi }

// Widened returns s with a length that labels can resolve: a nearly constant range gets a margin of ten percent of its
// value on both sides, or half a decade.
func (s Span) Widened(log bool) Span {
	if s.Empty() {
		return Span{0, 1}
	}
	const resolvable = 1e-6 // a narrower range needs labels too wide to read
	size := max(math.Abs(s.Lo), math.Abs(s.Hi))
	if length := s.Hi - s.Lo; length > Smallest && length > resolvable*size {
		return s
	}
	middle := s.Lo/2 + s.Hi/2
	pad := 0.1 * math.Abs(middle)
	if log {
		pad = 0.5
	} else if pad < Smallest {
		middle, pad = 0, 1
	}
	return Span{middle - pad, middle + pad}
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
func linearTicks(lo, hi, step float64) []Tick {
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
func label(at []float64, labels []string) []Tick {
	ticks := make([]Tick, len(at))
	for i := range at {
		ticks[i] = Tick{at[i], labels[i]}
	}
	return ticks
}
