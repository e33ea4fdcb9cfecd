package grid

import (
	"fmt"
	"math"

	"rfm/solver/space/points"
)

// Domain is the domain of functions: an interval or a rectangle, periodic or not, or points of any geometry.
//
// Its grids are equispaced. They count both ends of every axis, or, with Cells, consist of the centres of equal cells.
// The last value along an axis of a periodic domain repeats the first. A grid is identified by its number of points
// along the first axis. Fields are stored row-major: value i*columns + j is at (i h, j h), with Cells at ((i+1/2) h,
// (j+1/2) h), h = 1/Intervals. So the first axis is the unit of length, and a rectangle has a length proportional to its
// intervals. Functions with several channels (values at each point) are stored channel by channel; their inner products
// are sums over channels. Domains can be compared with ==. Functions on a Cloud have values at its points in their
// order, which means nothing; they have no other grid.
type Domain struct {
	Dims     int // variables, 1 or 2
	Periodic bool
	Cells    bool         // values are at the centres of cells; never with Periodic: a shift by half a cell gives the same grid
	Aspect   Aspect       // fields: the rectangle
	Channels int          // of functions, if several; 0 means 1. See With
	Cloud    points.Cloud // points of any geometry; then Dims is 1, as arrays have it, and nothing else is set but Channels
}

// MostChannels bounds the channels of a function.
const MostChannels = 64

// With returns the domain of functions with channels >= 1 channels.
func (d Domain) With(channels int) Domain {
	if channels < 1 {
		panic(fmt.Sprintf("grid: functions with %d channels", channels))
	}
	d.Channels = channels
	if channels == 1 {
		d.Channels = 0
	}
	return d
}

// One returns the domain of functions with one channel.
func (d Domain) One() Domain { return d.With(1) }

// Width returns the number of channels.
func (d Domain) Width() int { return max(1, d.Channels) }

// Aspect holds the numbers of intervals, or cells, along both axes in lowest terms; zero for a square.
type Aspect struct {
	First  int
	Second int
}

// AspectOf returns the aspect of a grid of first x second intervals or cells. It panics unless both are positive.
func AspectOf(first, second int) Aspect {
	if first < 1 || second < 1 {
		panic(fmt.Sprintf("grid: rectangle of %d x %d intervals", first, second))
	}
	if first == second {
		return Aspect{}
	}
	divisor := greatestDivisor(first, second)
	return Aspect{First: first / divisor, Second: second / divisor}
}

// greatestDivisor returns the greatest common divisor (Euclid).
func greatestDivisor(a, b int) int {
	for b != 0 {
		remainder := a % b
		a = b
		b = remainder
	}
	return a
}

// The basic domains.
var (
	Torus    = Domain{Dims: 1, Periodic: true} // periodic functions of one variable
	Interval = Domain{Dims: 1}                 // functions of one variable
	Torus2   = Domain{Dims: 2, Periodic: true} // periodic fields
	Square   = Domain{Dims: 2}                 // fields on the closed square
)

// Domains lists the basic domains, and closed ones with cells and with two lengths.
func Domains() []Domain {
	oblong := Aspect{First: 2, Second: 3}
	return []Domain{
		Torus,
		Interval,
		Torus2,
		Square,
		{Dims: 1, Cells: true},
		{Dims: 2, Cells: true},
		{Dims: 2, Periodic: true, Aspect: oblong},
		{Dims: 2, Aspect: oblong},
		{Dims: 2, Cells: true, Aspect: oblong},
	}
}

// Scattered reports whether functions are known at points of any geometry.
func (d Domain) Scattered() bool { return d.Cloud.There() }

// Name describes functions on the domain, for people.
func (d Domain) Name() string {
	name := "functions"
	if d.Dims == 2 {
		name = "fields"
	}
	switch {
	case d.Scattered():
		name += " at points"
	case d.Periodic:
		name = "periodic " + name
	case d.Dims == 1:
		name += " on an interval"
	}
	if d.Cells {
		name += " at cell centres"
	}
	if d.Channels > 1 {
		name += fmt.Sprintf(" with %d channels", d.Channels)
	}
	return name
}

