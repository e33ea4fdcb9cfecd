package headless

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// shot is the picture of a text on a terminal.
func shot(t *testing.T, width, height int, text string, white bool) (picture image.Image, encoded []byte) {
	t.Helper()
	terminal := NewTerminal(width, height)
	if _, err := terminal.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	encoded = terminal.Photograph(white)
	picture, err := png.Decode(bytes.NewReader(encoded))
	if err != nil {
		t.Fatal(err)
	}
	return picture, encoded
}

func pixel(picture image.Image, x, y int) uint32 {
	c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)
	return uint32(c.R)<<16 | uint32(c.G)<<8 | uint32(c.B)
}

func TestPhotographHasBlocksLinesAndDots(t *testing.T) {
	picture, _ := shot(t, 5, 2, "\x1b[38;2;255;0;0;48;2;16;0;255m▀\x1b[m─┤⠁\r\n ▂", false)
	if picture.Bounds() != image.Rect(0, 0, 5*cellWidth, 2*cellHeight) {
		t.Fatalf("bounds %v", picture.Bounds())
	}
	for _, test := range []struct {
		what string
		x, y int
		want uint32
	}{
		{"upper half", 0, 0, 0xff0000}, {"upper half", 9, 9, 0xff0000}, {"lower half", 0, 10, 0x1000ff},
		{"line", 10, 10, ink}, {"line meets the next cell", 19, 10, ink}, {"line meets the next cell", 20, 10, ink},
		{"right of the joint", 27, 10, paper}, {"above the joint", 25, 0, ink},
		{"dot", 32, 2, ink}, {"no dot", 32, 7, paper}, {"no dot", 37, 2, paper},
		{"eighths", 10, 39, ink}, {"eighths", 10, 35, ink}, {"above eighths", 10, 34, paper},
	} {
		if got := pixel(picture, test.x, test.y); got != test.want {
			t.Errorf("%s at %d, %d: %06x, want %06x", test.what, test.x, test.y, got, test.want)
		}
	}
}

func TestPhotographHasLetters(t *testing.T) {
	weigh := func(text string, white bool) (dark, light int) {
		picture, _ := shot(t, 1, 1, text, white)
		for y := range cellHeight {
			for x := range cellWidth {
				if pixel(picture, x, y)&0xff < 0x60 {
					dark++
				} else if pixel(picture, x, y)&0xff > 0xc0 {
					light++
				}
			}
		}
		return dark, light
	}
	_, regular := weigh("θ", false)
	_, heavy := weigh("\x1b[1mθ\x1b[m", false)
	if regular < 10 || heavy <= regular {
		t.Errorf("%d pixels of ink, bold %d", regular, heavy)
	}
	if dark, light := weigh("θ", true); dark < 10 || light < dark {
		t.Errorf("on white paper %d of ink, %d of paper", dark, light)
	}
	unknown, _ := shot(t, 1, 1, "ж", false)
	if pixel(unknown, 2, 10) != ink || pixel(unknown, 5, 10) != paper {
		t.Error("a letter that the sheet has not is no box")
	}
}

func TestPhotographsOfTheSameScreenAreTheSame(t *testing.T) {
	_, first := shot(t, 20, 3, "a \x1b[31mθ\x1b[m ─╮ ⣿░", false)
	if _, second := shot(t, 20, 3, "a \x1b[31mθ\x1b[m ─╮ ⣿░", false); !bytes.Equal(first, second) {
		t.Error("they differ")
	}
}

// What the program shows it can also photograph.
func TestSheetHasAllLettersOfTheScreens(t *testing.T) {
	_, places := sheet()
	shapes := []rune(" \n▀░▒▓")
	for r := range arms {
		shapes = append(shapes, r)
	}
	known := map[rune]bool{}
	for _, r := range shapes {
		known[r] = true
	}
	for _, pattern := range []string{"../screen/testdata/*.txt", "../screen/*/testdata/*.txt", "../demo/testdata/*.txt"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range string(text) {
				_, letter := places[r]
				if !letter && !known[r] && (r < '⠀' || r > '⣿') && (r < '▁' || r > '▏') {
					t.Errorf("%s has %q, which has neither a letter nor a shape", name, r)
					known[r] = true
				}
			}
		}
	}
}
