// This file finds where the numbers of an array are.

package hdf5

import (
	"cmp"
	"math/bits"
	"slices"
)

// Classes of a layout message.
const (
	compact    = 0
	contiguous = 1
	chunked    = 2
	virtual    = 3
)

// Types of the index of chunks in a layout message of version 4; version 3 always has a B-tree of version 1.
const (
	treeVersion1    = 0
	singleChunk     = 1
	implicit        = 2
	fixedArray      = 3
	extensibleArray = 4
	treeVersion2    = 5
)

// storage is where an array's elements are: inline, in one piece at an address, or in chunks.
type storage struct {
	inline  []byte
	at      int64 // of one piece, -1 if there is none
	chunk   []int // shape of a chunk, nil without chunks
	chunks  []chunk
	filters []filter
}

// chunk is a block of an array.
type chunk struct {
	first []int // index of its first element along each axis, in chunks
	at    int64
	size  int64  // bytes in the file
	mask  uint32 // filters that were left out
}

// layout finds the storage of an array of elements with so many bytes.
func (f *File) layout(all []message, space extent, element int) (storage, error) {
	s := storage{at: -1}
	if find(all, externalMessage) != nil {
		return s, unread("has its numbers in other files, which is not read")
	}
	if m := find(all, filterMessage); m != nil {
		var err error
		if s.filters, err = parseFilters(&cursor{f: f, b: m.data}); err != nil {
			return s, err
		}
	}
	c := &cursor{f: f, b: find(all, layoutMessage).data}
	version, class := c.byte(), c.byte()
	if version < 1 || version > 4 {
		return s, unread("has a layout of version %d; 1 to 4 are read", version)
	}
	if version < 3 { // as MATLAB 7.4 wrote it: axes come first, and their sizes last
		axes := class
		class = c.byte()
		c.take(5)
		c = c.modern(class, axes)
	}
	count := int64(1)
	for _, n := range space.shape {
		count *= int64(n)
	}
	bytes := count * int64(element)
	switch class {
	case compact:
		width := 2
		if version < 3 {
			width = 4
		}
		s.inline = c.take(int(c.uint(width)))
		if err := c.done("a layout"); err != nil {
			return s, err
		}
		if int64(len(s.inline)) < bytes {
			return s, damage("%d bytes are where %d must be", len(s.inline), bytes)
		}
	case contiguous:
		s.at = c.address()
		if err := c.done("a layout"); err != nil {
			return s, err
		}
		if count > 0 && s.at < 0 {
			return s, unread("has no numbers: they were never written")
		}
		if count > 0 {
			return s, f.addExtents(chunk{at: s.at, size: bytes})
		}
	case chunked:
		if count == 0 {
			s.inline = []byte{}
			return s, nil
		}
		return s, f.chunkIndex(&s, c, version, space, element)
	case virtual:
		return s, unread("is a virtual dataset, of pieces of others, which is not read")
	default:
		return s, damage("a layout is of class %d", class)
	}
	return s, nil
}

// modern is the rest of a layout of version 1 or 2 in the order of version 3: chunks have their axes before the address,
// other classes have no sizes of axes.
func (c *cursor) modern(class, axes int) *cursor {
	if class == compact {
		c.take(4 * axes)
		return c
	}
	address := c.take(c.f.offsets)
	rest := &cursor{f: c.f, b: slices.Clone(address)}
	if class == chunked {
		rest.b = slices.Concat([]byte{byte(axes)}, address, c.take(4*axes))
	}
	rest.short = c.short
	return rest
}

