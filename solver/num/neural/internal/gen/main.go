//go:build assembly

// Command gen writes the amd64 kernels of package neural; go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	. "rfm/solver/num/simd/emit"
)

// singleBytes are the bytes of a number of single precision.
const singleBytes = 4

func main() {
	product(3)
	product(1)
	dots()
	spectra("spectraAVX2", false)
	spectra("conjugateSpectraAVX2", true)
	gelu()
	adam()
	multiply()
	accumulate()
	Generate()
}

// strideBytes returns a parameter, a count of numbers, in bytes.
func strideBytes(name string) GPVirtual {
	stride := Argument(name)
	SHLQ(Imm(2), stride)
	return stride
}

// advance adds a number of bytes to pointers.
func advance(bytes uint64, pointers ...Register) {
	for _, pointer := range pointers {
		ADDQ(Imm(bytes), pointer)
	}
}

// zeros returns vectors of zeros.
func zeros(n int) []VecVirtual {
	all := make([]VecVirtual, n)
	for i := range all {
		all[i] = YMM()
		VXORPS(all[i], all[i], all[i])
	}
	return all
}

var constants = map[string]Mem{} // by their names, because each is stored once

// number returns the address of a constant.
func number(name string, c Constant) Mem {
	at, stored := constants[name]
	if !stored {
		at = ConstData(name, c)
		constants[name] = at
	}
	return at
}

// constant returns a vector with one number in every lane.
func constant(x float32) VecVirtual {
	v := YMM()
	VBROADCASTSS(number(nameOf(x), F32(x)), v)
	return v
}
