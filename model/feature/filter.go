// This file contains the wavenumber filter chi of the feature maps, which keeps the waves that a feature can resolve.

package feature

import "math"

// Filter is the wavenumber filter chi(k) = max(0, min(2r, (r + 1/2)^-beta)), r = 2 pi |k| delta (eq. 3.6 of Nelsen &
// Stuart 2021). chi(0) = 0.
type Filter struct {
	Delta, Beta float64
}

// AtFrequency returns chi for a wave with the given number of periods in a unit of length, >= 0.
func (f Filter) AtFrequency(frequency float64) float64 {
	r := 2 * math.Pi * frequency * f.Delta
	return max(0, min(2*r, math.Pow(r+0.5, -f.Beta)))
}
