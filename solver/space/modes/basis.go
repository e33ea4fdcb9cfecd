package modes

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// The roles of maps along an axis. The inner grid of a basis has as many cells as there are modes.
const (
	Analysis  = iota // from functions to coefficients
	Synthesis        // back
	Values           // from coefficients to the inner grid
	Slopes           // from coefficients to derivatives there
	Inner            // from functions on the inner grid to coefficients
	Due              // from functions there whose derivative is meant, to coefficients
)

// line holds the maps along an axis, transposed; nil along the first axis of functions of one variable.
type line struct {
	frequencies []float64 // per unit of length
	maps        [Due + 1]*linalg.Panels
}

// newLine returns the maps of count modes; unit is the frequency of half a period.
func newLine(domain grid.Domain, size, count int, f Family, unit float64) line {
	if size == 1 {
		return line{frequencies: []float64{0}}
	}
	axis := Axis(domain)
	all := First(f, count)
	var l line
	for _, m := range all {
		l.frequencies = append(l.frequencies, unit*float64(m.HalfPeriods))
	}
	own, _ := Table(all, Points(axis, size))
	there, slope := Table(all, Points(grid.Domain{Dims: 1, Cells: true}, count))
	slope.Scale(unit, slope)
	equal := slices.Repeat([]float64{1 / float64(count)}, count)
	parts := new(mat.Dense)
	parts.Scale(-1, slope)    // integration by parts
	matrices := []*mat.Dense{ // in the order of the roles
		analysis(own, own, axis.Weights(size)),
		own,
		there,
		slope,
		analysis(there, there, equal),
		analysis(there, parts, equal),
	}
	for role, m := range matrices {
		l.maps[role] = linalg.PanelsOf(m.RawMatrix())
	}
	return l
}

// analysis returns the transposed matrix from values of functions, with quadrature weights, to the factors of modes in
// them, a column each. The inner products are those with the rows of of: the modes, or functions in their place.
func analysis(modes, of *mat.Dense, weights []float64) *mat.Dense {
	count, points := modes.Dims()
	a := mat.NewDense(points, count, nil)
	for k := range count {
		norm := 0.0
		for i, v := range modes.RawRowView(k) {
			norm += weights[i] * v * v
		}
		for i, v := range of.RawRowView(k) {
			a.Set(i, k, weights[i]*v/norm)
		}
	}
	return a
}

// Basis is the products of modes along both axes of a grid, or functions at points of any geometry, see BasisAt.
type Basis [2]line

// NewBasis returns the products of the first modes along each axis.
func NewBasis(domain grid.Domain, points int, counts [2]int, f Family) Basis {
	rows, columns := domain.Axes(points)
	return Basis{
		newLine(domain, rows, counts[0], f, 1),
		newLine(domain, columns, counts[1], f, domain.Frequency(1)),
	}
}

// BasisAt returns a basis of functions at points of any geometry, points x functions, orthonormal by the weights of the
// points. Its inner grid is the points. They have no axes, so that there are no slopes.
func BasisAt(functions *mat.Dense, weights, frequencies []float64) Basis {
	points, count := functions.Dims()
	analysis := mat.NewDense(points, count, nil)
	for x, w := range weights {
		row := analysis.RawRowView(x)
		floats.ScaleTo(row, w, functions.RawRowView(x))
	}
	synthesis := mat.DenseCopyOf(functions.T())
	from := linalg.PanelsOf(analysis.RawMatrix())
	to := linalg.PanelsOf(synthesis.RawMatrix())
	own := line{frequencies: frequencies}
	own.maps[Analysis] = from
	own.maps[Synthesis] = to
	own.maps[Values] = to
	own.maps[Inner] = from
	noAxis := line{frequencies: []float64{0}}
	return Basis{noAxis, own}
}

// Map returns the map of a role along both axes.
func (b Basis) Map(role int) Map { return Map{b[0].maps[role], b[1].maps[role]} }

// Mixed returns the map of a role, but another one along an axis.
func (b Basis) Mixed(role, axis, other int) Map {
	m := b.Map(role)
	m[axis] = b[axis].maps[other]
	return m
}

// Gaussian returns the factors of coefficients that smooth a function by a Gaussian, whose width is a frequency.
func (b Basis) Gaussian(width float64) (factors []float64) {
	for _, p := range b[0].frequencies {
		for _, q := range b[1].frequencies {
			square := p*p + q*q
			factors = append(factors, math.Exp(-square/(2*width*width)))
		}
	}
	return factors
}
