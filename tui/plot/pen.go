// Lines drawn by asciigraph, and the guard around it: asciigraph gets whole row numbers inside the frame only, so it
// never receives an empty, infinite, huge or all-NaN series, and never chooses a scale.

package plot

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"

	"rfm/tui/theme"
)

// A pen is the set of characters of a line, so that lines differ without colour.
type pen uint8

const (
	light  pen = iota // in ASCII .-.
	heavy             // two dots, one above the other, in ASCII #=#
	dotted            // every other dot, in ASCII :::
)

// charSet returns the characters of the pen in ASCII for asciigraph.
func (p pen) charSet() asciigraph.CharSet {
	switch p {
	case dotted:
		return asciigraph.CreateCharSet(":")
	case heavy:
		heavy := asciigraph.CreateCharSet("#")
		heavy.Horizontal = "="
		return heavy
	}
	return asciigraph.CharSet{

		Horizontal:     "-",
		VerticalLine:   "|",
		ArcDownRight:   ".",
		ArcDownLeft:    ".",
		ArcUpRight:     "'",
		ArcUpLeft:      "'",
		StartCap:       ".",
		EndCap:         ".",
		UpRight:        "+",
		DownHorizontal: "+",
	}
}

// stroke draws a line through row numbers (0 is the lowest row) at the edges of the columns. NaN is a gap; ±Inf and
// rows outside the frame are drawn as beyond it. The result has one rune per cell, rows from the top, ' ' where nothing
// is drawn. Rows must be at least 2 and len(at) at least 2.
func stroke(at []float64, rows int, set asciigraph.CharSet) [][]rune {
	inside := make([]float64, len(at))
	for i, r := range at {
		inside[i] = min(max(r, 0), float64(rows-1)) // NaN stays NaN
	}
	text := asciigraph.Plot(inside,
		asciigraph.Height(rows-1), asciigraph.LowerBound(0), asciigraph.UpperBound(float64(rows-1)),
		asciigraph.Offset(1), asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
		asciigraph.SeriesChars(set))
	picture := make([][]rune, 0, rows)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		_, axis := utf8.DecodeRuneInString(line)
		picture = append(picture, []rune(line[axis:]))
	}
	return picture
}

// dots makes asciigraph draw one dot where a curve enters a column and the dots of a jump, but not the row that the
// curve leaves: a line of slope one is one dot a column, not a staircase.
var dots = asciigraph.CharSet{

	Horizontal:     "x",
	VerticalLine:   "x",
	ArcDownRight:   "x",
	ArcUpRight:     "x",
	ArcDownLeft:    " ",
	ArcUpLeft:      " ",
	StartCap:       "x",
	EndCap:         "x",
	UpRight:        "x",
	DownHorizontal: "x",
}

// raster is the division of a cell into dots, each of which has a bit.
type raster struct {
	across, down int
	bit          [][]rune
	first        rune   // the Braille character without dots, to which bits are added; 0: characters are in table
	table        []rune // characters by their bits
}

// braille shows 2 x 4 dots. Bit i of the offset from the first character is dot i+1 in the numbering of Unicode, in which
// the fourth row was added later. halves shows two dots, one above the other, for fonts without Braille.
var (
	braille = raster{
		across: 2,
		down:   4,
		first:  '\u2800',
		bit:    [][]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}},
	}
	halves = raster{
		across: 1,
		down:   2,
		bit:    [][]rune{{1}, {2}},
		table:  []rune{' ', upperHalf, lowerHalf, fullBlock},
	}
)

// rasterOf returns the raster of a theme. In ASCII a cell is not divided, and fine is false.
func rasterOf(th theme.Theme) (r raster, fine bool) {
	switch {
	case th.ASCII:
		return raster{across: 1, down: 1}, false
	case th.Dots():
		return braille, true
	}
	return halves, true
}

// bits returns the dots of a character; other characters, which are replaced, have none.
func (r raster) bits(c rune) rune {
	if r.first != 0 {
		const all = 0xff
		if c > r.first && c <= r.first+all {
			return c - r.first
		}
		return 0
	}
	return rune(max(0, slices.Index(r.table, c)))
}

// with returns the character with some dots.
func (r raster) with(bits rune) rune {
	if r.first != 0 {
		return r.first + bits
	}
	return r.table[bits]
}

// sample returns two cells of a line, for the legend.
func (p pen) sample(th theme.Theme) string {
	samples := map[pen]string{
		light:  "▄▄",
		heavy:  "██",
		dotted: "▄ ",
	}
	switch {
	case th.ASCII:
		return strings.Repeat(p.charSet().Horizontal, 2)
	case th.Dots():
		samples = map[pen]string{
			light:  "⠒⠒",
			heavy:  "⠶⠶",
			dotted: "⠂⠂",
		}
	}
	return samples[p]
}
