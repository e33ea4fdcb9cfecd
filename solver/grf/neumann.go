// This file draws Gaussian random fields on the unit square with Neumann boundary conditions.

package grf

import (
	"fmt"
	"math"
	"math/rand/v2"

	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/trig"
)

// Neumann is the measure N(0, tau^(2 alpha-2) (-Laplacian + tau^2)^-alpha) on mean-zero functions on the unit square,
// the Laplacian with homogeneous Neumann boundary conditions (section 4 of Nelsen & Stuart 2021):
//
//	g(x) = sum_k A_k xi_k cos(pi k1 x1) cos(pi k2 x2),  k1, k2 >= 0,  xi_k iid N(0, 1).
type Neumann struct {
	Tau   float64 // inverse length scale, > 0
	Alpha float64 // regularity, > 1
	Axis  float64 // weight of modes with exactly one zero index: AxisComputed or AxisNormalised
}

// The weights of modes with exactly one zero index.
const (
	AxisComputed   = 2          // in the computations of the paper's authors, which its numbers come from
	AxisNormalised = math.Sqrt2 // in the paper's formula, which normalises every cosine in L2
)

// Amplitude is A_k = w_k tau^(alpha-1) (pi^2 |k|^2 + tau^2)^(-alpha/2), the standard deviation of the coefficient of
// cos(pi k1 x1) cos(pi k2 x2), with w_k = 2 if both indices are positive, Axis if one is, and 0 for the constant.
func (m Neumann) Amplitude(k1, k2 int) float64 {
	weight := 2.0
	switch {
	case k1 == 0 && k2 == 0:
		return 0
	case k1 == 0 || k2 == 0:
		weight = m.Axis
	}
	square := math.Pi * math.Pi * float64(k1*k1+k2*k2)
	return weight * math.Exp((m.Alpha-1)*math.Log(m.Tau)-m.Alpha/2*math.Log(square+m.Tau*m.Tau))
}

// NeumannSampler evaluates draws of a Neumann measure on one grid. It is immutable and safe for concurrent use.
type NeumannSampler struct {
	transform *trig.Cosine
	factors   []float64 // A_k, and what undoes the weights of the transform, [k1][k2]
}

// NewNeumannSampler prepares draws on the closed r x r grid, r >= 3. The sum has the modes 0 <= k1, k2 <= r-1 but for
// the constant.
func NewNeumannSampler(m Neumann, r int) *NeumannSampler {
	if r < 3 || !(m.Tau > 0) {
		panic(fmt.Sprintf("grf: grid of %d x %d points, tau = %g", r, r, m.Tau))
	}
	s := &NeumannSampler{transform: trig.NewCosine(r, r), factors: make([]float64, r*r)}
	end := func(k int) float64 {
		if k == 0 || k == r-1 {
			return 2
		}
		return 1
	}
	for k1 := range r {
		for k2 := range r {
			s.factors[k1*r+k2] = m.Amplitude(k1, k2) * end(k1) * end(k2)
		}
	}
	return s
}

// R is the number of grid points along an axis, counting both ends.
func (s *NeumannSampler) R() int { return s.transform.Rows() }

// Draw writes the functions first, first+1, ... of the stream family (seed, purpose) to the rows of dst, fields with
// the fields on the sampler's grid. Function i takes its coefficients from draw.Stream(seed, purpose, i) by shells max(k1, k2) = 1, 2,
// ..., so on a finer grid it is the same function with more modes.
func (s *NeumannSampler) Draw(dst grid.Batch, seed uint64, purpose draw.Purpose, first int) {
	s.check(dst)
	for i := range dst.Count {
		field := dst.At(i)
		shells(field, s.R(), draw.Stream(seed, purpose, first+i))
		s.sum(field, field)
	}
}

// Sum writes the functions with the coefficients xi[i][k1*R+k2] to the rows of dst; xi's rows may be those
// of dst. The coefficient of the constant has no effect.
func (s *NeumannSampler) Sum(dst grid.Batch, xi [][]float64) {
	s.check(dst)
	for i := range dst.Count {
		s.sum(dst.At(i), xi[i])
	}
}

func (s *NeumannSampler) check(dst grid.Batch) {
	if dst.Values() != len(s.factors) {
		panic(fmt.Sprintf("grf: batch of fields with %d values, sampler on %d x %d points", dst.Values(), s.R(), s.R()))
	}
}

func (s *NeumannSampler) sum(dst, xi []float64) {
	for k, c := range s.factors {
		dst[k] = c * xi[k]
	}
	s.transform.Transform(dst, dst)
}

// shells fills the r x r coefficients with normal numbers, those with small max(k1, k2) first.
func shells(xi []float64, r int, stream *rand.Rand) {
	xi[0] = 0
	for k := 1; k < r; k++ {
		for l := range k {
			xi[k*r+l] = stream.NormFloat64()
			xi[l*r+k] = stream.NormFloat64()
		}
		xi[k*r+k] = stream.NormFloat64()
	}
}
