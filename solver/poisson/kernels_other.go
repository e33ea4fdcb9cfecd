// Architectures without assembly.

//go:build !amd64

package poisson

import (
	"rfm/solver/fft"
	"rfm/solver/simd"
)

func kernelsFor(simd.Level, *fft.Plan) kernels { return genericKernels() }
