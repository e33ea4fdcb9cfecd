// This file follows the links of groups to arrays, and reads the attributes of MATLAB.

package hdf5

import (
	"bytes"
	"cmp"
	"fmt"
	pathpkg "path"
	"strings"
)

// link is a name in a group and the address of what it means, or, of a soft link, the path.
type link struct {
	name string
	at   int64
	path string // empty if the address is known

	external string // what a link to another file names, in words
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
				err = f.linksOfHeap(heap, names, func(b []byte) error { return f.link(b, &found) })
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
		if l.path != "" {
			if !strings.HasPrefix(l.path, "/") {
				l.path = name + "/" + l.path
			}
			f.aliases = append(f.aliases, link{name: path, path: strings.TrimPrefix(pathpkg.Clean("/"+l.path), "/")})
			continue
		}
		if l.external != "" {
			f.sets = append(f.sets, Dataset{Name: path, Class: "external link",
				refused: unread("is a link to %s, which is not followed: give that file", l.external)})
			continue
		}
		if err := f.object(l.at, path, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// listAliases adds arrays under their other names, those of hard links and of soft links in the file; after all others,
// which is where one looks for inputs and outputs first. Soft links that lead to no array are passed over.
func (f *File) listAliases() {
	const chain = 8 // links that lead to links
	at := map[string]int{}
	for i, d := range f.sets {
		at[d.Name] = i
	}
	for range chain {
		var rest []link
		for _, l := range f.aliases {
			i, ok := at[l.path]
			if !ok {
				rest = append(rest, l)
				continue
			}
			if f.objects++; f.objects > maxObjects {
				return
			}
			d := f.sets[i]
			if d.Same == "" {
				d.Same = d.Name
			}
			d.Name, at[l.name] = l.name, len(f.sets)
			f.sets = append(f.sets, d)
		}
		f.aliases = rest
	}
}

// link reads a link message.
func (f *File) link(b []byte, found *[]link) error {
	c := &cursor{f: f, b: b}
	if version := c.byte(); version != 1 {
		return unread("has a link of version %d, which is not read", version)
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
	l := link{name: name}
	switch kind {
	case 0:
		l.at = c.address()
	case 1:
		l.path = cmp.Or(string(c.take(int(c.uint(2)))), ".")
	case 64:
		size := int(c.uint(2))
		c.take(1) // version and flags
		file, path, ok := bytes.Cut(c.take(size-1), []byte{0})
		if !ok || size < 1 {
			return damage("the link %q leads nowhere", name)
		}
		path, _, _ = bytes.Cut(path, []byte{0})
		l.external = fmt.Sprintf("%.80q in the file %.80q", path, file)
	default: // of a program's own kind
		return c.done("a link")
	}
	return cmp.Or(c.done("a link"), f.add(found, l))
}

// add takes a link with a name.
func (f *File) add(found *[]link, l link) error {
	if f.names++; f.names > maxNames {
		return unread("has more than %d names", maxNames)
	}
	switch {
	case l.at < 0:
		return damage("the link %q leads nowhere", l.name)
	case len(l.name) > maxName:
		return unread("has a link with a name of %d bytes, at most %d are read", len(l.name), maxName)
	}
	*found = append(*found, l)
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
	if err := cmp.Or(c.done("a heap"), f.visit(data)); err != nil {
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
			c.take(4)
			value := c.uint(4)
			c.take(12)
			if place >= uint64(len(names)) || kind == 2 && value >= uint64(len(names)) {
				return damage("a name of a group is outside of its heap")
			}
			l := link{name: textAt(names, place), at: target}
			if kind == 2 { // a soft link
				l.at, l.path = 0, cmp.Or(textAt(names, value), ".")
			}
			if err := f.add(found, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// textAt is the text at a place in a heap of names, no longer than a little more than a name may be.
func textAt(names []byte, place uint64) string {
	text, _, _ := bytes.Cut(names[place:], []byte{0})
	return string(text[:min(len(text), maxName+1)])
}

// attribute takes what MATLAB says of an array; other attributes, and those that cannot be read, are passed over.
func (f *File) attribute(b []byte, d *Dataset) {
	c := &cursor{f: f, b: b}
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
	if c.short {
		return
	}
	switch name {
	case "MATLAB_class":
		text, _, _ := strings.Cut(string(c.b[:min(len(c.b), 64)]), "\x00")
		d.MATLABClass = strings.TrimRight(text, " ")
	case "MATLAB_empty":
		d.MATLABEmpty = true
	}
}
