// Architectures without assembly.

//go:build !amd64

package fft

import "rfm/solver/simd"

func kernelsFor(_ simd.Level, first int) kernels { return genericKernels(first) }
