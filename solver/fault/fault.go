// Package fault has the kinds of error that computing can end in besides a wrong configuration: numbers that cannot be
// trusted, data that cannot be used, and bugs. Programs tell them apart with errors.As.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"rfm/solver/printable"
)

// Numerical says that a computation did not reach a result that can be trusted.
type Numerical struct {
	Where string // which computation, on what, e.g. "Burgers solver, sample 17"
	What  string // what was expected and what was found
	Do    string // what to change
}

func (e *Numerical) Error() string { return join(e.Where, e.What, e.Do) }

// Data says that a file or an array cannot be used.
type Data struct {
	Where string // file name, or what the array is
	What  string // what was expected and what was found
	Do    string // what to do about it; may be empty
	Err   error  // the cause, if it is another error
}

func (e *Data) Error() string {
	what := e.What
	switch {
	case e.Err != nil && what != "":
		what = fmt.Sprintf("%s: %v", what, e.reason())
	case e.Err != nil:
		what = e.reason().Error()
	}
	return join(e.Where, what, e.Do)
}

// reason is the cause, without the path if that is where the fault is.
func (e *Data) reason() error {
	if failed, ok := e.Err.(*fs.PathError); ok && failed.Path == e.Where {
		return failed.Err
	}
	return e.Err
}

// Unwritten says that something could not be written because of err, and what to do: a *Data, or nil if err is nil. Of
// errors that name a path only the reason is told: where says which file was meant, the path may be a temporary one.
func Unwritten(where string, err error, do string) error {
	if err == nil {
		return nil
	}
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return &Data{Where: where, What: "cannot be written", Err: err, Do: do}
}

// Unread says that something could not be read because of err, which is not nil.
func Unread(where string, err error) error {
	return &Data{Where: where, What: "cannot be read", Err: err}
}

// Unwrap returns the cause.
func (e *Data) Unwrap() error { return e.Err }

// BlamesInput reports whether an error is a *Data or a *Numerical: what was to be computed is to blame, neither a
// context that ended nor a bug.
func BlamesInput(err error) bool {
	var data *Data
	var numerical *Numerical
	return errors.As(err, &data) || errors.As(err, &numerical)
}

// Panic is the error that a panic becomes: a bug in this program, never bad input.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error, please report it: %v", p.Value) }

// Recovered is the error of a panic with the given value, for the function that has just recovered from it.
func Recovered(value any) *Panic { return &Panic{Value: value, Stack: string(debug.Stack())} }

func join(where, what, do string) string {
	s := printable.Line(where) + ": " + printable.Text(what)
	if do != "" {
		s += "; " + printable.Text(do)
	}
	return s
}
