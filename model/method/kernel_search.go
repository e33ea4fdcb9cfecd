// This file chooses the parameters of kernel ridge regression.

package method

import (
	"context"
	"math"
)

// searchPairs is the number of pairs on which parameters are chosen: the best ones change little with it, the cost grows
// with its cube.
const searchPairs = 512

// modeLadder, weightLadder, lengthLadder and ridgeLadder are the parameters' possible values.
var (
	modeLadder   = [...]int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, mostComponents}
	weightLadder = [...]float64{-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
	lengthLadder = [...]float64{0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
	ridgeLadder  = [...]float64{1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1}
)

// rung is a position on the ladders: modes, weight, length, ridge.
type rung [4]int

// start is all modes, the L2 distance, one length scale, and a ridge that hardly matters.
func start(modes int) rung { return rung{modes - 1, 5, 6, 4} }

// choose descends from the start: along each ladder in turn as long as the leave-one-out error falls, until no step along
// any makes it fall. The error is ctx's.
func (p *kernelProblem) choose(ctx context.Context, workers int) (Parameters, error) {
	modes := 0
	for modes < len(modeLadder) && modeLadder[modes] < len(p.inputs.variances) {
		modes++
	}
	modes = min(modes+1, len(modeLadder)) // the last one is cut to the number there are
	sizes := rung{modes, len(weightLadder), len(lengthLadder), len(ridgeLadder)}
	parameters := func(r rung) Parameters {
		return Parameters{Modes: min(modeLadder[r[0]], len(p.inputs.variances)), Weight: weightLadder[r[1]], Length: lengthLadder[r[2]], Ridge: ridgeLadder[r[3]]}
	}
	known := map[rung]float64{}
	score := func(r rung) (float64, error) {
		for l, size := range sizes {
			if r[l] < 0 || r[l] >= size {
				return math.Inf(1), nil
			}
		}
		if s, ok := known[r]; ok {
			return s, nil
		}
		_, _, s, err := p.solve(ctx, parameters(r), workers)
		known[r] = s
		return s, err
	}
	at := start(modes)
	least, err := score(at)
	if err != nil {
		return Parameters{}, err
	}
	for moved := true; moved; {
		moved = false
		for l := range at {
			for _, step := range []int{-1, 1} {
				for {
					next := at
					next[l] += step
					s, err := score(next)
					if err != nil {
						return Parameters{}, err
					}
					if !(s < least) {
						break
					}
					at, least, moved = next, s, true
				}
			}
		}
	}
	return parameters(at), nil
}
