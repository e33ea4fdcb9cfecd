// Distances of vectors.

package linalg

import "math"

// RelativeDistance returns |x - y| / |y| in the Euclidean norm, for vectors of the same length.
func RelativeDistance(x, y []float64) float64 {
	difference, norm := 0.0, 0.0
	for i, v := range y {
		difference += (x[i] - v) * (x[i] - v)
		norm += v * v
	}
	return math.Sqrt(difference / norm)
}
