// This file reads the indices of chunks.

package hdf5

import "rfm/solver/dataset/npy"

// Types of the index of chunks in a layout message of version 4; arrays that can grow have others. Version 3 always has
// a B-tree of version 1.
const (
	singleChunk = 1
	fixedArray  = 3
)

// index reads the index of an array's chunks.
type index struct {
	f         *file
	s         *storage
	shape     []int // in chunks
	bytes     int64 // of a whole chunk
	sizeBytes int   // of the sizes of chunks in the index, 0 if it has none
	seen      map[int]bool
}

// read reads the index that the rest of a layout message describes; at is the address of a B-tree of version 1.
func (x *index) read(c *cursor, version, flags int, at int64) error {
	rank := len(x.shape)
	if version == 3 {
		if at < 0 {
			return nil
		}
		return x.f.tree(at, 1, 8+8*(rank+1), -1, x.leaf)
	}
	switch kind := c.byte(); kind {
	case singleChunk:
		only := chunk{first: make([]int, rank), size: x.bytes}
		if flags&2 != 0 {
			only.size, only.mask = c.length(), uint32(c.uint(4))
		}
		only.at = c.address()
		x.add(only)
	case fixedArray:
		pageBits := c.byte()
		return x.fixed(c.address(), pageBits)
	default:
		return unread("has chunks of an array that can grow, with an index of kind %d, which is not read", kind)
	}
	return nil
}

// add appends a chunk if it has an address and belongs to the array.
func (x *index) add(c chunk) {
	if c.at < 0 {
		return
	}
	at := 0
	for d, i := range c.first {
		if i < 0 || i >= x.shape[d] {
			return
		}
		at = at*x.shape[d] + i
	}
	if !x.seen[at] {
		x.seen[at] = true
		x.s.chunks = append(x.s.chunks, c)
	}
}

// addNext appends the chunk with a number in C order, read from c.
func (x *index) addNext(c *cursor, number int) {
	k := chunk{at: c.address(), size: x.bytes, first: make([]int, len(x.shape))}
	if c.err != nil || k.at < 0 {
		return
	}
	if x.sizeBytes > 0 {
		k.size, k.mask = int64(c.uint(x.sizeBytes)), uint32(c.uint(4))
	}
	for d := len(x.shape) - 1; d >= 0; d-- {
		k.first[d] = number % max(1, x.shape[d])
		number /= max(1, x.shape[d])
	}
	if c.err == nil {
		x.add(k)
	}
}

// leaf appends a chunk of a B-tree of version 1.
func (x *index) leaf(key []byte, child int64) error {
	c := &cursor{f: x.f, b: key}
	k := chunk{at: child, size: int64(c.uint(4)), mask: uint32(c.uint(4))}
	for _, n := range x.s.chunk {
		first := c.uint(8)
		if first%uint64(n) != 0 {
			return damage("a chunk begins at %d, which is not a multiple of %d", first, n)
		}
		k.first = append(k.first, int(min(first/uint64(n), 1<<40)))
	}
	x.add(k)
	return c.err
}

// fixed reads a fixed array of chunks, in pages with checksums if it is long.
func (x *index) fixed(at int64, pageBits int) error {
	if at < 0 {
		return nil
	}
	c := x.f.structure("FAHD", at, int64(12+x.f.offsets+x.f.lengths), true)
	c.take(1)
	client, element := c.byte(), c.byte()
	c.take(1)
	count, block := c.length(), c.address()
	if c.err != nil {
		return c.err
	}
	if client == 1 { // of packed chunks, with their sizes
		x.sizeBytes = element - x.f.offsets - 4
	}
	if client > 1 || client == 1 && (x.sizeBytes < 1 || x.sizeBytes > 8) || client == 0 && element != x.f.offsets {
		return damage("an index of kind %d has elements of %d bytes", client, element)
	}
	switch {
	case pageBits > 30:
		return damage("an index has pages of 2^%d chunks", pageBits)
	case count != int64(npy.Count(x.shape)):
		return unread("has chunks of an array that can grow, with an index that is not read")
	case block < 0:
		return nil
	}
	prefix, page := int64(6+x.f.offsets), int64(1)<<pageBits
	if count <= page {
		c = x.f.structure("FADB", block, prefix+count*int64(element)+4, true)
		c.take(2 + x.f.offsets)
		for i := range int(count) {
			x.addNext(c, i)
		}
		return c.err
	}
	prefix += ((count+page-1)/page+7)/8 + 4
	c = x.f.structure("FADB", block, prefix, true)
	c.take(2 + x.f.offsets)
	written := c.b // a bit for each page
	if c.err != nil {
		return c.err
	}
	at = block + prefix
	for first := int64(0); first < count; first += page {
		n := min(page, count-first)
		if i := first / page; written[i/8]&(0x80>>(i%8)) != 0 {
			c := x.f.structure("", at, n*int64(element)+4, true)
			for j := range n {
				x.addNext(c, int(first+j))
			}
			if c.err != nil {
				return c.err
			}
		}
		at += n*int64(element) + 4
	}
	return nil
}
