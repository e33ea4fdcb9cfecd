package npy

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/cursor"
)

// Type describes the storage of the elements of an array.
type Type struct {
	Name  string // of NumPy, such as float64, int32, bool or complex128, with ", big-endian" appended if they are
	kind  byte   // b, i, u, f or c as in NumPy's codes, B for bfloat16
	Width int    // bytes of an element; 0 unless the elements are numbers that can be read
	big   bool   // most significant byte first
	part  part   // of complex numbers, see Decoded
}

// ValueError is the error of a number in a sound file that the program cannot compute with.
type ValueError struct{ *fault.Data }

// Unwrap returns the *fault.Data, for errors.As.
func (e ValueError) Unwrap() error { return e.Data }

// readable lists the codes of the numbers that can be read, without their byte order.
const readable = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16"

// BFloat16 is the type of bfloat16: the upper half of a float of four bytes, the least significant byte first.
var BFloat16 = Type{Name: "bfloat16", kind: 'B', Width: 2}

// TypeOf returns the type with a code of NumPy, such as "<f8", or that of records, whose code is a list.
func TypeOf(code string) Type {
	number := strings.TrimLeft(code, "<>|=")
	name := names[number[:min(1, len(number))]]
	switch {
	case strings.HasPrefix(code, "["):
		return Type{Name: "structured"}
	case name == "":
		return Type{Name: strconv.Quote(printable.Cut(code, 80))}
	}
	width, _ := strconv.Atoi(number[1:])
	t := Type{Name: name, big: code[0] == '>' && width > 1}
	if name != "bool" && name != "object" {
		t.Name += strconv.Itoa(8 * width)
	}
	if t.big {
		t.Name += ", big-endian"
	}
	ordered := width == 1 || code[0] == '<' || code[0] == '>'
	if ordered && slices.Contains(strings.Fields(readable), number) {
		t.kind = number[0]
		t.Width = width
	}
	return t
}

// names are NumPy's names of kinds, without the number of bits.
var names = map[string]string{
	"b": "bool",
	"i": "int",
	"u": "uint",
	"f": "float",
	"c": "complex",
	"O": "object",
}

// Unsigned returns the type of integers without sign that have as many bytes.
func (t Type) Unsigned() Type {
	if t.kind == 'i' {
		t.kind = 'u'
		t.Name = "u" + t.Name
	}
	return t
}

// Round returns the number of the type that is nearest to v: a float of four bytes holds few numbers exactly.
func (t Type) Round(v float64) float64 {
	if t.kind == 'f' && t.Width == 4 {
		return float64(float32(v))
	}
	return v
}

// Check returns a *fault.Data at where with the reason if elements of the type are unreadable, or nil.
func (t Type) Check(where string) error {
	switch {
	case t.Width > 0:
		return nil
	case strings.HasPrefix(t.Name, "complex"):
		return fault.Bad(
			where,
			"convert it with array.astype('complex128')",
			"holds complex numbers of type %s, want those of at most 16 bytes", t.Name,
		)
	case t.Name == "object":
		return fault.Bad(
			where,
			"save the arrays in it as arrays of numbers",
			"holds pickled Python objects, which are never loaded",
		)
	case t.Name == "structured":
		return fault.Bad(
			where,
			"save each field as an array of its own: "+
				"numpy.savez('pairs.npz', **{k: array[k] for k in array.dtype.names})",
			"holds records, not plain numbers",
		)
	}
	return fault.Bad(
		where,
		"if they are numbers, convert it with array.astype('float64')",
		"holds elements of type %s, want real numbers of at most 8 bytes", t.Name,
	)
}

// Decode converts bytes to numbers. It returns the index and a text of the first that float64 cannot represent, or -1.
func (t Type) Decode(values []float64, b []byte) (at int, what string) {
	const exact = 1 << 53 // the largest integer up to which float64 represents all of them
	switch {              // nearly all files
	case t.kind == 'f' && t.Width == 8 && !t.big:
		for i := range values {
			values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
		return -1, ""
	case t.kind == 'f' && t.Width == 4 && !t.big:
		for i := range values {
			bits := binary.LittleEndian.Uint32(b[4*i:])
			values[i] = float64(math.Float32frombits(bits))
		}
		return -1, ""
	}
	if t.kind == 'c' && t.part == 0 {
		return 0, "a complex number, of which no part is chosen"
	}
	if t.kind == 'c' {
		t.decodePart(values, b)
		return -1, ""
	}
	elements := cursor.Cursor{Rest: b, Big: t.big}
	unused := 64 - 8*t.Width // bits
	for i := range values {
		bits := elements.Uint(t.Width)
		signed := int64(bits<<unused) >> unused
		switch {
		case t.kind == 'f' && t.Width == 8:
			values[i] = math.Float64frombits(bits)
		case t.kind == 'f' && t.Width == 4:
			values[i] = float64(math.Float32frombits(uint32(bits)))
		case t.kind == 'f':
			values[i] = half(uint16(bits))
		case t.kind == 'B':
			values[i] = float64(math.Float32frombits(uint32(bits) << 16))
		case t.kind == 'b' && bits > 1:
			return i, fmt.Sprintf("the byte %d, which is not a bool", bits)
		case t.kind != 'i' && bits <= exact:
			values[i] = float64(bits)
		case t.kind == 'i' && -exact <= signed && signed <= exact:
			values[i] = float64(signed)
		default:
			number := strconv.FormatUint(bits, 10)
			if t.kind == 'i' {
				number = strconv.FormatInt(signed, 10)
			}
			return i, fmt.Sprintf("the integer %s, beyond 2^53, which float64 does not represent", number)
		}
	}
	return -1, ""
}

// decodePart converts the bytes of complex numbers to their parts.
func (t Type) decodePart(values []float64, b []byte) {
	elements := cursor.Cursor{Rest: b, Big: t.big}
	width := t.Width / 2
	for i := range values {
		bits := elements.Uint(width)
		other := elements.Uint(width)
		if t.part == imaginaryPart {
			bits = other
		}
		if width == 8 {
			values[i] = math.Float64frombits(bits)
		} else {
			values[i] = float64(math.Float32frombits(uint32(bits)))
		}
	}
}

// half converts binary16: a sign, 5 bits of exponent, 10 of fraction, which are fields of binary32 with another bias.
func half(bits uint16) float64 {
	single := uint32(bits&0x8000)<<16 | uint32(bits&0x7fff)<<13
	if bits&0x7c00 == 0x7c00 { // infinite, or NaN
		return float64(math.Float32frombits(single | 0x7f800000))
	}
	return float64(math.Float32frombits(single)) * 0x1p112
}
