package hdf5

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

// everything reads all numbers of a file.
func everything(all []npy.Member) {
	for _, m := range all {
		m.Doubtful = true
		m.Verify() // may return an error
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	noError(t, err)
	return content
}

// Files with false sizes and addresses are refused, without memory for the claimed sizes.
func TestHostileFiles(t *testing.T) {
	address := func(content []byte, at int, value uint64) []byte {
		content = bytes.Clone(content)
		binary.LittleEndian.PutUint64(content[at:], value)
		return content
	}
	early, late := fixture(t, "earliest.h5"), fixture(t, "latest.h5")
	tree := bytes.Index(early, []byte("TREE\x00"))
	chunks := bytes.Index(early, []byte("TREE\x01"))
	heap := bytes.Index(early, []byte("HEAP"))
	for what, hostile := range map[string]struct {
		content []byte
		word    string
	}{
		"no superblock":            {bytes.Repeat([]byte{'x'}, 5000), "no superblock"},
		"root beyond the end":      {address(early, 64, 1<<40), "beyond its end"},
		"root at 2^63":             {address(early, 64, 1<<63), "no root group"},
		"a tree in itself":         {address(early, tree+32, uint64(tree)), ""},
		"a tree beyond the end":    {address(early, tree+32, math.MaxInt64-5), ""},
		"names of 2^60 bytes":      {address(early, heap+8, 1<<60), "beyond its end"},
		"names of 2^63 bytes":      {address(early, heap+8, 1<<63), "beyond its end"},
		"names beyond the end":     {address(early, heap+24, 1<<62), "beyond its end"},
		"a chunk beyond the end":   {address(early, chunks+24+24+8, 1<<50), "beyond its end"},
		"two chunks at one place":  {address(early, chunks+24+32+40, binary.LittleEndian.Uint64(early[chunks+24+32:])), ""},
		"a checksum":               {append(bytes.Clone(late[:44]), append([]byte{1, 2, 3, 4}, late[48:]...)...), "checksum"},
		"half of a file":           {early[:len(early)/2], "truncated"},
		"a superblock of 20 bytes": {early[:20], ""},
		"addresses of 3 bytes":     {append(append(bytes.Clone(early[:13]), 3), early[14:]...), "addresses"},
		"version 9":                {append(append(bytes.Clone(early[:8]), 9), early[9:]...), "version 9"},
	} {
		t.Run(what, func(t *testing.T) {
			var err error
			memory := filetest.Allocated(func() {
				_, err = list(bytes.NewReader(hostile.content), hostile.content, "x.h5")
			})
			filetest.Refused(t, what, err, hostile.word)
			filetest.Refused(t, what, err, "x.h5")
			if memory > 4<<20 {
				t.Errorf("%d bytes are allocated", memory)
			}
		})
	}
}

// Every truncated file is refused, and no changed byte causes a panic.
func TestDamagedFiles(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5", "many.h5", "matlab.mat", "unusual.h5", "links.h5"} {
		content := fixture(t, name)
		for n := 0; n < len(content); n += 397 {
			if _, err := list(bytes.NewReader(content[:n]), content[:n], name); err == nil {
				t.Errorf("%s: %d bytes of %d are a whole file", name, n, len(content))
			}
		}
		step := 251
		if testing.Short() {
			step = 401
		}
		for i := 0; i < len(content); i += step {
			damaged := bytes.Clone(content)
			damaged[i] ^= byte(1 + i%255)
			memory := filetest.Allocated(func() {
				f := newFile(bytes.NewReader(damaged), int64(len(damaged)), name, damaged[:4096])
				if f == nil {
					return
				}
				if f.trusting = i%2 == 0; f.read() == nil {
					everything(f.members)
				}
			})
			if memory > 256<<20 {
				t.Errorf("%s: with byte %d changed %d bytes are allocated", name, i, memory)
			}
		}
	}
}

