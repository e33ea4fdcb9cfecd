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
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
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
	open := Whole(bytes.NewReader(content), int64(len(content)))
	m, err := MemberOf("", "array", open)
	if err != nil {
		return Array{}, err
	}
	return m.Array()
}

// Write writes a as little-endian float64 in C order, format version 1, the header padded to 64 bytes.
func Write(w io.Writer, a Array) error {
	count, ok := Room(a.Shape)
	if !ok || count != len(a.Data) {
		panic(fmt.Sprintf("npy: shape %v for %d numbers", a.Shape, len(a.Data)))
	}
	return WriteParts(w, a.Shape, slices.Values([][]float64{a.Data}))
}

// WriteParts writes an array as Write does, with consecutive parts of its numbers.
func WriteParts(w io.Writer, shape Shape, parts iter.Seq[[]float64]) error {
	out := bufio.NewWriterSize(w, 1<<16)
	out.Write(Preamble(shape))
	var number [8]byte
	for part := range parts {
		for _, v := range part {
			binary.LittleEndian.PutUint64(number[:], math.Float64bits(v))
			out.Write(number[:]) // Flush reports the first failure
		}
	}
	return out.Flush()
}

// Preamble returns the beginning of a .npy file of little-endian float64 in C order: a multiple of 64 bytes.
func Preamble(shape Shape) []byte {
	dictionary := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %v, }", shape)
	const (
		align = 64
		fixed = len(magic) + 4 // bytes before the dictionary: magic, version, and its length
	)
	length := len(dictionary) + 1 // with a newline
	blanks := (align - (fixed+length)%align) % align
	head := []byte(magic + "\x01\x00")
	head = binary.LittleEndian.AppendUint16(head, uint16(length+blanks))
	return fmt.Appendf(head, "%s%*s\n", dictionary, blanks, "")
}

// Shape has the length of each axis of an array.
type Shape []int

// String returns the shape as Python writes it: (), (3,), (3, 4).
func (s Shape) String() string {
	text := fmt.Sprint([]int(s)) // [3 4]
	text = strings.Trim(strings.ReplaceAll(text, " ", ", "), "[]")
	if len(s) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16
	MaxRank   = 32 // of arrays in files of any format
)

// Count returns the number of elements of a shape that does not overflow.
func Count(shape []int) int {
	count, _ := Room(shape)
	return count
}

// Room returns the number of elements of a shape; ok is false if it exceeds every array.
func Room(shape []int) (count int, ok bool) {
	const most = 1 << 50
	if slices.Contains(shape, 0) {
		return 0, true
	}
	count = 1
	for _, n := range shape {
		if n < 0 || count > most/n {
			return 0, false
		}
		count *= n
	}
	return count, true
}

// Open opens content of size bytes.
type Open func() (in io.Reader, size int64, err error)

// Opener opens content whose size is known.
type Opener = func() (io.Reader, error)

// Whole opens all of a file of size bytes.
func Whole(file io.ReaderAt, size int64) Open {
	return func() (io.Reader, int64, error) {
		return io.NewSectionReader(file, 0, size), size, nil
	}
}

// Until returns content that is read until a context ends.
func Until(ctx context.Context, in io.ReaderAt) io.ReaderAt {
	return until{ctx: ctx, in: in}
}

type until struct {
	ctx context.Context
	in  io.ReaderAt
}

func (u until) ReadAt(p []byte, at int64) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.ReadAt(p, at)
}

// MemberOf describes an array in the .npy format by its header. It returns the errors of BlockOf.
func MemberOf(name, where string, open Open) (Member, error) {
	b, err := BlockOf(where, open)
	if err != nil {
		return Member{}, err
	}
	return b.Member(name, where), nil
}

// BlockOf locates the numbers of an array in the .npy format by its header. If the elements are real numbers, the size
// must match shape and type exactly. Errors are *fault.Data at where, and those of open.
func BlockOf(where string, open Open) (Block, error) {
	bad := func(what string, values ...any) (Block, error) {
		return Block{}, fault.Bad(where, "copy the file again, or write it with numpy.save", what, values...)
	}
	r, size, err := open()
	if err != nil {
		return Block{}, err
	}
	start := make([]byte, 8)
	_, err = io.ReadFull(r, start)
	if err != nil || string(start[:6]) != magic {
		return bad(`is not a .npy file: it does not begin with "\x93NUMPY"`)
	}
	major := int(start[6])
	if major < 1 || major > 3 {
		return bad("has .npy format version %d.%d, versions 1 to 3 are known", major, start[7])
	}
	lengthBytes := min(2*major, 4)
	lengthField := make([]byte, 4)
	_, err = io.ReadFull(r, lengthField[:lengthBytes])
	length := binary.LittleEndian.Uint32(lengthField)
	if length > maxHeader {
		return bad("has a header of %d bytes, want at most %d", length, maxHeader)
	}
	text := make([]byte, length)
	if err == nil {
		_, err = io.ReadFull(r, text)
	}
	if err != nil {
		return bad("is truncated in its header")
	}
	b, ok := parseHeader(string(text))
	if !ok {
		return bad("has a malformed header %q", printable.Cut(string(text), 80))
	}
	used := int64(8 + lengthBytes + len(text)) // bytes before the numbers
	width := int64(max(1, b.Type.Width))
	count, ok := Room(b.Shape)
	if !ok {
		return bad("shape %v is too large", b.Shape)
	}
	want := used + int64(count)*width
	if b.Type.Width > 0 && size != want {
		state := "is truncated"
		if size > want {
			state = "is too long"
		}
		return bad("%s: %d bytes where shape %v of %d-byte numbers needs %d", state, size, b.Shape, width, want)
	}
	b.Before = used
	b.Open = func() (io.Reader, error) {
		r, _, err := open()
		return r, err
	}
	return b, nil
}

// literals turns the literals of Python in a header into those of JSON, except for a comma before a bracket.
var literals = strings.NewReplacer("'", `"`, "True", "true", "False", "false", "(", "[", ")", "]")

var (
	lastComma = regexp.MustCompile(`,\s*([\]}])`)
	long      = regexp.MustCompile(`(\d)L\b`) // of Python 2
	records   = regexp.MustCompile(`(?s)(['"]descr['"]\s*:\s*)\[.*\]`)
)

// parseHeader reads {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }: these keys, in any order.
func parseHeader(text string) (b Block, ok bool) {
	var header struct {
		Descr   json.RawMessage
		Fortran *bool `json:"fortran_order"`
		Shape   Shape
	}
	content := records.ReplaceAllString(text, "$1[]")
	content = long.ReplaceAllString(content, "$1")
	content = lastComma.ReplaceAllString(literals.Replace(content), "$1")
	err := json.Unmarshal([]byte(content), &header)
	if err != nil || strings.Count(content, ":") != 3 {
		return b, false
	}
	if header.Descr == nil || header.Fortran == nil || header.Shape == nil {
		return b, false
	}
	isType := header.Descr[0] == '"' || header.Descr[0] == '[' // a code, or the fields of records
	isNegative := func(n int) bool { return n < 0 }
	if !isType || len(header.Shape) > MaxRank || slices.ContainsFunc(header.Shape, isNegative) {
		return b, false
	}
	return Block{
		Type:    TypeOf(strings.Trim(string(header.Descr), `"`)),
		Fortran: *header.Fortran,
		Shape:   header.Shape,
	}, true
}
