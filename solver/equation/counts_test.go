package equation

import (
	"testing"

	"rfm/solver/fft"
)

// counts is a transform that counts its calls.
type counts struct {
	fft.Transform
	work
}

type work struct{ forward, inverse, multiply, sums, products int }

func (c *counts) Forward(z []float64)          { c.forward++; c.Transform.Forward(z) }
func (c *counts) Inverse(z []float64)          { c.inverse++; c.Transform.Inverse(z) }
func (c *counts) InverseOf(z, v, a []float64)  { c.inverse++; c.Transform.InverseOf(z, v, a) }
func (c *counts) Multiply(dst, v, a []float64) { c.multiply++; c.Transform.Multiply(dst, v, a) }
func (c *counts) Combine(dst []float64, tables, blocks [][]float64) {
	c.sums, c.products = c.sums+1, c.products+len(blocks)
	c.Transform.Combine(dst, tables, blocks)
}
func (c *counts) Mix(dst []float64, tables, blocks [][]float64) {
	c.sums, c.products = c.sums+1, c.products+len(blocks)
	c.Transform.Mix(dst, tables, blocks)
}
func (c *counts) Blend(dst []float64, tables, blocks [][]float64) {
	c.sums, c.products = c.sums+1, c.products+len(blocks)
	c.Transform.Blend(dst, tables, blocks)
}

// A step has four evaluations of the rest. Each transforms every field and every sum once; a scalar symbol with real
// values has real tables; fields that the symbol does not couple have no tables together.
func TestWorkOfAStep(t *testing.T) {
	for name, c := range map[string]struct {
		problem Problem
		want    work
	}{
		"kuramoto-sivashinsky": {problem(1, nil, "u_t = -u*u_x - u_xx - u_xxxx"), work{4, 4, 0, 4, 13}},
		"kdv":                  {problem(1, nil, "u_t = -6*u*u_x - u_xxx"), work{4, 4, 0, 4, 13}},
		"allen-cahn":           {problem(1, nil, "u_t = 0.002*u_xx + u - u^3"), work{4, 4, 0, 4, 13}},
		"fitzhugh-nagumo": {problem(1, nil, "u_t = u_xx + u - u^3/3 - v + 0.5", "v_t = 0.08*(u + 0.7 - 0.8*v)"),
			work{4, 4, 0, 12, 56}},
		"gray-scott": {problem(1, nil, "u_t = 0.0004*u_xx - u*v^2 + 0.04*(1 - u)", "v_t = 0.0002*v_xx + u*v^2 - 0.1*v"),
			work{4, 8, 0, 16, 34}},
		"navier-stokes": {problem(2, nil, "w_t = 0.001*lap(w) + dyy(u*v) - dxx(u*v) + dx(dy(u^2 - v^2))", "p = -ilap(w)",
			"u = dy(p)", "v = -dx(p)"), work{8, 8, 0, 8, 21}},
	} {
		s := solver(t, c.problem, 32, 22, 1e-6)
		got := &counts{Transform: s.transform}
		s.transform, s.tail = got, 1
		w := solve(t, s, 0.01, waves)
		got.work = work{}
		w.try()
		if got.work != c.want {
			t.Errorf("%s: a step takes %+v, not %+v", name, got.work, c.want)
		}
	}
}
