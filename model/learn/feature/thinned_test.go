package feature

import (
	"fmt"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

func TestThinnedFeaturesAreSomeOfAllPoints(t *testing.T) {
	torus := grf.Measure{Tau: 5, Alpha: 2, Axis: 1, Space: grid.Torus}
	const m = 11
	for _, c := range []struct{ n, points int }{{128, 16}, {60, 12}, {60, 20}, {31 * 3, 3}, {32, 1}, {8, 4}} {
		f := paperFeatures(t, must(Draw(t.Context(), torus, 1, m, c.n+1, 1)), m)
		e := on(t, f, c.n+1)
		a := grid.NewBatch(grid.Torus, c.n+1, 1)
		torus.On(c.n+1).Draw(a, 2, draw.InputTest, 0)
		all, _ := matrix(e, a, make([]float64, c.n))
		input := prepare(e, a)
		few, ok := NewThinned(e, c.points)
		if !ok {
			t.Fatalf("%d of %d points are refused", c.points, c.n)
		}
		train := few.NewTrainer()
		for _, first := range []int{0, 1, c.n/c.points - 1} {
			moved := make([]float64, len(input))
			few.Prepare(moved, input, first)
			got := linalg.NewPanels(c.points, m)
			target := make([]float64, c.points)
			target[0] = 2
			rhs := make([]float64, m)
			for g := range Groups(m) {
				train(got, 0, g, moved, target, rhs)
			}
			for j := range m {
				want := make([]float64, c.points)
				values := make([]float64, c.points)
				for x := range want {
					want[x] = all.Panel(j / 4)[4*(first+x*c.n/c.points)+j%4]
					values[x] = got.Panel(j / 4)[4*x+j%4]
				}
				what := fmt.Sprintf("feature %d at %d of %d points from %d on", j, c.points, c.n, first)
				expectClose(t, what, values, want, fieldTolerance)
				expectClose(t, "product of "+what, rhs[j:j+1], []float64{2 * want[0]}, fieldTolerance)
			}
		}
	}
}

func TestThinnedFeaturesNeedEquallySpacedPoints(t *testing.T) {
	torus := grf.Measure{Tau: 5, Alpha: 2, Axis: 1, Space: grid.Torus}
	f := paperFeatures(t, must(Draw(t.Context(), torus, 1, 3, 33, 1)), 3)
	for _, points := range []int{0, 7, 32, 64} {
		if _, ok := NewThinned(on(t, f, 33), points); ok {
			t.Errorf("%d of 32 points are no part of equally spaced ones", points)
		}
	}
	f.Centred = true
	if _, ok := NewThinned(on(t, f, 33), 8); ok {
		t.Error("features that lose their means need all points")
	}
}
