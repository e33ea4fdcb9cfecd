package dataset

import "context"

// ReadPairs reads the first count pairs of functions of one variable, or all if count is 0.
func ReadPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readFirst(ctx, source, count, 1)
}

// ReadFieldPairs reads the first count pairs of fields, or all if count is 0.
func ReadFieldPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readFirst(ctx, source, count, 2)
}

func readFirst(ctx context.Context, source Source, count, dims int) (Pairs, error) {
	sides, _, err := read(ctx, source, dims, pairForm, first(count))
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}
