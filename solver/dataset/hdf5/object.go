// This file reads object headers: the messages that describe a group or an array.

package hdf5

import (
	"errors"
	"math"
	"slices"
	"strings"

	"rfm/solver/dataset/npy"
)

// The kinds of messages that the reader uses.
const (
	dataspaceMessage    = 0x01
	linkInfoMessage     = 0x02
	datatypeMessage     = 0x03
	linkMessage         = 0x06
	externalMessage     = 0x07
	layoutMessage       = 0x08
	filterMessage       = 0x0b
	attributeMessage    = 0x0c
	continuationMessage = 0x10
	symbolsMessage      = 0x11
)

type message struct {
	kind   int
	shared bool // its content is elsewhere
	data   []byte
}

// dataset is an array of a file.
type dataset struct {
	name        string
	kind        npy.Type // of the elements; Real if they are numbers
	element     int      // bytes of an element
	class       string   // of elements that are not numbers: "string", "compound", "reference", ...
	shape       []int
	storage     storage
	refused     error  // reason if an array of numbers is unreadable
	matlabClass string // of the attribute MATLAB_class: "double", "char", ...
	matlabEmpty bool   // the attribute MATLAB_empty exists: the elements are a shape
}

// messages reads the header of the object at an address.
func (f *file) messages(at int64) (all []message, err error) {
	b, err := f.bytes(at, min(64, f.size-f.base-at))
	if err != nil {
		return nil, err
	}
	c, next, rest := &cursor{f: f, b: b}, "", 0 // signature of the blocks that follow, bytes of a message before its data
	if strings.HasPrefix(string(b), "OHDR") {
		c.take(4)
		version, flags := c.byte(), c.byte()
		if version != 2 {
			return nil, unread("has an object header of version %d; 1 and 2 are read", version)
		}
		times, phases, order := flags>>5&1, flags>>4&1, flags>>2&1 // optional fields
		c.take(16*times + 4*phases)
		next, rest = "OCHK", 4+2*order
		size, before := int64(c.uint(1<<(flags&3))), int64(len(b)-len(c.b))
		if size < 0 || size > maxBlock {
			return nil, damage("the object header at %d has %d bytes", at, size)
		}
		if c.err == nil {
			c = f.structure("OHDR", at, before+size+4, true)
			c.take(int(before) - 4)
		}
	} else {
		if version := c.byte(); version != 1 {
			return nil, damage("no object is at %d", at)
		}
		c.take(7)
		size := int64(c.uint(4))
		if first := f.structure("", at, 16, false); first.err != nil {
			return nil, first.err
		}
		c, rest = f.structure("", at+16, size, false), 8
	}
	for blocks := []*cursor{c}; len(blocks) > 0; blocks = blocks[1:] {
		c := blocks[0]
		for len(c.b) >= rest { // shorter rests are gaps
			m := message{}
			kind := 2
			if next != "" {
				kind = 1
			}
			m.kind = int(c.uint(kind))
			size, flags := int(c.uint(2)), c.byte()
			c.take(rest - kind - 3)
			m.shared, m.data = flags&2 != 0, c.take(size)
			if m.kind != continuationMessage {
				all = append(all, m)
				continue
			}
			where := &cursor{f: f, b: m.data}
			at, length := where.address(), where.length()
			if where.err != nil {
				return nil, where.err
			}
			blocks = append(blocks, f.structure(next, at, length, next != ""))
		}
		if c.err != nil {
			return nil, c.err
		}
	}
	return all, nil
}

// find returns the first message of a kind, or nil.
func find(all []message, kind int) *message {
	if i := slices.IndexFunc(all, func(m message) bool { return m.kind == kind }); i >= 0 {
		return &all[i]
	}
	return nil
}

// object adds the object at an address: an array, or the arrays of a group. Groups already visited and named types are
// skipped. Unsupported objects are listed with the reason and do not affect others.
func (f *file) object(at int64, name string, depth int) error {
	if f.objects[at] {
		return nil
	}
	if len(f.objects) == maxObjects {
		return unread("has more than %d groups and arrays", maxObjects)
	}
	f.objects[at] = true
	d := dataset{name: name, class: "group"}
	all, err := f.messages(at)
	switch {
	case err != nil:
	case find(all, symbolsMessage) != nil || find(all, linkInfoMessage) != nil || find(all, linkMessage) != nil:
		err = f.group(all, name, depth)
	case find(all, dataspaceMessage) != nil && find(all, layoutMessage) != nil:
		d.class = "array"
		if err = f.describe(all, &d); err == nil {
			f.sets = append(f.sets, d)
		}
	}
	var u unsupported
	if errors.As(err, &u) && name != "" {
		d.kind, d.refused = npy.Type{}, err
		f.sets = append(f.sets, d)
		return nil
	}
	return err
}

