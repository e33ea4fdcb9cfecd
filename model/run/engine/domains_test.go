package engine

import (
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/run/reading"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// smoothed returns random inputs and, as outputs, their tanh times a function of x.
func smoothed(d grid.Domain, points, count int) dataset.Pairs {
	a := grid.NewBatch(d, points, count)
	grf.Measure{Tau: 3, Alpha: 4, Axis: 2, Space: d}.On(points).Draw(a, 1, draw.InputTrain, 0)
	u := a.Like(count)
	for i, v := range a.Data {
		u.Data[i] = math.Tanh(v) + 0.1
	}
	return dataset.Pairs{Inputs: a, Outputs: u}
}

// Own data on every domain are read, trained with, stored and read again; assumptions about a file are reported.
func TestOwnDataOnEveryDomain(t *testing.T) {
	t.Parallel()
	detector.Skip(t, detector.Stored)
	wide := grid.AspectOf(16, 24)
	for name, test := range map[string]struct {
		domain          grid.Domain
		points          int
		shape           []int // of one function in the file
		problem         string
		set             []string
		grid, columns   int
		endpoint, noted string
	}{
		"even square": {grid.Domain{Dims: 2, Cells: true}, 16, []int{16, 16}, config.Fields, nil, 16, 0,
			config.Centres, "centres of cells"},
		"cells, odd": {grid.Domain{Dims: 2, Cells: true}, 15, []int{15, 15}, config.Fields,
			[]string{"data.endpoint=centres"}, 15, 0, config.Centres, ""},
		"even with both ends": {grid.Square, 16, []int{16, 16}, config.Fields, []string{"data.endpoint=included"}, 16, 0,
			config.Included, ""},
		"square": {grid.Square, 17, []int{17, 17}, config.Fields, nil, 17, 0, config.Included, ""},
		"rectangle": {grid.Domain{Dims: 2, Aspect: wide}, 9, []int{9, 13}, config.Fields, nil, 9, 13,
			config.Included, ""},
		"rectangle of cells": {grid.Domain{Dims: 2, Cells: true, Aspect: wide}, 16, []int{16, 24}, config.Fields, nil, 16,
			24, config.Centres, "centres of cells"},
		"periodic field": {grid.Torus2, 9, []int{9, 9}, config.Fields, []string{"data.boundary=periodic"}, 9, 0,
			config.Included, ""},
		"periodic rectangle": {grid.Domain{Dims: 2, Periodic: true, Aspect: wide}, 17, []int{17, 25}, config.Fields,
			[]string{"data.boundary=periodic"}, 17, 25, config.Included, ""},
		"interval": {grid.Interval, 21, []int{21}, config.Functions, []string{"data.boundary=closed"}, 21, 0,
			config.Included, "outputs have no slope at both ends"},
		"cells of a line": {grid.Domain{Dims: 1, Cells: true}, 40, []int{40}, config.Functions,
			[]string{"data.boundary=closed", "data.endpoint=auto"}, 40, 0, config.Centres, "centres of cells"},
	} {
		t.Run(name, func(t *testing.T) {
			c := preset(t, test.problem, test.set...)
			if testing.Short() && !strings.Contains(name, "rectangle") && name != "interval" {
				t.Skip("some domains are enough")
			}
			c.Evaluation.Baselines, c.Features.Count = false, 16
			c.Train.Method = config.RandomFeatures
			switch name {
			case "interval":
				c.Train.Method = config.Best
			case "rectangle", "periodic field":
				c.Train.Method = config.Linear
			}
			pairs := smoothed(test.domain, test.points, 24)
			c.Data.TrainFile = writePairs(t, pairs, test.shape...)
			c, notes, err := new(reading.Files).Complete(t.Context(), c)
			noError(t, err)
			if c.Data.Grid != test.grid || c.Data.Columns != test.columns || c.Data.Endpoint != test.endpoint {
				t.Errorf("data.grid %d, columns %d, endpoint %s", c.Data.Grid, c.Data.Columns, c.Data.Endpoint)
			}
			if !strings.Contains(strings.Join(notes, "\n"), test.noted) || test.noted == "" && len(notes) > 1 {
				t.Errorf("notes %q", notes)
			}
			e := stored(t, c, 2)
			evaluation := e.Evaluation()
			if d := evaluation.TestPairs.Inputs.Domain; d != test.domain {
				t.Errorf("evaluated on %s, %v", d.Name(), d)
			}
			if mean := evaluation.Test.ExpectedRelative; !(mean < 0.9) {
				t.Errorf("test error %g", mean)
			}
			again := reopened(t, e.Directory(), Options{Workers: 1})
			fresh, err := again.EvaluateOn(t.Context(), test.points)
			noError(t, err)
			if !slices.Equal(fresh.Predictions.Data, evaluation.Predictions.Data) {
				t.Error("the stored model predicts something else")
			}
			if p := new(Previewer).Preview(c); len(p.Input) != len(p.Values) || p.Values[3] == 0 {
				t.Errorf("preview of %d and %d values", len(p.Input), len(p.Values))
			}
		})
	}
}
