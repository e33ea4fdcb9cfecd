// Reading values off plots.

package plot

// A Cursor reads values off plots, at the same relative position in each. The zero Cursor reads nothing.
type Cursor struct {
	Shown bool
	X     float64 // from 0 to 1, the ends of the horizontal axis
	Y     float64 // for maps: from 0 to 1, the ends of the vertical axis
}
