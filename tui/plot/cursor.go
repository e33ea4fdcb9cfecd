// Reading values off plots: a cursor at the same place of all of them, and how to find the place under the mouse.

package plot

import (
	"math"
	"unicode/utf8"
)

// A Cursor reads values off plots, at the same place of each. The zero Cursor reads nothing.
type Cursor struct {
	Shown bool
	X     float64 // from 0 to 1, the ends of the horizontal axis
	Y     float64 // of maps: from 0 to 1, the ends of the vertical one
	Zoom  int     // the axes show a part of 1/2^Zoom of their length, around the cursor
	Ruler bool    // plots are drawn as rulers, for Under
}

// Rulers hold in each cell of a plot where on the axes it is: a character of private use, 1024 steps across and 127 up;
// the last of 128 says that the vertical axis does not count.
const (
	rulerBase    = 0xf0000
	rulerAcross  = 1023
	rulerUp      = 126
	rulerNowhere = 127
)

// onRuler is the character of a place.
func onRuler(x, y float64) rune {
	up := rulerNowhere
	if !math.IsNaN(y) {
		up = int(math.Round(y * rulerUp))
	}
	return rulerBase + rune(int(math.Round(x*rulerAcross))<<7+up)
}

// Under is the place in a plot that a ruler has in a cell, the first character of text; y is NaN where only x counts,
// and ok false where there is no plot.
func Under(text string) (x, y float64, ok bool) {
	r, _ := utf8.DecodeRuneInString(text)
	step := int(r - rulerBase)
	if step < 0 || step>>7 > rulerAcross {
		return 0, 0, false
	}
	if y = float64(step&rulerNowhere) / rulerUp; y > 1 {
		y = math.NaN()
	}
	return float64(step>>7) / rulerAcross, y, true
}

// zoomed is the part of an axis around the cursor.
func (c Cursor) zoomed(a axis) axis {
	lo, hi := c.window()
	from := a.lo
	a.lo, a.hi = from+lo*(a.hi-from), from+hi*(a.hi-from)
	return a
}

// window is the part that is shown of the horizontal axis, as fractions of it.
func (c Cursor) window() (lo, hi float64) {
	part := math.Pow(2, -float64(c.Zoom))
	lo = max(0, min(c.X-part/2, 1-part))
	return lo, lo + part
}
