// This file makes features local: the wavenumber filter, and windows of parameters.

package feature

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/draw"
	"rfm/solver/grid"
)

// locality changes drawn parameters theta_j to
//
//	exp(Spread z_j) exp(-d(x)^2/(2 Width^2)) theta_j(x),  z_j iid N(0, 1),
//
// where d(x) is the distance of x to 0. The features multiply with theta in Fourier space: they convolve the input with
// it, so with a window a feature at x depends on the input near x. Amplitudes make features of different strength. A
// windowed theta has a mean, which does not matter because chi(0) = 0. The zero locality changes nothing.
type locality struct {
	Width  float64 // standard deviation of the Gaussian window, > 0; 0: no window
	Spread float64 // standard deviation of the logarithm of the amplitude, >= 0
}

// Apply changes functions, d the distance on the domain: periodic, or on a closed domain the Euclidean distance to the
// corner 0. Function j of theta has index j: z_j is from the stream (seed, theta-amplitude, j).
func (l locality) Apply(theta grid.Batch, seed uint64) {
	d := theta.Domain
	rows, columns := d.Axes(theta.Points)
	n := d.Intervals(theta.Points)
	first, second := l.window(rows, n, d), l.window(columns, n, d)
	for j := range theta.Count {
		f := theta.At(j)
		switch {
		case second == nil:
		case d.Dims == 1:
			floats.Mul(f, second)
		default:
			for x := range f {
				f[x] *= first[x/columns] * second[x%columns]
			}
		}
		if l.Spread == 0 {
			continue
		}
		floats.Scale(math.Exp(l.Spread*draw.Stream(seed, draw.ThetaAmplitude, j).NormFloat64()), f)
	}
}

// window is the Gaussian at the points of an axis of which n intervals are the unit of length; nil without a window.
func (l locality) window(points, n int, domain grid.Domain) []float64 {
	if l.Width == 0 {
		return nil
	}
	window := make([]float64, points)
	for i := range window {
		steps := float64(i)
		switch {
		case domain.Periodic:
			steps = float64(min(i, points-1-i))
		case domain.Cells:
			steps += 0.5
		}
		d := steps / float64(n) / l.Width
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
	return max(0, min(2*r, math.Pow(r+0.5, -f.Beta)))
}
