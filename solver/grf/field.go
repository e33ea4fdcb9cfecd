package grf

import (
	"fmt"
	"math"

	"rfm/solver/draw"
	"rfm/solver/fft"
	"rfm/solver/grid"
)

// Field is the measure N(0, scale^2 tau^(2 alpha-2) (-Laplacian + tau^2)^-alpha) on mean-zero functions on the periodic
// unit square, like Periodic on the interval:
//
//	g(x) = sqrt2 sum_k sqrt(lambda_k) (c_k cos 2 pi k.x + s_k sin 2 pi k.x),  c_k, s_k iid N(0, 1),
//
// over one of k and -k for every k = (k1, k2) but zero. On a rectangle k2 is k2/L, L its length along the second axis.
type Field struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > 1
	Scale float64 // factor of draws; 0 means 1

	Aspect grid.Aspect // of the rectangle; zero: the square
}

// Eigenvalue returns lambda_k, the variance of the coefficients of sqrt2 cos(2 pi k.x) and sqrt2 sin(2 pi k.x).
func (m Field) Eigenvalue(k1, k2 int) float64 {
	square := 4 * math.Pi * math.Pi * float64(k1*k1+k2*k2)
	if d := m.Domain(); m.Aspect != (grid.Aspect{}) {
		square = 4 * math.Pi * math.Pi * (float64(k1*k1) + d.Frequency(k2)*d.Frequency(k2))
	}
	lambda := math.Exp((2*m.Alpha-2)*math.Log(m.Tau) - m.Alpha*math.Log(square+m.Tau*m.Tau))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// FieldSampler evaluates draws of a Field measure on one grid. It is immutable and safe for concurrent use.
type FieldSampler struct {
	domain grid.Domain
	points int
	plan   *fft.Plan2
	modes  []fieldMode
}

// fieldMode is a pair of modes k and -k.
type fieldMode struct {
	amplitude   float64 // sqrt(2 lambda_k)/2
	plus, minus int     // storage positions of k and -k; plus is none for a mode of a longer axis only
}

// none marks a mode outside of a grid.
const none = -1

// NewFieldSampler prepares draws on the grid with r points along the first axis, both ends counted, r >= 4. The sum has
// the modes |k_i| < N_i/2, N_i intervals along an axis, without the constant, in the order of max(|k1|, |k2|).
func NewFieldSampler(m Field, r int) *FieldSampler {
	rows, columns := m.Domain().Axes(r)
	if r < 4 || columns < 4 || !(m.Tau > 0) {
		panic(fmt.Sprintf("grf: grid of %d x %d points, tau = %g", rows, columns, m.Tau))
	}
	N1, N2 := rows-1, columns-1
	s := &FieldSampler{domain: m.Domain(), points: r, plan: fft.NewPlan2(N1, N2)}
	position := map[[2]int]int{}
	for p, k := range s.plan.Frequencies() {
		position[k] = p
	}
	add := func(k1, k2 int) {
		mode := fieldMode{plus: none}
		if 2*k1 < N1 && 2*max(k2, -k2) < N2 {
			amplitude := math.Sqrt(2*m.Eigenvalue(k1, k2)) / 2
			mode = fieldMode{amplitude, position[[2]int{k1, k2}], position[[2]int{-k1, -k2}]}
		}
		s.modes = append(s.modes, mode)
	}
	for shell := 1; 2*shell < max(N1, N2); shell++ {
		add(0, shell)
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

// Modes returns the number of pairs of coefficients in the sum.
func (s *FieldSampler) Modes() int { return len(s.modes) }

// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst, fields on the
// grid of the sampler. Function i takes its coefficients c, s of one mode after the other from draw.Stream(seed,
// purpose, i), so on a finer grid it is the same function with more modes.
func (s *FieldSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	N1, N2 := s.plan.Shape()
	if !dst.Domain.Periodic || dst.Points != s.points || dst.Values() != (N1+1)*(N2+1) {
		panic(fmt.Sprintf("grf: batch of %s on %s, sampler on %d x %d points",
			dst.Domain.Name(), dst.Domain.Grid(dst.Points), N1+1, N2+1))
	}
	// One function per lane, as the real part: the last bit of a function must not depend on its neighbours.
	const stride = 2 * fft.Lanes
	block := make([]float64, stride*s.plan.N())
	for row := 0; row < dst.Count; row += fft.Lanes {
		clear(block)
		rows := min(fft.Lanes, dst.Count-row)
		for l := range rows {
			r := draw.Stream(seed, purpose, first+row+l)
			for _, mode := range s.modes {
				// the coefficient of exp(2 pi i k.x) is (c - i s)/2, its conjugate belongs to -k
				re := mode.amplitude * r.NormFloat64()
				im := -mode.amplitude * r.NormFloat64()
				if mode.plus == none {
					continue
				}
				plus, minus := block[stride*mode.plus:], block[stride*mode.minus:]
				plus[l], plus[fft.Lanes+l] = re, im
				minus[l], minus[fft.Lanes+l] = re, -im
			}
		}
		s.plan.Inverse(block)
		for l := range rows {
			f := dst.At(row + l)
			for i := range N1 + 1 {
				for j := range N2 + 1 { // the last values along an axis repeat the first
					f[i*(N2+1)+j] = block[stride*(i%N1*N2+j%N2)+l]
				}
			}
		}
	}
}
