package grid

import (
	"math"
	"slices"
	"testing"
)

const rounding = 1e-13 // of some hundred terms below 1

func TestWeightsAreTheInnerProducts(t *testing.T) {
	for _, d := range Domains() {
		f, g := NewBatch(d, 9, 1).Data, NewBatch(d, 9, 1).Data
		difference, sum, distance := 0.0, 0.0, 0.0
		for x := range f {
			f[x], g[x] = math.Sin(float64(3*x)), math.Cos(float64(x))
		}
		for x, w := range d.Weights(9) {
			sum += w * f[x] * g[x]
			difference = f[x] - g[x]
			distance += w * difference * difference
		}
		if got := d.Inner(f, g); math.Abs(sum-got) > rounding {
			t.Errorf("%s: inner product %g by weights, %g", d.Name(), sum, got)
		}
		if got := d.Distance2(f, g); math.Abs(distance-got) > rounding {
			t.Errorf("%s: distance %g by weights, %g", d.Name(), distance, got)
		}
	}
}

func TestPointsIsTheInverseOfValues(t *testing.T) {
	for _, d := range Domains() {
		for points := 2; points < 40; points++ {
			if got, ok := d.Points(d.Values(points)); !ok || got != points {
				t.Errorf("%s: %d values are %d points, %v", d.Name(), d.Values(points), got, ok)
			}
			product := 1
			for _, n := range d.Shape(points) {
				product *= n
			}
			if product != d.Values(points) {
				t.Errorf("%s: shape %v for %d values", d.Name(), d.Shape(points), d.Values(points))
			}
		}
	}
	if _, ok := Square.Points(10); ok {
		t.Error("10 is a square")
	}
}

// What a function of the coordinates is on the coarse grid is what it is on the fine one, at the points that both have.
func TestRestrictionKeepsTheCoordinates(t *testing.T) {
	on := func(d Domain, points int) Batch {
		b := NewBatch(d, points, 2)
		for i := range b.Count {
			for v := range b.At(i) {
				x, y := v%points, v/points
				b.At(i)[v] = float64(i) + float64(x)/float64(points-1) + 10*float64(y)/float64(points-1)
			}
		}
		return b
	}
	for _, d := range Domains() {
		for _, grids := range [][2]int{{9, 5}, {9, 2}, {8, 8}, {13, 4}, {421, 71}} {
			got, err := on(d, grids[0]).Restrict(grids[1])
			if err != nil {
				t.Fatal(err)
			}
			if want := on(d, grids[1]); got.Domain != d || !slices.EqualFunc(got.Data, want.Data, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
				t.Errorf("%s from %d to %d points", d.Name(), grids[0], grids[1])
			}
		}
	}
}

func TestTakeAndRange(t *testing.T) {
	b := NewBatch(Square, 3, 4)
	for i := range b.Data {
		b.Data[i] = float64(i)
	}
	if got, want := b.Take([]int{2, 0}), append(slices.Clone(b.At(2)), b.At(0)...); !slices.Equal(got.Data, want) || got.Count != 2 || got.Points != 3 {
		t.Errorf("got %v", got)
	}
	if got := b.Range(1, 2); got.Count != 2 || &got.Data[0] != &b.Data[9] || !got.SameGrid(b) {
		t.Errorf("got %v", got)
	}
}
