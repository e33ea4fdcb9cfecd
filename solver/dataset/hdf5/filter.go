package hdf5

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"io"
)

// filter is a filter of the chunks of an array, with its parameters.
type filter struct {
	kind   int
	values []uint32
}

const (
	deflate   = 1
	shuffle   = 2
	maxFilter = 32
)

// others names unsupported filters.
var others = map[int]string{3: "fletcher32", 4: "szip", 6: "scaleoffset", 32000: "lzf", 32001: "blosc", 32008: "bitshuffle", 32015: "zstd"}

func parseFilters(c *cursor) (all []filter, err error) {
	version, count := c.byte(), c.byte()
	if version != 1 && version != 2 || count > maxFilter {
		return nil, damage("there are %d filters of version %d", count, version)
	}
	if version == 1 {
		c.take(6)
	}
	for range count {
		f, name := filter{kind: int(c.uint(2))}, 0
		if version == 1 || f.kind >= 256 {
			name = int(c.uint(2))
		}
		c.take(2)
		values := int(c.uint(2))
		if version == 1 {
			name = (name + 7) &^ 7
		}
		c.take(name)
		for range values {
			if f.values = append(f.values, uint32(c.uint(4))); c.err != nil {
				return nil, c.err
			}
		}
		if version == 1 && values%2 == 1 {
			c.take(4)
		}
		if f.kind != deflate && f.kind != shuffle && c.err == nil {
			return nil, unread("is packed with %s; gzip and shuffle are read",
				cmp.Or(others[f.kind], fmt.Sprintf("filter %d", f.kind)))
		}
		all = append(all, f)
	}
	return all, c.err
}

// buffers holds memory for a chunk, reused for the next one.
type buffers struct {
	packed, unpacked, straight, line []byte
	in                               *bufio.Reader
	inflater                         io.ReadCloser
}

// buffered returns a reader of a stream in large pieces.
func (s *buffers) buffered(in io.Reader) *bufio.Reader {
	if s.in == nil {
		s.in = bufio.NewReaderSize(nil, 1<<16)
	}
	s.in.Reset(in)
	return s.in
}

// inflate returns a reader of the decompressed content of a deflated stream.
func (s *buffers) inflate(in io.Reader) (_ io.Reader, err error) {
	if s.inflater == nil {
		s.inflater, err = zlib.NewReader(s.buffered(in))
		return s.inflater, err
	}
	return s.inflater, s.inflater.(zlib.Resetter).Reset(s.buffered(in), nil)
}

// of returns n bytes of a buffer, which grows if necessary.
func of(buffer *[]byte, n int) []byte {
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	return (*buffer)[:n]
}

// unpack reverses the filters of b; mask has a bit for each omitted filter. The result has size bytes, in one of the
// buffers or in b. unpack allocates at most size bytes, twice if bytes were shuffled.
func (s *buffers) unpack(b []byte, filters []filter, mask uint32, size int) ([]byte, error) {
	for i := len(filters) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		switch f := filters[i]; f.kind {
		case deflate:
			z, err := s.inflate(bytes.NewReader(b))
			if err != nil {
				return nil, damage("a chunk cannot be unpacked: %v", err)
			}
			// At most a chunk and one more byte, and no more than deflate can expand the packed bytes to.
			const most = 1032
			out := of(&s.unpacked, min(size+1, most*(len(b)+1)))
			n, err := io.ReadFull(z, out)
			if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
				return nil, damage("a chunk cannot be unpacked: %v", err)
			}
			b = out[:n]
		case shuffle:
			width := 1
			if len(f.values) > 0 {
				width = int(f.values[0])
			}
			if width < 1 || width > len(b) {
				return nil, damage("bytes of %d are shuffled in a chunk of %d", width, len(b))
			}
			b = unshuffle(of(&s.straight, len(b)), b, width)
		}
	}
	if len(b) != size {
		return nil, damage("a chunk has %d bytes, not %d", len(b), size)
	}
	return b, nil
}

// unshuffle interleaves the bytes of elements in out: b contains all first bytes, then all second ones, and so on. An
// incomplete element at the end is copied.
func unshuffle(out, b []byte, width int) []byte {
	count := len(b) / width
	for j := range width {
		plane := b[j*count : (j+1)*count]
		for i, v := range plane {
			out[i*width+j] = v
		}
	}
	copy(out[count*width:], b[count*width:])
	return out
}
