// Histograms: counts of values in bins, the median, and one highlighted value.

package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"charm.land/lipgloss/v2"

	"rfm/model/report"
	"rfm/tui/theme"
)

// Histogram draws counts of values in bins of equal length (of equal ratio if Log) by the rule of Freedman and Diaconis
// (1981), with a mark below the median and one below Current.
type Histogram struct {
	// Values in any order. The legend counts values that are not finite, and with Log those that are not positive; they
	// are not drawn.
	Values        []float64
	Width, Height int // cells
	Log           bool

	// Current, if not nil, is a value whose bin is highlighted; CurrentName names it in the legend, for example "sample
	// 17".
	Current     *float64
	CurrentName string

	Title, XLabel, YLabel string

	Cursor Cursor // reads the number of values in a bin

	Style lipgloss.Style // of the bars
	Theme theme.Theme
}

// Render draws the histogram; see the package comment for the size of the result. If the frame is too small or no value
// can be drawn, the result is a message.
func (h Histogram) Render() string {
	th := h.Theme
	if text, small := tooSmall("histogram", h.Width, h.Height, th); small {
		return text
	}
	shown := make([]float64, 0, len(h.Values))
	for _, v := range h.Values {
		if c := report.Coordinate(v, h.Log); math.Abs(c) <= report.Largest {
			shown = append(shown, c)
		}
	}
	slices.Sort(shown)

	f := newFrame(h.Width, h.Height, th)
	if len(shown) == 0 {
		f.header(h.Title, h.YLabel, h.legend(shown))
		f.vertical(report.Axis{Hi: 1})
		f.horizontal(report.Axis{Hi: 1}, h.XLabel)
		f.note("no data")
		return f.String()
	}
	s := report.Span{Lo: shown[0], Hi: shown[len(shown)-1]}.Widened(h.Log)

	// The labels of the counts take columns that bins could use, and the
	// counts depend on the bins: the sample count bounds the labels.
	f.left = len(strconv.Itoa(len(shown))) + 1
	bins, width := h.bins(shown, s, f.columns())
	counts := make([]int, bins)
	for _, c := range shown {
		counts[binOf(c, s, bins)]++
	}
	reads, legend := -1, h.legend(shown)
	if h.Cursor.Shown {
		legend = make([]legendEntry, 1)
		reads, legend[0] = h.readings(counts, s)
	}
	f.header(h.Title, h.YLabel, legend)
	most := slices.Max(counts)
	f.counts(most)
	f.right = f.left + bins*width
	f.horizontal(report.ColumnAxis(s.Lo, s.Hi, f.columns(), h.Log), h.XLabel)

	current, marked := -1, h.Current != nil
	if marked {
		c := report.Coordinate(*h.Current, h.Log)
		marked = c >= s.Lo && c <= s.Hi
		if marked {
			current = binOf(c, s, bins)
		}
	}
	bar, special, here := f.newInk(h.Style), f.newInk(th.Prediction), f.newInk(th.Focus)
	for i, n := range counts {
		k := bar
		if i == current {
			k = special
		}
		f.bar(i*width, width, float64(n)/float64(most), k)
		if i == reads {
			for c := range width {
				f.set(f.left+i*width+c, f.bottom, th.Glyphs.Here, here)
			}
		}
	}
	x := report.Axis{Lo: s.Lo, Hi: s.Hi}
	f.set(f.left+f.column(x.Fraction(report.Coordinate(h.median(shown), h.Log))), f.bottom, th.Glyphs.Here,
		f.newInk(th.Value))
	if marked {
		c := report.Coordinate(*h.Current, h.Log)
		f.set(f.left+f.column(x.Fraction(c)), f.bottom, th.Glyphs.PredictionMark, special)
	}
	return f.String()
}

