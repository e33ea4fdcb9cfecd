// This file chooses parameters of a method.

package method

import (
	"fmt"
	"math"

	"rfm/solver/fault"
)

// descend goes down from a start: along each of several ladders in turn as long as the score falls, until no step along
// any makes it fall. rungs are the lengths of the ladders. It returns the place with the least score it has found,
// which may be +Inf. The error is that of score.
func descend(rungs, start []int, score func(at []int) (float64, error)) (place []int, least float64, err error) {
	known := map[[maxLadders]int]float64{}
	look := func(at []int) (float64, error) {
		var key [maxLadders]int
		for l, n := range rungs {
			if at[l] < 0 || at[l] >= n {
				return math.Inf(1), nil
			}
			key[l] = at[l]
		}
		if s, ok := known[key]; ok {
			return s, nil
		}
		s, err := score(at)
		if math.IsNaN(s) {
			s = math.Inf(1)
		}
		known[key] = s
		return s, err
	}
	place = append([]int(nil), start...)
	if least, err = look(place); err != nil {
		return nil, 0, err
	}
	for moved := true; moved; {
		moved = false
		for l := range place {
			for _, step := range []int{-1, 1} {
				for {
					next := append([]int(nil), place...)
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

// maxLadders is the number of parameters that descend can choose.
const maxLadders = 6

const (
	// raising is what a ridge that does not solve is multiplied by, up to mostRaised.
	raising, mostRaised = 10, 1
)

// raise solves with a ridge that was chosen on fewer pairs, and with a larger one as long as that fails: rounding makes
// a kernel matrix of many pairs indefinite where that of few is not. chosen is set to the ridge it began with if that
// was raised. The error is that of solve, or a *fault.Numerical.
func raise(ridge, chosen *float64, what string, solve func() (solved bool, err error)) error {
	first := *ridge
	for {
		switch solved, err := solve(); {
		case err != nil:
			return err
		case solved:
			return nil
		case *ridge >= mostRaised:
			return &fault.Numerical{Where: what,
				What: fmt.Sprintf("the kernel matrix is not positive definite with any ridge from %.2g to %g", first, *ridge),
				Do:   "check the scale of the data"}
		}
		*ridge *= raising
		*chosen = first
	}
}

// ridgeInWords names a ridge and, unless it is zero, the smaller one that was chosen.
func ridgeInWords(ridge, chosen float64) string {
	if chosen == 0 {
		return fmt.Sprintf("ridge %g", ridge)
	}
	return fmt.Sprintf("ridge %g (raised from %.2g, which was not positive definite with all pairs)", ridge, chosen)
}
