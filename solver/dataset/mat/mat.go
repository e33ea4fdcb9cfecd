// Package mat reads arrays from MATLAB's Level 5 MAT-files, which save writes with -v6 and -v7 and scipy.io.savemat by
// default: full real arrays of numbers, of either byte order, compressed or not, also in structures and cells, of which
// equal arrays become one. It follows "MAT-File Format", The MathWorks, 2021. Other variables are listed, but reading
// them is an error.
//
// Numbers are often stored narrower than their class: doubles that are whole numbers as uint8. More than 1100 times the
// compressed size is refused: zlib cannot reach this ratio. Memory besides the numbers stays below 1 MiB.
package mat

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

const (
	headerBytes = 128
	tagBytes    = 8
	maxElements = 1024
	maxRatio    = 1100
)

// Read lists the named variables of the file in, which has size bytes and begins with start; ok is false if it is not a
// Level 5 MAT-file. Errors, also later ones, are *fault.Data at where, the name of the file.
func Read(in io.ReaderAt, size int64, where string, start []byte) (all []npy.Member, ok bool, err error) {
	if len(start) < headerBytes {
		return nil, false, nil
	}
	// The version, and letters that show the byte order; MATLAB 7.3 writes HDF5.
	var big bool
	switch string(start[124:headerBytes]) {
	case "\x01\x00MI":
		big = true
	case "\x00\x01IM":
		big = false
	default:
		return nil, false, nil
	}
	all, err = list(in, size, where, big)
	return all, true, err
}

func list(in io.ReaderAt, size int64, where string, big bool) (all []npy.Member, err error) {
	var unpack npy.Inflater
	bad := func(what string, values ...any) error {
		return fault.Bad(where, "copy or write the file again", what, values...)
	}
	names := map[string]bool{}
	at := int64(headerBytes)
	for elements := 1; at < size; elements++ {
		if elements > maxElements {
			return nil, fault.Bad(where, "save fewer in one file", "has more than %d variables", maxElements)
		}
		tag := make([]byte, tagBytes)
		n, err := in.ReadAt(tag, at)
		if err != nil && err != io.EOF {
			return nil, fault.Unread(where, err)
		}
		c := cursor.Cursor{Rest: tag, Big: big}
		kind := c.Uint(4)
		length := int64(c.Uint(4))
		left := size - at - tagBytes
		switch {
		case n < tagBytes:
			return nil, bad("is truncated: %d bytes at its end belong to nothing", n)
		case kind == 0 || kind>>16 != 0:
			return nil, bad("is damaged: no variable begins at byte %d", at)
		case length > left:
			return nil, bad("is truncated: the variable at byte %d has %d bytes, %d are left", at, length, left)
		}
		v := variable{
			file:       in,
			at:         at + tagBytes,
			size:       length,
			limit:      length,
			compressed: kind == miCompressed,
			Cursor:     c,
		}
		at += tagBytes + length
		if !v.compressed {
			at += -length & 7 // padded to a multiple of eight bytes
		}
		if kind != miCompressed && kind != miMatrix {
			continue
		}
		if err := v.describe(&unpack); err != nil {
			return nil, fault.Damaged(where, fmt.Errorf("variable %d: %w", elements, err))
		}
		switch {
		case v.name == "": // the workspace of MATLAB, not a variable
			continue
		case names[v.name]:
			return nil, fault.Bad(where, "write the file again", "has two variables with the name %q", v.name)
		}
		names[v.name] = true
		if v.class.Name != classes[classCell] && v.class.Name != classes[classStruct] {
			all = append(all, v.member(where))
			continue
		}
		inside, err := v.nested(where)
		if err != nil {
			return nil, npy.Broken(where, fmt.Errorf("variable %d: %w", elements, err))
		}
		all = append(all, inside...)
	}
	return all, nil
}

// variable is an array of a file.
type variable struct {
	file       io.ReaderAt
	at         int64 // of the first byte of its element's data in the file
	size       int64 // of these data
	compressed bool
	limit      int64 // bytes of the data, decompressed

	cursor.Cursor // of the rest of its header, while that is read

	name  string
	class npy.Type // with MATLAB's name: double, single, int8, ..., logical, char, ...; complex ones end in ", complex"
	shape npy.Shape
	skip  int64 // bytes before the first number, in the decompressed data

	imaginary    located // of complex numbers, if it is known
	imaginaryTag int64   // bytes before the tag of their imaginary parts, if it is not
}

// located tells where numbers begin in the decompressed data of a variable.
type located struct {
	class npy.Type // as that of variable
	skip  int64    // bytes before the first number; 0: there are none
}

