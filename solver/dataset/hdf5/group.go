// This file follows the links of groups to arrays, and reads attributes.

package hdf5

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// link is a name in a group and the address of what it means.
type link struct {
	name string
	at   int64
}

// links adds what the group with these messages holds.
func (f *File) links(all []message, name string, depth int) error {
	if depth > maxDepth {
		return unread("has more than %d groups in each other", maxDepth)
	}
	var found []link
	var err error
	for _, m := range all {
		c := &cursor{f: f, b: m.data}
		switch m.kind {
		case symbolsMessage:
			tree, heap := c.address(), c.address()
			if err := c.done("a group"); err != nil {
				return err
			}
			var names []byte
			if names, err = f.localHeap(heap); err == nil {
				err = f.symbols(tree, names, &found, -1)
			}
		case linkMessage:
			err = f.link(m.data, &found)
		case linkInfoMessage:
			c.take(1)
			if flags := c.byte(); flags&1 != 0 {
				c.take(8)
			}
			heap, names := c.address(), c.address()
			if err := c.done("a group"); err != nil {
				return err
			}
			if heap >= 0 {
				err = f.dense(heap, names, 5, func(b []byte) error { return f.link(b, &found) })
			}
		}
		if err != nil {
			return err
		}
	}
	for _, l := range found {
		path := l.name
		if name != "" {
			path = name + "/" + l.name
		}
		if depth == 0 && strings.HasPrefix(l.name, "#") { // MATLAB's own
			continue
		}
		if err := f.object(l.at, path, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// link reads a link message; soft and external ones are passed over.
func (f *File) link(b []byte, found *[]link) error {
	c := &cursor{f: f, b: b}
	if version := c.byte(); version != 1 {
		return damage("a link is of version %d", version)
	}
	flags := c.byte()
	kind := 0
	if flags&8 != 0 {
		kind = c.byte()
	}
	if flags&4 != 0 {
		c.take(8)
	}
	if flags&16 != 0 {
		c.take(1)
	}
	name := string(c.take(int(c.uint(1 << (flags & 3)))))
	if kind != 0 {
		return c.done("a link")
	}
	return cmp.Or(f.add(found, name, c.address()), c.done("a link"))
}

// add takes a link with a name.
func (f *File) add(found *[]link, name string, at int64) error {
	if f.names++; f.names > maxNames {
		return unread("has more than %d names", maxNames)
	}
	if at < 0 || len(name) > maxName {
		return damage("a link has a name of %d bytes and leads to %d", len(name), at)
	}
	*found = append(*found, link{name, at})
	return nil
}

// localHeap reads the names of a group.
func (f *File) localHeap(at int64) ([]byte, error) {
	c, err := f.structure("HEAP", at, int64(8+2*f.lengths+f.offsets), false)
	if err != nil {
		return nil, err
	}
	c.take(4)
	size := c.length()
	c.length()
	data := c.address()
	if err := cmp.Or(c.done("a heap"), f.once(data)); err != nil {
		return nil, err
	}
	return f.bytes(data, size)
}

// symbols adds the links of a group's tree at an address, which is at the given level; -1 is not known yet.
func (f *File) symbols(at int64, names []byte, found *[]link, level int) error {
	n, err := f.node(at, 0, f.lengths, level)
	if err != nil {
		return err
	}
	for _, e := range n.entries {
		if n.level > 0 {
			if err := f.symbols(e.child, names, found, n.level-1); err != nil {
				return err
			}
			continue
		}
		c, err := f.structure("SNOD", e.child, 8, false)
		if err != nil {
			return err
		}
		c.take(2)
		count, entry := int64(c.uint(2)), int64(2*f.offsets+24)
		b, err := f.bytes(e.child+8, count*entry)
		if err != nil {
			return err
		}
		c = &cursor{f: f, b: b}
		for range count {
			place, target := c.uint(f.offsets), c.address()
			kind := c.uint(4)
			c.take(20)
			if kind == 2 { // a soft link
				continue
			}
			if place >= uint64(len(names)) {
				return damage("a name of a group is outside of its heap")
			}
			text, _, _ := bytes.Cut(names[place:], []byte{0})
			if err := f.add(found, string(text[:min(len(text), maxName+1)]), target); err != nil {
				return err
			}
		}
	}
	return nil
}

// attributes reads the texts and numbers beside an object.
func (f *File) attributes(all []message) (Attributes, error) {
	found := Attributes{}
	for _, m := range all {
		var err error
		switch {
		case m.shared:
		case m.kind == attributeMessage:
			err = f.attribute(m.data, found)
		case m.kind == attributesMessage:
			c := &cursor{f: f, b: m.data}
			c.take(1)
			if flags := c.byte(); flags&1 != 0 {
				c.take(2)
			}
			heap, names := c.address(), c.address()
			if err = c.done("attributes"); err == nil && heap >= 0 {
				err = f.dense(heap, names, 8, func(b []byte) error { return f.attribute(b, found) })
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// attribute reads one; types that are neither texts nor numbers are passed over.
func (f *File) attribute(b []byte, found Attributes) error {
	c := &cursor{f: f, b: b}
	version, flags := c.byte(), c.byte()
	nameSize, typeSize, spaceSize := int(c.uint(2)), int(c.uint(2)), int(c.uint(2))
	pad := func(n int) int { return n }
	switch version {
	case 1:
		pad = func(n int) int { return (n + 7) &^ 7 }
		flags = 0
	case 2:
	case 3:
		c.take(1)
	default:
		return damage("an attribute is of version %d", version)
	}
	name, _, _ := strings.Cut(string(c.take(pad(nameSize))), "\x00")
	kind, space := slices.Clone(c.take(pad(typeSize))), c.take(pad(spaceSize))
	if err := c.done("an attribute"); err != nil || flags != 0 { // its type or shape stands elsewhere
		return err
	}
	t, err := parseDatatype(&cursor{f: f, b: kind}, 0)
	if err != nil {
		return err
	}
	e, err := f.dataspace(space)
	if err != nil {
		return err
	}
	count := 1
	for _, n := range e.shape {
		count *= n
	}
	const most = 64
	if f.names++; f.names > maxNames {
		return unread("has more than %d names", maxNames)
	}
	if len(name) > maxName || count > most || t.size > maxName {
		return nil
	}
	switch {
	case t.class == "string" && count == 1:
		text, _, _ := strings.Cut(string(c.take(t.size)), "\x00")
		found[name] = Attribute{Text: strings.TrimRight(text, " ")}
	case t.number.Real():
		values := make([]float64, count)
		data := slices.Clone(c.take(count * t.size))
		if c.short {
			break
		}
		if bad, _ := t.number.Decode(values, data); bad < 0 {
			found[name] = Attribute{Numbers: values}
		}
	}
	return c.done("an attribute")
}
