// This file makes a moving picture of a recording: an SVG that plays by itself, without scripts, in browsers and on
// pages that show pictures.

package headless

import (
	"bufio"
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/hinshun/vt10x"

	"rfm/solver/fault"
)

const (
	// apart is the least time between two pictures: what changes faster is left out.
	apart = 400 * time.Millisecond
	// stays is how long the last picture stays before the first comes again.
	stays = 4 * time.Second
	// longest is the most time that a picture stays where nothing happens.
	longest = 2 * time.Second
)

// Animate turns an asciicast into an SVG; name is what errors call it. Equal recordings make equal bytes. The error is
// a *fault.Data.
func Animate(cast io.Reader, name string) ([]byte, error) {
	film, err := develop(cast, name)
	if err != nil {
		return nil, err
	}
	return film.draw(), nil
}

// film is the pictures of a recording, each a list of lines, of which every different one is kept once.
type film struct {
	width, height int
	lines         []string       // SVG of the different lines
	known         map[string]int // their places
	frames        []frame
}

type frame struct {
	at    time.Duration
	lines []int // one for each line of the terminal
}

// develop plays a recording on a terminal and looks at it from time to time.
func develop(cast io.Reader, name string) (*film, error) {
	wrong := func(line int, what string) error {
		return &fault.Data{Where: fmt.Sprintf("%s, line %d", name, line), What: what, Do: "expected: an asciicast, version 2"}
	}
	lines := bufio.NewScanner(cast)
	lines.Buffer(nil, 64<<20)
	var h header
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &h) != nil || h.Version != version ||
		min(h.Width, h.Height) < 1 || max(h.Width, h.Height) > maxSide {
		return nil, wrong(1, "is not the first line of a recording")
	}
	f := &film{width: h.Width, height: h.Height, known: map[string]int{}}
	screen := NewTerminal(h.Width, h.Height)
	number, pending, changed := 1, time.Duration(0), false
	for lines.Scan() {
		number++
		var event []json.RawMessage
		var seconds float64
		var kind, data string
		if json.Unmarshal(lines.Bytes(), &event) != nil || len(event) != 3 || json.Unmarshal(event[0], &seconds) != nil ||
			json.Unmarshal(event[1], &kind) != nil || json.Unmarshal(event[2], &data) != nil {
			return nil, wrong(number, "is not an event of a recording")
		}
		at := time.Duration(seconds * float64(time.Second))
		if changed && at-pending >= apart {
			f.take(screen, pending)
			changed = false
		}
		switch kind {
		case "o":
			if _, err := screen.Write([]byte(data)); err != nil {
				return nil, wrong(number, "cannot be drawn")
			}
			if !changed {
				pending, changed = at, true
			}
		case "r":
			width, height, ok := ParseSize(data)
			if !ok || width > f.width || height > f.height {
				return nil, wrong(number, "is a size larger than the first one")
			}
			screen.Resize(width, height)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, wrong(number, "cannot be read")
	}
	if changed && !strings.HasPrefix(screen.String(), "\n\n\n") { // the screen is cleared in the end
		f.take(screen, pending)
	}
	if len(f.frames) == 0 {
		return nil, wrong(number, "is the end, and nothing was shown")
	}
	return f, nil
}

// take adds what a terminal shows, unless it is what was shown before. Times in which nothing happens are shortened.
func (f *film) take(t *Terminal, at time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := frame{at: at, lines: make([]int, f.height)}
	for y := range now.lines {
		text := ""
		if y < t.height {
			text = line(t.vt, min(t.width, f.width), y)
		}
		place, known := f.known[text]
		if !known {
			place = len(f.lines)
			f.known[text], f.lines = place, append(f.lines, text)
		}
		now.lines[y] = place
	}
	if n := len(f.frames); n > 0 && slices.Equal(f.frames[n-1].lines, now.lines) {
		return
	}
	f.frames = append(f.frames, now)
}

// line is a line of a terminal as SVG: a cell is one wide and two high. Each character has its own place, so that it
// does not matter how wide a font draws it; each word begins at its place also where only the first one counts.
func line(vt vt10x.Terminal, width, y int) string {
	var back, front bytes.Buffer
	for x := 0; x < width; {
		g := vt.Cell(x, y)
		end := x + 1
		for end < width && vt.Cell(end, y).BG == g.BG {
			end++
		}
		if c := hex(g.BG); g.BG != vt10x.DefaultBG {
			fmt.Fprintf(&back, `<path fill="%s" d="M%d 0h%dv2h-%dz"/>`, c, x, end-x, end-x)
		}
		x = end
	}
	for x := 0; x < width; {
		g := vt.Cell(x, y)
		end := x + 1
		for end < width && vt.Cell(end, y).FG == g.FG && vt.Cell(end, y).Mode&bold == g.Mode&bold {
			end++
		}
		run(&front, vt, x, end, y, g)
		x = end
	}
	return back.String() + front.String()
}

// bold is vt10x's attribute.
const bold = 1 << 2

