package trained

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"rfm/solver/base/fault"
	"rfm/solver/dataset/filetest"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// FuzzRead reads files, and evaluates the models.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.npz"))
	if err != nil || len(files) == 0 {
		f.Fatal("no golden files", err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
		f.Add(file[:len(file)/2])
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		expectReadOrRefused(t, file)
	})
}

// FuzzMeta replaces the text of meta.json, which the checksums of an archive hide from FuzzRead.
func FuzzMeta(f *testing.F) {
	arrays := map[string][]npy.Named{}
	for kind, m := range goldenModels() {
		text, list, err := m.encode()
		if err != nil {
			f.Fatal(err)
		}
		arrays[kind] = list
		f.Add(text, kind)
	}
	f.Fuzz(func(t *testing.T, text []byte, kind string) {
		var b bytes.Buffer
		if err := writeMembers(&b, text, arrays[kind]); err != nil {
			t.Fatal(err)
		}
		expectReadOrRefused(t, b.Bytes())
	})
}

func expectReadOrRefused(t *testing.T, file []byte) {
	var m Model
	var err error
	if got, most := filetest.Allocated(func() { m, err = readBytes(file) }), uint64(2*len(file)+slack); got > most {
		t.Errorf("reading %d bytes allocates %d, want at most %d", len(file), got, most)
	}
	if err != nil {
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("the error is of type %T: %v", err, err)
		}
		return
	}
	if again := reread(t, m); again.String() != m.String() {
		t.Errorf("written and read again, %v is %v", m, again)
	}
	inputs := periodicEighths(1, 9, 1)
	if m.Domain().Dims == 2 {
		inputs = grid.NewBatch(grid.Square, 5, 1)
		for i := range inputs.Data {
			inputs.Data[i] = 1 + float64(i)/8
		}
	}
	if _, err := m.Predict(t.Context(), inputs, 1, nil); err != nil {
		var data *fault.Data
		var numerical *fault.Numerical
		if !errors.As(err, &data) && !errors.As(err, &numerical) {
			t.Errorf("the error of a prediction is of type %T: %v", err, err)
		}
	}
}
