// This file follows the links of groups to arrays, through the trees and heaps that hold them.

package hdf5

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// group adds the arrays of a group with these messages, and lists its links.
func (f *file) group(h header, name string, depth int) {
	if depth > maxDepth {
		unread("has more than %d groups in each other", maxDepth)
	}
	var found []link
	add := func(l link) {
		switch {
		case len(l.name) > maxName:
			unread("has a link with a name of %d bytes, want at most %d", len(l.name), maxName)
		case l.to == "" && l.at < 0:
			cursor.Damage("the link %q leads nowhere", l.name)
		}
		found = append(found, l)
	}
	for _, m := range h[symbolsMessage] {
		c := within(m.data)
		tree := c.place()
		heap := c.place()
		f.symbolTable(tree, heap, add)
	}
	for _, m := range h[linkMessage] {
		add(within(m.data).link())
	}
	for _, m := range h[linkInfoMessage] {
		c := within(m.data)
		c.Take(1)
		c.Take(8 * (c.byte() & 1))
		at := c.place()
		names := c.place()
		if at >= 0 {
			f.dense(at, names, add)
		}
	}
	// They may be in the order of hashes.
	slices.SortFunc(found, func(a, b link) int { return cmp.Compare(a.name, b.name) })
	for _, l := range found {
		if depth == 0 && strings.HasPrefix(l.name, "#") { // MATLAB's own
			continue
		}
		path := strings.TrimPrefix(name+"/"+l.name, "/")
		f.count(int64(len(path)))
		if l.to == "" {
			f.object(l.at, path, depth+1)
		} else {
			f.members = append(f.members, f.linked(path, l))
		}
	}
}

// dense calls add with the links of a group that has many: a tree of names, with the links in a heap.
func (f *file) dense(at, names int64, add func(link)) {
	heap := f.heap(at)
	f.records(names, func(kind int, record *structure) {
		if kind != linkNames {
			cursor.Damage("a tree of links is of kind %d", kind)
		}
		record.Take(4) // a hash
		object := heap.object(record)
		if object == nil {
			unread("has a link of more than 64 KiB, which is not read")
		}
		add(within(object).link())
	})
}

// linked describes a link that is not followed.
func (f *file) linked(path string, l link) npy.Member {
	m := npy.Member{Name: path, Type: "link to " + l.to}
	if l.outside {
		m.Refused = f.refused(path, unsupported("is a link to "+l.to+", in another file"))
	} else {
		m.Refused = fault.Bad(
			npy.Place(f.where, path),
			"name the array that it leads to",
			"is a link to %s", l.to,
		)
	}
	return m
}

// symbolTable calls add with the links of a group of the older kind: a tree of names, with the names in a heap.
func (f *file) symbolTable(tree, heap int64, add func(link)) {
	c := f.structure("HEAP", heap, 32, false)
	c.Take(4)
	size := c.place()
	c.place()
	names := f.structure("", c.place(), size, false).Rest
	text := func(place uint64) string {
		if place >= uint64(len(names)) {
			cursor.Damage("a name of a group is outside of its heap")
		}
		word, _, _ := bytes.Cut(names[place:], []byte{0})
		return string(word[:min(len(word), maxName+1)])
	}
	f.tree(tree, 0, 8, -1, func(_ *structure, child int64) {
		c := f.structure("SNOD", child, 8, false)
		c.Take(2)
		count := int64(c.Uint(2))
		c = within(f.bytes(child+8, count*40))
		for range count {
			const symbolic = 2
			l := link{name: text(c.Uint(8)), at: c.place()}
			cached := c.Uint(4)
			c.Take(4)
			scratch := within(c.Take(16))
			if cached == symbolic {
				l.to = strconv.Quote(text(scratch.Uint(4)))
			}
			add(l)
		}
	})
}

