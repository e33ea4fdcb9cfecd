// This file reads the header of a .npy file: a magic string, a version, a length, and a Python dictionary literal.

package npy

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/fault"
	"rfm/solver/printable"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy refuses larger headers by default
	maxRank   = 32
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

// Whole opens all of a file of size bytes.
func Whole(file io.ReaderAt, size int64) Open {
	return func() (io.Reader, int64, error) { return io.NewSectionReader(file, 0, size), size, nil }
}

// Until returns content that is read until a context ends.
func Until(ctx context.Context, in io.ReaderAt) io.ReaderAt { return until{ctx, in} }

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

// ReadHeader reads the header of a .npy file. If the elements are real numbers, its size must match shape and type
// exactly. Errors are *fault.Data at where, and those of open.
func ReadHeader(open Open, where string) (Block, error) {
	bad := func(what string, values ...any) (Block, error) {
		return Block{}, fault.Bad(where, "copy the file again, or write it with numpy.save", what, values...)
	}
	r, size, err := open()
	if err != nil {
		return Block{}, err
	}
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != magic {
		return bad(`is not a .npy file: it does not begin with "\x93NUMPY"`)
	}
	if start[6] < 1 || start[6] > 3 {
		return bad("has .npy format version %d.%d, versions 1 to 3 are known", start[6], start[7])
	}
	lengthBytes := min(2*int(start[6]), 4)
	field := make([]byte, 4)
	if _, err := io.ReadFull(r, field[:lengthBytes]); err != nil {
		return bad("is truncated in its header")
	}
	length := binary.LittleEndian.Uint32(field)
	if length > maxHeader {
		return bad("has a header of %d bytes, at most %d are accepted", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return bad("is truncated in its header")
	}
	b, ok := parseHeader(string(text))
	if !ok {
		return bad("has a malformed header %q", printable.Cut(string(text), 80))
	}
	count, ok := Room(b.Shape)
	used, width := int64(8+lengthBytes+len(text)), int64(max(1, b.Type.width))
	if !ok || int64(count) > (math.MaxInt64-used)/width {
		return bad("shape %v is too large", b.Shape)
	}
	if want := used + int64(count)*width; b.Type.Real() && size != want {
		state := "is truncated"
		if size > want {
			state = "is too long"
		}
		return bad("%s: %d bytes where shape %v of %d-byte numbers needs %d", state, size, b.Shape, width, want)
	}
	b.Before, b.Open = used, func() (io.Reader, error) {
		r, _, err := open()
		return r, err
	}
	return b, nil
}

// entry matches an entry of the dictionary with the comma or the brace after it. Only the unsupported record types have
// brackets.
var entry = regexp.MustCompile(`^\s*['"](descr|fortran_order|shape)['"]\s*:\s*` +
	`('[^']*'|"[^"]*"|\[.*\]|True|False|\([0-9L, ]*\))\s*(,?\s*\}\s*$|,)`)

// parseHeader reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }: these keys, in any
// order.
func parseHeader(text string) (b Block, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "{")
	values := map[string]string{}
	for closed := false; ok && !closed; {
		found := entry.FindStringSubmatch(text)
		if found == nil || values[found[1]] != "" {
			return b, false
		}
		values[found[1]] = found[2]
		text, closed = text[len(found[0]):], found[3] != ","
	}
	descr, order := values["descr"], values["fortran_order"]
	if descr == "" || !strings.Contains(`'"[`, descr[:1]) || order != "True" && order != "False" {
		return b, false
	}
	b.Type, b.Fortran = typeOf(descr), order == "True"
	b.Shape, ok = parseShape(values["shape"])
	return b, ok
}

func parseShape(tuple string) (shape []int, ok bool) {
	if !strings.HasPrefix(tuple, "(") {
		return nil, false
	}
	shape = []int{}
	parts := strings.Split(strings.Trim(tuple, "()"), ",")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" && i == len(parts)-1 { // "()" and the last comma of "(3,)"
			break
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(part, "L"), 10, 64)
		if err != nil || len(shape) == maxRank {
			return nil, false
		}
		shape = append(shape, int(n))
	}
	return shape, true
}
