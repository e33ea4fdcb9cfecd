// This file reads the indices of chunks.

package hdf5

import "slices"

// Types of the index of chunks in a layout message of version 4; version 3 always has a B-tree of version 1.
const (
	singleChunk     = 1
	fixedArray      = 3
	extensibleArray = 4
	treeVersion2    = 5
)

// index reads the index of an array's chunks.
type index struct {
	f         *file
	s         *storage
	shape     []int // in chunks
	most      []int // shape at the largest extent, -1 without limit
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
	case extensibleArray:
		c.take(5)
		return x.extensible(c.address())
	case treeVersion2:
		c.take(6)
		if at := c.address(); at >= 0 && c.err == nil {
			return x.tree(at)
		}
	default:
		return unread("has chunks with an index of kind %d, which is not read", kind)
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

// addNext appends the chunk with a number, read from c. The number is the index in C order of an array of the given
// shape, whose first axis is unlimited. This shape is that of x with the unlimited axis moved to the front.
func (x *index) addNext(c *cursor, number int, shape []int, axis int) {
	at := c.address()
	if c.err != nil || at < 0 {
		return
	}
	k := chunk{at: at, size: x.bytes, first: make([]int, len(shape))}
	if x.sizeBytes > 0 {
		k.size, k.mask = int64(c.uint(x.sizeBytes)), uint32(c.uint(4))
	}
	for d := len(shape) - 1; d > 0; d-- {
		k.first[d] = number % max(1, shape[d])
		number /= max(1, shape[d])
	}
	k.first = slices.Insert(k.first[1:], axis, number)
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

// tree reads a B-tree of version 2, whose records are chunks.
func (x *index) tree(at int64) error {
	kind := 10
	if len(x.s.filters) > 0 {
		kind = 11
	}
	return x.f.records(at, kind, func(record []byte) error {
		c := &cursor{f: x.f, b: record}
		k := chunk{at: c.address(), size: x.bytes}
		if kind == 11 {
			sizeBytes := len(record) - x.f.offsets - 4 - 8*len(x.shape)
			if sizeBytes < 1 || sizeBytes > 8 {
				return damage("the record of a chunk has %d bytes", len(record))
			}
			k.size, k.mask = int64(c.uint(sizeBytes)), uint32(c.uint(4))
		}
		for range x.shape {
			k.first = append(k.first, int(min(c.uint(8), 1<<40)))
		}
		x.add(k)
		return c.err
	})
}

// packed deduces from the size of an element how many of its bytes hold the size of a chunk.
func (x *index) packed(client, element int) error {
	if x.sizeBytes = 0; client == 1 {
		x.sizeBytes = element - x.f.offsets - 4
	}
	if client > 1 || client == 1 && (x.sizeBytes < 1 || x.sizeBytes > 8) || client == 0 && element != x.f.offsets {
		return damage("an index of kind %d has elements of %d bytes", client, element)
	}
	return nil
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
	if err := x.packed(client, element); err != nil {
		return err
	}
	if count < 0 || count > maxChunks || pageBits > 30 {
		return unread("has an index of more than %d chunks", maxChunks)
	}
	if block < 0 {
		return nil
	}
	prefix, page := int64(6+x.f.offsets), int64(1)<<pageBits
	if count <= page {
		c = x.f.structure("FADB", block, prefix+count*int64(element)+4, true)
		c.take(2 + x.f.offsets)
		for i := range int(count) {
			x.addNext(c, i, x.most, 0)
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
				x.addNext(c, int(first+j), x.most, 0)
			}
			if c.err != nil {
				return c.err
			}
		}
		at += n*int64(element) + 4
	}
	return nil
}

// The form of extensible arrays that the C library writes by default: bits of a number of elements, elements in the
// index itself, elements in the smallest block, addresses in the smallest block of addresses, bits of a page.
const (
	usualForm    = "\x20\x04\x10\x04\x0a"
	inIndex      = 4
	leastBlock   = 16
	directBlocks = 6    // in the index itself, of sizes as in the first four blocks of addresses
	superBlocks  = 25   // blocks of addresses of blocks in the index, 4 left out
	mostInBlock  = 1024 // elements: larger blocks have pages
)

// extensible reads an extensible array of chunks, for arrays that may grow along one axis without limit. This axis is
// the slowest in the index. The array has blocks of growing sizes: 2^(s/2) of 16*2^((s+1)/2) elements each in step s.
func (x *index) extensible(at int64) error {
	axis := slices.Index(x.most, -1)
	switch {
	case at < 0:
		return nil
	case axis < 0:
		return damage("chunks have an index that grows, the array does not")
	}
	shape := slices.Insert(slices.Delete(slices.Clone(x.most), axis, axis+1), 0, -1)
	c := x.f.structure("EAHD", at, int64(16+6*x.f.lengths+x.f.offsets), true)
	c.take(1)
	client, element := c.byte(), c.byte()
	form := string(c.take(5))
	c.take(6 * x.f.lengths)
	block := c.address()
	if c.err != nil || block < 0 {
		return c.err
	}
	if form != usualForm {
		return unread("has an index of chunks of an unusual form, which is not read")
	}
	if err := x.packed(client, element); err != nil {
		return err
	}
	prefix := 6 + x.f.offsets
	c = x.f.structure("EAIB", block, int64(prefix+inIndex*element+(directBlocks+superBlocks)*x.f.offsets+4), true)
	c.take(prefix - 4)
	for i := range inIndex {
		x.addNext(c, i, shape, axis)
	}
	const numberBytes = 4 // in blocks
	prefix += numberBytes
	next := inIndex
	blocks := func(c *cursor, count, size int) error {
		for range count {
			if at := c.address(); at >= 0 && c.err == nil {
				b := x.f.structure("EADB", at, int64(prefix+size*element+4), true)
				b.take(prefix - 4)
				for i := range size {
					x.addNext(b, next+i, shape, axis)
				}
				if b.err != nil {
					return b.err
				}
			}
			next += size
		}
		return c.err
	}
	for s := range 4 + superBlocks {
		count, size := 1<<(s/2), leastBlock<<((s+1)/2)
		if s < 4 {
			if err := blocks(c, count, size); err != nil {
				return err
			}
			continue
		}
		if at := c.address(); at >= 0 {
			if size > mostInBlock {
				return unread("has more than %d chunks along an axis that can grow", next)
			}
			b := x.f.structure("EASB", at, int64(prefix+count*x.f.offsets+4), true)
			b.take(prefix - 4)
			if err := blocks(b, count, size); err != nil {
				return err
			}
		} else if next += count * size; next > maxChunks {
			break
		}
	}
	return c.err
}
