// This file finds the numbers of an array in the file, and reads them.

package hdf5

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// storage locates the elements of an array in chunks. Arrays without chunks are one chunk.
type storage struct {
	f        *file
	shape    []int
	elements npy.Type
	size     int   // bytes of an element
	bytes    int64 // of all elements

	inline []byte // the chunk of a small array, which is in its header
	chunk  []int  // shape of a chunk
	grid   []int  // chunks along each axis
	chunks []chunk

	// The packing of chunks: shuffled elements, then gzip.
	shuffle, gzip uint32 // bits of the filters in a chunk's mask; 0 if there is none
	width         int    // bytes of a shuffled element
}

// chunk is a block of an array.
type chunk struct {
	number int // in the grid of chunks, in C order
	at     int64
	size   int64  // bytes in the file
	mask   uint32 // filters not applied
}

// locate finds the elements by the messages of the array.
func (s *storage) locate(h header) {
	const compact, contiguous, chunked, virtual = 0, 1, 2, 3 // classes of a layout message
	filters, c := h.first(filterMessage), h.first(layoutMessage)
	version, class := c.byte(), c.byte()
	if version < 3 || version > 4 {
		unread("has a layout of version %d; 3 and 4 are read", version)
	}
	s.chunk, s.grid, s.chunks = s.shape, slices.Repeat([]int{1}, len(s.shape)), []chunk{{size: s.bytes}}
	switch {
	case class >= virtual:
		unread("is a virtual dataset, of pieces of others, or of a later kind than that, which is not read")
	case s.bytes == 0:
		s.chunks = nil
	case class == compact:
		if s.inline = c.Take(int(c.Uint(2))); int64(len(s.inline)) < s.bytes {
			cursor.Damage("%d bytes are where %d must be", len(s.inline), s.bytes)
		}
	case class == contiguous:
		if s.chunks[0].at = c.place(); s.chunks[0].at < 0 {
			unread("has no numbers in this file: they are in others, or were never written")
		}
		s.f.addExtents(s.chunks...)
	default:
		if filters != nil {
			s.filters(filters)
		}
		s.inChunks(c, version)
	}
}

// filters reads a filter message.
func (s *storage) filters(c *structure) {
	const deflate, shuffle, most = 1, 2, 32
	others := map[int]string{3: "fletcher32", 4: "szip", 6: "scaleoffset", 32000: "lzf", 32001: "blosc",
		32008: "bitshuffle", 32015: "zstd"}
	version, count := c.byte(), c.byte()
	if version != 1 && version != 2 || count > most {
		cursor.Damage("there are %d filters of version %d", count, version)
	}
	if version == 1 {
		c.Take(6)
	}
	for i := range count {
		kind, name, padding := int(c.Uint(2)), 0, 0
		if version == 1 || kind >= 256 {
			name = int(c.Uint(2))
		}
		c.Take(2)
		values := int(c.Uint(2))
		if version == 1 {
			name, padding = (name+7)&^7, values%2*4
		}
		c.Take(name)
		parameters := c.Take(4*values + padding)
		switch {
		case kind == deflate && s.gzip == 0:
			s.gzip = 1 << i
		case kind == shuffle && s.gzip|s.shuffle == 0 && values > 0:
			s.shuffle, s.width = 1<<i, int(binary.LittleEndian.Uint32(parameters))
		default:
			unread("is packed with %s; gzip after shuffle is read",
				cmp.Or(others[kind], fmt.Sprintf("filter %d in place %d", kind, i+1)))
		}
	}
}

