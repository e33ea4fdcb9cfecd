package ridge

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
	"rfm/solver/parallel"
)

// Ladder describes the values of a hyperparameter that a search may choose, by their indices.
type Ladder struct {
	Count int // number of values
	Start int // index of the value with which the search begins
}

// From returns the ladder of some values that begins with start, one of them.
func From(values []float64, start float64) Ladder {
	return Ladder{Count: len(values), Start: slices.Index(values, start)}
}

// Search descends from a start: along each of several ladders in turn as long as the score falls, until no step lowers
// it. It returns the place with the least score found. The score counts as +Inf where it is NaN or its error is
// Unsolved; any other error of score ends the search. It calls score once for every place.
func Search(ladders []Ladder, score func(at []int) (float64, error)) (place []int, least float64, err error) {
	known := map[string]float64{}
	look := func(at []int) (float64, error) {
		for l, i := range at {
			if i < 0 || i >= ladders[l].Count {
				return math.Inf(1), nil
			}
		}
		key := fmt.Sprint(at)
		if s, ok := known[key]; ok {
			return s, nil
		}
		s, err := score(at)
		if Unsolved(err) {
			err, s = nil, math.Inf(1)
		}
		if math.IsNaN(s) {
			s = math.Inf(1)
		}
		known[key] = s
		return s, err
	}
	for _, l := range ladders {
		place = append(place, l.Start)
	}
	if least, err = look(place); err != nil {
		return nil, 0, err
	}
	for moved := true; moved; {
		moved = false
		for l := range place {
			for _, step := range []int{-1, 1} {
				for {
					next := slices.Clone(place)
					next[l] += step
					s, err := look(next)
					if err != nil {
						return nil, 0, err
					}
					if !(s < least) {
						break
					}
					place, least, moved = next, s, true
				}
			}
		}
	}
	return place, least, nil
}

// Lambdas are the ridges, relative to the largest variance, from which a regression of few unknowns chooses.
var Lambdas = []float64{1e-12, 1e-10, 1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}

// Choose returns the lambda with the least score, and that score. The error is score's, or a *fault.Numerical if no
// score is finite.
func Choose(ctx context.Context, what string, lambdas []float64, score func(lambda float64) (float64, error),
	workers int) (lambda, least float64, err error) {
	scores := make([]float64, len(lambdas))
	err = parallel.For(ctx, workers, len(lambdas), func(_, i int) (err error) {
		scores[i], err = score(lambdas[i])
		if Unsolved(err) {
			scores[i], err = math.Inf(1), nil
		}
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	least = math.Inf(1)
	for i, s := range scores {
		if s < least {
			lambda, least = lambdas[i], s
		}
	}
	if math.IsInf(least, 1) {
		return 0, 0, &fault.Numerical{Where: what,
			What: fmt.Sprintf("no ridge from %g to %g gives a finite error", lambdas[0], lambdas[len(lambdas)-1]),
			Do:   "check the scale of the data"}
	}
	return lambda, least, nil
}

const (
	// raising is the factor by which Raise enlarges a ridge, mostRaised the bound of ridges to enlarge.
	raising, mostRaised = 10, 1
)

// Raise solves with a ridge that was chosen on fewer pairs, and with larger ones while the error of solve is Unsolved:
// rounding makes the kernel matrix of many pairs indefinite where the matrix of few is definite. It sets chosen to the
// first ridge if it had to raise it. The error is solve's, or a *fault.Numerical.
func Raise(lambda, chosen *float64, what string, solve func() error) error {
	first := *lambda
	for {
		err := solve()
		switch {
		case !Unsolved(err):
			return err
		case *lambda >= mostRaised:
			return &fault.Numerical{Where: what,
				What: fmt.Sprintf("the kernel matrix is not positive definite with any ridge from %.2g to %g", first, *lambda),
				Do:   "check the scale of the data"}
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
