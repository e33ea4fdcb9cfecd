// This file contains the waves of a domain as a basis of functions.

package method

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/modes"
	"rfm/solver/grid"
)

// mostFrequencies bounds the number of waves, the lowest frequencies, to those of a 16 x 16 grid.
const mostFrequencies = 256

// newFrequencies describes functions by their coefficients in the waves of lowest frequency, orthonormal in L2: sines
// and cosines of 2 pi k x on a periodic domain, else the cosines of pi k x; separately in each channel. The error is a
// *fault.Data if all functions are the same.
func newFrequencies(functions grid.Batch, weights []float64) (*basis, error) {
	domain := functions.Domain
	rows, columns := domain.Axes(functions.Points)
	b := newBasis(functions, weights)
	down, across := lines(domain, rows), lines(domain, columns)
	type wave struct {
		frequency   float64
		down, along int
	}
	var all []wave
	for i, d := range down {
		for j, a := range across {
			all = append(all, wave{math.Hypot(float64(d.frequency), domain.Frequency(a.frequency)), i, j})
		}
	}
	slices.SortStableFunc(all, func(v, w wave) int { return cmp.Compare(v.frequency, w.frequency) })
	count := min(len(all), mostFrequencies)
	// both waves of a pair that exchange the axes, or none
	for count < len(all) && all[count-1].frequency == all[count].frequency {
		count--
	}
	all = all[:count]
	channels, values := domain.Width(), max(1, rows)*columns
	b.modes = mat.NewDense(len(weights), channels*len(all), nil)
	for k, w := range all {
		for c := range channels {
			b.frequencies = append(b.frequencies, w.frequency)
			for x, root := range b.root[c*values : (c+1)*values] {
				b.modes.Set(c*values+x, k*channels+c, root*down[w.down].values[x/columns]*across[w.along].values[x%columns])
			}
		}
	}
	coefficients := b.coefficients(functions)
	b.variances = make([]float64, channels*len(all))
	largest := 0.0
	for i := range functions.Count {
		for k, c := range coefficients.RawRowView(i) {
			b.variances[k] += c * c / float64(functions.Count)
			largest = max(largest, b.variances[k])
		}
	}
	if largest <= leastVariance*leastVariance*b.square() {
		return nil, sameInputs()
	}
	return b, nil
}

// line is a wave along one axis, with mean square 1 by the quadrature of that axis.
type line struct {
	frequency int
	values    []float64
}

// lines returns as many waves as an axis has distinct points.
func lines(domain grid.Domain, points int) []line {
	if points == 1 { // the second axis of functions of one variable
		return []line{{0, []float64{1}}}
	}
	axis, count := modes.Axis(domain), points
	if domain.Periodic {
		count = axis.Intervals(points)
	}
	all, waves := make([]line, count), modes.First(modes.Natural(domain), count)
	table, _ := modes.Table(waves, modes.Points(axis, points))
	for k, wave := range waves {
		values := table.RawRowView(k)
		floats.Scale(1/math.Sqrt(axis.Inner(values, values)), values)
		if all[k] = (line{wave.HalfPeriods, values}); domain.Periodic {
			all[k].frequency /= 2
		}
	}
	return all
}
