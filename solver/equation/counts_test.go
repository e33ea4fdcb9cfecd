package equation

import (
	"testing"

	"rfm/config"
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
	for name, want := range map[string]work{
		"ks": {4, 4, 0, 4, 13}, "kdv": {4, 4, 0, 4, 13}, "allen-cahn": {4, 4, 0, 4, 13},
		"fitzhugh-nagumo": {4, 4, 0, 12, 56}, "gray-scott": {4, 8, 0, 16, 34}, "navier-stokes": {8, 8, 0, 8, 21}} {
		c, err := config.PresetByName(name)
		if err != nil {
			t.Fatal(err)
		}
		s := newSolver(Problem{c.Equation, c.Input, 33, 1})
		got := &counts{Transform: s.transform}
		s.transform, s.tail = got, 1
		w := solve(t, s, 0.01, waves)
		got.work = work{}
		w.try()
		if got.work != want {
			t.Errorf("%s: a step takes %+v, not %+v", name, got.work, want)
		}
	}
}
