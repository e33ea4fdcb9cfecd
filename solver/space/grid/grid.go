// Package grid holds batches of functions sampled on equispaced grids: a Domain describes the domain, a Batch holds the
// values.
//
// A grid has K points x_i = i/(K-1) along an axis, both ends counted, N = K-1 is the number of intervals; or the
// centres x_i = (i+1/2)/K of K cells.
package grid

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/fault"
)

// Batch holds Count functions on the domain's grid with Points points along the first axis, function i in the i-th
// Values() numbers of Data.
type Batch struct {
	Domain Domain
	Points int       // along the first axis
	Count  int       // of functions
	Data   []float64 // Count x Values()
}

// NewBatch returns a batch of zero functions.
func NewBatch(domain Domain, points, count int) Batch {
	return Batch{
		Domain: domain,
		Points: points,
		Count:  count,
		Data:   make([]float64, count*domain.Values(points)),
	}
}

// BatchOf returns the batch of functions with the given values, without copying. It panics if the values are not a
// whole number of functions.
func BatchOf(domain Domain, points int, data []float64) Batch {
	values := domain.Values(points)
	if values == 0 || len(data)%values != 0 {
		panic(fmt.Sprintf("grid: %d numbers are no functions on %s", len(data), domain.Grid(points)))
	}
	return Batch{
		Domain: domain,
		Points: points,
		Count:  len(data) / values,
		Data:   data,
	}
}

// Like returns a batch of count zero functions on the grid of b.
func (b Batch) Like(count int) Batch { return NewBatch(b.Domain, b.Points, count) }

// Values returns the number of values of a function.
func (b Batch) Values() int { return b.Domain.Values(b.Points) }

// Shape returns the shape of the array that holds the batch.
func (b Batch) Shape() []int {
	return append([]int{b.Count}, b.Domain.Shape(b.Points)...)
}

// On returns a batch of the same values on another domain, since files do not describe domains completely. The error is
// a *fault.Data that names the batch if no grid of the domain with as many points along the first axis has as many
// values.
func (b Batch) On(domain Domain, what string) (Batch, error) {
	fits := domain.Dims == b.Domain.Dims && domain.Exists(b.Points) &&
		domain.Values(b.Points) == b.Domain.One().Values(b.Points)
	if !fits {
		columns := b.Domain.One().Values(b.Points) / max(1, b.Points)
		wanted := "as many points along both axes"
		if first, second := domain.ratio(); first != second {
			wanted = fmt.Sprintf("a rectangle whose sides are as %d to %d", first, second)
		}
		return Batch{}, fault.Bad(
			what,
			"give an array of shape (count, rows, columns) on such a grid",
			"has %s on %d x %d points, want %s on %s",
			b.Domain.One().Name(), b.Points, columns, domain.One().Name(), wanted,
		)
	}
	b.Domain = domain.With(b.Domain.Width())
	return b, nil
}

// SameGrid reports whether the functions of both batches are on one grid; their channels may differ.
func (b Batch) SameGrid(c Batch) bool {
	return b.Domain.One() == c.Domain.One() && b.Points == c.Points
}

// Split returns the batch of all channels of all functions, as functions with one; it shares memory with b.
func (b Batch) Split() Batch {
	b.Count *= b.Domain.Width()
	b.Domain = b.Domain.One()
	return b
}

// Join returns the batch of functions with channels channels, the inverse of Split; it shares memory with b.
func (b Batch) Join(channels int) Batch {
	if b.Domain.Channels > 1 || b.Count%channels != 0 {
		panic(fmt.Sprintf("grid: %d %s joined to functions with %d channels", b.Count, b.Domain.Name(), channels))
	}
	b.Count /= channels
	b.Domain = b.Domain.With(channels)
	return b
}

// Channel returns the batch of one channel of the functions. It shares memory with b if it is the only channel.
func (b Batch) Channel(c int) Batch {
	if b.Domain.Width() == 1 && c == 0 {
		return b
	}
	one := NewBatch(b.Domain.One(), b.Points, b.Count)
	for i := range b.Count {
		copy(one.At(i), b.Domain.channel(b.At(i), c))
	}
	return one
}

// Of returns channel c of function i, modulo the number of channels; it shares memory with the batch.
func (b Batch) Of(i, c int) []float64 {
	return b.Domain.channel(b.At(i), c%b.Domain.Width())
}

