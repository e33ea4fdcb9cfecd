// This file makes features local: the wavenumber filter, and windows of parameters.

package feature

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// localise changes drawn parameters theta_j to
//
//	exp(spread z_j) exp(-d(x)^2/(2 width^2)) theta_j(x),  z_j iid N(0, 1),
//
// where d(x) is the distance of x to 0: periodic, or on a closed domain the Euclidean distance to the corner 0. The
// features multiply with theta in Fourier space: they convolve the input with it, so with a window a feature at x
// depends on the input near x. Amplitudes make features of different strength: z_j is from the stream (seed,
// theta-amplitude, j). A windowed theta has a mean, which does not matter because chi(0) = 0. Width 0 is no window.
func localise(theta grid.Batch, width, spread float64, seed uint64) {
	d := theta.Domain
	rows, columns := d.Axes(theta.Points)
	n := d.Intervals(theta.Points)
	var first, second []float64 // windows along both axes
	if width > 0 {
		first = window(rows, n, width, d)
		second = window(columns, n, width, d)
	}
	for j := range theta.Count {
		f := theta.At(j)
		switch {
		case second == nil: // no window
		case d.Dims == 1:
			floats.Mul(f, second)
		default:
			for x := range f {
				f[x] *= first[x/columns] * second[x%columns]
			}
		}
		if spread > 0 {
			z := draw.Stream(seed, draw.ThetaAmplitude, j).NormFloat64()
			floats.Scale(math.Exp(spread*z), f)
		}
	}
}

// window is the Gaussian at the points of an axis of which n intervals are the unit of length.
func window(points, n int, width float64, domain grid.Domain) []float64 {
	window := make([]float64, points)
	for i := range window {
		steps := float64(i)
		switch {
		case domain.Periodic:
			steps = float64(min(i, points-1-i))
		case domain.Cells:
			steps += 0.5
		}
		d := steps / float64(n) / width
		window[i] = math.Exp(-d * d / 2)
	}
	return window
}

// Filter is the wavenumber filter chi(k) = max(0, min(2r, (r + 1/2)^-beta)), r = 2 pi |k| delta (eq. 3.6 of Nelsen &
// Stuart 2021). chi(0) = 0.
type Filter struct {
	Delta float64 `json:"delta"`
	Beta  float64 `json:"beta"`
}

// AtFrequency returns chi for a wave with the given number of periods in a unit of length, >= 0.
func (f Filter) AtFrequency(frequency float64) float64 {
	r := 2 * math.Pi * frequency * f.Delta
	low := 2 * r
	high := math.Pow(r+0.5, -f.Beta)
	return max(0, min(low, high))
}
