package interchange

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
)

// zeros returns a deflated stream of a text and at least count zero bytes, made by repeating a compressed block.
func zeros(t *testing.T, text string, count int) (stream []byte) {
	t.Helper()
	const block = 1 << 20
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	noError(t, err)
	ends := []int{}
	for _, part := range [][]byte{[]byte(text), make([]byte, block), make([]byte, block)} {
		if _, err := w.Write(part); err != nil || w.Flush() != nil {
			t.Fatal(err)
		}
		ends = append(ends, b.Len())
	}
	again := b.Bytes()[ends[1]:ends[2]] // block of zeros that leaves the stream in the same state
	return append(bytes.Clone(b.Bytes()), bytes.Repeat(again, max(0, count/block-1))...)
}

// bomb returns an archive of two deflated arrays of zero bytes. Checksums are wrong, which only a reader of all bytes
// notices.
func bomb(t *testing.T, shape string, count int) []byte {
	t.Helper()
	header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': %s, }", shape)
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	text := "\x93NUMPY\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(header)))) + header
	content := zeros(t, text, count)
	little := binary.LittleEndian
	var body, directory []byte
	for _, name := range []string{"a.npy", "u.npy"} {
		fields := little.AppendUint16(nil, 8) // deflated
		fields = append(fields, make([]byte, 8)...)
		fields = little.AppendUint32(fields, uint32(len(content)))
		fields = little.AppendUint32(fields, uint32(len(text)+count))
		fields = little.AppendUint16(fields, uint16(len(name)))
		directory = append(directory, "PK\x01\x02\x14\x00\x14\x00\x00\x00"...)
		directory = append(append(directory, fields...), make([]byte, 12)...)
		directory = append(little.AppendUint32(directory, uint32(len(body))), name...)
		body = append(body, "PK\x03\x04\x14\x00\x00\x00"...)
		body = append(append(append(body, fields...), 0, 0), name...)
		body = append(body, content...)
	}
	end := little.AppendUint16([]byte("PK\x05\x06\x00\x00\x00\x00\x02\x00"), 2)
	end = little.AppendUint32(little.AppendUint32(end, uint32(len(directory))), uint32(len(body)))
	return bytes.Join([][]byte{body, directory, end, {0, 0}}, nil)
}

// Small files that claim gigabytes are read once, up to a plausible expansion, without memory for the claimed size.
func TestBombsAreLookedAtBriefly(t *testing.T) {
	if testing.Short() {
		t.Skip("2^27 bytes are unpacked")
	}
	const values = 1 << 29
	for _, shape := range []string{"(65536, 8192)", "(128, 2048, 2048)"} {
		name := filepath.Join(t.TempDir(), "bomb.npz")
		noError(t, os.WriteFile(name, bomb(t, shape, values), 0o600))
		// Without an inspection of values the first pairs show the error.
		if _, _, err := Configuration(t.Context(), name); err == nil || !strings.Contains(err.Error(), "function 0 is zero") {
			t.Errorf("%s: got %v, want an error that function 0 is zero", shape, err)
		}
		if strings.Count(shape, ",") > 1 {
			continue
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		i, err := Look(t.Context(), name)
		runtime.ReadMemStats(&after)
		said := strings.Join(i.Facts, "; ")
		if err != nil || len(i.Arrays) != 2 || i.Arrays[0].Left < values/2 || i.Arrays[1].Left != values ||
			!strings.Contains(said, "has the value 0 everywhere in a") || i.Damaged() != nil {
			t.Errorf("%s: got %v, %+v, %s, want two arrays that are read in part, and that a is 0 everywhere",
				shape, err, i.Arrays, said)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
			t.Errorf("%s: %d bytes are allocated", shape, used)
		}
	}
}

// Only files compressed beyond plausible numbers are not read to their end.
func TestHonestFilesAreLookedAtWhole(t *testing.T) {
	i, err := Look(t.Context(), arraytest.NPY(t, filepath.Join(t.TempDir(), "a.npy"), npy.Array{Shape: []int{4, 2, 17},
		Data: make([]float64, 4*2*17)}))
	if err != nil || i.Arrays[0].Left != 0 || i.Arrays[0].Max == nil {
		t.Errorf("got %v, %+v, want an array that is read to its end", err, i.Arrays)
	}
}
