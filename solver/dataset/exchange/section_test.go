package exchange

import (
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/npy"
	"rfm/solver/dataset/npz"
)

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
		got, err := f.Array(name)
		if err != nil || !slices.Equal(got.Shape, want.Shape) || !slices.Equal(got.Data, want.Data) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		if m, err := f.Member(name); err != nil || !slices.Equal(m.Shape, want.Shape) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	for name, word := range map[string]string{"a[3]": "axis 0 has 3", "a[-4]": "axis 0", "a[0,0,0]": "2 axes",
		"a[::0]": "step", "a[::-1]": "step", "a[x]": "not a whole number", "a[1:2:3:4]": "not a slice", "b[0]": `has no "b"`} {
		if _, err := f.Member(name); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A part does not depend on the order of the file or on chunks.
func TestPartsInAnyOrder(t *testing.T) {
	for _, file := range []struct{ name, array, part string }{
		{"../hdf5/testdata/earliest.h5", "chunked/growing both", "chunked/growing both[1::3, 2:7:2]"},
		{"../hdf5/testdata/matlab.mat", "a", "a[1:, ::2]"},
	} {
		f, err := Open(t.Context(), file.name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		whole, err := f.Array(file.array)
		if err != nil {
			t.Fatal(err)
		}
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
		if got, err := f.Array(file.part); err != nil || !slices.Equal(got.Data, want) {
			t.Errorf("%s: %v, %v, want %v", file.part, got, err, want)
		}
	}
}
