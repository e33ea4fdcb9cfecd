// This file exchanges files with NumPy and SciPy, where they are installed.

package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
	"rfm/solver/pythontest"
)

// python runs a program with NumPy and SciPy in a directory.
func python(t *testing.T, directory, program string) {
	t.Helper()
	pythontest.Run(t, directory, "import numpy, scipy.io\n"+program)
}

// pattern is a program that fills x, of shape (2, 3, 4), and types with the types that NumPy can store.
const pattern = `
x = numpy.arange(24).reshape(2, 3, 4)
types = [order + kind for kind in ("f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8") for order in "<>"] + ["|i1", "|u1", "|b1"]
def fill(t):
    return (x / 8 if "f" in t else x % 2 if "b" in t else x).astype(t)
names = {t: t[1:] + {"<": "little", ">": "big", "|": ""}[t[0]] for t in types}
`

// wanted returns element i of the array of fill for the type at the start of a name.
func wanted(name string, i int) float64 {
	switch name[0] {
	case 'f':
		return float64(i) / 8
	case 'b':
		return float64(i % 2)
	}
	return float64(i)
}

func checkPattern(t *testing.T, f *File, member, name string) {
	t.Helper()
	a, err := f.Member(member).Array()
	if err != nil || !slices.Equal(a.Shape, []int{2, 3, 4}) {
		t.Errorf("%s, %s: shape %v, %v", filepath.Base(f.Name), name, a.Shape, err)
		return
	}
	for i, got := range a.Data {
		if want := wanted(name, i); got != want {
			t.Errorf("%s, %s: element %d is %g, want %g", filepath.Base(f.Name), name, i, got, want)
			return
		}
	}
}

func opened(t *testing.T, name string) *File {
	t.Helper()
	f, err := Open(t.Context(), name)
	noError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestReadingWhatNumPyWrites(t *testing.T) {
	directory := t.TempDir()
	python(t, directory, pattern+`
for t in types:
    numpy.save(names[t] + "-C.npy", fill(t))
    numpy.save(names[t] + "-F.npy", numpy.asfortranarray(fill(t)))
arrays = {names[t]: fill(t) for t in types} | {names[t] + "-F": numpy.asfortranarray(fill(t)) for t in types}
numpy.savez("stored.npz", **arrays)
numpy.savez_compressed("deflated.npz", **arrays)
`)
	files, err := filepath.Glob(filepath.Join(directory, "*.npy"))
	if err != nil || len(files) != 38 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		f := opened(t, name)
		if fortran := f.Members[0].Fortran; fortran != strings.HasSuffix(name, "-F.npy") {
			t.Errorf("%s: Fortran order %t", filepath.Base(name), fortran)
		}
		checkPattern(t, f, "", filepath.Base(name))
	}
	for _, name := range []string{"stored.npz", "deflated.npz"} {
		f := opened(t, filepath.Join(directory, name))
		if len(f.Members) != 38 {
			t.Errorf("%s: %d members", name, len(f.Members))
		}
		for _, m := range f.Members {
			checkPattern(t, f, m.Name, m.Name)
		}
	}
}

func TestReadingWhatSciPyWrites(t *testing.T) {
	directory := t.TempDir()
	python(t, directory, pattern+`
arrays = {names[t]: fill(t) for t in types if t[0] != ">"}
scipy.io.savemat("plain.mat", arrays)
scipy.io.savemat("compressed.mat", arrays, do_compression=True)
`)
	for _, name := range []string{"plain.mat", "compressed.mat"} {
		f := opened(t, filepath.Join(directory, name))
		if f.Kind != MAT || len(f.Members) != 11 {
			t.Errorf("%s: %s, %d members", name, f.Kind, len(f.Members))
		}
		for _, m := range f.Members {
			checkPattern(t, f, m.Name, m.Name)
		}
	}
}

func TestNumPyReadsWhatIsWritten(t *testing.T) {
	directory := t.TempDir()
	arrays := map[string]npy.Array{
		"scalar": {Shape: []int{}, Data: []float64{math.Pi}},
		"empty":  {Shape: []int{0, 5}, Data: []float64{}},
		"vector": {Shape: []int{4}, Data: []float64{1, math.Inf(-1), 5e-324, math.MaxFloat64}},
		"block":  {Shape: []int{2, 3, 4}, Data: make([]float64, 24)},
	}
	for i := range arrays["block"].Data {
		arrays["block"].Data[i] = float64(i) / 3
	}
	var b bytes.Buffer
	w := npz.NewWriter(&b)
	check := "import zipfile\nz = numpy.load('all.npz')\nassert zipfile.ZipFile('all.npz').testzip() is None\n"
	for _, name := range []string{"scalar", "empty", "vector", "block"} {
		a := arrays[name]
		var one bytes.Buffer
		err := errors.Join(npy.Write(&one, a), os.WriteFile(filepath.Join(directory, name+".npy"), one.Bytes(), 0o600),
			w.Array(name, a))
		noError(t, err)
		values := strings.Trim(strings.ReplaceAll(fmt.Sprintf("%.17g", a.Data), " ", ", "), "[]")
		values = strings.ReplaceAll(values, "-Inf", "-numpy.inf")
		check += fmt.Sprintf("for a in (numpy.load('%s.npy'), z['%[1]s']):\n    assert a.dtype == '<f8' and a.shape == "+
			"%v and (a == numpy.array([%s]).reshape(a.shape)).all(), a\n", name, a.Shape, values)
	}
	if err := errors.Join(w.File("meta.json", []byte(`{"format": 1}`)), w.Close(),
		os.WriteFile(filepath.Join(directory, "all.npz"), b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	python(t, directory, check+"assert z['meta.json'] == b'{\"format\": 1}'\n")
}
