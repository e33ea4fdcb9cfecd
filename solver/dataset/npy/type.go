package npy

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/fault"
)

// Type is how the elements of an array are stored.
type Type struct {
	name  string // as NumPy calls it
	kind  Kind   // 0 if the elements are no real numbers that are read
	width int    // bytes of an element; 0 if unknown
	big   bool   // most significant byte first
}

// ValueError says that a number of a sound file is none of those that are computed with.
type ValueError struct{ *fault.Data }

// Unwrap returns the *fault.Data.
func (e ValueError) Unwrap() error { return e.Data }

// BadValue is the error of a value at where; what says which it is.
func BadValue(where, what string) error {
	return ValueError{&fault.Data{Where: where, What: what,
		Do: "convert it with array.astype('float64') if that is meant"}}
}

// Kind is a kind of real numbers.
type Kind byte

// The kinds of real numbers that are read.
const (
	Bool     Kind = 'b' // one byte, 0 or 1
	Signed   Kind = 'i' // integers of 1, 2, 4 or 8 bytes
	Unsigned Kind = 'u' // the same
	Float    Kind = 'f' // IEEE 754, 2, 4 or 8 bytes
)

// widths are the bytes that numbers of a kind can have.
func (k Kind) widths() []int {
	switch k {
	case Bool:
		return []int{1}
	case Signed, Unsigned:
		return []int{1, 2, 4, 8}
	case Float:
		return []int{2, 4, 8}
	}
	return nil
}

// Number is the type of real numbers of width bytes, the most significant first if big. It panics if there is no such
// type.
func Number(kind Kind, width int, big bool) Type {
	if !slices.Contains(kind.widths(), width) {
		panic(fmt.Sprintf("npy: no numbers of kind %q have %d bytes", kind, width))
	}
	return Type{name: typeName(byte(kind), width), kind: kind, width: width, big: big && width > 1}
}

// String is NumPy's name of the type, as float64, int32, bool or complex128, followed by ", big-endian" where that is
// so.
func (t Type) String() string {
	if t.big {
		return t.name + ", big-endian"
	}
	return t.name
}

// Real says whether the elements are real numbers that can be read.
func (t Type) Real() bool { return t.kind != 0 }

// Bytes is the number of bytes of an element; 0 if it is not Real.
func (t Type) Bytes() int {
	if !t.Real() {
		return 0
	}
	return t.width
}

func typeName(kind byte, width int) string {
	names := map[byte]string{'i': "int", 'u': "uint", 'f': "float", 'c': "complex"}
	switch kind {
	case 'b':
		return "bool"
	case 'O':
		return "object"
	case 'S', 'a':
		return "bytes"
	case 'U':
		return "str"
	case 'M':
		return "datetime64"
	case 'm':
		return "timedelta64"
	case 'V':
		return "void"
	}
	if name, ok := names[kind]; ok && 0 < width && width <= 32 {
		return name + strconv.Itoa(8*width)
	}
	return ""
}

// parseType reads a dtype: a string as '<f8', or the list of a structured type's fields.
func parseType(s string) (t Type, rest string, ok bool) {
	if strings.HasPrefix(s, "[") {
		rest, ok = skipList(s)
		return Type{name: "structured"}, rest, ok
	}
	descr, rest, ok := quoted(s)
	if !ok {
		return t, rest, false
	}
	order, code := "", descr
	if descr != "" && strings.Contains("<>|=", descr[:1]) {
		order, code = descr[:1], descr[1:]
	}
	if code == "" {
		return t, rest, false
	}
	width, err := strconv.Atoi(code[1:])
	ordered := width == 1 || order == "<" || order == ">"
	if kind := Kind(code[0]); err == nil && ordered && slices.Contains(kind.widths(), width) {
		return Number(kind, width, order == ">"), rest, true
	}
	if t.name = typeName(code[0], width); t.name == "" {
		t.name = strconv.Quote(shorten(descr))
	}
	return t, rest, true
}

// skipList returns what follows the bracketed list that s begins with.
func skipList(s string) (rest string, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '(':
			depth++
		case ']', ')':
			if depth--; depth == 0 {
				return s[i+1:], true
			}
		case '\'', '"':
			end := strings.IndexByte(s[i+1:], s[i])
			if end < 0 {
				return "", false
			}
			i += end + 1
		}
	}
	return "", false
}

