package hdf5

import (
	"bufio"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
)

// packing is the packing of the chunks of an array: shuffled elements, then gzip.
type packing struct {
	shuffle, gzip uint32 // bits of the filters in a chunk's mask; 0 if there is none
	width         int    // bytes of a shuffled element
}

const (
	deflate   = 1
	shuffle   = 2
	maxFilter = 32
)

// others names unsupported filters.
var others = map[int]string{3: "fletcher32", 4: "szip", 6: "scaleoffset", 32000: "lzf", 32001: "blosc", 32008: "bitshuffle", 32015: "zstd"}

func parseFilters(c *cursor) (p packing, err error) {
	version, count := c.byte(), c.byte()
	if version != 1 && version != 2 || count > maxFilter {
		return p, damage("there are %d filters of version %d", count, version)
	}
	if version == 1 {
		c.take(6)
	}
	for i := range count {
		kind, name, padding := int(c.uint(2)), 0, 0
		if version == 1 || kind >= 256 {
			name = int(c.uint(2))
		}
		c.take(2)
		values := int(c.uint(2))
		if version == 1 {
			name, padding = (name+7)&^7, values%2*4
		}
		c.take(name)
		parameters := c.take(4*values + padding)
		switch {
		case c.err != nil:
			return p, c.err
		case kind == deflate && p.gzip == 0:
			p.gzip = 1 << i
		case kind == shuffle && p.gzip|p.shuffle == 0 && values > 0:
			p.shuffle, p.width = 1<<i, int(binary.LittleEndian.Uint32(parameters))
		default:
			return p, unread("is packed with %s; gzip after shuffle is read",
				cmp.Or(others[kind], fmt.Sprintf("filter %d in place %d", kind, i+1)))
		}
	}
	return p, nil
}

// buffers holds memory for a chunk, reused for the next one.
type buffers struct {
	shuffled, straight, line []byte
	in                       *bufio.Reader
	inflater                 io.ReadCloser
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
