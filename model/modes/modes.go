// Package modes defines the functions of one variable whose products, one factor for each axis, expand functions on
// every domain: Fourier modes on periodic domains, else cosines or sines.
package modes

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/grid"
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
			all[i] = Mode{2 * ((i + 1) / 2), i > 0 && i%2 == 0}
		case Cosine:
			all[i] = Mode{i, false}
		case Sine:
			all[i] = Mode{i + 1, true}
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
	values, slopes = mat.NewDense(len(all), len(points), nil), mat.NewDense(len(all), len(points), nil)
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
	return grid.Domain{Dims: 1, Periodic: domain.Periodic, Cells: domain.Cells}
}

// Points returns the points of a grid on an axis.
func Points(axis grid.Domain, count int) []float64 {
	x, shift := make([]float64, count), 0.0
	if axis.Cells {
		shift = 0.5
	}
	for i := range x {
		x[i] = (float64(i) + shift) / float64(axis.Intervals(count))
	}
	return x
}

// Complete writes a function from its values at the distinct points, which are stride numbers apart.
func Complete(d grid.Domain, f, values []float64, stride int) {
	_, columns := d.Axes(d.PointsOf(f))
	distinct := columns
	if d.Periodic {
		distinct--
	}
	for at := range len(values) / stride {
		f[at/distinct*columns+at%distinct] = values[at*stride]
	}
	if d.Periodic {
		d.Wrap(f)
	}
}
