package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"rfm/config"
	"rfm/solver/fault"
	"rfm/solver/printable"
	"rfm/tui/theme"
)

// app is the state that commands share: streams, environment and common flags.
type app struct {
	terminal streams   // for programs that draw on the whole terminal, and for questions about it
	out, err io.Writer // for all other output
	streams  []*stream // out and err
	environ  tea.EnvMsg
	flags    flags
	workers  int                         // as given by --workers; 0 is the default
	between  func(do func() error) error // runs do between two lines of progress, see attend
}

// theme returns the theme of output lines.
func (a *app) theme() theme.Theme { return theme.New(theme.Options{ASCII: a.flags.ascii}) }

// encode writes a value as one line of JSON.
func (a *app) encode(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("the result has no JSON form: %w", err)
	}
	fmt.Fprintln(a.out, string(text))
	return nil
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

// profile returns the colour profile of a stream.
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

// flush writes the buffered output and returns the first failure of standard output.
func (a *app) flush() error {
	for _, s := range a.streams {
		if err := s.clean.Flush(); err != nil {
			break // kept as the stream's failure
		}
	}
	return a.streams[0].failure
}

// settle finishes the flags of a command before it runs.
func (a *app) settle(cmd *cobra.Command, _ []string) (err error) {
	if cmd.Name() == cobra.ShellCompRequestCmd || cmd.Name() == cobra.ShellCompNoDescRequestCmd {
		return nil // shells complete faulty lines, too
	}
	if err = a.flags.resolve(cmd, a.environ); err == nil {
		a.workers, err = a.flags.workerCount()
	}
	return err
}

// source returns the preset, file or run in args, or otherwise if there is none.
func source(args []string, otherwise string) string {
	if len(args) == 1 {
		return args[0]
	}
	return otherwise
}

// isRun reports whether source is a directory, as runs are, and not a preset.
func isRun(source string) bool {
	if _, err := config.PresetByName(source); err == nil {
		return false
	}
	info, err := os.Stat(source)
	return err == nil && info.IsDir()
}

// noCommand refuses arguments: they are mistyped commands.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	message := fmt.Sprintf("there is no command %q", args[0])
	cmd.SuggestionsMinimumDistance = 2
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		message += fmt.Sprintf("; did you mean %q?", similar[0])
	} else if _, err := config.PresetByName(args[0]); err == nil {
		message += fmt.Sprintf("; to run this preset: rfm run %s", args[0])
	} else if _, err := os.Stat(args[0]); err == nil {
		message += fmt.Sprintf("; to learn from this file: rfm run %s", printable.Path(args[0]))
	}
	return misuse("%s", message)
}

// unoccupied refuses to overwrite: a file that a flag names must be new.
func unoccupied(file, flag string) error {
	if _, err := os.Lstat(file); err == nil {
		return &fault.Data{Where: file, What: "exists already", Do: "choose another " + flag + ", or move it away"}
	}
	return nil
}

// readable refuses names of files, empty ones left out, that cannot be opened.
func readable(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			return &fault.Data{Where: name, What: "cannot be opened", Err: err, Do: "check the name"}
		}
		if err := f.Close(); err != nil {
			return &fault.Data{Where: name, What: "cannot be read", Err: err}
		}
	}
	return nil
}
