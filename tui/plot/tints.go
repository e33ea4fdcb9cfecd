// The colours of the cells in a row of half-blocks.

package plot

import "slices"

// Characters that show two pixels, one above the other.
const (
	upperHalf = '▀'
	lowerHalf = '▄'
	fullBlock = '█'
)

// A duo is the two pixels of a cell, as steps of a scale.
type duo struct{ upper, lower int }

// A tint is the two colours of a cell, as steps of a scale: that of the character, and the one behind it. A colour that
// is not visible is that of the cell before, or unset.
type tint struct {
	glyph  rune
	fg, bg int
}

// unset is a colour that no cell has had yet.
const unset = -1

// A way is a choice of tints for the first cells of a row.
type way struct {
	tint        // of the last of these cells
	bytes  int  // that the terminal gets for all of them
	before *way // the same without the last cell; nil for the first one
}

// tints returns how a row of cells is written with few bytes. A cell whose pixels differ may be an upper half or a lower
// one, and a cell of one colour a full block or a blank, so that the better choice depends on the colours of the cells
// beside it. The shortest ways to each tint of a cell are extended by the next cell, as in the algorithm of Viterbi.
func tints(row []duo) []tint {
	start := &way{tint: tint{fg: unset, bg: unset}}
	ways := []*way{start}
	for _, cell := range row {
		ways = extended(ways, cell)
	}
	chosen := make([]tint, len(row))
	last := ways[0]
	for i := len(row) - 1; i >= 0; i-- {
		chosen[i] = last.tint
		last = last.before
	}
	return chosen
}

// extended returns the shortest ways with one more cell, best first, one for each pair of colours that it may leave.
func extended(ways []*way, cell duo) []*way {
	const most = 12 // ways: others are longer, or differ in a colour that was not used for long
	var longer []*way
	for _, w := range ways {
		for _, t := range w.choices(cell) {
			next := w.with(t)
			i := slices.IndexFunc(longer, func(other *way) bool {
				return other.fg == t.fg && other.bg == t.bg
			})
			switch {
			case i < 0:
				longer = append(longer, next)
			case next.bytes < longer[i].bytes:
				longer[i] = next
			}
		}
	}
	slices.SortStableFunc(longer, func(a, b *way) int { return a.bytes - b.bytes })
	return longer[:min(most, len(longer))]
}

// choices returns the two tints that a cell may have behind the last one.
func (w *way) choices(cell duo) [2]tint {
	if cell.upper == cell.lower {
		return [2]tint{
			{glyph: ' ', fg: w.fg, bg: cell.upper},
			{glyph: fullBlock, fg: cell.upper, bg: w.bg},
		}
	}
	return [2]tint{
		{glyph: upperHalf, fg: cell.upper, bg: cell.lower},
		{glyph: lowerHalf, fg: cell.lower, bg: cell.upper},
	}
}

// with returns the way with one more cell. Its bytes are those of colours of 24 bits; numbers of a palette take half of
// them.
func (w *way) with(t tint) *way {
	const (
		blank    = 1  // bytes, as the following
		block    = 3  // in UTF-8
		sequence = 3  // that sets one colour or two
		colour   = 16 // in such a sequence
	)
	bytes := w.bytes + block
	if t.glyph == ' ' {
		bytes = w.bytes + blank
	}
	if t.fg != w.fg {
		bytes += colour
	}
	if t.bg != w.bg {
		bytes += colour
	}
	if t.fg != w.fg || t.bg != w.bg {
		bytes += sequence
	}
	return &way{tint: t, bytes: bytes, before: w}
}