// describe fills in the description of an array from its messages. It records the reason if the storage is unsupported.
func (f *file) describe(all []message, d *dataset) error {
	for _, kind := range []int{dataspaceMessage, datatypeMessage, layoutMessage, filterMessage} {
		if m := find(all, kind); m != nil && m.shared {
			return unread("shares the description of its type, shape or storage with others, which is not read")
		}
	}
	var err error
	if d.shape, err = f.dataspace(find(all, dataspaceMessage).data); err != nil {
		return err
	}
	for _, m := range all {
		if m.kind == attributeMessage && !m.shared {
			d.attribute(&cursor{f: f, b: m.data})
		}
	}
	kind := find(all, datatypeMessage)
	if kind == nil {
		return damage("the array %q has no type", d.name)
	}
	if err := d.datatype(&cursor{f: f, b: kind.data}); err != nil {
		return err
	}
	d.storage, err = f.layout(all, d.shape, d.element)
	var u unsupported
	if errors.As(err, &u) {
		d.refused, err = err, nil
	}
	return err
}

// attribute reads the attributes of MATLAB about an array; other and unreadable attributes are ignored.
func (d *dataset) attribute(c *cursor) {
	version := c.byte()
	c.take(1)
	nameSize, typeSize, spaceSize := int(c.uint(2)), int(c.uint(2)), int(c.uint(2))
	if version == 1 { // which pads them
		nameSize, typeSize, spaceSize = (nameSize+7)&^7, (typeSize+7)&^7, (spaceSize+7)&^7
	} else if version == 3 {
		c.take(1)
	}
	name, _, _ := strings.Cut(string(c.take(nameSize)), "\x00")
	c.take(typeSize + spaceSize)
	if c.err == nil && name == "MATLAB_class" {
		text, _, _ := strings.Cut(string(c.b[:min(len(c.b), 64)]), "\x00")
		d.matlabClass = strings.TrimRight(text, " ")
	}
	d.matlabEmpty = d.matlabEmpty || c.err == nil && name == "MATLAB_empty"
}

// dataspace reads a shape.
func (f *file) dataspace(b []byte) ([]int, error) {
	c := &cursor{f: f, b: b}
	version, rank, _, kind := c.byte(), c.byte(), c.byte(), c.byte()
	switch {
	case version == 1:
		c.take(4)
	case version != 2:
		return nil, unread("has a shape of version %d; 1 and 2 are read", version)
	}
	if rank > maxRank {
		return nil, unread("has %d axes, at most %d are read", rank, maxRank)
	}
	shape, size := []int{}, int64(1)
	for range rank {
		n := c.length()
		if n < 0 || n > math.MaxInt || n > 0 && size > 1<<50/n {
			return nil, unread("has more than 2^50 elements, which is not read")
		}
		size *= max(n, 1) // so that no part of the shape overflows
		shape = append(shape, int(n))
	}
	if version == 2 && kind == 2 { // no elements
		shape = []int{0}
	}
	return shape, c.err
}

// classes names the classes of elements by number.
var classes = []string{"integer of unusual width", "float of unusual form", "time", "string", "bit field", "opaque",
	"compound", "reference", "enumeration", "variable length", "array"}

// datatype finds the type of the elements: numbers, or the enumeration of two bytes that h5py writes for bool.
func (d *dataset) datatype(c *cursor) error {
	for nested := range 2 {
		first, bits, size := c.byte(), int(c.uint(3)), int(c.uint(4))
		class, version := first&15, first>>4
		if c.err != nil {
			return c.err
		}
		if version < 1 || version > 5 || class >= len(classes) || size < 1 && class != 3 || size > 1<<20 {
			return unread("has elements of version %d, class %d, with %d bytes, which are not read", version, class, size)
		}
		if nested == 0 {
			d.element, d.class = size, classes[class]
		}
		big := bits&1 != 0
		switch class {
		case 0:
			offset, precision, kind := c.uint(2), int(c.uint(2)), npy.Unsigned
			if bits&8 != 0 {
				kind = npy.Signed
			}
			if offset == 0 && precision == 8*size && size == d.element {
				d.kind = npy.Number(kind, size, big)
			}
		case 1:
			form := [6]int{int(c.uint(2)), int(c.uint(2)), c.byte(), c.byte(), c.byte(), c.byte()}
			mantissa := map[int]int{2: 10, 4: 23, 8: 52}[size]
			exponent := 8*size - 1 - mantissa
			if form == [6]int{0, 8 * size, mantissa, exponent, 0, mantissa} && bits&0x40 == 0 && bits>>8&0xff == 8*size-1 &&
				int(c.uint(4)) == 1<<(exponent-1)-1 {
				d.kind = npy.Number(npy.Float, size, big)
			}
		case 8:
			continue // the type of its values
		}
		break
	}
	return c.err
}
