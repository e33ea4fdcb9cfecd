package experiment

import (
	"math"
	"testing"
)

func TestPreviewShowsTheRunsOwnDraws(t *testing.T) {
	c := tiny(t, "data.grid=257")
	e := run(t, c, 2)
	p := NewPreview(c)
	train, _ := e.Pairs()
	for name, pair := range map[string][2][]float64{"input": {p.Input, train.Inputs.At(0)}, "theta": {p.Theta, e.operator.(*burgersEquation).features.Theta.At(0)}} {
		for x := range pair[0] {
			if math.Abs(pair[0][x]-pair[1][x]) > 1e-14 {
				t.Fatalf("%s: value %d is %g, in the run %g", name, x, pair[0][x], pair[1][x])
			}
		}
	}
	if p.Filter[0] != 0 || len(p.Feature) != previewPoints {
		t.Errorf("chi(0) = %g, feature on %d points", p.Filter[0], len(p.Feature))
	}
}
