package grf

import (
	"fmt"
	"math"
	"math/rand/v2"

	"rfm/solver/base/draw"
	"rfm/solver/num/trig"
	"rfm/solver/space/grid"
)

// Amplitude returns A_k = w_k tau^(alpha-d/2) (pi^2 |k|^2 + tau^2)^(-alpha/2), the standard deviation of the
// coefficient of cos(pi k1 x1) cos(pi k2 x2), with w_k = 2 if both indices are positive, Axis if one is, and 0 for the
// constant; on an interval sqrt2. |k|^2 = k1^2 + (k2/L)^2.
func (m Measure) Amplitude(k1, k2 int) float64 {
	d := m.Space
	weight := 2.0
	switch {
	case k1 == 0 && k2 == 0:
		return 0
	case d.Dims == 1:
		weight = math.Sqrt2
	case k1 == 0 || k2 == 0:
		weight = m.Axis
	}
	square := math.Pi * math.Pi * float64(k1*k1+k2*k2)
	if d.Aspect != (grid.Aspect{}) {
		frequency := d.Frequency(k2)
		square = math.Pi * math.Pi * (float64(k1*k1) + frequency*frequency)
	}
	return weight * math.Exp(m.logDeviation(d.Dims, square))
}

// neumannSampler evaluates draws of a Neumann measure on one grid. It is immutable and safe for concurrent use.
type neumannSampler struct {
	rows, columns int
	series        *trig.Series
	factors       []float64 // A_k over the weights of the transform, [k1][k2]
}

// newNeumannSampler prepares draws on the grid with points >= 3 points along the first axis. The sum has all modes of
// the grid, 0 <= k < r along an axis of r points, without the constant.
func newNeumannSampler(m Measure, points int) *neumannSampler {
	d := m.Space
	if points < 3 || !(m.Tau > 0) {
		panic(fmt.Sprintf("grf: grid of %s, tau = %g", d.Grid(points), m.Tau))
	}
	rows, columns := d.Axes(points)
	s := &neumannSampler{
		rows:    rows,
		columns: columns,
		factors: make([]float64, rows*columns),
		series:  trig.NewSeries(rows, columns, d.Cells),
	}
	end := func(k, r int) float64 {
		switch {
		case r == 1:
			return 1
		case k == 0 || k == r-1 && !d.Cells:
			return 2
		}
		return 1
	}
	for k1 := range rows {
		row := s.factors[k1*columns:][:columns]
		endOfRows := end(k1, rows)
		for k2 := range row {
			row[k2] = m.Amplitude(k1, k2) * endOfRows * end(k2, columns)
		}
	}
	return s
}

// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst, on the grid of
// the sampler. Function i takes its coefficients from draw.Stream(seed, purpose, i) by shells max(k1, k2) = 1, 2, ...,
// so on a finer grid it is the same function with more modes.
func (s *neumannSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	if dst.Values() != len(s.factors) {
		panic(fmt.Sprintf("grf: batch of functions with %d values, sampler on %d x %d points",
			dst.Values(), s.rows, s.columns))
	}
	for i := range dst.Count {
		field := dst.At(i)
		stream := draw.Stream(seed, purpose, first+i)
		shells(field, s.rows, s.columns, stream)
		s.sum(field, field)
	}
}

// sum sets dst to the function with the coefficients xi, which may be dst. That of the constant has no effect.
func (s *neumannSampler) sum(dst, xi []float64) {
	for k, c := range s.factors {
		dst[k] = c * xi[k]
	}
	s.series.Sum(dst, dst)
}

// shells fills the coefficients with normal numbers, in the order of max(k1, k2). It draws and discards the numbers of
// modes beyond the shorter axis.
func shells(xi []float64, rows, columns int, stream *rand.Rand) {
	if rows == 1 {
		for k := 1; k < columns; k++ {
			xi[k] = stream.NormFloat64()
		}
		xi[0] = 0
		return
	}
	put := func(k, l int) {
		v := stream.NormFloat64()
		if k < rows && l < columns {
			xi[k*columns+l] = v
		}
	}
	xi[0] = 0
	for k := 1; k < max(rows, columns); k++ {
		for l := range k {
			put(k, l)
			put(l, k)
		}
		put(k, k)
	}
}
