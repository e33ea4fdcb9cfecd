// This file is the waves that continue functions beyond the boundary of a closed domain, for corrections.

package method

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

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

// waveLine is the waves along an axis that continue one way: sqrt2 sin or cos of pi k x, a row each.
type waveLine struct {
	frequencies    []float64  // on the unit of length
	own            *mat.Dense // values on the grid of the functions
	analysis       *mat.Dense // gives their coefficients
	values, slopes *mat.Dense // on the inner grid: as many cells as waves
	// give the coefficients of functions there, and of derivatives of such with the other parity
	inner, innerDue *mat.Dense
}

// continued is those of both axes.
type continued [2]waveLine

func newContinued(domain grid.Domain, points int, modes [2]int, odd bool) continued {
	rows, columns := domain.Axes(points)
	return continued{newWaveLine(domain, rows, modes[0], odd, 1),
		newWaveLine(domain, columns, modes[1], odd, domain.Frequency(1))}
}

// newWaveLine has so many waves; unit is the frequency of one of half a period. Functions of one variable have one row.
func newWaveLine(domain grid.Domain, points, count int, odd bool, unit float64) waveLine {
	if points == 1 {
		one := mat.NewDense(1, 1, []float64{1})
		return waveLine{[]float64{0}, one, one, one, mat.NewDense(1, 1, nil), one, mat.NewDense(1, 1, nil)}
	}
	axis := grid.Domain{Dims: 1, Cells: domain.Cells}
	weights, shift, first := axis.Weights(points), 0.0, 0
	if domain.Cells {
		shift = 0.5
	}
	if odd {
		first = 1
	}
	table := func(points int, at func(i int) float64, slope bool) *mat.Dense {
		w := mat.NewDense(count, points, nil)
		for k := range count {
			for i := range points {
				sin, cos := math.Sincos(math.Pi * float64(k+first) * at(i))
				v := math.Sqrt2 * cos
				switch frequency := math.Pi * unit * float64(k+first); {
				case odd && slope:
					v *= frequency
				case slope:
					v = -math.Sqrt2 * sin * frequency
				case odd:
					v = math.Sqrt2 * sin
				case k == 0:
					v = 1
				}
				w.Set(k, i, v)
			}
		}
		return w
	}
	own := func(i int) float64 { return (float64(i) + shift) / float64(axis.Intervals(points)) }
	cell := func(i int) float64 { return (float64(i) + 0.5) / float64(count) }
	l := waveLine{own: table(points, own, false), values: table(count, cell, false), slopes: table(count, cell, true)}
	analysed := func(of, by *mat.Dense, weight func(i int) float64) *mat.Dense {
		a := mat.DenseCopyOf(by)
		for k := range count {
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
	l.analysis = analysed(l.own, l.own, func(i int) float64 { return weights[i] })
	l.inner = analysed(l.values, l.values, func(int) float64 { return 1 / float64(count) })
	l.innerDue = analysed(l.values, l.slopes, func(int) float64 { return 1 / float64(count) })
	l.innerDue.Scale(-1, l.innerDue) // by parts
	for k := range count {
		l.frequencies = append(l.frequencies, unit*float64(k+first))
	}
	return l
}

// smoothed takes functions on their own grid to values, or slopes, on the inner one, smoothed by a Gaussian.
func (l waveLine) smoothed(to *mat.Dense, width float64) *mat.Dense {
	filtered := mat.DenseCopyOf(l.analysis)
	for k, f := range l.frequencies {
		floats.Scale(math.Exp(-f*f/(2*width*width)), filtered.RawRowView(k))
	}
	var m mat.Dense
	m.Mul(to.T(), filtered)
	return &m
}
