// Lines drawn by asciigraph, and the guard around it: asciigraph gets whole row
// numbers inside the frame only, so it never sees an empty, infinite, huge or
// all-NaN series, and never chooses a scale.

package plot

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"
)

// A Pen says with which characters a line is drawn, so that lines differ
// without colour.
type Pen uint8

const (
	Light  Pen = iota // ╭─╮, in ASCII .-.
	Heavy             // ┏━┓, in ASCII #=#
	Dotted            // ···, in ASCII :::
	dashed            // of dots, three cells of five: what lies below is seen between
)

// charSet returns the characters of the pen for asciigraph.
func (p Pen) charSet(ascii bool) asciigraph.CharSet {
	light := asciigraph.DefaultCharSet
	switch {
	case p == Dotted && ascii:
		return asciigraph.CreateCharSet(":")
	case p == Dotted:
		return asciigraph.CreateCharSet("·")
	case p == Heavy && ascii:
		heavy := asciigraph.CreateCharSet("#")
		heavy.Horizontal = "="
		return heavy
	case p == Heavy:
		return asciigraph.CharSet{
			Horizontal: "━", VerticalLine: "┃",
			ArcDownRight: "┏", ArcDownLeft: "┓", ArcUpRight: "┗", ArcUpLeft: "┛",
			StartCap: "╺", EndCap: "╸",
			UpRight: light.UpRight, DownHorizontal: light.DownHorizontal,
		}
	case ascii:
		return asciigraph.CharSet{
			Horizontal: "-", VerticalLine: "|",
			ArcDownRight: ".", ArcDownLeft: ".", ArcUpRight: "'", ArcUpLeft: "'",
			StartCap: ".", EndCap: ".", UpRight: "+", DownHorizontal: "+",
		}
	}
	return light
}

// stroke draws a line through row numbers (0 is the lowest row) at the edges of
// the columns; NaN is a gap, ±Inf or a row outside the frame is beyond it. The
// result has one rune per cell, rows from the top, ' ' where nothing is drawn.
// Rows must be at least 2 and len(at) at least 2.
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

// beyond reports whether column i leaves the frame above or below.
func beyond(at []float64, i, rows int) (above, below bool) {
	lo, hi := at[i], at[i+1]
	if math.IsNaN(lo) || math.IsNaN(hi) {
		return false, false
	}
	return max(lo, hi) > float64(rows-1), min(lo, hi) < 0
}
