// Package fault defines the kinds of error of a computation besides a wrong configuration: unreliable numbers, unusable
// data, and bugs. Programs tell them apart with errors.As.
package fault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"rfm/solver/base/printable"
)

// Numerical is the error of a computation without a reliable result.
type Numerical struct {
	Where string // the computation and its object, e.g. "Burgers solver, sample 17"
	What  string // the actual and the expected result, as a predicate of Where or as a sentence
	Do    string // advice on a remedy
}

func (e *Numerical) Error() string { return join(e.Where, e.What, e.Do) }

// Data is the error of an unusable file or array.
type Data struct {
	Where string // file name, or description of the array
	What  string // the actual and the expected contents, as a predicate of Where or as a sentence
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
	case e.isMissing():
		what = "does not exist"
	case e.Err != nil && what != "":
		what = fmt.Sprintf("%s: %v", what, e.reason())
	case e.Err != nil:
		what = e.reason().Error()
	}
	return join(e.Where, what, e.Do)
}

// ofFile returns the cause if it is that of an operation on the file with the name Where, else nil.
func (e *Data) ofFile() *fs.PathError {
	failed, ok := e.Err.(*fs.PathError)
	if !ok || failed.Path != e.Where {
		return nil
	}
	return failed
}

// isMissing reports whether the cause is that the file with the name Where does not exist.
func (e *Data) isMissing() bool {
	failed := e.ofFile()
	return failed != nil && errors.Is(failed, fs.ErrNotExist)
}

// reason returns the cause, without the path if Where names it.
func (e *Data) reason() error {
	if failed := e.ofFile(); failed != nil {
		return failed.Err
	}
	return e.Err
}

// Unwritten returns a *Data for a failed write because of err, or nil if err is nil. It omits the paths of the error,
// which may be those of temporary files: where names the intended file. The advice is the remedy for this cause, if one
// is known, and then do, which begins with "or" or "and".
func Unwritten(where string, err error, do string) error {
	if err == nil {
		return nil
	}
	var failed *fs.PathError
	var moved *os.LinkError
	switch {
	case errors.As(err, &failed):
		err = failed.Err
	case errors.As(err, &moved):
		err = moved.Err
	}
	return &Data{
		Where: where,
		What:  "cannot be written",
		Err:   err,
		Do:    Remedy(err, do),
	}
}

// Remedy returns the advice on a failed operation on a file: the remedy for its cause, if one is known, and then do,
// which begins with "or" or "and".
func Remedy(err error, do string) string {
	for _, r := range remedies {
		isCause := func(cause syscall.Errno) bool { return errors.Is(err, cause) }
		if !slices.ContainsFunc(r.causes, isCause) {
			continue
		}
		if do == "" {
			return r.do
		}
		return r.do + ", " + do
	}
	do = strings.TrimPrefix(do, "and ")
	return strings.TrimPrefix(do, "or ")
}

// remedies are what helps against the errors of operating systems.
var remedies = []struct {
	causes []syscall.Errno
	do     string
}{
	{[]syscall.Errno{syscall.ENOSPC, syscall.EDQUOT}, "free some space"},
	{[]syscall.Errno{syscall.EMFILE, syscall.ENFILE}, "allow more open files (ulimit -n)"},
	{[]syscall.Errno{syscall.EFBIG}, "allow larger files (ulimit -f)"},
	{[]syscall.Errno{syscall.EACCES, syscall.EPERM, syscall.EROFS}, "check the permissions"},
	{[]syscall.Errno{syscall.ENAMETOOLONG}, "choose a shorter name"},
	{[]syscall.Errno{syscall.EIO}, "check the disk, which reports an error"},
}

// Unread returns a *Data for a failed read because of err, which is not nil.
func Unread(where string, err error) error {
	return &Data{
		Where: where,
		What:  "cannot be read",
		Err:   err,
		Do:    Remedy(err, ""),
	}
}

// Unsound is the error of machines, or builds, that compute different bytes from the same input.
type Unsound struct {
	Where string
	What  string
	Do    string
}

func (e *Unsound) Error() string { return join(e.Where, e.What, e.Do) }

// Damaged returns a *Data for a file whose content contradicts itself, as err describes.
func Damaged(where string, err error) error {
	return &Data{
		Where: where,
		What:  "is damaged",
		Err:   err,
		Do:    "copy or write the file again",
	}
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
func Recovered(value any) *Panic {
	return &Panic{Value: value, Stack: string(debug.Stack())}
}

// predicates are the verbs with which a What goes on with the sentence that Where begins.
var predicates = []string{
	"adds", "are", "begins", "belongs", "cannot", "continues", "corrects", "does", "exists", "gives", "has", "have",
	"holds", "is", "lives", "must", "names", "needs", "predicts", "shears", "should", "takes", "was", "were",
}

// join returns the text of an error: its place, what is wrong there, and the remedy. A what that begins with a verb is
// said of the place, as in "pairs.npz has no pairs". Any other has a subject of its own, so that it follows a colon.
func join(where, what, do string) string {
	const longest = 400 // characters of a path that one can still read
	verb, _, _ := strings.Cut(what, " ")
	separator := ": "
	if slices.Contains(predicates, verb) {
		separator = " "
	}
	s := printable.Line(printable.Cut(where, longest)) + separator + printable.Text(what)
	if do != "" {
		s += "; " + printable.Text(do)
	}
	return s
}
