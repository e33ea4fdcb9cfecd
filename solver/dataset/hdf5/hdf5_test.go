package hdf5

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
)

// open reads a file that testdata/make.py has written.
func open(t testing.TB, name string) (*File, map[string]Dataset) {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewReader(bytes.NewReader(content), int64(len(content)), name)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]Dataset{}
	for _, d := range f.Datasets() {
		named[d.Name] = d
	}
	return f, named
}

// array reads an array whole.
func array(f *File, d Dataset) ([]float64, error) {
	n := 1
	for _, size := range d.Shape {
		n *= size
	}
	data := slices.Repeat([]float64{-1}, n)
	return data, f.Scan(d, npy.Strides(d.Shape), npy.Into(data))
}

// check compares an array with the pattern of make.py.
func check(t *testing.T, f *File, d Dataset) {
	t.Helper()
	data, err := array(f, d)
	if err != nil {
		t.Errorf("%s: %v", d.Name, err)
		return
	}
	for i, got := range data {
		want := float64(i % 100)
		switch {
		case strings.Contains(d.Type.String(), "float"):
			want /= 8
		case strings.HasSuffix(d.Name, "bool"):
			want = float64(i % 2)
		}
		if got != want {
			t.Errorf("%s: element %d is %g, not %g", d.Name, i, got, want)
			return
		}
	}
}

// What h5py writes is read, whatever the type, the storage and the version of the file.
func TestArraysOfH5py(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		t.Run(name, func(t *testing.T) {
			f, named := open(t, "testdata/"+name)
			shapes := map[string][]int{
				"types/le f2": {2, 3}, "types/be f2": {2, 3}, "types/le f4": {2, 3}, "types/be f4": {2, 3}, "types/le f8": {2, 3},
				"types/be f8": {2, 3},
				"types/i1":    {2, 3}, "types/u1": {2, 3}, "types/le i2": {2, 3}, "types/be i2": {2, 3}, "types/le u4": {2, 3},
				"types/be u8": {2, 3},
				"types/le i8": {2, 3}, "types/bool": {2, 3}, "types/scalar": {}, "types/empty": {0, 4}, "types/null": {0},
				"compact":       {2, 3},
				"chunked/plain": {5, 7}, "chunked/gzip": {5, 7}, "chunked/gzip shuffle fletcher32": {5, 7},
				"chunked/fletcher32 odd": {3, 3},
				"chunked/single":         {5, 7}, "chunked/single gzip": {5, 7}, "chunked/growing": {30, 4},
				"chunked/growing last": {3, 40},
				"chunked/growing both": {9, 7}, "chunked/growing both gzip": {9, 7}, "chunked/bounded": {5, 6},
			}
			for name, shape := range shapes {
				d, there := named[name]
				if !there || !d.Readable() || !slices.Equal(d.Shape, shape) {
					t.Errorf("%q: %v, readable %v, shape %v", name, there, d.Readable(), d.Shape)
					continue
				}
				check(t, f, d)
			}
			for name, word := range map[string]string{"chunked/lzf": "lzf", "chunked/unwritten": "never written",
				"unwritten": "never written", "types/text": "variable length",
				"types/c16": "compound", "types/record": "compound", "types/bf16": "float of unusual form"} {
				_, err := array(f, named[name])
				var data *fault.Data
				if !errors.As(err, &data) || !strings.Contains(err.Error(), word) || named[name].Readable() {
					t.Errorf("%s: %v", name, err)
				}
			}
			links := []string{"deep/er/est/a", "alias", "soft"} // one array
			first := map[string]bool{}
			for _, name := range links {
				first[cmp.Or(named[name].Same, name)] = true
				check(t, f, named[name])
			}
			if len(first) != 1 {
				t.Errorf("one array has the first names %v", first)
			}
			outside := map[string]int{"earliest.h5": 0, "latest.h5": 1}[name]
			if _, err := array(f, named["outside"]); outside > 0 && (named["outside"].Readable() || err == nil ||
				!strings.Contains(err.Error(), `link to "/a" in the file "other.h5"`)) {
				t.Errorf("external link: %v", err)
			}
			if len(named) != len(shapes)+len(links)+outside+4+4 {
				t.Errorf("%d arrays: %v", len(named), named)
			}
		})
	}
}

