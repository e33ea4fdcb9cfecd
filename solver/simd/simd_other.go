// There are no kernels for other architectures.

//go:build !amd64

package simd

func supported() Level { return Generic }
