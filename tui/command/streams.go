// This file is where commands write: whatever others have written, control characters never reach a terminal.

package command

import (
	"bytes"
	"io"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"rfm/solver/printable"
)

// streams are those of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// newApp is the program with the streams of its process. Commands have a.out and a.err to write to; the streams
// themselves are for programs that draw on the whole terminal and for the line of progress.
func newApp(s streams, environ []string) *app {
	a := &app{terminal: s, environ: environ}
	out, err := &stream{app: a, raw: s.out}, &stream{app: a, raw: s.err}
	for _, s := range []*stream{out, err} {
		s.clean.To = coloured{s}
	}
	a.out, a.err, a.streams = out, err, []*stream{out, err}
	return a
}

// stream is standard output or standard error. Control characters become visible, styles follow --color, NO_COLOR and
// the kind of stream, and the first failure to write is kept.
type stream struct {
	app     *app
	raw     io.Writer
	clean   printable.Writer
	failure error
}

func (s *stream) Write(p []byte) (int, error) { return s.clean.Write(p) }

// coloured is what a stream writes to once its text is clean.
type coloured struct{ *stream }

func (c coloured) Write(p []byte) (n int, err error) {
	if bytes.IndexByte(p, '\x1b') < 0 {
		n, err = c.raw.Write(p)
	} else {
		n, err = (&colorprofile.Writer{Forward: c.raw, Profile: c.app.profile(c.raw)}).Write(p)
	}
	if err != nil && c.failure == nil {
		c.failure = err
	}
	return n, err
}

// profile says which colours a stream gets.
func (a *app) profile(raw io.Writer) colorprofile.Profile {
	profile := colorprofile.Detect(raw, a.environ)
	switch a.flags.color {
	case "always":
		return max(profile, colorprofile.ANSI256)
	case "never":
		return colorprofile.NoTTY
	}
	return profile
}

// flush writes what is left and returns the first failure of standard output.
func (a *app) flush() error {
	for _, s := range a.streams {
		if err := s.clean.Flush(); err != nil {
			break // kept as the stream's failure
		}
	}
	return a.streams[0].failure
}
