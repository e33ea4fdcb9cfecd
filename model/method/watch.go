// This file is how training is followed.

package method

import "rfm/model/rfm"

// Part is a part of a training.
type Part int

// The parts: sums over the training pairs, the choice of lambda by pairs that are left out, the linear solve.
const (
	Summing Part = iota
	Choosing
	Solving
)

// Watch follows a training. It is called from the goroutine
// that trains.
type Watch interface {
	Begin(p Part, unit string, total int) // of total units; 0: there is nothing to count
	Work(flops float64)                   // what a unit of this part takes
	Advance(units int)                    // so many more are done
	Skip(units int)                       // so many were done by an earlier session
	Validated(points []rfm.Validation)    // errors of models of the pairs seen so far
}

// unwatched is a training that nobody follows.
type unwatched struct{}

func (unwatched) Begin(Part, string, int)    {}
func (unwatched) Work(float64)               {}
func (unwatched) Advance(int)                {}
func (unwatched) Skip(int)                   {}
func (unwatched) Validated([]rfm.Validation) {}
