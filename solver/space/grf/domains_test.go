package grf

import (
	"math"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

var noError = filetest.NoError

// measures returns measures on every domain except the paper's domains, which have separate tests.
func measures() []Measure {
	var all []Measure
	for _, d := range grid.Domains() {
		if !d.Periodic || d.Aspect != (grid.Aspect{}) {
			all = append(all, Measure{Tau: 3, Alpha: 3, Axis: 2, Space: d})
		}
	}
	return all
}

// With fast decay, a draw on a fine grid interpolates the same draw on a coarse one up to the modes omitted.
func TestDrawsOfEveryDomainAreFunctions(t *testing.T) {
	for _, m := range measures() {
		d := m.Space
		ends := 1 - d.Intervals(1)
		coarse, fine := grid.NewBatch(d, 24+ends, 3), grid.NewBatch(d, 96+ends, 3)
		m.On(coarse.Points).Draw(coarse, 5, draw.Theta, 7)
		m.On(fine.Points).Draw(fine, 5, draw.Theta, 7)
		got, err := resample.To(coarse, fine.Points)
		noError(t, err)
		for i := range fine.Count {
			if e := math.Sqrt(d.Distance2(got.At(i), fine.At(i)) / d.Inner(fine.At(i), fine.At(i))); e > 0.03 || e == 0 {
				t.Errorf("%s: draw %d differs by %g between grids", d.Name(), i, e)
			}
		}
	}
}

// The variance of draws at the points of a grid is on average the sum of the variances of the modes.
func TestDrawsOfEveryDomainHaveTheirVariance(t *testing.T) {
	const count = 600
	for _, m := range measures() {
		d := m.Space
		if d.Periodic {
			continue
		}
		b := grid.NewBatch(d, 18+1-d.Intervals(1), count)
		m.On(b.Points).Draw(b, 1, draw.InputTrain, 0)
		got, want := 0.0, 0.0
		for i := range count {
			got += d.Inner(b.At(i), b.At(i)) / count
		}
		rows, columns := d.Axes(b.Points)
		for k1 := range rows {
			for k2 := range columns {
				a := m.Amplitude(k1, k2)
				if k1 > 0 {
					a /= math.Sqrt2
				}
				if k2 > 0 {
					a /= math.Sqrt2
				}
				want += a * a
			}
		}
		if math.Abs(got/want-1) > 0.15 {
			t.Errorf("%s: mean square %g, want %g", d.Name(), got, want)
		}
	}
}
