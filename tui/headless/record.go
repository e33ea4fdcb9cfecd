// This file keeps what a terminal shows as an asciicast, version 2, the format of asciinema: a line of JSON that
// describes the terminal, then a line for each piece of output,
//
//	{"version": 2, "width": 80, "height": 24, "timestamp": 1760000000, "env": {"TERM": "xterm-256color"}}
//	[0.248848, "o", "text and control sequences"]
//	[1.001376, "r", "120x40"]
//
// with the seconds since the beginning, "o" for output and "r" for a new size.

package headless

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"
	"unicode/utf8"

	"rfm/solver/fault"
)

// version is that of the format.
const version = 2

// header is the first line of a recording.
type header struct {
	Version   int               `json:"version"`
	Width     int               `json:"width"`  // columns of the terminal at the beginning
	Height    int               `json:"height"` // its lines
	Timestamp int64             `json:"timestamp"`
	Title     string            `json:"title,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
}

// queries ask the terminal something. Played back, they would have the viewer's terminal type answers into a shell.
var queries = regexp.MustCompile(`\x1b\]1[0-2];\?(\x07|\x1b\\)|\x1b\[\?[0-9]+\$p|\x1b\[[>=]?[0-9]*c|\x1b\[>[0-9]*q|\x1b\[\??[56]n|\x1b\[\?u|\x1bP\+q[0-9a-fA-F;]*\x1b\\`)

// recorder writes a recording line by line, each with one call of Write and as soon as there is something to record:
// what there is of it when the process is killed is a recording, too. Its methods may be called from any goroutine.
type recorder struct {
	mutex   sync.Mutex
	out     io.Writer
	name    string
	header  header
	now     func() time.Time
	begin   time.Time
	rest    []byte // of a character whose last bytes have not been written yet
	failure error
}

// projector is a file that gets the moving picture of a recording once that is complete.
type projector struct {
	*os.File
	cast bytes.Buffer
}

func (p *projector) Write(b []byte) (int, error) { return p.cast.Write(b) }

// Close makes the picture.
func (p *projector) Close() error {
	picture, err := Animate(&p.cast, p.Name())
	if err == nil {
		_, err = p.File.Write(picture)
	}
	return errors.Join(err, p.File.Close())
}

// create makes a new file for a recording, a moving picture if it ends in .svg, and writes its first line; h.Version
// and h.Timestamp are set. The error is a *fault.Data.
func create(name string, h header) (*recorder, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, &fault.Data{Where: name, What: "exists already", Do: "choose another --record"}
	case err != nil:
		return nil, &fault.Data{Where: name, What: "cannot be made", Err: err, Do: "choose another --record"}
	}
	var out io.WriteCloser = f
	if filepath.Ext(name) == ".svg" {
		out = &projector{File: f}
	}
	r := newRecorder(out, name, h, time.Now)
	if r.failure != nil {
		return nil, r.Close()
	}
	return r, nil
}

func newRecorder(out io.Writer, name string, h header, now func() time.Time) *recorder {
	r := &recorder{out: out, name: name, now: now, begin: now()}
	h.Version, h.Timestamp = version, r.begin.Unix()
	r.header = h
	r.line(h)
	return r
}

// line writes a value as a line of JSON.
func (r *recorder) line(value any) {
	if r.failure != nil {
		return
	}
	text, err := json.Marshal(value)
	if err == nil {
		_, err = r.out.Write(append(text, '\n'))
	}
	if err != nil {
		r.failure = fault.Unwritten(r.name, err, "the recording ends there")
	}
}

func (r *recorder) event(kind, data string) {
	microseconds := r.now().Sub(r.begin).Microseconds()
	r.line([]any{json.Number(fmt.Sprintf("%d.%06d", microseconds/1e6, microseconds%1e6)), kind, data})
}

// Write records output. What is recorded goes on when recording fails, so there is no error here: Close returns it.
func (r *recorder) Write(p []byte) (int, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	text := append(r.rest, p...)
	whole := len(text) - unfinishedCharacter(text)
	r.rest = append([]byte(nil), text[whole:]...)
	if text = queries.ReplaceAll(text[:whole], nil); len(text) > 0 {
		r.event("o", string(text))
	}
	return len(p), nil
}

// unfinishedCharacter is the number of bytes at the end of text that begin a character without finishing it.
func unfinishedCharacter(text []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// Resize records that the terminal has another size; the same size as before is not recorded again.
func (r *recorder) Resize(width, height int) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if width == r.header.Width && height == r.header.Height {
		return
	}
	r.header.Width, r.header.Height = width, height
	r.event("r", fmt.Sprintf("%dx%d", width, height))
}

// Close ends the recording. The error is a *fault.Data: the first failure to write.
func (r *recorder) Close() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if c, ok := r.out.(io.Closer); ok {
		if err := c.Close(); err != nil && r.failure == nil {
			r.failure = fault.Unwritten(r.name, err, "")
		}
	}
	return r.failure
}
