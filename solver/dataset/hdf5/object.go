// This file reads object headers: the messages that describe a group or an array.

package hdf5

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cf"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// The kinds of messages that the reader uses.
const (
	dataspaceMessage     = 0x01
	linkInfoMessage      = 0x02
	datatypeMessage      = 0x03
	linkMessage          = 0x06
	oldFillMessage       = 0x04
	fillMessage          = 0x05
	externalMessage      = 0x07
	layoutMessage        = 0x08
	filterMessage        = 0x0b
	attributeMessage     = 0x0c
	continuationMessage  = 0x10
	symbolsMessage       = 0x11
	attributeInfoMessage = 0x15
)

type message struct {
	shared bool // its content is elsewhere
	data   []byte
}

// header has the messages of an object by their kinds.
type header map[int][]message

// first returns a cursor of the first message of a kind, or nil.
func (h header) first(kind int) *structure {
	if h[kind] == nil {
		return nil
	}
	if h[kind][0].shared {
		unread("shares the description of its type, shape or storage with others, which is not read")
	}
	return within(h[kind][0].data)
}

// header reads the header of the object at an address.
func (f *file) header(at int64) header {
	start := within(f.bytes(at, min(64, f.size-f.base-at)))
	form := headerForm{before: 8, kindBytes: 2}
	var first *structure
	if strings.HasPrefix(string(start.Rest), "OHDR") {
		form, first = f.newHeader(at, start)
	} else {
		first = f.oldHeader(at, start)
	}
	h := header{}
	for blocks := []*structure{first}; len(blocks) > 0; blocks = blocks[1:] {
		c := blocks[0]
		for len(c.Rest) >= form.before { // shorter rests are gaps
			kind := int(c.Uint(form.kindBytes))
			size := int(c.Uint(2))
			flags := c.byte()
			c.Take(form.before - form.kindBytes - 3)
			m := message{shared: flags&2 != 0, data: c.Take(size)}
			if kind != continuationMessage {
				h[kind] = append(h[kind], m)
				continue
			}
			where := within(m.data)
			at := where.place()
			length := where.place()
			blocks = append(blocks, f.structure(form.next, at, length, form.next != ""))
		}
	}
	return h
}

// headerForm says how the messages of a header are written.
type headerForm struct {
	next      string // signature of the blocks that follow the first one; empty: they have none, and no checksum
	before    int    // bytes of a message before its data
	kindBytes int    // of them those of its kind
}

// newHeader returns the form and the first block of a header of version 2.
func (f *file) newHeader(at int64, start *structure) (form headerForm, first *structure) {
	length := len(start.Rest)
	start.Take(4)
	version := start.byte()
	flags := start.byte()
	if version != 2 {
		unread("has an object header of version %d; 1 and 2 are read", version)
	}
	// optional fields
	times := flags >> 5 & 1
	phases := flags >> 4 & 1
	order := flags >> 2 & 1
	start.Take(16*times + 4*phases)
	size := int64(start.Uint(1 << (flags & 3)))
	if size < 0 || size > maxBlock {
		cursor.Damage("the object header at %d has %d bytes", at, size)
	}
	before := length - len(start.Rest)
	first = f.structure("OHDR", at, int64(before)+size+seal, true)
	first.Take(before - 4)
	return headerForm{next: "OCHK", before: 4 + 2*order, kindBytes: 1}, first
}

// oldHeader returns the first block of a header of version 1.
func (f *file) oldHeader(at int64, start *structure) *structure {
	if version := start.byte(); version != 1 {
		cursor.Damage("no object is at %d", at)
	}
	start.Take(7)
	size := int64(start.Uint(4))
	f.structure("", at, 16, false)
	return f.structure("", at+16, size, false)
}

// object adds the object at an address: an array, or the arrays of a group. Groups already visited and named types are
// skipped. Unsupported objects are listed with the reason and do not affect others.
func (f *file) object(at int64, name string, depth int) {
	if f.objects[at] {
		return
	}
	if len(f.objects) == maxObjects {
		unread("has more than %d groups and arrays", maxObjects)
	}
	f.objects[at] = true
	m := npy.Member{Name: name, Type: "group"}
	err := cursor.Attempt(func() {
		h := f.header(at)
		switch {
		case h[symbolsMessage] != nil || h[linkInfoMessage] != nil || h[linkMessage] != nil:
			f.group(h, name, depth)
		case h[dataspaceMessage] != nil && h[layoutMessage] != nil:
			m.Type = "array"
			f.array(h, &m)
		}
	})
	if why, ok := err.(cf.Undefined); ok { // the stored numbers would mean something else
		m.Refused = fault.Bad(
			npy.Place(f.where, name),
			"correct the attribute, or remove it if the stored numbers are meant",
			"%v", why,
		)
		err = nil
	}
	what, refused := err.(unsupported)
	switch {
	case err != nil && (!refused || name == ""):
		cursor.End(err)
	case refused:
		m.Refused = f.refused(name, what)
	case m.Type == "group" || m.Type == dimension:
		return
	}
	f.arrays[at] = len(f.members)
	f.members = append(f.members, m)
}

