// This file selects the kernels in pure Go on architectures without assembly.

//go:build !amd64

package poisson

import "rfm/solver/simd"

func kernelsFor(simd.Level) kernels { return genericKernels }
