// This file reads the trees and heaps in which groups keep links and arrays their chunks.

package hdf5

import (
	"cmp"
	"math/bits"
	"slices"
)

// node is a part of a B-tree of version 1.
type node struct {
	level   int
	entries []entry
}

// entry is a key and what is below it.
type entry struct {
	key   []byte
	child int64
}

// node reads the node at an address, of a tree of a kind (0 groups, 1 chunks) with keys of so many bytes. It must be at
// the given level; -1 is the top.
func (f *File) node(at int64, kind, keyBytes, level int) (node, error) {
	fixed := int64(8 + 2*f.offsets)
	c, err := f.structure("TREE", at, fixed, false)
	if err != nil {
		return node{}, err
	}
	found, n := c.byte(), node{level: c.byte()}
	count := int64(c.uint(2))
	if found != kind || level >= 0 && n.level != level || n.level > maxDepth {
		return node{}, damage("the tree at %d is of kind %d, level %d", at, found, n.level)
	}
	b, err := f.bytes(at+fixed, count*int64(keyBytes+f.offsets)) // the last key is of no use
	if err != nil {
		return node{}, err
	}
	c = &cursor{f: f, b: b}
	for range count {
		n.entries = append(n.entries, entry{c.take(keyBytes), c.address()})
	}
	return n, nil
}

// treeRecords calls use with the records of the B-tree of version 2 at an address, which must be of the given kind, in
// their order.
func (f *File) treeRecords(at int64, kind int, use func(record []byte) error) error {
	c, err := f.structure("BTHD", at, int64(22+f.offsets+f.lengths), true)
	if err != nil {
		return err
	}
	c.take(1)
	t := tree{f: f, kind: kind, use: use}
	if found := c.byte(); found != kind {
		return damage("the tree at %d is of kind %d, not %d", at, found, kind)
	}
	t.node, t.record = int64(c.uint(4)), int(c.uint(2))
	depth := int(c.uint(2))
	c.take(2)
	root, count := c.address(), int(c.uint(2))
	const fixed = 10 // of a node: letters, version, kind, checksum
	if t.record < 1 || t.node < int64(fixed+t.record) || t.node > maxBlock || depth > maxDepth {
		return damage("the tree at %d has nodes of %d bytes, records of %d, depth %d", at, t.node, t.record, depth)
	}
	if root < 0 || count == 0 {
		return nil
	}
	// How many records nodes can have, and all below them, tells how many bytes those numbers take.
	most := (int(t.node) - fixed) / t.record
	t.countBytes = bytesOf(int64(most))
	t.totalBytes = []int{0}
	all := int64(most)
	for d := 1; d <= depth; d++ {
		pointer := f.offsets + t.countBytes + t.totalBytes[d-1]
		most = (int(t.node) - fixed - pointer) / (t.record + pointer)
		if most < 1 {
			return damage("the tree at %d has nodes of %d bytes", at, t.node)
		}
		all = min(all, 1<<48/int64(most+1))
		all = int64(most+1)*all + int64(most)
		t.totalBytes = append(t.totalBytes, bytesOf(all))
	}
	return t.walk(root, count, depth)
}

type tree struct {
	f          *File
	kind       int
	node       int64 // bytes of a node
	record     int   // bytes of a record
	countBytes int   // of the number of records in a node
	totalBytes []int // of the number of all below a node, by its depth
	use        func([]byte) error
}

func (t tree) walk(at int64, count, depth int) error {
	letters := "BTLF"
	length := int64(10 + count*t.record)
	if depth > 0 {
		letters = "BTIN"
		length += int64((count + 1) * (t.f.offsets + t.countBytes + t.totalBytes[depth-1]))
	}
	if length > t.node {
		return damage("the tree's node at %d has %d records", at, count)
	}
	c, err := t.f.structure(letters, at, length, true)
	if err != nil {
		return err
	}
	c.take(1)
	if found := c.byte(); found != t.kind {
		return damage("the tree's node at %d is of kind %d, not %d", at, found, t.kind)
	}
	records := c.take(count * t.record)
	for i := range count + 1 {
		if depth > 0 {
			child, below := c.address(), int(c.uint(t.countBytes))
			c.take(t.totalBytes[depth-1])
			if err := t.walk(child, below, depth-1); err != nil {
				return err
			}
		}
		if i < count {
			if err := t.use(records[i*t.record : (i+1)*t.record]); err != nil {
				return err
			}
		}
	}
	return c.done("a tree")
}

// linksOfHeap calls use with the link messages of the fractal heap at an address that are in a tree of names.
func (f *File) linksOfHeap(heapAt, names int64, use func(b []byte) error) error {
	h, err := f.fractalHeap(heapAt)
	if err != nil {
		return err
	}
	if names < 0 {
		return damage("a heap of names has no tree")
	}
	const linkNames, skip = 5, 4 // kind of the tree, bytes of the hash in a record before the identifier
	return f.treeRecords(names, linkNames, func(record []byte) error {
		if len(record) < skip+h.identifier {
			return damage("a name's record has %d bytes", len(record))
		}
		b, err := h.object(record[skip : skip+h.identifier])
		if err != nil {
			return err
		}
		return use(b)
	})
}

// heap is a fractal heap: blocks of doubling sizes, in rows of equal ones.
type heap struct {
	f             *File
	at            int64
	identifier    int // bytes
	sealed        bool
	width         int
	start, direct int64 // bytes of the smallest and largest direct block
	positionBytes int
	lengthBytes   int
	root          int64
	rows          int // of the root's indirect block, 0 if it is direct
	blocks        []heapBlock
}

