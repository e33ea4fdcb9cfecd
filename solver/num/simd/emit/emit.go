//go:build assembly

// Package emit contains the common parts of the generators of kernels: names for the usual instructions, and the
// transposition of blocks of eight columns. It is not part of the program.
package emit

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Bytes of a number, of a vector, and of one row of a block of eight columns.
const (
	NumberBytes = 8
	VectorBytes = 32
	RowBytes    = 64
)

// Wide says that vectors hold eight numbers (AVX-512) in place of four.
var Wide bool

// NewVector returns a new vector register.
func NewVector() VecVirtual {
	if Wide {
		return ZMM()
	}
	return YMM()
}

// Text begins a kernel. The documentation, if its contract is nowhere else, follows its name.
func Text(name, signature string, doc ...string) {
	TEXT(name, NOSPLIT, signature)
	loops = 0
	Pragma("noescape")
	for _, text := range doc {
		Doc(name + " " + text)
	}
}

// Argument loads a parameter.
func Argument(name string) GPVirtual { return Load(Param(name), GP64()).(GPVirtual) }

// Base returns the address of the first number of the slice.
func Base(slice string) Register { return Load(Param(slice).Base(), GP64()) }

// Count returns the number of numbers in the slice.
func Count(slice string) Register { return Load(Param(slice).Len(), GP64()) }

// Groups returns the number of groups of four or eight numbers that fill the slice.
func Groups(slice string, size int) Register {
	count := Count(slice)
	bits := map[int]uint64{4: 2, 8: 3}[size]
	SHRQ(Imm(bits), count)
	return count
}

// StrideBytes returns the parameter, a count of numbers, in bytes.
func StrideBytes(parameter string) GPVirtual {
	stride := Argument(parameter)
	SHLQ(Imm(3), stride)
	return stride
}

// At returns the address some bytes after the pointer.
func At(pointer Register, bytes int) Mem { return Mem{Base: pointer, Disp: bytes} }

// Indexed returns the address pointer + scale*index; the scale is 1, 2, 4 or 8.
func Indexed(pointer, index Register, scale int) Mem {
	return Mem{Base: pointer, Index: index, Scale: uint8(scale)}
}

// Triple returns a register with three times the number in x.
func Triple(x Register) GPVirtual {
	triple := GP64()
	LEAQ(Indexed(x, x, 2), triple)
	return triple
}

// Loop repeats the body count times, which may be zero, and leaves zero in count.
func Loop(count Register, body func()) {
	TESTQ(count, count)
	JZ(LabelRef("done"))
	Label("loop")
	body()
	DECQ(count)
	JNZ(LabelRef("loop"))
	Label("done")
}

var loops int // of Until, in the current kernel

// Until repeats the body, which advances the pointer, until the pointer is at the address stop.
func Until(pointer, stop Register, body func()) {
	loops++
	label := fmt.Sprint("next", loops)
	Label(label)
	body()
	CMPQ(pointer, stop)
	JNE(LabelRef(label))
}

// Advance adds a number of bytes to pointers.
func Advance(bytes int, pointers ...Register) {
	for _, pointer := range pointers {
		ADDQ(U32(bytes), pointer)
	}
}

// Leave ends a kernel that has used vectors.
func Leave() {
	VZEROUPPER()
	RET()
}

// LoadVector loads the numbers of a vector.
func LoadVector(m Mem) VecVirtual {
	x := NewVector()
	VMOVUPD(m, x)
	return x
}

// Broadcast loads one number into every lane.
func Broadcast(m Mem) VecVirtual {
	x := NewVector()
	VBROADCASTSD(m, x)
	return x
}

// BroadcastParameter loads the parameter, a number, into every lane.
func BroadcastParameter(name string) VecVirtual {
	address, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return Broadcast(address.Addr)
}

func combined(operation func(...Op), x VecVirtual, y Op) VecVirtual {
	z := NewVector()
	operation(y, x, z)
	return z
}

