package linalg

import (
	"fmt"

	"rfm/solver/simd"
)

// Combine adds to out the combination of the four features of a panel with the coefficients alpha:
//
//	out[r] += sum_{l < 4} alpha[l] * panel[4*r+l].
//
// It panics unless len(panel) = 4*len(out) and len(alpha) = 4.
func Combine(out, panel, alpha []float64) {
	if len(alpha) != 4 || len(panel) != 4*len(out) {
		panic(fmt.Sprintf("linalg: Combine of %d panel values with %d coefficients into %d values", len(panel), len(alpha),
			len(out)))
	}
	kernels{simd.Active()}.combine(out, panel, alpha)
}
