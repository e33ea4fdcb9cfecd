package terminal

import (
	"bytes"
	"context"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rfm/solver/base/fault"
)

// patience is the time that a terminal has to take what is written to it once the program is to end. One that takes
// nothing, because its line is down or its user has stopped it, must not keep the program from ending.
const patience = 300 * time.Millisecond

// lastPatience is how long a terminal is given the sequences that restore it. It has room for them once its output is dropped,
// so that the time passes only on a machine that is too busy to write them, or for a line that is down for good. A terminal
// that stays as the program had set it is worse than a program that ends late.
const lastPatience = 3 * time.Second

// A screen is a terminal to draw on. Writing waits for a slow terminal, so that frames are left out, but after the end
// of its context only for a moment: then the terminal is stuck.
type screen struct {
	file  *os.File
	ended <-chan struct{} // of the context

	mutex   sync.Mutex
	pending chan error // of the write that a stuck terminal has not taken; nil while it is not stuck
	rest    []byte     // what was to be written to a stuck terminal: the sequences that restore it
}

// errStuck is the error of writing to a terminal that takes nothing.
var errStuck = &fault.Data{
	Where: "the terminal",
	What:  "takes no output",
	Do:    "close it",
}

func newScreen(ctx context.Context, file *os.File) *screen {
	return &screen{file: file, ended: ctx.Done()}
}

// Fd makes Bubble Tea take a screen for the terminal that it is, as do Read and Close.
func (s *screen) Fd() uintptr { return s.file.Fd() }
func (s *screen) Read(p []byte) (int, error) {
	return s.file.Read(p)
}
func (s *screen) Close() error { return s.file.Close() }

// Write implements io.Writer.
func (s *screen) Write(p []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.pending != nil {
		s.rest = append(s.rest, p...)
		return 0, errStuck
	}
	late := s.hasEnded()
	written := s.begin(bytes.Clone(p)) // of the caller's buffer, which it uses again after an error
	select {
	case err := <-written:
		return result(p, err)
	case <-s.ended:
	}
	select {
	case err := <-written:
		return result(p, err)
	case <-time.After(patience):
		s.pending = written
		if late || bytes.Contains(p, []byte(ansi.ResetModeAltScreenSaveCursor)) {
			s.rest = bytes.Clone(p) // it restores the terminal, behind a picture; anything before is a picture alone
		}
		return 0, errStuck
	}
}

// hasEnded reports whether the context has ended.
func (s *screen) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// result returns what Write returns for text that was written as a whole or not.
func result(p []byte, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// begin writes text in the background: a write that a terminal does not take cannot be interrupted.
func (s *screen) begin(text []byte) (written chan error) {
	written = make(chan error, 1)
	go func() {
		_, err := s.file.Write(text)
		written <- err
	}()
	return written
}

// release gives a stuck terminal the sequences that restore it, in place of all output that it has not taken, and waits
// only a moment for it. Call it after the program has ended.
func (s *screen) release() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.pending == nil {
		return
	}
	const pause = 10 * time.Millisecond
	for end := time.Now().Add(lastPatience); time.Now().Before(end); {
		dropOutput(s.file)
		select {
		case <-s.pending:
			dropOutput(s.file)
			s.restore()
			return
		case <-time.After(pause):
		}
	}
}

// restore writes the sequences that restore a terminal, and waits only a moment for it. The picture between them is left
// out: a slow terminal would not take all of it before the process ends, and stay as the program had set it.
func (s *screen) restore() {
	select {
	case <-s.begin(modes(s.rest)):
	case <-time.After(lastPatience):
	}
}

// modes returns the control sequences of an output that set modes of the terminal, its keyboard, its title and its
// progress bar, without those that draw.
func modes(output []byte) []byte {
	kept := []byte(ansi.ResetStyle) // of what was drawn last
	var state byte
	for len(output) > 0 {
		sequence, _, n, next := ansi.DecodeSequence(output, state, nil)
		if setsMode(sequence) {
			kept = append(kept, sequence...)
		}
		output = output[n:]
		state = next
	}
	return kept
}

// setsMode reports whether a sequence is a private mode, as ESC [ ? 1049 l, one of the keyboard, as ESC [ < u, or an
// operating system command.
func setsMode(sequence []byte) bool {
	const introducer = 2 // bytes
	switch {
	case bytes.HasPrefix(sequence, []byte("\x1b]")):
		return true
	case !bytes.HasPrefix(sequence, []byte("\x1b[")) || len(sequence) <= introducer:
		return false
	}
	return bytes.IndexByte([]byte("?<=>"), sequence[introducer]) >= 0
}
