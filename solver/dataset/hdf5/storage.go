// This file finds the numbers of an array in the file, and reads them.

package hdf5

import (
	"cmp"
	"io"
	"slices"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// storage locates the elements of an array in chunks. Arrays without chunks are one chunk.
type storage struct {
	f        *file
	shape    []int
	most     []int // length of each axis to which the array may grow; -1 without limit
	elements npy.Type
	size     int   // bytes of an element
	bytes    int64 // of all elements

	inline  []byte // the chunk of a small array, which is in its header
	chunk   []int  // shape of a chunk
	grid    []int  // chunks along each axis
	total   int    // number of chunks in the grid
	chunks  []chunk
	filters []filter // the packing of chunks
	fill    []byte   // the element in place of those that were never written
}

// locate finds the elements by the messages of the array.
func (s *storage) locate(h header) {
	const ( // classes of a layout message
		compact    = 0
		contiguous = 1
		chunked    = 2
		virtual    = 3
	)
	packing := h.first(filterMessage)
	c := h.first(layoutMessage)
	version := c.byte()
	class := c.byte()
	if version < 3 || version > 4 {
		unread("has a layout of version %d; 3 and 4 are read", version)
	}
	s.chunk = s.shape
	s.grid = slices.Repeat([]int{1}, len(s.shape))
	s.total = 1
	s.chunks = []chunk{{size: s.bytes}}
	s.fill = h.fill(s.size)
	switch {
	case class >= virtual:
		unread("is a virtual dataset, of pieces of others, or of a later kind than that, which is not read")
	case s.bytes == 0:
		s.chunks = nil
		s.total = 0
	case class == compact:
		s.inline = c.Take(int(c.Uint(2)))
		if int64(len(s.inline)) < s.bytes {
			cursor.Damage("%d bytes are where %d must be", len(s.inline), s.bytes)
		}
	case class == contiguous:
		if h[externalMessage] != nil {
			unread("has its numbers in another file")
		}
		at := c.place()
		s.chunks[0].at = at
		if at < 0 {
			s.chunks = nil
		}
		s.f.addExtents(s.chunks...)
	default:
		if packing != nil {
			s.filters = filters(packing)
		}
		s.inChunks(c, version)
	}
	// A few bytes could stand for any number of elements that were never written.
	lacking := s.total - len(s.chunks)
	chunkBytes := s.bytes / int64(max(1, s.total))
	if chunkBytes*int64(lacking) > maxUnwritten+16*s.f.size {
		unread("lacks %d of %d chunks: their numbers were never written", lacking, s.total)
	}
}

// addExtents keeps the pieces of an array, for checkExtents.
func (f *file) addExtents(pieces ...chunk) {
	f.extents = append(f.extents, pieces...)
	if len(f.extents) > maxChunks {
		unread("has more than %d chunks", maxChunks)
	}
}

// checkExtents checks that the pieces of all arrays lie in the file and do not overlap: few bytes could stand for any
// number.
func (f *file) checkExtents() {
	slices.SortFunc(f.extents, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
	end := int64(0)
	for _, p := range f.extents {
		f.inside(p.at, p.size)
		if p.at < end && p.size > 0 {
			cursor.Damage("the pieces of arrays at %d overlap", p.at)
		}
		end = max(end, p.at+p.size)
	}
}

// blocks iterates over the blocks of the array.
func (s *storage) blocks(use func(npy.Block) bool) {
	var room buffers
	written := s.chunks
	for number := range s.total {
		rank := len(s.chunk)
		b := npy.Block{
			Type:   s.elements,
			Shape:  s.chunk,
			First:  make([]int, rank),
			Inside: make([]int, rank),
		}
		if len(written) > 0 && written[0].number == number {
			k := written[0]
			written = written[1:]
			b.Open = func() (io.Reader, error) { return s.open(k, &room) }
		} else {
			bytes := s.size * npy.Count(s.chunk)
			b.Open = func() (io.Reader, error) {
				return &repeated{element: s.fill, left: bytes}, nil
			}
		}
		rest := number
		for d, chunks := range slices.Backward(s.grid) {
			first := rest % chunks * s.chunk[d]
			b.First[d] = first
			b.Inside[d] = min(s.chunk[d], s.shape[d]-first)
			rest /= chunks
		}
		if !use(b) {
			return
		}
	}
}

// repeated reads an element again and again.
type repeated struct {
	element []byte
	at      int // in the element
	left    int // bytes
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	p = p[:min(len(p), r.left)]
	for i := range p {
		p[i] = r.element[r.at]
		r.at = (r.at + 1) % len(r.element)
	}
	r.left -= len(p)
	return len(p), nil
}
