package npz

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

var noError = filetest.NoError

var pair = []npy.Array{{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}},
	{Shape: []int{}, Data: []float64{math.Pi}}}

// written returns an archive of two arrays and a file.
func written(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	err := errors.Join(w.Array("a", pair[0]), w.File("meta.json", []byte("{}")), w.Array("part/u", pair[1]), w.Close())
	noError(t, err)
	return b.Bytes()
}

// read reads the array with the given name.
func read(r *Reader, name string) (npy.Array, error) {
	m, err := r.Array(name)
	if err != nil {
		return npy.Array{}, err
	}
	return m.Array()
}

func open(text []byte) (*Reader, error) {
	return NewReader(bytes.NewReader(text), int64(len(text)), "archive")
}

// member is a member of an archive made by hand.
type member struct {
	zip.FileHeader
	content []byte // as in the file
}

func stored(name string, content []byte) member {
	size := uint64(len(content))
	return member{zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(content), CompressedSize64: size,
		UncompressedSize64: size}, content}
}

func deflated(t testing.TB, name string, content []byte) member {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	m := stored(name, content)
	m.Method, m.CompressedSize64, m.content = zip.Deflate, uint64(b.Len()), b.Bytes()
	return m
}

func archive(t testing.TB, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		w, err := z.CreateRaw(&m.FileHeader)
		noError(t, err)
		if _, err := w.Write(m.content); err != nil {
			t.Fatal(err)
		}
	}
	noError(t, z.Close())
	return b.Bytes()
}

func array(a npy.Array) []byte {
	var b bytes.Buffer
	npy.Write(&b, a) // a bytes.Buffer does not fail
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	r, err := open(written(t))
	if err != nil || !bytes.Equal(written(t), written(t)) {
		t.Fatal("two archives of the same content differ", err)
	}
	arrays, files := r.Arrays, r.Others
	if !slices.Equal(arrays, []string{"a", "part/u"}) || !slices.Equal(files, []string{"meta.json"}) {
		t.Errorf("arrays %q, files %q", arrays, files)
	}
	for i, name := range arrays {
		if got, err := read(r, name); err != nil || !reflect.DeepEqual(got, pair[i]) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, pair[i])
		}
	}
	if got, err := r.File("meta.json", 2); err != nil || string(got) != "{}" {
		t.Errorf("got %q, %v, want {}", got, err)
	}
	if _, err := r.File("meta.json", 1); err == nil || !strings.Contains(err.Error(), "want at most 1") {
		t.Errorf("2 bytes where 1 may be read: %v", err)
	}
}

func TestEveryFlippedByteIsFoundOrHarmless(t *testing.T) {
	whole := written(t)
	for at := range whole {
		for _, bit := range []byte{1, 0x80} {
			text := slices.Clone(whole)
			text[at] ^= bit
			r, err := open(text)
			if err != nil {
				continue
			}
			for i, name := range []string{"a", "part/u"} {
				if a, err := read(r, name); err == nil && !reflect.DeepEqual(a, pair[i]) {
					t.Errorf("byte %d: %s is %v", at, name, a)
				}
			}
		}
	}
}

