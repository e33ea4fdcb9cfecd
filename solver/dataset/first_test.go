package dataset

import (
	"context"

	"rfm/solver/grid"
)

// ReadPairs reads the first count pairs of functions of one variable, or all if count is 0.
func ReadPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readFirst(ctx, source, count, 1)
}

// ReadFieldPairs reads the first count pairs of fields, or all if count is 0.
func ReadFieldPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readFirst(ctx, source, count, 2)
}

func readFirst(ctx context.Context, source Source, count, dims int) (Pairs, error) {
	return readSome(ctx, source, dims, func(f *Functions) ([]int, int) {
		if count == 0 {
			count = f.Count
		}
		return inOrder(min(count, f.Count)), count
	})
}

// ReadChosen reads the pairs in rows.
func ReadChosen(ctx context.Context, source Source, dims int, rows []int) (Pairs, error) {
	return readSome(ctx, source, dims, func(*Functions) ([]int, int) { return rows, 0 })
}

func readSome(ctx context.Context, source Source, dims int, choose func(*Functions) ([]int, int)) (Pairs, error) {
	f, err := FindPairs(ctx, source, dims)
	if err != nil {
		return Pairs{}, err
	}
	defer f.Close()
	rows, needed := choose(f)
	if needed > f.Count {
		_, err = f.read(rows, needed)
		return Pairs{}, err
	}
	return f.Pairs(rows)
}

// StatPairs describes pairs.
func StatPairs(ctx context.Context, source Source, dims int) (Info, error) {
	f, err := FindPairs(ctx, source, dims)
	if err != nil {
		return Info{}, err
	}
	return f.Info, f.Close()
}

// ReadInputs reads functions without outputs.
func ReadInputs(ctx context.Context, source Source, dims int) (grid.Batch, *Functions, error) {
	f, err := FindInputs(ctx, source, dims)
	if err != nil {
		return grid.Batch{}, nil, err
	}
	defer f.Close()
	b, err := f.Inputs(0)
	return b, f, err
}

// StatInputs locates functions without outputs.
func StatInputs(ctx context.Context, source Source, dims int) (*Functions, error) {
	_, f, err := ReadInputs(ctx, source, dims)
	return f, err
}
