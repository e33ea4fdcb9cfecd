package pairs

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rfm/solver/dataset"
	"rfm/solver/dataset/arraytest"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// write stores functions in the authors' layout.
func write(t *testing.T, first, second grid.Batch) string {
	t.Helper()
	return writeArray(t, arranged("xns", dataset.Pairs{Inputs: first, Outputs: second}, first.Values()))
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
		if got, err := dataset.ReadTheta(t.Context(), write(t, a, u), count, 1); err != nil ||
			!slices.Equal(got[0].Data, a.First(count).Data) {
			t.Errorf("theta differs from what was written, %v", err)
		}
	}
	first, second := fields(4, 5, 0), fields(4, 5, 1)
	file := writeArray(t, arranged("xyns", dataset.Pairs{Inputs: first, Outputs: second}, 5))
	if got, err := dataset.ReadTheta(t.Context(), file, 4, 2); err != nil || !slices.Equal(got[0].Data, first.Data) ||
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
		{write(t, a, u), 8, "has 7 functions, want 8"}, {write(t, u, a), 7, "function 2 has the value NaN"},
		{"no such file.npy", 1, "does not exist"},
	} {
		if _, err := dataset.ReadTheta(t.Context(), test.file, test.count, 1); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// find locates functions of dims variables, by default periodic if it is one.
func (s Source) find(ctx context.Context, dims int, alone bool) (f *Functions, err error) {
	if s.Alone = alone; s.Domain.Dims == 0 {
		s.Domain = map[int]grid.Domain{1: grid.Torus, 2: grid.Square}[dims]
	}
	if s.Open == nil {
		if s.Open, err = exchange.Open(ctx, s.File); err != nil {
			return nil, err
		}
	}
	return Find(s)
}

// ReadPairs reads the first count pairs of functions of one variable, or all if count is 0.
func ReadPairs(ctx context.Context, source Source, count int) (dataset.Pairs, error) {
	return readFirst(ctx, source, count, 1)
}

// ReadFieldPairs reads the first count pairs of fields, or all if count is 0.
func ReadFieldPairs(ctx context.Context, source Source, count int) (dataset.Pairs, error) {
	return readFirst(ctx, source, count, 2)
}

func readFirst(ctx context.Context, source Source, count, dims int) (dataset.Pairs, error) {
	return readSome(ctx, source, dims, func(f *Functions) ([]int, int) {
		if count == 0 {
			count = f.Count
		}
		return dataset.First(min(count, f.Count)), count
	})
}

// ReadChosen reads the pairs in rows.
func ReadChosen(ctx context.Context, source Source, dims int, rows []int) (dataset.Pairs, error) {
	return readSome(ctx, source, dims, func(*Functions) ([]int, int) { return rows, 0 })
}

func readSome(ctx context.Context, source Source, dims int, choose func(*Functions) ([]int, int)) (dataset.Pairs, error) {
	f, err := source.find(ctx, dims, false)
	if err != nil {
		return dataset.Pairs{}, err
	}
	defer f.Open.Close()
	rows, needed := choose(f)
	if needed > f.Count {
		_, err = f.read(rows, needed)
		return dataset.Pairs{}, err
	}
	return f.Pairs(rows)
}

// StatPairs describes pairs.
func StatPairs(ctx context.Context, source Source, dims int) (Info, error) {
	f, err := source.find(ctx, dims, false)
	if err != nil {
		return Info{}, err
	}
	return f.Info, f.Open.Close()
}

// ReadInputs reads functions without outputs.
func ReadInputs(ctx context.Context, source Source, dims int) (grid.Batch, *Functions, error) {
	f, err := source.find(ctx, dims, true)
	if err != nil {
		return grid.Batch{}, nil, err
	}
	defer f.Open.Close()
	b, err := f.Inputs(0)
	return b, f, err
}

// StatInputs locates functions without outputs.
func StatInputs(ctx context.Context, source Source, dims int) (*Functions, error) {
	_, f, err := ReadInputs(ctx, source, dims)
	return f, err
}
