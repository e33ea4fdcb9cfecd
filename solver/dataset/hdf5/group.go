// This file follows the links of groups to arrays.

package hdf5

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// link is a name in a group with the address of its target; a soft link and a link to another file have none.
type link struct {
	name     string
	at       int64
	indirect bool
}

// group adds the arrays of the group with these messages.
func (f *file) group(all []message, name string, depth int) error {
	if depth > maxDepth {
		return unread("has more than %d groups in each other", maxDepth)
	}
	var found []link
	add := func(l link, err error) error {
		if f.links++; f.links > maxLinks {
			return unread("has more than %d names", maxLinks)
		}
		switch {
		case err != nil:
			return err
		case l.at < 0 && !l.indirect:
			return damage("the link %q leads nowhere", l.name)
		case len(l.name) > maxName:
			return unread("has a link with a name of %d bytes, at most %d are read", len(l.name), maxName)
		}
		if !l.indirect {
			found = append(found, l)
		}
		return nil
	}
	for _, m := range all {
		c := &cursor{f: f, b: m.data}
		var err error
		switch m.kind {
		case symbolsMessage:
			tree, heap := c.address(), c.address()
			if err = c.err; err == nil {
				err = f.symbolTable(tree, heap, add)
			}
		case linkMessage:
			err = add(c.link())
		case linkInfoMessage:
			c.take(1)
			c.take(8 * (c.byte() & 1))
			heap, names := c.address(), c.address()
			if err = c.err; err == nil && heap >= 0 {
				err = f.linksOfHeap(heap, names, func(b []byte) error { return add((&cursor{f: f, b: b}).link()) })
			}
		}
		if err != nil {
			return err
		}
	}
	slices.SortFunc(found, func(a, b link) int { return cmp.Compare(a.name, b.name) }) // order of hashes possible
	for _, l := range found {
		if depth == 0 && strings.HasPrefix(l.name, "#") { // MATLAB's own
			continue
		}
		if err := f.object(l.at, strings.TrimPrefix(name+"/"+l.name, "/"), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// link reads a link message.
func (c *cursor) link() (l link, err error) {
	version, flags, kind := c.byte(), c.byte(), 0
	if version != 1 {
		return l, unread("has a link of version %d, which is not read", version)
	}
	if flags&8 != 0 {
		kind = c.byte()
	}
	order, letters := flags>>2&1, flags>>4&1 // both optional
	c.take(8*order + letters)
	l.name = string(c.take(int(c.uint(1 << (flags & 3)))))
	if l.indirect = kind != 0; !l.indirect {
		l.at = c.address()
	}
	return l, c.err
}

// symbolTable passes the links of a group of the older kind to add: a tree of names, with the names in a heap.
func (f *file) symbolTable(tree, heap int64, add func(link, error) error) error {
	c := f.structure("HEAP", heap, int64(8+2*f.lengths+f.offsets), false)
	c.take(4)
	size := c.length()
	c.length()
	data := c.address()
	if c.err == nil {
		c = f.structure("", data, size, false)
	}
	if c.err != nil {
		return c.err
	}
	names := c.b
	return f.tree(tree, 0, f.lengths, -1, func(_ []byte, child int64) error {
		c := f.structure("SNOD", child, 8, false)
		c.take(2)
		count, entry := int64(c.uint(2)), int64(2*f.offsets+24)
		if c.err != nil {
			return c.err
		}
		b, err := f.bytes(child+8, count*entry)
		if err != nil {
			return err
		}
		c = &cursor{f: f, b: b}
		for range count {
			place := c.uint(f.offsets)
			l := link{at: c.address()}
			l.indirect = c.uint(4) == 2
			c.take(20)
			if place >= uint64(len(names)) {
				return damage("a name of a group is outside of its heap")
			}
			word, _, _ := bytes.Cut(names[place:], []byte{0})
			l.name = string(word[:min(len(word), maxName+1)])
			if err := add(l, nil); err != nil {
				return err
			}
		}
		return nil
	})
}
