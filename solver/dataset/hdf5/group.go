// This file follows the links of groups to arrays.

package hdf5

import (
	"bytes"
	"cmp"
	"fmt"
	pathpkg "path"
	"slices"
	"strings"
)

// link is a name in a group with the address of its target, or the path of a soft link.
type link struct {
	name     string
	at       int64
	path     string // empty if the address is known
	external string // path and file of a link to another file, for people
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
		case l.at < 0:
			return damage("the link %q leads nowhere", l.name)
		case len(l.name) > maxName:
			return unread("has a link with a name of %d bytes, at most %d are read", len(l.name), maxName)
		}
		found = append(found, l)
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
		path := strings.TrimPrefix(name+"/"+l.name, "/")
		switch {
		case depth == 0 && strings.HasPrefix(l.name, "#"): // MATLAB's own
		case l.path != "":
			if !strings.HasPrefix(l.path, "/") {
				l.path = name + "/" + l.path
			}
			f.aliases = append(f.aliases, link{name: path, path: strings.TrimPrefix(pathpkg.Clean("/"+l.path), "/")})
		case l.external != "":
			f.sets = append(f.sets, dataset{name: path, class: "external link",
				refused: unread("is a link to %s, which is not followed: give that file", l.external)})
		default:
			if err := f.object(l.at, path, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// listAliases adds arrays under the names of further hard links and of soft links in the file. They come last, since
// inputs and outputs are searched among the first names. Soft links that do not lead to an array are ignored.
func (f *file) listAliases() {
	const chain = 8 // links that lead to links
	at := map[string]int{}
	for i, d := range f.sets {
		at[d.name] = i
	}
	for range chain {
		var rest []link
		for _, l := range f.aliases {
			i, ok := at[l.path]
			if !ok {
				rest = append(rest, l)
			} else if len(f.sets) < 2*maxObjects {
				d := f.sets[i]
				d.same = cmp.Or(d.same, d.name)
				d.name, at[l.name] = l.name, len(f.sets)
				f.sets = append(f.sets, d)
			}
		}
		f.aliases = rest
	}
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
	switch kind {
	case 0:
		l.at = c.address()
	case 1:
		l.path = cmp.Or(string(c.take(int(c.uint(2)))), ".")
	default: // 64 leads to another file, others are user-defined
		value := c.take(int(c.uint(2)))
		file, path, _ := bytes.Cut(value[min(1, len(value)):], []byte{0})
		l.external = fmt.Sprintf("%.80q in the file %.80q", bytes.TrimRight(path, "\x00"), file)
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
	// text is slightly longer than the longest name at most.
	text := func(at uint64) (string, error) {
		if at >= uint64(len(names)) {
			return "", damage("a name of a group is outside of its heap")
		}
		word, _, _ := bytes.Cut(names[at:], []byte{0})
		return string(word[:min(len(word), maxName+1)]), nil
	}
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
			kind := c.uint(4)
			c.take(4)
			value := c.uint(4)
			c.take(12)
			l.name, err = text(place)
			if err == nil && kind == 2 { // a soft link
				l.at = 0
				l.path, err = text(value)
				l.path = cmp.Or(l.path, ".")
			}
			if err := add(l, err); err != nil {
				return err
			}
		}
		return nil
	})
}
