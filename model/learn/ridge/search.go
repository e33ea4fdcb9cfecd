package ridge

import (
	"fmt"
	"math"
	"slices"

	"rfm/solver/base/fault"
)

// Ladder moves one hyperparameter of P by a step of 1 or -1 along the values that a search may choose; ok is false at
// their end.
type Ladder[P any] func(p *P, step int) (ok bool)

// Over returns the ladder of a field with some values, no two equal.
func Over[P any, V comparable](values []V, field func(p *P) *V) Ladder[P] {
	return func(p *P, step int) bool {
		v := field(p)
		at := slices.Index(values, *v) + step
		if at < 0 || at >= len(values) {
			return false
		}
		*v = values[at]
		return true
	}
}

// Found is the result of a search.
type Found[P any] struct {
	Best  P
	Score float64 // least score found; +Inf if no hyperparameters had a finite one, and Best is the start
}

// Solved reports whether any hyperparameters had a finite score.
func (f Found[P]) Solved() bool { return !math.IsInf(f.Score, 1) }

// Search descends from a start, which is on all ladders: along each of them in turn as long as the score falls, until
// no step lowers it. The score counts as +Inf where it is NaN or its error is Unsolved; any other error of score ends
// the search. It calls score once for the same hyperparameters.
func Search[P comparable](start P, ladders []Ladder[P], score func(p P) (float64, error)) (Found[P], error) {
	known := map[P]float64{}
	scored := func(p P) (float64, error) {
		if s, ok := known[p]; ok {
			return s, nil
		}
		s, err := score(p)
		if err != nil && !Unsolved(err) {
			return 0, err
		}
		if err != nil || math.IsNaN(s) {
			s = math.Inf(1)
		}
		known[p] = s
		return s, nil
	}
	first, err := scored(start)
	if err != nil {
		return Found[P]{}, err
	}
	best := Found[P]{Best: start, Score: first}
	for moved := true; moved; {
		moved = false
		for _, l := range ladders {
			for _, step := range []int{-1, 1} {
				next := best.Best
				for l(&next, step) {
					s, err := scored(next)
					if err != nil {
						return Found[P]{}, err
					}
					if !(s < best.Score) {
						break
					}
					best = Found[P]{Best: next, Score: s}
					moved = true
				}
			}
		}
	}
	return best, nil
}

// Lambda searches for a ridge alone, from one of some values. Its results and errors are those of Search.
func Lambda(start float64, values []float64, score func(lambda float64) (float64, error)) (Found[float64], error) {
	ladder := Over(values, func(lambda *float64) *float64 { return lambda })
	return Search(start, []Ladder[float64]{ladder}, score)
}

const (
	raising    = 10 // the factor by which Raise enlarges a ridge
	mostRaised = 1  // it enlarges ridges below this
)

// Raise solves with a ridge that was chosen on fewer pairs, and with larger ones while the error of solve is Unsolved:
// rounding makes the kernel matrix of many pairs indefinite where the matrix of few is definite. It sets chosen to the
// first ridge if it had to raise it. The error is solve's, or a *fault.Numerical.
func Raise(lambda, chosen *float64, what string, solve func() error) error {
	first := *lambda
	for {
		err := solve()
		if !Unsolved(err) {
			return err
		}
		if *lambda >= mostRaised {
			const indefinite = "the kernel matrix is not positive definite with any ridge from %.2g to %g"
			return &fault.Numerical{
				Where: what,
				What:  fmt.Sprintf(indefinite, first, *lambda),
				Do:    "check the scale of the data",
			}
		}
		*lambda *= raising
		*chosen = first
	}
}

// InWords formats a ridge and, unless it is zero, the smaller one that was chosen before Raise.
func InWords(lambda, chosen float64) string {
	if chosen == 0 {
		return fmt.Sprintf("ridge %g", lambda)
	}
	return fmt.Sprintf("ridge %g (raised from %.2g, which was not positive definite with all pairs)", lambda, chosen)
}
