// Package mat reads arrays from MATLAB's Level 5 MAT-files, which save writes with -v6 and -v7 and scipy.io.savemat by
// default: full real arrays of numbers, of either byte order, compressed or not. It follows "MAT-File Format", The
// MathWorks, 2021. Other variables are listed, but reading them is an error.
//
// Numbers are often stored narrower than their class: doubles that are whole numbers as uint8. More than 1100 times the
// compressed size is refused: zlib cannot reach this ratio. Memory besides the numbers stays below 1 MiB.
package mat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

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
	orders := map[string]binary.ByteOrder{"IM": binary.LittleEndian, "MI": binary.BigEndian}
	order := orders[string(start[126:headerBytes])]
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
		v := variable{file: in, at: at + tagBytes, size: length, compressed: kind == miCompressed}
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
	m.Sealed, m.Doubtful = v.compressed, v.compressed && npy.Incredible(size, v.size)
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

// Types of data elements, MAT-File Format table 1-1.
const (
	miInt8       = 1
	miUint8      = 2
	miInt16      = 3
	miUint16     = 4
	miInt32      = 5
	miUint32     = 6
	miSingle     = 7
	miDouble     = 9
	miInt64      = 12
	miUint64     = 13
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
)

// stored maps the types of numbers to kinds and widths.
var stored = map[uint32]struct {
	kind  npy.Kind
	width int
}{miInt8: {npy.Signed, 1}, miUint8: {npy.Unsigned, 1}, miInt16: {npy.Signed, 2}, miUint16: {npy.Unsigned, 2},
	miInt32: {npy.Signed, 4}, miUint32: {npy.Unsigned, 4}, miSingle: {npy.Float, 4}, miDouble: {npy.Float, 8},
	miInt64: {npy.Signed, 8}, miUint64: {npy.Unsigned, 8}}

// Classes of arrays, MAT-File Format table 1-3, and later additions.
var classes = []string{1: "cell", 2: "struct", 3: "object", 4: "char", 5: "sparse", 6: "double", 7: "single", 8: "int8",
	9: "uint8", 10: "int16", 11: "uint16", 12: "int32", 13: "uint32", 14: "int64", 15: "uint64", 16: "function handle",
	17: "opaque"}

const (
	classDouble, classUint64, classOpaque = 6, 15, 17

	flagLogical, flagComplex = 1 << 9, 1 << 11

	maxName = 256
	maxRank = 32
)

var errDamaged = errors.New("its header is malformed")

// parser reads the headers of variables, one after another with the same buffers. A failure sets err, and all later
// reads of the header return nothing.
type parser struct {
	order  binary.ByteOrder
	unpack npy.Inflater

	in   io.Reader
	read int64 // bytes of the variable
	err  error
}

// open returns a reader of the decompressed data of a variable.
func (p *parser) open(v *variable) (io.Reader, error) {
	in := io.NewSectionReader(v.file, v.at, v.size)
	if !v.compressed {
		return in, nil
	}
	return p.unpack.Open(in)
}

// fail records the first error of a header.
func (p *parser) fail(err error) {
	if err == io.EOF {
		err = errDamaged
	}
	if p.err == nil {
		p.err = err
	}
}

// take reads n bytes.
func (p *parser) take(n int64) []byte {
	b := make([]byte, n)
	if p.err == nil {
		n, err := io.ReadFull(p.in, b)
		p.read += int64(n)
		if err != nil {
			p.fail(err)
		}
	}
	return b
}

// tag reads the type of the data that follow and their length. For up to four bytes the tag may hold the data, inline.
func (p *parser) tag() (kind uint32, length int64, inline []byte) {
	tag := p.take(tagBytes)
	if p.err != nil {
		return 0, 0, nil
	}
	kind, length = p.order.Uint32(tag), int64(p.order.Uint32(tag[4:]))
	if n := kind >> 16; n > 4 {
		p.fail(errDamaged)
	} else if n > 0 {
		return kind & 0xffff, int64(n), tag[4:]
	}
	return kind, length, nil
}

// small reads an element of one of two types and at most most bytes with its padding.
func (p *parser) small(want, also uint32, most int64) []byte {
	kind, length, inline := p.tag()
	if kind != want && kind != also || length > most {
		p.fail(errDamaged)
	}
	switch {
	case p.err != nil:
		return nil
	case inline != nil:
		return inline[:length]
	}
	return p.take((length + 7) &^ 7)[:length]
}

// describe fills in the description of a variable, whose position is known, from its header. It reads a short
// compressed variable to the end to compare the checksum, since the numbers may never be read.
func (p *parser) describe(v *variable) error {
	const short = 1 << 16 // bytes
	p.read, p.err = 0, nil
	limit := v.size // bytes of the data, decompressed
	if p.in, p.err = p.open(v); p.err != nil {
		return p.err
	}
	if v.compressed {
		kind, length, _ := p.tag()
		if kind != miMatrix || length/maxRatio > v.size {
			p.fail(errDamaged)
		}
		limit = tagBytes + length
	}
	p.header(v, limit)
	if p.err != nil || !v.compressed || limit > short {
		return p.err
	}
	_, err := io.CopyN(io.Discard, p.in, max(0, limit-p.read)+1) // one more: it ends there
	if err == io.EOF {
		return nil
	}
	return err
}

// header reads the header of a variable of limit bytes.
func (p *parser) header(v *variable, limit int64) {
	flags := p.small(miUint32, miUint32, tagBytes)
	if len(flags) != tagBytes {
		p.fail(errDamaged)
		return
	}
	word := p.order.Uint32(flags)
	class := int(word & 0xff)
	if class == 0 || class >= len(classes) {
		p.fail(fmt.Errorf("its class is %d, 1 to %d are known", class, len(classes)-1))
		return
	}
	v.class = classes[class]
	if class != classOpaque {
		dims := p.small(miInt32, miUint32, 4*maxRank) // other programs write unsigned numbers
		if len(dims)%4 != 0 || len(dims) < 8 {
			p.fail(errDamaged)
		}
		for ; len(dims) >= 4; dims = dims[4:] {
			n := int(int32(p.order.Uint32(dims)))
			if n < 0 {
				p.fail(errDamaged)
			}
			v.shape = append(v.shape, n)
		}
	}
	v.name = strings.TrimRight(string(p.small(miInt8, miUTF8, maxName)), "\x00")
	if strings.IndexFunc(v.name, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		p.fail(fmt.Errorf("its name is %q", v.name))
	}
	full := classDouble <= class && class <= classUint64
	if full && word&flagLogical != 0 {
		v.class = "logical"
	}
	if word&flagComplex != 0 {
		v.class += ", complex"
	}
	if !full || word&flagComplex != 0 || p.err != nil {
		return
	}
	kind, length, inline := p.tag()
	v.skip = p.read
	if inline != nil { // the tag holds the numbers
		v.skip -= int64(len(inline))
	}
	v.numbers = npy.Number(stored[kind].kind, stored[kind].width, p.order == binary.ByteOrder(binary.BigEndian))
	count, ok := npy.Room(v.shape)
	if !ok || !v.numbers.Real() || int64(count)*int64(v.numbers.Bytes()) != length || inline == nil && length > limit-v.skip {
		p.fail(fmt.Errorf("%d bytes of element type %d are no array of shape %v", length, kind, v.shape))
	}
}
