// This file runs programs that draw on the whole terminal: on the one at hand or on a virtual one.

package command

import (
	"cmp"
	"context"
	"errors"
	"runtime"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"rfm/tui/headless"
	"rfm/tui/kitty"
	"rfm/tui/theme"
)

// virtual reports whether a program that draws on the whole terminal runs on a virtual one: if that is asked for, or if
// there is no terminal but a script or a recording.
func (a *app) virtual() bool {
	s := a.flags.staging
	return s.size != "" || !a.onTerminal() && (s.script != "" || s.record != "")
}

// appearance is how programs on the whole terminal are drawn.
func (a *app) appearance() theme.Options {
	o := theme.Options{ASCII: a.flags.ascii || !a.virtual() && !utf8Locale(a.environ), HighContrast: a.flags.contrast}
	if curves, chosen := theme.ParseCurves(a.flags.plot); chosen {
		o.Curves = curves
	} else if a.virtual() || locale(a.environ) != "" && a.environ.Getenv("TERM") != "linux" {
		o.Curves = theme.BrailleCurves // the console's font has none, and who knows what has been set up without a locale
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

// album is for pictures on the terminal at hand; nil where what it shows goes elsewhere, too.
func (a *app) album() *kitty.Album {
	if s := a.flags.staging; a.virtual() || s.script != "" || s.record != "" || a.flags.ascii {
		return nil
	}
	return kitty.New(pictureModes[a.flags.pictures])
}

// illustrated is perform with pictures beside what is drawn.
func (a *app) illustrated(ctx context.Context, m tea.Model, album *kitty.Album) (tea.Model, error) {
	bare, real := a.terminal.out.(term.File)
	if album == nil || !real {
		return a.perform(ctx, m)
	}
	a.terminal.out = album.On(bare)
	final, err := a.perform(ctx, m)
	a.terminal.out = bare
	return final, errors.Join(err, album.Close(bare))
}

// perform runs a program until it ends. The error is a usageError, or as headless.Run's.
func (a *app) perform(ctx context.Context, m tea.Model) (tea.Model, error) {
	s := a.flags.staging
	width, height, ok := headless.ParseSize(cmp.Or(s.size, defaultSize))
	if !ok {
		return nil, misuse("--size %s: a width and a height up to 1000 are expected, e.g. 120x40", s.size)
	}
	return headless.Run(ctx, m, headless.Options{In: a.terminal.in, Out: a.terminal.out, Environ: a.environ,
		Virtual: a.virtual(), Width: width, Height: height, Script: s.script, Record: s.record}, a.colors()...)
}

// colors say which colours a program may use, unless that is up to the terminal.
func (a *app) colors() []tea.ProgramOption {
	switch {
	case a.flags.color == "never", a.virtual() && a.flags.color == "auto" && a.environ.Getenv("NO_COLOR") != "":
		return []tea.ProgramOption{tea.WithColorProfile(colorprofile.ASCII)}
	case a.flags.color == "always", a.virtual():
		return []tea.ProgramOption{tea.WithColorProfile(max(colorprofile.Env(a.environ), colorprofile.ANSI256))}
	}
	return nil
}

// makeRoom runs one thread more than there are workers, so that what is typed does not wait until a worker's time slice
// ends: with all workers busy a key is on screen in a third of the time. It returns the number of threads before.
func makeRoom(workers int) (before int) {
	return runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), workers+1))
}
