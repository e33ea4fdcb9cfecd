// Package npy reads and writes arrays of real numbers in NumPy's .npy format, versions 1 to 3: float64 and float32,
// either byte order, C or Fortran order. It is strict: the header must be well-formed and the file exactly as long
// as it says, and nothing is allocated before that is known.
package npy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"rfm/solver/fault"
)

// Array is an array in C order: the last index runs fastest.
type Array struct {
	Shape []int
	Data  []float64
}

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // NumPy itself refuses larger headers by default
	maxRank   = 32
)

// ReadFile reads a .npy file. Errors are *fault.Data with the file's name.
func ReadFile(name string) (Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return Array{}, &fault.Data{Where: name, What: "cannot be opened", Err: err}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Array{}, &fault.Data{Where: name, What: "cannot be read", Err: err}
	}
	if !info.Mode().IsRegular() {
		return Array{}, &fault.Data{Where: name, What: "is not a file", Do: "give the name of a .npy file"}
	}
	a, err := Read(f, info.Size())
	if err != nil {
		if d, ok := err.(*fault.Data); ok {
			d.Where = name
		}
		return Array{}, err
	}
	return a, nil
}

// Read reads an array from r, which holds size bytes. Errors are *fault.Data.
func Read(r io.Reader, size int64) (Array, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	h, used, err := readHeader(in)
	if err != nil {
		return Array{}, err
	}
	count, ok := product(h.shape)
	if !ok || int64(count) > (math.MaxInt64-used)/int64(h.width) {
		return Array{}, bad(fmt.Sprintf("shape %v is too large", h.shape), "")
	}
	if want := used + int64(count)*int64(h.width); size != want {
		state := "is truncated"
		if size > want {
			state = "is too long"
		}
		return Array{}, bad(fmt.Sprintf("%s: %d bytes where shape %v of %d-byte numbers needs %d", state, size, h.shape, h.width, want), "copy or write the file again")
	}
	a := Array{Shape: h.shape, Data: make([]float64, count)}
	next := place(h)
	buffer := make([]byte, 1<<13*h.width)
	for read := 0; read < count; {
		chunk := buffer[:min(len(buffer), (count-read)*h.width)]
		if _, err := io.ReadFull(in, chunk); err != nil {
			return Array{}, &fault.Data{Where: "array", What: "cannot be read", Err: err}
		}
		for ; len(chunk) > 0; chunk = chunk[h.width:] {
			a.Data[next()] = h.number(chunk)
			read++
		}
	}
	return a, nil
}

// place returns a function that gives the C-order position of each number of the file in turn.
func place(h header) func() int {
	if !h.fortran {
		i := -1
		return func() int { i++; return i }
	}
	rank := len(h.shape)
	stride, index := make([]int, rank), make([]int, rank)
	for d, s := rank-1, 1; d >= 0; d-- {
		stride[d] = s
		s *= h.shape[d]
	}
	position, first := 0, true
	return func() int {
		if first {
			first = false
			return 0
		}
		for d := range rank { // the first index runs fastest
			index[d]++
			position += stride[d]
			if index[d] < h.shape[d] {
				break
			}
			position -= index[d] * stride[d]
			index[d] = 0
		}
		return position
	}
}

type header struct {
	width   int // bytes of a number
	order   binary.ByteOrder
	fortran bool
	shape   []int
}

func (h header) number(b []byte) float64 {
	if h.width == 4 {
		return float64(math.Float32frombits(h.order.Uint32(b)))
	}
	return math.Float64frombits(h.order.Uint64(b))
}

// readHeader returns the header and its length in bytes, magic string and length field included.
func readHeader(r io.Reader) (header, int64, error) {
	start := make([]byte, 8)
	if _, err := io.ReadFull(r, start); err != nil || string(start[:6]) != magic {
		return header{}, 0, bad(`is not a .npy file: it does not begin with "\x93NUMPY"`, "write it with numpy.save")
	}
	lengthBytes := 2
	switch start[6] {
	case 1:
	case 2, 3:
		lengthBytes = 4
	default:
		return header{}, 0, bad(fmt.Sprintf("has .npy format version %d.%d, versions 1 to 3 are known", start[6], start[7]), "write it with numpy.save")
	}
	field := make([]byte, 4)
	if _, err := io.ReadFull(r, field[:lengthBytes]); err != nil {
		return header{}, 0, bad("is truncated in its header", "copy or write the file again")
	}
	length := binary.LittleEndian.Uint32(field)
	if length > maxHeader {
		return header{}, 0, bad(fmt.Sprintf("has a header of %d bytes, at most %d are accepted", length, maxHeader), "")
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return header{}, 0, bad("is truncated in its header", "copy or write the file again")
	}
	h, err := parseHeader(string(text))
	return h, int64(8 + lengthBytes + len(text)), err
}

