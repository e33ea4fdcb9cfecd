package operator

import "rfm/solver/base/draw"

// Searches use the first pairs of one order, so that methods look at the same ones.
const (
	// searchPairs is the number of pairs that choose parameters: the best parameters change little with it, and the cost
	// grows with its cube.
	SearchPairs = 512
	// firstPairs is the number of pairs for a first look.
	FirstPairs = 128
	// lookPairs is the number of pairs that select transforms, and how layers begin. Those within a factor of lookFactor of
	// the least error are trained on all pairs.
	LookPairs  = 150
	LookFactor = 1.1
)

// PurposeSearch names the stream that draws the pairs for choosing parameters.
const PurposeSearch draw.Purpose = "method-search"

// The possible values of parameters that several kernels have: the frequency above which differences count less, the
// exponent of their weights, and the ridge.
var (
	Cutoffs = [...]float64{0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 23, 32}
	Decays  = [...]float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4}
	Ridges  = [...]float64{1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1}
)
