// Package npy reads and writes arrays of real numbers in NumPy's .npy format, versions 1 to 3: floats of two, four and
// eight bytes, integers of one to eight and bool, either byte order, C or Fortran order. It is strict: the header must
// be well-formed and the file exactly as long as the header implies, and both are checked before memory is allocated.
//
// An array in memory has eight bytes an element, so reading one allocates at most twice the file's size for numbers of
// four or eight bytes, and 8/w times for numbers of w < 4 bytes. Scan reads some of the numbers, in any arrangement, of
// an array in a file of any format, and allocates less than 1 MiB.
package npy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Array is an array in C order: the last index varies fastest.
type Array struct {
	Shape Shape
	Data  []float64
}

// Named is an array with its name in an archive.
type Named struct {
	Name string
	Array
}

// Read reads an array from the content of a .npy file. Errors are *fault.Data.
func Read(content []byte) (Array, error) {
	m, err := MemberOf("", "array", Whole(bytes.NewReader(content), int64(len(content))))
	if err != nil {
		return Array{}, err
	}
	return m.Array()
}

// Write writes a as little-endian float64 in C order, format version 1, the header padded to 64 bytes.
func Write(w io.Writer, a Array) error {
	if count, ok := Room(a.Shape); !ok || count != len(a.Data) {
		panic(fmt.Sprintf("npy: shape %v for %d numbers", a.Shape, len(a.Data)))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(Preamble(a.Shape))
	var number [8]byte
	for _, v := range a.Data {
		binary.LittleEndian.PutUint64(number[:], math.Float64bits(v))
		out.Write(number[:])
	}
	return out.Flush()
}

// Preamble returns the beginning of a .npy file of little-endian float64 in C order, up to the first number. Its length
// is a multiple of 64 bytes.
func Preamble(shape Shape) []byte {
	dictionary := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %v, }", shape)
	const align, fixed = 64, len(magic) + 4
	blanks := (align - (fixed+len(dictionary)+1)%align) % align
	var head bytes.Buffer
	head.WriteString(magic + "\x01\x00")
	head.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(dictionary)+blanks+1)))
	head.WriteString(dictionary + strings.Repeat(" ", blanks) + "\n")
	return head.Bytes()
}

// Shape has the length of each axis of an array.
type Shape []int

// String returns the shape as Python writes it: (), (3,), (3, 4).
func (s Shape) String() string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint([]int(s)), " ", ", "), "[]")
	if len(s) == 1 {
		text += ","
	}
	return "(" + text + ")"
}
