// Package grf draws Gaussian random fields by their Karhunen-Loeve sums.
package grf

import (
	"fmt"
	"math"

	"rfm/solver/draw"
	"rfm/solver/fft"
	"rfm/solver/grid"
)

// Periodic is the measure N(0, scale^2 tau^(2 alpha-1) (-Laplacian + tau^2)^-alpha) on mean-zero functions on the unit
// torus, eq. 3.3 of Nelsen & Stuart 2021.
type Periodic struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > 1/2
	Scale float64 // factor of draws; 0 means 1
}

// Eigenvalue returns lambda_j = scale^2 tau^(2 alpha-1) (4 pi^2 j^2 + tau^2)^-alpha, the variance of the coefficients
// of sqrt2 cos(2 pi j x) and sqrt2 sin(2 pi j x), j >= 1 (eq. 4.3).
func (m Periodic) Eigenvalue(j int) float64 {
	w := 2 * math.Pi * float64(j)
	lambda := math.Exp((2*m.Alpha-1)*math.Log(m.Tau) - m.Alpha*math.Log(w*w+m.Tau*m.Tau))
	if m.Scale != 0 {
		lambda *= m.Scale * m.Scale
	}
	return lambda
}

// Sampler evaluates draws of a Periodic measure on one grid. It is immutable and safe for concurrent use.
type Sampler struct {
	Periodic
	plan      *fft.Plan
	amplitude []float64 // sqrt(2 lambda_j)/2 for mode j = 1..Modes, at index j
	position  []int     // storage position of frequency k, at index k mod N
}

// NewSampler prepares draws on the closed grid of K points, K >= 3. The sum has the modes 1 <= j < (K-1)/2: the
// constant and the Nyquist mode are zero.
func NewSampler(m Periodic, K int) *Sampler {
	if K < 3 {
		panic(fmt.Sprintf("grf: grid of %d points", K))
	}
	s := &Sampler{Periodic: m, plan: fft.NewPlan(K - 1), amplitude: make([]float64, K/2), position: make([]int, K-1)}
	for p, k := range s.plan.Frequencies() {
		s.position[(k+K-1)%(K-1)] = p
	}
	for j := 1; j < len(s.amplitude); j++ {
		s.amplitude[j] = math.Sqrt(2*m.Eigenvalue(j)) / 2
	}
	return s
}

// Modes returns the number of modes in the sum.
func (s *Sampler) Modes() int { return len(s.amplitude) - 1 }

// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst, which must
// have the K of the sampler. Function i takes its coefficients c_1, s_1, c_2, s_2, ... from draw.Stream(seed, purpose,
// i), so on a finer grid it is the same function with more modes.
func (s *Sampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	cos, sin := make([]float64, s.Modes()), make([]float64, s.Modes())
	s.sum(dst, func(i int) ([]float64, []float64) {
		r := draw.Stream(seed, purpose, first+i)
		for j := range cos {
			cos[j], sin[j] = r.NormFloat64(), r.NormFloat64()
		}
		return cos, sin
	})
}

// Sum writes g_i(x) = sqrt2 sum_j sqrt(lambda_j) (cos[i][j-1] cos(2 pi j x) + sin[i][j-1] sin(2 pi j x)) to the rows of
// dst. Coefficients beyond Modes are ignored; missing ones count as zero.
func (s *Sampler) Sum(dst grid.Batch, cos, sin [][]float64) {
	s.sum(dst, func(i int) ([]float64, []float64) { return cos[i], sin[i] })
}

// sum transforms one function per lane, as the real part: the last bit of a function must not depend on its neighbours.
// coefficients returns the coefficients of row i.
func (s *Sampler) sum(dst grid.Batch, coefficients func(i int) (cos, sin []float64)) {
	N := s.plan.N()
	if dst.Points != N+1 {
		panic(fmt.Sprintf("grf: batch on K=%d, sampler on K=%d", dst.Points, N+1))
	}
	const stride = 2 * fft.Lanes
	block := make([]float64, stride*N)
	for first := 0; first < dst.Count; first += fft.Lanes {
		clear(block)
		rows := min(fft.Lanes, dst.Count-first)
		for l := range rows {
			cos, sin := coefficients(first + l)
			for j := 1; j < len(s.amplitude) && j <= len(cos); j++ {
				// the coefficient of exp(2 pi i j x) is (c - i s)/2, its conjugate belongs to -j
				re, im := s.amplitude[j]*cos[j-1], -s.amplitude[j]*sin[j-1]
				plus, minus := block[stride*s.position[j]:], block[stride*s.position[N-j]:]
				plus[l], plus[fft.Lanes+l] = re, im
				minus[l], minus[fft.Lanes+l] = re, -im
			}
		}
		s.plan.Inverse(block)
		for l := range rows {
			f := dst.At(first + l)
			for x := range N {
				f[x] = block[stride*x+l]
			}
			f[N] = f[0]
		}
	}
}
