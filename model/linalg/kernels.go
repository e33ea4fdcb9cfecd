// The kernels at one level of instructions.

package linalg

import "rfm/solver/simd"

// kernels computes with the instructions of one level.
type kernels struct{ level simd.Level }