// Stack returns the batch of functions with the channels of all parts, of equal counts on one grid.
func Stack(parts ...Batch) Batch {
	if len(parts) == 1 {
		return parts[0]
	}
	first := parts[0]
	channels := 0
	for _, p := range parts {
		if !p.SameGrid(first) || p.Count != first.Count {
			panic(fmt.Sprintf("grid: %d %s stacked on %d %s",
				p.Count, p.Domain.Name(), first.Count, first.Domain.Name()))
		}
		channels += p.Domain.Width()
	}
	all := NewBatch(first.Domain.With(channels), first.Points, first.Count)
	for i := range all.Count {
		to := all.At(i)
		for _, p := range parts {
			to = to[copy(to, p.At(i)):]
		}
	}
	return all
}

// At returns function i; it shares memory with the batch.
func (b Batch) At(i int) []float64 {
	values := b.Values()
	return b.Data[i*values:][:values]
}

// Restrict keeps every s-th point along each axis, s = (b.Points-1)/(points-1), or the means over the larger cells. The
// error is a *fault.Data if the intervals do not divide. The result is b itself if points == b.Points.
func (b Batch) Restrict(points int) (Batch, error) {
	if points == b.Points {
		return b, nil
	}
	if b.Domain.Scattered() {
		return Batch{}, b.Domain.Elsewhere(points)
	}
	if !b.Domain.Contains(b.Points, points) {
		d := b.Domain
		from := d.Grid(b.Points)
		to := d.Grid(points)
		return Batch{}, &fault.Data{
			Where: "grid",
			What: fmt.Sprintf("%s on %s cannot be restricted to %s: %d intervals do not divide %d",
				d.Name(), from, to, d.Intervals(points), d.Intervals(b.Points)),
			Do: "choose a grid whose intervals divide the data's",
		}
	}
	coarse := NewBatch(b.Domain, points, b.Count)
	for i := range b.Count {
		b.Domain.Sample(coarse.At(i), b.At(i))
	}
	return coarse, nil
}

// Elsewhere returns the error of functions at points of any geometry that are wanted at a number of other points.
func (d Domain) Elsewhere(points int) error {
	return fault.Bad(
		"grid",
		"give functions at these points, in the same order",
		"%s, so that there is none with %d: what lies between points is not known", d.Grid(d.Cloud.Count()), points,
	)
}

// First returns the batch of the first count functions; it shares memory with b.
func (b Batch) First(count int) Batch { return b.Range(0, count) }

// Range returns the batch of count functions from index first on; it shares memory with b.
func (b Batch) Range(first, count int) Batch {
	values := b.Values()
	b.Count = count
	b.Data = b.Data[first*values:][:count*values]
	return b
}

// Take returns the batch of the functions with the given indices, in that order.
func (b Batch) Take(indices []int) Batch {
	taken := b.Like(len(indices))
	for i, j := range indices {
		copy(taken.At(i), b.At(j))
	}
	return taken
}

// Constant reports whether all values of a function are the same.
func Constant(f []float64) bool {
	return !slices.ContainsFunc(f, func(v float64) bool { return v != f[0] })
}

// IsNumber reports whether a channel of all functions is constant, as that of a number is.
func (b Batch) IsNumber(channel int) bool {
	for i := range b.Count {
		if !Constant(b.Of(i, channel)) {
			return false
		}
	}
	return true
}

// Finite reports whether no value is NaN or infinite.
func Finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// LargestModulus returns the largest of the values' moduli; 0 of none, and NaN if one is NaN.
func LargestModulus(values []float64) float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, math.Abs(v)) // several times as fast as math.Max, which floats.Norm calls
	}
	return largest
}

// CheckFinite returns a *fault.Data naming the batch, the function and the point if a value is NaN, infinite or so large
// that its square may be. numbers are the numbers of the functions in the error; nil means their indices in the batch.
func (b Batch) CheckFinite(what string, numbers []int) error {
	i := slices.IndexFunc(b.Data, func(v float64) bool {
		isUsable := math.Abs(v) <= LargestValue // not if it is NaN
		return !isUsable
	})
	if i < 0 {
		return nil
	}
	values := b.Values()
	function := i / values
	if Finite(b.Data[i]) {
		return &fault.Data{
			Where: what,
			What: fmt.Sprintf("function %d has the value %.3g, whose square is not finite in double precision",
				number(numbers, function), b.Data[i]),
			Do: "give values in a larger unit",
		}
	}
	point := i % values
	return &fault.Data{
		Where: what,
		What: fmt.Sprintf("function %d has the value %v at grid point %d of %d",
			number(numbers, function), b.Data[i], point, values),
		Do: "all values must be finite: repair or drop this function",
	}
}

// LargestValue bounds the values of functions, so that sums of their squares are finite.
const LargestValue = 1e150

func number(numbers []int, i int) int {
	if numbers == nil {
		return i
	}
	return numbers[i]
}

// periodicTolerance is the largest difference of the ends of a periodic function, relative to its largest value: single
// precision data are rounded to 6e-8.
const periodicTolerance = 1e-6

