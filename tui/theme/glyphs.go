// The characters that carry meaning in rfm, in Unicode and in ASCII.

package theme

// Glyphs are the characters of a theme. Each is one cell wide. In an ASCII theme all are bytes 0x20 to 0x7e.
type Glyphs struct {
	Horizontal, Vertical                     rune // straight lines of axes and rules
	TickLeft, TickBelow, Corner              rune // marks on a vertical axis, on a horizontal axis, their origin
	Bullet, Check, Cross, Ellipsis           rune
	Left, Right, Up, Down                    rune // arrows
	Opened, Closed                           rune // groups of lines
	Done, Current, Todo                      rune // steps of the header
	FocusLeft, FocusRight                    rune // brackets around the selected field
	PredictionMark, PublishedMark, PointMark rune // marks in plots

	Computed, Published []rune // marks of computed curves, and at the same index of their published values

	Filling  []rune // cell filled from the left in equal parts, last is full: progress bars
	Unfilled rune   // the rest of a progress bar

	// Textures of a heat map without colour; none is blank, so that the edge of the picture is visible.
	Shades       []rune // from least to most ink
	SignedShades []rune // odd number: negative and positive differ in kind, zero is in the middle
}

func unicodeGlyphs() Glyphs {
	return Glyphs{
		Horizontal: '─', Vertical: '│',
		TickLeft: '┤', TickBelow: '┬', Corner: '└',
		Bullet: '•', Check: '✓', Cross: '✗', Ellipsis: '…',
		Left: '←', Right: '→', Up: '↑', Down: '↓', Opened: '▾', Closed: '▸',
		Done: '✓', Current: '●', Todo: '○',
		FocusLeft: '›', FocusRight: '‹',
		PredictionMark: '●', PublishedMark: '◆', PointMark: '•',
		Computed: []rune("●■▲"), Published: []rune("○□△"),
		Filling:  []rune("▏▎▍▌▋▊▉█"),
		Unfilled: '░',

		Shades:       []rune("·░▒▓█"),
		SignedShades: []rune("≡=-·░▒▓"),
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{
		Horizontal: '-', Vertical: '|',
		TickLeft: '+', TickBelow: '+', Corner: '+',
		Bullet: '*', Check: '*', Cross: '!', Ellipsis: '~',
		Left: '<', Right: '>', Up: '^', Down: 'v', Opened: '-', Closed: '+',
		Done: '*', Current: '>', Todo: '.',
		FocusLeft: '[', FocusRight: ']',
		PredictionMark: 'o', PublishedMark: 'X', PointMark: '*',
		Computed: []rune("ox+"), Published: []rune("OX#"),
		Filling:  []rune("#"),
		Unfilled: '.',

		Shades:       []rune(".:-=+*#%@"),
		SignedShades: []rune("=~-.+*#"),
	}
}
