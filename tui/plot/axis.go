// Axes: which range to show, where the ticks are, how they are written.

package plot

import (
	"math"
	"strconv"
)

// Values beyond ±largest are drawn as out of range, values and ranges below
// smallest as zero, so that no arithmetic on an axis overflows.
const (
	largest  = 1e300
	smallest = 1e-300
)

// axis maps a coordinate to [lo, hi]. On a logarithmic axis coordinates, lo and
// hi are decimal logarithms.
type axis struct {
	lo, hi float64
	log    bool
	ticks  []tick
}

type tick struct {
	at    float64 // coordinate
	label string
}

// coordinate transforms a value; on a logarithmic axis what is not positive is
// infinitely far below.
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

// fraction is 0 at lo and 1 at hi. Halves avoid overflow of the differences.
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

// widened returns s with a length that labels can tell: what is all but constant
// gets a margin of ten percent of itself on both sides, or half a decade.
func (s span) widened(log bool) span {
	if s.empty() {
		return span{0, 1}
	}
	const resolvable = 1e-6 // less needs labels wider than anyone reads
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

// niceMantissas are the steps a reader counts in.
var niceMantissas = [...]float64{1, 2, 2.5, 5}

// power returns m * 10^k, correctly rounded.
func power(m float64, k int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(m, 'g', -1, 64)+"e"+strconv.Itoa(k), 64)
	if err != nil {
		return math.Inf(1)
	}
	return v
}

// decadeOf returns floor(log10 v) for v > 0.
func decadeOf(v float64) int { return int(math.Floor(math.Log10(v))) }

// rowAxis chooses the vertical axis for coordinates in s on the given number of
// rows, at least 2. An end that is pinned stays; a free end moves outward so that
// ticks fall on rows exactly: a row is 1/p of a nice step. Where that would leave
// too much of a low plot empty, the range is that of the data and ticks are drawn
// on the nearest row.
func rowAxis(s span, rows int, pinLo, pinHi, log bool) axis {
	if log {
		return logRowAxis(s, rows, pinLo, pinHi)
	}
	n := float64(rows - 1)
	if !pinLo && s.lo > 0 && s.lo < 0.2*s.hi {
		s.lo = 0 // nearly there: show the origin
	}
	need := s.hi/n - s.lo/n
	const mostEmpty = 0.2
	if !pinLo || !pinHi {
		if a, fill := alignedRows(s, rows, need, pinLo, pinHi); fill > 1-mostEmpty {
			return a
		}
	}
	ticks := linearTicks(s.lo, s.hi, niceStep(2*need))
	if len(ticks) < 2 {
		ticks = linearTicks(s.lo, s.hi, niceStep(need))
	}
	return axis{lo: s.lo, hi: s.hi, ticks: ticks}
}

// alignedRows returns the axis with ticks exactly on rows that leaves least
// space empty, need being the least height of a row, and how good it is: the
// share of the axis that the data fill, less for ticks that are few or odd.
func alignedRows(s span, rows int, need float64, pinLo, pinHi bool) (best axis, bestFill float64) {
	n := float64(rows - 1)
	least := max(1, min(2, rows-2), (rows+7)/8) // rows from tick to tick
	const slack = 1e-9
	for e := decadeOf(need) - 1; e <= decadeOf(need)+2; e++ {
		for _, m := range niceMantissas {
			step := power(m, e)
			for p := least; p <= least+3; p++ {
				row := step / float64(p)
				if row < need*(1-slack) {
					continue
				}
				lo, hi := alignedEnds(s, row, n, pinLo, pinHi)
				if hi < s.hi-slack*row || lo > s.lo+slack*row {
					continue
				}
				fill := need / row
				if m == 2.5 {
					fill -= 0.05
				}
				if math.Floor(hi/step+slack)-math.Ceil(lo/step-slack) < 1 {
					fill -= 0.5
				}
				if fill > bestFill {
					best, bestFill = axis{lo: lo, hi: hi, ticks: linearTicks(lo, hi, step)}, fill
				}
			}
		}
	}
	return best, bestFill
}

// alignedEnds places n rows of height row over s, on multiples of row unless
// pinned; spare rows go to both sides, but not across zero.
func alignedEnds(s span, row, n float64, pinLo, pinHi bool) (lo, hi float64) {
	const slack = 1e-9
	switch {
	case pinLo:
		return s.lo, s.lo + n*row
	case pinHi:
		return s.hi - n*row, s.hi
	}
	first := math.Floor(s.lo/row + slack)
	last := math.Ceil(s.hi/row - slack)
	spare := n - (last - first)
	below := math.Floor(spare / 2)
	if s.lo >= 0 {
		below = min(below, first)
	}
	if s.hi <= 0 {
		below = max(below, spare+last)
	}
	first -= below
	return first * row, (first + n) * row
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

// linearTicks are the multiples of step in [lo, hi].
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

// label pairs coordinates with what is written at them.
func label(at []float64, labels []string) []tick {
	ticks := make([]tick, len(at))
	for i := range at {
		ticks[i] = tick{at[i], labels[i]}
	}
	return ticks
}

// columnAxis chooses the ticks of a horizontal axis from lo to hi (coordinates)
// on the given number of columns. The range itself stays.
func columnAxis(lo, hi float64, columns int, log bool) axis {
	a := axis{lo: lo, hi: hi, log: log}
	if log {
		a.ticks = logTicks(span{lo, hi}, max(2, columns/8))
		return a
	}
	const widest = 5 // ticks; more is clutter
	for most := float64(min(widest, max(2, columns/10)) - 1); ; most-- {
		a.ticks = linearTicks(lo, hi, niceStep((hi/2-lo/2)/most*2))
		width := 0
		for i, t := range a.ticks {
			a.ticks[i].label = trimZeros(t.label)
			width = max(width, len(a.ticks[i].label)+2)
		}
		if len(a.ticks)*width <= columns+width || most <= 1 {
			return a
		}
	}
}
