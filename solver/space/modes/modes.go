// Package modes defines the functions of one variable whose products, one factor for each axis, expand functions on
// every domain: Fourier modes on periodic domains, else cosines or sines. Bench applies linear maps of fields, such as
// those between values and coefficients.
package modes

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Family is an orthonormal family of modes.
type Family int

// The families. An axis has length 1.
const (
	Fourier Family = iota // 1, cos 2 pi x, sin 2 pi x, cos 4 pi x, ...
	Cosine                // 1, cos pi x, cos 2 pi x, ...: their slopes vanish at both ends
	Sine                  // sin pi x, sin 2 pi x, ...: they vanish at both ends
)

// Mode is the cosine, or the sine, of pi HalfPeriods x, with mean square 1.
type Mode struct {
	HalfPeriods int
	Sine        bool
}

// First returns the modes of lowest frequency, in ascending order.
func First(f Family, count int) []Mode {
	all := make([]Mode, count)
	for i := range all {
		switch f {
		case Fourier:
			isSine := i > 0 && i%2 == 0
			all[i] = Mode{HalfPeriods: 2 * ((i + 1) / 2), Sine: isSine}
		case Cosine:
			all[i] = Mode{HalfPeriods: i}
		case Sine:
			all[i] = Mode{HalfPeriods: i + 1, Sine: true}
		}
	}
	return all
}

// At returns the value and the slope at x.
func (m Mode) At(x float64) (value, slope float64) {
	if m.HalfPeriods == 0 {
		return 1, 0
	}
	frequency := math.Pi * float64(m.HalfPeriods)
	sin, cos := math.Sincos(frequency * x)
	if m.Sine {
		return math.Sqrt2 * sin, math.Sqrt2 * cos * frequency
	}
	return math.Sqrt2 * cos, -math.Sqrt2 * sin * frequency
}

// Table returns the values and the slopes of modes at points, a row for each mode.
func Table(all []Mode, points []float64) (values, slopes *mat.Dense) {
	values = mat.NewDense(len(all), len(points), nil)
	slopes = mat.NewDense(len(all), len(points), nil)
	for k, m := range all {
		for i, x := range points {
			value, slope := m.At(x)
			values.Set(k, i, value)
			slopes.Set(k, i, slope)
		}
	}
	return values, slopes
}

// Axis returns an axis of a domain as a domain of its own, of length 1.
func Axis(domain grid.Domain) grid.Domain {
	return grid.Domain{
		Dims:     1,
		Periodic: domain.Periodic,
		Cells:    domain.Cells,
	}
}

// Points returns the points of a grid on an axis.
func Points(axis grid.Domain, count int) []float64 {
	x := make([]float64, count)
	intervals := float64(axis.Intervals(count))
	shift := 0.0
	if axis.Cells {
		shift = 0.5
	}
	for i := range x {
		x[i] = (float64(i) + shift) / intervals
	}
	return x
}

// Pack adds a coefficient of the real sequence l to a block of package fft: the sequences l and l + fft.Lanes are the
// real and the imaginary part of one complex sequence.
func Pack(block []float64, l int, re, im float64) {
	if l < fft.Lanes {
		block[l] += re
		block[fft.Lanes+l] += im
		return
	}
	block[l-fft.Lanes] -= im
	block[l] += re
}

// Map is a linear map of fields, f -> down f across'. Both parts are transposed; there is no first one for functions of
// one variable.
type Map [2]*linalg.Panels

// Bench is the working memory of one worker. It is used again for each input and so stays in the cache: with new memory
// many inputs take up to twice as long.
type Bench struct {
	fields   map[size]*linalg.Panels // by their sizes
	products map[size]*linalg.Rectangle
	memory   []float64
	used     int
}

// size is that of a matrix.
type size struct{ rows, columns int }

// NewBench returns a Bench that grows with its use.
func NewBench() *Bench {
	return &Bench{
		fields:   map[size]*linalg.Panels{},
		products: map[size]*linalg.Rectangle{},
	}
}

// Take returns n arbitrary numbers, which are the caller's until Release.
func (b *Bench) Take(n int) []float64 {
	b.used += n
	if b.used > len(b.memory) {
		b.memory = make([]float64, 2*b.used)
	}
	return b.memory[b.used-n : b.used : b.used]
}

// Used returns a mark for Release, which gives back all that was taken after it.
func (b *Bench) Used() int        { return b.used }
func (b *Bench) Release(mark int) { b.used = mark }

// Apply returns the maps of several fields, which lie one after the other.
func (b *Bench) Apply(fields []float64, m Map) []float64 {
	if m[0] == nil {
		return b.turned(fields, m[1], 1)
	}
	alongLast := b.turned(fields, m[1], m[0].Rows())
	return b.turned(alongLast, m[0], m[1].Cols())
}

// turned applies a map along the last axis of fields with the given number of rows, and exchanges their axes. Each
// number is computed alike for any number of fields.
func (b *Bench) turned(fields []float64, m *linalg.Panels, rows int) []float64 {
	from := m.Rows()
	to := m.Cols()
	lines := len(fields) / from
	packed := b.fields[size{from, lines}]
	if packed == nil {
		packed = linalg.NewPanels(from, lines)
		b.fields[size{from, lines}] = packed
	}
	product := b.products[size{to, lines}]
	if product == nil {
		product = linalg.NewRectangle(to, lines)
		b.products[size{to, lines}] = product
	}
	packed.SetColumns(fields)
	for q := range to {
		clear(product.Row(q))
	}
	_ = product.AddProduct(context.Background(), m, packed, from, 1) // too short to be cancelled
	turned := b.Take(lines * to)
	for q := range to {
		row := product.Row(q)
		for first := 0; first < lines; first += rows {
			field := turned[first*to:]
			copy(field[q*rows:], row[first:first+rows])
		}
	}
	return turned
}
