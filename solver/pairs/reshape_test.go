package pairs

import (
	"slices"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
)

// The first two axes of an array, or of a part of it, may be one: states of trajectories one after another.
func TestReshapeJoinsTheFirstAxes(t *testing.T) {
	a := npy.Array{Shape: npy.Shape{2, 3, 2}}
	for i := range 12 {
		a.Data = append(a.Data, float64(i))
	}
	name := arraytest.NPZ(t, t.TempDir()+"/own.npz", map[string]npy.Array{"u": a})
	f, err := exchange.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for text, want := range map[string][]float64{
		"u.reshape(-1, 2)":           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
		"u[:, :-1].reshape(-1, 2)":   {0, 1, 2, 3, 6, 7, 8, 9},
		"u[:, 1:].reshape(4, 2)":     {2, 3, 4, 5, 8, 9, 10, 11},
		"u[:, :, 1:].reshape(-1, 1)": {1, 3, 5, 7, 9, 11},
	} {
		m := Lookup(f, text)
		if m.Refused != nil {
			t.Errorf("%s: %v", text, m.Refused)
			continue
		}
		got, err := m.Array()
		if err != nil || !slices.Equal(got.Data, want) || len(got.Shape) != 2 {
			t.Errorf("%s: got %v, %v, want %v along two axes", text, got, err, want)
		}
	}
	if m := Lookup(f, "u.reshape(-1, 3)"); m.Refused == nil {
		t.Errorf("another number of points is taken: %v", m.Shape)
	}
}
