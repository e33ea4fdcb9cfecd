// Axes: which range to show, where the ticks are, how they are written.

package plot

import (
	"math"
)

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
