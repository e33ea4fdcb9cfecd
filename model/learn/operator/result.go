package operator

import (
	"fmt"
	"math"

	"rfm/solver/base/fault"
)

// Result is what a method makes of pairs: an operator, or the reason why there is none.
type Result struct {
	Operator Operator    // nil if the method gains nothing
	reason   *fault.Data // why, and what to do instead
}

// From returns the result of a fit that learns unless it fails.
func From(o Operator, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	return Result{Operator: o}, nil
}

// Err returns the reason why there is no operator, with a remedy for those who have asked for the method by its name; nil
// if there is one.
func (r Result) Err() error {
	if r.reason == nil {
		return nil
	}
	return r.reason
}

// Gain is the part of a leave-one-out error to which a transform, a layer or a correction must lower it.
const Gain = 0.98

// Unimproved returns the result of a method that gains too little on a kernel; the sentence has the error of the kernel.
func Unimproved(kernel Operator, sentence string) Result {
	what := fmt.Sprintf(sentence, kernel.LeaveOneOut())
	return Useless("training pairs", what, kernel.Name())
}

// Useless returns the result of a method that gains too little in a way that a sentence tells, with another method to
// take.
func Useless(where, what, instead string) Result {
	return Result{reason: &fault.Data{
		Where: where,
		What:  what,
		Do:    "choose train.method=" + instead,
	}}
}

// A method that is behind the best one by a factor in a first look ends there. Random features of pairs of an unknown law
// end sooner, because no set is known where they were the best in the end.
const (
	FarBehind      = 5
	FeaturesBehind = 2
)

// Race holds what methods that are compared tell one another: the least leave-one-out error in a first look at some
// hundred pairs. In a nil race nobody is behind.
type Race struct{ least float64 }

// NewRace returns a race that no method has entered.
func NewRace() *Race { return &Race{least: math.Inf(1)} }

// Behind enters an error of a first look, and reports whether it is more than a factor above the least so far, with the
// result of a method that ends there.
func (r *Race) Behind(score, factor float64) (ended Result, behind bool) {
	if r == nil {
		return Result{}, false
	}
	behind = score > factor*r.least
	if !behind {
		r.least = min(r.least, score)
		return Result{}, false
	}
	const slower = "the error is %.2g in a first look, that of other methods %.2g"
	ended = Result{reason: &fault.Data{
		Where: "training",
		What:  fmt.Sprintf(slower, score, r.least),
		Do:    "take another method",
	}}
	return ended, true
}