// isWhole reports whether numbers with a length in bytes are so many.
func (l located) isWhole(length int64, count int) bool {
	width := int64(l.class.Width)
	return width > 0 && int64(count)*width == length
}

// member returns the variable as package npy describes it.
func (v variable) member(where string) npy.Member {
	place := npy.Place(where, v.name)
	b := npy.Block{
		Type:    v.class,
		Shape:   v.shape,
		Fortran: true,
		Before:  v.skip,
		Rest:    true, // up to a checksum
		Open:    func() (io.Reader, error) { return v.open(&npy.Inflater{}) },
	}
	m := b.Member(v.name, place)
	if v.imaginaryTag > 0 || v.imaginary.skip > 0 {
		m = v.complexMember(m, b, place)
	}
	if m.Refused != nil {
		m.Refused = fault.Bad(place, v.advice(), "is of class %s; full arrays of numbers are read", m.Type)
	}
	m.Sealed = v.compressed
	m.Doubtful = npy.Incredible(v.limit, v.size)
	return m
}

// complexMember adds the imaginary parts to the member of the real parts of a complex variable, which are a block.
func (v variable) complexMember(m npy.Member, real npy.Block, place string) npy.Member {
	if v.imaginaryTag > 0 {
		err := v.findImaginary()
		if err != nil {
			m.Refused = npy.Broken(place, err)
			return m
		}
	}
	imaginary := real
	imaginary.Type = v.imaginary.class
	imaginary.Before = v.imaginary.skip
	return npy.WithParts(m, m.Numbers, imaginary.Member(v.name, place).Numbers)
}

// findImaginary reads the tag before the imaginary parts.
func (v *variable) findImaginary() error {
	in, err := v.open(&npy.Inflater{})
	if err != nil {
		return err
	}
	_, err = io.CopyN(io.Discard, in, v.imaginaryTag)
	if err != nil {
		return err
	}
	tag := make([]byte, tagBytes)
	_, err = io.ReadFull(in, tag)
	if err != nil {
		return err
	}
	c := cursor.Cursor{Rest: tag, Big: v.Big}
	kind := c.Uint(4)
	length := int64(c.Uint(4))
	v.imaginary = located{
		class: numbersOf(kind, v.Big, v.class.Name),
		skip:  v.imaginaryTag + tagBytes,
	}
	isWhole := v.imaginary.isWhole(length, npy.Count(v.shape))
	if !isWhole || length > v.limit-v.imaginary.skip {
		const format = "%d bytes of element type %d are no imaginary parts of an array of shape %v"
		return fmt.Errorf(format, length, kind, v.shape)
	}
	return nil
}

// advice returns how to make a variable readable.
func (v variable) advice() string {
	class, complex := strings.CutSuffix(v.class.Name, ", complex")
	switch {
	case class == "sparse" || complex:
		return v.convert(class == "sparse", complex)
	case class == "function handle":
		return "save values of the function"
	}
	return "save the numbers in it as variables of their own"
}

// convert returns the line of MATLAB that makes a full real array. Real and imaginary part become channels, since the
// real part alone would be another function.
func (v variable) convert(sparse, complex bool) string {
	value := v.name
	if sparse {
		value = "full(" + value + ")"
	}
	if complex {
		axis := npy.LongAxes(v.shape) + 1
		value = fmt.Sprintf("cat(%d, real(%s), imag(%[2]s))", axis, value)
	}
	return fmt.Sprintf("in MATLAB: %s = %s; then save it again", v.name, value)
}

// Types of data elements, MAT-File Format table 1-1.
const (
	miInt8       = 1
	miInt32      = 5
	miUint32     = 6
	miMatrix     = 14
	miCompressed = 15
	miUTF8       = 16
)

// stored maps the types of numbers to NumPy's codes, without the byte order.
var stored = map[uint64]string{
	1:  "i1",
	2:  "u1",
	3:  "i2",
	4:  "u2",
	5:  "i4",
	6:  "u4",
	7:  "f4",
	9:  "f8",
	12: "i8",
	13: "u8",
}

// Classes of arrays, MAT-File Format table 1-3, and later additions.
var classes = []string{
	1:  "cell",
	2:  "struct",
	3:  "object",
	4:  "char",
	5:  "sparse",
	6:  "double",
	7:  "single",
	8:  "int8",
	9:  "uint8",
	10: "int16",
	11: "uint16",
	12: "int32",
	13: "uint32",
	14: "int64",
	15: "uint64",
	16: "function handle",
	17: "opaque",
}

const (
	classDouble = 6
	classUint64 = 15
	classOpaque = 17

	flagLogical = 1 << 9
	flagComplex = 1 << 11

	maxName = 256
)