// Check is why elements of the type cannot be read, nil if they are Real. The error is a *fault.Data at where.
func (t Type) Check(where string) error {
	bad := func(what, do string) error { return &fault.Data{Where: where, What: what, Do: do} }
	switch {
	case t.Real():
		return nil
	case strings.HasPrefix(t.name, "complex"):
		return bad(fmt.Sprintf("holds complex numbers (%s), real ones are needed", t.name),
			"save its real part: numpy.save(name, array.real)")
	case t.name == "object":
		return bad("holds pickled Python objects, which are never loaded",
			"make it an array of numbers: numpy.save(name, numpy.array(array.tolist(), dtype='float64'))")
	case t.name == "structured":
		return bad("holds records, not plain numbers",
			"save each field as an array of its own: numpy.save(name, array['field'])")
	}
	return bad(fmt.Sprintf("holds elements of type %s; floats of 2, 4 or 8 bytes, integers and bool are read", t.name),
		"convert it with array.astype('float64')")
}

// exact is the largest integer up to which float64 represents all of them.
const exact = 1 << 53

// Decode turns bytes into len(values) numbers. It changes the bytes of big-endian numbers. If one is not representable,
// the index of the first and what it is are returned, else -1.
func (t Type) Decode(values []float64, b []byte) (at int, what string) {
	if t.big {
		reverse(b, t.width)
	}
	little := binary.LittleEndian
	switch {
	case t.kind == Float && t.width == 8:
		for i := range values {
			values[i] = math.Float64frombits(little.Uint64(b[8*i:]))
		}
	case t.kind == Float && t.width == 2:
		for i := range values {
			values[i] = half(little.Uint16(b[2*i:]))
		}
	case t.kind == Float:
		for i := range values {
			values[i] = float64(math.Float32frombits(little.Uint32(b[4*i:])))
		}
	case t.kind == Bool:
		for i := range values {
			if b[i] > 1 {
				return i, fmt.Sprintf("the byte %d, which is no bool", b[i])
			}
			values[i] = float64(b[i])
		}
	case t.kind == Unsigned && t.width == 1:
		for i := range values {
			values[i] = float64(b[i])
		}
	case t.kind == Unsigned && t.width == 2:
		for i := range values {
			values[i] = float64(little.Uint16(b[2*i:]))
		}
	case t.kind == Unsigned && t.width == 4:
		for i := range values {
			values[i] = float64(little.Uint32(b[4*i:]))
		}
	case t.kind == Unsigned:
		for i := range values {
			n := little.Uint64(b[8*i:])
			if n > exact {
				return i, fmt.Sprintf("the integer %d, beyond 2^53, which float64 does not represent", n)
			}
			values[i] = float64(n)
		}
	case t.width == 1:
		for i := range values {
			values[i] = float64(int8(b[i]))
		}
	case t.width == 2:
		for i := range values {
			values[i] = float64(int16(little.Uint16(b[2*i:])))
		}
	case t.width == 4:
		for i := range values {
			values[i] = float64(int32(little.Uint32(b[4*i:])))
		}
	default:
		for i := range values {
			n := int64(little.Uint64(b[8*i:]))
			if n > exact || n < -exact {
				return i, fmt.Sprintf("the integer %d, beyond 2^53, which float64 does not represent", n)
			}
			values[i] = float64(n)
		}
	}
	return -1, ""
}

// half is a number of IEEE 754's binary16: a sign, 5 bits of the exponent, 10 of the fraction.
func half(bits uint16) float64 {
	const bias, digits = 15, 10
	exponent, fraction := int(bits>>digits&0x1f), float64(bits&0x3ff)
	value := 0.0
	switch {
	case exponent == 0x1f && fraction != 0:
		return math.NaN()
	case exponent == 0x1f:
		value = math.Inf(1)
	case exponent == 0:
		value = math.Ldexp(fraction, 1-bias-digits)
	default:
		value = math.Ldexp(fraction+1<<digits, exponent-bias-digits)
	}
	if bits>>15 != 0 {
		return -value
	}
	return value
}

// reverse reverses the bytes of each element.
func reverse(b []byte, width int) {
	for ; len(b) >= width; b = b[width:] {
		slices.Reverse(b[:width])
	}
}
