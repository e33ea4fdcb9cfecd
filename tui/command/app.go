package command

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
)

// app is the state that commands share: streams, environment and common flags.
type app struct {
	flags
	terminal streams // for programs that draw on the whole terminal, and for questions about it
	out, err *stream // for all other output
	environ  tea.EnvMsg
	between  func(do func() error) error // runs do between two lines of progress, see attend
}

// streams are the standard streams of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// newApp returns the program with the streams of its process.
func newApp(s streams, environ []string) *app {
	return &app{terminal: s, environ: environ, out: newStream(s.out, environ), err: newStream(s.err, environ)}
}

// stream is standard output or standard error. Control characters in text of other programs become visible, colours
// follow the kind of stream, NO_COLOR and CLICOLOR_FORCE, and the first failure to write is kept.
type stream struct {
	printable.Writer
	profile func() colorprofile.Profile
	failure error
}

func newStream(raw io.Writer, environ []string) *stream {
	s := &stream{profile: sync.OnceValue(func() colorprofile.Profile { return colorprofile.Detect(raw, environ) })}
	s.To = colored{s, raw}
	return s
}

// colored is the writer of a stream for text without control characters but styles.
type colored struct {
	*stream
	raw io.Writer
}

func (c colored) Write(p []byte) (n int, err error) {
	to := c.raw
	if bytes.IndexByte(p, '\x1b') >= 0 {
		to = &colorprofile.Writer{Forward: c.raw, Profile: c.profile()}
	}
	if n, err = to.Write(p); err != nil && c.failure == nil {
		c.failure = err
	}
	return n, err
}

// executable returns the path of this program.
func executable() string {
	path, _ := os.Executable()
	return cmp.Or(path, os.Args[0])
}

// encode writes a value as one line of JSON.
func (a *app) encode(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the result has no JSON form: %w", err)
	}
	fmt.Fprintln(a.out, string(text))
	return nil
}

// tell writes a line of progress to standard error, unless --quiet is given.
func (a *app) tell(format string, values ...any) {
	if !a.quiet {
		fmt.Fprintf(a.err, format+"\n", values...)
	}
}

// subject is the kind of the arguments of a command.
type subject string

const (
	listOfRuns  subject = "the list of runs"
	oneRun      subject = "one run"
	oneSweep    subject = "a sweep"
	severalRuns subject = "several runs"
	someFiles   subject = "files"
)

// locate returns the kind and the path of the thing that an argument names: a file, or a sweep or a run by its path, by
// its name below --runs, or as store.Find does.
func (a *app) locate(arg string) (subject, string, error) {
	if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		return someFiles, arg, nil
	}
	for _, path := range []string{arg, filepath.Join(a.runs, arg)} {
		if _, err := sweep.Open(path); err == nil {
			return oneSweep, filepath.Clean(path), nil
		}
	}
	path, err := store.Find(a.runs, arg)
	return oneRun, path, err
}
