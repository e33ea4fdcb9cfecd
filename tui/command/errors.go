// This file defines the errors of commands and the exit codes.

package command

import (
	"context"
	"errors"
	"fmt"

	"rfm/config"
	"rfm/solver/base/fault"
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

// coded is an error with an exit code of its own: exitUsage for a mistake in the command line itself, exitInterrupted
// for work that was cancelled after a part of it had been stored, which the same command resumes.
type coded struct {
	error
	code int
}

func (e coded) Unwrap() error { return e.error }

// misuse returns an error in the command line with a message as from fmt.Errorf.
func misuse(format string, values ...any) error {
	return coded{fmt.Errorf(format, values...), exitUsage}
}

// interrupted returns the error of an interruption with a message as from fmt.Errorf.
func interrupted(format string, values ...any) error {
	return coded{fmt.Errorf(format, values...), exitInterrupted}
}

// errNeedsTerminal makes the program print help instead of opening the interface.
var errNeedsTerminal = misuse("the interface needs a terminal on standard input and output")

// exitCode returns the documented exit code of an error.
func exitCode(err error) int {
	known, ok := errors.AsType[coded](err)
	if ok {
		return known.code
	}
	switch {
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case is[*config.Error](err):
		return exitConfig
	case is[*fault.Data](err):
		return exitData
	case is[*fault.Numerical](err):
		return exitNumerical
	case is[*fault.Unsound](err):
		return exitUnsound
	}
	return exitInternal
}

// is reports whether an error wraps one of some type.
func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// errUnsound reports that a check has failed; the findings have been printed.
var errUnsound = coded{errors.New("this build computes wrong results on this machine: do not trust its results, " +
	"and please report this output"), exitUnsound}
