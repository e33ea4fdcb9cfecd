// Package kitty shows pictures in terminals that know Kitty's graphics protocol, by its placeholders: cells whose
// character says "the picture of my colour's number, this row, this column". The renderer treats them as any others;
// the pictures themselves go to the terminal before the screen that has them.
package kitty

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/term"
)

// Mode says whether there are pictures.
type Mode uint8

// The modes. Within tmux the terminal around it cannot be asked: its answer would come as keys.
const (
	Ask    Mode = iota // if the terminal says in time that it can
	Always             // whatever it says
	Never
)

// The numbers of pictures are colours of the palette, which all profiles leave as they are; the first sixteen would be
// written in another way.
const (
	first = 16
	last  = 255
	spare = 40 // for one screen
)

// Album is the pictures of one terminal. A nil one has none. All methods may be called from any goroutine.
type Album struct {
	mutex   sync.Mutex
	mode    Mode
	open    bool // the terminal shows pictures
	tmux    bool // what goes to the terminal has to pass it
	asked   time.Time
	places  map[[sha256.Size]byte]int
	next    int
	round   int // how often the numbers were used up
	pending strings.Builder
}

// New is an empty album.
func New(mode Mode) *Album {
	return &Album{mode: mode, places: map[[sha256.Size]byte]int{}, next: first}
}

// within is the time in which a terminal must answer: what comes later may be for another program.
const within = 250 * time.Millisecond

// probe is a picture of one pixel that is not to be shown, only to be understood.
var probe = ansi.KittyGraphics([]byte("AAAA"), "i=31", "s=1", "v=1", "a=q", "t=d", "f=24")

// Hear follows what the terminal says about itself, and asks: its name first, which terminals that do not know the
// question ignore, and only those that have placeholders for a picture, which others would show as text.
func (a *Album) Hear(msg tea.Msg) tea.Cmd {
	if a == nil || a.mode == Never {
		return nil
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	switch msg := msg.(type) {
	case tea.EnvMsg:
		name := msg.Getenv("TERM")
		a.tmux = msg.Getenv("TMUX") != ""
		if a.open = a.mode == Always; !a.open && !a.tmux && strings.HasPrefix(name, "xterm") {
			a.asked = time.Now()
			return tea.RequestTerminalVersion
		}
	case tea.TerminalVersionMsg:
		name := strings.ToLower(msg.Name)
		if a.inTime() && (strings.HasPrefix(name, "kitty") || strings.HasPrefix(name, "ghostty")) {
			a.asked = time.Now()
			return tea.Raw(probe)
		}
	case uv.KittyGraphicsEvent:
		a.open = a.open || a.inTime() && msg.Options.ID == 31 && string(msg.Payload) == "OK"
	}
	return nil
}

// inTime reports whether an answer is one to a question of this program.
func (a *Album) inTime() bool { return !a.asked.IsZero() && time.Since(a.asked) <= within }

// Turn is what caches depend on: 0 while there are no pictures, and another number after each time that all numbers of
// pictures were used up. Call it before a screen is drawn.
func (a *Album) Turn() int {
	if a == nil {
		return 0
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if !a.open {
		return 0
	}
	if a.next > last-spare {
		clear(a.places)
		a.next, a.round = first, a.round+1
	}
	return a.round + 1
}

// Largest is the most rows and columns of a picture.
const Largest = 255

// Add puts a picture of columns x rows cells into the album, unless it is there, and returns its number; 0 if there is
// no room before the next turn.
func (a *Album) Add(picture *image.Paletted, columns, rows int) (number int) {
	digest := sha256.New()
	for _, n := range []int{columns, rows, picture.Stride} {
		digest.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
	}
	for _, c := range picture.Palette {
		r, g, b, _ := c.RGBA()
		digest.Write([]byte{byte(r), byte(g), byte(b)})
	}
	digest.Write(picture.Pix)
	key := [sha256.Size]byte(digest.Sum(nil))
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if number, known := a.places[key]; known {
		return number
	}
	if !a.open || a.next > last || max(columns, rows) > Largest {
		return 0
	}
	number = a.next
	a.next++
	a.places[key] = number
	var file bytes.Buffer
	if err := png.Encode(&file, picture); err != nil {
		panic("kitty: " + err.Error()) // a buffer takes everything, and the picture has pixels
	}
	a.remove(number)
	text := base64.StdEncoding.EncodeToString(file.Bytes())
	options := fmt.Sprintf("a=T,U=1,f=100,q=2,i=%d,c=%d,r=%d", number, columns, rows)
	for len(text) > kitty.MaxChunkSize {
		a.send(text[:kitty.MaxChunkSize], options, "m=1")
		text, options = text[kitty.MaxChunkSize:], "q=2"
	}
	a.send(text, options, "m=0")
	return number
}

// remove frees what the terminal has under a number.
func (a *Album) remove(number int) {
	a.send("", fmt.Sprintf("a=d,d=I,q=2,i=%d", number))
}

// send leaves a sequence for the terminal.
func (a *Album) send(payload string, options ...string) {
	text := ansi.KittyGraphics([]byte(payload), options...)
	if a.tmux {
		text = ansi.TmuxPassthrough(text)
	}
	a.pending.WriteString(text)
}

// take is what is left for the terminal.
func (a *Album) take() string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	text := a.pending.String()
	a.pending.Reset()
	return text
}

// Close frees the pictures that the terminal was given.
func (a *Album) Close(terminal term.File) error {
	a.mutex.Lock()
	used := a.next
	if a.round > 0 {
		used = last + 1
	}
	for number := first; number < used; number++ {
		a.remove(number)
	}
	a.mutex.Unlock()
	_, err := terminal.Write([]byte(a.take()))
	return err
}

// Cell is the character that shows a row and a column of a picture, in the colour of its number.
func Cell(row, column int) string {
	return string([]rune{kitty.Placeholder, kitty.Diacritic(row), kitty.Diacritic(column)})
}

// On is a terminal that gets the pictures of the album before what is drawn with them.
func (a *Album) On(terminal term.File) term.File { return framed{terminal, a} }

type framed struct {
	term.File
	album *Album
}

// Write writes the pictures, then p.
func (f framed) Write(p []byte) (int, error) {
	if pictures := f.album.take(); pictures != "" {
		if _, err := f.File.Write([]byte(pictures)); err != nil {
			return 0, err
		}
	}
	return f.File.Write(p)
}