// Chunks are unpacked only as far as needed, deflated ones without memory for all of their content.
func TestChunksOfAnySizeTakeNoMemory(t *testing.T) {
	const rows, columns = 1 << 9, 1 << 13
	pack := func(size int) []byte {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write(make([]byte, size)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for what, test := range map[string]struct {
		bytes int
		all   bool
		word  string
	}{
		"its beginning": {rows * columns, false, ""}, "all of it": {rows * columns, true, ""},
		"one byte too few":  {rows*columns - 1, true, "unexpected EOF"},
		"one byte too many": {rows*columns + 1, true, "more than 4194304 bytes"},
	} {
		if testing.Short() && test.all {
			continue
		}
		content := pack(test.bytes)
		s := storage{f: &file{where: "x", in: bytes.NewReader(content), size: int64(len(content))}, size: 1,
			elements: npy.TypeOf("|u1"), shape: []int{rows, columns}, chunk: []int{rows, columns}, grid: []int{1, 1},
			total: 1, filters: []filter{{kind: deflate}}, chunks: []chunk{{size: int64(len(content))}}}
		var err error
		used := filetest.Allocated(func() {
			err = npy.Scan("a", s.blocks, npy.Along(0, 0), func([]int, []float64) bool { return test.all })
		})
		if (err == nil) != (test.word == "") || err != nil && !strings.Contains(err.Error(), test.word) || used > 1<<20 {
			t.Errorf("%s: %d bytes allocated, %v", what, used, err)
		}
	}
}

// All chunks share the memory of one: small ones cost no more than their content.
func TestChunksShareMemory(t *testing.T) {
	const chunks, size = 2048, 4
	var content bytes.Buffer
	plain := storage{size: 1, elements: npy.TypeOf("|u1"), shape: []int{chunks, size},
		chunk: []int{1, size}, grid: []int{chunks, 1}, total: chunks}
	packed := plain
	packed.filters = []filter{{kind: deflate}}
	z := zlib.NewWriter(nil)
	for i := range chunks {
		at := int64(content.Len())
		content.Write([]byte{byte(i), 1, 2, 3})
		plain.chunks = append(plain.chunks, chunk{number: i, at: at, size: size})
		z.Reset(&content)
		if _, err := z.Write([]byte{byte(i), 1, 2, 3}); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		packed.chunks = append(packed.chunks, chunk{number: i, at: at + size,
			size: int64(content.Len()) - at - size})
	}
	f := &file{where: "x", in: bytes.NewReader(content.Bytes()), size: int64(content.Len())}
	for _, s := range []storage{plain, packed} {
		s.f = f
		m := npy.Member{Numbers: func(at []npy.Axis, put npy.Put) error { return npy.Scan("a", s.blocks, at, put) }}
		data := make([]float64, chunks*size)
		var err error
		used := filetest.Allocated(func() { err = m.Read(data, npy.Along(size, 1), len(data)) })
		if err != nil || data[5*size] != 5 || data[chunks*size-1] != 3 || used > 2<<20 {
			t.Errorf("%d bytes are allocated, %v", used, err)
		}
	}
}

// Chunks far larger than the array are read only within the array.
func TestChunksBeyondTheArrayTakeNoTime(t *testing.T) {
	const chunks = 64
	s := storage{f: &file{where: "x"}, size: 1, elements: npy.TypeOf("|u1"),
		shape: []int{1, chunks, 1}, chunk: []int{maxChunk, 1, 1}, grid: []int{1, chunks, 1}, total: chunks}
	for i := range chunks {
		s.chunks = append(s.chunks, chunk{number: i, size: maxChunk})
	}
	calls := 0
	none := func(int) int {
		calls++
		return -1
	}
	err := npy.Scan("a", s.blocks, []npy.Axis{none, none, none}, nil)
	if err != nil || calls != chunks {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// Names of links in groups in each other take bounded memory.
func TestPathsAreBounded(t *testing.T) {
	one := message{data: append([]byte{1, 8, 1, 1, 'a', 1, 0}, '/')}
	deep := &file{size: 1000}
	err := cursor.Attempt(func() {
		deep.group(header{linkMessage: slices.Repeat([]message{one}, 100)}, strings.Repeat("a", 1<<20), 2)
	})
	if err == nil || len(deep.members) > 16 {
		t.Errorf("%d names of 1 MiB", len(deep.members))
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"earliest.h5", "latest.h5", "many.h5", "matlab.mat", "unusual.h5", "links.h5"} {
		f.Add(fixture(f, name), true)
		f.Add(fixture(f, name), false)
	}
	f.Fuzz(func(t *testing.T, content []byte, trusting bool) {
		file := newFile(bytes.NewReader(content), int64(len(content)), "x", content[:min(len(content), 4096)])
		if file == nil {
			return
		}
		file.trusting = trusting
		err := file.read()
		var data *fault.Data
		if err != nil && !errors.As(err, &data) {
			t.Errorf("got %T: %v, want *fault.Data", err, err)
		}
		if err == nil && len(content) < 1<<18 {
			everything(file.members)
		}
	})
}