// tree calls use with the keys, each of keyBytes bytes, and the addresses in the leaves of the B-tree of version 1 at
// an address. The tree must be of a kind (0 groups, 1 chunks) and at the given level; -1 is the top.
func (f *file) tree(at int64, kind, keyBytes, level int, use func(key *structure, child int64)) {
	const fixed = 24
	c := f.structure("TREE", at, fixed, false)
	found := c.byte()
	own := c.byte() // level
	count := int64(c.Uint(2))
	wrong := level >= 0 && own != level
	if found != kind || wrong || own > maxDepth {
		cursor.Damage("the tree at %d is of kind %d, level %d", at, found, own)
	}
	c = within(f.bytes(at+fixed, count*int64(keyBytes+8))) // the last key is unused
	for range count {
		key := within(c.Take(keyBytes))
		child := c.place()
		if own > 0 {
			f.tree(child, kind, keyBytes, own-1, use)
		} else {
			use(key, child)
		}
	}
}

// Kinds of the records in B-trees of version 2.
const (
	linkNames      = 5
	attributeNames = 8
)

// records calls use with the records of the B-tree of version 2 at an address, in order, and with their kind.
func (f *file) records(at int64, use func(kind int, record *structure)) {
	const fixed = 10 // bytes of a node: signature, version, kind, checksum
	c := f.structure("BTHD", at, 38, true)
	c.Take(1)
	kind := c.byte()
	node := int(c.Uint(4))   // bytes
	record := int(c.Uint(2)) // bytes
	depth := int(c.Uint(2))
	c.Take(2)
	root := c.place()
	count := int(c.Uint(2))
	if record < 1 || node < fixed+record || node > maxBlock || depth > maxDepth {
		cursor.Damage("the tree at %d is of kind %d, has nodes of %d bytes, records of %d, depth %d",
			at, kind, node, record, depth)
	}
	if root < 0 || count == 0 {
		return
	}
	// The largest numbers of records, of a node and of all nodes below it, determine the bytes of their counts.
	most := (node - fixed) / record
	countBytes := bytesOf(int64(most))
	totalBytes := []int{0} // by the depth
	all := int64(most)
	for d := range depth {
		pointer := 8 + countBytes + totalBytes[d]
		most = (node - fixed - pointer) / (record + pointer)
		if most < 1 {
			cursor.Damage("the tree at %d has nodes of %d bytes", at, node)
		}
		children := int64(most + 1)
		all = min(all, 1<<48/children)
		all = children*all + int64(most)
		totalBytes = append(totalBytes, bytesOf(all))
	}
	var walk func(at int64, count, depth int)
	walk = func(at int64, count, depth int) {
		signature := "BTLF"
		length := fixed + count*record
		if depth > 0 {
			signature = "BTIN"
			length += (count + 1) * (8 + countBytes + totalBytes[depth-1])
		}
		if length > node {
			cursor.Damage("the tree's node at %d has %d records", at, count)
		}
		c := f.structure(signature, at, int64(length), true)
		c.Take(2) // version and kind
		records := within(c.Take(count * record))
		for i := range count + 1 {
			if depth > 0 {
				child := c.place()
				below := int(c.Uint(countBytes))
				c.Take(totalBytes[depth-1])
				walk(child, below, depth-1)
			}
			if i < count {
				use(kind, within(records.Take(record)))
			}
		}
	}
	walk(root, count, depth)
}

// bytesOf returns the number of bytes of the integer n.
func bytesOf(n int64) int {
	bytes := (bits.Len64(uint64(n)) + 7) / 8
	return max(1, bytes)
}

// heap is a fractal heap: direct blocks of doubling sizes, in rows of equal ones, below one indirect block.
type heap struct {
	sealed        bool
	positionBytes int
	lengthBytes   int
	blocks        []heapBlock
}

// heapBlock is a direct block: bytes of the heap from a position on.
type heapBlock struct {
	position int64
	data     []byte
}

