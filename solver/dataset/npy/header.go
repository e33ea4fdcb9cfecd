// This file reads the header of a .npy file: a magic string, a version, a length, and a Python dictionary literal.

package npy

import (
	"encoding/binary"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"rfm/solver/fault"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy refuses larger headers by default
	maxRank   = 32
)

// Header describes the storage of an array.
type Header struct {
	Type    Type
	Shape   []int
	Fortran bool // the first index varies fastest, not the last
}

// Count returns the number of elements. It is valid for headers from ReadHeader, whose shapes do not overflow.
func (h Header) Count() int { return Count(h.Shape) }

// Count returns the number of elements of a shape that does not overflow.
func Count(shape []int) int {
	count, _ := product(shape)
	return count
}

// ReadHeader reads the header from r, which holds a whole .npy file of size bytes, and leaves r at the first number. If
// the elements are real numbers, size must match shape and type exactly. Errors are *fault.Data at where.
func ReadHeader(r io.Reader, size int64, where string) (Header, error) {
	bad := func(what string, values ...any) (Header, error) {
		return Header{}, fault.Bad(where, "copy the file again, or write it with numpy.save", what, values...)
	}
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != magic {
		return bad(`is not a .npy file: it does not begin with "\x93NUMPY"`)
	}
	if start[6] < 1 || start[6] > 3 {
		return bad("has .npy format version %d.%d, versions 1 to 3 are known", start[6], start[7])
	}
	lengthBytes := 2
	if start[6] > 1 {
		lengthBytes = 4
	}
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
	h, ok := parseHeader(string(text))
	if !ok {
		return bad("has a malformed header %q", shorten(string(text)))
	}
	count, ok := product(h.Shape)
	used, width := int64(8+lengthBytes+len(text)), int64(max(1, h.Type.width))
	if !ok || int64(count) > (math.MaxInt64-used)/width {
		return bad("shape %v is too large", h.Shape)
	}
	if want := used + int64(count)*width; h.Type.Real() && size != want {
		state := "is truncated"
		if size > want {
			state = "is too long"
		}
		return bad("%s: %d bytes where shape %v of %d-byte numbers needs %d", state, size, h.Shape, width, want)
	}
	return h, nil
}

// entry matches an entry of the dictionary with the comma or the brace after it. Only the unsupported record types have
// brackets.
var entry = regexp.MustCompile(`^\s*['"](descr|fortran_order|shape)['"]\s*:\s*` +
	`('[^']*'|"[^"]*"|\[.*\]|True|False|\([0-9L, ]*\))\s*(,?\s*\}\s*$|,)`)

// parseHeader reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }: these keys, in any
// order.
func parseHeader(text string) (h Header, ok bool) {
	text, ok = strings.CutPrefix(strings.TrimSpace(text), "{")
	values := map[string]string{}
	for closed := false; ok && !closed; {
		found := entry.FindStringSubmatch(text)
		if found == nil || values[found[1]] != "" {
			return h, false
		}
		values[found[1]] = found[2]
		text, closed = text[len(found[0]):], found[3] != ","
	}
	descr, order := values["descr"], values["fortran_order"]
	if descr == "" || !strings.Contains(`'"[`, descr[:1]) || order != "True" && order != "False" {
		return h, false
	}
	h.Type, h.Fortran = typeOf(descr), order == "True"
	h.Shape, ok = parseShape(values["shape"])
	return h, ok
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

func product(shape []int) (int, bool) {
	p := 1
	for _, n := range shape {
		if n == 0 {
			return 0, true
		}
	}
	for _, n := range shape {
		if n < 0 || p > math.MaxInt/n {
			return 0, false
		}
		p *= n
	}
	return p, true
}

func shorten(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
