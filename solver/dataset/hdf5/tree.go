// This file reads the trees and heaps that hold the links of groups, and chunks.

package hdf5

import (
	"cmp"
	"math/bits"
	"slices"
)

// tree calls use with the keys, each of keyBytes bytes, and the addresses in the leaves of the B-tree of version 1 at
// an address. The tree must be of a kind (0 groups, 1 chunks) and at the given level; -1 is the top.
func (f *file) tree(at int64, kind, keyBytes, level int, use func(key []byte, child int64) error) error {
	fixed := int64(8 + 2*f.offsets)
	c := f.structure("TREE", at, fixed, false)
	found, own, count := c.byte(), c.byte(), int64(c.uint(2))
	if c.err != nil {
		return c.err
	}
	if found != kind || level >= 0 && own != level || own > maxDepth {
		return damage("the tree at %d is of kind %d, level %d", at, found, own)
	}
	b, err := f.bytes(at+fixed, count*int64(keyBytes+f.offsets)) // the last key is unused
	if err != nil {
		return err
	}
	c = &cursor{f: f, b: b}
	for range count {
		key, child := c.take(keyBytes), c.address()
		if own > 0 {
			err = f.tree(child, kind, keyBytes, own-1, use)
		} else {
			err = use(key, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// records is a B-tree of version 2, whose records are in all nodes.
type records struct {
	f          *file
	node       int64 // bytes of a node
	record     int   // bytes of a record
	countBytes int   // of the number of records in a node
	totalBytes []int // of the number of all records below a node, by its depth
	use        func([]byte) error
}

// linkNames is the kind of the B-trees of version 2 of groups with many links.
const linkNames = 5

// records calls use with the records of the B-tree of version 2 at an address, in order.
func (f *file) records(at int64, use func(record []byte) error) error {
	c := f.structure("BTHD", at, int64(22+f.offsets+f.lengths), true)
	c.take(1)
	t := records{f: f, use: use, totalBytes: []int{0}}
	found := c.byte()
	t.node, t.record = int64(c.uint(4)), int(c.uint(2))
	depth := int(c.uint(2))
	c.take(2)
	root, count := c.address(), int(c.uint(2))
	const fixed = 10 // of a node: signature, version, kind, checksum
	switch {
	case c.err != nil:
		return c.err
	case found != linkNames || t.record < 1 || t.node < int64(fixed+t.record) || t.node > maxBlock || depth > maxDepth:
		return damage("the tree at %d is of kind %d, has nodes of %d bytes, records of %d, depth %d", at, found, t.node,
			t.record, depth)
	case root < 0 || count == 0:
		return nil
	}
	// The largest numbers of records, of a node and of all nodes below it, determine the bytes of their counts.
	most := (int(t.node) - fixed) / t.record
	t.countBytes = bytesOf(int64(most))
	all := int64(most)
	for d := range depth {
		pointer := f.offsets + t.countBytes + t.totalBytes[d]
		if most = (int(t.node) - fixed - pointer) / (t.record + pointer); most < 1 {
			return damage("the tree at %d has nodes of %d bytes", at, t.node)
		}
		all = min(all, 1<<48/int64(most+1))
		all = int64(most+1)*all + int64(most)
		t.totalBytes = append(t.totalBytes, bytesOf(all))
	}
	return t.walk(root, count, depth)
}

// bytesOf returns the number of bytes of the integer n.
func bytesOf(n int64) int { return max(1, (bits.Len64(uint64(n))+7)/8) }

func (t records) walk(at int64, count, depth int) error {
	signature, length := "BTLF", int64(10+count*t.record)
	if depth > 0 {
		signature = "BTIN"
		length += int64((count + 1) * (t.f.offsets + t.countBytes + t.totalBytes[depth-1]))
	}
	if length > t.node {
		return damage("the tree's node at %d has %d records", at, count)
	}
	c := t.f.structure(signature, at, length, true)
	c.take(1)
	found, all := c.byte(), c.take(count*t.record)
	switch {
	case c.err != nil:
		return c.err
	case found != linkNames:
		return damage("the tree's node at %d is of kind %d", at, found)
	}
	for i := range count + 1 {
		if depth > 0 {
			child, below := c.address(), int(c.uint(t.countBytes))
			c.take(t.totalBytes[depth-1])
			if err := t.walk(child, below, depth-1); err != nil {
				return err
			}
		}
		if i < count {
			if err := t.use(all[i*t.record : (i+1)*t.record]); err != nil {
				return err
			}
		}
	}
	return nil
}

// linksOfHeap calls use with the link messages of the fractal heap at an address that a tree of names lists.
func (f *file) linksOfHeap(at, names int64, use func(b []byte) error) error {
	h, err := f.heap(at)
	if err != nil {
		return err
	}
	const skip = 4 // bytes of the hash in a record before the identifier
	return f.records(names, func(record []byte) error {
		c := &cursor{f: f, b: record}
		c.take(skip)
		b, err := h.object(c)
		if err != nil {
			return err
		}
		return use(b)
	})
}

// heap is a fractal heap: direct blocks of doubling sizes, in rows of equal ones, below one indirect block.
type heap struct {
	f             *file
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

func (f *file) heap(at int64) (*heap, error) {
	c := f.structure("FRHP", at, int64(26+12*f.lengths+3*f.offsets), true)
	c.take(3)
	filters := c.uint(2)
	h := &heap{f: f, sealed: c.byte()&2 != 0}
	largest := int64(c.uint(4))
	c.take(10*f.lengths + 2*f.offsets)
	width, start, direct := int(c.uint(2)), c.length(), c.length()
	h.positionBytes = (int(c.uint(2)) + 7) / 8
	c.take(2)
	root, rows := c.address(), int(c.uint(2))
	power := func(n int64) bool { return n > 0 && n <= maxBlock && bits.OnesCount64(uint64(n)) == 1 }
	switch {
	case c.err != nil:
		return nil, c.err
	case filters != 0:
		return nil, unread("has names in a packed heap, which is not read")
	case !power(start) || !power(direct) || start > direct || width < 1 || rows > 64 || h.positionBytes > 8:
		return nil, damage("the heap at %d has blocks of %d to %d bytes, %d x %d", at, start, direct, width, rows)
	}
	h.lengthBytes = bytesOf(min(direct, largest))
	switch {
	case root < 0:
		return h, nil
	case rows == 0:
		return h, h.addBlock(root, 0, start)
	case rows > bits.Len64(uint64(direct/start))+1:
		return nil, unread("has groups with names of more than %d bytes, which are not read", 2*int64(width)*direct)
	}
	fixed := 5 + f.offsets + h.positionBytes
	c = f.structure("FHIB", root, int64(fixed+rows*width*f.offsets+4), true)
	c.take(fixed - 4)
	position := int64(0)
	for row := range rows {
		for range width {
			size := start << max(row-1, 0)
			if child := c.address(); child >= 0 && c.err == nil {
				if err := h.addBlock(child, position, size); err != nil {
					return nil, err
				}
			}
			position += size
		}
	}
	return h, c.err
}

// addBlock reads the direct block at an address, with bytes of the heap from a position on.
func (h *heap) addBlock(at, position, size int64) error {
	fixed := 5 + h.f.offsets + h.positionBytes
	if h.sealed {
		fixed += 4
	}
	c := h.f.structure("", at, size, false)
	b := c.b
	switch {
	case c.err != nil:
		return c.err
	case len(b) < fixed || string(b[:4]) != "FHDB":
		return damage("there is no FHDB at %d", at)
	}
	if h.sealed { // checksum of the block with a zero checksum
		seal := &cursor{b: slices.Clone(b[fixed-4 : fixed])}
		clear(b[fixed-4 : fixed])
		if lookup3(b) != uint32(seal.uint(4)) && !h.f.trusting {
			return damage("the checksum of the heap's block at %d does not agree", at)
		}
	}
	h.blocks = append(h.blocks, heapBlock{position, b})
	return nil
}

// object returns the bytes of the object with an identifier.
func (h *heap) object(id *cursor) ([]byte, error) {
	switch first := id.byte(); first >> 4 & 3 {
	case 2: // in the identifier itself
		return id.take(first&15 + 1), id.err
	case 0:
		position, length := int64(id.uint(h.positionBytes)), int64(id.uint(h.lengthBytes))
		if id.err != nil {
			return nil, id.err
		}
		at, found := slices.BinarySearchFunc(h.blocks, position, func(b heapBlock, position int64) int {
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
