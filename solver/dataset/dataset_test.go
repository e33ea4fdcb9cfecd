package dataset

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
)

// write stores functions in the authors' layout.
func write(t *testing.T, first, second grid.Batch) string {
	t.Helper()
	return writeArray(t, arranged("xns", Pairs{Inputs: first, Outputs: second}, first.Values()))
}

func writeArray(t *testing.T, a npy.Array) string {
	t.Helper()
	return arraytest.NPY(t, filepath.Join(t.TempDir(), "pairs.npy"), a)
}

// fields returns smooth fields on r x r points.
func fields(count, r int, phase float64) grid.Batch {
	b, noise := grid.NewBatch(grid.Square, r, count), rough(count)
	for i := range count {
		for x := range b.At(i) {
			s, c := float64(x/r)/float64(r-1), float64(x%r)/float64(r-1)
			b.At(i)[x] = phase + noise.Data[i] + noise.Data[count*count-1-i]*s + math.Sin(3*s*c+noise.Data[i])
		}
	}
	return b
}

func TestReadTheta(t *testing.T) {
	a, u := waves(7, 33, 0), waves(7, 33, 1)
	for _, count := range []int{7, 3} {
		if got, err := ReadTheta(t.Context(), write(t, a, u), count, 1); err != nil ||
			!slices.Equal(got[0].Data, a.First(count).Data) {
			t.Errorf("theta differs from what was written, %v", err)
		}
	}
	first, second := fields(4, 5, 0), fields(4, 5, 1)
	file := writeArray(t, arranged("xyns", Pairs{Inputs: first, Outputs: second}, 5))
	if got, err := ReadTheta(t.Context(), file, 4, 2); err != nil || !slices.Equal(got[0].Data, first.Data) ||
		!slices.Equal(got[1].Data, second.Data) {
		t.Errorf("fields differ from what was written, %v", err)
	}
	u.At(2)[3] = math.NaN()
	for _, test := range []struct {
		file  string
		count int
		want  string
	}{
		{file, 4, "is not one array of feature parameters, of shape (K, count, 2)"},
		{archive(t, "a", []int{7, 33}, a), 1, "is not one array of feature parameters"},
		{write(t, a, u), 8, "has 7 functions, 8 are wanted"}, {write(t, u, a), 7, "function 2 has the value NaN"},
		{"no such file.npy", 1, "cannot be opened"},
	} {
		if _, err := ReadTheta(t.Context(), test.file, test.count, 1); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}
