package equation

import (
	"testing"

	"rfm/solver/fft"
)

// counts is a transform that counts its calls.
type counts struct {
	fft.Transform
	forward, inverse, multiply, combine, blend int
}

func (c *counts) Forward(z []float64)          { c.forward++; c.Transform.Forward(z) }
func (c *counts) Inverse(z []float64)          { c.inverse++; c.Transform.Inverse(z) }
func (c *counts) InverseOf(z, v, a []float64)  { c.inverse++; c.Transform.InverseOf(z, v, a) }
func (c *counts) Multiply(dst, v, a []float64) { c.multiply++; c.Transform.Multiply(dst, v, a) }
func (c *counts) Combine(dst, a, v, b, w []float64) {
	c.combine++
	c.Transform.Combine(dst, a, v, b, w)
}
func (c *counts) Blend(dst, a, v, b, w []float64) { c.blend++; c.Transform.Blend(dst, a, v, b, w) }
func (c *counts) BlendAdd(dst, a, v, b, w []float64) {
	c.blend++
	c.Transform.BlendAdd(dst, a, v, b, w)
}

// A step has four evaluations of the rest. Each transforms every field and every sum once; a scalar symbol with real
// values has real tables, which Combine joins; fields that the symbol does not couple have no tables together.
func TestWorkOfAStep(t *testing.T) {
	for name, c := range map[string]struct {
		problem Problem
		work    counts
	}{
		"kuramoto-sivashinsky": {problem(1, nil, "u_t = -u*u_x - u_xx - u_xxxx"), counts{forward: 4, inverse: 4, combine: 9}},
		"kdv":                  {problem(1, nil, "u_t = -6*u*u_x - u_xxx"), counts{forward: 4, inverse: 4, blend: 9}},
		"fitzhugh-nagumo": {problem(1, nil, "u_t = u_xx + u - u^3/3 - v + 0.5", "v_t = 0.08*(u + 0.7 - 0.8*v)"),
			counts{forward: 4, inverse: 4, blend: 30}},
		"gray-scott": {problem(1, nil, "u_t = 0.0004*u_xx - u*v^2 + 0.04*(1 - u)", "v_t = 0.0002*v_xx + u*v^2 - 0.1*v"),
			counts{forward: 4, inverse: 8, combine: 18, blend: 8}},
		"navier-stokes": {problem(2, nil, "w_t = 0.001*lap(w) + dyy(u*v) - dxx(u*v) + dx(dy(u^2 - v^2))", "p = -ilap(w)",
			"u = dy(p)", "v = -dx(p)"), counts{forward: 8, inverse: 8, combine: 9, blend: 4}},
	} {
		s := solver(t, c.problem, 32, 22, 1e-6)
		got := &counts{Transform: s.transform}
		s.transform, s.tail = got, 1
		_, w := solve(t, s, 0.01, waves)
		*got = counts{Transform: got.Transform}
		w.try()
		got.Transform = nil
		if *got != c.work {
			t.Errorf("%s: a step takes %+v, not %+v", name, *got, c.work)
		}
	}
}
