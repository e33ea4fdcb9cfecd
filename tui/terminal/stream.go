// Package terminal knows the terminal of the process, or the files and pipes in its place: their width, characters and
// colours. It writes lines of progress, and runs programs that draw on the whole terminal.
package terminal

import (
	"bytes"
	"io"
	"math"
	"sync"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"rfm/solver/base/printable"
)

// Stream is standard output or standard error. Control characters in text of other programs become visible, colours
// follow the kind of stream, NO_COLOR and CLICOLOR_FORCE, and the first failure to write is kept.
type Stream struct {
	printable.Writer
	Raw     io.Writer // takes all bytes as they are
	Profile func() colorprofile.Profile
	Failure error
}

func newStream(raw io.Writer, environ []string) *Stream {
	s := &Stream{
		Raw:     raw,
		Profile: sync.OnceValue(func() colorprofile.Profile { return colorprofile.Detect(raw, environ) }),
	}
	s.To = colored{s}
	return s
}

// colored is the writer of a stream for text without control characters but styles.
type colored struct{ *Stream }

func (c colored) Write(p []byte) (n int, err error) {
	to := c.Raw
	if bytes.IndexByte(p, '\x1b') >= 0 {
		to = &colorprofile.Writer{Forward: c.Raw, Profile: c.Profile()}
	}
	if n, err = to.Write(p); err != nil && c.Failure == nil {
		c.Failure = err
	}
	return n, err
}

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// size returns the current size of a terminal; 0 if it is unknown.
func (s *Stream) size() (width, height int) {
	f, is := s.Raw.(term.File)
	if is {
		width, height, _ = term.GetSize(f.Fd())
	}
	return max(0, width), max(0, height)
}

// Usual is the width of text where no terminal has one.
const Usual = 80

// Columns returns the current width of a terminal; Usual if it is unknown.
func (s *Stream) Columns() int {
	width, _ := s.size()
	if width > 1 {
		return width
	}
	return Usual
}

// Room returns the width of a terminal; lines of other streams have any length.
func (s *Stream) Room() int {
	if Is(s.Raw) {
		return s.Columns()
	}
	return math.MaxInt
}