// Add returns x + y, Sub x - y and Mul x y.
func Add(x VecVirtual, y Op) VecVirtual { return combined(VADDPD, x, y) }
func Sub(x VecVirtual, y Op) VecVirtual { return combined(VSUBPD, x, y) }
func Mul(x VecVirtual, y Op) VecVirtual { return combined(VMULPD, x, y) }

// Zeros returns vectors of zeros.
func Zeros(n int) []VecVirtual {
	all := make([]VecVirtual, n)
	for i := range all {
		all[i] = YMM()
		VXORPD(all[i], all[i], all[i])
	}
	return all
}

// SumLanes stores (x0+x2) + (x1+x3) in lane 0 of x.
func SumLanes(x VecVirtual) {
	high := XMM()
	VEXTRACTF128(Imm(1), x, high)
	VADDPD(high, x.AsX(), x.AsX())
	VUNPCKHPD(x.AsX(), x.AsX(), high)
	VADDSD(high, x.AsX(), x.AsX())
}

// ReturnSum returns the sum of the lanes of x from the kernel.
func ReturnSum(x VecVirtual) {
	SumLanes(x)
	Store(x.AsX(), ReturnIndex(0))
	Leave()
}

// Rows addresses eight rows at a common stride.
type Rows struct {
	first, fifth         Register // addresses of the current numbers of these rows
	stride, threeStrides Register
}

// RowsOf addresses the eight rows that begin at multiples of the stride from the start of the slice.
func RowsOf(slice, stride string) Rows {
	r := Rows{
		first:  Base(slice),
		fifth:  GP64(),
		stride: StrideBytes(stride),
	}
	LEAQ(Indexed(r.first, r.stride, 4), r.fifth)
	r.threeStrides = Triple(r.stride)
	return r
}

// RowsAt addresses eight rows at multiples of the stride from the first; registers hold the address of the fifth, and
// three strides, too.
func RowsAt(first, fifth, stride, threeStrides Register) Rows {
	return Rows{first: first, fifth: fifth, stride: stride, threeStrides: threeStrides}
}

// At returns the address of the current numbers of row j.
func (r Rows) At(j int) Mem {
	m := At(r.first, 0)
	if j >= 4 {
		m.Base = r.fifth
	}
	switch j % 4 {
	case 1, 2:
		return m.Idx(r.stride, uint8(j%4))
	case 3:
		return m.Idx(r.threeStrides, 1)
	}
	return m
}

// Advance moves to the next four numbers of every row.
func (r Rows) Advance() {
	Advance(VectorBytes, r.first, r.fifth)
}

// Prefetch prefetches the data of eight iterations later: eight rows at a time are more streams than the hardware
// prefetcher follows.
func (r Rows) Prefetch() {
	for j := range 8 {
		PREFETCHT0(r.At(j).Offset(8 * VectorBytes))
	}
}

// TwoColumns returns columns j and j+1 of four rows of a block. Loads combine two rows in a register, which saves half
// of the shuffles.
func TwoColumns(block Register, j int) [2]VecVirtual {
	pair := func(row int) VecVirtual { // of this row and the next but one
		x := YMM()
		VMOVUPD(inBlock(block, row, j), x.AsX())
		VINSERTF128(Imm(1), inBlock(block, row+2, j), x, x)
		return x
	}
	even := pair(0)
	odd := pair(1)
	low := YMM()
	high := YMM()
	VUNPCKLPD(odd, even, low)
	VUNPCKHPD(odd, even, high)
	return [2]VecVirtual{low, high}
}

// StoreTwoColumns writes columns j and j+1 of four rows of a block.
func StoreTwoColumns(block Register, j int, x [2]VecVirtual) {
	even := YMM()
	odd := YMM()
	VUNPCKLPD(x[1], x[0], even)
	VUNPCKHPD(x[1], x[0], odd)
	for row, pair := range []VecVirtual{even, odd} {
		VMOVUPD(pair.AsX(), inBlock(block, row, j))
		VEXTRACTF128(Imm(1), pair, inBlock(block, row+2, j))
	}
}

// inBlock returns the address of column j of a row of a block of eight columns.
func inBlock(block Register, row, j int) Mem {
	return At(block, row*RowBytes+j*NumberBytes)
}