// inChunks finds the chunks of a nonempty array by the rest of a layout message.
func (s *storage) inChunks(c *structure, version int) {
	rank, axes, width, flags, tree := len(s.shape), 0, 4, 0, int64(-1) // axes include one of the bytes of an element
	if version == 4 {
		flags, axes, width = c.byte(), c.byte(), c.byte()
	} else {
		axes, tree = c.byte(), c.place()
	}
	if rank < 1 || axes != rank+1 || width < 1 || width > 8 {
		cursor.Damage("chunks have %d axes, the array %d", axes-1, rank)
	}
	s.chunk, s.grid, s.chunks = nil, nil, nil
	bytes, total := int64(s.size), 1
	for d, n := range s.shape {
		size := int64(c.Uint(width))
		if size < 1 || size > 1<<32 {
			cursor.Damage("a chunk has an axis of %d", size)
		}
		if bytes *= size; bytes > maxChunk {
			unread("has chunks of more than %d MiB, at most that is read: write it again with smaller ones", maxChunk>>20)
		}
		s.chunk = append(s.chunk, int(size))
		s.grid = append(s.grid, (n+int(size)-1)/int(size))
		if total *= s.grid[d]; total > maxChunks {
			unread("has more than %d chunks", maxChunks)
		}
	}
	if last := int(c.Uint(width)); last != s.size {
		cursor.Damage("chunks have elements of %d bytes, the array of %d", last, s.size)
	}
	// Types of the index of chunks in a layout message of version 4; arrays that can grow have others.
	const single, fixedArray = 1, 3
	kind := 0
	if version == 4 {
		kind = c.byte()
	}
	switch {
	case version == 3 && tree >= 0:
		s.f.tree(tree, 1, 8+8*(rank+1), -1, s.leaf)
	case version == 3:
	case kind == single:
		only := chunk{size: bytes}
		if flags&2 != 0 {
			only.size, only.mask = c.place(), uint32(c.Uint(4))
		}
		only.at = c.place()
		s.add(only)
	case kind == fixedArray:
		pageBits := c.byte()
		s.fixed(c.place(), pageBits, bytes)
	default:
		unread("has chunks of an array that can grow, with an index of kind %d, which is not read", kind)
	}
	if len(s.chunks) < total {
		unread("lacks %d of %d chunks: their numbers were never written", total-len(s.chunks), total)
	}
	s.f.addExtents(s.chunks...)
}

// add appends a chunk if it has an address. Indices of any kind are in C order.
func (s *storage) add(c chunk) {
	if n := len(s.chunks); c.at >= 0 && n > 0 && c.number <= s.chunks[n-1].number {
		cursor.Damage("the chunk %d follows the chunk %d", c.number, s.chunks[n-1].number)
	}
	if c.at >= 0 {
		s.chunks = append(s.chunks, c)
	}
}

// leaf appends a chunk of a B-tree of version 1 if it belongs to the array.
func (s *storage) leaf(key *structure, child int64) {
	k := chunk{at: child, size: int64(key.Uint(4)), mask: uint32(key.Uint(4))}
	for d, n := range s.chunk {
		first := key.Uint(8)
		if first%uint64(n) != 0 {
			cursor.Damage("a chunk begins at %d, which is not a multiple of %d", first, n)
		}
		if first /= uint64(n); first >= uint64(s.grid[d]) {
			return
		}
		k.number = k.number*s.grid[d] + int(first)
	}
	s.add(k)
}

// fixed reads a fixed array of chunks, in pages with checksums if it is long. Unpacked chunks have bytes bytes.
func (s *storage) fixed(at int64, pageBits int, bytes int64) {
	f := s.f
	if at < 0 {
		return
	}
	c := f.structure("FAHD", at, 28, true)
	c.Take(1)
	client, element := c.byte(), c.byte()
	c.Take(1)
	count, block := c.place(), c.place()
	sizeBytes := element - 12*client // of the sizes of chunks, if they are packed
	switch {
	case client > 1 || client == 1 && (sizeBytes < 1 || sizeBytes > 8) || client == 0 && element != 8:
		cursor.Damage("an index of kind %d has elements of %d bytes", client, element)
	case pageBits > 30:
		cursor.Damage("an index has pages of 2^%d chunks", pageBits)
	case count != int64(npy.Count(s.grid)):
		unread("has chunks of an array that can grow, with an index that is not read")
	case block < 0:
		return
	}
	most, length := int64(1)<<pageBits, int64(element)
	paged, size := count > most, count*length
	if paged { // a bit for each page that was written
		size = ((count+most-1)/most + 7) / 8
	}
	c = f.structure("FADB", block, 14+size+4, true)
	c.Take(10)
	written, at := c.Rest, block+14+size+4
	for first := int64(0); first < count; first += most {
		n, i := min(most, count-first), first/most
		if paged {
			at += n*length + 4
			if written[i/8]&(0x80>>(i%8)) == 0 {
				continue
			}
			c = f.structure("", at-n*length-4, n*length+4, true)
		}
		for number := int(first); number < int(first+n); number++ {
			k := chunk{number: number, at: c.place(), size: bytes}
			if client == 1 {
				k.size, k.mask = int64(c.Uint(sizeBytes)), uint32(c.Uint(4))
			}
			s.add(k)
		}
	}
}

