package points

import (
	"cmp"
	"math"
	"slices"
)

// Raster shows values at points in the plane as a picture of Side x Side equal pixels: each shows the value of the
// nearest corner of the cell around its middle. Points in space are seen from the end of the third axis.
type Raster struct {
	Side    int
	Low     [2]float64 // of both axes, at the middle of the first pixel
	High    [2]float64 // at the middle of the last one
	Nearest []int      // point of each pixel, -1 outside of the cells; pixel i*Side + j is the i-th along the first axis
}

// NewRaster returns the raster of points in the plane or in space. Both axes have one scale. Without cells a pixel
// outside of the points is further from the nearest one than points are from each other.
func NewRaster(p Places, side int) Raster {
	r := Raster{
		Side:    side,
		Nearest: slices.Repeat([]int{-1}, side*side),
	}
	half := max(p.length(0), p.length(1)) / 2
	if half == 0 {
		half = 1
	}
	for axis := range 2 {
		low, high := p.bounds(axis)
		middle := (low + high) / 2
		r.Low[axis] = middle - half
		r.High[axis] = middle + half
	}
	heights := slices.Repeat([]float64{math.Inf(-1)}, side*side) // of what is seen along the third axis
	if p.Corners >= 3 {
		for cell := range slices.Chunk(p.Cells, p.Corners) {
			for _, face := range faces(cell) {
				r.triangle(p, face, heights)
			}
		}
		return r
	}
	r.spots(p, heights)
	return r
}

// faces returns the triangles of a cell: itself, or the four faces of a tetrahedron.
func faces(cell []int) [][]int {
	if len(cell) == 3 {
		return [][]int{cell}
	}
	var all [][]int
	for without := range cell {
		all = append(all, slices.Delete(slices.Clone(cell), without, without+1))
	}
	return all
}

// height returns the third coordinate of a point.
func height(p Places, point int) float64 {
	if p.Axes < 3 {
		return 0
	}
	return p.Place(point)[2]
}

// pixel returns the position of a coordinate among the pixels of an axis.
func (r *Raster) pixel(axis int, v float64) float64 {
	length := r.High[axis] - r.Low[axis]
	return (v - r.Low[axis]) / length * float64(r.Side-1)
}

// pixelTriangle is a triangle in units of pixels.
type pixelTriangle struct {
	corners []int // points
	x, y    [3]float64
	twice   float64 // the area, with a sign
}

// slack is how far outside of a triangle a pixel still counts as inside, in pixels and in parts of the triangle.
const slack = 1e-9

// triangle gives the pixels inside of a triangle its nearest corner, unless a higher one covers them.
func (r *Raster) triangle(p Places, corners []int, heights []float64) {
	t := pixelTriangle{corners: corners}
	top := math.Inf(-1)
	for k, point := range corners {
		place := p.Place(point)
		t.x[k] = r.pixel(0, place[0])
		t.y[k] = r.pixel(1, place[1])
		top = max(top, height(p, point))
	}
	t.twice = twiceArea(t.x, t.y)
	if t.twice == 0 {
		return
	}
	firstRow, lastRow := r.pixelsAmong(t.x[:])
	firstColumn, lastColumn := r.pixelsAmong(t.y[:])
	for i := firstRow; i <= lastRow; i++ {
		for j := firstColumn; j <= lastColumn; j++ {
			at := i*r.Side + j
			nearest, inside := t.seenFrom(i, j)
			if inside && (r.Nearest[at] < 0 || top > heights[at]) {
				r.Nearest[at] = nearest
				heights[at] = top
			}
		}
	}
}

// twiceArea returns twice the area of a triangle by its corners, negative if they turn clockwise.
func twiceArea(x, y [3]float64) float64 {
	firstX := x[1] - x[0] // the sides from the first corner
	firstY := y[1] - y[0]
	secondX := x[2] - x[0]
	secondY := y[2] - y[0]
	return firstX*secondY - firstY*secondX
}

// seenFrom returns the corner that is nearest to the middle of a pixel, and whether this lies inside of the triangle.
func (t *pixelTriangle) seenFrom(i, j int) (nearest int, inside bool) {
	var dx, dy [3]float64 // of the corners, from the pixel
	for k := range 3 {
		dx[k] = t.x[k] - float64(i)
		dy[k] = t.y[k] - float64(j)
	}
	inside = true
	least := math.Inf(1)
	for k, corner := range t.corners {
		l := (k + 1) % 3
		m := (k + 2) % 3
		opposite := dx[l]*dy[m] - dy[l]*dx[m]
		share := opposite / t.twice // the barycentric coordinate of corner k
		inside = inside && share >= -slack
		distance := math.Hypot(dx[k], dy[k])
		if distance < least {
			nearest = corner
			least = distance
		}
	}
	return nearest, inside
}

// pixels returns the first and the last pixel between two positions on an axis.
func (r *Raster) pixels(from, to float64) (first, last int) {
	first = max(0, int(math.Ceil(from)))
	last = min(r.Side-1, int(to))
	return first, last
}

// pixelsAmong returns the first and the last pixel between the least and the largest of some positions on an axis.
func (r *Raster) pixelsAmong(positions []float64) (first, last int) {
	return r.pixels(slices.Min(positions)-slack, slices.Max(positions)+slack)
}

// spots gives the pixels near a point this point, the nearest one; of points in space, the nearest of those that others
// near the pixel do not hide.
func (r *Raster) spots(p Places, heights []float64) {
	const (
		opposite = 1.4  // distance of points on one side of a closed surface, in that of all
		thick    = 0.25 // depth behind the first point up to which others are seen, in that of all
	)
	radius := 1 + float64(r.Side)/math.Sqrt(float64(p.Count()))
	depth := 0.0
	if p.Axes == 3 {
		radius *= opposite
		depth = thick * p.length(2)
	}
	r.near(p, radius, func(at, point int, _ float64) {
		heights[at] = max(heights[at], height(p, point))
	})
	distances := slices.Repeat([]float64{math.Inf(1)}, len(r.Nearest))
	r.near(p, radius, func(at, point int, distance float64) {
		hidden := height(p, point) < heights[at]-depth
		if !hidden && distance < distances[at] {
			r.Nearest[at] = point
			distances[at] = distance
		}
	})
}

// near calls a function for each pixel and each point within a radius of it, in units of pixels.
func (r *Raster) near(p Places, radius float64, do func(at, point int, distance float64)) {
	for point := range p.Count() {
		place := p.Place(point)
		x := r.pixel(0, place[0])
		y := r.pixel(1, place[1])
		firstRow, lastRow := r.pixels(x-radius, x+radius)
		firstColumn, lastColumn := r.pixels(y-radius, y+radius)
		for i := firstRow; i <= lastRow; i++ {
			for j := firstColumn; j <= lastColumn; j++ {
				distance := math.Hypot(x-float64(i), y-float64(j))
				if distance <= radius {
					do(i*r.Side+j, point, distance)
				}
			}
		}
	}
}

// Values returns the values at the points of the pixels, NaN outside of the cells.
func (r *Raster) Values(values []float64) []float64 {
	shown := make([]float64, len(r.Nearest))
	for at, point := range r.Nearest {
		shown[at] = math.NaN()
		if point >= 0 {
			shown[at] = values[point]
		}
	}
	return shown
}

// Order returns the points of a line in the order of their coordinates, or points without places in their own.
func (p Places) Order() []int {
	order := make([]int, p.Count())
	for i := range order {
		order[i] = i
	}
	if p.Axes == 1 {
		slices.SortStableFunc(order, func(i, j int) int {
			return cmp.Compare(p.At[i], p.At[j])
		})
	}
	return order
}