func TestUnusableArchivesAreRefused(t *testing.T) {
	good := array(pair[0])
	damaged := slices.Clone(good)
	damaged[len(damaged)-1] ^= 1
	wrongSum := stored("a.npy", good)
	wrongSum.content = damaged
	encrypted, exotic, short := stored("a.npy", good), stored("a.npy", good), stored("a.npy", good)
	encrypted.Flags, exotic.Method, short.UncompressedSize64 = 1, 12, 1
	zeros := make([]byte, 1<<16)
	bomb := deflated(t, "a.npy", append(npy.Preamble([]int{1 << 13}), zeros...))
	bomb.UncompressedSize64 = 1 << 40
	lying := deflated(t, "a.npy", append(npy.Preamble([]int{1 << 14}), zeros...))
	lying.UncompressedSize64 += 1 << 16
	// Members that share their bytes would let a small file hold any number of large arrays. A directory entry, of 46
	// bytes and a name, has the offset of the member at byte 42.
	overlapping := archive(t, stored("a.npy", good), stored("b.npy", good))
	binary.LittleEndian.PutUint32(overlapping[bytes.LastIndex(overlapping, []byte("PK\x01\x02"))+42:], 0)
	var many []member
	for i := range 4000 {
		many = append(many, stored(strings.Repeat("x", i%97+1)+string(rune('a'+i/97)), nil))
	}
	for name, test := range map[string]struct {
		text []byte
		want string
	}{
		"empty":             {nil, "not a whole .npz archive"},
		"bytes at the end":  {append(archive(t, stored("a.npy", good)), 0), "bytes follow its end"},
		"no zip":            {[]byte("\x93NUMPY and so on"), "not a whole .npz archive"},
		"checksum":          {archive(t, wrongSum), "checksum"},
		"duplicate":         {archive(t, stored("a.npy", good), stored("a.npy", good)), `two members with the name "a"`},
		"array and file":    {archive(t, stored("a", good), stored("a.npy", good)), `two members with the name "a"`},
		"parent":            {archive(t, stored("../a.npy", good)), "unsafe name"},
		"absolute":          {archive(t, stored("/a.npy", good)), "unsafe name"},
		"backslash":         {archive(t, stored(`c:\a.npy`, good)), "unsafe name"},
		"escape sequence":   {archive(t, stored("\x1b[2Ja.npy", good)), "unsafe name"},
		"no name":           {archive(t, stored(".npy", good)), "unsafe name"},
		"encrypted":         {archive(t, encrypted), "encrypted"},
		"method":            {archive(t, exotic), "method 12"},
		"sizes":             {archive(t, short), "1 bytes stored in"},
		"impossible ratio":  {archive(t, bomb), "cannot become"},
		"less than it says": {archive(t, lying), "damaged"},
		"no array":          {archive(t, stored("a.npy", []byte("nonsense"))), "not a .npy file"},
		"longer than array": {archive(t, stored("a.npy", append(slices.Clone(good), 0))), "too long"},
		"overlap":           {overlapping, "members that overlap"},
		"too many members":  {archive(t, many...), "directory of more than"},
		"missing":           {archive(t, stored("b.npy", good), stored("c", good)), `no array "a", only "b" and "c"`},
	} {
		r, err := open(test.text)
		if err == nil {
			_, err = read(r, "a")
		}
		filetest.Refused(t, name, err, test.want)
		filetest.Refused(t, name, err, "archive")
	}
}

func TestFoldersAreNoMembers(t *testing.T) {
	r, err := open(archive(t, stored("part/", nil), stored("part/a.npy", array(pair[0]))))
	noError(t, err)
	if arrays, files := r.Arrays, r.Others; !slices.Equal(arrays, []string{"part/a"}) || len(files) > 0 {
		t.Errorf("arrays %q, files %q", arrays, files)
	}
}

func TestWriterPanicsOnNamesThatCannotBeRead(t *testing.T) {
	for name, write := range map[string]func(w *Writer){
		"taken":       func(w *Writer) { w.Array("a", pair[0]) },
		"outside":     func(w *Writer) { w.Array("../a", pair[0]) },
		"array's own": func(w *Writer) { w.File("b.npy", nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			w := NewWriter(io.Discard)
			noError(t, w.Array("a", pair[0]))
			write(w)
		}()
	}
}

// inflating bounds the memory of decompression in addition to the result: temporary tables for each block.
const inflating = 64

func FuzzRead(f *testing.F) {
	f.Add(written(f))
	f.Add(archive(f, deflated(f, "a.npy", array(pair[0])), deflated(f, "meta.json", []byte(`{"format": 1}`))))
	f.Add(archive(f, stored("a.npy",
		append([]byte(nil), "\x93NUMPY\x01\x00F\x00{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }            "+
			"\n\x01\x02\x03\x04\x05\x06"...))))
	f.Add(archive(f, deflated(f, "a.npy", append(npy.Preamble([]int{1 << 13}), make([]byte, 1<<16)...))))
	f.Fuzz(func(t *testing.T, text []byte) {
		var r *Reader
		var err error
		if used := filetest.Allocated(func() { r, err = open(text) }); used > 2*uint64(len(text))+1<<20 {
			t.Fatalf("%d bytes allocated to list a file of %d", used, len(text))
		}
		if err != nil {
			return
		}
		arrays, files := r.Arrays, r.Others
		for _, name := range arrays {
			h, err := r.Array(name)
			if err != nil {
				continue
			}
			bound, result := 2*uint64(len(text))+1<<20, uint64(0)
			if r.members[name+suffix].Method != zip.Store {
				bound = inflating*uint64(len(text)) + 1<<20
			}
			if r.members[name+suffix].Method != zip.Store || !strings.HasSuffix(h.Type, "64") {
				result = 8 * uint64(h.Count())
			}
			if used := filetest.Allocated(func() {
				h.Doubtful = true
				err = h.Verify()
			}); used > bound {
				t.Fatalf("%q: %d bytes allocated to scan a file of %d", name, used, len(text))
			}
			if err != nil {
				continue
			}
			if used := filetest.Allocated(func() { _, err = read(r, name) }); used > bound+result {
				t.Fatalf("%q: %d bytes allocated for %d numbers in a file of %d", name, used, h.Count(), len(text))
			}
			if err != nil {
				t.Fatalf("%q can be scanned, not read: %v", name, err)
			}
		}
		for _, name := range files {
			r.File(name, 1<<20)
		}
	})
}
