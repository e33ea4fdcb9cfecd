// Linear combinations of the features of a panel, for many coefficient vectors.

package linalg

import (
	"fmt"

	"rfm/solver/simd"
)

// Combine adds to each of the given number of vectors the combination of the four
// features of a panel with that vector's coefficients. With rows = len(panel)/4,
//
//	out[q*rows+r] += sum_{l < 4} alpha[q*4+l] * panel[4*r+l],  q < vectors.
//
// It panics unless len(panel) is a multiple of 4, len(out) = vectors*rows and
// len(alpha) = 4*vectors.
func Combine(out, panel, alpha []float64, vectors int) {
	rows := len(panel) / 4
	if len(panel) != 4*rows || len(out) != vectors*rows || len(alpha) != 4*vectors {
		panic(fmt.Sprintf("linalg: Combine of %d panel values with %d coefficients into %d values for %d vectors", len(panel),
			len(alpha), len(out), vectors))
	}
	kernels{simd.Active()}.combine(out, panel, alpha, vectors)
}
