package report

import "math"

// RowAxis chooses the vertical axis for coordinates in s on the given number of rows, at least 2. A pinned end stays; a
// free end moves outward so that ticks fall on rows exactly: a row is 1/p of a nice step. Where that would leave too
// much of a low plot empty, the range is the range of the data and ticks are drawn on the nearest row.
func RowAxis(s Span, rows int, pinLo, pinHi, log bool) Axis {
	if log {
		return logRowAxis(s, rows, pinLo, pinHi)
	}
	n := float64(rows - 1)
	if !pinLo && s.Lo > 0 && s.Lo < 0.2*s.Hi {
		s.Lo = 0 // close to zero: include the origin
	}
	need := s.Hi/n - s.Lo/n
	if !pinLo || !pinHi {
		if a, fill := alignedRows(s, rows, need, pinLo, pinHi); fill > 1-mostEmpty {
			return a
		}
	}
	ticks := linearTicks(s.Lo, s.Hi, NiceStep(2*need))
	if len(ticks) < 2 {
		ticks = linearTicks(s.Lo, s.Hi, NiceStep(need))
	}
	return Axis{Lo: s.Lo, Hi: s.Hi, Ticks: ticks}
}

// alignedRows returns the axis with ticks exactly on rows that leaves the least space empty, with rows of height at
// least need, and its quality: the share of the axis that the data fill, less a penalty for few or odd ticks.
func alignedRows(s Span, rows int, need float64, pinLo, pinHi bool) (best Axis, bestFill float64) {
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
				lo, hi := alignedEnds(s, row, n, pinLo, pinHi, false)
				if hi < s.Hi-slack*row || lo > s.Lo+slack*row {
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
					best, bestFill = Axis{Lo: lo, Hi: hi, Ticks: linearTicks(lo, hi, step)}, fill
				}
			}
		}
	}
	return best, bestFill
}

// alignedEnds places n rows of height row over s, on multiples of row unless pinned. Spare rows are added above, and if
// the axis is not logarithmic also below, but not across zero.
func alignedEnds(s Span, row, n float64, pinLo, pinHi, log bool) (lo, hi float64) {
	const slack = 1e-9
	switch {
	case pinLo:
		return s.Lo, s.Lo + n*row
	case pinHi:
		return s.Hi - n*row, s.Hi
	}
	first := math.Floor(s.Lo/row + slack)
	if log {
		return first * row, (first + n) * row
	}
	last := math.Ceil(s.Hi/row - slack)
	spare := n - (last - first)
	below := math.Floor(spare / 2)
	if s.Lo >= 0 {
		below = min(below, first)
	}
	if s.Hi <= 0 {
		below = max(below, spare+last)
	}
	first -= below
	return first * row, (first + n) * row
}

// ColumnAxis chooses the ticks of a horizontal axis from lo to hi (coordinates) on the given number of columns. The
// range itself does not change.
func ColumnAxis(lo, hi float64, columns int, log bool) Axis {
	a := Axis{Lo: lo, Hi: hi, Log: log}
	if log {
		a.Ticks = logTicks(Span{lo, hi}, max(2, columns/8))
		return a
	}
	const widest = 5 // the most ticks; more of them are clutter
	for most := float64(min(widest, max(2, columns/10)) - 1); ; most-- {
		a.Ticks = linearTicks(lo, hi, NiceStep((hi/2-lo/2)/most*2))
		width := 0
		for i, t := range a.Ticks {
			a.Ticks[i].Label = trimZeros(t.Label)
			width = max(width, len(a.Ticks[i].Label)+2)
		}
		if len(a.Ticks)*width <= columns+width || most <= 1 {
			return a
		}
	}
}

// logRowAxis is RowAxis for decimal logarithms: a row is 1/p decades, or a whole number of decades with a tick on every
// other row. Where that would leave too much empty, the range is the range of the data.
func logRowAxis(s Span, rows int, pinLo, pinHi bool) Axis {
	n := float64(rows - 1)
	const slack = 1e-9
	covers := func(row float64) (Span, bool) {
		lo, hi := alignedEnds(s, row, n, pinLo, pinHi, true)
		return Span{lo, hi}, hi >= s.Hi-slack && lo <= s.Lo+slack && s.Hi-s.Lo >= (1-mostEmpty)*(hi-lo)
	}
	most := max(2, min(rows, 8))
	if pinLo && pinHi {
		return Axis{Lo: s.Lo, Hi: s.Hi, Log: true, Ticks: logTicks(s, most)}
	}
	for p := math.Floor(n/(s.Hi-s.Lo) + slack); p >= 1; p-- {
		if wide, ok := covers(1 / p); ok {
			return Axis{Lo: wide.Lo, Hi: wide.Hi, Log: true, Ticks: logTicks(wide, most)}
		}
	}
	for decades := math.Ceil((s.Hi-s.Lo)/n - slack); decades <= 2+(s.Hi-s.Lo)/n; decades++ {
		if wide, ok := covers(max(1, decades)); ok {
			step := max(1, decades) * float64(min(2, rows-1))
			return Axis{Lo: wide.Lo, Hi: wide.Hi, Log: true, Ticks: decadeTicks(wide, step)}
		}
	}
	return Axis{Lo: s.Lo, Hi: s.Hi, Log: true, Ticks: logTicks(s, most)}
}

// logTicks returns about most ticks or fewer in s (decimal logarithms): whole decades; within less than two decades 1,
// 2, 5; and if fewer than two remain, multiples of a nice step.
func logTicks(s Span, most int) []Tick {
	length := s.Hi - s.Lo
	const slack = 1e-6
	if decades := math.Floor(s.Hi+slack) - math.Ceil(s.Lo-slack); decades >= 2 || length > 3 {
		step := 1.0
		for _, d := range []float64{1, 2, 3, 5, 10, 20, 50, 100, 200} {
			if step = d; length/d <= float64(most) {
				break
			}
		}
		return decadeTicks(s, step)
	}
	var at, values []float64
	for d := math.Floor(s.Lo); d <= s.Hi+slack; d++ {
		for _, m := range []float64{1, 2, 5} {
			if c := d + math.Log10(m); c >= s.Lo-slack && c <= s.Hi+slack {
				at, values = append(at, c), append(values, power(m, int(d)))
			}
		}
	}
	if len(at) >= 2 {
		return label(at, writeDecades(values))
	}
	lo, hi := math.Pow(10, s.Lo), math.Pow(10, s.Hi)
	ticks := linearTicks(lo, hi, NiceStep((hi-lo)/float64(most)))
	for i := range ticks {
		ticks[i].At = math.Log10(ticks[i].At)
	}
	return ticks
}

// decadeTicks returns the powers of ten in s whose logarithm is a multiple of step.
func decadeTicks(s Span, step float64) []Tick {
	const slack = 1e-6
	var at, values []float64
	for d := math.Ceil(s.Lo/step-slack) * step; d <= s.Hi+slack; d += step {
		if v := power(1, int(math.Round(d))); v >= Smallest && v <= Largest {
			at, values = append(at, d), append(values, v)
		}
	}
	return label(at, writeDecades(values))
}