// addExtents keeps the pieces of an array, for checkExtents.
func (f *file) addExtents(pieces ...chunk) {
	if f.extents = append(f.extents, pieces...); len(f.extents) > maxChunks {
		unread("has more than %d chunks", maxChunks)
	}
}

// checkExtents checks that the pieces of all arrays lie in the file and do not overlap: few bytes could stand for any
// number.
func (f *file) checkExtents() {
	slices.SortFunc(f.extents, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
	end := int64(0)
	for _, p := range f.extents {
		if f.inside(p.at, p.size); p.at < end && p.size > 0 {
			cursor.Damage("the pieces of arrays at %d overlap", p.at)
		}
		end = max(end, p.at+p.size)
	}
}

// blocks iterates over the blocks of the array.
func (s *storage) blocks(use func(npy.Block) bool) {
	var room buffers
	for _, k := range s.chunks {
		rank, rest := len(s.chunk), k.number
		b := npy.Block{Type: s.elements, Shape: s.chunk, First: make([]int, rank), Inside: make([]int, rank),
			Open: func() (io.Reader, error) { return s.open(k, &room) }}
		for d := rank - 1; d >= 0; d-- {
			b.First[d] = rest % s.grid[d] * s.chunk[d]
			b.Inside[d] = min(s.chunk[d], s.shape[d]-b.First[d])
			rest /= s.grid[d]
		}
		if !use(b) {
			return
		}
	}
}

// buffers holds memory for a chunk, reused for the next one.
type buffers struct {
	shuffled, straight []byte
	inflater           npy.Inflater
}

// open opens a chunk. A shuffled one takes memory: at most 1032 times its bytes in the file, and at most twice 256 MiB.
func (s *storage) open(k chunk, room *buffers) (in io.Reader, err error) {
	if s.inline != nil {
		return bytes.NewReader(s.inline[:s.bytes]), nil
	}
	size := s.size * npy.Count(s.chunk)
	in = io.NewSectionReader(s.f.in, s.f.base+k.at, k.size)
	packed, shuffled := s.gzip&^k.mask != 0, s.shuffle&^k.mask != 0
	switch {
	case !packed && k.size != int64(size):
		return nil, fmt.Errorf("a chunk has %d bytes, not %d", k.size, size)
	case k.size > maxChunk+maxChunk/8:
		return nil, fmt.Errorf("a chunk of %d bytes is packed in %d", size, k.size)
	case shuffled && (s.width < 1 || s.width > size):
		return nil, fmt.Errorf("bytes of %d are shuffled in a chunk of %d", s.width, size)
	case packed:
		if in, err = room.inflater.Open(in); err != nil {
			return nil, err
		}
	}
	if !shuffled {
		return in, nil
	}
	const most = 1032 // times as many bytes can be unpacked
	length := min(size, most*(int(k.size)+1))
	room.shuffled, room.straight = slices.Grow(room.shuffled[:0], length), slices.Grow(room.straight[:0], length)
	b, out, width, count := room.shuffled[:length], room.straight[:length], s.width, length/s.width
	if _, err := io.ReadFull(in, b); err != nil {
		return nil, err
	}
	if n, err := io.ReadFull(in, make([]byte, 1)); n > 0 || err != io.EOF { // the end compares the checksum
		return nil, errors.Join(fmt.Errorf("a chunk has more than %d bytes", size), err)
	}
	// All first bytes of the elements, then all second ones, and so on; an incomplete element at the end is as it was.
	for j := range width {
		for i, v := range b[j*count : (j+1)*count] {
			out[i*width+j] = v
		}
	}
	copy(out[count*width:], b[count*width:])
	return bytes.NewReader(out), nil
}
