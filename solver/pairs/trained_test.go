package pairs

import (
	"path/filepath"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// Inputs of a model that was trained on a part of an array are given as the whole array, under any name, or as the part.
func TestInputsOfAModelOfParts(t *testing.T) {
	whole := npy.Array{Shape: npy.Shape{3, 12, 2}, Data: make([]float64, 3*12*2)}
	part := npy.Array{Shape: npy.Shape{3, 12}, Data: make([]float64, 3*12)}
	for name, test := range map[string]struct {
		array npy.Array
		name  string // of the array; empty in a file without names
		input string // that is read; empty: the axes of training do not fit
	}{
		"whole, without a name": {whole, "", "[:, :, 0]"},
		"whole, another name":   {whole, "z", "z[:, :, 0]"},
		"whole, its name":       {whole, "x", "x[:, :, 0]"},
		"part, without a name":  {part, "", ""},
	} {
		file := filepath.Join(t.TempDir(), "in.npy")
		if test.name == "" {
			arraytest.NPY(t, file, test.array)
		} else {
			file = arraytest.NPZ(t, filepath.Join(t.TempDir(), "in.npz"), map[string]npy.Array{test.name: test.array})
		}
		open, err := exchange.Open(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		known, ok := Source{Open: open, Input: "x[:, :, 0]"}.Trained("nx->nx")
		if ok != (test.input != "") || ok && known.Input != test.input {
			t.Errorf("%s: read as %q, %v", name, known.Input, ok)
		}
		if err := open.Close(); err != nil {
			t.Error(err)
		}
	}
}
