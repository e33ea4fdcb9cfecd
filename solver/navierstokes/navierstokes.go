// Package navierstokes solves the Navier-Stokes equations of an incompressible fluid on the periodic unit square, for
// its vorticity:
//
//	w_t + v . grad w = nu Laplacian w + f,  w(0, .) = a,
//	v = (d psi/dx2, -d psi/dx1),  -Laplacian psi = w,  w and f of mean zero.
//
// The setting of operator learning is that of Z. Li et al., "Fourier Neural Operator for Parametric Partial
// Differential Equations", 2021, section 5.3.
package navierstokes

import (
	"fmt"
	"math"

	"rfm/solver/fft"
	"rfm/solver/spectral"
)

// Force is f at a point.
type Force = func(x [2]float64) float64

// Diagonal is amplitude (sin 2 pi (x1 + x2) + cos 2 pi (x1 + x2)), nil if that is 0; in the published setting the
// amplitude is 0.1.
func Diagonal(amplitude float64) Force {
	if amplitude == 0 {
		return nil
	}
	return func(x [2]float64) float64 {
		sin, cos := math.Sincos(2 * math.Pi * (x[0] + x[1]))
		return amplitude * (sin + cos)
	}
}

// New prepares the equation with viscosity nu > 0 and a force of mean zero, nil for none, on the closed r x r grid, r
// at least 9. The wavenumbers below a third of the grid are kept, so products have no aliases. tolerance is the
// relative L2 error in time that a solution may have.
func New(viscosity float64, force Force, tolerance float64, r int) *spectral.Solver {
	if !(viscosity > 0) {
		panic(fmt.Sprintf("navierstokes: viscosity %g", viscosity))
	}
	plan := fft.NewPlan2(r-1, r-1)
	plane := spectral.Plane(plan)
	return spectral.New(plane, spectral.Equation{
		Name:       "Navier-Stokes solver",
		Parameters: fmt.Sprintf("nu=%g", viscosity),
		Remedy:     "raise data.grid or the viscosity",
		Tolerance:  tolerance,
		Linear:     func(k spectral.Wave) float64 { return -viscosity * (k[0]*k[0] + k[1]*k[1]) },
		Factor:     func(spectral.Wave) float64 { return 1 },
		Force:      force,
		Dealiased:  true,
		Term:       newConvection(plan, plane.Waves()).term,
	})
}

// convection is the nonlinear term. In two dimensions
//
//	-v . grad w = (d22 - d11) (v1 v2) + d12 (v1^2 - v2^2),
//
// which takes four transforms: of v1, v2 and of the two products.
type convection struct {
	plan              *fft.Plan2
	zero              []float64
	velocity1         []float64 // v1 = i velocity1 w, by modes
	velocity2         []float64
	products, squares []float64 // what is to be done with the products, k1^2 - k2^2 and k1 k2
}

func newConvection(plan *fft.Plan2, waves []spectral.Wave) *convection {
	c := &convection{plan: plan}
	for _, f := range []*[]float64{&c.zero, &c.velocity1, &c.velocity2, &c.products, &c.squares} {
		*f = make([]float64, len(waves))
	}
	for p, k := range waves {
		if square := k[0]*k[0] + k[1]*k[1]; square > 0 {
			c.velocity1[p], c.velocity2[p] = k[1]/square, -k[0]/square
		}
		c.products[p], c.squares[p] = k[0]*k[0]-k[1]*k[1], k[0]*k[1]
	}
	return c
}

func (c *convection) term() func(block []float64) {
	second := make([]float64, spectral.BlockSize*c.plan.N())
	return func(block []float64) {
		c.plan.Combine(second, c.zero, block, c.velocity2, block)
		c.plan.Combine(block, c.zero, block, c.velocity1, block)
		c.plan.Inverse(block)
		c.plan.Inverse(second)
		multiply(block, second)
		c.plan.Forward(block)
		c.plan.Forward(second)
		c.plan.Combine(block, c.products, block, c.squares, second) // -i times the term, so that its factor is 1
	}
}

// multiply replaces the velocities v1, v2 by -i v1 v2 and v1^2 - v2^2. A lane holds two fields, as real and imaginary
// part.
func multiply(v1, v2 []float64) {
	const lanes = fft.Lanes
	for i := 0; i < len(v1); i += spectral.BlockSize {
		x, y := (*[spectral.BlockSize]float64)(v1[i:]), (*[spectral.BlockSize]float64)(v2[i:])
		for l := range lanes {
			a, b, c, d := x[l], y[l], x[l+lanes], y[l+lanes]
			x[l], x[l+lanes] = c*d, -a*b
			y[l], y[l+lanes] = (a-b)*(a+b), (c-d)*(c+d)
		}
	}
}
