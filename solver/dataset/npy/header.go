// This file reads the header of a .npy file: a magic string, a version, a length, and a Python dictionary literal.

package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"rfm/solver/fault"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy itself refuses larger headers by default
	maxRank   = 32
)

// Header says how an array is stored.
type Header struct {
	Type    Type
	Shape   []int
	Fortran bool // the first index runs fastest, not the last
}

// Count is the number of elements. It is valid for headers from ReadHeader, whose shapes do not overflow.
func (h Header) Count() int {
	count, _ := product(h.Shape)
	return count
}

// ReadHeader reads the header from r, which holds a whole .npy file of size bytes, and leaves r at the first number. If
// the elements are real numbers, size must be exactly what shape and type need. Errors are *fault.Data at where.
func ReadHeader(r io.Reader, size int64, where string) (Header, error) {
	bad := func(what, do string) error { return &fault.Data{Where: where, What: what, Do: do} }
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != magic {
		return Header{}, bad(`is not a .npy file: it does not begin with "\x93NUMPY"`, "write it with numpy.save")
	}
	lengthBytes := 2
	switch start[6] {
	case 1:
	case 2, 3:
		lengthBytes = 4
	default:
		return Header{}, bad(fmt.Sprintf("has .npy format version %d.%d, versions 1 to 3 are known", start[6], start[7]),
			"write it with numpy.save")
	}
	field := make([]byte, 4)
	if _, err := io.ReadFull(r, field[:lengthBytes]); err != nil {
		return Header{}, bad("is truncated in its header", "copy or write the file again")
	}
	length := binary.LittleEndian.Uint32(field)
	if length > maxHeader {
		return Header{}, bad(fmt.Sprintf("has a header of %d bytes, at most %d are accepted", length, maxHeader), "")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return Header{}, bad("is truncated in its header", "copy or write the file again")
	}
	h, ok := parseHeader(string(text))
	if !ok {
		return Header{}, bad(fmt.Sprintf("has a malformed header %q", shorten(string(text))), "write it with numpy.save")
	}
	count, ok := product(h.Shape)
	used, width := int64(8+lengthBytes+len(text)), int64(max(1, h.Type.width))
	if !ok || int64(count) > (math.MaxInt64-used)/width {
		return Header{}, bad(fmt.Sprintf("shape %v is too large", h.Shape), "")
	}
	if want := used + int64(count)*width; h.Type.Real() && size != want {
		state := "is truncated"
		if size > want {
			state = "is too long"
		}
		return Header{}, bad(fmt.Sprintf("%s: %d bytes where shape %v of %d-byte numbers needs %d", state, size, h.Shape,
			width, want), "copy or write the file again")
	}
	return h, nil
}

// parseHeader reads the dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }: these keys, in any
// order.
func parseHeader(text string) (h Header, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{")
	if !ok {
		return h, false
	}
	seen := map[string]bool{}
	for {
		rest = strings.TrimSpace(rest)
		if tail, ok := strings.CutPrefix(rest, "}"); ok {
			return h, strings.TrimSpace(tail) == "" && len(seen) == 3
		}
		name, tail, ok := quoted(rest)
		tail, colon := strings.CutPrefix(strings.TrimSpace(tail), ":")
		if !ok || !colon || seen[name] {
			return h, false
		}
		seen[name] = true
		rest = strings.TrimSpace(tail)
		switch name {
		case "descr":
			h.Type, rest, ok = parseType(rest)
		case "fortran_order":
			h.Fortran = strings.HasPrefix(rest, "True")
			if tail, ok = strings.CutPrefix(rest, "True"); !ok {
				tail, ok = strings.CutPrefix(rest, "False")
			}
			rest = tail
		case "shape":
			h.Shape, rest, ok = parseShape(rest)
		default:
			return h, false
		}
		rest = strings.TrimSpace(rest)
		if tail, comma := strings.CutPrefix(rest, ","); comma {
			rest = tail
		} else if !strings.HasPrefix(rest, "}") {
			return h, false
		}
		if !ok {
			return h, false
		}
	}
}

func quoted(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", s, false
	}
	text, rest, ok = strings.Cut(s[1:], s[:1])
	return text, rest, ok
}

func parseShape(s string) (shape []int, rest string, ok bool) {
	tuple, rest, closed := strings.Cut(s, ")")
	tuple, opened := strings.CutPrefix(tuple, "(")
	if !opened || !closed {
		return nil, rest, false
	}
	shape = []int{}
	parts := strings.Split(tuple, ",")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" && i == len(parts)-1 { // "()" and the last comma of "(3,)"
			break
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(part, "L"), 10, 64)
		if err != nil || n < 0 || len(shape) == maxRank {
			return nil, rest, false
		}
		shape = append(shape, int(n))
	}
	return shape, rest, true
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
