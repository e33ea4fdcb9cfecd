package equation

import (
	"slices"
	"testing"

	"rfm/config"
	"rfm/solver/dataset/filetest"
)

var noError = filetest.NoError

// work counts transforms and sums, and the products in these.
type work struct{ forward, inverse, sums, products int }

// A step has four evaluations of the rest. Each transforms every field and every sum once; a scalar symbol with real
// values has real tables; fields that the symbol does not couple have no tables together.
func TestWorkOfAStep(t *testing.T) {
	for name, want := range map[string]work{
		"ks": {4, 4, 4, 13}, "kdv": {4, 4, 4, 13}, "allen-cahn": {4, 4, 4, 13}, "fitzhugh-nagumo": {4, 4, 12, 56},
		"gray-scott": {4, 8, 16, 34}, "navier-stokes": {8, 8, 8, 21}} {
		c, err := config.PresetByName(name)
		noError(t, err)
		s := newSolver(Problem{c.Equation, c.Input, 33, 1})
		s.tail = 1
		w := solve(t, s, 0.01, waves)
		got := work{forward: 4 * len(w.plan.outputs), inverse: 4 * (len(w.plan.steps) - 1)} // the last step is pointwise
		add := func(tables ...[]float64) {
			if n := len(slices.DeleteFunc(tables, func(table []float64) bool { return table == nil })); n > 0 {
				got.sums, got.products = got.sums+1, got.products+n
			}
		}
		for i := range s.rows {
			for _, parts := range [][]int{{half, aU}, {half, bU, bA}, {whole, cU, cB}, {whole, nextU, nextAB, nextAB, nextC}} {
				var tables [][]float64
				for _, k := range parts {
					tables = append(tables, w.tables.m[k][i][:]...)
				}
				add(tables...)
				if w.plan.folded == nil || w.plan.folded[i] == nil {
					tables = [][]float64{w.plan.split[i]}
					for _, o := range w.plan.outputs {
						tables = append(tables, o.symbols[i])
					}
					add(tables...)
				}
			}
		}
		if got != want {
			t.Errorf("%s: a step takes %+v, not %+v", name, got, want)
		}
	}
}
