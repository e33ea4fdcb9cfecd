package operator

import (
	"context"

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

// Checkpoints keep the states of descents, so that one that was interrupted goes on. A state is a pure function of the
// pairs, the options and the step.
type Checkpoints interface {
	// Latest returns the last state that was kept of a descent with a name, and the number of steps behind it; 0 if there
	// is none.
	Latest(ctx context.Context, name string) (steps int, state []float64, err error)
	// Keep keeps a state, and may drop earlier ones. It decides how often it writes; last says that no state follows.
	Keep(name string, steps int, last bool, state func() []float64) error
}

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
