// This file writes MAT-files for the tests, both intact and damaged.

package mat

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"testing"
)

// scribe writes elements in a byte order.
type scribe struct{ binary.ByteOrder }

func (s scribe) bytes(v any) []byte {
	var b bytes.Buffer
	if err := binary.Write(&b, s, v); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// element returns a data element, with small data in the tag itself.
func (s scribe) element(kind int, data []byte) []byte {
	if 0 < len(data) && len(data) <= 4 {
		return append(s.bytes(uint32(len(data)<<16|kind)), append(data, make([]byte, 4-len(data))...)...)
	}
	return s.long(kind, data)
}

// long returns a data element with the data after the tag.
func (s scribe) long(kind int, data []byte) []byte {
	b := append(s.bytes([]uint32{uint32(kind), uint32(len(data))}), data...)
	return append(b, make([]byte, -len(data)&7)...)
}

// variable returns an array; flags includes the class, numbers is its real part.
func (s scribe) variable(flags int, name string, shape []int32, numbers []byte) []byte {
	b := s.long(miUint32, s.bytes([]uint32{uint32(flags), 0}))
	b = append(b, s.element(miInt32, s.bytes(shape))...)
	b = append(b, s.element(miInt8, []byte(name))...)
	return s.long(miMatrix, append(b, numbers...))
}

// file returns a file of elements.
func (s scribe) file(elements ...[]byte) []byte {
	b := append([]byte("MATLAB 5.0 MAT-file"), bytes.Repeat([]byte(" "), 105)...)
	b = append(b, s.bytes([]uint16{0x0100, 'M'<<8 | 'I'})...)
	for _, e := range elements {
		b = append(b, e...)
	}
	return b
}

// compressed returns a compressed element.
func (s scribe) compressed(t testing.TB, element []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	if _, err := z.Write(element); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return append(s.bytes([]uint32{miCompressed, uint32(b.Len())}), b.Bytes()...)
}

var little, big = scribe{binary.LittleEndian}, scribe{binary.BigEndian}
