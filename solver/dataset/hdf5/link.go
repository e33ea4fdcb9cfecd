// This file reads links, and follows those that are paths.

package hdf5

import (
	"bytes"
	"fmt"
	"strings"

	"rfm/solver/dataset/npy"
)

// link is a name in a group: a hard link with the address of its target, or a path.
type link struct {
	name    string
	at      int64
	to      string
	foreign bool // to is not in this file
}

// link reads a link message.
func (c *cursor) link() (l link) {
	const hard, soft, external = 0, 1, 64
	version, flags, kind := c.byte(), c.byte(), hard
	if version != 1 {
		unread("has a link of version %d, which is not read", version)
	}
	if flags&8 != 0 {
		kind = c.byte()
	}
	order, letters := flags>>2&1, flags>>4&1 // both optional
	c.take(8*order + letters)
	l.name = string(c.take(int(c.uint(1 << (flags & 3)))))
	if kind == hard {
		l.at = c.address()
		return l
	}
	value := c.take(int(c.uint(2)))
	switch l.foreign = kind != soft; {
	case !l.foreign:
		l.to = string(value)
	case kind == external: // a byte, then two texts
		file, path, _ := bytes.Cut(value[min(1, len(value)):], []byte{0})
		l.to = npy.Place(string(file), string(bytes.TrimRight(path, "\x00")))
	default:
		l.to = fmt.Sprintf("an object of kind %d", kind)
	}
	return l
}

// follow lists a link of a group that is a path: as the array that it leads to, or with the reason if it does not.
func (f *file) follow(group int64, path string, l link) {
	m, left := npy.Member{Type: "unread"}, maxFollow
	what, refused := attempt[unsupported](func() {
		i, there := f.objects[f.target(group, l, &left)]
		if !there || i < 0 {
			unread("leads to %q, where the file has no array", l.to)
		}
		m = f.members[i]
	})
	if refused {
		m.Refused = f.refused(path, what)
	}
	m.Name, m.Link = path, l.to
	f.members = append(f.members, m)
}

// target returns the address that a link of a group leads to, -1 if there is none. At most left more are paths.
func (f *file) target(group int64, l link, left *int) int64 {
	if l.foreign {
		unread("leads to %s, in another file, which is not opened", l.to)
	}
	if l.to == "" {
		return l.at
	}
	if *left--; *left < 0 {
		unread("leads to itself, or through more than %d other links", maxFollow)
	}
	if strings.HasPrefix(l.to, "/") {
		group = f.root
	}
	for name := range strings.SplitSeq(l.to, "/") {
		if name == "" || name == "." {
			continue
		}
		if f.steps++; f.steps > maxSteps {
			unread("leads to %q, and all paths of links have more than %d names", l.to, maxSteps)
		}
		next, there := f.groups[group][name]
		if !there {
			return -1
		}
		group = f.target(group, next, left)
	}
	return group
}
