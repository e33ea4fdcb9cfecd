package linalg

import (
	"math"
	"slices"
	"testing"
)

// The even part of values is their sum with their mirror image, the odd part the difference, and half of both gives the
// values back, with and without a point in the middle.
func TestRowsAreFolded(t *testing.T) {
	for points := range 8 {
		values := normal(points*columnLanes, 1)
		half := (points + 1) / 2
		even := make([]float64, half*columnLanes)
		odd := make([]float64, half*columnLanes)
		FoldRows(even, odd, values)
		for i := range half {
			for l := range columnLanes {
				near := values[i*columnLanes+l]
				far := values[(points-1-i)*columnLanes+l]
				sum := near + far
				if 2*i+1 == points {
					sum = near
				}
				if even[i*columnLanes+l] != sum || odd[i*columnLanes+l] != near-far {
					t.Fatalf("%d points: parts of point %d are wrong", points, i)
				}
			}
		}
		for i := range even[:points/2*columnLanes] {
			even[i] /= 2
			odd[i] /= 2
		}
		back := make([]float64, len(values))
		UnfoldRows(back, even, odd)
		for i, v := range back {
			if math.Abs(v-values[i]) > 1e-14 {
				t.Fatalf("%d points: number %d is %g, want %g", points, i, v, values[i])
			}
		}
	}
}

// Folding, unfolding and adding have the same bits at every level of vector instructions.
func TestKernelsOfRowsAgree(t *testing.T) {
	const points = 11
	values := normal(points*columnLanes, 1)
	weights := normal(points, 2)
	const pairs = points / 2
	var want [][]float64
	for _, level := range levels() {
		k := kernels{level}
		even := make([]float64, pairs*columnLanes)
		odd := make([]float64, pairs*columnLanes)
		back := make([]float64, len(values))
		sums := Eight{1, 2}
		k.foldRows(pairs, values, even, odd)
		k.unfoldRows(pairs, even, odd, back)
		k.addSquares(&sums, weights, values)
		got := [][]float64{even, odd, back, sums[:]}
		if want == nil {
			want = got
		}
		for i, numbers := range got {
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-13*(1+math.Abs(b)) }
			if !slices.EqualFunc(numbers, want[i], near) {
				t.Errorf("%v: result %d differs", level, i)
			}
		}
	}
}

func TestAddScaled(t *testing.T) {
	dst := normal(3*columnLanes+1, 1)
	src := normal(len(dst), 2)
	want := slices.Clone(dst)
	for i, v := range src {
		want[i] += 0.5 * v
	}
	AddScaled(dst, 0.5, src)
	if !slices.Equal(dst, want) { // a product with 1/2 is exact
		t.Errorf("the sum is %v, want %v", dst, want)
	}
}
