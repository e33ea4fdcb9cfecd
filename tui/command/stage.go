// This file runs programs that draw on the whole terminal: on the one at hand or on a virtual one.

package command

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"rfm/tui/headless"
	"rfm/tui/theme"
)

// staging says where a program runs, what drives it and where it is recorded.
type staging struct {
	script, record string // files
	size           string // of a virtual terminal; empty if the one at hand is to be used
}

// defaultSize is the size of a virtual terminal.
const defaultSize = "80x24"

func (s *staging) define(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&s.script, "script", "", "press keys and look at the screen as the script in a file says")
	set.StringVar(&s.record, "record", "",
		"record what is shown in a file, as an asciicast (asciinema), or as a moving picture if it ends in .svg")
	set.StringVar(&s.size, "size", "",
		"run on a virtual terminal of so many cells, e.g. 120x40; without a terminal it has "+defaultSize)
	for name, value := range map[string]string{"script": "FILE", "record": "FILE.cast", "size": "WIDTHxHEIGHT"} {
		set.Lookup(name).Value = &named{set.Lookup(name).Value, value}
	}
}

// virtual reports whether a program that draws on the whole terminal runs on a virtual one: if that is asked for, or if
// there is no terminal but a script or a recording.
func (a *app) virtual() bool {
	s := a.flags.staging
	return s.size != "" || !a.onTerminal() && (s.script != "" || s.record != "")
}

// onTerminal reports whether there is a terminal on both sides.
func (a *app) onTerminal() bool { return isTerminal(a.terminal.in) && isTerminal(a.terminal.out) }

// drawable reports whether the terminal at hand has a screen to draw on: there is one, and it can move its cursor.
func (a *app) drawable() bool { return a.onTerminal() && lookupEnv(a.environ, "TERM") != "dumb" }

// appearance is how programs on the whole terminal are drawn.
func (a *app) appearance() theme.Options {
	o := theme.Options{ASCII: a.flags.ascii || !a.virtual() && !utf8Locale(a.environ), HighContrast: a.flags.contrast}
	if curves, chosen := theme.ParseCurves(a.flags.plot); chosen {
		o.Curves = curves
	} else if a.virtual() || lookupEnv(a.environ, "TERM") != "linux" { // the console's font has no Braille
		o.Curves = theme.BrailleCurves
	}
	return o
}

// refuse shows the help of a command that has no terminal to draw on.
func (a *app) refuse(cmd *cobra.Command) error {
	if a.onTerminal() {
		return errDumbTerminal
	}
	cmd.SetOut(a.err)
	if err := cmd.Help(); err != nil {
		return err
	}
	return errNeedsTerminal
}

// perform runs a program until it ends. The error is a usageError, or as headless.Run's.
func (a *app) perform(ctx context.Context, m tea.Model) (tea.Model, error) {
	s := a.flags.staging
	size := s.size
	if size == "" {
		size = defaultSize
	}
	width, height, ok := headless.ParseSize(size)
	if !ok {
		return nil, usageError{fmt.Errorf("--size %s: a width and a height up to 1000 are expected, e.g. 120x40", size)}
	}
	return headless.Run(ctx, m, headless.Options{In: a.terminal.in, Out: a.terminal.out, Environ: a.environ,
		Virtual: a.virtual(),
		Width:   width, Height: height, Script: s.script, Record: s.record}, a.colours()...)
}

// colours say which colours a program may use, unless that is up to the terminal.
func (a *app) colours() []tea.ProgramOption {
	switch {
	case a.flags.color == "never", a.virtual() && a.flags.color == "auto" && lookupEnv(a.environ, "NO_COLOR") != "":
		return []tea.ProgramOption{tea.WithColorProfile(colorprofile.ASCII)}
	case a.flags.color == "always", a.virtual():
		return []tea.ProgramOption{tea.WithColorProfile(max(colorprofile.Env(a.environ), colorprofile.ANSI256))}
	}
	return nil
}

// lookupEnv is the value of an environment variable; the last one counts.
func lookupEnv(environ []string, name string) (value string) {
	for _, entry := range environ {
		if n, v, ok := strings.Cut(entry, "="); ok && n == name {
			value = v
		}
	}
	return value
}