// CheckPeriodic returns a *fault.Data naming the batch and the function if, on a periodic domain, its last value along
// an axis does not repeat its first. numbers is as for CheckFinite.
func (b Batch) CheckPeriodic(what string, numbers []int) error {
	if !b.Domain.Periodic {
		return nil
	}
	if channels := b.Domain.Width(); channels > 1 {
		for c := range channels {
			one := fmt.Sprintf("%s, channel %d", what, c+1)
			if err := b.Channel(c).CheckPeriodic(one, numbers); err != nil {
				return err
			}
		}
		return nil
	}
	lines := b.lines()
	for i := range b.Count {
		f := b.At(i)
		largest := LargestModulus(f)
		for _, line := range lines {
			begin := f[line.first]
			end := f[line.last]
			if math.Abs(begin-end) <= periodicTolerance*largest {
				continue
			}
			return &fault.Data{
				Where: what,
				What: fmt.Sprintf("function %d is not periodic: at point %d it begins with %.8g and ends with %.8g along "+
					"axis %d", number(numbers, i), line.first, begin, end, line.axis),
				Do: "the last grid point along an axis must repeat the first; append it if your grid leaves it out",
			}
		}
	}
	return nil
}

// line is one of the grid lines along an axis.
type line struct {
	first int // point
	last  int // point
	axis  int // from 1 on
}

// lines returns all grid lines.
func (b Batch) lines() []line {
	rows, columns := b.Domain.Axes(b.Points)
	all := make([]line, 0, rows+columns)
	if b.Domain.Dims == 2 {
		lastRow := (rows - 1) * columns
		for x := range columns {
			all = append(all, line{first: x, last: lastRow + x, axis: 1})
		}
	}
	for row := range rows {
		first := row * columns
		last := first + columns - 1
		all = append(all, line{first: first, last: last, axis: b.Domain.Dims})
	}
	return all
}

// Mean returns the mean of the functions of a batch.
func (b Batch) Mean() []float64 {
	mean := make([]float64, b.Values())
	for i := range b.Count {
		for x, v := range b.At(i) {
			mean[x] += v / float64(b.Count)
		}
	}
	return mean
}

// Plus returns a copy of the batch with c f added to every function.
func (b Batch) Plus(c float64, f []float64) Batch {
	sum := b.Like(b.Count)
	for i := range b.Count {
		floats.AddScaledTo(sum.At(i), b.At(i), c, f)
	}
	return sum
}

// Minus returns the differences of the functions of two batches on one grid.
func (b Batch) Minus(c Batch) Batch {
	rest := b.Clone()
	floats.Sub(rest.Data, c.Data)
	return rest
}

// Clone returns a copy of the batch with its own values.
func (b Batch) Clone() Batch {
	b.Data = slices.Clone(b.Data)
	return b
}

// mostExponent bounds the powers of two that need no separate unit: squares of such values, and sums of many squares,
// are far from overflow and underflow.
const mostExponent = 400

// Unit returns a power of two: 1, or about the largest value if squares of the values could overflow or vanish.
// Division by it is exact.
func (b Batch) Unit() float64 {
	largest := 0.0
	for _, v := range b.Data {
		size := math.Abs(v)
		if size > largest && !math.IsInf(size, 1) {
			largest = size
		}
	}
	_, exponent := math.Frexp(largest)
	isUsual := -mostExponent <= exponent && exponent <= mostExponent
	if largest == 0 || isUsual {
		return 1
	}
	return math.Ldexp(1, max(exponent, -1000))
}

// Numbers reports whether every function is constant in each channel, as those are that stand for numbers.
func (b Batch) Numbers() bool {
	channels := b.Split()
	for i := range channels.Count {
		values := channels.At(i)
		for _, v := range values {
			if v != values[0] {
				return false
			}
		}
	}
	return true
}

// In returns the functions in units of unit, a power of two: b itself if it is 1, else a copy.
func (b Batch) In(unit float64) Batch {
	if unit == 1 {
		return b
	}
	c := b.Like(b.Count)
	for x, v := range b.Data {
		c.Data[x] = v / unit
	}
	return c
}

// HasEqualSteps reports whether two or more numbers, such as coordinates, differ by equal steps, as far as those tell that are
// written with few digits.
func HasEqualSteps(x []float64) bool {
	const tolerance = 0.02 // of a step: numbers with four digits on fifty points
	last := len(x) - 1
	step := (x[last] - x[0]) / float64(last)
	for i, v := range x {
		difference := math.Abs(v - x[0] - float64(i)*step)
		if !(difference <= tolerance*math.Abs(step)) {
			return false
		}
	}
	return true
}
