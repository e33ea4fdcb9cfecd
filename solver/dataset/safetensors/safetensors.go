// Package safetensors reads arrays of real numbers from .safetensors files: a length, a JSON object that names types,
// shapes and places, then the numbers (https://github.com/huggingface/safetensors). The reader is strict: names are
// different ones, places follow one another without gaps to the end of the file and have as many bytes as type and
// shape need. What it allocates the header accounts for, which has at most 1 MiB.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// Tensor is an array of a file.
type Tensor struct {
	Name   string
	DType  string     // as the file says: F32, BF16, ...
	Header npy.Header // of its numbers; Type is not Real if they are not read

	begin, end int64 // of its bytes, behind the header
}

// Reader reads a file. It may be used by several goroutines at once.
type Reader struct {
	where   string
	file    io.ReaderAt
	data    int64 // where the numbers begin
	tensors []Tensor
}

const (
	lengthBytes = 8
	maxHeader   = 1 << 20
	maxRank     = 32
)

var types = map[string]npy.Type{
	"F64": npy.Number(npy.Float, 8, false), "F32": npy.Number(npy.Float, 4, false), "F16": npy.Number(npy.Float, 2, false),
	"BF16": npy.Number(npy.Brain, 2, false),
	"I64":  npy.Number(npy.Signed, 8, false), "I32": npy.Number(npy.Signed, 4, false),
	"I16": npy.Number(npy.Signed, 2, false), "I8": npy.Number(npy.Signed, 1, false),
	"U64": npy.Number(npy.Unsigned, 8, false), "U32": npy.Number(npy.Unsigned, 4, false),
	"U16": npy.Number(npy.Unsigned, 2, false), "U8": npy.Number(npy.Unsigned, 1, false),
	"BOOL": npy.Number(npy.Bool, 1, false),
}

// Recognise reports whether a file of size bytes that begins with start may be one.
func Recognise(start []byte, size int64) bool {
	if len(start) <= lengthBytes || start[lengthBytes] != '{' {
		return false
	}
	n := binary.LittleEndian.Uint64(start)
	return n > 1 && n <= uint64(size-lengthBytes)
}

// NewReader finds the arrays of the file r, which has size bytes. Errors, also later ones, are *fault.Data at where,
// the file's name.
func NewReader(r io.ReaderAt, size int64, where string) (*Reader, error) {
	bad := func(format string, values ...any) error {
		return &fault.Data{Where: where, What: "is damaged: " + fmt.Sprintf(format, values...),
			Do: "copy or write the file again"}
	}
	start := make([]byte, lengthBytes)
	if n, err := r.ReadAt(start, 0); n < lengthBytes {
		return nil, fault.Unread(where, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	length := binary.LittleEndian.Uint64(start)
	switch {
	case length > uint64(size-lengthBytes):
		return nil, bad("its header has %d bytes, the file %d", length, size)
	case length > maxHeader:
		return nil, &fault.Data{Where: where, What: fmt.Sprintf("has a header of %d bytes, at most %d are read", length,
			maxHeader), Do: "save fewer arrays in one file"}
	}
	text := make([]byte, length)
	if n, err := r.ReadAt(text, lengthBytes); n < len(text) {
		return nil, fault.Unread(where, cmp.Or(err, io.ErrUnexpectedEOF))
	}
	f := &Reader{where: where, file: r, data: lengthBytes + int64(length)}
	var err error
	if f.tensors, err = parse(text); err != nil {
		return nil, bad("its header says %v", err)
	}
	sorted := slices.SortedFunc(slices.Values(f.tensors), func(a, b Tensor) int { return cmp.Compare(a.begin, b.begin) })
	end := int64(0)
	for _, t := range sorted {
		if t.begin != end || t.end < t.begin {
			return nil, bad("%q is at bytes %d to %d, what is before ends at %d", t.Name, t.begin, t.end, end)
		}
		end = t.end
	}
	if end != size-f.data {
		return nil, bad("the arrays have %d bytes, there are %d", end, size-f.data)
	}
	return f, nil
}

// parse reads the header, in the order of the file.
func parse(text []byte) ([]Tensor, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("no object")
	}
	var all []Tensor
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		if err != nil || !ok || seen[name] {
			return nil, fmt.Errorf("the name %q", name)
		}
		seen[name] = true
		if name == "__metadata__" {
			var words map[string]string
			if err := d.Decode(&words); err != nil {
				return nil, err
			}
			continue
		}
		var entry struct {
			DType   string  `json:"dtype"`
			Shape   []int64 `json:"shape"`
			Offsets []int64 `json:"data_offsets"`
		}
		if err := d.Decode(&entry); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		if len(entry.Offsets) != 2 || entry.Offsets[0] < 0 || len(entry.Shape) > maxRank {
			return nil, fmt.Errorf("%q at %v, of shape %v", name, entry.Offsets, entry.Shape)
		}
		t := Tensor{Name: name, DType: entry.DType, begin: entry.Offsets[0], end: entry.Offsets[1]}
		t.Header = npy.Header{Type: types[entry.DType], Shape: []int{}}
		bytes := int64(max(1, t.Header.Type.Bytes()))
		for _, n := range entry.Shape {
			if n < 0 || n > 1<<40 || bytes > 1<<50/max(n, 1) {
				return nil, fmt.Errorf("%q of shape %v", name, entry.Shape)
			}
			bytes *= n
			t.Header.Shape = append(t.Header.Shape, int(n))
		}
		if t.Header.Type.Real() && t.end-t.begin != bytes {
			return nil, fmt.Errorf("%q of shape %v in %d bytes", name, entry.Shape, t.end-t.begin)
		}
		all = append(all, t)
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if rest, err := io.ReadAll(d.Buffered()); err != nil || len(bytes.TrimSpace(rest)) > 0 {
		return nil, errors.New("more than an object")
	}
	return all, nil
}

// Tensors are the arrays, in the order of the header.
func (f *Reader) Tensors() []Tensor { return f.tensors }

// Check is why an array cannot be read, nil if it can. The error is a *fault.Data.
func (f *Reader) Check(t Tensor) error {
	if t.Header.Type.Real() {
		return nil
	}
	return &fault.Data{Where: f.place(t),
		What: fmt.Sprintf("holds elements of type %q; floats of 2, 4 or 8 bytes, integers and bool are read", t.DType),
		Do:   "convert it in Python: tensor.float()"}
}

// Scan hands out the numbers of an array, as npy.Header.Scan does. Errors are *fault.Data.
func (f *Reader) Scan(t Tensor, strides []int, s npy.Selection) error {
	if err := f.Check(t); err != nil {
		return err
	}
	_, err := t.Header.Scan(io.NewSectionReader(f.file, f.data+t.begin, t.end-t.begin), f.place(t), strides, s)
	return err
}

func (f *Reader) place(t Tensor) string { return fmt.Sprintf("%s, %q", f.where, t.Name) }
