// This file makes a picture of what a terminal shows: letters from a sheet that go generate draws, and shapes for
// blocks, lines and dots, so that they meet those of the next cell.

package headless

import (
	"bytes"
	_ "embed"
	"image"
	"image/png"
	"strings"
	"sync"

	"github.com/hinshun/vt10x"
)

//go:generate go run ./internal/gen

// A cell in pixels, and how thick its lines are.
const (
	cellWidth, cellHeight = 10, 20
	thick                 = 2
)

//go:embed letters.txt
var letters string

//go:embed letters.png
var letterSheet []byte

// sheet is the letters, as opacities in the palette's sixteen shades, and where the regular ones are.
var sheet = sync.OnceValues(func() (*image.Paletted, map[rune]image.Point) {
	from, err := png.Decode(bytes.NewReader(letterSheet))
	if err != nil {
		panic("headless: " + err.Error()) // it is part of the program
	}
	places := map[rune]image.Point{}
	for y, line := range strings.Split(letters, "\n") {
		for x, r := range []rune(line) {
			places[r] = image.Pt(x*cellWidth, y*cellHeight)
		}
	}
	return from.(*image.Paletted), places
})

// Photograph is what the terminal shows as PNG, on black paper or on white.
func (t *Terminal) Photograph(white bool) []byte {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	p := photo{image.NewRGBA(image.Rect(0, 0, t.width*cellWidth, t.height*cellHeight)), white}
	for y := range t.height {
		for x := range t.width {
			p.cell(t.vt.Cell(x, y), image.Rect(x*cellWidth, y*cellHeight, (x+1)*cellWidth, (y+1)*cellHeight))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, p.RGBA); err != nil {
		panic("headless: " + err.Error()) // a buffer takes everything, and the picture has pixels
	}
	return out.Bytes()
}

// photo is a picture that is being made.
type photo struct {
	*image.RGBA
	white bool // its paper
}

// color is a colour of the terminal; on white paper that of letters and paper change places.
func (p photo) color(c vt10x.Color) (rgb [3]int) {
	value := rgbOf(c)
	switch {
	case p.white && c == vt10x.DefaultFG:
		value = paper
	case p.white && c == vt10x.DefaultBG:
		value = 0xffffff
	}
	return [3]int{int(value >> 16), int(value >> 8 & 0xff), int(value & 0xff)}
}

// opaque is the opacity of what covers; of less so much shines through.
const opaque = 15

// cover lays a colour over a pixel.
func (p photo) cover(x, y int, color [3]int, opacity int) {
	pixel := p.Pix[p.PixOffset(x, y):][:4]
	for i, c := range color {
		pixel[i] = uint8((c*opacity + int(pixel[i])*(opaque-opacity)) / opaque)
	}
	pixel[3] = 0xff
}

// fill covers a rectangle.
func (p photo) fill(r image.Rectangle, color [3]int, opacity int) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p.cover(x, y, color, opacity)
		}
	}
}

// cell draws a character in a rectangle.
func (p photo) cell(g vt10x.Glyph, at image.Rectangle) {
	p.fill(at, p.color(g.BG), opaque)
	ink := p.color(g.FG)
	part := func(x0, y0, x1, y1 int) { p.fill(image.Rect(x0, y0, x1, y1).Add(at.Min), ink, opaque) }
	const middleX, middleY = cellWidth / 2, cellHeight / 2
	switch r := g.Char; {
	case r == 0 || r == ' ':
	case r == '▀':
		part(0, 0, cellWidth, middleY)
	case r >= '▁' && r <= '█': // eighths from below
		part(0, cellHeight-(cellHeight*int(r-'▁'+1)+4)/8, cellWidth, cellHeight)
	case r >= '▉' && r <= '▏': // from the left, the largest first
		part(0, 0, (cellWidth*int('▏'-r+1)+4)/8, cellHeight)
	case r >= '░' && r <= '▓':
		p.fill(at, ink, opaque*int(r-'░'+1)/4)
	case r >= '⠀' && r <= '⣿':
		for dot := range 8 {
			x, y := dot/3, dot%3
			if dot >= 6 {
				x, y = dot-6, 3
			}
			if (r-'⠀')>>dot&1 == 1 {
				left, top := 1+x*middleX, 1+y*cellHeight/4
				part(left, top, left+3, top+3)
			}
		}
	case arms[r] != 0:
		for i, end := range [...]image.Point{{0, middleY}, {cellWidth, middleY}, {middleX, 0}, {middleX, cellHeight}} {
			half := thick * int(arms[r]>>(4*i)&0xf) / 2
			if line := image.Rect(middleX, middleY, end.X, end.Y); half > 0 {
				part(max(0, line.Min.X-half), max(0, line.Min.Y-half), min(cellWidth, line.Max.X+half),
					min(cellHeight, line.Max.Y+half))
			}
		}
	default:
		p.letter(g, ink, at)
	}
}

// letter draws a letter of the sheet; a box says that it has none.
func (p photo) letter(g vt10x.Glyph, ink [3]int, at image.Rectangle) {
	from, places := sheet()
	place, known := places[g.Char]
	if !known {
		p.fill(at.Inset(2), ink, opaque)
		p.fill(at.Inset(3), p.color(g.BG), opaque)
		return
	}
	if g.Mode&bold != 0 {
		place.Y += from.Rect.Dy() / 2
	}
	for y := range cellHeight {
		for x := range cellWidth {
			p.cover(at.Min.X+x, at.Min.Y+y, ink, int(from.ColorIndexAt(place.X+x, place.Y+y)))
		}
	}
}

// arms are the lines of a character from its middle to the left, the right, the top and the bottom, a digit each from
// the last one on: 1 is light, 2 heavy.
var arms = map[rune]uint16{'─': 0x0011, '│': 0x1100, '┌': 0x1010, '┐': 0x1001, '└': 0x0110, '┘': 0x0101, '├': 0x1110,
	'┤': 0x1101, '┬': 0x1011, '┴': 0x0111, '┼': 0x1111, '╭': 0x1010, '╮': 0x1001, '╰': 0x0110, '╯': 0x0101,
	'╴': 0x0001, '╶': 0x0010, '╵': 0x0100, '╷': 0x1000, '━': 0x0022, '┃': 0x2200, '┏': 0x2020, '┓': 0x2002,
	'┗': 0x0220, '┛': 0x0202, '╸': 0x0002, '╺': 0x0020}