// open returns a reader of the decompressed data of a variable.
func (v *variable) open(unpack *npy.Inflater) (in io.Reader, err error) {
	in = io.NewSectionReader(v.file, v.at, v.size)
	if v.compressed {
		in, err = unpack.Open(in)
	}
	return in, err
}

// describe fills in the description of a variable, whose position is known, from its header. It reads a short
// compressed variable to the end to compare the checksum, since the numbers may never be read.
func (v *variable) describe(unpack *npy.Inflater) error {
	const (
		most  = 1 << 10 // bytes of a header
		short = 1 << 16
	)
	in, err := v.open(unpack)
	if err != nil {
		return err
	}
	v.Rest, err = io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return err
	}
	n := int64(len(v.Rest))
	err = cursor.Attempt(v.read)
	v.Rest = nil
	if err == nil && v.compressed && v.limit <= short {
		left := max(0, v.limit-n)
		_, end := io.CopyN(io.Discard, in, left+1) // one more, because it must end there
		if end != io.EOF {
			return end
		}
	}
	return err
}

// tag reads the type of the data that follow and their length. For up to four bytes the tag may hold the data, inline.
func (v *variable) tag() (kind uint64, length int64, inline bool) {
	kind, length, inline = splitTag(v.Uint(4))
	if !inline {
		length = int64(v.Uint(4))
	}
	return kind, length, inline
}

// splitTag returns what the first word of a tag says. The length of data that are inline is in its upper half; that of
// others follows.
func splitTag(word uint64) (kind uint64, length int64, inline bool) {
	length = int64(word >> 16)
	switch {
	case length > 4:
		cursor.Damage(malformed)
	case length > 0:
		return word & 0xffff, length, true
	}
	return word, 0, false
}

// small reads an element of one of two types and at most most bytes with its padding.
func (v *variable) small(want, also uint64, most int64) cursor.Cursor {
	kind, length, inline := v.tag()
	if kind != want && kind != also || length > most {
		cursor.Damage(malformed)
	}
	behind := int(padded(length))
	if inline {
		behind = 4
	}
	return cursor.Cursor{Rest: v.Take(behind)[:length], Big: v.Big}
}

const malformed = "its header is malformed"

// read describes a variable by the bytes at its beginning.
func (v *variable) read() {
	n := len(v.Rest)
	if v.compressed {
		kind, length, _ := v.tag()
		if kind != miMatrix || length/maxRatio > v.size {
			cursor.Damage(malformed)
		}
		v.limit = tagBytes + length
	}
	flags := v.small(miUint32, miUint32, tagBytes)
	word := flags.Uint(4)
	class := int(word & 0xff)
	if class == 0 || class >= len(classes) {
		cursor.Damage("its class is %d, 1 to %d are known", class, len(classes)-1)
	}
	v.class.Name = classes[class]
	if class != classOpaque {
		dims := v.small(miInt32, miUint32, 4*npy.MaxRank) // other programs write unsigned numbers
		for len(dims.Rest) > 0 {
			length := int32(dims.Uint(4))
			v.shape = append(v.shape, int(length))
		}
		if len(v.shape) < 2 || slices.Min(v.shape) < 0 {
			cursor.Damage(malformed)
		}
	}
	name := v.small(miInt8, miUTF8, maxName)
	v.name = strings.TrimRight(string(name.Rest), "\x00")
	isUnprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.ContainsFunc(v.name, isUnprintable) {
		cursor.Damage("its name is %q", v.name)
	}
	isFull := classDouble <= class && class <= classUint64
	isComplex := word&flagComplex != 0
	if isFull && word&flagLogical != 0 {
		v.class.Name = "logical"
	}
	if isComplex {
		v.class.Name += ", complex"
	}
	if !isFull {
		return
	}
	kind, length, inline := v.tag()
	v.skip = int64(n - len(v.Rest))
	if isComplex && inline {
		return // as few numbers are no functions
	}
	v.class = numbersOf(kind, v.Big, v.class.Name)
	count, ok := npy.Room(v.shape)
	width := int64(v.class.Width)
	fits := ok && width > 0 && int64(count)*width == length
	isThere := inline || length <= v.limit-v.skip
	if !fits || !isThere {
		cursor.Damage("%d bytes of element type %d are no array of shape %v", length, kind, v.shape)
	}
	if isComplex {
		v.imaginaryTag = v.skip + padded(length)
	}
}

// padded returns the length of the data of an element with the bytes that follow them.
func padded(length int64) int64 { return (length + 7) &^ 7 }
