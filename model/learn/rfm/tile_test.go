package rfm

import (
	"context"
	"math"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/setup"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// configured returns the features of a preset with assignments, on its training grid, and pairs whose outputs are the
// inputs.
func configured(t *testing.T, preset string, n int, assignments ...string) (feature.Evaluator, dataset.Pairs) {
	t.Helper()
	c := must(config.PresetByName(preset))
	for _, a := range assignments {
		if err := config.Assign(&c, a); err != nil {
			t.Fatal(err)
		}
	}
	operator := setup.Truth(c)
	inputs := grid.NewBatch(operator.Domain, operator.Points, n)
	operator.Draw(inputs, draw.InputTrain, 0)
	inputs = must(inputs.Restrict(c.Train.Grid))
	features := must(feature.New(t.Context(), setup.Features(c), c.Features.Count, c.Data.Grid, 2))
	features = must(features.Calibrate(t.Context(), inputs, 2))
	return must(features.On(t.Context(), c.Train.Grid, 2)), dataset.Pairs{Inputs: inputs, Outputs: inputs}
}

// Features that are computed in tiles have the same bits, whatever the width of the tiles.
func TestTilesAreTheWholeToTheLastBit(t *testing.T) {
	small := []string{"data.grid=65", "train.grid=33", "features.count=77"}
	for _, c := range []struct {
		name, preset string
		rows         int
		centred      bool
		assignments  []string
	}{
		{"Fourier", "burgers", 0, false, small},
		{"odd grid", "burgers", 0, false, []string{"data.grid=61", "train.grid=31", "features.count=50"}},
		{"tuned", "burgers-tuned", 0, false, small},
		{"centred", "burgers", 0, true, append(slices.Clone(small), "features.mean=remove", "features.bias=0.3")},
		{"some rows", "burgers", 9, true, small},
		{"fields", "navier-stokes", 0, false, []string{"data.grid=33", "train.grid=17", "features.count=53"}},
		{"predictor-corrector", "darcy", 0, false, []string{"data.grid=33", "train.grid=9", "features.count=51"}},
		{"two sweeps", "darcy", 0, false, []string{"data.grid=17", "train.grid=9", "features.count=29", "features.sweeps=2"}},
	} {
		e, pairs := configured(t, c.preset, 70, c.assignments...)
		some := Rows{Seed: 1, Count: c.rows}
		whole := sums(t, e, pairs, some, c.centred, 2)
		for _, width := range []int{TileUnit, 2 * TileUnit, 240} {
			merged := NewNormal(e.Count())
			merged.Rows = some
			tiles := Tiles(e.Count(), width)
			slices.Reverse(tiles)
			for k, tile := range tiles {
				merged.Put(tile, must(tile.Sum(t.Context(), e, pairs, some, c.centred, 1+k%3)))
			}
			if i, j, bad := merged.Unsound(); bad {
				t.Errorf("%s: entry (%d, %d) is found to be wrong", c.name, i, j)
			}
			merged.Weigh(e)
			if !slices.Equal(merged.Sums.Dense(), whole.Sums.Dense()) || !slices.Equal(merged.RHS, whole.RHS) {
				t.Errorf("%s: tiles of width %d differ from the whole", c.name, width)
			}
		}
	}
}

func TestSumsThatCannotBeAreFound(t *testing.T) {
	e, pairs := configured(t, "burgers", 40, "data.grid=65", "train.grid=17", "features.count=72")
	tiles := Tiles(72, TileUnit)
	values := map[Tile][]float64{}
	for _, tile := range tiles {
		values[tile] = must(tile.Sum(context.Background(), e, pairs, Rows{}, false, 2))
	}
	check := func(what string, bad bool, change func(n *Normal)) {
		t.Helper()
		n := NewNormal(72)
		for _, tile := range tiles {
			n.Put(tile, values[tile])
		}
		change(n)
		if _, _, found := n.Unsound(); found != bad {
			t.Errorf("%s: found %v", what, found)
		}
	}
	check("nothing", false, func(*Normal) {})
	check("too large", true, func(n *Normal) { n.Sums.Set(3, 40, 1.01*n.Sums.At(40, 40)+1.01*n.Sums.At(3, 3)) })
	check("negative", true, func(n *Normal) { n.Sums.Set(30, 30, -1) })
	check("not a number", true, func(n *Normal) { n.Sums.Set(2, 30, math.NaN()) })
}
