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

// Numbers have the axes of length one that their array has, whatever those of training were; more than one number for each
// pair are others.
func TestAxesOfOneNumber(t *testing.T) {
	for shape, want := range map[[2]int]string{{7, 0}: "n->nx", {7, 1}: "n1->nx", {1, 7}: "1n->nx", {1, 1}: "n1->nx", {7, 2}: ""} {
		array := npy.Array{Shape: npy.Shape(shape[:]), Data: make([]float64, max(1, shape[0]*shape[1]))}
		if shape[1] == 0 {
			array = npy.Array{Shape: npy.Shape{shape[0]}, Data: make([]float64, shape[0])}
		}
		open, err := exchange.Open(t.Context(), arraytest.NPY(t, filepath.Join(t.TempDir(), "in.npy"), array))
		if err != nil {
			t.Fatal(err)
		}
		for _, axes := range []string{"n->nx", "n1->nx"} {
			known, ok := Source{Open: open, Input: "a"}.Trained(axes)
			if ok != (want != "") || ok && known.Axes != want {
				t.Errorf("%v, trained with %s: %q, %v", array.Shape, axes, known.Axes, ok)
			}
		}
		if err := open.Close(); err != nil {
			t.Error(err)
		}
	}
}
