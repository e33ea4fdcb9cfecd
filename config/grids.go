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
	n := c.Intervals(coarse)
	return n > 0 && c.Intervals(fine)%n == 0
}

// least is the smallest number of intervals of a grid.
const least = 8

// Grids lists the grids to which functions on the grid fine of the configuration's problem can be restricted, with 8
// intervals along the first axis and 3 points along the second at least, ascending, fine itself last. It is incomplete
// for periodic functions, whose interpolants are cheap, and generated ones. The first axis names a grid of a rectangle.
func (c Config) Grids(fine int) []int {
	step, N, ratio := 1, c.Intervals(fine), 1.0
	switch {
	case !c.Of().Files || torus(c):
		step = 2 - N%2 // an even number of intervals stays even
	case c.Data.Columns != 0:
		a, b := c.Intervals(c.Data.Grid), c.Intervals(c.Data.Columns)
		ratio = float64(b) / float64(a)
		for b != 0 {
			a, b = b, a%b
		}
		step = c.Intervals(c.Data.Grid) / max(1, a)
	}
	var all []int
	for n := step; n <= N; n += step {
		if N%n == 0 && (n >= least && ratio*float64(n)+float64(fine-N) > 2.5 || n == N) {
			all = append(all, fine-N+n)
		}
	}
	return all
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
		if !slices.ContainsFunc(needed, func(coarse int) bool { return !c.Contains(K, coarse) }) {
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
	dims := float64(c.Dims())
	return c.stretch() * (train*math.Pow(float64(c.TrainPairsGrid(c.Data.Grid)), dims) +
		test*math.Pow(float64(c.TestPairsGrid(c.Data.Grid)), dims))
}
