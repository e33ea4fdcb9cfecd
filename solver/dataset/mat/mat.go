// Package mat reads arrays from MATLAB's Level 5 MAT-files, which save writes with -v6 and -v7 and scipy.io.savemat by
// default: full real arrays of numbers, of either byte order, compressed or not. It follows "MAT-File Format", The
// MathWorks, 2021. Other variables are listed, but reading them is an error.
//
// Numbers are often stored narrower than their class: doubles that are whole numbers as uint8. More than 1100 times the
// compressed size is refused: zlib cannot reach this ratio. Memory besides the numbers stays below 1 MiB.
package mat

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

const (
	headerBytes = 128
	tagBytes    = 8
	maxElements = 1024
	maxRatio    = 1100
)

// Recognise reports whether a file that begins with start is a Level 5 MAT-file.
func Recognise(start []byte) bool { return orderOf(start) != nil }

// orderOf returns the byte order of a file that begins with start, or nil for another kind; MATLAB 7.3 writes HDF5.
func orderOf(start []byte) binary.ByteOrder {
	if len(start) < headerBytes {
		return nil
	}
	var order binary.ByteOrder
	switch string(start[126:headerBytes]) {
	case "IM":
		order = binary.LittleEndian
	case "MI":
		order = binary.BigEndian
	}
	if order == nil || order.Uint16(start[124:]) != 0x0100 {
		return nil
	}
	return order
}

// Read lists the named variables of the file in, which has size bytes. Errors, also later ones, are *fault.Data at
// where, the name of the file.
func Read(in io.ReaderAt, size int64, where string) ([]npy.Member, error) {
	start := make([]byte, headerBytes)
	n, err := in.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return nil, fault.Unread(where, err)
	}
	p := parser{order: orderOf(start[:n])}
	if p.order == nil {
		return nil, fault.Bad(where, "write it with MATLAB's save or scipy.io.savemat", "is not a MAT-file of Level 5")
	}
	bad := func(what string, values ...any) error {
		return fault.Bad(where, "copy or write the file again", what, values...)
	}
	var all []npy.Member
	names := map[string]bool{}
	for at, elements := int64(headerBytes), 1; at < size; elements++ {
		if elements > maxElements {
			return nil, fault.Bad(where, "save fewer in one file", "has more than %d variables", maxElements)
		}
		tag := make([]byte, tagBytes)
		n, err := in.ReadAt(tag, at)
		if err != nil && err != io.EOF {
			return nil, fault.Unread(where, err)
		}
		kind, length := p.order.Uint32(tag), int64(p.order.Uint32(tag[4:]))
		switch {
		case n < tagBytes:
			return nil, bad("is truncated: %d bytes at its end belong to nothing", n)
		case kind == 0 || kind>>16 != 0:
			return nil, bad("is damaged: no variable begins at byte %d", at)
		case length > size-at-tagBytes:
			return nil, bad("is truncated: the variable at byte %d has %d bytes, %d are left", at, length, size-at-tagBytes)
		}
		v := variable{file: in, order: p.order, at: at + tagBytes, size: length, compressed: kind == miCompressed}
		if at += tagBytes + length; kind != miCompressed {
			at += -length & 7 // padded to a multiple of eight bytes
		}
		if kind != miCompressed && kind != miMatrix {
			continue
		}
		if err := p.describe(&v); err != nil {
			return nil, fault.Damaged(where, fmt.Errorf("variable %d: %w", elements, err))
		}
		switch {
		case v.name == "": // the workspace of MATLAB, not a variable
			continue
		case names[v.name]:
			return nil, fault.Bad(where, "write the file again", "has two variables with the name %q", v.name)
		}
		names[v.name] = true
		all = append(all, v.member(where))
	}
	return all, nil
}

// variable is an array of a file.
type variable struct {
	file       io.ReaderAt
	order      binary.ByteOrder
	at         int64 // of the first byte of its element's data in the file
	size       int64 // of these data
	compressed bool

	name    string
	class   string // MATLAB's: double, single, int8, ..., logical, char, ...; complex ones end in ", complex"
	shape   npy.Shape
	numbers npy.Type // Real if the variable is full, real and of numbers
	skip    int64    // bytes before the first number, in the decompressed data
}

// member returns the variable as package npy describes it.
func (v variable) member(where string) npy.Member {
	place := npy.Place(where, v.name)
	size := int64(npy.Count(v.shape)) * int64(v.numbers.Bytes())
	b := npy.Block{Type: v.numbers, Shape: v.shape, Fortran: true, Before: v.skip, Rest: true, // up to a checksum
		Open: func() (io.Reader, error) { return (&parser{}).open(&v) }}
	m := b.Member(v.name, place)
	m.Type, m.Refused = v.class, nil
	if !v.numbers.Real() {
		m.Refused = fault.Bad(place, v.advice(), "is of class %s; full real arrays of numbers are read", v.class)
		return m
	}
	m.Doubtful = v.compressed && npy.Incredible(size, v.size)
	return m
}

// advice returns how to make a variable readable.
func (v variable) advice() string {
	switch class, complex := strings.CutSuffix(v.class, ", complex"); {
	case class == "sparse" || complex:
		return fmt.Sprintf("in MATLAB: %s = full(real(%[1]s)), then save it again", v.name)
	case class == "struct":
		return fmt.Sprintf("save its fields as variables of their own, in MATLAB: save('pairs.mat', '-struct', '%s')", v.name)
	}
	return "save the arrays in it as variables of their own"
}
