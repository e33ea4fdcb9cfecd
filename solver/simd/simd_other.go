// Other architectures have no kernels in assembly.

//go:build !amd64

package simd

func supported() Level { return Generic }
