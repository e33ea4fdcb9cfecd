package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"rfm/model/store"
	"rfm/model/sweep"
	"rfm/solver/printable"
	"rfm/tui/theme"
)

// app is the state that commands share: streams, environment and common flags.
type app struct {
	flags
	terminal streams   // for programs that draw on the whole terminal, and for questions about it
	out, err io.Writer // for all other output
	streams  []*stream // out and err
	environ  tea.EnvMsg
	between  func(do func() error) error // runs do between two lines of progress, see attend
}

// streams are the standard streams of the process.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// newApp returns the program with the streams of its process. Commands write to a.out and a.err; the streams themselves
// are for programs that draw on the whole terminal and for the line of progress.
func newApp(s streams, environ []string) *app {
	a := &app{terminal: s, environ: environ}
	out, err := &stream{profile: a.profile, raw: s.out}, &stream{profile: a.profile, raw: s.err}
	for _, s := range []*stream{out, err} {
		s.clean.To = colored{s}
	}
	a.out, a.err, a.streams = out, err, []*stream{out, err}
	return a
}

// stream is standard output or standard error. Control characters in text of other programs become visible, styles
// follow --color, NO_COLOR and the kind of stream, and the first failure to write is kept.
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

// flush writes the buffered output and returns the first failure of standard output.
func (a *app) flush() error {
	for _, s := range a.streams {
		if err := s.clean.Flush(); err != nil {
			break // kept as the stream's failure
		}
	}
	return a.streams[0].failure
}

// colorModes are the values of --color.
var colorModes = []string{"auto", "always", "never"}

// common defines the flags of every command.
func (a *app) common(root *cobra.Command) {
	a.color = colorModes[0]
	set := root.PersistentFlags()
	set.Var(&value[string]{&a.color, "string", oneOf(colorModes)}, "color", "colours: auto, always or never")
	if err := root.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(colorModes, noFiles)); err != nil {
		panic("command: " + err.Error())
	}
	set.BoolVar(&a.ascii, "ascii", false, "draw with ASCII characters only")
}

// profile returns the colour profile of a stream.
func (a *app) profile(raw io.Writer) colorprofile.Profile {
	profile := colorprofile.Detect(raw, a.environ)
	switch a.color {
	case "always":
		return max(profile, colorprofile.ANSI256)
	case "never":
		return colorprofile.NoTTY
	}
	return profile
}

// theme returns the theme of output lines.
func (a *app) theme() theme.Theme { return theme.New(theme.Options{ASCII: a.ascii}) }

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

// source returns the preset, file or run in args, or otherwise if there is none.
func source(args []string, otherwise string) string {
	if len(args) == 1 {
		return args[0]
	}
	return otherwise
}
