// This file says where the points of a configuration's grids lie, and which grids there are.

package config

// Closed reports whether functions are not periodic.
func (c Config) Closed() bool { return !periodic(c) }

// Cells reports whether points are the centres of cells.
func (c Config) Cells() bool { return c.Of().Files && c.Closed() && c.Data.Endpoint == Centres }

// Intervals is the number of intervals, or cells, along an axis of so many points.
func (c Config) Intervals(points int) int {
	if c.Cells() {
		return points
	}
	return points - 1
}

// Contains reports whether functions on the fine grid have values on the coarse one, both named by their points along
// an axis.
func (c Config) Contains(fine, coarse int) bool {
	n := c.Intervals(coarse)
	return n > 0 && c.Intervals(fine)%n == 0
}

// least is the number of intervals below which grids are too coarse.
const least = 8

// Grids lists the grids, at least 8 intervals, that functions on the grid fine of the configuration's problem can be
// restricted to, ascending, fine itself last. For periodic functions, whose interpolants are cheap, and those that are
// generated these are not all, see Grids. Grids of a rectangle are named by their points along the first axis.
func (c Config) Grids(fine int) []int {
	if !c.Of().Files || torus(c) {
		return Grids(fine)
	}
	step, N := 1, c.Intervals(fine)
	if c.Data.Columns != 0 {
		a, b := c.Intervals(c.Data.Grid), c.Intervals(c.Data.Columns)
		for b != 0 {
			a, b = b, a%b
		}
		step = c.Intervals(c.Data.Grid) / max(1, a)
	}
	var all []int
	for n := step; n <= N; n += step {
		if N%n == 0 && (n >= least || n == N) {
			all = append(all, fine-N+n)
		}
	}
	return all
}

// PairsGrid is the grid on which an experiment has pairs that are made or read on the grid fine: the coarsest that it
// contains and that contains those of training and evaluation; itself if there is none.
func (c Config) PairsGrid(fine int) int {
	for _, K := range c.Grids(fine) {
		if c.Contains(K, c.Train.Grid) && c.Contains(K, c.TestGrid()) {
			return K
		}
	}
	return fine
}

// stretch is how many times as many values the data grid has as a square one of as many points along the first axis.
func (c Config) stretch() float64 {
	if c.Data.Columns == 0 || c.Data.Grid == 0 {
		return 1
	}
	return float64(c.Data.Columns) / float64(c.Data.Grid)
}

// CoarseGrid is the finest grid up to 65 points for functions of one variable, and 17 for fields, that the given one
// contains, or itself: errors of what leaves pairs out hardly change on finer ones.
func (c Config) CoarseGrid(fine int) int {
	bound := 65
	if c.Dims() == 2 {
		bound = 17
	}
	coarse := fine
	for _, K := range c.Grids(fine) {
		if K <= bound {
			coarse = K
		}
	}
	return coarse
}
