package points

import (
	"cmp"
	"math"
	"slices"
)

// Offset is a place relative to a point, and how far from there values count, both in units of the longest side of the
// points.
type Offset struct {
	To    [MostAxes]float64
	Width float64 // of a Gaussian; infinite: all points count by their weights
}

// Nearby are maps of a function at points: at each point the mean of its values around a place relative to it.
type Nearby struct {
	offsets []Offset
	shares  []float64 // of the points in the mean of all
	points  []int32   // offsets x points x mostNear
	weights []float64 // of these, the same shape; those of a mean have the sum 1
}

// mostNear is the number of points in a mean: those nearest to its place.
const mostNear = 12

// NearbyBytes returns the memory of the maps of some offsets.
func NearbyBytes(count, offsets int) float64 {
	const each = 4 + 8 // bytes of a point and its weight
	return each * mostNear * float64(count) * float64(offsets)
}

// NewNearby returns the maps of some offsets. Where an offset leads out of the points, the nearest points count. An offset
// of width 0 is the point itself. The longest side must be finite and above 0.
func NewNearby(p Places, offsets []Offset) *Nearby {
	count := p.Count()
	n := &Nearby{
		offsets: offsets,
		shares:  p.Weights,
		points:  make([]int32, len(offsets)*count*mostNear),
		weights: make([]float64, len(offsets)*count*mostNear),
	}
	side := p.Side()
	scaled := slices.Clone(p.At)
	for i := range scaled {
		scaled[i] /= side
	}
	p.At = scaled
	boxes := newBoxes(p)
	place := make([]float64, p.Axes)
	for k, offset := range offsets {
		for point := range count {
			first := (k*count + point) * mostNear
			if offset.Width == 0 {
				n.points[first] = int32(point)
				n.weights[first] = 1
				continue
			}
			for axis, v := range p.Place(point) {
				place[axis] = v + offset.To[axis]
			}
			if !math.IsInf(offset.Width, 1) {
				n.weigh(first, boxes.nearest(place, mostNear), offset.Width)
			}
		}
	}
	return n
}

// weigh sets the points of a mean, from a first number on, and their weights in a Gaussian of some width, at least the
// distance of the third point, so that where points are sparse several have a part.
func (n *Nearby) weigh(first int, found []boxed, width float64) {
	third := found[min(2, len(found)-1)]
	width = max(width, math.Sqrt(third.square))
	total := 0.0
	for i, f := range found {
		weight := math.Exp((found[0].square - f.square) / (2 * width * width))
		n.points[first+i] = int32(f.point)
		n.weights[first+i] = weight
		total += weight
	}
	for i := range found {
		n.weights[first+i] /= total
	}
}

// Apply passes the means of a function, for one offset after the other. work has a value for each point,
// and take must not keep what it gets.
func (n *Nearby) Apply(f, work []float64, take func(offset int, values []float64)) {
	for k, offset := range n.offsets {
		if math.IsInf(offset.Width, 1) {
			mean := 0.0
			for point, share := range n.shares {
				mean += share * f[point]
			}
			for point := range work {
				work[point] = mean
			}
			take(k, work)
			continue
		}
		for point := range work {
			first := (k*len(work) + point) * mostNear
			points := n.points[first:][:mostNear]
			weights := n.weights[first:][:mostNear]
			sum := 0.0
			for i, from := range points {
				sum += weights[i] * f[from]
			}
			work[point] = sum
		}
		take(k, work)
	}
}

// boxes hold points in boxes of equal size, so that those near a place are found quickly.
type boxes struct {
	places Places
	size   float64
	low    [MostAxes]float64
	counts [MostAxes]int
	of     map[[MostAxes]int][]int32
}

// boxed is a point, and the square of its distance from a place.
type boxed struct {
	point  int
	square float64
}

func newBoxes(p Places) *boxes {
	b := &boxes{
		places: p,
		of:     map[[MostAxes]int][]int32{},
	}
	volume := 1.0
	long := 0
	for axis := range p.Axes {
		low, _ := p.bounds(axis)
		b.low[axis] = low
		if length := p.length(axis); length > 0 {
			volume *= length
			long++
		}
	}
	const each = 3 // points of a box
	count := float64(p.Count())
	b.size = math.Pow(each*volume/count, 1/float64(max(1, long)))
	b.size = max(b.size, p.Side()/count) // points far from all others need no boxes between
	for axis := range p.Axes {
		b.counts[axis] = int(p.length(axis) / b.size)
	}
	for point := range p.Count() {
		key := b.key(p.Place(point))
		b.of[key] = append(b.of[key], int32(point))
	}
	return b
}

// key returns the box of a place, or the nearest one.
func (b *boxes) key(place []float64) (key [MostAxes]int) {
	for axis, v := range place {
		box := int(math.Floor((v - b.low[axis]) / b.size))
		key[axis] = max(0, min(b.counts[axis], box))
	}
	return key
}

// nearest returns the points that are nearest to a place, the nearest first, and of equal ones the first.
func (b *boxes) nearest(place []float64, count int) []boxed {
	var found []boxed
	centre := b.key(place)
	enough := -1 // the ring at which there were enough
	for ring := 0; ; ring++ {
		inside := b.ring(centre, ring, func(point int) {
			square := 0.0
			for axis, v := range b.places.Place(point) {
				square += (v - place[axis]) * (v - place[axis])
			}
			found = append(found, boxed{point, square})
		})
		if len(found) >= count && enough < 0 {
			enough = ring
		}
		if !inside || enough >= 0 && ring > enough {
			break
		}
	}
	slices.SortFunc(found, func(x, y boxed) int {
		return cmp.Or(cmp.Compare(x.square, y.square), cmp.Compare(x.point, y.point))
	})
	return found[:min(count, len(found))]
}

// ring calls do with the points in the boxes that are a number of boxes away from one. inside is false if all boxes are
// nearer.
func (b *boxes) ring(centre [MostAxes]int, away int, do func(point int)) (inside bool) {
	visit := func(from, to [MostAxes]int) {
		for axis := range MostAxes {
			from[axis] = max(0, from[axis])
			to[axis] = min(b.counts[axis], to[axis])
		}
		for x := from[0]; x <= to[0]; x++ {
			for y := from[1]; y <= to[1]; y++ {
				for z := from[2]; z <= to[2]; z++ {
					inside = true
					for _, point := range b.of[[MostAxes]int{x, y, z}] {
						do(int(point))
					}
				}
			}
		}
	}
	if away == 0 {
		visit(centre, centre)
		return inside
	}
	// The sides of a cube, each without the edges that sides before it have.
	for side := range MostAxes {
		for _, to := range []int{-away, away} {
			from := centre
			last := centre
			for axis := range MostAxes {
				reach := away
				if axis < side {
					reach--
				}
				from[axis] -= reach
				last[axis] += reach
			}
			from[side] = centre[side] + to
			last[side] = centre[side] + to
			visit(from, last)
		}
	}
	return inside
}