// blocks are what fills a part of a cell: left, top, width and height. They are drawn as shapes, without gaps.
var blocks = map[rune]string{'█': "0h1v2h-1z", '▀': "0h1v1h-1z", '▄': "1h1v1h-1z", '▂': "1.5h1v.5h-1z",
	'▁': "1.75h1v.25h-1z", '▃': "1.25h1v.75h-1z", '▅': ".75h1v1.25h-1z", '▆': ".5h1v1.5h-1z", '▇': ".25h1v1.75h-1z",
	'▏': "0h.13v2h-.13z", '▎': "0h.25v2h-.25z", '▍': "0h.38v2h-.38z", '▌': "0h.5v2h-.5z", '▋': "0h.63v2h-.63z",
	'▊': "0h.75v2h-.75z", '▉': "0h.88v2h-.88z"}

// run draws cells of one colour: shapes for blocks, text for everything else.
func run(out *bytes.Buffer, vt vt10x.Terminal, from, to, y int, look vt10x.Glyph) {
	var shapes, text, places, letters bytes.Buffer
	last := -2
	word := func() {
		if letters.Len() > 0 {
			fmt.Fprintf(&text, `<tspan x="%s">%s</tspan>`, places.String(), letters.String())
		}
		places.Reset()
		letters.Reset()
	}
	for x := from; x < to; x++ {
		r := vt.Cell(x, y).Char
		shape, block := blocks[r]
		switch {
		case r == 0 || r == ' ':
			continue
		case block:
			fmt.Fprintf(&shapes, "M%d %s", x, shape)
			continue
		}
		if x != last+1 {
			word()
		} else {
			places.WriteByte(' ')
		}
		fmt.Fprint(&places, x)
		if err := xml.EscapeText(&letters, []byte(string(r))); err != nil {
			panic("headless: " + err.Error()) // a buffer takes everything
		}
		last = x
	}
	word()
	c := hex(look.FG)
	if shapes.Len() > 0 {
		fmt.Fprintf(out, `<path fill="%s" d="%s"/>`, c, shapes.String())
	}
	if text.Len() > 0 {
		weight := ""
		if look.Mode&bold != 0 {
			weight = ` class="b"`
		}
		fmt.Fprintf(out, `<text%s fill="%s" y="1.5">%s</text>`, weight, c, text.String())
	}
}

// The colours of a picture: those that the terminal leaves to its owner, and its sixteen.
const (
	paper, ink = 0x16181d, 0xdcdfe4
)

var sixteen = [...]uint32{paper, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xabb2bf,
	0x5c6370, 0xe06c75, 0x98c379, 0xe5c07b, 0x61afef, 0xc678dd, 0x56b6c2, 0xffffff}

// rgbOf is a colour of the terminal, 0xRRGGBB: of xterm's palette, or 24 bits.
func rgbOf(c vt10x.Color) uint32 {
	switch {
	case c == vt10x.DefaultFG:
		return ink
	case c == vt10x.DefaultBG:
		return paper
	case c < 16:
		return sixteen[c]
	case c < 256:
		r, g, b, _ := ansi.IndexedColor(c).RGBA()
		return r>>8<<16 | g>>8<<8 | b>>8
	}
	return uint32(c) & 0xffffff
}

// hex is a colour of the terminal for SVG.
func hex(c vt10x.Color) string { return fmt.Sprintf("#%06x", rgbOf(c)) }

// draw writes the pictures beside each other on a strip that moves behind a window, as a film does.
func (f *film) draw() []byte {
	const cell, margin = 9, 1 // pixels; cells around the picture
	var steps, strip, lines bytes.Buffer
	at, begin := time.Duration(0), make([]time.Duration, len(f.frames))
	for i := range f.frames {
		begin[i] = at
		next := f.frames[i].at + stays
		if i+1 < len(f.frames) {
			next = f.frames[i+1].at
		}
		at += min(next-f.frames[i].at, longest)
	}
	for i, frame := range f.frames {
		fmt.Fprintf(&steps, "%.3f%%{transform:translateX(-%dpx)}\n", 100*begin[i].Seconds()/at.Seconds(), i*f.width)
		fmt.Fprintf(&strip, `<svg x="%d" width="%d">`, i*f.width, f.width)
		for y, place := range frame.lines {
			if f.lines[place] != "" {
				fmt.Fprintf(&strip, `<use href="#%s" y="%d"/>`, short(place), 2*y)
			}
		}
		strip.WriteString("</svg>\n")
	}
	for i, text := range f.lines {
		if text != "" {
			fmt.Fprintf(&lines, "<g id=\"%s\">%s</g>\n", short(i), text)
		}
	}
	width, height := f.width+2*margin, 2*f.height+2*margin
	var out bytes.Buffer
	fmt.Fprintf(&out, `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="-%d -%d %d %d">
<style>
@keyframes f{
%s100%%{transform:translateX(-%dpx)}
}
.f{animation:f %.2fs step-end infinite}
@media(prefers-reduced-motion:reduce){.f{animation:none}}
text{font:1.66px ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;white-space:pre}
.b{font-weight:bold}
</style>
<defs>
%s</defs>
<rect x="-%d" y="-%d" width="%d" height="%d" rx="1" fill="%s"/>
<svg width="%d" height="%d"><g class="f">
%s</g></svg>
</svg>
`, cell*width, cell*height, margin, margin, width, height, steps.String(), (len(f.frames)-1)*f.width, at.Seconds(),
		lines.String(), margin, margin, width, height, hex(vt10x.DefaultBG), f.width, 2*f.height, strip.String())
	return out.Bytes()
}

// short is the name of a line.
func short(place int) string { return fmt.Sprintf("l%x", place) }
