// Package resample resamples functions on grids that their grid does not contain, by trigonometric interpolation.
//
// Where the target grid is contained, that is, its intervals divide, the values are copied bit for bit by
// grid.Batch.Restrict: the interpolant agrees with them. Between grid points the interpolant is the sum of the
// function's discrete modes; modes that the target grid does not distinguish alias, as they do when values are copied.
package resample

import (
	"fmt"

	"rfm/solver/base/fault"
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// To returns the functions on the grid with points points along the first axis: the values of their interpolants
//
//	p(x) = sum_k c_k exp(2 pi i k x),  |k| <= N/2,              for periodic functions, k.x and both |k_i| <= N_i/2 for fields,
//	p(x) = sum_{k = 0 ... N} c_k cos(pi k x)                    for functions on an interval, k < N at cell centres,
//	p(x, y) = sum_{k,l = 0 ... N} c_kl cos(pi k x) cos(pi l y)  for fields, the same along both axes of a rectangle,
//
// with N intervals or cells along an axis and the discrete coefficients of the function. The coefficient of the Nyquist
// frequency of a periodic function, if N is even, is split equally between N/2 and -N/2, which keeps p real. Its last
// value repeats the first and is not read. Other functions are continued evenly across the edges. N may be odd. The
// error is a *fault.Data if one of the grids has fewer than 3 points along an axis, or does not exist. If b's grid
// contains the target grid, the result is b.Restrict(points).
func To(b grid.Batch, points int) (grid.Batch, error) {
	if b.Domain.Scattered() {
		return b.Restrict(points)
	}
	if points < 3 || b.Points < 3 || !b.Domain.Exists(points) {
		d := b.Domain
		return grid.Batch{}, &fault.Data{
			Where: "grid",
			What: fmt.Sprintf("%s on %s cannot be taken to %s: both grids need 3 points along an axis and the same ratio "+
				"of intervals", d.Name(), d.Grid(b.Points), d.Grid(points)),
			Do: fmt.Sprintf("choose %s of at least 3", d.Symbol()),
		}
	}
	if b.Domain.Contains(b.Points, points) {
		return b.Restrict(points)
	}
	return interpolate(b, points, true), nil
}

// Low returns the functions on a coarser grid without the modes that To would let alias. For other grids it calls To.
// It returns the errors of To.
func Low(b grid.Batch, points int) (grid.Batch, error) {
	if points < 3 || points >= b.Points || !b.Domain.Exists(points) {
		return To(b, points)
	}
	return interpolate(b, points, false), nil
}

// interpolate goes through the modes, whether the grids divide or not; modes too short for the grid alias or are
// omitted.
func interpolate(b grid.Batch, points int, alias bool) grid.Batch {
	switch {
	case b.Domain.Width() > 1:
		return interpolate(b.Split(), points, alias).Join(b.Domain.Width())
	case !b.Domain.Periodic:
		return interpolateClosed(b, points, alias)
	case b.Domain.Dims == 1:
		return interpolatePeriodic(b, points, alias)
	}
	return interpolatePeriodicFields(b, points, alias)
}

func interpolatePeriodic(b grid.Batch, K int, alias bool) grid.Batch {
	N := b.Points - 1
	n := K - 1
	analysis := fft.On(0, N)
	synthesis := fft.On(0, n)
	shares := periodicShares(analysis, synthesis, alias)
	result := grid.NewBatch(b.Domain, K, b.Count)
	const stride = 2 * fft.Lanes       // of positions in a block
	spectrum := make([]float64, 2*N)   // of one function
	block := make([]float64, stride*n) // of as many functions as there are lanes
	for first := 0; first < b.Count; first += fft.Lanes {
		clear(block)
		lanes := min(fft.Lanes, b.Count-first)
		for l := range lanes {
			function := b.At(first + l)[:N]
			analysis.Spectrum(spectrum, function)
			for _, s := range shares {
				re := spectrum[2*s.from]
				im := spectrum[2*s.from+1]
				z := block[stride*s.to+l:]
				z[0] += s.weight * re
				z[fft.Lanes] += s.weight * im
			}
		}
		synthesis.Inverse(block) // imaginary parts are zero up to rounding
		for l := range lanes {
			b.Domain.Complete(result.At(first+l), block[l:], stride)
		}
	}
	return result
}

// interpolatePeriodicFields interpolates along one axis and then along the other.
func interpolatePeriodicFields(b grid.Batch, r int, alias bool) grid.Batch {
	result := grid.NewBatch(b.Domain, r, b.Count)
	rows, columns := b.Domain.Axes(b.Points)
	newRows, newColumns := b.Domain.Axes(r)
	for i := range b.Count {
		turned := interpolateRows(b.At(i), columns, newColumns, alias)
		back := interpolateRows(turned, rows, newRows, alias)
		copy(result.At(i), back)
	}
	return result
}

// interpolateRows interpolates rows of from points at to points, and exchanges rows and columns.
func interpolateRows(rows []float64, from, to int, alias bool) []float64 {
	coarse := grid.BatchOf(grid.Torus, from, rows)
	fine := interpolatePeriodic(coarse, to, alias)
	columns := make([]float64, 0, len(fine.Data))
	for j := range to {
		for i := range fine.Count {
			columns = append(columns, fine.At(i)[j])
		}
	}
	return columns
}

// share is the part of a mode that belongs to a mode of the target grid.
type share struct {
	from   int // position of the mode
	to     int // position of the mode of the target grid
	weight float64
}

// periodicShares maps the modes of one grid to modes of another, with the normalisation of the transforms.
func periodicShares(analysis, synthesis *fft.Plan, alias bool) []share {
	N := analysis.N()
	n := synthesis.N()
	positions := make([]int, n) // of frequency k mod n
	for p, k := range synthesis.Frequencies() {
		positions[(k[0]+n)%n] = p
	}
	position := func(k int) int { return positions[(k%n+n)%n] }
	var shares []share
	add := func(from, k int, part float64) {
		shares = append(shares, share{
			from:   from,
			to:     position(k),
			weight: part / float64(N),
		})
	}
	for p, frequency := range analysis.Frequencies() {
		k := frequency[0]
		isTooShort := 2*max(k, -k) >= n // for the grid
		isNyquist := 2*k == N
		switch {
		case isTooShort && !alias:
		case isNyquist:
			add(p, k, 0.5)
			add(p, -k, 0.5)
		default:
			add(p, k, 1)
		}
	}
	return shares
}
