package points

import (
	"math"
	"slices"
)

// Raster shows values at points in the plane as a picture of Side x Side equal pixels: each shows the value of the nearest
// corner of the cell around its middle. Points in space are seen from the end of the third axis.
type Raster struct {
	Side    int
	Low     [2]float64 // of both axes, at the middle of the first pixel
	High    [2]float64 // at the middle of the last one
	Nearest []int      // point of each pixel, -1 outside of the cells; pixel i*Side + j is the i-th along the first axis
}

// NewRaster returns the raster of points in the plane or in space. Both axes have one scale. Without cells a pixel outside
// of the points is further from the nearest one than points are from each other.
func NewRaster(p Places, side int) Raster {
	r := Raster{
		Side:    side,
		Nearest: slices.Repeat([]int{-1}, side*side),
	}
	low := [2]float64{math.Inf(1), math.Inf(1)}
	high := [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range p.Count() {
		place := p.Place(i)
		for axis := range 2 {
			v := place[axis]
			low[axis] = min(low[axis], v)
			high[axis] = max(high[axis], v)
		}
	}
	half := max(high[0]-low[0], high[1]-low[1]) / 2
	if half == 0 {
		half = 1
	}
	for axis := range 2 {
		middle := (low[axis] + high[axis]) / 2
		r.Low[axis] = middle - half
		r.High[axis] = middle + half
	}
	heights := slices.Repeat([]float64{math.Inf(-1)}, side*side) // of what is seen along the third axis
	if p.Corners >= 3 {
		for c := 0; c < len(p.Cells); c += p.Corners {
			r.triangle(p, p.Cells[c:c+3], heights)
		}
		return r
	}
	r.spots(p, heights)
	return r
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
	return (v - r.Low[axis]) / (r.High[axis] - r.Low[axis]) * float64(r.Side-1)
}

// triangle gives the pixels inside of a triangle its nearest corner, unless a higher one covers them.
func (r *Raster) triangle(p Places, corners []int, heights []float64) {
	var x, y [3]float64
	top := math.Inf(-1)
	for k, point := range corners {
		place := p.Place(point)
		x[k] = r.pixel(0, place[0])
		y[k] = r.pixel(1, place[1])
		top = max(top, height(p, point))
	}
	twice := (x[1]-x[0])*(y[2]-y[0]) - (y[1]-y[0])*(x[2]-x[0])
	if twice == 0 {
		return
	}
	const slack = 1e-9
	firstRow, lastRow := r.pixels(min(x[0], x[1], x[2])-slack, max(x[0], x[1], x[2])+slack)
	firstColumn, lastColumn := r.pixels(min(y[0], y[1], y[2])-slack, max(y[0], y[1], y[2])+slack)
	for i := firstRow; i <= lastRow; i++ {
		for j := firstColumn; j <= lastColumn; j++ {
			inside := true
			nearest := -1
			least := math.Inf(1)
			// Corners as seen from the middle of the pixel.
			var dx, dy [3]float64
			for k := range 3 {
				dx[k] = x[k] - float64(i)
				dy[k] = y[k] - float64(j)
			}
			for k := range 3 {
				l := (k + 1) % 3
				m := (k + 2) % 3
				opposite := dx[l]*dy[m] - dy[l]*dx[m]
				share := opposite / twice // of the triangle: the barycentric coordinate of corner k
				inside = inside && share >= -slack
				distance := math.Hypot(dx[k], dy[k])
				if distance < least {
					nearest = corners[k]
					least = distance
				}
			}
			at := i*r.Side + j
			if inside && (r.Nearest[at] < 0 || top > heights[at]) {
				r.Nearest[at] = nearest
				heights[at] = top
			}
		}
	}
}

// pixels returns the first and the last pixel between two positions on an axis.
func (r *Raster) pixels(from, to float64) (first, last int) {
	first = max(0, int(math.Ceil(from)))
	last = min(r.Side-1, int(to))
	return first, last
}

// spots gives the pixels near a point this point, the nearest one, or of points in space the highest.
func (r *Raster) spots(p Places, heights []float64) {
	radius := 1 + float64(r.Side)/math.Sqrt(float64(p.Count()))
	distances := slices.Repeat([]float64{math.Inf(1)}, len(r.Nearest))
	for point := range p.Count() {
		place := p.Place(point)
		x := r.pixel(0, place[0])
		y := r.pixel(1, place[1])
		z := height(p, point)
		firstRow, lastRow := r.pixels(x-radius, x+radius)
		firstColumn, lastColumn := r.pixels(y-radius, y+radius)
		for i := firstRow; i <= lastRow; i++ {
			for j := firstColumn; j <= lastColumn; j++ {
				at := i*r.Side + j
				d := math.Hypot(x-float64(i), y-float64(j))
				covered := r.Nearest[at] >= 0
				inSpace := p.Axes == 3
				behind := inSpace && covered && z < heights[at] && d > distances[at]/2
				nearer := d <= radius && d < distances[at] && !behind
				inFront := inSpace && d <= radius/2 && z > heights[at]
				if nearer || inFront {
					r.Nearest[at] = point
					distances[at] = d
					heights[at] = z
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
			if p.At[i] < p.At[j] {
				return -1
			}
			if p.At[i] > p.At[j] {
				return 1
			}
			return 0
		})
	}
	return order
}
