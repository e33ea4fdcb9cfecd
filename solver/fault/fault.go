// Package fault has the two kinds of error that computing can end in besides a wrong configuration: numbers that
// cannot be trusted, and data that cannot be used. Programs tell them apart with errors.As.
package fault

import (
	"fmt"

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
		what = fmt.Sprintf("%s: %v", what, e.Err)
	case e.Err != nil:
		what = e.Err.Error()
	}
	return join(e.Where, what, e.Do)
}

// Unwrap returns the cause.
func (e *Data) Unwrap() error { return e.Err }

func join(where, what, do string) string {
	s := printable.Line(where) + ": " + printable.Text(what)
	if do != "" {
		s += "; " + printable.Text(do)
	}
	return s
}