// dimension is the type of an array that only names a dimension.
const dimension = "dimension"

// array describes an array by its messages.
func (f *file) array(h header, m *npy.Member) {
	s := storage{f: f}
	s.shape, s.most = h.first(dataspaceMessage).extent()
	m.Shape = slices.Clone(s.shape)
	m.Fortran = f.matlab
	if f.matlab {
		slices.Reverse(m.Shape)
	}
	if h[datatypeMessage] == nil {
		cursor.Damage("the array %q has no type", m.Name)
	}
	attributes := f.attributes(h)
	if attributes.isDimension() {
		m.Type = dimension
		return
	}
	s.elements, s.size = f.datatype(h)
	if attributes.IsUnsigned() {
		s.elements = s.elements.Unsigned()
	}
	m.Type = s.elements.Name
	s.bytes = int64(s.size) * int64(npy.Count(s.shape))
	if m.Type == reference {
		f.lists = append(f.lists, listed{
			of:     s,
			header: h,
			member: len(f.members),
			name:   m.Name,
		})
	}
	m.Refused = s.elements.Check(npy.Place(f.where, m.Name))
	if m.Refused != nil {
		return
	}
	if _, empty := attributes.Attributes[matlabEmpty]; empty {
		unread("is an empty array")
	}
	if attributes.Attributes[matlabClass].Text == "char" {
		m.Type = "char"
		unread("is a text")
	}
	meaning := cf.AsStored
	if !f.matlab && !s.elements.IsComplex() {
		meaning = attributes.Meaning(s.elements, attributes.ofNetCDF())
		m.Note = meaning.Note
	}
	s.locate(h)
	packed := int64(0)
	for _, k := range s.chunks {
		packed += k.size
	}
	m.Doubtful = npy.Incredible(s.bytes, packed)
	where := npy.Place(f.where, m.Name)
	*m = npy.Decoded(*m, s.elements, func(t npy.Type) npy.Numbers {
		part := s
		part.elements = t
		return func(at []npy.Axis, put npy.Put) error {
			if f.matlab {
				at = slices.Clone(at)
				slices.Reverse(at)
			}
			return npy.Scan(where, part.blocks, at, meaning.Put(put))
		}
	})
}

// datatype reads the type of an array. A named type is a message of another object, which several arrays may share.
func (f *file) datatype(h header) (elements npy.Type, size int) {
	m := h[datatypeMessage][0]
	if !m.shared {
		return within(m.data).datatype()
	}
	c := within(m.data)
	version := c.byte()
	kind := c.byte()
	const inObject = 2 // of version 3; others are older
	if version == 1 {
		c.Take(6)
	}
	isElsewhere := version == 3 && kind != inObject
	if version < 1 || version > 3 || isElsewhere {
		unread("shares its type with other arrays, in a way that is not read")
	}
	at := c.place()
	named, ok := f.types[at]
	if !ok {
		if f.objects[at] {
			cursor.Damage("a type at %d is an array, too", at)
		}
		f.objects[at] = true
		named = f.header(at)[datatypeMessage]
		if named == nil || named[0].shared {
			cursor.Damage("there is no type at %d", at)
		}
		f.types[at] = named
	}
	return within(named[0].data).datatype()
}

// extent reads the shape of an array, and the lengths to which its axes may grow; -1 is one without limit.
func (c *structure) extent() (shape, most []int) {
	version := c.byte()
	rank := c.byte()
	flags := c.byte()
	kind := c.byte()
	switch {
	case version == 1:
		c.Take(4)
	case version != 2:
		unread("has a shape of version %d; 1 and 2 are read", version)
	}
	if rank > npy.MaxRank {
		unread("has %d axes, want at most %d", rank, npy.MaxRank)
	}
	shape = []int{}
	size := int64(1)
	for range rank {
		n := c.place()
		isTooLong := n < 0 || n > math.MaxInt
		if isTooLong || n > 0 && size > 1<<50/n {
			unread("has more than 2^50 elements, which is not read")
		}
		size *= max(n, 1) // so that no part of the shape overflows
		shape = append(shape, int(n))
	}
	if flags&1 == 0 {
		most = shape
	}
	for d := range rank * (flags & 1) {
		n := c.place()
		if n >= 0 && n < int64(shape[d]) {
			cursor.Damage("an axis of %d may have %d", shape[d], n)
		}
		most = append(most, int(n))
	}
	if version == 2 && kind == 2 { // no elements
		shape = []int{0}
	}
	return shape, most
}

