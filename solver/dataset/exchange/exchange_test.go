package exchange

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

var noError = filetest.NoError

var block = npy.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}

func save(t *testing.T, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	noError(t, os.WriteFile(name, content, 0o600))
	return name
}

func array(a npy.Array) []byte {
	var b bytes.Buffer
	npy.Write(&b, a) // a bytes.Buffer does not fail
	return b.Bytes()
}

func archive(t *testing.T, add func(w *npz.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	w := npz.NewWriter(&b)
	noError(t, errors.Join(add(w), w.Close()))
	return b.Bytes()
}

func open(t *testing.T, content []byte) *File {
	t.Helper()
	f, err := Open(t.Context(), save(t, content))
	noError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestKindIsToldByTheContent(t *testing.T) {
	float := npy.Member{Name: "a", Type: "float64", Shape: []int{2, 3}, Sealed: true}
	unnamed := float
	unnamed.Name, unnamed.Sealed = "", false
	mat, err := os.ReadFile("../mat/testdata/types.mat")
	noError(t, err)
	for name, test := range map[string]struct {
		content []byte
		kind    Kind
		members []npy.Member
	}{
		"npy": {array(block), NPY, []npy.Member{unnamed}},
		"fortran": {bytes.Replace(array(block), []byte("'fortran_order': False"), []byte("'fortran_order': True "), 1), NPY,
			[]npy.Member{{Type: "float64", Shape: []int{2, 3}, Fortran: true}}},
		"complex": {bytes.Replace(array(block), []byte("'<f8'"), []byte("'<c8'"), 1), NPY,
			[]npy.Member{{Type: "complex64", Shape: []int{2, 3, 2}, Complex: true,
				Note: "complex numbers, of which the last axis has the real and the imaginary parts"}}},
		"npz":       {archive(t, func(w *npz.Writer) error { return w.Array("a", block) }), NPZ, []npy.Member{float}},
		"empty npz": {archive(t, func(*npz.Writer) error { return nil }), NPZ, nil},
		"model": {archive(t, func(w *npz.Writer) error {
			return errors.Join(w.File("meta.json", []byte("{}")),
				w.Array("a", block))
		}), Model,
			[]npy.Member{float, {Name: "meta.json", Type: "file", Refused: errRefused}}},
		"mat":  {mat, MAT, nil},
		"toml": {[]byte("problem = 'burgers'\n[data]\ntrain = 3\n"), TOML, nil},
		"csv": {[]byte("m,error\n1,0.5\n2,0.25\n"), CSV, []npy.Member{{Name: "m", Type: "float64", Shape: []int{2}},
			{Name: "error", Type: "float64", Shape: []int{2}}}},
	} {
		f := open(t, test.content)
		if f.Kind != test.kind || f.Size != int64(len(test.content)) {
			t.Errorf("%s: kind %s, %d bytes", name, f.Kind, f.Size)
		}
		if test.kind != MAT && !slices.EqualFunc(f.Members, test.members, alike) {
			t.Errorf("%s: members %v", name, f.Members)
		}
	}
}

var errRefused = errors.New("for some reason")

// alike compares members, except for Numbers and the reasons in Refused.
func alike(a, b npy.Member) bool {
	readable := a.Readable() == b.Readable()
	a.Numbers, a.Refused, b.Numbers, b.Refused = nil, nil, nil, nil
	return readable && reflect.DeepEqual(a, b)
}

func TestMembersOfAMATFile(t *testing.T) {
	text, err := os.ReadFile("../mat/testdata/types.mat")
	noError(t, err)
	f := open(t, text)
	for _, want := range []npy.Member{
		{Name: "float64", Type: "double", Shape: []int{2, 3, 4}, Fortran: true, Sealed: true},
		{Name: "text", Type: "char", Shape: []int{1, 9}, Fortran: true, Sealed: true, Refused: errRefused}} {
		if got := f.Member(want.Name); !alike(got, want) {
			t.Errorf("%v", got)
		}
	}
	if _, err := f.Member("text").Array(); err == nil {
		t.Error("text is taken for an array")
	}
}

func TestFilesOfNoUseAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		file, want string
	}{
		"missing":   {"no such file", "does not exist"},
		"directory": {t.TempDir(), "directory without data files"},
		"empty":     {save(t, nil), "is empty"},
		"binary":    {save(t, []byte("\x7fELF\x02\x01\x01\x00")), "none of the formats that are read"},
		"tensors": {save(t, []byte("\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":{}}        ")),
			"safetensors.numpy.load_file"},
		"json":   {save(t, []byte("{}")), "json.load(open(\"file\"))"},
		"pickle": {save(t, []byte("\x80\x04\x95abc")), "pickle.load(open(\"file\", \"rb\"))"},
		"torch":  {save(t, []byte("\x80\x02\x8a\nl\xfc\x9cF\xf9")), "torch.load"},
		"netCDF": {save(t, []byte("CDF\x01\x00\x00\x00\x00")), "ends within its header"},
		"gzip":   {save(t, []byte("\x1f\x8b\x08\x00")), "gunzip file"},
		"sheet": {save(t, archive(t, func(w *npz.Writer) error { return w.File("xl/workbook.xml", nil) })),
			"pandas.read_excel"},
		"prose":     {save(t, []byte("Dear Sir,\nit rains.\n")), "none of the formats that are read"},
		"HDF5":      {save(t, append([]byte("\x89HDF\r\n\x1a\n"), make([]byte, 100)...)), "is damaged"},
		"truncated": {save(t, array(block)[:100]), "is truncated"},
		"damaged":   {save(t, []byte("PK\x03\x04 and so on")), "not a whole .npz archive"},
	} {
		_, err := Open(t.Context(), test.file)
		filetest.Refused(t, name, err, test.want)
		filetest.Refused(t, name, err, test.file)
	}
}

func TestMembersOfNoUseAreRefused(t *testing.T) {
	three := archive(t, func(w *npz.Writer) error {
		return errors.Join(w.Array("a", block), w.Array("u", block), w.File("notes.txt", []byte("hello")))
	})
	for name, test := range map[string]struct {
		content      []byte
		member, want string
	}{
		"missing":     {three, "x", `has no array "x", only "a", "u" and "notes.txt"`},
		"no array":    {three, "notes.txt", "is not an array"},
		"name of npy": {array(block), "a", "one array without a name"},
		"text":        {[]byte("problem = 'burgers'"), "a", "holds no arrays"},
	} {
		f := open(t, test.content)
		_, err := f.Member(test.member).Array()
		filetest.Refused(t, name, err, test.want)
	}
}

// A link is not a further array, and a part of it is refused with the name of the array that it leads to.
func TestLinksAreNoOtherArrays(t *testing.T) {
	f, err := Open(t.Context(), "../hdf5/testdata/links.h5")
	noError(t, err)
	defer f.Close()
	_, err = f.Member("symbols/second[1]").Array()
	filetest.Refused(t, "link", err, `is a link to "absolute"; name the array that it leads to`)
	readable := 0
	for _, m := range f.Members {
		if m.Readable() {
			readable++
		}
	}
	if readable != 2 {
		t.Errorf("%d arrays", readable)
	}
}

// counting returns an array of the given shape whose elements are their indices in C order.
func counting(shape ...int) npy.Array {
	a := npy.Array{Shape: shape, Data: []float64{}}
	n := 1
	for _, size := range shape {
		n *= size
	}
	for i := range n {
		a.Data = append(a.Data, float64(i))
	}
	return a
}

// Two tables are inputs and outputs, also if a first column counts their lines.
func TestTwoTablesWithNumberedLines(t *testing.T) {
	folder := t.TempDir()
	a, u := filepath.Join(folder, "in.csv"), filepath.Join(folder, "out.csv")
	for name, text := range map[string]string{a: "0,5,6\n1,7,8\n2,9,1\n", u: "1,2\n3,4\n5,6\n"} {
		noError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	f, err := Open(t.Context(), a+","+u)
	noError(t, err)
	defer f.Close()
	got, err := f.Member("a").Array()
	if err != nil || !slices.Equal(got.Shape, []int{3, 2}) || !slices.Equal(got.Data, []float64{5, 6, 7, 8, 9, 1}) {
		t.Errorf("got %v, %v, want 5 6 7 8 9 1 in shape (3, 2)", got, err)
	}
}

func TestPartsOfArrays(t *testing.T) {
	f := open(t, archive(t, func(w *npz.Writer) error {
		a := counting(3, 4)
		if err := w.Array("x[0]", counting(2)); err != nil {
			return err
		}
		return w.Array("a", a)
	}))
	for name, want := range map[string]npy.Array{
		"a":                counting(3, 4),
		"x[0]":             counting(2),
		"a[1]":             {Shape: []int{4}, Data: []float64{4, 5, 6, 7}},
		"a[:, -1]":         {Shape: []int{3}, Data: []float64{3, 7, 11}},
		"a[1, 2]":          {Shape: []int{}, Data: []float64{6}},
		"a[::2, 1::2]":     {Shape: []int{2, 2}, Data: []float64{1, 3, 9, 11}},
		"a[1:,:2]":         {Shape: []int{2, 2}, Data: []float64{4, 5, 8, 9}},
		"a[..., 0]":        {Shape: []int{3}, Data: []float64{0, 4, 8}},
		"a[-1:, ...]":      {Shape: []int{1, 4}, Data: []float64{8, 9, 10, 11}},
		"a[2:1]":           {Shape: []int{0, 4}, Data: []float64{}},
		"a[1:][:, ::2][0]": {Shape: []int{2}, Data: []float64{4, 6}},
		"a[:, 1][1:]":      {Shape: []int{2}, Data: []float64{5, 9}},
		"a[:, 1:99:3]":     {Shape: []int{3, 1}, Data: []float64{1, 5, 9}},
	} {
		got, err := f.Member(name).Array()
		if err != nil || !slices.Equal(got.Shape, want.Shape) || !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
		if m := f.Member(name); !slices.Equal(m.Shape, want.Shape) {
			t.Errorf("%s: %v", name, m)
		}
	}
	for name, word := range map[string]string{"a[3]": "axis 0 has 3", "a[-4]": "axis 0", "a[0,0,0]": "2 axes",
		"a[::0]": "step", "a[::-1]": "step", "a[x]": "not a whole number", "a[1 0]": "not a whole number",
		"a[1:2:3:4]": "not a slice", "b[0]": `has no array "b"`} {
		if err := f.Member(name).Refused; err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A part of an array has the same numbers, whatever the order and the chunks in the file.
func TestPartsInAnyOrder(t *testing.T) {
	for _, file := range []struct{ name, array, part string }{
		{"../hdf5/testdata/earliest.h5", "chunked/growing both", "chunked/growing both[1::3, 2:7:2]"},
		{"../hdf5/testdata/matlab.mat", "a", "a[1:, ::2]"},
	} {
		f, err := Open(t.Context(), file.name)
		noError(t, err)
		defer f.Close()
		whole, err := f.Member(file.array).Array()
		noError(t, err)
		first, last, columns := 1, 3, 2
		from := 0
		if file.array == "a" {
			last = 1
		} else {
			from = 2
		}
		var want []float64
		for i := first; i < whole.Shape[0]; i += last {
			for j := from; j < whole.Shape[1]; j += columns {
				want = append(want, whole.Data[i*whole.Shape[1]+j])
			}
		}
		if got, err := f.Member(file.part).Array(); err != nil || !slices.Equal(got.Data, want) {
			t.Errorf("%s: %v, %v, want %v", file.part, got, err, want)
		}
	}
}
