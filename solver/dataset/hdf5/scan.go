package hdf5

import (
	"bytes"
	"fmt"
	"io"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

func (f *File) place(d Dataset) string { return fmt.Sprintf("%s, %q", f.where, d.Name) }

// Check is why an array cannot be read, nil if it can.
func (f *File) Check(d Dataset) error {
	where := f.place(d)
	if d.refused != nil {
		return f.fault(where, d.refused)
	}
	if !d.Type.Real() {
		return &fault.Data{Where: where, What: fmt.Sprintf("holds elements of type %s; floats, integers and bool are read",
			d.Class), Do: "name another array, or convert this one in Python: numpy.savez(name, a=array.astype('float64'))"}
	}
	return nil
}

// credible is how many times as large as its chunks in the file an array is believed to be without a look.
const credible = 16

// Verify makes sure that an array can be read and is as large as its shape says, before memory for it is allocated:
// what is packed to less than a sixteenth is unpacked once. Errors are *fault.Data.
func (f *File) Verify(d Dataset) error {
	if err := f.Check(d); err != nil {
		return err
	}
	packed, whole := int64(0), int64(d.element)
	for _, k := range d.storage.chunks {
		packed += k.size
	}
	for _, n := range d.Shape {
		whole *= int64(n)
	}
	if d.storage.chunk == nil || whole/credible <= packed {
		return nil
	}
	return f.Scan(d, npy.Strides(d.Shape), npy.Selection{Put: func(npy.Run, []float64) bool { return true }})
}

// Scan hands out the numbers of an array, as npy.Header.Scan does: those of a chunk together, and chunks of which
// nothing is wanted are not read. Errors are *fault.Data.
func (f *File) Scan(d Dataset, strides []int, s npy.Selection) error {
	if err := f.Check(d); err != nil {
		return err
	}
	where := f.place(d)
	if d.storage.chunk != nil {
		return f.scanChunks(d, strides, s)
	}
	h := npy.Header{Type: d.Type, Shape: d.Shape}
	var in io.Reader = bytes.NewReader(d.storage.inline)
	if d.storage.inline == nil && h.Count() > 0 {
		in = io.NewSectionReader(f.in, f.base+d.storage.at, int64(h.Count())*int64(d.element))
	}
	_, err := h.Scan(in, where, strides, s)
	return err
}

// scanChunks is Scan for an array in chunks.
func (f *File) scanChunks(d Dataset, strides []int, s npy.Selection) error {
	rank, shape := len(d.Shape), d.storage.chunk
	size := d.element
	for _, n := range shape {
		size *= n
	}
	inChunk := npy.Strides(shape)
	values := make([]float64, shape[rank-1])
	var room buffers
	// lines calls use with the runs of a chunk that are inside the array, and the place in the chunk where each begins,
	// until use returns false.
	lines := func(k chunk, use func(run npy.Run, from int) (bool, error)) (bool, error) {
		index, most := make([]int, rank), make([]int, rank) // a chunk may be far larger than the array
		for a := range most {
			most[a] = min(shape[a], d.Shape[a]-k.first[a]*shape[a])
		}
		for {
			run, from := npy.Run{Step: strides[rank-1], Count: most[rank-1]}, 0
			for a, i := range index {
				run.At += (k.first[a]*shape[a] + i) * strides[a]
				from += i * inChunk[a]
			}
			if more, err := use(run, from); !more || err != nil {
				return false, err
			}
			a := rank - 2
			for ; a >= 0; a-- {
				if index[a]++; index[a] < most[a] {
					break
				}
				index[a] = 0
			}
			if a < 0 {
				return true, nil
			}
		}
	}
	for _, k := range d.storage.chunks {
		if s.Want != nil {
			none, _ := lines(k, func(run npy.Run, _ int) (bool, error) { return !s.Want(run), nil })
			if none {
				continue
			}
		}
		content, err := f.unpacked(d, k, size, &room)
		if err != nil {
			return f.fault(f.place(d), err)
		}
		more, err := lines(k, func(run npy.Run, from int) (bool, error) {
			if s.Want != nil && !s.Want(run) {
				return true, nil
			}
			line := values[:run.Count]
			b, err := content.bytes(from*d.element, run.Count*d.element, &room)
			if err != nil {
				return false, f.fault(f.place(d), err)
			}
			if bad, what := d.Type.Decode(line, b); bad >= 0 {
				return false, npy.BadValue(f.place(d), "holds "+what)
			}
			return s.Put(run, line), nil
		})
		if err != nil || !more {
			return err
		}
		if err := content.end(size); err != nil {
			return f.fault(f.place(d), err)
		}
	}
	return nil
}

// content is that of a chunk: in memory, or a stream of which some bytes have been read.
type content struct {
	whole  []byte
	stream io.Reader
	read   int
}

// bytes are n bytes of a chunk. Of a stream they must follow those that were read.
func (c *content) bytes(from, n int, room *buffers) ([]byte, error) {
	if c.whole != nil {
		return c.whole[from : from+n], nil
	}
	b := of(&room.unpacked, n)
	if _, err := io.CopyN(io.Discard, c.stream, int64(from-c.read)); err != nil {
		return nil, shorter(err)
	}
	c.read = from + n
	_, err := io.ReadFull(c.stream, b)
	return b, shorter(err)
}

// end makes sure that a stream ends after size bytes, where its checksum is compared.
func (c *content) end(size int) error {
	if c.stream == nil {
		return nil
	}
	n, err := io.Copy(io.Discard, io.LimitReader(c.stream, int64(size-c.read)+1))
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

// unpacked reads a chunk. Plain and deflated ones are streams, which take no memory. For others the file's bytes
// account: at most 1032 times them, and 256 MiB.
func (f *File) unpacked(d Dataset, k chunk, size int, room *buffers) (content, error) {
	filters := d.storage.filters
	if len(filters) == 0 && k.size != int64(size) {
		return content{}, damage("a chunk has %d bytes, not %d", k.size, size)
	}
	if k.size > maxChunk+maxChunk/8 {
		return content{}, damage("a chunk of %d bytes is packed in %d", size, k.size)
	}
	if len(filters) == 0 || len(filters) == 1 && filters[0].kind == deflate && k.mask&1 == 0 {
		in := io.NewSectionReader(f.in, f.base+k.at, k.size)
		if len(filters) == 0 {
			return content{stream: room.buffered(in)}, nil
		}
		z, err := room.inflate(in)
		return content{stream: z}, shorter(err)
	}
	b := of(&room.packed, int(k.size))
	if n, err := f.in.ReadAt(b, f.base+k.at); n < len(b) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return content{}, err
	}
	b, err := room.unpack(b, filters, k.mask, size)
	return content{whole: b}, err
}
