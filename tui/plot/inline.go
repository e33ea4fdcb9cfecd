// Plots of one line: a progress bar and a sparkline.

package plot

import (
	"math"
	"strings"

	"rfm/tui/theme"
)

// Progress draws a bar of width cells of which fraction is filled, in eighths
// of a cell, or in ASCII in whole cells. A fraction outside [0,1] is clipped,
// NaN counts as 0. Only a fraction of 1 fills the bar, and anything above 0
// shows.
func Progress(fraction float64, width int, th theme.Theme) string {
	if width <= 0 {
		return ""
	}
	levels := th.Glyphs.Filling
	steps := width * len(levels)
	filled := 0
	if fraction > 0 {
		filled = min(int(fraction*float64(steps)), steps-1)
		filled = max(filled, 1)
	}
	if fraction >= 1 {
		filled = steps
	}
	full, part := filled/len(levels), filled%len(levels)
	done := strings.Repeat(string(levels[len(levels)-1]), full)
	if part > 0 {
		done += string(levels[part-1])
		full++
	}
	c := newCanvas(width, 1, th.ASCII)
	c.text(0, 0, done, c.newInk(th.Good))
	c.text(full, 0, strings.Repeat(string(th.Glyphs.Unfilled), width-full), c.newInk(th.Muted))
	return c.String()
}

// Sparkline draws values, equally spaced, in width cells of one line, unstyled,
// from the lowest level for the least to the highest for the greatest finite
// value. A cell that holds several values shows the one farthest from the mean of
// all, so a spike survives; a cell of NaN is blank, a constant is drawn half way.
func Sparkline(values []float64, width int, th theme.Theme) string {
	if width <= 0 {
		return ""
	}
	s := newSpan()
	for _, v := range values {
		s.add(v)
	}
	scale := axis{lo: s.lo, hi: s.hi}
	if s.hi <= s.lo {
		margin := 1 + math.Abs(s.lo)/2
		scale = axis{lo: s.lo - margin, hi: s.hi + margin}
	}
	level := func(v float64) float64 { return min(max(scale.fraction(v), 0), 1) }
	mean, finite := 0.0, 0.0
	for _, v := range values {
		if math.Abs(v) <= largest {
			finite++
			mean += (level(v) - mean) / finite
		}
	}
	c := newCanvas(width, 1, th.ASCII)
	glyphs := th.Glyphs.Rising
	for x := range width {
		from := x * len(values) / width
		to := min(max((x+1)*len(values)/width, from+1), len(values))
		shown := math.NaN()
		for _, v := range values[from:to] {
			if l := level(v); l == l && !(math.Abs(l-mean) <= math.Abs(shown-mean)) {
				shown = l
			}
		}
		if shown == shown {
			c.set(x, 0, glyphs[int(math.Round(shown*float64(len(glyphs)-1)))], 0)
		}
	}
	return c.String()
}