// chunkIndex finds the chunks of an array.
func (f *File) chunkIndex(s *storage, c *cursor, version int, space extent, element int) error {
	rank := len(space.shape)
	width, flags := 4, 0
	var at int64
	if version == 4 {
		flags = c.byte()
	}
	dims := c.byte()
	if version == 4 {
		width = c.byte()
	} else {
		at = c.address()
	}
	if rank < 1 || dims != rank+1 || width < 1 || width > 8 {
		return damage("chunks have %d axes, the array %d", dims-1, rank)
	}
	bytes := int64(element)
	for range rank {
		n := int64(c.uint(width))
		if n < 1 || n > 1<<32 {
			return damage("a chunk has an axis of %d", n)
		}
		if bytes *= n; bytes > maxChunk {
			return unread("has chunks of more than %d MiB, at most that is read: write it again with smaller ones", maxChunk>>20)
		}
		s.chunk = append(s.chunk, int(n))
	}
	if last := int(c.uint(width)); last != element {
		return damage("chunks have elements of %d bytes, the array of %d", last, element)
	}
	index := indexOf{f: f, s: s, bytes: bytes, sizeBytes: 0}
	total := 1
	for d, n := range space.shape {
		index.shape = append(index.shape, (n+s.chunk[d]-1)/s.chunk[d])
		most := space.most[d]
		if most >= 0 {
			most = (most + s.chunk[d] - 1) / s.chunk[d]
		}
		index.most = append(index.most, most)
		if total *= index.shape[d]; total > maxChunks {
			return unread("has more than %d chunks", maxChunks)
		}
	}
	kind := treeVersion1
	if version == 4 {
		kind = c.byte()
	}
	var err error
	switch kind {
	case treeVersion1:
		if err = c.done("a layout"); err == nil && at >= 0 {
			err = index.tree(at, -1)
		}
	case singleChunk:
		only := chunk{first: make([]int, rank), size: bytes}
		if flags&2 != 0 {
			only.size, only.mask = c.length(), uint32(c.uint(4))
		}
		only.at = c.address()
		index.add(only)
	case implicit:
		return unread("has chunks without an index, which is not read")
	case fixedArray:
		c.take(1)
		err = index.fixed(c.address())
	case extensibleArray:
		c.take(5)
		err = index.extensible(c.address())
	case treeVersion2:
		c.take(6)
		at = c.address()
		if err = c.done("a layout"); err == nil && at >= 0 {
			err = index.second(at)
		}
	default:
		err = damage("chunks have an index of kind %d", kind)
	}
	if err := cmp.Or(c.done("a layout"), err); err != nil {
		return err
	}
	if len(s.chunks) < total {
		return unread("lacks %d of %d chunks: their numbers were never written", total-len(s.chunks), total)
	}
	return f.addExtents(s.chunks...)
}

// addExtents makes sure that pieces of an array are in the file.
func (f *File) addExtents(pieces ...chunk) error {
	for _, p := range pieces {
		if p.at < 0 || p.size < 0 || p.at > f.size-f.base || p.size > f.size-f.base-p.at {
			return damage("%d bytes at %d are beyond its end, %d", p.size, p.at, f.size-f.base)
		}
	}
	if f.extents = append(f.extents, pieces...); len(f.extents) > maxChunks {
		return unread("has more than %d chunks", maxChunks)
	}
	return nil
}

