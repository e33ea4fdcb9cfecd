// Package simd selects the vector instructions of the numerical kernels.
//
// Every kernel of this program exists twice: in assembly for the instruction sets named here, and in pure Go for every
// other processor. The packages that own kernels ask Active once and keep the result.
package simd

import (
	"os"
	"runtime"
	"sync"

	"golang.org/x/sys/cpu"
)

// Level is a set of vector instructions, each level including the previous ones.
type Level int

const (
	// Generic kernels are written in pure Go and run everywhere.
	Generic Level = iota
	// AVX2 kernels use 256-bit vectors and fused multiply-add (AVX2 and FMA).
	AVX2
	// AVX512 kernels use 512-bit vectors (AVX-512 F, VL, DQ and BW) in addition to AVX2 and FMA.
	AVX512
)

// EnvironmentVariable names the variable that caps the level: "off" selects Generic, "avx2" allows no more than AVX2,
// any other value allows all levels of the processor. It is read once, at the first call of Active.
const EnvironmentVariable = "RFM_SIMD"

// Active returns the highest level that the processor and the operating system support and that EnvironmentVariable
// allows. The result is constant while the program runs. It is Generic on every architecture except amd64.
func Active() Level { return active() }

var active = sync.OnceValue(func() Level {
	return capped(supported(), os.Getenv(EnvironmentVariable))
})

// supported returns the level of the processor. Package cpu accounts for the registers that the operating system saves
// on a context switch.
func supported() Level {
	switch x := &cpu.X86; {
	case runtime.GOARCH != "amd64" || !x.HasAVX2 || !x.HasFMA:
		return Generic
	case x.HasAVX512F && x.HasAVX512VL && x.HasAVX512DQ && x.HasAVX512BW:
		return AVX512
	}
	return AVX2
}

func capped(level Level, setting string) Level {
	switch setting {
	case "off":
		return Generic
	case "avx2":
		return min(level, AVX2)
	default:
		return level
	}
}

// Choose returns the kernels for a level: those in pure Go, or those in vector instructions from AVX2 on.
func Choose[K any](level Level, generic, vector K) K {
	if level < AVX2 {
		return generic
	}
	return vector
}

// String returns the level for people: "pure Go", "AVX2+FMA" or "AVX-512".
func (l Level) String() string {
	switch l {
	case AVX2:
		return "AVX2+FMA"
	case AVX512:
		return "AVX-512"
	default:
		return "pure Go"
	}
}
