// This file tells which test inputs are unlike the training inputs.

package engine

import (
	"context"
	"fmt"

	"rfm/model/trained/unlike"
	"rfm/solver/base/printable"
)

// Unlike are the test inputs that are unlike the training inputs, where nobody knows the error of the model.
type Unlike struct {
	Outside []int   `json:"test"`  // numbers of test pairs
	Limit   float64 `json:"limit"` // deviation beyond which an input is outside, see package unlike

	found unlike.Found
}

// unlike measures the test inputs of v.
func (e *evaluating) unlike(ctx context.Context, v *Evaluation) (*Unlike, error) {
	found, known, err := e.model.Unlike(ctx, v.TestPairs.Inputs, e.workers)
	if err != nil || !known {
		return nil, err
	}
	return &Unlike{
		Outside: found.Outside(),
		Limit:   found.Limit,
		found:   found,
	}, nil
}

// UnlikeLine says in one line how unlike the training inputs test input i is; empty if it is like them, or if the model
// cannot tell.
func (v *Evaluation) UnlikeLine(i int) string {
	if v.Unlike == nil {
		return ""
	}
	return v.Unlike.found.Line(i)
}

// sentence counts the inputs outside; empty if there are none.
func (u *Unlike) sentence(tests int) string {
	if u == nil || len(u.Outside) == 0 {
		return ""
	}
	return u.count(tests) + ", and errors there may be larger, at the numbers " + unlike.List(u.Outside) + "."
}

// count says how many of the test inputs are outside.
func (u *Unlike) count(tests int) string {
	return fmt.Sprintf("%d of %s %s unlike the training inputs", len(u.Outside), printable.Several(tests, "test input"),
		be(len(u.Outside)))
}

func be(count int) string {
	if count == 1 {
		return "is"
	}
	return "are"
}