// Groups that do not fit into an object header are found; attributes that do not are passed over.
func TestManyNames(t *testing.T) {
	f, named := open(t, "testdata/many.h5")
	if len(named) != 40 {
		t.Errorf("%d arrays", len(named))
	}
	for _, d := range named {
		check(t, f, d)
	}
}

// Objects that are not read, and an attribute of more than 64 KiB, are listed and leave the other arrays as they are.
func TestUnusualObjectsHideNoArray(t *testing.T) {
	f, named := open(t, "testdata/unusual.h5")
	for _, name := range []string{"ok", "long/" + strings.Repeat("n", 1025)} {
		check(t, f, named[name])
	}
	for name, word := range map[string]string{"large type": "2000000 bytes", "compound": "compound"} {
		d, ok := named[name]
		if err := f.Check(d); !ok || d.Readable() || err == nil || !strings.Contains(err.Error(), word) ||
			strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
}

// A message that stands elsewhere is not taken for one that is damaged.
func TestSharedMessagesAreUnsupported(t *testing.T) {
	var u unsupported
	shared := message{kind: dataspaceMessage, shared: true, data: []byte{3, 1}}
	err := (&File{offsets: 8, lengths: 8}).dataset([]message{shared, {kind: layoutMessage}}, &Dataset{})
	if !errors.As(err, &u) {
		t.Errorf("%T: %v", err, err)
	}
}

// Layouts of version 2, as MATLAB 7.4 wrote them: the sizes of axes come after the address.
func TestLayoutsOfVersion2(t *testing.T) {
	content := binary.LittleEndian.AppendUint64(nil, math.Float64bits(2.5))
	content = append(content, make([]byte, 64)...)
	f := &File{in: bytes.NewReader(content), size: int64(len(content)), offsets: 8, lengths: 8}
	version2 := func(class byte, rest ...byte) []message {
		return []message{{kind: layoutMessage, data: append([]byte{2, 2, class, 0, 0, 0, 0, 0}, rest...)}}
	}
	address, sizes := make([]byte, 8), []byte{1, 0, 0, 0, 8, 0, 0, 0}
	for what, all := range map[string][]message{
		"contiguous": version2(contiguous, append(address, sizes...)...),
		"compact":    version2(compact, append(append(sizes, 8, 0, 0, 0), content[:8]...)...),
	} {
		s, err := f.layout(all, extent{shape: []int{1}, most: []int{1}}, 8)
		d := Dataset{Type: npy.Number(npy.Float, 8, false), Shape: []int{1}, storage: s, element: 8}
		if data, failure := array(f, d); err != nil || failure != nil || data[0] != 2.5 {
			t.Errorf("%s: %v, %v, %v", what, data, err, failure)
		}
	}
}

func TestMATLAB(t *testing.T) {
	f, named := open(t, "testdata/matlab.mat")
	if len(named) != 6 || !bytes.HasPrefix(f.Head(), []byte("MATLAB 7.3")) ||
		named["title"].MATLABClass != "char" || !named["nothing"].MATLABEmpty {
		t.Errorf("%v, %q", named, f.Head())
	}
	for _, name := range []string{"a", "flags", "s/field"} {
		check(t, f, named[name])
	}
}

// A part that is wanted is read without the chunks that hold nothing of it.
func TestChunksAreSkipped(t *testing.T) {
	content, err := os.ReadFile("testdata/latest.h5")
	if err != nil {
		t.Fatal(err)
	}
	counted := &counter{ReaderAt: bytes.NewReader(content)}
	f, err := NewReader(counted, int64(len(content)), "file")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(f.Datasets(), func(d Dataset) bool { return d.Name == "chunked/growing" })
	counted.calls = 0
	var got []float64
	err = f.Scan(f.Datasets()[i], []int{4, 1}, npy.Selection{
		Want: func(run npy.Run) bool { return run.At/4 == 11 },
		Put: func(_ npy.Run, values []float64) bool {
			got = append(got, values...)
			return true
		},
	})
	if want := []float64{44. / 8, 45. / 8, 46. / 8, 47. / 8}; err != nil || !slices.Equal(got, want) ||
		counted.calls != 2 {
		t.Errorf("%v, %v, %d reads", got, err, counted.calls)
	}
}

type counter struct {
	ReaderAt interface {
		ReadAt([]byte, int64) (int, error)
	}
	calls int
}

func (c *counter) ReadAt(b []byte, at int64) (int, error) {
	c.calls++
	return c.ReaderAt.ReadAt(b, at)
}
