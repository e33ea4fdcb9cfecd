// Detection on amd64. The cpu package already accounts for what the operating
// system saves on a context switch.

package simd

import "golang.org/x/sys/cpu"

func supported() Level {
	switch x := &cpu.X86; {
	case !x.HasAVX2 || !x.HasFMA:
		return Generic
	case x.HasAVX512F && x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512BW:
		return AVX512
	default:
		return AVX2
	}
}
