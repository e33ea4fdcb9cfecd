// Plots of one line: a progress bar.

package plot

import (
	"strings"

	"rfm/tui/theme"
)

// Progress draws a bar of width cells of which fraction is filled, in eighths of a cell, or in ASCII in whole cells. A
// fraction outside [0,1] is clipped, NaN counts as 0. Only a fraction of 1 fills the bar, and any positive fraction is
// visible.
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
	return th.Good.Render(done) + th.Muted.Render(strings.Repeat(string(th.Glyphs.Unfilled), width-full))
}