// classes names the classes of elements by number.
var classes = []string{
	"integer of unusual width",
	"float of unusual form",
	"time",
	"string",
	"bit field",
	"opaque",
	"compound",
	reference,
	"enumeration",
	"variable length",
	"array",
}

const reference = "reference"

// datatype finds the type of elements of size bytes: numbers, or h5py's enumeration for bool; others have class names.
func (c *structure) datatype() (elements npy.Type, size int) {
	const (
		integer     = 0
		float       = 1
		text        = 3
		compound    = 6
		enumeration = 8
	)
	first := c.byte()
	bits := int(c.Uint(3))
	size = int(c.Uint(4))
	class := first & 15
	version := first >> 4
	isKnown := version >= 1 && version <= 5 && class < len(classes)
	hasSize := size >= 1 || class == text
	if !isKnown || !hasSize || size > 1<<20 {
		unread("has elements of version %d, class %d, with %d bytes, which are not read", version, class, size)
	}
	elements = npy.Type{Name: classes[class]}
	order := "<>"[bits&1]
	switch class {
	case integer:
		sign := "ui"[bits>>3&1]
		offset := c.Uint(2)
		precision := int(c.Uint(2))
		if offset == 0 && precision == 8*size {
			elements = npy.TypeOf(fmt.Sprintf("%c%c%d", order, sign, size))
		}
	case float:
		if c.isIEEE(bits, size) {
			elements = npy.TypeOf(fmt.Sprintf("%cf%d", order, size))
		}
	case compound:
		if numbers, ok := c.complexNumbers(version, bits&0xffff, size); ok {
			elements = numbers
		}
	case enumeration: // the type of its values
		values, width := c.datatype()
		if width == size {
			elements = values
		}
	}
	return elements, size
}

// complexNumbers reads the rest of the type of a record of size bytes with some members. ok is false unless these are the
// real and the imaginary part of a complex number, as h5py, MATLAB and Julia write them.
func (c *structure) complexNumbers(version, members, size int) (t npy.Type, ok bool) {
	if members != 2 {
		return t, false
	}
	var (
		names   [2]string
		offsets [2]int
		parts   [2]npy.Type
	)
	for i := range members {
		names[i] = strings.ToLower(c.memberName(version))
		switch {
		case version >= 3 && size < 1<<8:
			offsets[i] = c.byte()
		case version >= 3:
			return t, false // too long for two numbers
		default:
			offsets[i] = int(c.Uint(4))
		}
		if version == 1 {
			const dimensions = 28 // bytes of an array's shape, which numbers do not have
			c.Take(dimensions)
		}
		parts[i], _ = c.datatype()
	}
	isPair := slices.Contains([]string{"r i", "re im", "real imag"}, names[0]+" "+names[1])
	width := size / 2
	inOrder := offsets == [2]int{0, width}
	if !isPair || !inOrder || parts[0] != parts[1] {
		return t, false
	}
	for _, order := range "<>" {
		if parts[0] == npy.TypeOf(fmt.Sprintf("%cf%d", order, width)) {
			t = npy.TypeOf(fmt.Sprintf("%cc%d", order, size))
		}
	}
	return t, t.Width == size
}

// memberName reads the name of a member of a record, which is padded in older versions.
func (c *structure) memberName(version int) string {
	end := bytes.IndexByte(c.Rest, 0)
	if end < 0 {
		cursor.Damage("a name in a type does not end")
	}
	length := end + 1
	if version < 3 {
		length = (length + 7) / 8 * 8
	}
	return string(c.Take(length)[:end])
}

// floatForm is the place and the size of the parts of a float, in bits.
type floatForm struct {
	offset         int
	precision      int
	exponentOffset int
	exponentSize   int
	mantissaOffset int
	mantissaSize   int
}

// isIEEE reads the rest of the type of a float of size bytes, and reports whether it is a half, single or double of
// IEEE 754.
func (c *structure) isIEEE(bits, size int) bool {
	const vaxOrder = 0x40
	form := floatForm{
		offset:         int(c.Uint(2)),
		precision:      int(c.Uint(2)),
		exponentOffset: c.byte(),
		exponentSize:   c.byte(),
		mantissaOffset: c.byte(),
		mantissaSize:   c.byte(),
	}
	bias := int(c.Uint(4))
	mantissa := map[int]int{2: 10, 4: 23, 8: 52}[size]
	exponent := 8*size - 1 - mantissa
	expected := floatForm{
		precision:      8 * size,
		exponentOffset: mantissa,
		exponentSize:   exponent,
		mantissaSize:   mantissa,
	}
	sign := bits >> 8 & 0xff
	return form == expected && bits&vaxOrder == 0 && sign == 8*size-1 && bias == 1<<(exponent-1)-1
}
