package kitty

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
)

// picture is one of many different ones.
func picture(n, side int) *image.Paletted {
	p := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.Black, color.White})
	for i := range p.Pix {
		p.Pix[i] = uint8((i*i*i>>3 ^ n>>(i%11)) & 1)
	}
	return p
}

func opened(t *testing.T) *Album {
	t.Helper()
	a := New(Always)
	if a.Hear(tea.EnvMsg{"TERM=xterm-256color"}) != nil || a.Turn() == 0 {
		t.Fatal("the album is not open")
	}
	return a
}

// What goes to the terminal is the picture, in pieces that it takes, once.
func TestPicturesAreSentOnceInPieces(t *testing.T) {
	a, p := opened(t), picture(1, 300)
	number := a.Add(p, 20, 10)
	if again := a.Add(p, 20, 10); again != number || number < first || number > last {
		t.Errorf("number %d, then %d", number, again)
	}
	if other := a.Add(p, 21, 10); other == number {
		t.Error("another size has the same number")
	}
	text, _, _ := strings.Cut(a.take(), fmt.Sprintf("\x1b_Ga=d,d=I,q=2,i=%d", number+1))
	var data string
	for i, m := range regexp.MustCompile(`\x1b_G([^;\x1b]*);([^\x1b]*)\x1b\\`).FindAllStringSubmatch(text, -1) {
		if len(m[2]) > kitty.MaxChunkSize || i == 0 != strings.HasPrefix(m[1], "a=T,U=1,f=100,q=2,i=16,c=20,r=10,m=") {
			t.Errorf("piece %d: %q, %d bytes", i, m[1], len(m[2]))
		}
		data += m[2]
	}
	file, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := png.Decode(bytes.NewReader(file)); err != nil || !bytes.Equal(got.(*image.Paletted).Pix, p.Pix) {
		t.Errorf("the terminal has another picture: %v", err)
	}
	if a.take() != "" {
		t.Error("it is sent again")
	}
}

// Numbers that are used up are given once more, and then caches know it.
func TestNumbersAreGivenAgain(t *testing.T) {
	a := opened(t)
	turn := a.Turn()
	for n := range last - first + 1 {
		if number := a.Add(picture(n, 32), 4, 2); number == 0 {
			t.Fatalf("no number for picture %d", n)
		}
	}
	if a.Add(picture(1000, 32), 4, 2) != 0 {
		t.Error("more pictures than numbers")
	}
	if a.Turn() == turn || a.Add(picture(1000, 32), 4, 2) != first {
		t.Error("numbers are not given again")
	}
}

func TestLateAnswersAreNotHeard(t *testing.T) {
	a := New(Ask)
	if a.Hear(tea.EnvMsg{"TERM=xterm-kitty"}) == nil {
		t.Fatal("the terminal is not asked")
	}
	answer := uv.KittyGraphicsEvent{Options: kitty.Options{ID: 31}, Payload: []byte("OK")}
	a.asked = time.Now().Add(-2 * within)
	if a.Hear(tea.TerminalVersionMsg{Name: "kitty(0.40)"}) != nil {
		t.Error("a late name is answered by a question")
	}
	if a.Hear(answer); a.Turn() != 0 {
		t.Error("a late answer counts")
	}
	a.asked = time.Now().Add(time.Hour)
	if a.Hear(answer); a.Turn() == 0 {
		t.Error("an answer in time does not count")
	}
}

// A cell of a picture is one cell for everything that measures text.
func TestCellsAreOneWide(t *testing.T) {
	for _, at := range []int{0, 7, Largest - 1} {
		if w := ansi.StringWidth(Cell(at, Largest-1-at)); w != 1 {
			t.Errorf("row %d: width %d", at, w)
		}
	}
	var none *Album
	if none.Hear(nil) != nil || none.Turn() != 0 {
		t.Error("no album has pictures")
	}
}