// parseHeader reads the Python dictionary literal {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
func parseHeader(text string) (header, error) {
	var h header
	malformed := bad(fmt.Sprintf("has a malformed header %q", shorten(text)), "write it with numpy.save")
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{")
	if !ok {
		return h, malformed
	}
	seen := map[string]bool{}
	for {
		rest = strings.TrimSpace(rest)
		if tail, ok := strings.CutPrefix(rest, "}"); ok {
			if strings.TrimSpace(tail) != "" || len(seen) != 3 {
				return h, malformed
			}
			return h, nil
		}
		name, tail, ok := quoted(rest)
		tail, colon := strings.CutPrefix(strings.TrimSpace(tail), ":")
		if !ok || !colon || seen[name] {
			return h, malformed
		}
		seen[name] = true
		rest = strings.TrimSpace(tail)
		var err error
		switch name {
		case "descr":
			var descr string
			if descr, rest, ok = quoted(rest); !ok {
				return h, bad("holds records, not plain numbers", "save one array of float64 or float32")
			}
			err = h.setType(descr)
		case "fortran_order":
			switch {
			case strings.HasPrefix(rest, "True"):
				h.fortran, rest = true, rest[4:]
			case strings.HasPrefix(rest, "False"):
				rest = rest[5:]
			default:
				return h, malformed
			}
		case "shape":
			tuple, tail, closed := strings.Cut(rest, ")")
			if tuple, ok = strings.CutPrefix(tuple, "("); !ok || !closed {
				return h, malformed
			}
			rest = tail
			h.shape, ok = parseShape(tuple)
			if !ok {
				return h, malformed
			}
		default:
			return h, malformed
		}
		if err != nil {
			return h, err
		}
		rest = strings.TrimSpace(rest)
		if tail, ok := strings.CutPrefix(rest, ","); ok {
			rest = tail
		} else if !strings.HasPrefix(rest, "}") {
			return h, malformed
		}
	}
}

func (h *header) setType(descr string) error {
	switch descr {
	case "<f8", "<f4":
		h.order = binary.LittleEndian
	case ">f8", ">f4":
		h.order = binary.BigEndian
	default:
		return bad(fmt.Sprintf("holds numbers of type %q, float64 and float32 are read", shorten(descr)), "convert it with array.astype('float64')")
	}
	h.width = int(descr[2] - '0')
	return nil
}

func quoted(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", s, false
	}
	text, rest, ok = strings.Cut(s[1:], s[:1])
	return text, rest, ok
}

func parseShape(tuple string) ([]int, bool) {
	shape := []int{}
	parts := strings.Split(tuple, ",")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if part == "" && i == len(parts)-1 { // "()" and the last comma of "(3,)"
			break
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(part, "L"), 10, 64)
		if err != nil || n < 0 || len(shape) == maxRank {
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
		if p > math.MaxInt/n {
			return 0, false
		}
		p *= n
	}
	return p, true
}

func bad(what, do string) *fault.Data { return &fault.Data{Where: "array", What: what, Do: do} }

func shorten(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}

// Write writes a as little-endian float64 in C order, format version 1, the header padded to 64 bytes.
func Write(w io.Writer, a Array) error {
	count, ok := product(a.Shape)
	if !ok || count != len(a.Data) {
		panic(fmt.Sprintf("npy: shape %v for %d numbers", a.Shape, len(a.Data)))
	}
	dims := make([]string, len(a.Shape))
	for i, n := range a.Shape {
		dims[i] = strconv.Itoa(n)
	}
	tuple := strings.Join(dims, ", ")
	if len(dims) == 1 {
		tuple += ","
	}
	var head bytes.Buffer
	fmt.Fprintf(&head, "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", tuple)
	const align = 64
	for (len(magic)+4+head.Len()+1)%align != 0 {
		head.WriteByte(' ')
	}
	head.WriteByte('\n')
	out := bufio.NewWriterSize(w, 1<<16)
	out.WriteString(magic + "\x01\x00")
	var number [8]byte
	binary.LittleEndian.PutUint16(number[:2], uint16(head.Len()))
	out.Write(number[:2])
	out.Write(head.Bytes())
	for _, v := range a.Data {
		binary.LittleEndian.PutUint64(number[:], math.Float64bits(v))
		out.Write(number[:])
	}
	return out.Flush()
}
