// This file defines the errors of commands and the exit codes.

package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rfm/config"
	"rfm/model/engine"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// Exit codes.
const (
	exitDone        = 0
	exitInternal    = 1
	exitUsage       = 2
	exitConfig      = 3
	exitData        = 4
	exitNumerical   = 5
	exitUnsound     = 6
	exitInterrupted = 75
	exitCancelled   = 130
)

// interruptedError reports that work was cancelled after a part of it had been stored; the same command resumes it.
type interruptedError struct{ error }

func (e interruptedError) Unwrap() error { return e.error }

// usageError is a mistake in the command line itself.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// misuse returns a usageError with a message as from fmt.Errorf.
func misuse(format string, values ...any) error { return usageError{fmt.Errorf(format, values...)} }

// errNeedsTerminal makes the program print help instead of opening the interface.
var errNeedsTerminal = errors.New("the interface needs a terminal on standard input and output")

// errDumbTerminal reports that a terminal has no screen.
var errDumbTerminal = misuse("the terminal is TERM=dumb, which can only print lines; set TERM to " +
	"its type, or use the commands: rfm run quick")

// exitCode returns the documented exit code of an error.
func exitCode(err error) int {
	var (
		usage     usageError
		partly    interruptedError
		wrong     *config.Error
		data      *fault.Data
		numerical *fault.Numerical
		differs   *engine.Unsound
	)
	switch {
	case errors.As(err, &usage), errors.Is(err, errNeedsTerminal):
		return exitUsage
	case errors.As(err, &partly):
		return exitInterrupted
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case errors.As(err, &wrong):
		return exitConfig
	case errors.As(err, &data):
		return exitData
	case errors.As(err, &numerical):
		return exitNumerical
	case errors.Is(err, errUnsound), errors.As(err, &differs):
		return exitUnsound
	}
	return exitInternal
}

// errUnsound reports that a check has failed; the findings have been printed.
var errUnsound = errors.New("this build computes wrong results on this machine: do not trust its results, " +
	"and please report this output")

// explain writes an error to standard error, styled for a person.
func (a *app) explain(err error, code int) {
	out, th := a.err, a.theme()
	text := printable.Text(err.Error())
	switch code {
	case exitCancelled:
		fmt.Fprintln(out, th.Warn.Render("cancelled:")+" nothing was stored")
		return
	case exitInterrupted:
		fmt.Fprintln(out, th.Warn.Render("interrupted:")+" "+text)
		return
	}
	mark := th.Bad.Underline(false).Render("error:") // underlined letters would be styled one by one
	for i, line := range strings.Split(text, "\n") { // several configuration errors come one a line
		if i == 0 || !strings.HasPrefix(line, " ") { // other lines continue the one above, as a recipe
			line = mark + " " + strings.TrimLeft(line, " ")
		}
		fmt.Fprintln(out, line)
	}
	var bug *fault.Panic
	if errors.As(err, &bug) {
		fmt.Fprintln(out, bug.Stack)
	}
}
