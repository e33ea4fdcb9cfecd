// Logarithmic axes: everything here is in decimal logarithms.

package plot

import "math"

// logRowAxis is rowAxis for decimal logarithms: a row is 1/p decades, or a
// whole number of decades with a tick on every other row. Where that would leave
// too much empty, the range is that of the data.
func logRowAxis(s span, rows int, pinLo, pinHi bool) axis {
	n := float64(rows - 1)
	const slack = 1e-9
	covers := func(row float64) (span, bool) {
		lo, hi := alignedLog(s, row, n, pinLo, pinHi)
		return span{lo, hi}, hi >= s.hi-slack && lo <= s.lo+slack && s.hi-s.lo >= (1-mostEmpty)*(hi-lo)
	}
	most := max(2, min(rows, 8))
	if pinLo && pinHi {
		return axis{lo: s.lo, hi: s.hi, log: true, ticks: logTicks(s, most)}
	}
	for p := math.Floor(n/(s.hi-s.lo) + slack); p >= 1; p-- {
		if wide, ok := covers(1 / p); ok {
			return axis{lo: wide.lo, hi: wide.hi, log: true, ticks: logTicks(wide, most)}
		}
	}
	for decades := math.Ceil((s.hi-s.lo)/n - slack); decades <= 2+(s.hi-s.lo)/n; decades++ {
		if wide, ok := covers(max(1, decades)); ok {
			step := max(1, decades) * float64(min(2, rows-1))
			return axis{lo: wide.lo, hi: wide.hi, log: true, ticks: decadeTicks(wide, step)}
		}
	}
	return axis{lo: s.lo, hi: s.hi, log: true, ticks: logTicks(s, most)}
}

// alignedLog is alignedEnds for rows of row decades; spare rows go above.
func alignedLog(s span, row, n float64, pinLo, pinHi bool) (lo, hi float64) {
	switch {
	case pinLo:
		return s.lo, s.lo + n*row
	case pinHi:
		return s.hi - n*row, s.hi
	}
	first := math.Floor(s.lo/row + 1e-9)
	return first * row, (first + n) * row
}

// logTicks returns about most ticks or fewer in s (decimal logarithms): whole
// decades; 1, 2, 5 within less than two decades; and if that leaves fewer than
// two, multiples of a nice step.
func logTicks(s span, most int) []tick {
	length := s.hi - s.lo
	const slack = 1e-6
	if decades := math.Floor(s.hi+slack) - math.Ceil(s.lo-slack); decades >= 2 || length > 3 {
		step := 1.0
		for _, d := range []float64{1, 2, 3, 5, 10, 20, 50, 100, 200} {
			if step = d; length/d <= float64(most) {
				break
			}
		}
		return decadeTicks(s, step)
	}
	var at, values []float64
	for d := math.Floor(s.lo); d <= s.hi+slack; d++ {
		for _, m := range []float64{1, 2, 5} {
			if c := d + math.Log10(m); c >= s.lo-slack && c <= s.hi+slack {
				at, values = append(at, c), append(values, power(m, int(d)))
			}
		}
	}
	if len(at) >= 2 {
		return label(at, writeDecades(values))
	}
	lo, hi := math.Pow(10, s.lo), math.Pow(10, s.hi)
	ticks := linearTicks(lo, hi, niceStep((hi-lo)/float64(most)))
	for i := range ticks {
		ticks[i].at = math.Log10(ticks[i].at)
	}
	return ticks
}

// decadeTicks are the powers of ten whose logarithm is a multiple of step in s.
func decadeTicks(s span, step float64) []tick {
	const slack = 1e-6
	var at, values []float64
	for d := math.Ceil(s.lo/step-slack) * step; d <= s.hi+slack; d += step {
		if v := power(1, int(math.Round(d))); v >= smallest && v <= largest {
			at, values = append(at, d), append(values, v)
		}
	}
	return label(at, writeDecades(values))
}
