package grf

import (
	"math"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// End says what draws satisfy at an end of the unit interval.
type End int

// The kinds of ends.
const (
	Free End = iota // the derivative is zero
	Held            // the value is zero
)

// Between returns draws of functions of one variable whose Karhunen-Loeve functions are the eigenfunctions of -d^2/dx^2
// with the given ends, without a mean. Eigenvalues depend on the wavenumber as for periodic functions.
func (m Measure) Between(left, right End, points int) Draws {
	s := endSampler{points: points}
	for k := range points - 1 {
		wave := waveBetween(left, right, k)
		if wave == 0 {
			continue
		}
		lambda := math.Exp((2*m.Alpha-1)*math.Log(m.Tau) - m.Alpha*math.Log(wave*wave+m.Tau*m.Tau))
		amplitude := math.Sqrt(2 * lambda)
		if m.Scale != 0 {
			amplitude *= m.Scale
		}
		mode := make([]float64, points)
		for i := range mode {
			mode[i] = amplitude * modeBetween(left, wave, float64(i)/float64(points-1))
		}
		s.modes = append(s.modes, mode)
	}
	return s
}

// waveBetween returns the wavenumber of mode k.
func waveBetween(left, right End, k int) float64 {
	switch {
	case left != right:
		return math.Pi * (float64(k) + 0.5)
	case left == Held:
		return math.Pi * float64(k+1)
	}
	return math.Pi * float64(k)
}

// modeBetween returns an eigenfunction at x.
func modeBetween(left End, wave, x float64) float64 {
	if left == Held {
		return math.Sin(wave * x)
	}
	return math.Cos(wave * x)
}

// Interpolation returns the matrix, len(to) x points and row-major, that evaluates functions on the grid of the unit
// interval at other places, exactly if they are sums of the first eigenfunctions with the given ends.
func Interpolation(left, right End, points int, to []float64) []float64 {
	N := points - 1
	matrix := make([]float64, len(to)*points)
	for k := range points {
		wave := waveBetween(left, right, k)
		if left != right && k == N || left == Held && right == Held && k >= N-1 {
			break
		}
		weight := 2 / float64(N)
		if left == Free && right == Free && (k == 0 || k == N) {
			weight = 1 / float64(N)
		}
		for i := range points {
			w := weight * modeBetween(left, wave, float64(i)/float64(N))
			if i == 0 || i == N {
				w /= 2
			}
			for j, x := range to {
				matrix[j*points+i] += w * modeBetween(left, wave, x)
			}
		}
	}
	return matrix
}

// endSampler evaluates draws between two ends. It is immutable and safe for concurrent use.
type endSampler struct {
	points int
	modes  [][]float64 // times their amplitudes, on the grid
}

// Draw implements Draws.
func (s endSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	for row := range dst.Count {
		stream := draw.Stream(seed, purpose, first+row)
		values := dst.At(row)
		clear(values)
		for _, mode := range s.modes {
			c := stream.NormFloat64()
			for i, v := range mode {
				values[i] += c * v
			}
		}
	}
}
