package linalg

import (
	"context"
	"slices"
	"testing"
)

// Rotations that are computed again are those that would have been kept, bit for bit, also of a matrix of several
// blocks.
func TestRotationsAreComputedAgain(t *testing.T) {
	const n = 90
	diagonal, offDiagonal, x := normal(n, 1), normal(n, 2), normal(n, 3)
	offDiagonal[30], offDiagonal[31], offDiagonal[70] = 0, 0, 0
	values, want, back := slices.Clone(diagonal), slices.Clone(x), slices.Clone(x)
	kept, err := implicitQL(context.Background(), values, slices.Clone(offDiagonal), 0)
	if err != nil {
		t.Fatal(err)
	}
	kept.applyTransposed(want)
	kept.apply(back)
	for _, most := range []int{1, 50, 1000, 1 << 20} {
		again, got, gotBack := slices.Clone(diagonal), slices.Clone(x), slices.Clone(x)
		z, err := implicitQL(context.Background(), again, slices.Clone(offDiagonal), most)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // as often as they are asked for
			copy(got, x)
			copy(gotBack, x)
			z.applyTransposed(got)
			z.apply(gotBack)
		}
		if !slices.Equal(again, values) || !slices.Equal(got, want) || !slices.Equal(gotBack, back) {
			t.Errorf("%d rotations at a time: other values or rotations", most)
		}
	}
}
