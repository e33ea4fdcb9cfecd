package points

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The search by boxes finds the nearest points, also for places outside of all points, and where one point is far from
// the others.
func TestBoxesFindTheNearestPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for axes := 1; axes <= MostAxes; axes++ {
		const count = 200
		at := make([]float64, axes*count)
		for i := range at {
			at[i] = r.Float64()
		}
		at[0] = 40
		p := Equal(axes, at, count)
		b := newBoxes(p)
		for range 50 {
			place := make([]float64, axes)
			for axis := range place {
				place[axis] = 3*r.Float64() - 1
			}
			var all []boxed
			for point := range count {
				square := 0.0
				for axis, v := range p.Place(point) {
					square += (v - place[axis]) * (v - place[axis])
				}
				all = append(all, boxed{point, square})
			}
			slices.SortFunc(all, func(x, y boxed) int { return cmp.Compare(x.square, y.square) })
			found := b.nearest(place, mostNear)
			if !slices.Equal(found, all[:mostNear]) {
				t.Fatalf("%d axes, at %v: found %v, want %v", axes, place, found, all[:mostNear])
			}
		}
	}
}

// Means of a constant are the constant, the offset of width 0 is the function itself, and that of infinite width its mean.
func TestMeansOfNearbyPoints(t *testing.T) {
	p := Equal(2, plane(100), 100)
	n := NewNearby(p, []Offset{{}, {To: [MostAxes]float64{0.3, -0.2}, Width: 0.05}, {Width: math.Inf(1)}})
	f := make([]float64, 100)
	mean := 0.0
	for i := range f {
		f[i] = 1 + p.Place(i)[0]
		mean += f[i] / 100
	}
	n.Apply(f, make([]float64, 100), func(offset int, values []float64) {
		for point, v := range values {
			place := p.Place(point)
			inside := place[0] < 0.6 && place[1] > 0.3
			wrong := [...]bool{
				v != f[point],
				inside && math.Abs(v-f[point]-0.3*p.Side()) > 0.15,
				math.Abs(v-mean) > 1e-12,
			}[offset]
			if wrong {
				t.Errorf("offset %d at %v: got %g, the function is %g", offset, place, v, f[point])
			}
		}
	})
}