// heapBlock is a direct block: bytes of the heap from a position on.
type heapBlock struct {
	position int64
	data     []byte
}

func (f *File) fractalHeap(at int64) (*heap, error) {
	c, err := f.structure("FRHP", at, int64(26+12*f.lengths+3*f.offsets), true)
	if err != nil {
		return nil, err
	}
	c.take(1)
	h := &heap{f: f, at: at, identifier: int(c.uint(2))}
	filters := c.uint(2)
	h.sealed = c.byte()&2 != 0
	largest := int64(c.uint(4))
	c.length()
	c.address()
	c.length()
	c.address()
	for range 8 {
		c.length()
	}
	h.width = int(c.uint(2))
	h.start, h.direct = c.length(), c.length()
	h.positionBytes = (int(c.uint(2)) + 7) / 8
	c.take(2)
	h.root, h.rows = c.address(), int(c.uint(2))
	switch {
	case c.short:
		return nil, c.done("a heap")
	case filters != 0:
		return nil, unread("has names in a packed heap, which is not read")
	case h.start < 1 || h.start > h.direct || h.direct > maxBlock || bits.OnesCount64(uint64(h.start)) != 1 ||
		bits.OnesCount64(uint64(h.direct)) != 1 ||
		h.width < 1 || h.rows > 64 || h.positionBytes > 8:
		return nil, damage("the heap at %d has blocks of %d to %d bytes, %d x %d", at, h.start, h.direct, h.width, h.rows)
	}
	h.lengthBytes = bytesOf(min(h.direct, largest))
	if h.root < 0 {
		return h, nil
	}
	if h.rows == 0 {
		return h, h.addBlock(h.root, 0, h.start)
	}
	return h, h.indirect(h.root, 0, h.rows, 0)
}

// addBlock reads the direct block at an address, with bytes of the heap from a position on.
func (h *heap) addBlock(at, position, size int64) error {
	fixed := 5 + h.f.offsets + h.positionBytes
	if h.sealed {
		fixed += 4
	}
	if size < int64(fixed) {
		return damage("a heap's block has %d bytes", size)
	}
	if err := h.f.visit(at); err != nil {
		return err
	}
	b, err := h.f.bytes(at, size)
	if err != nil {
		return err
	}
	if string(b[:4]) != "FHDB" {
		return damage("there is no FHDB at %d", at)
	}
	if h.sealed { // of the block with zeros in place of the checksum
		seal := b[fixed-4 : fixed]
		sum := uint32(seal[0]) | uint32(seal[1])<<8 | uint32(seal[2])<<16 | uint32(seal[3])<<24
		clear(seal)
		if lookup3(b) != sum && !h.f.trusting {
			return damage("the checksum of the heap's block at %d does not agree", at)
		}
	}
	h.blocks = append(h.blocks, heapBlock{position, b})
	return nil
}

// size is that of blocks in a row.
func (h *heap) size(row int) int64 { return h.start << max(row-1, 0) }

// indirect reads the blocks below an indirect block with so many rows.
func (h *heap) indirect(at, position int64, rows, depth int) error {
	if depth > maxDepth {
		return damage("a heap has more than %d levels", maxDepth)
	}
	directRows := min(rows, bits.Len64(uint64(h.direct/h.start))+1)
	fixed := 5 + h.f.offsets + h.positionBytes
	c, err := h.f.structure("FHIB", at, int64(fixed+rows*h.width*h.f.offsets+4), true)
	if err != nil {
		return err
	}
	c.take(fixed - 4)
	for row := range rows {
		for range h.width {
			size := h.size(row)
			child := c.address()
			if child >= 0 && row < directRows {
				err = h.addBlock(child, position, size)
			} else if child >= 0 { // as many rows as make up its size
				err = h.indirect(child, position, bits.Len64(uint64(size/h.start/int64(h.width))), depth+1)
			}
			if err != nil {
				return err
			}
			if position += size; position < 0 || position > 1<<60 {
				return damage("a heap has more than 2^60 bytes")
			}
		}
	}
	return c.done("a heap")
}

// object is the bytes that an identifier means.
func (h *heap) object(identifier []byte) ([]byte, error) {
	c := &cursor{f: h.f, b: identifier}
	first := c.byte()
	switch first >> 4 & 3 {
	case 2: // in the identifier itself
		size := first&15 + 1
		if size > len(c.b) {
			return nil, damage("an object of a heap has %d bytes", size)
		}
		return c.take(size), nil
	case 0:
		position, length := int64(c.uint(h.positionBytes)), int64(c.uint(h.lengthBytes))
		if err := c.done("an identifier in a heap"); err != nil {
			return nil, err
		}
		at, found := slices.BinarySearchFunc(h.blocks, position, func(b heapBlock,
			position int64) int {
			return cmp.Compare(b.position, position)
		})
		if !found {
			at--
		}
		if at >= 0 && position >= 0 && length >= 0 {
			b := h.blocks[at]
			if from := position - b.position; from < int64(len(b.data)) && length <= int64(len(b.data))-from {
				return b.data[from : from+length], nil
			}
		}
		return nil, damage("an object of a heap is outside of it")
	}
	return nil, unread("has a link of more than 64 KiB, which is not read")
}