// Symbol returns the paper's symbol for the points along an axis: K for functions of one variable, r for fields.
func (d Domain) Symbol() string {
	if d.Scattered() {
		return "points"
	}
	if d.Dims == 2 {
		return "r"
	}
	return "K"
}

// Grid formats the grid with points points along the first axis, as K=129 or 33 x 33 points.
func (d Domain) Grid(points int) string {
	switch {
	case d.Scattered():
		return d.Cloud.String()
	case d.Dims == 1:
		return fmt.Sprintf("K=%d", points)
	case !d.Exists(points):
		return fmt.Sprintf("%d points along the first axis", points)
	}
	rows, columns := d.Axes(points)
	if d.Cells {
		return fmt.Sprintf("%d x %d cells", rows, columns)
	}
	return fmt.Sprintf("%d x %d points", rows, columns)
}

// ends returns the number of points minus the number of intervals along an axis.
func (d Domain) ends() int {
	if d.Cells {
		return 0
	}
	return 1
}

// ratio returns the aspect of a rectangle, or of the square.
func (d Domain) ratio() (first, second int) {
	if d.Aspect == (Aspect{}) {
		return 1, 1
	}
	return d.Aspect.First, d.Aspect.Second
}

// Intervals returns the number of intervals, or cells, along the first axis of the grid with points points along it.
func (d Domain) Intervals(points int) int { return points - d.ends() }

// Frequency returns the number of periods per unit of length of a wave with k periods over the second axis of a
// rectangle.
func (d Domain) Frequency(k int) float64 {
	first, second := d.ratio()
	return float64(k*first) / float64(second)
}

// Exists reports whether a grid with points points along the first axis exists.
func (d Domain) Exists(points int) bool {
	if d.Scattered() {
		return points == d.Cloud.Count()
	}
	first, _ := d.ratio()
	intervals := d.Intervals(points)
	return intervals >= 0 && intervals%first == 0
}

// Axes returns the numbers of points along both axes; functions of one variable have one row. It panics if such a grid
// does not exist.
func (d Domain) Axes(points int) (rows, columns int) {
	if d.Dims == 1 {
		return 1, points
	}
	if d.Aspect == (Aspect{}) {
		return points, points
	}
	if !d.Exists(points) {
		panic(fmt.Sprintf("grid: no grid of %d points along the first axis has %d intervals to %d along the other",
			points, d.Aspect.First, d.Aspect.Second))
	}
	first, second := d.ratio()
	intervals := d.Intervals(points) / first * second
	return points, intervals + d.ends()
}

// Values returns the number of values of a function on the grid with points points along the first axis.
func (d Domain) Values(points int) int {
	rows, columns := d.Axes(points)
	return d.Width() * rows * columns
}

// Shape returns the shape of the array of values of a function; several channels come first.
func (d Domain) Shape(points int) []int {
	rows, columns := d.Axes(points)
	shape := []int{columns}
	if d.Dims == 2 {
		shape = []int{rows, columns}
	}
	if d.Channels > 1 {
		return append([]int{d.Channels}, shape...)
	}
	return shape
}

// channel returns the values of one channel of a function, which share memory with f.
func (d Domain) channel(f []float64, c int) []float64 {
	values := len(f) / d.Width()
	return f[c*values:][:values]
}

// Wrap sets the last values along both axes of a function to the first ones.
func (d Domain) Wrap(f []float64) {
	if d.Channels > 1 {
		for c := range d.Channels {
			d.One().Wrap(d.channel(f, c))
		}
		return
	}
	rows, columns := d.Axes(d.PointsOf(f))
	for i := range rows {
		row := f[i*columns:][:columns]
		row[columns-1] = row[0]
	}
	if d.Dims == 2 {
		copy(f[(rows-1)*columns:], f[:columns])
	}
}

// Distinct returns the values of a function of one channel without those that repeat others at the ends of periodic
// axes. It may share memory with the function.
func (d Domain) Distinct(f []float64) []float64 {
	if !d.Periodic {
		return f
	}
	rows, columns := d.Axes(d.PointsOf(f))
	values := make([]float64, 0, len(f))
	for i := range max(1, rows-1) {
		row := f[i*columns:][:columns]
		values = append(values, row[:columns-1]...)
	}
	return values
}

