// This file defines the errors of commands and the exit codes.

package command

import (
	"context"
	"errors"
	"fmt"

	"rfm/config"
	"rfm/model/engine"
	"rfm/solver/fault"
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

// exitCode returns the documented exit code of an error.
func exitCode(err error) int {
	switch {
	case is[usageError](err), errors.Is(err, errNeedsTerminal):
		return exitUsage
	case is[interruptedError](err):
		return exitInterrupted
	case errors.Is(err, context.Canceled):
		return exitCancelled
	case is[*config.Error](err):
		return exitConfig
	case is[*fault.Data](err):
		return exitData
	case is[*fault.Numerical](err):
		return exitNumerical
	case errors.Is(err, errUnsound), is[*engine.Unsound](err):
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
var errUnsound = errors.New("this build computes wrong results on this machine: do not trust its results, " +
	"and please report this output")
