package engine

import (
	"math"
	"os"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/feature"
)

func TestPreviewShowsTheRunsOwnDraws(t *testing.T) {
	c := tiny(t, "data.grid=257")
	e := generated(t, c)
	p := new(Previewer).Preview(c)
	train, _ := onDataGrid(t, c)
	for name, pair := range map[string][2][]float64{"input": {p.Input, train.Inputs.At(0)},
		"theta": {p.Theta, e.features.(feature.Spectral).Theta.At(0)}} {
		for x := range pair[0] {
			if math.Abs(pair[0][x]-pair[1][x]) > 1e-14 {
				t.Fatalf("%s: value %d is %g, in the run %g", name, x, pair[0][x], pair[1][x])
			}
		}
	}
	if p.Filter[0] != 0 || len(p.Values) != previewPoints {
		t.Errorf("chi(0) = %g, feature on %d points", p.Filter[0], len(p.Values))
	}
}

// The first input is read once, and always belongs to the current configuration.
func TestPreviewerKeepsTheInputWhileFeaturesChange(t *testing.T) {
	train, _ := onDataGrid(t, tiny(t))
	file := writePairs(t, train, 129)
	own := preset(t, config.Functions)
	own.Data.TrainFile = file
	var p Previewer
	first := p.Preview(own)
	noError(t, os.Remove(file))
	own.Features.Delta *= 2
	again := p.Preview(own)
	if !slices.Equal(again.Input, first.Input) || slices.Equal(again.Filter, first.Filter) {
		t.Error("after a change of the filter the input is another, or the filter the same")
	}
	if own.Data.Endpoint = config.Excluded; slices.Equal(p.Preview(own).Input, first.Input) {
		t.Error("after a change of the data the input is the same, although its file is gone")
	}
	if c := tiny(t); !slices.Equal(p.Preview(c).Input, new(Previewer).Preview(c).Input) {
		t.Error("after a change of the problem the input is another one")
	}
}

// Of functions with several channels the first is previewed.
func TestPreviewOfChannels(t *testing.T) {
	c, err := config.PresetByName("functions")
	noError(t, err)
	c.Data.In, c.Data.Out, c.Data.Grid = 2, 2, 33
	if p := new(Previewer).Preview(c); len(p.Input) == 0 || len(p.Values) != len(p.Input) {
		t.Errorf("%d values of the input, %d of the feature", len(p.Input), len(p.Values))
	}
}
