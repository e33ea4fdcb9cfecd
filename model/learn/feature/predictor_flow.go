// This file evaluates the contribution of one permeability to predictor-corrector features.

package feature

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/fault"
	"rfm/solver/num/trig"
	"rfm/solver/pde/darcy"
	"rfm/solver/pde/poisson"
)

// Mollifier smooths the permeability by Steps explicit Euler steps of the heat equation v_t = Eta Laplacian v,
//
//	v <- v + Step Eta Laplacian_h v,
//
// with homogeneous Neumann boundaries: the neighbour beyond an edge is the one before it (section 3.2 of the paper). On
// grids too fine for a stable step, each step is divided into equal parts, enough that no mode changes its sign.
type Mollifier struct {
	Eta   float64 `json:"eta"`   // diffusivity, >= 0
	Step  float64 `json:"step"`  // time step, >= 0
	Steps int     `json:"steps"` // >= 0
}

// flow holds the data of one grid that features need. It is immutable and safe for concurrent use.
type flow struct {
	r       int // points along an axis
	points  int // unknowns along an axis, r-2
	poisson *poisson.Solver
	cosine  *trig.Series
	// factors of the cosine modes by which the mollifier acts, r x r, with the normalisation of two transforms
	damping []float64
	source  []float64 // f inside, points x points
}

// factors returns c and steps such that on a grid of n intervals the mollifier multiplies cosine modes by (1 - c
// d)^steps for a mode on which -h^2 Laplacian_h acts as d, 0 <= d <= 8.
func (m Mollifier) factors(n int) (c, steps float64) {
	const stable = 0.25
	const positive = 0.125 // below it no factor changes its sign
	c = m.Step * m.Eta * float64(n*n)
	steps = float64(m.Steps)
	if c <= stable {
		return c, steps
	}
	parts := math.Ceil(c / positive)
	return c / parts, steps * parts
}

// newFlow prepares the closed r x r grid, r >= 3.
func newFlow(m Mollifier, f darcy.Source, r int) *flow {
	n := r - 1
	c, steps := m.factors(n)
	fl := &flow{
		r:       r,
		points:  r - 2,
		poisson: poisson.NewSolver(r),
		cosine:  trig.NewSeries(r, r, false),
		damping: make([]float64, r*r),
	}
	decay := func(k int) float64 { // what -h^2 d^2/dx^2 makes of a cosine
		angle := math.Pi * float64(k) / float64(n)
		return 2 - 2*math.Cos(angle)
	}
	normalisation := 4 / float64(n*n)
	for k := range r {
		for l := range r {
			step := 1 - c*(decay(k)+decay(l))
			fl.damping[k*r+l] = normalisation * math.Pow(step, steps)
		}
	}
	values := f.On(r)
	for i := 1; i < n; i++ {
		row := values[i*r:][:r]
		fl.source = append(fl.source, row[1:n]...)
	}
	return fl
}

// predictorScratch is the working memory of one goroutine: an input and intermediate fields.
type predictorScratch struct {
	quotient []float64 // f/a inside
	// (grad log a_eps)/(2h) inside, central differences: times differences of p it is a product of gradients
	slopes [2][]float64
	whole  []float64    // a field on the closed grid
	inside [4][]float64 // fields inside
}

func (fl *flow) newScratch() *predictorScratch {
	interior := fl.points * fl.points
	s := &predictorScratch{
		quotient: make([]float64, interior),
		whole:    make([]float64, fl.r*fl.r),
	}
	for axis := range s.slopes {
		s.slopes[axis] = make([]float64, interior)
	}
	for i := range s.inside {
		s.inside[i] = make([]float64, interior)
	}
	return s
}

// prepare sets the quotient and the slopes of the permeability a, r^2 values. The error is a *fault.Data if a value is
// not positive and finite, or a *fault.Numerical if rounding makes the mollified permeability so.
func (fl *flow) prepare(s *predictorScratch, a []float64) error {
	err := darcy.CheckPermeability("permeability", a)
	if err != nil {
		return err
	}
	r := fl.r
	n := fl.points
	fl.mollify(s.whole, a)
	for i, v := range s.whole {
		positive := v > 0
		if !positive { // or not a number
			return &fault.Numerical{
				Where: "mollifier",
				What:  fmt.Sprintf("the mollified permeability is %g at grid point (%d, %d)", v, i/r, i%r),
				Do:    "lower the contrast of the permeability",
			}
		}
		s.whole[i] = math.Log(v)
	}
	fl.gradient(s.slopes[0], s.slopes[1], s.whole)
	for i := range n {
		quotient := s.quotient[i*n:][:n]
		source := fl.source[i*n:][:n]
		permeability := a[(i+1)*r+1:][:n]
		floats.DivTo(quotient, source, permeability)
	}
	return nil
}

// gradient sets first and second to the differences across the points inside of a field on the closed grid, times
// 1/(2h)^2: 1/(2h) for each of the two gradients in a product.
func (fl *flow) gradient(first, second, field []float64) {
	r := fl.r
	n := fl.points
	scale := float64((r-1)*(r-1)) / 4
	for i := range n {
		above, before, after, below := fl.neighbours(field, i)
		g := first[i*n:][:n]
		h := second[i*n:][:n]
		for j := range g {
			g[j] = scale * (below[j] - above[j])
			h[j] = scale * (after[j] - before[j])
		}
	}
}

// neighbours returns, for the points of line i inside, the values of a field on the closed grid at the next points in the
// four directions, n of each.
func (fl *flow) neighbours(field []float64, i int) (above, before, after, below []float64) {
	r := fl.r
	n := fl.points
	above = field[i*r+1:][:n]
	before = field[(i+1)*r:][:n]
	after = field[(i+1)*r+2:][:n]
	below = field[(i+2)*r+1:][:n]
	return above, before, after, below
}

// mollify sets dst to a_eps: cosines are the eigenvectors of the discrete Laplacian with mirror boundaries.
func (fl *flow) mollify(dst, a []float64) {
	fl.cosine.Transform(dst, a)
	floats.Mul(dst, fl.damping)
	fl.cosine.Transform(dst, dst)
}

// transport sets dst to grad log a_eps . grad p inside, for p on the closed grid and the slopes of a.
func (fl *flow) transport(dst, first, second, p []float64) {
	n := fl.points
	for i := range n {
		above, before, after, below := fl.neighbours(p, i)
		g := first[i*n:][:n]
		h := second[i*n:][:n]
		out := dst[i*n:][:n]
		for j := range out {
			ofFirst := below[j] - above[j]
			ofSecond := after[j] - before[j]
			out[j] = g[j]*ofFirst + h[j]*ofSecond
		}
	}
}

// sweep sets dst to P[quotient + grad log a_eps . grad p] for the prepared permeability; dst and p, which may be the
// same, are fields on the closed grid.
func (fl *flow) sweep(dst, p []float64, s *predictorScratch) {
	fl.poisson.Solve(dst, fl.sweepRHS(p, s))
}

// sweepRHS returns quotient + grad log a_eps . grad p inside, until the next call.
func (fl *flow) sweepRHS(p []float64, s *predictorScratch) []float64 {
	rhs := s.inside[0]
	fl.transport(rhs, s.slopes[0], s.slopes[1], p)
	floats.Add(rhs, s.quotient)
	return rhs
}
