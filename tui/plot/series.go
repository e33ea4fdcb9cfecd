// Curves and points of a plot.

package plot

import (
	"charm.land/lipgloss/v2"

	"rfm/model/report"
)

// A Series is one curve or one set of points of a [Line].
type Series struct {
	Name string // shown in the legend; "" leaves the series out of it

	// X are the positions of Y, of the same length. They should be ascending (a copy is sorted if not); NaN and, on a
	// logarithmic axis, positions that are not positive are left out.
	X []float64
	// Y are the values. NaN is a gap. Infinite values, and on a logarithmic axis values that are not positive, are
	// beyond the frame.
	Y []float64

	Style lipgloss.Style
	Pen   Pen // characters of the line

	// Mark, if not 0, draws the values as points with this character instead of a line. Spacing is then the least
	// number of columns from one mark to the next, so that a line below stays visible; 0 and 1 draw every point.
	Mark    rune
	Spacing int
}

// position returns the horizontal coordinate of sample i.
func (s Series) position(i int, x report.Axis) float64 { return report.Coordinate(s.X[i], x.Log) }
