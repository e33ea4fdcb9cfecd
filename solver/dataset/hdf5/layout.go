// This file finds the storage of an array.

package hdf5

import (
	"cmp"
	"slices"

	"rfm/solver/dataset/npy"
)

// Classes of a layout message.
const (
	compact    = 0
	contiguous = 1
	chunked    = 2
	virtual    = 3
)

// storage locates the elements of an array: inline, in one piece at an address, or in chunks.
type storage struct {
	inline  []byte
	at      int64 // address of the piece, or -1
	chunk   []int // shape of a chunk, nil without chunks
	chunks  []chunk
	packing packing
}

// chunk is a block of an array.
type chunk struct {
	first []int // index of its first element along each axis, in chunks
	at    int64
	size  int64  // bytes in the file
	mask  uint32 // filters not applied
}

// layout finds the storage of an array whose elements have element bytes.
func (f *file) layout(all []message, shape []int, element int) (s storage, err error) {
	s.at = -1
	if find(all, externalMessage) != nil {
		return s, unread("has its numbers in other files, which is not read")
	}
	if m := find(all, filterMessage); m != nil {
		if s.packing, err = parseFilters(&cursor{f: f, b: m.data}); err != nil {
			return s, err
		}
	}
	c := &cursor{f: f, b: find(all, layoutMessage).data}
	version, class := c.byte(), c.byte()
	if version < 3 || version > 4 {
		return s, unread("has a layout of version %d; 3 and 4 are read", version)
	}
	bytes := int64(element) * int64(npy.Count(shape))
	switch {
	case class == virtual:
		return s, unread("is a virtual dataset, of pieces of others, which is not read")
	case class > virtual:
		return s, damage("a layout is of class %d", class)
	case class == chunked && bytes > 0:
		return s, f.chunks(&s, c, version, shape, element)
	case class == chunked:
		s.inline = []byte{}
		return s, nil
	case class == compact:
		s.inline = c.take(int(c.uint(2)))
		if c.err == nil && int64(len(s.inline)) < bytes {
			c.err = damage("%d bytes are where %d must be", len(s.inline), bytes)
		}
		return s, c.err
	}
	s.at = c.address()
	switch {
	case c.err != nil || bytes == 0:
		return s, c.err
	case s.at < 0:
		return s, unread("has no numbers: they were never written")
	}
	return s, f.addExtents(chunk{at: s.at, size: bytes})
}

// chunks finds the chunks of a nonempty array.
func (f *file) chunks(s *storage, c *cursor, version int, shape []int, element int) error {
	rank := len(shape)
	width, flags, at := 4, 0, int64(-1)
	if version == 4 {
		flags = c.byte()
	}
	axes := c.byte() // including one of the bytes of an element
	if version == 4 {
		width = c.byte()
	} else {
		at = c.address()
	}
	if rank < 1 || axes != rank+1 || width < 1 || width > 8 {
		return damage("chunks have %d axes, the array %d", axes-1, rank)
	}
	x := index{f: f, s: s, bytes: int64(element), seen: map[int]bool{}}
	total := 1
	for d, n := range shape {
		size := int64(c.uint(width))
		if size < 1 || size > 1<<32 {
			return damage("a chunk has an axis of %d", size)
		}
		if x.bytes *= size; x.bytes > maxChunk {
			return unread("has chunks of more than %d MiB, at most that is read: write it again with smaller ones", maxChunk>>20)
		}
		s.chunk = append(s.chunk, int(size))
		x.shape = append(x.shape, (n+int(size)-1)/int(size))
		if total *= x.shape[d]; total > maxChunks {
			return unread("has more than %d chunks", maxChunks)
		}
	}
	if last := int(c.uint(width)); last != element && c.err == nil {
		return damage("chunks have elements of %d bytes, the array of %d", last, element)
	}
	err := x.read(c, version, flags, at)
	if err = cmp.Or(c.err, err); err != nil {
		return err
	}
	if len(s.chunks) < total {
		return unread("lacks %d of %d chunks: their numbers were never written", total-len(s.chunks), total)
	}
	return f.addExtents(s.chunks...)
}

// addExtents returns an error unless the pieces of an array lie in the file.
func (f *file) addExtents(pieces ...chunk) error {
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

// checkOverlap returns an error if pieces of any arrays overlap: a few bytes could stand for any number.
func (f *file) checkOverlap() error {
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
