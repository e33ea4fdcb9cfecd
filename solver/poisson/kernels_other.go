// Architectures without assembly.

//go:build !amd64

package poisson

import "rfm/solver/simd"

func kernelsFor(simd.Level) kernels { return genericKernels }