// Complete writes a function of one channel from its values at the distinct points, which are stride numbers apart, or
// begin it.
func (d Domain) Complete(f, values []float64, stride int) {
	_, columns := d.Axes(d.PointsOf(f))
	distinct := columns
	if d.Periodic {
		distinct--
	}
	for x := (len(values) - 1) / stride; x >= 0; x-- {
		row := x / distinct
		column := x % distinct
		f[row*columns+column] = values[x*stride]
	}
	if d.Periodic {
		d.Wrap(f)
	}
}

// Points returns the number of points along the first axis of the grid with values values, the inverse of Values. ok is
// false if such a grid does not exist.
func (d Domain) Points(values int) (points int, ok bool) {
	if d.Channels > 1 {
		points, ok = d.One().Points(values / d.Channels)
		return points, ok && values%d.Channels == 0
	}
	if d.Dims == 1 {
		return values, d.Exists(values)
	}
	first, second := d.ratio()
	// The second axis has (points + more)/ratio of them.
	ratio := float64(first) / float64(second)
	more := 0.0
	if !d.Cells {
		more = ratio - 1 // both axes have one point more than intervals
	}
	root := math.Sqrt(more*more + 4*ratio*float64(values))
	points = int(math.Round((root - more) / 2))
	return points, points > 0 && d.Exists(points) && d.Values(points) == values
}

// PointsOf returns Points for the values of a function. It panics if no grid has len(f) values.
func (d Domain) PointsOf(f []float64) int {
	points, ok := d.Points(len(f))
	if !ok {
		panic(fmt.Sprintf("grid: %s with %d values, of which there is no grid", d.Name(), len(f)))
	}
	return points
}

// Contains reports whether functions on the fine grid have values on the coarse one: its intervals, or cells, divide
// those of the fine grid.
func (d Domain) Contains(fine, coarse int) bool {
	if d.Scattered() {
		return fine == coarse && d.Exists(fine)
	}
	if !d.Exists(fine) || !d.Exists(coarse) || fine < 2 || coarse < 2 {
		return false
	}
	return d.Intervals(fine)%d.Intervals(coarse) == 0
}

// Sample writes the values of the function fine at the points of the grid of coarse, or with Cells the means over its
// cells. It panics if the fine grid does not contain the coarse one.
func (d Domain) Sample(coarse, fine []float64) {
	n := d.PointsOf(coarse)
	N := d.PointsOf(fine)
	if !d.Contains(N, n) {
		panic(fmt.Sprintf("grid: a function on %s sampled on %s", d.Grid(N), d.Grid(n)))
	}
	if d.Channels > 1 {
		for c := range d.Channels {
			d.One().Sample(d.channel(coarse, c), d.channel(fine, c))
		}
		return
	}
	stride := d.Intervals(N) / d.Intervals(n)
	if d.Cells {
		d.average(coarse, fine, n, N, stride)
		return
	}
	rows, columns := d.Axes(n)
	_, fineColumns := d.Axes(N)
	for i := range rows {
		from := fine[stride*i*fineColumns:]
		to := coarse[i*columns:][:columns]
		for j := range to {
			to[j] = from[stride*j]
		}
	}
}

// average writes the means over the cells of the coarse grid, each of which has N/n fine ones along an axis.
func (d Domain) average(coarse, fine []float64, n, N, stride int) {
	_, columns := d.Axes(n)
	_, fineColumns := d.Axes(N)
	tall := stride
	if d.Dims == 1 {
		tall = 1
	}
	share := 1 / float64(tall*stride)
	for x := range coarse {
		row := x / columns
		column := x % columns
		corner := row*tall*fineColumns + column*stride
		sum := 0.0
		for i := range tall {
			inCell := fine[corner+i*fineColumns:][:stride]
			for _, v := range inCell {
				sum += v
			}
		}
		coarse[x] = sum * share
	}
}
