package dataset

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/npy"
	"rfm/solver/draw"
	"rfm/solver/equation"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

var small = equation.Burgers(1e-2, 1e-6, 129)

func generate(t *testing.T, count, workers int) (grid.Batch, []grid.Batch) {
	t.Helper()
	a, u, err := truth.Generate(t.Context(), small.Operator(), truth.Wanted{Purpose: draw.InputTrain, Count: count,
		Times: []float64{0.5, 1}}, workers, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a, u
}

// write stores functions in the authors' layout.
func write(t *testing.T, first, second grid.Batch) string {
	t.Helper()
	a := npy.Array{Shape: []int{first.Values(), first.Count, 2}}
	for x := range first.Values() {
		for i := range first.Count {
			a.Data = append(a.Data, first.At(i)[x], second.At(i)[x])
		}
	}
	return writeArray(t, a)
}

func writeArray(t *testing.T, a npy.Array) string {
	t.Helper()
	return arraytest.NPY(t, filepath.Join(t.TempDir(), "pairs.npy"), a)
}

func TestReadPairsOfTheAuthorsLayout(t *testing.T) {
	a, u := generate(t, 7, 1)
	got, err := ReadPairs(t.Context(), Source{File: write(t, a, u[1]), Endpoint: true}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Inputs.Data, a.First(5).Data) || !slices.Equal(got.Outputs.Data, u[1].First(5).Data) {
		t.Error("pairs differ from what was written")
	}
}

func TestReadTheta(t *testing.T) {
	a, u := generate(t, 7, 1)
	got, err := ReadTheta(t.Context(), write(t, a, u[1]), 7)
	if err != nil || !slices.Equal(got.Data, a.Data) {
		t.Errorf("theta differs from what was written, %v", err)
	}
}

func TestUnusableFilesAreRefused(t *testing.T) {
	a, u := generate(t, 3, 1)
	damaged := func(x int, v float64) grid.Batch {
		d := grid.BatchOf(grid.Torus, a.Values(), slices.Clone(a.Data))
		d.At(1)[x] = v
		return d
	}
	for name, test := range map[string]struct {
		file  string
		count int
		want  string
	}{
		"missing":      {"no such file.npy", 1, "cannot be opened"},
		"too few":      {write(t, a, u[1]), 4, "has 3 pairs, 4 are wanted"},
		"NaN":          {write(t, damaged(5, math.NaN()), u[1]), 3, "function 1 has the value NaN at grid point 5"},
		"not periodic": {write(t, a, damaged(128, 7)), 3, "output: function 1 is not periodic"},
		"rank": {writeArray(t, npy.Array{Shape: []int{3, 2}, Data: make([]float64, 6)}), 1,
			"(count, 2, K) or (K, count, 2) is expected"},
		"third index": {writeArray(t, npy.Array{Shape: []int{9, 1, 3}, Data: make([]float64, 27)}), 1,
			"(count, 2, K) or (K, count, 2) is expected"},
		"zero": {write(t, a, grid.NewBatch(grid.Torus, a.Values(), a.Count)), 3, "output: function 0 is zero"},
	} {
		_, err := ReadPairs(t.Context(), Source{File: test.file, Endpoint: true}, test.count)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want *fault.Data with %q", name, err, test.want)
		}
	}
}

// fieldFile stores fields in the layout (r, r, count, 2).
func fieldFile(t *testing.T, r int, first, second [][]float64) string {
	t.Helper()
	a := npy.Array{Shape: []int{r, r, len(first), 2}}
	for x := range r * r {
		for i := range first {
			a.Data = append(a.Data, first[i][x], second[i][x])
		}
	}
	return writeArray(t, a)
}

func TestReadFields(t *testing.T) {
	const r = 5
	first, second := [][]float64{make([]float64, r*r), make([]float64, r*r)},
		[][]float64{make([]float64, r*r), make([]float64, r*r)}
	for i := range first {
		for x := range first[i] {
			first[i][x], second[i][x] = float64(1+x+100*i), -float64(x*x+i)
		}
	}
	pairs, err := ReadFieldPairs(t.Context(), Source{File: fieldFile(t, r, first, second), Endpoint: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	one, two, err := ReadThetaPairs(t.Context(), fieldFile(t, r, first, second), 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range first {
		if !slices.Equal(pairs.Inputs.At(i), first[i]) || !slices.Equal(pairs.Outputs.At(i), second[i]) ||
			!slices.Equal(one.At(i), first[i]) || !slices.Equal(two.At(i), second[i]) {
			t.Errorf("fields %d differ from what was written", i)
		}
	}
}

func TestUnusableFieldsAreRefused(t *testing.T) {
	good := func() [][]float64 { return [][]float64{slices.Repeat([]float64{2}, 25)} }
	broken := good()
	broken[0][7] = math.Inf(1)
	for name, test := range map[string]struct{ file, want string }{
		"infinite": {fieldFile(t, 5, good(), broken), "output: function 0 has the value +Inf"},
		"rank": {writeArray(t, npy.Array{Shape: []int{25, 1, 2}, Data: make([]float64, 50)}),
			"(r, r, count, 2) is expected"},
	} {
		_, err := ReadFieldPairs(t.Context(), Source{File: test.file, Endpoint: true}, 1)
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want *fault.Data with %q", name, err, test.want)
		}
	}
}
