package engine

import (
	"math"

	"rfm/solver/grid"
)

// observedSide is the number of points along an axis of a field that contribute to its norm.
const observedSide = 65

// moments is the count, the sum and the sum of squares of numbers.
type moments struct {
	count        int
	sum, squares float64
}

func (m *moments) add(x float64) {
	m.count++
	m.sum += x
	m.squares += x * x
}

func (m moments) amplitudes() Amplitudes {
	if m.count == 0 {
		return Amplitudes{}
	}
	mean := m.sum / float64(m.count)
	return Amplitudes{Count: m.count, Mean: mean, Spread: math.Sqrt(max(0, m.squares/float64(m.count)-mean*mean))}
}

// norms returns the L2 norms of functions; those of fields are approximate.
func norms(of grid.Batch) []float64 {
	_, columns := of.Domain.Axes(of.Points)
	all := make([]float64, of.Count)
	for i := range all {
		if of.Domain == grid.Torus {
			all[i] = of.Domain.Norm(of.At(i))
		} else {
			all[i] = fieldNorm(of.At(i), columns)
		}
	}
	return all
}

// fieldNorm approximates the L2 norm of a row-major field by the mean over some of its points.
func fieldNorm(f []float64, columns int) float64 {
	stride, sum, count := max(1, (columns-1)/(observedSide-1)), 0., 0
	for y := 0; y < len(f); y += stride * columns {
		for x := 0; x < columns; x += stride {
			sum += f[y+x] * f[y+x]
			count++
		}
	}
	return math.Sqrt(sum / float64(count))
}
