// This file is the output of commands: control characters in text of other programs never reach a terminal.

package command

import (
	"bytes"
	"io"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"rfm/solver/printable"
)

// streams are the standard streams of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// stream is standard output or standard error. Control characters become visible, styles follow --color, NO_COLOR and
// the kind of stream, and the first failure to write is kept.
type stream struct {
	profile func(raw io.Writer) colorprofile.Profile
	raw     io.Writer
	clean   printable.Writer
	failure error
}

func (s *stream) Write(p []byte) (int, error) { return s.clean.Write(p) }

// colored is the writer of a stream for text without control characters.
type colored struct{ *stream }

func (c colored) Write(p []byte) (n int, err error) {
	if bytes.IndexByte(p, '\x1b') < 0 {
		n, err = c.raw.Write(p)
	} else {
		n, err = (&colorprofile.Writer{Forward: c.raw, Profile: c.profile(c.raw)}).Write(p)
	}
	if err != nil && c.failure == nil {
		c.failure = err
	}
	return n, err
}
