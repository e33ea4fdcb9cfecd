// Package fault defines the kinds of error of a computation besides a wrong configuration: unreliable numbers, unusable
// data, and bugs. Programs tell them apart with errors.As.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"rfm/solver/base/printable"
)

// Numerical is the error of a computation without a reliable result.
type Numerical struct {
	Where string // the computation and its object, e.g. "Burgers solver, sample 17"
	What  string // expected and actual result
	Do    string // advice on a remedy
}

func (e *Numerical) Error() string { return join(e.Where, e.What, e.Do) }

// Data is the error of an unusable file or array.
type Data struct {
	Where string // file name, or description of the array
	What  string // expected and actual contents
	Do    string // advice on a remedy; may be empty
	Err   error  // the cause, if it is another error
}

// Bad returns the error of an unusable file or array, with the advice do and the format of a description.
func Bad(where, do, what string, values ...any) *Data {
	return &Data{Where: where, What: fmt.Sprintf(what, values...), Do: do}
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

// reason returns the cause, without the path if Where names it.
func (e *Data) reason() error {
	if failed, ok := e.Err.(*fs.PathError); ok && failed.Path == e.Where {
		return failed.Err
	}
	return e.Err
}

// Unwritten returns a *Data for a failed write because of err, with the advice do, or nil if err is nil. It omits the
// path of a path error, which may be a temporary file: where names the intended file.
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

// Unread returns a *Data for a failed read because of err, which is not nil.
func Unread(where string, err error) error {
	return &Data{Where: where, What: "cannot be read", Err: err}
}

// Damaged returns a *Data for a file whose content contradicts itself, as err describes.
func Damaged(where string, err error) error {
	return &Data{Where: where, What: "is damaged", Err: err, Do: "copy or write the file again"}
}

// Unwrap returns the cause, for errors.As.
func (e *Data) Unwrap() error { return e.Err }

// BlamesInput reports whether an error is a *Data or a *Numerical, which blame the input, not a cancelled context or a
// bug.
func BlamesInput(err error) bool {
	var data *Data
	var numerical *Numerical
	return errors.As(err, &data) || errors.As(err, &numerical)
}

// Panic is the error made from a panic: a bug in this program, never bad input.
type Panic struct {
	Value any
	Stack string
}

func (p *Panic) Error() string { return fmt.Sprintf("internal error, please report it: %v", p.Value) }

// Recovered returns the error of a panic with the given value, for the function that has just recovered from it.
func Recovered(value any) *Panic { return &Panic{Value: value, Stack: string(debug.Stack())} }

func join(where, what, do string) string {
	s := printable.Line(where) + ": " + printable.Text(what)
	if do != "" {
		s += "; " + printable.Text(do)
	}
	return s
}
