package npy

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/fault"
	"rfm/solver/printable"
)

// Type describes the storage of the elements of an array.
type Type struct {
	name  string // as NumPy calls it
	kind  Kind   // 0 unless the elements are supported real numbers
	width int    // bytes of an element; 0 unless they are
	big   bool   // most significant byte first
}

// ValueError is the error of a number in a sound file that the program cannot compute with.
type ValueError struct{ *fault.Data }

// Unwrap returns the *fault.Data, for errors.As.
func (e ValueError) Unwrap() error { return e.Data }

// Kind is a kind of real numbers.
type Kind byte

// The supported kinds of real numbers.
const (
	Bool     Kind = 'b' // one byte, 0 or 1
	Signed   Kind = 'i' // integers of 1, 2, 4 or 8 bytes
	Unsigned Kind = 'u' // the same
	Float    Kind = 'f' // IEEE 754, 2, 4 or 8 bytes
)

// widths lists the possible sizes in bytes of numbers of each kind.
var widths = map[Kind][]int{Bool: {1}, Signed: {1, 2, 4, 8}, Unsigned: {1, 2, 4, 8}, Float: {2, 4, 8}}

// Number returns the type of real numbers of width bytes, the most significant first if big. The result is not Real if
// the type does not exist.
func Number(kind Kind, width int, big bool) Type {
	t := Type{name: names[kind], big: big && width > 1}
	if kind != Bool && kind != 'O' {
		t.name += strconv.Itoa(8 * width)
	}
	if slices.Contains(widths[kind], width) {
		t.kind, t.width = kind, width
	}
	return t
}

// String returns NumPy's name of the type, such as float64, int32, bool or complex128, and appends ", big-endian" if it
// is.
func (t Type) String() string {
	if t.big {
		return t.name + ", big-endian"
	}
	return t.name
}

// Real reports whether the elements are real numbers that can be read.
func (t Type) Real() bool { return t.kind != 0 }

// Bytes returns the number of bytes of an element; 0 if it is not Real.
func (t Type) Bytes() int { return t.width }

// names are NumPy's names of kinds, without the number of bits.
var names = map[Kind]string{Bool: "bool", Signed: "int", Unsigned: "uint", Float: "float", 'c': "complex", 'O': "object"}

// typeOf returns the type of a dtype in a header: a text such as "<f8", or the list of a structured type's fields.
func typeOf(dtype string) Type {
	descr := strings.Trim(dtype, `"`)
	code := strings.TrimLeft(descr, "<>|=")
	if strings.HasPrefix(dtype, "[") {
		return Type{name: "structured"}
	}
	if code == "" || names[Kind(code[0])] == "" {
		return Type{name: strconv.Quote(printable.Cut(descr, 80))}
	}
	width, err := strconv.Atoi(code[1:])
	t := Number(Kind(code[0]), width, descr[0] == '>')
	if ordered := width == 1 || descr[0] == '<' || descr[0] == '>'; err != nil || !ordered {
		t.kind, t.width = 0, 0
	}
	return t
}

// Check returns a *fault.Data at where with the reason if elements of the type are unreadable, or nil if they are Real.
func (t Type) Check(where string) error {
	switch {
	case t.Real():
		return nil
	case strings.HasPrefix(t.name, "complex"):
		return fault.Bad(where, "save its real part: numpy.save(name, array.real)",
			"holds complex numbers (%s), real ones are needed", t.name)
	case t.name == "object":
		return fault.Bad(where, "make it an array of numbers: numpy.save(name, numpy.array(array.tolist(), dtype='float64'))",
			"holds pickled Python objects, which are never loaded")
	case t.name == "structured":
		return fault.Bad(where, "save each field as an array of its own: "+
			"numpy.savez('pairs.npz', **{k: array[k] for k in array.dtype.names})", "holds records, not plain numbers")
	}
	return fault.Bad(where, "convert it with array.astype('float64')",
		"holds elements of type %s; floats of 2, 4 or 8 bytes, integers and bool are read", t.name)
}

// Decode converts bytes to len(values) numbers. It returns the index and a description of the first number that float64
// cannot represent, or -1.
func (t Type) Decode(values []float64, b []byte) (at int, what string) {
	const exact = 1 << 53 // the largest integer up to which float64 represents all of them
	switch {              // nearly all files
	case t.kind == Float && t.width == 8 && !t.big:
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		return -1, ""
	case t.kind == Float && t.width == 4 && !t.big:
		for i := range values {
			values[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
		}
		return -1, ""
	}
	for i := range values {
		bits := t.bits(b[i*t.width:])
		signed := int64(bits<<(64-8*t.width)) >> (64 - 8*t.width)
		switch {
		case t.kind == Float && t.width == 8:
			values[i] = math.Float64frombits(bits)
		case t.kind == Float && t.width == 4:
			values[i] = float64(math.Float32frombits(uint32(bits)))
		case t.kind == Float:
			values[i] = half(uint16(bits))
		case t.kind == Bool && bits > 1:
			return i, fmt.Sprintf("the byte %d, which is not a bool", bits)
		case t.kind != Signed && bits > exact:
			return i, fmt.Sprintf("the integer %d, beyond 2^53, which float64 does not represent", bits)
		case t.kind != Signed:
			values[i] = float64(bits)
		case signed > exact || signed < -exact:
			return i, fmt.Sprintf("the integer %d, beyond 2^53, which float64 does not represent", signed)
		default:
			values[i] = float64(signed)
		}
	}
	return -1, ""
}

// bits returns the bits of the element at the start of b.
func (t Type) bits(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b[:t.width])
	if t.big {
		slices.Reverse(word[:t.width])
	}
	return binary.LittleEndian.Uint64(word[:])
}

// half converts a number of IEEE 754's binary16: a sign, 5 bits of the exponent, 10 of the fraction. These are fields
// of a binary32 number, whose exponent has another bias.
func half(bits uint16) float64 {
	value := float64(math.Float32frombits(uint32(bits&0x8000)<<16|uint32(bits&0x7fff)<<13)) * 0x1p112
	switch magnitude := bits & 0x7fff; {
	case magnitude == 0x7c00:
		return value * math.Inf(1)
	case magnitude > 0x7c00:
		return math.NaN()
	}
	return value
}
