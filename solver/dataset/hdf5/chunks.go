// This file finds the chunks of an array by their index, of which HDF5 has six kinds.

package hdf5

import (
	"cmp"
	"math/bits"
	"slices"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// chunk is a block of an array.
type chunk struct {
	number int // in the grid of chunks, in C order
	at     int64
	size   int64  // bytes in the file
	mask   uint32 // filters not applied
}

// The kinds of indices in a layout message of version 4.
const (
	singleChunk     = 1
	implicit        = 2
	fixedArray      = 3
	extensibleArray = 4
	treeOfChunks    = 5
)

// Signatures and versions make up the first bytes of a structure, and a checksum the last.
const (
	seal    = 4
	prelude = 14 // signature, version, client and address of the header of a block of an index
)

// inChunks finds the chunks of a nonempty array by the rest of a layout message.
func (s *storage) inChunks(c *structure, version int) {
	rank := len(s.shape)
	flags := 0
	axes := 0 // one more than the array has, for the bytes of an element
	width := 4
	tree := int64(-1)
	if version == 4 {
		flags = c.byte()
		axes = c.byte()
		width = c.byte()
	} else {
		axes = c.byte()
		tree = c.place()
	}
	if rank < 1 || axes != rank+1 || width < 1 || width > 8 {
		cursor.Damage("chunks have %d axes, the array %d", axes-1, rank)
	}
	bytes := s.gridOfChunks(c, width)
	if last := int(c.Uint(width)); last != s.size {
		cursor.Damage("chunks have elements of %d bytes, the array of %d", last, s.size)
	}
	s.chunks = nil
	switch {
	case version != 3:
		s.index(c, flags, bytes)
	case tree >= 0:
		s.f.tree(tree, 1, 8+8*(rank+1), -1, s.leaf)
	}
	slices.SortFunc(s.chunks, func(a, b chunk) int { return cmp.Compare(a.number, b.number) })
	for i := 1; i < len(s.chunks); i++ {
		number := s.chunks[i].number
		if number == s.chunks[i-1].number {
			cursor.Damage("the chunk %d is there twice", number)
		}
	}
	s.f.addExtents(s.chunks...)
}

// gridOfChunks reads the lengths of a chunk, numbers of width bytes, and returns the bytes of one that is not packed.
func (s *storage) gridOfChunks(c *structure, width int) (bytes int64) {
	s.chunk = nil
	s.grid = nil
	s.total = 1
	bytes = int64(s.size)
	for _, n := range s.shape {
		length := int64(c.Uint(width))
		if length < 1 || length > 1<<32 {
			cursor.Damage("a chunk has an axis of %d", length)
		}
		bytes *= length
		if bytes > maxChunk {
			unread("has chunks of more than %d MiB, at most that is read: write it again with smaller ones", maxChunk>>20)
		}
		chunks := (n + int(length) - 1) / int(length)
		s.chunk = append(s.chunk, int(length))
		s.grid = append(s.grid, chunks)
		s.total *= chunks
		if s.total > maxChunks {
			unread("has more than %d chunks", maxChunks)
		}
	}
	return bytes
}

// index reads the rest of a layout message of version 4. Unpacked chunks have bytes bytes.
func (s *storage) index(c *structure, flags int, bytes int64) {
	kind := c.byte()
	switch kind {
	case singleChunk:
		const packed = 2
		only := chunk{size: bytes}
		if flags&packed != 0 {
			only.size = c.place()
			only.mask = uint32(c.Uint(4))
		}
		only.at = c.place()
		s.add(only)
	case implicit:
		at := c.place()
		for number := range s.capacity() {
			own, ok := s.own(number, -1)
			if !ok || at < 0 {
				continue
			}
			s.add(chunk{
				number: own,
				at:     at + int64(number)*bytes,
				size:   bytes,
			})
		}
	case fixedArray:
		pageBits := c.byte()
		s.fixed(c.place(), pageBits, bytes)
	case extensibleArray:
		c.Take(5) // its parameters are in its header as well
		s.extensible(c.place(), bytes)
	case treeOfChunks:
		c.Take(6)
		s.tree(c.place(), bytes)
	default:
		unread("has chunks with an index of kind %d, which is not read", kind)
	}
}

// add appends a chunk if it has an address.
func (s *storage) add(c chunk) {
	if c.at < 0 {
		return
	}
	if len(s.chunks) == s.total {
		cursor.Damage("there are more than %d chunks", s.total)
	}
	s.chunks = append(s.chunks, c)
}

// limits returns the number of chunks along each axis if the array has grown as far as it may; 0 if there is no limit.
func (s *storage) limits() []int {
	all := slices.Clone(s.grid)
	for d, most := range s.most {
		if most < 0 {
			all[d] = 0
		} else if most >= s.shape[d] {
			all[d] = (most + s.chunk[d] - 1) / s.chunk[d]
		}
	}
	return all
}

// capacity returns the number of chunks of an array that has grown as far as it may. It must have a limit.
func (s *storage) capacity() int {
	count, ok := npy.Room(s.limits())
	if !ok || count == 0 || count > maxChunks {
		unread("may grow to more than %d chunks", maxChunks)
	}
	return count
}

// own returns the number of a chunk among those that the array has, from that among those that it may have; ok is false
// if it does not have this one. An axis without limit, if not -1, comes first.
func (s *storage) own(number, unlimited int) (own int, ok bool) {
	limits := s.limits()
	rank := len(limits)
	order := make([]int, 0, rank) // of the axes, from the slowest on
	for d := range rank {
		if d != unlimited {
			order = append(order, d)
		}
	}
	if unlimited >= 0 {
		order = slices.Insert(order, 0, unlimited)
	}
	place := make([]int, rank)
	for i, d := range slices.Backward(order) {
		if i == 0 {
			place[d] = number
			break
		}
		if limits[d] == 0 {
			cursor.Damage("the index of its chunks does not suit an array without a limit along axis %d", d)
		}
		place[d] = number % limits[d]
		number /= limits[d]
	}
	for d, i := range place {
		if i >= s.grid[d] {
			return 0, false
		}
		own = own*s.grid[d] + i
	}
	return own, true
}

// leaf appends a chunk of a B-tree of version 1 if it belongs to the array.
func (s *storage) leaf(key *structure, child int64) {
	size := int64(key.Uint(4))
	mask := uint32(key.Uint(4))
	k := chunk{at: child, size: size, mask: mask}
	for d, n := range s.chunk {
		first := key.Uint(8)
		if first%uint64(n) != 0 {
			cursor.Damage("a chunk begins at %d, which is not a multiple of %d", first, n)
		}
		place := first / uint64(n)
		if place >= uint64(s.grid[d]) {
			return
		}
		k.number = k.number*s.grid[d] + int(place)
	}
	s.add(k)
}

// tree reads a B-tree of version 2 of chunks.
func (s *storage) tree(at int64, bytes int64) {
	const (
		plain  = 10
		packed = 11
	)
	if at < 0 {
		return
	}
	rank := len(s.grid)
	s.f.records(at, func(kind int, record *structure) {
		k := chunk{at: record.place(), size: bytes}
		sizeBytes := len(record.Rest) - 4 - 8*rank
		switch {
		case kind == packed && sizeBytes >= 1 && sizeBytes <= 8:
			k.size = int64(record.Uint(sizeBytes))
			k.mask = uint32(record.Uint(4))
		case kind != plain || len(record.Rest) != 8*rank:
			cursor.Damage("an index of chunks has records of kind %d with %d bytes", kind, len(record.Rest)+8)
		}
		for _, chunks := range s.grid {
			place := record.Uint(8)
			if place >= uint64(chunks) {
				return
			}
			k.number = k.number*chunks + int(place)
		}
		s.add(k)
	})
}

// entries reads the entries of chunks in a block of an index.
type entries struct {
	s         *storage
	packed    bool
	sizeBytes int // of the sizes of packed chunks
	length    int64
	unlimited int // the axis without limit; -1 if there is none
	bytes     int64
}

// entriesOf checks the kind of entries and their length in bytes.
func (s *storage) entriesOf(client, length, unlimited int, bytes int64) entries {
	e := entries{
		s:         s,
		packed:    client == 1,
		sizeBytes: length - 12, // besides an address and a mask
		length:    int64(length),
		unlimited: unlimited,
		bytes:     bytes,
	}
	fits := length == 8
	if e.packed {
		fits = e.sizeBytes >= 1 && e.sizeBytes <= 8
	}
	if client > 1 || !fits {
		cursor.Damage("an index of kind %d has elements of %d bytes", client, length)
	}
	return e
}

// read adds chunks from a number on: as many as c has, or count.
func (e entries) read(c *structure, first, count int64) {
	for i := range count {
		k := chunk{at: c.place(), size: e.bytes}
		if e.packed {
			k.size = int64(c.Uint(e.sizeBytes))
			k.mask = uint32(c.Uint(4))
		}
		if k.at < 0 {
			continue
		}
		if own, ok := e.s.own(int(first+i), e.unlimited); ok {
			k.number = own
			e.s.add(k)
		}
	}
}

// fixed reads a fixed array of chunks, in pages with checksums if it is long.
func (s *storage) fixed(at int64, pageBits int, bytes int64) {
	f := s.f
	if at < 0 {
		return
	}
	c := f.structure("FAHD", at, 28, true)
	c.Take(1)
	client := c.byte()
	length := c.byte()
	c.Take(1)
	count := c.place()
	block := c.place()
	e := s.entriesOf(client, length, -1, bytes)
	switch {
	case pageBits > 30:
		cursor.Damage("an index has pages of 2^%d chunks", pageBits)
	case count != int64(s.capacity()):
		cursor.Damage("an index has %d chunks, the array %d", count, s.capacity())
	case block < 0:
		return
	}
	page := int64(1) << pageBits
	if count <= page {
		c = f.structure("FADB", block, prelude+count*e.length+seal, true)
		c.Take(prelude - seal)
		e.read(c, 0, count)
		return
	}
	pages := (count + page - 1) / page
	bitmap := (pages + 7) / 8
	c = f.structure("FADB", block, prelude+bitmap+seal, true)
	c.Take(prelude - seal)
	written := c.Rest
	at = block + prelude + bitmap + seal
	for i := range pages {
		first := i * page
		n := min(page, count-first)
		pageBytes := n*e.length + seal
		if isWritten(written, i) {
			e.read(f.structure("", at, pageBytes, true), first, n)
		}
		at += pageBytes
	}
}

// isWritten reports whether a page of a block is there, by a bit for each page, the highest bit of a byte first.
func isWritten(bitmap []byte, page int64) bool {
	return bitmap[page/8]&(0x80>>(page%8)) != 0
}

// extensible reads an extensible array of chunks: entries in the index block, then blocks of entries, of which the
// index block has the addresses of the first ones, and of super blocks with the addresses of the others. Super block i,
// also where it is part of the index block, has 2^(i/2) blocks of 2^((i+1)/2) times the least number of entries.
func (s *storage) extensible(at int64, bytes int64) {
	f := s.f
	if at < 0 {
		return
	}
	unlimited := slices.Index(s.most, -1)
	if unlimited < 0 {
		cursor.Damage("an index can grow, the array cannot")
	}
	c := f.structure("EAHD", at, 72, true)
	c.Take(1)
	client := c.byte()
	length := c.byte()
	maxBits := c.byte()
	inIndex := int64(c.byte()) // entries of the index block
	least := int64(c.byte())   // entries of the smallest block
	leastPointers := c.byte()  // blocks of the smallest super block
	pageBits := c.byte()
	c.Take(5 * 8)
	c.Take(8) // number of entries that were set
	block := c.place()
	entries := s.entriesOf(client, length, unlimited, bytes)
	if block < 0 {
		return
	}
	isPower := func(n int) bool { return n > 0 && bits.OnesCount(uint(n)) == 1 }
	leastBits := bits.Len64(uint64(least))
	hasSizes := isPower(int(least)) && isPower(leastPointers)
	hasBits := maxBits >= 1 && maxBits <= 62 && pageBits <= 30 && leastBits <= maxBits
	if !hasSizes || !hasBits {
		cursor.Damage("an index that can grow has %d bits and blocks of %d", maxBits, least)
	}
	a := growing{
		entries:       entries,
		page:          1 << pageBits,
		positionBytes: (maxBits + 7) / 8,
	}
	supers := 1 + maxBits - (leastBits - 1)
	direct := 2 * (bits.Len(uint(leastPointers)) - 1) // super blocks that are part of the index block
	blocks := 2 * (leastPointers - 1)
	addresses := blocks + max(0, supers-direct)
	c = f.structure("EAIB", block, prelude+inIndex*a.length+int64(8*addresses)+seal, true)
	c.Take(prelude - seal)
	a.read(c, 0, inIndex)
	first := inIndex
	for i := range supers {
		count := 1 << (i / 2)
		size := least << ((i + 1) / 2)
		if i < direct {
			for range count {
				a.block(c.place(), first, size, nil)
				first += size
			}
			continue
		}
		if super := c.place(); super >= 0 {
			a.super(super, first, count, size)
		}
		if first > maxChunks*64 {
			return
		}
		first += int64(count) * size
	}
}

// growing reads the blocks of an extensible array.
type growing struct {
	entries
	page          int64 // entries of a page of a long block
	positionBytes int
}

// super reads a super block: addresses of count blocks of size entries from a number on.
func (a growing) super(at, first int64, count int, size int64) {
	bitmap := int64(0) // bytes for each block
	if size > a.page {
		pages := size / a.page
		bitmap = (pages + 7) / 8
	}
	if count > maxChunks {
		cursor.Damage("an index that can grow has %d blocks", count)
	}
	blocks := int64(count)
	length := prelude + int64(a.positionBytes) + blocks*(bitmap+8) + seal
	c := a.s.f.structure("EASB", at, length, true)
	c.Take(prelude - seal + a.positionBytes)
	written := c.Take(int(blocks * bitmap))
	for i := range blocks {
		ofBlock := written[i*bitmap : (i+1)*bitmap]
		a.block(c.place(), first, size, ofBlock)
		first += size
	}
}

// block reads a block of size entries from a number on; written has a bit for each page of a long one.
func (a growing) block(at, first, size int64, written []byte) {
	if at < 0 {
		return
	}
	f := a.s.f
	head := prelude + int64(a.positionBytes)
	if size <= a.page || len(written) == 0 {
		c := f.structure("EADB", at, head+size*a.length+seal, true)
		c.Take(int(head) - seal)
		a.read(c, first, size)
		return
	}
	f.structure("EADB", at, head+seal, true)
	at += head + seal
	pageBytes := a.page*a.length + seal
	for i := range size / a.page {
		if isWritten(written, i) {
			page := f.structure("", at, pageBytes, true)
			a.read(page, first+i*a.page, a.page)
		}
		at += pageBytes
	}
}
