package grf

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"rfm/solver/base/draw"
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// periodicSampler evaluates draws of a periodic measure on one grid. It is immutable and safe for concurrent use.
type periodicSampler struct {
	domain  grid.Domain
	points  int // along the first axis, both ends counted
	rows    int // of distinct points
	columns int
	inverse func(block []float64)
	modes   []mode
}

// mode is a pair of waves k and -k.
type mode struct {
	amplitude float64 // sqrt(2 lambda_k)/2
	k         [2]int  // periods along both axes
	plus      int     // storage position of k; none for a mode of a longer axis only
	minus     int     // storage position of -k
}

// none marks a mode outside of a grid.
const none = -1

// newPeriodicSampler prepares draws on the grid with points along the first axis, at least three along the axis of a
// torus and four along others. The sum has the modes |k_i| < N_i/2, N_i intervals along an axis, without the constant,
// in the order of max(|k1|, |k2|).
func newPeriodicSampler(m Measure, points int) *periodicSampler {
	d := m.Space
	rows, columns := d.Axes(points)
	positive := m.Tau > 0 // and a number
	if min(points, columns) < 2+d.Dims || !positive {
		panic(fmt.Sprintf("grf: grid of %d x %d points, tau = %g", rows, columns, m.Tau))
	}
	N1 := rows - 1 // 0 on the torus
	N2 := columns - 1
	plan := fft.On(N1, N2)
	position := map[[2]int]int{}
	for p, k := range plan.Frequencies() {
		if d.Dims == 1 {
			k = [2]int{0, k[0]}
		}
		position[k] = p
	}
	s := &periodicSampler{
		domain:  d,
		points:  points,
		rows:    max(1, N1),
		columns: N2,
		inverse: plan.Inverse,
	}
	add := func(k1, k2 int) {
		next := mode{plus: none}
		isOnGrid := 2*k1 < s.rows && 2*max(k2, -k2) < N2
		if isOnGrid {
			next = mode{
				amplitude: math.Sqrt(2*m.Eigenvalue(k1, k2)) / 2,
				k:         [2]int{k1, k2},
				plus:      position[[2]int{k1, k2}],
				minus:     position[[2]int{-k1, -k2}],
			}
		}
		s.modes = append(s.modes, next)
	}
	for shell := 1; 2*shell < max(N1, N2); shell++ {
		add(0, shell)
		if d.Dims == 1 {
			continue
		}
		for k1 := 1; k1 < shell; k1++ {
			add(k1, shell)
			add(k1, -shell)
		}
		for k2 := -shell; k2 <= shell; k2++ {
			add(shell, k2)
		}
	}
	return s
}

// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst, which must be
// on the grid of the sampler. Function i takes its coefficients c, s of one mode after the other from draw.Stream(seed,
// purpose, i), so on a finer grid it is the same function with more modes.
func (s *periodicSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	s.sum(dst, func(i int) func() float64 {
		return draw.Stream(seed, purpose, first+i).NormFloat64
	})
}

// sum writes g_i(x) = sqrt2 sum_j sqrt(lambda_j) (c_j cos(2 pi k_j.x) + s_j sin(2 pi k_j.x)), k_j the waves of the
// modes, to the rows of dst. coefficients returns the source of c_1, s_1, c_2, s_2 ... of row i. It transforms one
// function per lane, as the real part: the last bit of a function must not depend on its neighbours.
func (s *periodicSampler) sum(dst grid.Batch, coefficients func(i int) func() float64) {
	asMany := dst.Values() == s.domain.Values(s.points)
	if dst.Points != s.points || !asMany {
		panic(fmt.Sprintf("grf: batch of %s on %s, sampler of %s on %s",
			dst.Domain.Name(), dst.Domain.Grid(dst.Points),
			s.domain.Name(), s.domain.Grid(s.points)))
	}
	const stride = 2 * fft.Lanes
	block := make([]float64, stride*s.rows*s.columns)
	for first := 0; first < dst.Count; first += fft.Lanes {
		clear(block)
		rows := min(fft.Lanes, dst.Count-first)
		for l := range rows {
			next := coefficients(first + l)
			for _, m := range s.modes {
				// the coefficient of exp(2 pi i k.x) is (c - i s)/2, its conjugate belongs to -k
				re := m.amplitude * next()
				im := -m.amplitude * next()
				if m.plus == none {
					continue
				}
				plus := block[stride*m.plus:]
				plus[l] = re
				plus[fft.Lanes+l] = im
				minus := block[stride*m.minus:]
				minus[l] = re
				minus[fft.Lanes+l] = -im
			}
		}
		s.inverse(block)
		for l := range rows {
			s.domain.Complete(dst.At(first+l), block[l:], stride)
		}
	}
}

// Expanding describes draws sum_k sqrt(lambda_k) xi_k e_k with known e_k and independent standard normal xi_k.
type Expanding interface {
	Draws
	// Leading returns up to most functions e_k with the largest lambda_k, descending. They are orthonormal in the
	// quadrature of the grid.
	Leading(most int) (functions grid.Batch, lambda []float64)
}

// Leading implements Expanding with sqrt(2) cos(2 pi k.x) and sqrt(2) sin(2 pi k.x).
func (s *periodicSampler) Leading(most int) (functions grid.Batch, lambda []float64) {
	isNone := func(m mode) bool { return m.plus == none }
	modes := slices.DeleteFunc(slices.Clone(s.modes), isNone)
	slices.SortStableFunc(modes, func(a, b mode) int {
		return cmp.Compare(b.amplitude, a.amplitude)
	})
	count := min(most, 2*len(modes))
	functions = grid.NewBatch(s.domain, s.points, count)
	all := s.rows * s.columns
	for i := range functions.Count {
		m := modes[i/2]
		isSine := i%2 == 1
		lambda = append(lambda, 2*m.amplitude*m.amplitude)
		f := functions.At(i)
		for x := range f {
			row := x / (s.columns + 1)
			column := x % (s.columns + 1)
			// k1 row/N1 + k2 column/N2 periods, times N1 N2
			parts := m.k[0]*row*s.columns + m.k[1]*column*s.rows
			periods := float64(parts%all) / float64(all)
			sin, cos := math.Sincos(2 * math.Pi * periods)
			if isSine {
				f[x] = math.Sqrt2 * sin
			} else {
				f[x] = math.Sqrt2 * cos
			}
		}
	}
	return functions, lambda
}