// checkOverlap makes sure that the pieces of all arrays do not overlap: a few bytes could stand for any number of chunks.
func (f *File) checkOverlap() error {
	slices.SortFunc(f.extents, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
	end := int64(0)
	for _, p := range f.extents {
		if p.at < end && p.size > 0 {
			return damage("the pieces of arrays at %d overlap", p.at)
		}
		end = max(end, p.at+p.size)
	}
	return nil
}

// indexOf reads the index of an array's chunks.
type indexOf struct {
	f         *File
	s         *storage
	shape     []int // in chunks
	most      []int // the same if the array is as large as it may become, -1 without limit
	bytes     int64 // of a whole chunk
	sizeBytes int   // of the sizes of chunks in the index
	seen      map[int]bool
}

// add takes a chunk that has an address and belongs to the array.
func (x *indexOf) add(c chunk) {
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
	if x.seen == nil {
		x.seen = map[int]bool{}
	}
	if !x.seen[at] {
		x.seen[at] = true
		x.s.chunks = append(x.s.chunks, c)
	}
}

// addAt takes the chunk with a number, in C order of an array of chunks of the given shape, of which the first axis has
// no end.
func (x *indexOf) addAt(shape []int, number int, c chunk) {
	c.first = make([]int, len(shape))
	for d := len(shape) - 1; d > 0; d-- {
		c.first[d] = number % shape[d]
		number /= shape[d]
	}
	if len(shape) > 0 {
		c.first[0] = number
	}
	x.add(c)
}

// element reads a chunk as arrays of chunks have it, packed or not.
func (x *indexOf) element(c *cursor) chunk {
	k := chunk{at: c.address(), size: x.bytes}
	if x.sizeBytes > 0 {
		k.size, k.mask = int64(c.uint(x.sizeBytes)), uint32(c.uint(4))
	}
	return k
}

// tree reads a B-tree of version 1.
func (x *indexOf) tree(at int64, level int) error {
	rank := len(x.shape)
	n, err := x.f.node(at, 1, 8+8*(rank+1), level)
	if err != nil {
		return err
	}
	for _, e := range n.entries {
		if n.level > 0 {
			if err := x.tree(e.child, n.level-1); err != nil {
				return err
			}
			continue
		}
		c := &cursor{f: x.f, b: e.key}
		k := chunk{at: e.child, size: int64(c.uint(4)), mask: uint32(c.uint(4))}
		for d := range rank {
			first := c.uint(8)
			if first%uint64(x.s.chunk[d]) != 0 {
				return damage("a chunk begins at %d, which is no multiple of %d", first, x.s.chunk[d])
			}
			k.first = append(k.first, int(min(first/uint64(x.s.chunk[d]), 1<<40)))
		}
		x.add(k)
	}
	return nil
}

// second reads a B-tree of version 2, whose records are chunks.
func (x *indexOf) second(at int64) error {
	kind := 10
	if len(x.s.filters) > 0 {
		kind = 11
	}
	return x.f.treeRecords(at, kind, func(record []byte) error {
		c := &cursor{f: x.f, b: record}
		if kind == 11 {
			if x.sizeBytes = len(record) - x.f.offsets - 4 - 8*len(x.shape); x.sizeBytes < 1 || x.sizeBytes > 8 {
				return damage("the record of a chunk has %d bytes", len(record))
			}
		}
		k := x.element(c)
		for range x.shape {
			k.first = append(k.first, int(min(c.uint(8), 1<<40)))
		}
		x.add(k)
		return c.done("the record of a chunk")
	})
}

// packed finds out from the bytes of an element how many of them are a chunk's size.
func (x *indexOf) packed(client, element int) error {
	if x.sizeBytes = 0; client == 1 {
		x.sizeBytes = element - x.f.offsets - 4
	}
	if client > 1 || x.sizeBytes < 0 || x.sizeBytes > 8 || client == 1 && x.sizeBytes < 1 || client == 0 &&
		element != x.f.offsets {
		return damage("an index of kind %d has elements of %d bytes", client, element)
	}
	return nil
}

// fixed reads a fixed array of chunks.
func (x *indexOf) fixed(at int64) error {
	if at < 0 {
		return nil
	}
	c, err := x.f.structure("FAHD", at, int64(12+x.f.offsets+x.f.lengths), true)
	if err != nil {
		return err
	}
	c.take(1)
	client, element, pageBits := c.byte(), c.byte(), c.byte()
	count, block := c.length(), c.address()
	if err := cmp.Or(c.done("an index"), x.packed(client, element)); err != nil {
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
		c, err = x.f.structure("FADB", block, prefix+count*int64(element)+4, true)
		if err != nil {
			return err
		}
		c.take(2 + x.f.offsets)
		for i := range int(count) {
			x.addAt(x.most, i, x.element(c))
		}
		return c.done("an index")
	}
	pages := (count + page - 1) / page
	prefix += (pages+7)/8 + 4
	if c, err = x.f.structure("FADB", block, prefix, true); err != nil {
		return err
	}
	c.take(2 + x.f.offsets)
	written := c.b
	return x.pages(block+prefix, 0, count, page, element, written, x.most)
}

// pages reads chunks that stand in pages with checksums, of which a bit says whether they were written.
func (x *indexOf) pages(at, first, count, page int64, element int, written []byte, shape []int) error {
	for i := int64(0); i*page < count; i++ {
		n := min(page, count-i*page)
		if written[i/8]&(0x80>>(i%8)) == 0 {
			at += page*int64(element) + 4
			continue
		}
		c, err := x.f.structure("", at, n*int64(element)+4, true)
		if err != nil {
			return err
		}
		for j := range int(n) {
			x.addAt(shape, int(first+i*page)+j, x.element(c))
		}
		at += n*int64(element) + 4
	}
	return nil
}

// extensible reads an extensible array of chunks, for arrays that may grow along one axis without limit. That axis is
// the slowest in it.
func (x *indexOf) extensible(at int64) error {
	if at < 0 {
		return nil
	}
	unlimited := slices.Index(x.most, -1)
	if unlimited < 0 {
		return damage("chunks have an index that grows, the array does not")
	}
	e := growing{indexOf: x, axis: unlimited, shape: []int{x.most[unlimited]}}
	for d, n := range x.most {
		if d != unlimited {
			e.shape = append(e.shape, n)
		}
	}
	c, err := x.f.structure("EAHD", at, int64(16+6*x.f.lengths+x.f.offsets), true)
	if err != nil {
		return err
	}
	c.take(1)
	client := c.byte()
	e.element = c.byte()
	maxBits, inIndex, blockLeast, pointersLeast, pageBits := c.byte(), c.byte(), c.byte(), c.byte(), c.byte()
	for range 6 {
		c.length()
	}
	index := c.address()
	if err := cmp.Or(c.done("an index"), x.packed(client, e.element)); err != nil {
		return err
	}
	power := func(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }
	if !power(blockLeast) || !power(pointersLeast) || maxBits > 64 || pageBits > 30 {
		return damage("the index at %d begins with blocks of %d elements and %d blocks", at, blockLeast, pointersLeast)
	}
	e.least, e.page, e.positionBytes = int64(blockLeast), int64(1)<<pageBits, (maxBits+7)/8
	if index < 0 {
		return nil
	}
	supers := 1 + maxBits - (bits.Len(uint(blockLeast)) - 1)
	direct := 2 * (bits.Len(uint(pointersLeast)) - 1) // of the super blocks, whose blocks the index names itself
	blocks := 2 * (pointersLeast - 1)
	if supers < direct {
		return damage("the index at %d has %d blocks of blocks", at, supers)
	}
	prefix := 6 + x.f.offsets
	if c, err = x.f.structure("EAIB", index, int64(prefix+inIndex*e.element+(blocks+supers-direct)*x.f.offsets+4),
		true); err != nil {
		return err
	}
	c.take(prefix - 4)
	for i := range inIndex {
		e.add(int64(i), x.element(c))
	}
	next := int64(inIndex)
	for s := range supers {
		count, size := int64(1)<<(s/2), e.least<<((s+1)/2)
		if next > maxChunks {
			break
		}
		if s < direct {
			for range count {
				if err := e.block(c.address(), next, size, nil, 0); err != nil {
					return err
				}
				next += size
			}
			continue
		}
		if err := e.super(c.address(), next, count, size); err != nil {
			return err
		}
		next += count * size
	}
	return c.done("an index")
}

type growing struct {
	*indexOf
	axis          int   // that grows
	shape         []int // with this axis first
	element       int
	least, page   int64 // elements
	positionBytes int
}

// add takes the chunk with a number.
func (e growing) add(number int64, k chunk) {
	first := make([]int, len(e.shape))
	for d := len(e.shape) - 1; d > 0; d-- {
		first[d] = int(number % int64(e.shape[d]))
		number /= int64(e.shape[d])
	}
	first[0] = int(number)
	k.first = slices.Insert(slices.Clone(first[1:]), e.axis, first[0])
	e.indexOf.add(k)
}

// super reads a block of addresses of blocks.
func (e growing) super(at, first, count, size int64) error {
	if at < 0 {
		return nil
	}
	written := int64(0) // bytes of bits for each block
	if size > e.page {
		written = (size/e.page + 7) / 8
	}
	prefix := 6 + e.f.offsets + e.positionBytes
	c, err := e.f.structure("EASB", at, int64(prefix)+count*(written+int64(e.f.offsets))+4, true)
	if err != nil {
		return err
	}
	c.take(prefix - 4)
	pages := c.take(int(count * written))
	for i := range count {
		if err := e.block(c.address(), first+i*size, size, pages, i*(size/e.page)); err != nil {
			return err
		}
	}
	return c.done("an index")
}

// block reads a block of chunks; written has a bit for each of its pages, from the given one on.
func (e growing) block(at, first, size int64, written []byte, from int64) error {
	if at < 0 {
		return nil
	}
	prefix := int64(6 + e.f.offsets + e.positionBytes)
	paged := size > e.page
	length := prefix + 4
	if !paged {
		length += size * int64(e.element)
	}
	c, err := e.f.structure("EADB", at, length, true)
	if err != nil {
		return err
	}
	if !paged {
		c.take(int(prefix) - 4)
		for i := range size {
			e.add(first+i, e.indexOf.element(c))
		}
		return c.done("an index")
	}
	if int64(len(written)) < (from+size/e.page+7)/8 {
		return damage("a block of an index has no list of its pages")
	}
	at += length
	for i := range size / e.page {
		if bit := from + i; written[bit/8]&(0x80>>(bit%8)) != 0 {
			if c, err = e.f.structure("", at, e.page*int64(e.element)+4, true); err != nil {
				return err
			}
			for j := range e.page {
				e.add(first+i*e.page+j, e.indexOf.element(c))
			}
		}
		at += e.page*int64(e.element) + 4
	}
	return nil
}
