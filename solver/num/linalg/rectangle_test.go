package linalg

import (
	"math"
	"testing"

	"rfm/solver/num/simd"
)

// The product of two bands of columns has the bits of the same entries of the symmetric product, at every level.
func TestProductOfBandsIsAPartOfTheSymmetricOne(t *testing.T) {
	const rows, m, width, from = KC + 37, 120, 52, 72 // the bands are the columns below width and those from from on
	f := normalPanels(rows, m)
	band := func(first, count int) *Panels {
		b := NewPanels(rows, count)
		for p := range ceilDiv(count, 4) {
			copy(b.Panel(p), f.Panel(first/4+p))
		}
		return b
	}
	left, right := band(0, width), band(from, m-from)
	everyLevel(t, func(t *testing.T, level simd.Level) {
		want := gram(level, f)
		for _, workers := range []int{1, 3} {
			r := NewRectangle(width, m-from)
			r.level = level
			if err := r.AddProduct(t.Context(), left, right, rows, workers); err != nil {
				t.Fatal(err)
			}
			for i := range width {
				for j, v := range r.Row(i) {
					if w := want.At(i, from+j); math.Float64bits(v) != math.Float64bits(w) {
						t.Fatalf("%d workers: entry (%d, %d) is %v, of the whole %v", workers, i, j, v, w)
					}
				}
			}
		}
	})
}
