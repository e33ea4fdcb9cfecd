// This file reads object headers: the messages that say what a group or an array is.

package hdf5

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"rfm/solver/dataset/npy"
)

// The kinds of messages that are looked at.
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
	shared bool // what it says stands elsewhere
	data   []byte
}

// messages reads the header of the object at an address.
func (f *File) messages(at int64) ([]message, error) {
	start, err := f.bytes(at, 16)
	if err != nil {
		return nil, err
	}
	h := header{f: f}
	if string(start[:4]) == "OHDR" {
		err = h.second(at)
	} else {
		err = h.first(at)
	}
	return h.all, err
}

type header struct {
	f         *File
	all       []message
	version   int
	fixed     int        // bytes of a message before its data
	following [][2]int64 // where the header continues, with lengths
}

// first reads a header of version 1.
func (h *header) first(at int64) error {
	if err := h.f.visit(at); err != nil {
		return err
	}
	b, err := h.f.bytes(at, 16)
	if err != nil {
		return err
	}
	c := &cursor{f: h.f, b: b}
	if c.byte() != 1 {
		return damage("no object is at %d", at)
	}
	c.take(7)
	size := int64(c.uint(4))
	h.version, h.fixed = 1, 8
	if b, err = h.f.bytes(at+16, size); err != nil {
		return err
	}
	if err := h.parse(b); err != nil {
		return err
	}
	for len(h.following) > 0 {
		next := h.following[0]
		h.following = h.following[1:]
		if err := h.f.visit(next[0]); err != nil {
			return err
		}
		if b, err = h.f.bytes(next[0], next[1]); err != nil {
			return err
		}
		if err := h.parse(b); err != nil {
			return err
		}
	}
	return nil
}

// second reads a header of version 2.
func (h *header) second(at int64) error {
	b, err := h.f.bytes(at, min(64, h.f.size-h.f.base-at))
	if err != nil {
		return err
	}
	c := &cursor{f: h.f, b: b[4:]}
	if version := c.byte(); version != 2 {
		return unread("has an object header of version %d; 1 and 2 are read", version)
	}
	flags := c.byte()
	if flags&0x20 != 0 {
		c.take(16)
	}
	if flags&0x10 != 0 {
		c.take(4)
	}
	size := int64(c.uint(1 << (flags & 3)))
	before := int64(len(b) - len(c.b))
	if err := c.done("an object header"); err != nil {
		return err
	}
	if size < 0 || size > maxBlock {
		return damage("the object header at %d has %d bytes", at, size)
	}
	h.version, h.fixed = 2, 4
	if flags&4 != 0 {
		h.fixed += 2
	}
	if c, err = h.f.structure("OHDR", at, before+size+4, true); err != nil {
		return err
	}
	if err := h.parse(c.b[before-4:]); err != nil {
		return err
	}
	for len(h.following) > 0 {
		next := h.following[0]
		h.following = h.following[1:]
		if c, err = h.f.structure("OCHK", next[0], next[1], true); err != nil {
			return err
		}
		if err := h.parse(c.b); err != nil {
			return err
		}
	}
	return nil
}

// parse takes the messages of a block; what is shorter than a message at its end is a gap.
func (h *header) parse(b []byte) error {
	c := &cursor{f: h.f, b: b}
	for len(c.b) >= h.fixed {
		var m message
		var size, flags int
		if h.version == 1 {
			m.kind, size, flags = int(c.uint(2)), int(c.uint(2)), c.byte()
		} else {
			m.kind, size, flags = c.byte(), int(c.uint(2)), c.byte()
		}
		c.take(h.fixed - map[int]int{1: 5, 2: 4}[h.version])
		m.shared, m.data = flags&2 != 0, c.take(size)
		if err := c.done("a message of an object header"); err != nil {
			return err
		}
		if m.kind == continuationMessage {
			where := &cursor{f: h.f, b: m.data}
			h.following = append(h.following, [2]int64{where.address(), where.length()})
			if err := where.done("a continuation of an object header"); err != nil {
				return err
			}
			continue
		}
		h.all = append(h.all, m)
	}
	return nil
}

// find is the first message of a kind, nil if there is none.
func find(all []message, kind int) *message {
	if i := slices.IndexFunc(all, func(m message) bool { return m.kind == kind }); i >= 0 {
		return &all[i]
	}
	return nil
}

// object looks at what is at an address: a group, whose arrays are added, or an array. Groups that have been entered,
// and named types, are passed over. What is not supported is listed with the reason, and nothing else suffers.
func (f *File) object(at int64, name string, depth int) error {
	if f.groups[at] { // another name of the same
		if first, ok := f.arrays[at]; ok {
			f.aliases = append(f.aliases, link{name: name, path: first})
		}
		return nil
	}
	f.groups[at] = true
	if f.objects++; f.objects > maxObjects {
		return unread("has more than %d groups and arrays", maxObjects)
	}
	d := Dataset{Name: name, Class: "group"}
	all, err := f.messages(at)
	switch {
	case err != nil:
	case find(all, symbolsMessage) != nil || find(all, linkInfoMessage) != nil || find(all, linkMessage) != nil:
		err = f.links(all, name, depth)
	case find(all, dataspaceMessage) != nil && find(all, layoutMessage) != nil:
		d.Class = "array"
		if err = f.dataset(all, &d); err == nil {
			f.sets = append(f.sets, d)
			f.arrays[at] = name
		}
	}
	var u unsupported
	if errors.As(err, &u) && name != "" {
		d.Type, d.refused = npy.Type{}, err
		f.sets = append(f.sets, d)
		return nil
	}
	return err
}

