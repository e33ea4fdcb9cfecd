// Dots: a cell of Braille has 2 x 4.

package plot

import (
	"github.com/guptarohit/asciigraph"

	"rfm/tui/theme"
)

// dotsAcross and dotsDown are the dots of a cell.
const (
	dotsAcross = 2
	dotsDown   = 4
)

// dots makes asciigraph draw one dot where a curve enters a column and those that a jump passes, but not the row that
// it leaves: a line of slope one is one dot a column, not a staircase.
var dots = asciigraph.CharSet{
	Horizontal: "x", VerticalLine: "x", ArcDownRight: "x", ArcUpRight: "x", ArcDownLeft: " ", ArcUpLeft: " ",
	StartCap: "x", EndCap: "x", UpRight: "x", DownHorizontal: "x",
}

// noDots is the Braille character without dots; bit i of what is added to it is dot i+1 of the standard's numbering, in
// which the fourth row came later.
const noDots = '\u2800'

var dotBits = [dotsDown][dotsAcross]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// withDot is a cell's character with one dot more; what is not Braille gives way.
func withDot(r rune, column, row int) rune {
	if r < noDots || r > noDots+0xff {
		r = noDots
	}
	return r | dotBits[row][column]
}

// shows reports whether a pen draws in a column of dots.
func (p Pen) shows(column int) bool {
	switch p {
	case Dotted:
		return column%dotsAcross == 0
	case dashed:
		return column/dotsAcross%5 < 3
	}
	return true
}

// sample is two cells of a line, for the legend.
func (p Pen) sample(curves theme.Curves) []rune {
	if curves == theme.BrailleCurves {
		return [][]rune{Light: []rune("⠒⠒"), Heavy: []rune("⠶⠶"), Dotted: []rune("⠂⠂"), dashed: []rune("⠒ ⠒")}[p]
	}
	dash := []rune(p.charSet(curves == theme.ASCIICurves).Horizontal)
	return append(dash, dash...)
}
