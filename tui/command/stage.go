// This file runs programs that draw on the whole terminal.

package command

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"syscall"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"rfm/tui/theme"
)

// appearance returns the options of programs on the whole terminal.
func (a *app) appearance() theme.Options {
	return theme.Options{ASCII: a.flags.ascii || !utf8Locale(a.environ),
		Lines: a.environ.Getenv("TERM") == "linux"} // the font of the console has no Braille
}

// refuse prints the help of a command and returns an error, since no terminal can show its screen.
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

// errHangUp reports that the terminal is gone: running work is stored and stopped as after a hang-up signal.
var errHangUp = errors.New("the terminal was closed")

// perform runs a program until it ends. The error is the context's, errHangUp, or the program's.
func (a *app) perform(ctx context.Context, m tea.Model) (tea.Model, error) {
	ctx, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	options := append(a.colors(), tea.WithContext(ctx), tea.WithOutput(a.terminal.out), tea.WithEnvironment(a.environ),
		tea.WithInput(a.terminal.in))
	if f, ok := a.terminal.in.(*os.File); ok {
		options = append(options, tea.WithInput(keyboard{f, func() { hangUp(errHangUp) }}))
	}
	final, err := tea.NewProgram(m, options...).Run()
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return final, err
}

// keyboard is the input of a terminal. Where the hang-up signal is ignored, as under nohup, only the end of the input
// indicates that the terminal is gone.
type keyboard struct {
	*os.File
	gone func()
}

func (k keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EIO) {
		k.gone()
	}
	return n, err
}

// colors returns the options that fix the colours of a program, or none if the terminal decides.
func (a *app) colors() []tea.ProgramOption {
	switch a.flags.color {
	case "never":
		return []tea.ProgramOption{tea.WithColorProfile(colorprofile.ASCII)}
	case "always":
		return []tea.ProgramOption{tea.WithColorProfile(max(colorprofile.Env(a.environ), colorprofile.ANSI256))}
	}
	return nil
}

// makeRoom runs one thread more than there are workers, so that input does not wait until a worker's time slice ends:
// with all workers busy a key is on screen in a third of the time. It returns the number of threads before.
func makeRoom(workers int) (before int) {
	return runtime.GOMAXPROCS(max(runtime.GOMAXPROCS(0), workers+1))
}