// dataset describes the array that messages tell of. That its storage cannot be read is kept as the reason.
func (f *File) dataset(all []message, d *Dataset) error {
	for _, kind := range []int{dataspaceMessage, datatypeMessage, layoutMessage, filterMessage} {
		if m := find(all, kind); m != nil && m.shared {
			return unread("shares the description of its type, shape or storage with others, which is not read")
		}
	}
	space, err := f.dataspace(find(all, dataspaceMessage).data)
	if err != nil {
		return err
	}
	d.Shape = space.shape
	for _, m := range all {
		if m.kind == attributeMessage && !m.shared {
			f.attribute(m.data, d)
		}
	}
	kind := find(all, datatypeMessage)
	if kind == nil {
		return damage("the array %q has no type", d.Name)
	}
	t, err := parseDatatype(&cursor{f: f, b: kind.data}, 0)
	if err != nil {
		return err
	}
	d.element, d.Class, d.Type = t.size, t.class, t.number
	d.storage, err = f.layout(all, space, t.size)
	var u unsupported
	if errors.As(err, &u) {
		d.refused, err = err, nil
	}
	return err
}

// extent is the shape of an array, and the largest it may grow to, -1 without limit.
type extent struct{ shape, most []int }

func (f *File) dataspace(b []byte) (extent, error) {
	c := &cursor{f: f, b: b}
	version, rank, flags := c.byte(), c.byte(), c.byte()
	kind := 1
	switch version {
	case 1:
		c.take(5)
		kind = min(rank, 1)
	case 2:
		kind = c.byte()
	default:
		return extent{}, unread("has a shape of version %d; 1 and 2 are read", version)
	}
	if rank > maxRank {
		return extent{}, unread("has %d axes, at most %d are read", rank, maxRank)
	}
	e := extent{shape: []int{}, most: []int{}}
	size := int64(1)
	for range rank {
		n := c.length()
		if n < 0 || n > math.MaxInt || n > 0 && size > 1<<50/n {
			return extent{}, unread("has more than 2^50 elements, which is not read")
		}
		size *= max(n, 1) // so that no part of the shape overflows
		e.shape = append(e.shape, int(n))
	}
	e.most = slices.Clone(e.shape)
	if flags&1 != 0 {
		for d := range e.most {
			e.most[d] = int(min(c.length(), math.MaxInt))
			if e.most[d] >= 0 && e.most[d] < e.shape[d] {
				return extent{}, damage("an axis of %d may have at most %d", e.shape[d], e.most[d])
			}
		}
	}
	if kind == 2 { // no elements
		e = extent{shape: []int{0}, most: []int{0}}
	}
	return e, c.done("a shape")
}

// datatype is what elements are.
type datatype struct {
	size   int
	class  string   // if they are no numbers
	number npy.Type // Real if they are
}

// classes that are not read.
var classes = map[int]string{2: "time", 3: "string", 4: "bit field", 5: "opaque", 6: "compound", 7: "reference",
	8: "enumeration", 9: "variable length", 10: "array"}

func parseDatatype(c *cursor, depth int) (datatype, error) {
	first := c.byte()
	class, version := first&15, first>>4
	bits := int(c.uint(3))
	t := datatype{size: int(c.uint(4)), class: classes[class]}
	if err := c.done("a type"); err != nil {
		return t, err
	}
	if version < 1 || version > 5 || t.size < 1 && class != 3 || t.size > 1<<20 || depth > 4 {
		return t, unread("has elements of version %d, class %d, with %d bytes, which are not read", version, class, t.size)
	}
	big := bits&1 != 0
	switch class {
	case 0:
		at, precision := int(c.uint(2)), int(c.uint(2))
		if at == 0 && precision == 8*t.size && slices.Contains([]int{1, 2, 4, 8}, t.size) {
			kind := npy.Unsigned
			if bits&8 != 0 {
				kind = npy.Signed
			}
			t.number = npy.Number(kind, t.size, big)
		}
		t.class = cmp.Or(t.class, "integer of unusual width")
	case 1:
		form := [6]int{int(c.uint(2)), int(c.uint(2)), c.byte(), c.byte(), c.byte(), c.byte()}
		sign, bias := bits>>8&0xff, int(c.uint(4))
		t.class = "float of unusual form"
		if kind, ok := floats[floatForm{t.size, sign, bias, form}]; ok && bits&0x40 == 0 {
			t.class, t.number = "", npy.Number(kind, t.size, big)
		}
	case 8: // as h5py writes bool
		inner, err := parseDatatype(c, depth+1)
		if err != nil {
			return t, err
		}
		if inner.size == t.size {
			t.number = inner.number
		}
		if version >= 3 {
			for range bits & 0xffff {
				c.text(1)
			}
		} else {
			for range bits & 0xffff {
				c.text(8)
			}
		}
		c.take((bits & 0xffff) * t.size)
	}
	if t.number.Real() {
		t.class = ""
	}
	return t, c.done("a type")
}

// floatForm is bytes, place of the sign, bias of the exponent, and: offset, precision, place and size of exponent and
// mantissa.
type floatForm struct {
	size, sign, bias int
	parts            [6]int
}

var floats = map[floatForm]npy.Kind{
	{2, 15, 15, [6]int{0, 16, 10, 5, 0, 10}}:    npy.Float,
	{4, 31, 127, [6]int{0, 32, 23, 8, 0, 23}}:   npy.Float,
	{8, 63, 1023, [6]int{0, 64, 52, 11, 0, 52}}: npy.Float,
}

// bytesOf is the number of bytes that n needs.
func bytesOf(n int64) int {
	bytes := 1
	for ; n > 255; n >>= 8 {
		bytes++
	}
	return bytes
}
