// Linear combinations of the features of a panel, for many coefficient vectors.

package linalg

import (
	"fmt"

	"rfm/solver/simd"
)

// Combine adds to each of the given number of vectors the combination of features with that vector's coefficients. The
// features are in panels of four, one panel after the other. With rows = len(out)/vectors, for each panel p, vector q
// and row r it adds
//
//	sum_{l < 4} alpha[4*(p*vectors+q)+l] * panels[4*(p*rows+r)+l]
//
// to out, in which eight rows of all vectors are side by side, the rest of the rows in the end: [Combined] takes vector
// q out of it; a single vector is stored contiguously. Combine panics unless len(out) is a multiple of vectors,
// len(panels) = 4*rows times the number of panels and len(alpha) = 4*vectors times that. The result does not depend on
// how many panels are added in one call.
func Combine(out, panels, alpha []float64, vectors int) {
	count := len(alpha) / (4 * max(1, vectors))
	if len(alpha) != 4*vectors*count || vectors > 0 && len(out)%vectors != 0 || len(panels)*vectors != 4*len(out)*count {
		panic(fmt.Sprintf("linalg: Combine of %d panel values with %d coefficients into %d values for %d vectors",
			len(panels),
			len(alpha), len(out), vectors))
	}
	kernels{simd.Active()}.combine(out, panels, alpha, vectors)
}

// Combined copies vector q of the sums of Combine to dst, whose length is the number of rows.
func Combined(dst, out []float64, q, vectors int) {
	for first := 0; first < len(dst); first += combineRows {
		count := min(combineRows, len(dst)-first)
		copy(dst[first:first+count], out[first*vectors+q*count:])
	}
}

// combineRows is the number of rows that are side by side in the sums of Combine.
const combineRows = 8
