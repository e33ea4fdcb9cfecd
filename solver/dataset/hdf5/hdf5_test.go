package hdf5

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
)

var noError = filetest.NoError

// open reads a file written by testdata/make.py.
// list lists the arrays in a file.
func list(in io.ReaderAt, content []byte, where string) ([]npy.Member, error) {
	all, ok, err := Read(in, int64(len(content)), where, content[:min(len(content), 4096)])
	if !ok {
		err = fault.Bad(where, "", "no superblock")
	}
	return all, err
}

func open(t testing.TB, name string) map[string]npy.Member {
	t.Helper()
	content, err := os.ReadFile(name)
	noError(t, err)
	all, err := list(bytes.NewReader(content), content, name)
	noError(t, err)
	named := map[string]npy.Member{}
	for _, m := range all {
		named[m.Name] = m
	}
	return named
}

// check compares an array with the pattern of make.py.
func check(t *testing.T, d npy.Member) {
	t.Helper()
	a, err := d.Array()
	data := a.Data
	if err != nil {
		t.Errorf("%s: %v", d.Name, err)
		return
	}
	for i, got := range data {
		want := float64(i % 100)
		switch {
		case strings.Contains(d.Type, "float"):
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

// Files of h5py are readable for any type, storage and version.
func TestArraysOfH5py(t *testing.T) {
	for _, name := range []string{"earliest.h5", "latest.h5"} {
		t.Run(name, func(t *testing.T) {
			named := open(t, "testdata/"+name)
			shapes := map[string][]int{
				"types/le f2": {2, 3}, "types/be f2": {2, 3}, "types/le f4": {2, 3}, "types/be f4": {2, 3}, "types/le f8": {2, 3},
				"types/be f8": {2, 3},
				"types/i1":    {2, 3}, "types/u1": {2, 3}, "types/le i2": {2, 3}, "types/be i2": {2, 3}, "types/le u4": {2, 3},
				"types/be u8": {2, 3},
				"types/le i8": {2, 3}, "types/bool": {2, 3}, "types/scalar": {}, "types/empty": {0, 4}, "types/null": {0},
				"compact":       {2, 3},
				"chunked/plain": {5, 7}, "chunked/gzip": {5, 7}, "chunked/gzip shuffle": {5, 7},
				"chunked/single": {5, 7}, "chunked/single gzip": {5, 7}, "alias": {2, 2},
				"chunked/growing": {30, 4}, "chunked/growing last": {3, 40}, "chunked/growing both": {9, 7},
				"chunked/growing both gzip": {9, 7}, "chunked/bounded": {5, 6}, "chunked/lzf": {8, 8},
				"chunked/fletcher32": {3, 3},
			}
			complex, err := named["types/c16"].Array()
			noError(t, err)
			if want := []float64{0, 0, 0.125, 0.125, 0.25, 0.25, 0.375, 0.375, 0.5, 0.5, 0.625, 0.625}; !slices.Equal(complex.Shape, []int{2, 3, 2}) || !slices.Equal(complex.Data, want) {
				t.Errorf("complex numbers %v of shape %v, want %v", complex.Data, complex.Shape, want)
			}
			for _, zero := range []string{"unwritten", "chunked/unwritten"} { // they have the fill value
				a, err := named[zero].Array()
				if err != nil || !slices.Equal(a.Shape, []int{8, 8}) || slices.ContainsFunc(a.Data, func(v float64) bool { return v != 0 }) {
					t.Errorf("%s: got %v, %v, want zeros in shape (8, 8)", zero, a, err)
				}
			}
			for name, shape := range shapes {
				d, there := named[name]
				if !there || !d.Readable() || !slices.Equal(d.Shape, shape) {
					t.Errorf("%q: %v, readable %v, shape %v", name, there, d.Readable(), d.Shape)
					continue
				}
				check(t, d)
			}
			refused := map[string]string{"outside": `other.h5: "/a"`, "soft": "is a link", "types/text": "variable length",
				"types/record": "compound", "types/bf16": "float of unusual form"}
			if name == "earliest.h5" {
				delete(refused, "outside")
			}
			for name, word := range refused {
				_, err := named[name].Array()
				var data *fault.Data
				if !errors.As(err, &data) || !strings.Contains(err.Error(), word) || named[name].Readable() ||
					named[name].Type == "array" { // storage that is not read does not hide the type
					t.Errorf("%s: %v, type %s", name, err, named[name].Type)
				}
			}
			if len(named) != len(shapes)+len(refused)+4 { // two are unwritten, one is another record, one complex
				t.Errorf("%d arrays: %v", len(named), named)
			}
		})
	}
}

// Groups that do not fit into an object header are found; attributes that do not fit are ignored.
func TestManyNames(t *testing.T) {
	named := open(t, "testdata/many.h5")
	if len(named) != 40 {
		t.Errorf("%d arrays", len(named))
	}
	for _, d := range named {
		check(t, d)
	}
}

// Unsupported objects, and one with an attribute of more than 64 KiB, are listed and do not affect others.
func TestUnusualObjectsHideNoArray(t *testing.T) {
	named := open(t, "testdata/unusual.h5")
	for _, name := range []string{"ok", "long/" + strings.Repeat("n", 1025)} {
		check(t, named[name])
	}
	for name, word := range map[string]string{"large type": "2000000 bytes", "compound": "compound"} {
		d, ok := named[name]
		if err := d.Refused; !ok || err == nil || !strings.Contains(err.Error(), word) ||
			strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: in the file: %v; got %v, want an error about %s, not damage", name, ok, d.Refused, word)
		}
	}
}

// Links of both kinds of groups are listed with the name that they lead to.
func TestLinks(t *testing.T) {
	named := open(t, "testdata/links.h5")
	for name, to := range map[string]string{"symbols/absolute": `"/symbols/under/a"`, "messages/relative": `"under/./a"`,
		"messages/self": `"self"`, "messages/outside": `other.h5: "/a"`} {
		d := named[name]
		if d.Type != "link to "+to || d.Refused == nil || !strings.Contains(d.Refused.Error(), "is a link to "+to) {
			t.Errorf("%s: got %+v, want a link to %s that is refused", name, d, to)
		}
	}
	if check(t, named["symbols/under/a"]); len(named) != 2+2*13+1 {
		t.Errorf("%d members: %v", len(named), named)
	}
}

// A shared message is reported as unsupported, not as damaged.
func TestSharedMessagesAreUnsupported(t *testing.T) {
	err := cursor.Attempt(func() {
		(&file{}).array(header{dataspaceMessage: {{shared: true, data: []byte{3, 1}}}, layoutMessage: {{}}}, &npy.Member{})
	})
	if _, ok := err.(unsupported); !ok {
		t.Error("a shared message is read")
	}
}

func TestMATLAB(t *testing.T) {
	named := open(t, "testdata/matlab.mat")
	if len(named) != 6 {
		t.Errorf("%v", named)
	}
	a := named["a"]
	if a.Shape[0] != 3 || !a.Fortran {
		t.Errorf("%v", a)
	}
	transposed, err := a.Array()
	if err != nil || transposed.Data[1] != 3./8 {
		t.Errorf("got %v, %v, want 3/8 as number 1", transposed, err)
	}
	for _, name := range []string{"flags", "s/field"} {
		if _, err := named[name].Array(); err != nil {
			t.Error(err)
		}
	}
}

// Reading a part skips the chunks that do not intersect it.
func TestChunksAreSkipped(t *testing.T) {
	content, err := os.ReadFile("testdata/earliest.h5")
	noError(t, err)
	counted := &counter{ReaderAt: bytes.NewReader(content)}
	all, err := list(counted, content, "file")
	noError(t, err)
	i := slices.IndexFunc(all, func(d npy.Member) bool { return d.Name == "chunked/growing" })
	counted.calls = 0
	got := make([]float64, 4)
	row := func(i int) int { return min(0, 11-i) + min(0, i-11) }
	err = all[i].Read(got, []npy.Axis{row, npy.Along(1)[0]}, len(got))
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