func (f *file) heap(at int64) (h heap) {
	c := f.structure("FRHP", at, 146, true)
	c.Take(3)
	filters := c.Uint(2)
	h.sealed = c.byte()&2 != 0
	largest := int64(c.Uint(4))
	c.Take(96)
	width := int(c.Uint(2)) // blocks in a row
	start := c.place()      // bytes of a block in the first rows
	direct := c.place()     // bytes of the largest direct block
	h.positionBytes = (int(c.Uint(2)) + 7) / 8
	c.Take(2)
	root := c.place()
	rows := int(c.Uint(2))
	isPower := func(n int64) bool { return n > 0 && n <= maxBlock && bits.OnesCount64(uint64(n)) == 1 }
	hasSizes := isPower(start) && isPower(direct) && start <= direct
	hasRows := width >= 1 && rows <= 64
	switch {
	case filters != 0:
		unread("has names in a packed heap, which is not read")
	case !hasSizes || !hasRows || h.positionBytes > 8:
		cursor.Damage("the heap at %d has blocks of %d to %d bytes, %d x %d", at, start, direct, width, rows)
	}
	h.lengthBytes = bytesOf(min(direct, largest))
	switch {
	case root < 0:
		return h
	case rows == 0:
		f.heapBlock(&h, root, 0, start)
		return h
	case rows > bits.Len64(uint64(direct/start))+1:
		unread("has groups with names of more than %d bytes, which are not read", 2*int64(width)*direct)
	}
	fixed := 13 + h.positionBytes
	addresses := rows * width
	c = f.structure("FHIB", root, int64(fixed+8*addresses+seal), true)
	c.Take(fixed - 4)
	position := int64(0)
	for row := range rows {
		for range width {
			size := start << max(row-1, 0)
			child := c.place()
			if child >= 0 {
				f.heapBlock(&h, child, position, size)
			}
			position += size
		}
	}
	return h
}

// heapBlock adds the direct block at an address, with bytes of the heap from a position on.
func (f *file) heapBlock(h *heap, at, position, size int64) {
	fixed := 13 + h.positionBytes
	if h.sealed {
		fixed += 4
	}
	b := f.structure("", at, size, false).Rest
	if len(b) < fixed || string(b[:4]) != "FHDB" {
		cursor.Damage("there is no FHDB at %d", at)
	}
	if h.sealed { // checksum of the block with a zero checksum
		seal := within(slices.Clone(b[fixed-4 : fixed]))
		clear(b[fixed-4 : fixed])
		if lookup3(b) != uint32(seal.Uint(4)) && !f.trusting {
			cursor.Damage("the checksum of the heap's block at %d does not agree", at)
		}
	}
	h.blocks = append(h.blocks, heapBlock{position: position, data: b})
}

// object returns the bytes of the object with an identifier; nil if they are too many for the heap.
func (h heap) object(id *structure) []byte {
	const (
		managed = 0 // in a block
		tiny    = 2 // in the identifier itself
	)
	first := id.byte()
	switch first >> 4 & 3 {
	case tiny:
		return id.Take(first&15 + 1)
	case managed:
		position := int64(id.Uint(h.positionBytes))
		length := int64(id.Uint(h.lengthBytes))
		for _, b := range h.blocks {
			from := position - b.position
			all := int64(len(b.data))
			if 0 <= from && from < all && 0 <= length && length <= all-from {
				return b.data[from : from+length]
			}
		}
		cursor.Damage("an object of a heap is outside of it")
	}
	return nil
}

// link is a name in a group: a hard link with the address of its target, or a path in words.
type link struct {
	name string
	at   int64
	to   string

	outside bool // it leads to another file
}

// link reads a link message.
func (c *structure) link() (l link) {
	const (
		hard = 0
		soft = 1
	)
	version := c.byte()
	if version != 1 {
		unread("has a link of version %d, which is not read", version)
	}
	flags := c.byte()
	kind := hard
	if flags&8 != 0 {
		kind = c.byte()
	}
	order := flags >> 2 & 1   // optional
	letters := flags >> 4 & 1 // optional
	c.Take(8*order + letters)
	nameBytes := int(c.Uint(1 << (flags & 3)))
	l.name = string(c.Take(nameBytes))
	if kind == hard {
		l.at = c.place()
		return l
	}
	value := c.Take(int(c.Uint(2)))
	if kind == soft {
		l.to = strconv.Quote(string(value))
		return l
	}
	// A file and a path, or of another kind: between other bytes.
	l.outside = true
	file, path, _ := bytes.Cut(value[min(1, len(value)):], []byte{0})
	l.to = npy.Place(string(file), string(bytes.TrimRight(path, "\x00")))
	return l
}
