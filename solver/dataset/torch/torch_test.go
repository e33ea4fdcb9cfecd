package torch

import (
	"archive/zip"
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/cursor"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

var noError = filetest.NoError

func open(t testing.TB, content []byte) ([]npy.Member, error) {
	t.Helper()
	archive, err := npz.NewReader(bytes.NewReader(content), int64(len(content)), "x.pt")
	noError(t, err)
	all, ok, err := Read(archive, "x.pt")
	if !ok {
		t.Fatal("not recognised")
	}
	return all, err
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	noError(t, err)
	return content
}

func TestTensors(t *testing.T) {
	upTo := func(n int, scale float64) (all []float64) {
		for i := range n {
			all = append(all, float64(i)*scale)
		}
		return all
	}
	type array struct {
		shape []int
		data  []float64
	}
	for file, want := range map[string]map[string]array{
		"dict.pt": {
			"x": {[]int{3, 4}, upTo(12, 1)}, "half": {[]int{3, 4}, upTo(12, 1./8)}, "long": {[]int{3, 4}, upTo(12, -1)},
			"columns": {[]int{4, 3}, []float64{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}}, "rest": {[]int{2, 4}, upTo(12, 1)[4:]},
			"list.0": {[]int{1}, []float64{1.5}}, "list.1.u": {[]int{2}, []float64{1, 0}},
		},
		"single.pt": {"tensor": {[]int{3, 4}, upTo(12, 1)}},
		"state.pth": {"weight": {[]int{3, 4}, upTo(12, 1)}},
	} {
		r, err := open(t, fixture(t, file))
		noError(t, err)
		if len(r) != len(want) {
			t.Errorf("%s: %v", file, r)
		}
		for _, x := range r {
			w := want[x.Name]
			a, err := x.Array()
			got := a.Data
			if !slices.Equal(x.Shape, w.shape) || err != nil {
				t.Errorf("%s, %s: shape %v, %v", file, x.Name, x.Shape, err)
				continue
			}
			for i := range w.data {
				if got[i] != w.data[i] {
					t.Errorf("%s, %s: %v, %v", file, x.Name, got, err)
					break
				}
			}
		}
	}
}

// archive returns a file with a pickle and one storage, "0".
func archive(t testing.TB, pickle, storage []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string][]byte{"a/data.pkl": pickle, "a/data/0": storage} {
		f, err := w.Create(name)
		noError(t, err)
		if _, err := f.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	noError(t, w.Close())
	return b.Bytes()
}

// No code of a file is executed, and files with false sizes are refused.
func TestHostileFilesAreRefused(t *testing.T) {
	nested := []byte("\x80\x02]q\x00h\x00a.") // a list in itself
	wide := []byte("\x80\x02](K\x01e")
	for range 12 { // each list contains the previous one twenty times
		wide = append(wide, "q\x00]("...)
		wide = append(wide, strings.Repeat("h\x00", 20)...)
		wide = append(wide, 'e')
	}
	wide = append(wide, '.')
	for what, test := range map[string]struct {
		content []byte
		word    string
	}{
		"os.system":   {fixture(t, "evil.pt"), "posix.system, which tensors do not need"},
		"gaps":        {fixture(t, "gaps.pt"), "contiguous"},
		"BUILD":       {archive(t, []byte("\x80\x02}}b."), nil), "instruction 0x62"},
		"INST":        {archive(t, []byte("(ios\nsystem\n."), nil), "instruction 0x69"},
		"a cycle":     {archive(t, nested, nil), "in each other"},
		"a bomb":      {archive(t, wide, nil), "in each other"},
		"no end":      {archive(t, []byte("\x80\x02}"), nil), "too early"},
		"no stack":    {archive(t, []byte("\x80\x02."), nil), "empty"},
		"no mark":     {archive(t, []byte("\x80\x02t."), nil), "mark"},
		"a long text": {archive(t, []byte("\x80\x02X\xff\xff\xff\xff."), nil), "too early"},
		"a large shape": {archive(t,
			[]byte("\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x01tQK\x00J\xff\xff\xff\x7fJ\xff\xff\xff\x7f\x86K\x01K\x01\x86tR."), nil), "with shape"},
		"an offset": {archive(t,
			[]byte("\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuK\x01tQK\x05K\x01\x85K\x01\x85tR."), nil), "from the 5th of 1"},
	} {
		_, err := open(t, test.content)
		filetest.Refused(t, what, err, test.word)
	}
	lie := archive(t, []byte("\x80\x02ctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x000X\x03\x00\x00\x00cpuJ\x00\x00\x00\x40tQK\x00J\x00\x00\x00\x40\x85K\x01\x85tR."), make([]byte, 8))
	if _, err := open(t, lie); err == nil || !strings.Contains(err.Error(), "8 bytes are where 4294967296 must be") {
		t.Error(err)
	}
	if _, err := os.Stat("/tmp/torch_was_run"); err == nil {
		t.Error("a pickle was run")
	}
}

func FuzzPickle(f *testing.F) {
	for _, name := range []string{"dict.pt", "state.pth", "evil.pt"} {
		content := fixture(f, name)
		z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			f.Fatal(err)
		}
		in, err := z.File[0].Open()
		if err != nil {
			f.Fatal(err)
		}
		var pickle bytes.Buffer
		if _, err := pickle.ReadFrom(in); err != nil {
			f.Fatal(err)
		}
		f.Add(pickle.Bytes())
	}
	f.Fuzz(func(t *testing.T, pickle []byte) {
		var empty bytes.Buffer
		noError(t, zip.NewWriter(&empty).Close())
		files, err := npz.NewReader(bytes.NewReader(empty.Bytes()), int64(empty.Len()), "x")
		noError(t, err)
		r := &reader{archive: files, where: "x"}
		cursor.Attempt(func() { r.find(unpickle(pickle), "", 0) })
	})
}
