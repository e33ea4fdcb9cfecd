//go:build assembly

// Command gen writes the amd64 kernels of package neural; go generate runs it.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	numberBytes = 4
	vectorBytes = 32
)

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

// text begins a kernel.
func text(name, signature, doc string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(name + " " + doc)
}

// argument loads a parameter.
func argument(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// strideBytes returns a parameter, a count of numbers, in bytes.
func strideBytes(name string) GPVirtual {
	stride := argument(name)
	SHLQ(Imm(2), stride)
	return stride
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

func leave() {
	VZEROUPPER()
	RET()
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
