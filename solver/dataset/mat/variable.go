// This file reads what stands before the numbers of a variable: flags, dimensions, name, and the tag of the numbers.

package mat

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode"

	"rfm/solver/dataset/npy"
)

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

// Classes of arrays, MAT-File Format table 1-3, and those that came later.
var classes = []string{1: "cell", 2: "struct", 3: "object", 4: "char", 5: "sparse", 6: "double", 7: "single", 8: "int8",
	9:  "uint8",
	10: "int16", 11: "uint16", 12: "int32", 13: "uint32", 14: "int64", 15: "uint64", 16: "function handle", 17: "opaque"}

const (
	classDouble, classUint64, classOpaque = 6, 15, 17

	flagLogical, flagComplex = 1 << 9, 1 << 11

	maxName = 256
	maxRank = 32
)

// number is the type of stored numbers; ok is false if an element type is not of numbers.
func number(kind uint32, big bool) (t npy.Type, ok bool) {
	switch kind {
	case miInt8:
		return npy.Number(npy.Signed, 1, big), true
	case miUint8:
		return npy.Number(npy.Unsigned, 1, big), true
	case miInt16:
		return npy.Number(npy.Signed, 2, big), true
	case miUint16:
		return npy.Number(npy.Unsigned, 2, big), true
	case miInt32:
		return npy.Number(npy.Signed, 4, big), true
	case miUint32:
		return npy.Number(npy.Unsigned, 4, big), true
	case miSingle:
		return npy.Number(npy.Float, 4, big), true
	case miDouble:
		return npy.Number(npy.Float, 8, big), true
	case miInt64:
		return npy.Number(npy.Signed, 8, big), true
	case miUint64:
		return npy.Number(npy.Unsigned, 8, big), true
	}
	return t, false
}

// parser reads the headers of variables, one after another with the same buffers.
type parser struct {
	order binary.ByteOrder
	inflater
}

// describe fills in the description of the variable that in holds, except its place, from its header. A short compressed
// variable is read to its end, where its checksum is compared: nobody may read it later.
func (p *parser) describe(v *Variable, in io.Reader) error {
	const short = 1 << 16 // bytes
	source := &counter{Reader: in}
	limit, err := p.header(v, source)
	if err != nil || !v.compressed || limit > short {
		return err
	}
	_, err = io.CopyN(io.Discard, source, max(0, limit-source.read)+1) // one more: the end is there
	if err == io.EOF {
		return nil
	}
	return err
}

// header reads the header of a variable; limit is the number of bytes from its beginning to its end, decompressed.
func (p *parser) header(v *Variable, source *counter) (limit int64, err error) {
	limit = v.size
	if v.compressed {
		if err := p.reset(source.Reader); err != nil {
			return 0, err
		}
		source.Reader = &p.inflater
		kind, length, _, err := p.tag(source)
		if err != nil {
			return 0, err
		}
		if kind != miMatrix || length/maxRatio > v.size {
			return 0, errDamaged
		}
		limit = tagBytes + length
	}
	flags, err := p.small(source, miUint32, tagBytes)
	if err != nil || len(flags) != tagBytes {
		return 0, malformed(err)
	}
	word := p.order.Uint32(flags)
	class := int(word & 0xff)
	if class == 0 || class >= len(classes) {
		return 0, fmt.Errorf("its class is %d, 1 to %d are known", class, len(classes)-1)
	}
	v.Class = classes[class]
	if class != classOpaque {
		dims, err := p.small(source, miInt32, 4*maxRank)
		if err != nil || len(dims)%4 != 0 || len(dims) < 8 {
			return 0, malformed(err)
		}
		for ; len(dims) > 0; dims = dims[4:] {
			n := int(int32(p.order.Uint32(dims)))
			if n < 0 {
				return 0, errDamaged
			}
			v.Shape = append(v.Shape, n)
		}
	}
	name, err := p.small(source, miInt8, maxName)
	if err != nil {
		return 0, malformed(err)
	}
	v.Name = strings.TrimRight(string(name), "\x00")
	if strings.IndexFunc(v.Name, func(r rune) bool { return !unicode.IsPrint(r) }) >= 0 {
		return 0, fmt.Errorf("its name is %q", v.Name)
	}
	full := classDouble <= class && class <= classUint64
	if full && word&flagLogical != 0 {
		v.Class = "logical"
	}
	if word&flagComplex != 0 {
		v.Class += ", complex"
	}
	if !full || word&flagComplex != 0 {
		return limit, nil
	}
	kind, length, inline, err := p.tag(source)
	if err != nil {
		return 0, err
	}
	v.skip = source.read
	if inline != nil { // the tag holds the numbers
		v.skip -= int64(len(inline))
	}
	t, ok := number(kind, p.order == binary.ByteOrder(binary.BigEndian))
	if !ok || !fits(v.Shape, t.Bytes(), length) || inline == nil && length > limit-v.skip {
		return 0, fmt.Errorf("%d bytes of element type %d are no array of shape %v", length, kind, v.Shape)
	}
	v.header = npy.Header{Type: t, Shape: v.Shape, Fortran: true}
	v.Numeric = true
	return limit, nil
}

// tag reads a tag: the type of the data that follow and their length. For up to four bytes it may hold the data,
// inline.
func (p *parser) tag(in io.Reader) (kind uint32, length int64, inline []byte, err error) {
	tag := make([]byte, tagBytes)
	if _, err := io.ReadFull(in, tag); err != nil {
		return 0, 0, nil, malformed(err)
	}
	kind, length = p.order.Uint32(tag), int64(p.order.Uint32(tag[4:]))
	if n := kind >> 16; n != 0 {
		if n > 4 {
			return 0, 0, nil, errDamaged
		}
		return kind & 0xffff, int64(n), tag[4:], nil
	}
	return kind, length, nil, nil
}

// small reads an element of the given type and at most most bytes with its padding.
func (p *parser) small(in io.Reader, want uint32, most int64) ([]byte, error) {
	kind, length, inline, err := p.tag(in)
	if err != nil {
		return nil, err
	}
	// Other programs write dimensions as unsigned numbers, and names as UTF-8.
	also, ok := map[uint32]uint32{miInt8: miUTF8, miInt32: miUint32}[want]
	if kind != want && !(ok && kind == also) || length > most {
		return nil, errDamaged
	}
	if inline != nil {
		return inline[:length], nil
	}
	data := make([]byte, (length+7)&^7)
	if _, err := io.ReadFull(in, data); err != nil {
		return nil, malformed(err)
	}
	return data[:length], nil
}

func malformed(err error) error {
	if err == nil || err == io.EOF {
		return errDamaged
	}
	return err
}

type counter struct {
	io.Reader
	read int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.read += int64(n)
	return n, err
}

// inflater decompresses, with memory that is used again after reset.
type inflater struct {
	zlib   io.ReadCloser
	buffer *bufio.Reader
}

func (z *inflater) reset(in io.Reader) error {
	if z.zlib == nil {
		z.buffer = bufio.NewReaderSize(in, 1<<14)
		var err error
		z.zlib, err = zlib.NewReader(z.buffer)
		return err
	}
	z.buffer.Reset(in)
	return z.zlib.(zlib.Resetter).Reset(z.buffer, nil)
}

func (z *inflater) Read(b []byte) (int, error) { return z.zlib.Read(b) }
