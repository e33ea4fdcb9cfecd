// This file undoes the packing of chunks.

package hdf5

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/npy"
)

// The numbers of filters in HDF5's register.
const (
	deflate    = 1
	shuffle    = 2
	fletcher32 = 3
	lzf        = 32000
)

var filterNames = map[int]string{
	4:     "szip",
	5:     "nbit",
	6:     "scaleoffset",
	307:   "bzip2",
	32001: "blosc",
	32004: "lz4",
	32008: "bitshuffle",
	32013: "zfp",
	32015: "zstd",
	32026: "blosc2",
}

// filter is a step of the packing of chunks.
type filter struct {
	kind  int
	width int // bytes of a shuffled element
}

// filters reads a filter message: the steps of the packing, in their order.
func filters(c *structure) (all []filter) {
	const most = 32
	version := c.byte()
	count := c.byte()
	if version != 1 && version != 2 || count > most {
		cursor.Damage("there are %d filters of version %d", count, version)
	}
	if version == 1 {
		c.Take(6)
	}
	for range count {
		kind := int(c.Uint(2))
		name := 0    // bytes
		padding := 0 // bytes
		if version == 1 || kind >= 256 {
			name = int(c.Uint(2))
		}
		c.Take(2)
		values := int(c.Uint(2))
		if version == 1 {
			name = (name + 7) &^ 7
			padding = values % 2 * 4
		}
		c.Take(name)
		parameters := c.Take(4*values + padding)
		step := filter{kind: kind}
		switch kind {
		case deflate, fletcher32, lzf:
		case shuffle:
			if values == 0 {
				cursor.Damage("elements of no bytes are shuffled")
			}
			step.width = int(binary.LittleEndian.Uint32(parameters))
		default:
			name := filterNames[kind]
			if name == "" {
				name = fmt.Sprintf("filter %d", kind)
			}
			unread("is packed with %s; gzip, lzf, shuffle and fletcher32 are read", name)
		}
		all = append(all, step)
	}
	return all
}

// buffers holds memory for a chunk, reused for the next one.
type buffers struct {
	this     []byte
	next     []byte
	inflater npy.Inflater
}

// open opens a chunk. If it is packed by more than gzip it takes memory: twice its unpacked size, which is at most 256
// MiB and 1032 times its bytes in the file.
func (s *storage) open(k chunk, room *buffers) (io.Reader, error) {
	if s.inline != nil {
		return bytes.NewReader(s.inline[:s.bytes]), nil
	}
	size := s.size * npy.Count(s.chunk)
	var steps []filter
	for i, step := range s.filters {
		if k.mask>>i&1 == 0 {
			steps = append(steps, step)
		}
	}
	in := io.NewSectionReader(s.f.in, s.f.base+k.at, k.size)
	isUsual := len(steps) == 2 && steps[0].kind == shuffle && steps[1].kind == deflate
	switch {
	case len(steps) == 0 && k.size != int64(size):
		return nil, fmt.Errorf("a chunk has %d bytes, not %d", k.size, size)
	case len(steps) == 0:
		return in, nil
	case k.size > maxChunk+maxChunk/8:
		return nil, fmt.Errorf("a chunk of %d bytes is packed in %d", size, k.size)
	case len(steps) == 1 && steps[0].kind == deflate:
		return room.inflater.Open(in)
	case isUsual:
		unpacked, err := room.inflater.Open(in)
		if err == nil {
			err = room.fill(unpacked, min(size, most(k.size)))
		}
		if err == nil {
			err = room.unshuffle(steps[0].width)
		}
		return bytes.NewReader(room.this), err
	}
	if err := room.fill(in, int(k.size)); err != nil {
		return nil, err
	}
	for _, step := range slices.Backward(steps) {
		if err := room.undo(step, size); err != nil {
			return nil, err
		}
	}
	if len(room.this) != size {
		return nil, fmt.Errorf("a chunk has %d bytes, not %d", len(room.this), size)
	}
	return bytes.NewReader(room.this), nil
}

// most returns the largest number of bytes that gzip can unpack from some.
func most(packed int64) int { return 1032 * (int(packed) + 1) }

// fill reads length bytes, after which in must end, into this.
func (b *buffers) fill(in io.Reader, length int) error {
	b.this = slices.Grow(b.this[:0], length)[:length]
	if _, err := io.ReadFull(in, b.this); err != nil {
		return err
	}
	n, err := io.ReadFull(in, make([]byte, 1)) // the end compares the checksum
	if n > 0 || err != io.EOF {
		return errors.Join(fmt.Errorf("a chunk has more than %d bytes", length), err)
	}
	return nil
}

