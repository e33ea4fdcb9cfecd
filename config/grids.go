// This file defines the grids of a configuration and the places of their points.

package config

import (
	"math"
	"slices"
)

// Closed reports whether functions are not periodic.
func (c Config) Closed() bool { return !periodic(c) }

// Cells reports whether points are the centres of cells.
func (c Config) Cells() bool { return c.Of().Files && c.Closed() && c.Data.Endpoint == Centres }

// Intervals returns the number of intervals, or cells, along an axis with the given number of points.
func (c Config) Intervals(points int) int {
	if c.Cells() {
		return points
	}
	return points - 1
}

// Contains reports whether the points of the grid coarse are points of the grid fine. Both are named by their number of
// points along an axis.
func (c Config) Contains(fine, coarse int) bool {
	if c.Scattered() {
		return fine == coarse
	}
	n := c.Intervals(coarse)
	return n > 0 && c.Intervals(fine)%n == 0
}

// least is the smallest number of intervals of a grid.
const least = 8

// Grids lists the grids to which functions on the grid fine of the configuration's problem can be restricted, with 8
// intervals along the first axis and 3 points along the second at least, ascending, fine itself last. It is incomplete
// for periodic functions, whose interpolants are cheap, and generated ones. The first axis names a grid of a rectangle.
// Points of any geometry have no other grid.
func (c Config) Grids(fine int) []int {
	if c.Scattered() {
		return []int{fine}
	}
	intervals := c.Intervals(fine)
	ends := fine - intervals // points more than intervals
	step := 1                // intervals of grids are its multiples
	ratio := 1.0             // intervals along the second axis to those along the first
	switch {
	case !c.Of().Files || torus(c):
		step = 2 - intervals%2 // an even number of intervals stays even
	case c.Data.Columns != 0:
		first := c.Intervals(c.Data.Grid)
		second := c.Intervals(c.Data.Columns)
		ratio = float64(second) / float64(first)
		step = first / max(1, commonDivisor(first, second))
	}
	var all []int
	for n := step; n <= intervals; n += step {
		if intervals%n != 0 {
			continue
		}
		fineEnough := n >= least && ratio*float64(n)+float64(ends) > 2.5
		if fineEnough || n == intervals {
			all = append(all, n+ends)
		}
	}
	return all
}

// commonDivisor returns the greatest common divisor of a and b.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// TrainPairsGrid returns the grid for training pairs that are made or read on the grid fine: the coarsest that fine
// contains and that contains the grids on which they are needed; fine itself if none does. Training pairs of own data are
// needed on the training grid only, so that large files of fine functions fit into memory.
func (c Config) TrainPairsGrid(fine int) int {
	if c.Of().Files {
		return c.coarsest(fine, c.Train.Grid)
	}
	return c.coarsest(fine, c.Train.Grid, c.TestGrid())
}

// TestPairsGrid returns the same for test pairs, which are needed on the grids of training and evaluation.
func (c Config) TestPairsGrid(fine int) int { return c.coarsest(fine, c.Train.Grid, c.TestGrid()) }

// coarsest returns the coarsest grid that fine contains and that contains all of some grids; fine itself if none does.
func (c Config) coarsest(fine int, needed ...int) int {
	for _, K := range c.Grids(fine) {
		missing := func(coarse int) bool { return !c.Contains(K, coarse) }
		if !slices.ContainsFunc(needed, missing) {
			return K
		}
	}
	return fine
}

// stretch returns the number of values on the data grid over that on a square one with the same first axis.
func (c Config) stretch() float64 {
	if c.Data.Columns == 0 || c.Data.Grid == 0 {
		return 1
	}
	return float64(c.Data.Columns) / float64(c.Data.Grid)
}

// CoarseGrid returns GridUpTo 65 points for functions of one variable, and 17 for fields. Errors on pairs left out
// hardly change on finer grids.
func (c Config) CoarseGrid(fine int) int {
	bound := 65
	if c.Dims() == 2 {
		bound = 17
	}
	return c.GridUpTo(fine, bound)
}

// GridUpTo returns the finest of the Grids of at most most points, or else the coarsest of them.
func (c Config) GridUpTo(fine, most int) int {
	best := fine
	for i, K := range c.Grids(fine) {
		if i == 0 || K <= most {
			best = K
		}
	}
	return best
}

// pairsValues returns the number of values of some functions of one channel on the grids of training and test pairs.
func (c Config) pairsValues(train, test float64) float64 {
	values := func(K int) float64 { return math.Pow(float64(K), float64(c.Dims())) }
	trainValues := train * values(c.TrainPairsGrid(c.Data.Grid))
	testValues := test * values(c.TestPairsGrid(c.Data.Grid))
	return c.stretch() * (trainValues + testValues)
}
