package resample

import (
	"math"
	"testing"

	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

// coordinates returns the coordinates of value v on a grid of the domain.
func coordinates(d grid.Domain, points, v int) (x, y float64) {
	_, columns := d.Axes(points)
	half := 0.0
	if d.Cells {
		half = 0.5
	}
	h := 1 / float64(d.Intervals(points))
	return (float64(v/columns) + half) * h, (float64(v%columns) + half) * h
}

// Functions that both grids resolve are interpolated exactly between any two grids of a domain.
func TestInterpolationIsExactForFewWavesOnEveryDomain(t *testing.T) {
	for _, d := range grid.Domains() {
		waves := math.Pi
		if d.Periodic {
			waves *= 2
		}
		sample := func(points int) grid.Batch {
			b := grid.NewBatch(d, points, 1)
			for v := range b.Data {
				x, y := coordinates(d, points, v)
				if d.Dims == 1 {
					x = 0
				}
				b.Data[v] = 1 + math.Cos(waves*x) - 3*math.Cos(2*waves*x)*math.Cos(waves*d.Frequency(3)*y)
			}
			return b
		}
		for _, N := range []int{10, 12, 22} {
			for _, n := range []int{8, 14, 20, 36} {
				fine, coarse := N+d.Intervals(2)%2, n+d.Intervals(2)%2
				if d.Contains(fine, coarse) && d.Cells { // means
					continue
				}
				got, err := To(sample(fine), coarse)
				noError(t, err)
				for v, want := range sample(coarse).Data {
					if math.Abs(got.Data[v]-want) > 1e-12 {
						t.Fatalf("%s from %s to %s: value %d is %g, want %g", d.Name(), d.Grid(fine), d.Grid(coarse), v, got.Data[v],
							want)
					}
				}
			}
		}
	}
}

// Where waves are too short for the coarse grid of cells, the result equals the interpolant at the centres.
func TestCellsAliasLikeTheValuesOfTheInterpolant(t *testing.T) {
	d := grid.Domain{Dims: 1, Cells: true}
	const N, n = 17, 6
	for k := range N {
		fine := grid.NewBatch(d, N, 1)
		for i := range fine.Data {
			fine.Data[i] = math.Cos(math.Pi * float64(k) * (float64(i) + 0.5) / N)
		}
		got := interpolateClosed(fine, n, true)
		for i, v := range got.Data {
			if want := math.Cos(math.Pi * float64(k) * (float64(i) + 0.5) / n); math.Abs(v-want) > 1e-12 {
				t.Fatalf("wave %d at cell %d: %g, want %g", k, i, v, want)
			}
		}
	}
}

// Low returns the sum of the modes that the coarse grid distinguishes, on every domain.
func TestLowLeavesOutWhatWouldAlias(t *testing.T) {
	for _, d := range grid.Domains() {
		waves := math.Pi
		if d.Periodic {
			waves *= 2
		}
		sample := func(points int, short float64) grid.Batch {
			b := grid.NewBatch(d, points, 1)
			for v := range b.Data {
				x, y := coordinates(d, points, v)
				b.Data[v] = 1 + math.Cos(2*waves*x) + short*math.Cos(9*waves*x)
				if d.Dims == 2 {
					b.Data[v] = 1 + math.Cos(2*waves*x)*math.Cos(waves*d.Frequency(1)*y) + short*math.Cos(9*waves*x)
				} else {
					b.Data[v] = 1 + math.Cos(2*waves*y) + short*math.Cos(9*waves*y)
				}
			}
			return b
		}
		const fine, coarse = 32, 8
		more := d.Intervals(2) % 2
		got, err := Low(sample(fine+more, 0.5), coarse+more)
		noError(t, err)
		for v, want := range sample(coarse+more, 0).Data {
			if math.Abs(got.Data[v]-want) > 1e-12 {
				t.Fatalf("%s: value %d is %g, want %g", d.Name(), v, got.Data[v], want)
			}
		}
	}
}
