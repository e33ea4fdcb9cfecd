// This file contains the bases of the coefficients of corrections. Waves continue functions beyond the boundary of a
// closed domain.

package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/modes"
	"rfm/solver/grid"
)

// axes is a linear map of fields, the product of one along each axis: f -> down f across'.
type axes struct{ down, across *mat.Dense }

func (x axes) of(f mat.Matrix) *mat.Dense {
	var half, whole mat.Dense
	half.Mul(x.down, f)
	whole.Mul(&half, x.across.T())
	return &whole
}

// The bases in which the coefficients of a correction are numbers. A feature is multiplied by one number for each basis
// function: waves convolve it, points multiply it by a function.
const (
	inSines   = "sines"
	inCosines = "cosines"
	inFourier = "fourier" // of periodic functions of one variable: a convolution has two numbers for each frequency
	inPoints  = "points"
)

// basisLine is a basis along an axis, a row for each of its functions, and the waves that smooth functions.
type basisLine struct {
	frequencies    []float64  // of the waves, per unit of length
	analysis       *mat.Dense // maps functions on the grid to their coefficients
	values, slopes *mat.Dense // of the waves on the inner grid: as many cells as the basis has functions, or the points
	target         *mat.Dense // maps functions on the grid to coefficients in the basis
	own            *mat.Dense // values of the basis on that grid
	// map functions on the inner grid, and derivatives of such with the other parity, to coefficients
	inner, innerDue *mat.Dense
}

// continued holds the bases along both axes.
type continued [2]basisLine

func newContinued(domain grid.Domain, size int, modes [2]int, basis string) continued {
	rows, columns := domain.Axes(size)
	return continued{newBasisLine(domain, rows, modes[0], basis, 1),
		newBasisLine(domain, columns, modes[1], basis, domain.Frequency(1))}
}

// families maps a basis to its modes; all modes that the grid resolves smooth points.
var families = map[string]modes.Family{inSines: modes.Sine, inCosines: modes.Cosine, inFourier: modes.Fourier}

// newBasisLine returns a basis with count functions; unit is the frequency of half a period. Functions of one variable
// have one row.
func newBasisLine(domain grid.Domain, size, count int, basis string, unit float64) basisLine {
	if size == 1 {
		one, zero := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil)
		return basisLine{[]float64{0}, one, one, zero, one, one, one, zero}
	}
	axis := modes.Axis(domain)
	weights, resolved := axis.Weights(size), count
	if basis == inPoints {
		if resolved = size; domain.Periodic {
			resolved = (size-2)/2*2 + 1
		}
	}
	family, ok := families[basis]
	if !ok {
		family = modes.Natural(domain)
	}
	waves := modes.First(family, resolved)
	table := func(points []float64) (values, slopes *mat.Dense) {
		values, slopes = mat.NewDense(len(waves), len(points), nil), mat.NewDense(len(waves), len(points), nil)
		for k, w := range waves {
			for i, x := range points {
				value, slope := w.At(x)
				values.Set(k, i, value)
				slopes.Set(k, i, slope*unit)
			}
		}
		return values, slopes
	}
	analysed := func(of, by *mat.Dense, weight func(i int) float64) *mat.Dense {
		a := mat.DenseCopyOf(by)
		for k := range waves {
			norm := 0.0
			for i, v := range of.RawRowView(k) {
				norm += weight(i) * v * v
			}
			for i, v := range a.RawRowView(k) {
				a.Set(k, i, weight(i)*v/norm)
			}
		}
		return a
	}
	own, cells := modes.Points(axis, size), modes.Points(grid.Domain{Dims: 1, Cells: true}, count)
	var l basisLine
	for _, w := range waves {
		l.frequencies = append(l.frequencies, unit*float64(w.HalfPeriods))
	}
	onGrid, _ := table(own)
	l.analysis = analysed(onGrid, onGrid, func(i int) float64 { return weights[i] })
	if basis == inPoints {
		identity := mat.NewDense(size, size, nil)
		for i := range size {
			identity.Set(i, i, 1)
		}
		l.values, l.slopes = table(own)
		l.target, l.own, l.inner, l.innerDue = identity, identity, identity, identity
		return l
	}
	l.values, l.slopes = table(cells)
	l.target, l.own = l.analysis, onGrid
	l.inner = analysed(l.values, l.values, func(int) float64 { return 1 / float64(count) })
	l.innerDue = analysed(l.values, l.slopes, func(int) float64 { return 1 / float64(count) })
	l.innerDue.Scale(-1, l.innerDue) // integration by parts
	return l
}

// smoothed maps functions on their own grid to values, or slopes, on the inner grid, smoothed by a Gaussian.
func (l basisLine) smoothed(to *mat.Dense, width float64) *mat.Dense {
	filtered := mat.DenseCopyOf(l.analysis)
	for k, f := range l.frequencies {
		floats.Scale(math.Exp(-f*f/(2*width*width)), filtered.RawRowView(k))
	}
	var m mat.Dense
	m.Mul(to.T(), filtered)
	return &m
}
