// This file reads the numbers of arrays.

package hdf5

import (
	"bytes"
	"fmt"
	"io"
	"iter"

	"rfm/solver/dataset/npy"
)

// scan passes on the numbers of an array, as npy.Header.Scan does, chunk by chunk, and does not read chunks without
// wanted numbers.
func (f *file) scan(d dataset, strides []int, s npy.Selection) error {
	where := npy.Place(f.where, d.name)
	if d.storage.chunk != nil {
		return f.scanChunks(d, where, strides, s)
	}
	h := npy.Header{Type: d.kind, Shape: d.shape}
	var in io.Reader = bytes.NewReader(d.storage.inline)
	if d.storage.inline == nil && h.Count() > 0 {
		in = io.NewSectionReader(f.in, f.base+d.storage.at, int64(h.Count())*int64(d.element))
	}
	_, err := h.Scan(in, where, strides, s)
	return err
}

// scanChunks implements scan for an array in chunks.
func (f *file) scanChunks(d dataset, where string, strides []int, s npy.Selection) error {
	size := d.element * npy.Count(d.storage.chunk)
	values := make([]float64, d.storage.chunk[len(d.shape)-1])
	wanted := func(run npy.Run) bool { return s.Want == nil || s.Want(run) }
	var room buffers
	for _, k := range d.storage.chunks {
		some := s.Want == nil
		for run := range d.lines(k, strides) {
			if some = some || s.Want(run); some {
				break
			}
		}
		if !some {
			continue
		}
		in, err := f.unpacked(d.storage.packing, k, size, &room)
		if err != nil {
			return f.fault(d.name, err)
		}
		for run, from := range d.lines(k, strides) {
			if !wanted(run) {
				continue
			}
			b, err := in.bytes(from*d.element, run.Count*d.element, &room)
			if err != nil {
				return f.fault(d.name, err)
			}
			line := values[:run.Count]
			if bad, what := d.kind.Decode(line, b); bad >= 0 {
				return npy.BadValue(where, "holds "+what)
			}
			if !s.Put(run, line) {
				return nil
			}
		}
		if err := in.end(size); err != nil {
			return f.fault(d.name, err)
		}
	}
	return nil
}

// lines iterates over the runs of a chunk inside the array, with the offset of each in the chunk. A chunk may be far
// larger than the array.
func (d dataset) lines(k chunk, strides []int) iter.Seq2[npy.Run, int] {
	return func(use func(npy.Run, int) bool) {
		last, shape := len(d.shape)-1, d.storage.chunk
		inChunk := npy.Strides(shape)
		index, most := make([]int, last+1), make([]int, last+1)
		for a := range most {
			most[a] = min(shape[a], d.shape[a]-k.first[a]*shape[a])
		}
		for a := 0; a >= 0; {
			run, from := npy.Run{Step: strides[last], Count: most[last]}, 0
			for a, i := range index {
				run.At += (k.first[a]*shape[a] + i) * strides[a]
				from += i * inChunk[a]
			}
			if !use(run, from) {
				return
			}
			for a = last - 1; a >= 0; a-- {
				if index[a]++; index[a] < most[a] {
					break
				}
				index[a] = 0
			}
		}
	}
}

// stream is the content of a chunk at the current position.
type stream struct {
	io.Reader
	read int
}

// bytes returns n bytes of a chunk from an offset at or after the current position.
func (c *stream) bytes(from, n int, room *buffers) ([]byte, error) {
	b := of(&room.line, n)
	if _, err := io.CopyN(io.Discard, c, int64(from-c.read)); err != nil {
		return nil, shorter(err)
	}
	c.read = from + n
	_, err := io.ReadFull(c, b)
	return b, shorter(err)
}

// end returns an error unless a stream ends after size bytes; reading the end compares the checksum.
func (c *stream) end(size int) error {
	n, err := io.Copy(io.Discard, io.LimitReader(c, int64(size-c.read)+1))
	if all := int64(c.read) + n; err == nil && all != int64(size) {
		err = fmt.Errorf("it has %d bytes or more, not %d", all, size)
	}
	return shorter(err)
}

func shorter(err error) error {
	if err == nil {
		return nil
	}
	return damage("a chunk cannot be unpacked: %v", err)
}

// unpacked opens a chunk of size bytes. Only a shuffled one takes memory: at most 1032 times its bytes in the file, and
// at most twice 256 MiB.
func (f *file) unpacked(p packing, k chunk, size int, room *buffers) (*stream, error) {
	in := io.NewSectionReader(f.in, f.base+k.at, k.size)
	packed, shuffled := p.gzip&^k.mask != 0, p.shuffle&^k.mask != 0
	switch {
	case !packed && k.size != int64(size):
		return nil, damage("a chunk has %d bytes, not %d", k.size, size)
	case k.size > maxChunk+maxChunk/8:
		return nil, damage("a chunk of %d bytes is packed in %d", size, k.size)
	case shuffled && (p.width < 1 || p.width > size):
		return nil, damage("bytes of %d are shuffled in a chunk of %d", p.width, size)
	}
	c := &stream{Reader: room.buffered(in)}
	if packed {
		z, err := room.inflate(in)
		if err != nil {
			return nil, shorter(err)
		}
		c.Reader = z
	}
	if !shuffled {
		return c, nil
	}
	const most = 1032 // times as many bytes can be unpacked
	b := of(&room.shuffled, min(size, most*(int(k.size)+1)))
	if _, err := io.ReadFull(c, b); err != nil {
		return nil, shorter(err)
	}
	c.read = len(b)
	if err := c.end(size); err != nil {
		return nil, err
	}
	return &stream{Reader: bytes.NewReader(unshuffle(of(&room.straight, len(b)), b, p.width))}, nil
}