// legend describes the marks and counts the values that are not drawn. The values shown are coordinates, ascending.
func (h Histogram) legend(shown []float64) []legendEntry {
	g := h.Theme.Glyphs
	var entries []legendEntry
	if len(shown) > 0 {
		entries = append(entries, legendEntry{[]rune{g.Here}, "median " + report.FormatValue(h.median(shown)), h.Theme.Value})
	}
	if h.Current != nil {
		name := h.CurrentName
		if name != "" {
			name += " "
		}
		entries = append(entries, legendEntry{[]rune{g.PredictionMark}, name + report.FormatValue(*h.Current),
			h.Theme.Prediction})
	}
	if lost := len(h.Values) - len(shown); lost > 0 {
		entries = append(entries, legendEntry{[]rune{g.Cross}, strconv.Itoa(lost) + " not shown", h.Theme.Warn})
	}
	return entries
}

// median returns the median of the values, not of their logarithms, in agreement with tables.
func (h Histogram) median(shown []float64) float64 {
	if !h.Log {
		return report.Median(shown)
	}
	n := len(shown)
	return report.Median([]float64{math.Pow(10, shown[(n-1)/2]), math.Pow(10, shown[n/2])})
}

// bins returns the number of bins and the columns of each.
func (h Histogram) bins(sorted []float64, s report.Span, columns int) (bins, width int) {
	const fewest, most = 6, 40
	n := len(sorted)
	length := 2 * (sorted[3*(n-1)/4] - sorted[(n-1)/4]) / math.Cbrt(float64(n))
	bins = fewest
	if ratio := (s.Hi/2 - s.Lo/2) / length * 2; ratio < most {
		bins = max(fewest, int(math.Ceil(ratio)))
	} else if length > 0 {
		bins = most
	}
	width = max(1, columns/bins)
	return columns / width, width
}

func binOf(c float64, s report.Span, bins int) int {
	return max(0, min(int(report.Axis{Lo: s.Lo, Hi: s.Hi}.Fraction(c)*float64(bins)), bins-1))
}

// counts draws the vertical axis from 0, on the line of the horizontal axis, to most, at the top of the plotting area.
func (f *frame) counts(most int) {
	width := f.left - 1
	g := f.theme.Glyphs
	for r := f.top; r < f.bottom; r++ {
		f.set(width, r, g.Vertical, f.muted)
	}
	number := func(n, r int) {
		s := strconv.Itoa(n)
		f.canvas.text(width-len(s), r, s, f.text)
	}
	number(0, f.bottom)
	const apart = 3 // least rows between labels
	step := max(1, int(math.Ceil(report.NiceStep(float64(most*apart)/float64(f.rows())))))
	if step > most {
		step = most
	}
	for n := step; n <= most; n += step {
		up := int(math.Round(float64(n)/float64(most)*float64(f.rows()))) - 1
		f.set(width, f.bottom-1-max(0, up), g.TickLeft, f.muted)
		number(n, f.bottom-1-max(0, up))
	}
}

// bar fills columns [start, start+width) from below to a fraction of the height; a positive fraction shows at least the
// lowest glyph.
func (f *frame) bar(start, width int, fraction float64, k ink) {
	levels := f.theme.Glyphs.Rising
	if f.ascii {
		levels = levels[len(levels)-1:] // partly filled cells do not line up in ASCII
	}
	filled := int(math.Round(fraction * float64(f.rows()*len(levels))))
	if fraction > 0 {
		filled = max(filled, 1)
	}
	for r := f.bottom - 1; filled > 0; r-- {
		glyph := levels[min(filled, len(levels))-1]
		for c := start; c < start+width; c++ {
			f.set(f.left+c, r, glyph, k)
		}
		filled -= len(levels)
	}
}

// readings returns the bin under the cursor and a legend entry with its count and its ends.
func (h Histogram) readings(counts []int, s report.Span) (bin int, entry legendEntry) {
	bin = min(int(h.Cursor.X*float64(len(counts))), len(counts)-1)
	end := func(i int) string {
		v := s.Lo + (s.Hi-s.Lo)*float64(i)/float64(len(counts))
		if h.Log {
			v = math.Pow(10, v)
		}
		return report.FormatValue(v)
	}
	return bin, legendEntry{[]rune{h.Theme.Glyphs.Vertical},
		fmt.Sprintf("%d from %s to %s", counts[bin], end(bin), end(bin+1)), h.Theme.Value}
}
