package operator

import (
	"rfm/model/learn/score"
)

// Part is a phase of training.
type Part int

// The phases: sums over the training pairs, the choice of lambda by leaving pairs out, the linear solve; the descent of a
// neural operator.
const (
	Summing Part = iota
	Choosing
	Solving
	Descending
)

// Watch follows training. Its methods are called from the goroutine that trains.
type Watch interface {
	Begin(p Part, unit string, total int) // of total units; 0: no progress to count
	Work(flops float64)                   // flops of one unit of this part
	Advance(units int)                    // reports how many more units are done
	Skip(units int)                       // reports how many units an earlier session has done
	Validated(points []score.Validation)  // errors of models of the pairs seen so far
}

// Unwatched is the Watch that ignores everything.
type Unwatched struct{}

func (Unwatched) Begin(Part, string, int) {}

func (Unwatched) Work(float64) {}

func (Unwatched) Advance(int) {}

func (Unwatched) Skip(int) {}

func (Unwatched) Validated([]score.Validation) {}