// undo undoes a step of the packing of a chunk of size bytes.
func (b *buffers) undo(step filter, size int) error {
	switch step.kind {
	case shuffle:
		return b.unshuffle(step.width)
	case fletcher32:
		return b.checksum()
	case lzf:
		return b.unpackLZF(size + 4) // a checksum may be in it
	}
	in, err := b.inflater.Open(bytes.NewReader(bytes.Clone(b.this)))
	if err != nil {
		return err
	}
	length := min(size+4, most(int64(len(b.this))))
	b.next = slices.Grow(b.next[:0], length+1)[:length+1]
	n, err := io.ReadFull(in, b.next)
	if n > length {
		return fmt.Errorf("a chunk has more than %d bytes", length)
	}
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	b.this, b.next = b.next, b.this
	b.this = b.this[:n]
	return nil
}

// unshuffle undoes the order of bytes in which all first bytes of the elements come first, then all second ones, and so
// on; an incomplete element at the end is as it was.
func (b *buffers) unshuffle(width int) error {
	if width < 1 || width > max(1, len(b.this)) {
		return fmt.Errorf("bytes of %d are shuffled in a chunk of %d", width, len(b.this))
	}
	count := len(b.this) / width
	b.next = slices.Grow(b.next[:0], len(b.this))[:len(b.this)]
	for j := range width {
		for i, v := range b.this[j*count : (j+1)*count] {
			b.next[i*width+j] = v
		}
	}
	copy(b.next[count*width:], b.this[count*width:])
	b.this, b.next = b.next, b.this
	return nil
}

// checksum removes and compares the Fletcher checksum at the end.
func (b *buffers) checksum() error {
	n := len(b.this) - 4
	if n < 0 {
		return errors.New("a chunk is shorter than its checksum")
	}
	found := binary.LittleEndian.Uint32(b.this[n:])
	b.this = b.this[:n]
	sum := fletcher(b.this)
	// Libraries before 1.6.3 wrote the bytes of both halves in the other order on most machines.
	upper := bits.ReverseBytes16(uint16(sum >> 16))
	lower := bits.ReverseBytes16(uint16(sum))
	swapped := uint32(upper)<<16 | uint32(lower)
	if found != sum && found != swapped {
		return errors.New("the checksum of a chunk does not agree")
	}
	return nil
}

// fletcher returns the checksum of Fletcher, 1982, for words of two bytes with the most significant byte first.
func fletcher(b []byte) uint32 {
	const block = 360 // words after which no sum can overflow
	var first, second uint32
	words := (len(b) + 1) / 2
	for i := range words {
		word := uint32(b[2*i]) << 8
		if 2*i+1 < len(b) {
			word |= uint32(b[2*i+1])
		}
		first += word
		second += first
		if i%block == block-1 {
			first = first&0xffff + first>>16
			second = second&0xffff + second>>16
		}
	}
	for range 2 {
		first = first&0xffff + first>>16
		second = second&0xffff + second>>16
	}
	return second<<16 | first
}

// unpackLZF unpacks Marc Lehmann's LibLZF to at most most bytes: runs of bytes, and copies of bytes before.
func (b *buffers) unpackLZF(most int) error {
	damaged := errors.New("a chunk packed with lzf is damaged")
	const ( // lengths of copies; the next byte has the rest of a longer one
		shortest = 2
		longest  = 7
	)
	out := b.next[:0]
	for in := b.this; len(in) > 0; {
		control := int(in[0])
		in = in[1:]
		if control < 32 {
			length := control + 1
			if length > len(in) || len(out)+length > most {
				return damaged
			}
			out = append(out, in[:length]...)
			in = in[length:]
			continue
		}
		length := control >> 5
		if length == longest {
			if len(in) == 0 {
				return damaged
			}
			length += int(in[0])
			in = in[1:]
		}
		length += shortest
		if len(in) == 0 {
			return damaged
		}
		from := len(out) - (control&31)<<8 - int(in[0]) - 1
		in = in[1:]
		if from < 0 || len(out)+length > most {
			return damaged
		}
		for i := range length { // the copy may overlap what it makes
			out = append(out, out[from+i])
		}
	}
	b.next = b.this
	b.this = out
	return nil
}
