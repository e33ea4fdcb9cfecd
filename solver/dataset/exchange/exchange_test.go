package exchange

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

var block = npy.Array{Shape: []int{2, 3}, Data: []float64{1, 2, 3, 4, 5, 6}}

func save(t *testing.T, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
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
	if err := errors.Join(add(w), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t *testing.T, content []byte) *File {
	t.Helper()
	f, err := Open(t.Context(), save(t, content))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestKindIsToldByTheContent(t *testing.T) {
	float := Member{Name: "a", Type: "float64", Shape: []int{2, 3}}
	unnamed := float
	unnamed.Name = ""
	mat, err := os.ReadFile("../mat/testdata/types.mat")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		content []byte
		kind    Kind
		members []Member
	}{
		"npy": {array(block), NPY, []Member{unnamed}},
		"fortran": {bytes.Replace(array(block), []byte("'fortran_order': False"), []byte("'fortran_order': True "), 1), NPY,
			[]Member{{Type: "float64", Shape: []int{2, 3}, Fortran: true}}},
		"complex": {bytes.Replace(array(block), []byte("'<f8'"), []byte("'<c8'"), 1), NPY,
			[]Member{{Type: "complex64", Shape: []int{2, 3}, Refused: refused}}},
		"npz":       {archive(t, func(w *npz.Writer) error { return w.Array("a", block) }), NPZ, []Member{float}},
		"empty npz": {archive(t, func(*npz.Writer) error { return nil }), NPZ, nil},
		"model": {archive(t, func(w *npz.Writer) error {
			return errors.Join(w.File("meta.json", []byte("{}")),
				w.Array("a", block))
		}), Model,
			[]Member{float, {Name: "meta.json", Type: "file", Refused: refused}}},
		"mat":  {mat, MAT, nil},
		"toml": {[]byte("problem = 'burgers'\n[data]\ntrain = 3\n"), TOML, nil},
		"csv": {[]byte("m,error\n1,0.5\n2,0.25\n"), CSV, []Member{{Name: "m", Type: "float64", Shape: []int{2}},
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

var refused = errors.New("for some reason")

// alike compares members, except for Numbers and the reasons in Refused.
func alike(a, b Member) bool {
	readable := a.Readable() == b.Readable()
	a.Numbers, a.Refused, b.Numbers, b.Refused = nil, nil, nil, nil
	return readable && reflect.DeepEqual(a, b)
}

func TestMembersOfAMATFile(t *testing.T) {
	text, err := os.ReadFile("../mat/testdata/types.mat")
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, text)
	for _, want := range []Member{
		{Name: "float64", Type: "double", Shape: []int{2, 3, 4}, Fortran: true},
		{Name: "text", Type: "char", Shape: []int{1, 9}, Fortran: true, Refused: refused}} {
		if got, err := f.Member(want.Name); err != nil || !alike(got, want) {
			t.Errorf("%v, %v", got, err)
		}
	}
	if _, err := f.Array("text"); err == nil {
		t.Error("text is taken for an array")
	}
}

func TestFilesOfNoUseAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		file, want string
	}{
		"missing":   {"no such file", "cannot be opened"},
		"directory": {t.TempDir(), "numpy.load('inputs.npy')"},
		"empty":     {save(t, nil), "is empty"},
		"binary":    {save(t, []byte("\x7fELF\x02\x01\x01\x00")), "a format that is not supported"},
		"tensors": {save(t, []byte("\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":{}}        ")),
			"safetensors.numpy.load_file"},
		"json":   {save(t, []byte("{}")), "json.load(open(\"file\"))"},
		"pickle": {save(t, []byte("\x80\x04\x95abc")), "pickle.load(open(\"file\", \"rb\"))"},
		"torch":  {save(t, []byte("\x80\x02\x8a\nl\xfc\x9cF\xf9")), "torch.load"},
		"netCDF": {save(t, []byte("CDF\x01\x00\x00\x00\x00")), "scipy.io.netcdf_file(\"file\""},
		"gzip":   {save(t, []byte("\x1f\x8b\x08\x00")), "gunzip file"},
		"sheet": {save(t, archive(t, func(w *npz.Writer) error { return w.File("xl/workbook.xml", nil) })),
			"save its table as CSV"},
		"prose":     {save(t, []byte("Dear Sir,\nit rains.\n")), "a format that is not supported"},
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
		"missing":     {three, "x", `has no "x"; it has ["a" "u" "notes.txt"]`},
		"no array":    {three, "notes.txt", "is not an array"},
		"name of npy": {array(block), "a", "one array without a name"},
		"text":        {[]byte("problem = 'burgers'"), "a", "holds no arrays"},
		"complex":     {bytes.Replace(array(block), []byte("'<f8'"), []byte("'<c8'"), 1), "", "complex numbers"},
	} {
		f := open(t, test.content)
		_, err := f.Array(test.member)
		filetest.Refused(t, name, err, test.want)
	}
}

// A link to an array is read by its name, but never taken for another array.
func TestLinksAreNoOtherArrays(t *testing.T) {
	f, err := Open(t.Context(), "../hdf5/testdata/links.h5")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := f.Array("symbols/second[1]")
	if err != nil || len(a.Data) != 3 || a.Data[0] != 3./8 {
		t.Errorf("%v, %v", a, err)
	}
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
