// The characters that carry meaning in rfm, in Unicode and in ASCII.

package theme

import "rfm/model/show/report"

// Glyphs are the characters of a theme. Each is one cell wide. In an ASCII theme all are bytes 0x20 to 0x7e.
type Glyphs struct {
	Horizontal, Vertical                   rune // straight lines of axes and rules
	TickLeft, TickRight, TickBelow, Corner rune // marks on the axes left, right and below, their origin
	Bullet, Check, Cross, Ellipsis         rune
	Left, Right, Up, Down                  rune // arrows
	Opened, Closed                         rune // groups of lines
	Done, Current, Todo                    rune // steps of the header
	FocusLeft, FocusRight                  rune // brackets around the selected field
	PointMark                              rune // a single value in a plot

	Filling  []rune // cell filled from the left in equal parts, last is full: progress bars
	Unfilled rune   // the rest of a progress bar

	// Textures of a heat map without colour; none is blank, so that the edge of the picture is visible.
	Shades       []rune // from least to most ink
	SignedShades []rune // odd number: negative and positive differ in kind, zero is in the middle
}

func unicodeGlyphs() Glyphs {
	return Glyphs{

		Horizontal: '─',
		Vertical:   '│',
		TickLeft:   '┤',
		TickRight:  '├',
		TickBelow:  '┬',
		Corner:     '└',
		Bullet:     '•',
		Check:      '✓',
		Cross:      '✗',
		Ellipsis:   '…',
		Left:       '←',
		Right:      '→',
		Up:         '↑',
		Down:       '↓',
		Opened:     '▾',
		Closed:     '▸',
		Done:       '✓',
		Current:    '●',
		Todo:       '○',
		FocusLeft:  '›',
		FocusRight: '‹',
		PointMark:  '•',
		Filling:    []rune("▏▎▍▌▋▊▉█"),
		Unfilled:   '░',

		Shades:       []rune("·░▒▓█"),
		SignedShades: []rune("≡=-·░▒▓"),
	}
}

func asciiGlyphs() Glyphs {
	return Glyphs{

		Horizontal: '-',
		Vertical:   '|',
		TickLeft:   '+',
		TickRight:  '+',
		TickBelow:  '+',
		Corner:     '+',
		Bullet:     '*',
		Check:      '*',
		Cross:      '!',
		Ellipsis:   '~',
		Left:       '<',
		Right:      '>',
		Up:         '^',
		Down:       'v',
		Opened:     '-',
		Closed:     '+',
		Done:       '*',
		Current:    '>',
		Todo:       '.',
		FocusLeft:  '[',
		FocusRight: ']',
		PointMark:  '*',
		Filling:    []rune("#"),
		Unfilled:   '.',

		Shades:       []rune(".:-=+*#%@"),
		SignedShades: []rune("=~-.+*#"),
	}
}

// symbolGlyphs are the marks of plots in Unicode and in ASCII, by report.Symbol.
var symbolGlyphs = map[report.Symbol][2]rune{
	report.Disc:           {'●', 'o'},
	report.Square:         {'■', 'S'},
	report.Triangle:       {'▲', 's'},
	report.Circle:         {'○', 'O'},
	report.HollowSquare:   {'□', 'Q'},
	report.HollowTriangle: {'△', 'q'},
	report.Diamond:        {'◆', 'P'},
	report.Point:          {'•', '*'},
	report.Plus:           {'+', '+'},
	report.Saltire:        {'x', 'x'},
	report.Star:           {'*', 'e'},
	report.Hash:           {'#', '#'},
	report.Percent:        {'%', '%'},
	report.Equals:         {'=', '='},
	report.Minus:          {'-', '-'},
	report.Ampersand:      {'&', '&'},
	report.At:             {'@', '@'},
	report.Tilde:          {'~', '~'},
}

// Symbol returns the character of a mark; 0 for none.
func (t Theme) Symbol(s report.Symbol) rune {
	if t.ASCII {
		return symbolGlyphs[s][1]
	}
	return symbolGlyphs[s][0]
}
