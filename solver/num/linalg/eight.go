// Sums over blocks, whose rows have eight numbers each, one for each function.

package linalg

import (
	"fmt"

	"rfm/solver/num/simd"
)

// Eight is a row of a block.
type Eight = [columnLanes]float64

// FoldRows separates the even and the odd part of functions with values at points that lie symmetrically, points x 8: in the first
// half of the points, even is the value there plus that at the mirrored point, and odd the difference. In the middle they are the
// value and 0. It panics if even or odd are too short.
func FoldRows(even, odd, values []float64) {
	points, half := halves(values, even, odd)
	pairs := points / 2
	if pairs > 0 {
		kernels{simd.Active()}.foldRows(pairs, values, even, odd)
	}
	if pairs < half {
		*eight(even, pairs) = *eight(values, pairs)
		*eight(odd, pairs) = Eight{}
	}
}

// UnfoldRows sets values to even + odd in the first half of the points, and to even - odd at the mirrored points. In the middle
// there is no odd part.
func UnfoldRows(values, even, odd []float64) {
	points, half := halves(values, even, odd)
	pairs := points / 2
	if pairs > 0 {
		kernels{simd.Active()}.unfoldRows(pairs, even, odd, values)
	}
	if pairs < half {
		*eight(values, pairs) = *eight(even, pairs)
	}
}

// halves returns the points of values, and those up to the middle, which even and odd must have.
func halves(values, even, odd []float64) (points, half int) {
	points = len(values) / columnLanes
	half = (points + 1) / 2
	if len(even) < half*columnLanes || len(odd) < half*columnLanes {
		panic(fmt.Sprintf("linalg: halves of %d and %d numbers, of %d", len(even), len(odd), len(values)))
	}
	return points, half
}

// eight returns a row of a block.
func eight(block []float64, row int) *Eight { return (*Eight)(block[row*columnLanes:]) }

// AddScaled adds c times a block to another one. It panics if the lengths differ.
func AddScaled(dst []float64, c float64, src []float64) {
	if len(src) != len(dst) {
		panic(fmt.Sprintf("linalg: %d numbers times a factor, into %d", len(src), len(dst)))
	}
	kernels{simd.Active()}.axpy(c, src, dst)
}

// AddSquares adds the squares in the rows of a block times the weights of the rows to the sums. It panics unless each row has a
// weight.
func AddSquares(sums *Eight, weights, block []float64) {
	if len(block) != columnLanes*len(weights) {
		panic(fmt.Sprintf("linalg: %d weights of %d numbers", len(weights), len(block)))
	}
	if len(weights) > 0 {
		kernels{simd.Active()}.addSquares(sums, weights, block)
	}
}

// foldRowsGeneric is FoldRows for pairs of rows in pure Go.
func foldRowsGeneric(pairs int, values, even, odd []float64) {
	points := len(values) / columnLanes
	for i := range pairs {
		near := eight(values, i)
		far := eight(values, points-1-i)
		ofEven := eight(even, i)
		ofOdd := eight(odd, i)
		for l := range near {
			ofEven[l] = near[l] + far[l]
			ofOdd[l] = near[l] - far[l]
		}
	}
}

// unfoldRowsGeneric is UnfoldRows for pairs of rows in pure Go.
func unfoldRowsGeneric(pairs int, even, odd, values []float64) {
	points := len(values) / columnLanes
	for i := range pairs {
		near := eight(values, i)
		far := eight(values, points-1-i)
		ofEven := eight(even, i)
		ofOdd := eight(odd, i)
		for l := range near {
			near[l] = ofEven[l] + ofOdd[l]
			far[l] = ofEven[l] - ofOdd[l]
		}
	}
}

// addSquaresGeneric is AddSquares in pure Go.
func addSquaresGeneric(sums *Eight, weights, block []float64) {
	for row, weight := range weights {
		for l, x := range eight(block, row) {
			sums[l] += weight * x * x
		}
	}
}
