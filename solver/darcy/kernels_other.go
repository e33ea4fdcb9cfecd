// Architectures without assembly.

//go:build !amd64

package darcy

import "rfm/solver/simd"

func kernelsFor(simd.Level) kernels { return genericKernels() }
