package dataset

import "context"

// ReadPairs reads the first count pairs of functions of one variable, all if count is 0.
func ReadPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readPairs(ctx, source, first(count), 1)
}

// ReadFieldPairs reads the first count pairs of fields, all if count is 0.
func ReadFieldPairs(ctx context.Context, source Source, count int) (Pairs, error) {
	return readPairs(ctx, source, first(count), 2)
}
