package study

import (
	"fmt"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/engine"
)

func TestFrontierHasSolverMethodsAndSmallerModels(t *testing.T) {
	c, err := config.PresetByName("quick")
	if err != nil {
		t.Fatal(err)
	}
	c.Data.Train, c.Data.Test, c.Data.Grid, c.Features.Count, c.Train.Grid = 32, 16, 129, 64, 65
	c.Evaluation.Grid = 0
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := Frontier(t.Context(), e, nil)
	if err != nil {
		t.Fatal(err)
	}
	rows := r.Tables[0].Rows
	has := func(first ...string) bool {
		return slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row[:len(first)], first) })
	}
	for _, want := range [][]string{{"model, m=64", "K=65", "", fmt.Sprintf("%.4f", e.Evaluation().Test.ExpectedRelative)},
		{"model, m=64", "K=33"}, {"model, m=16", "K=65"}, {"kernel ridge", "K=65"}, {"solver", "K=129", "0.1"}} {
		if !has(want...) {
			t.Errorf("no row %v in %v", want, rows)
		}
	}
	if best := r.Figures[0].Curves[0]; !slices.IsSorted(best.X) || !slices.IsSortedFunc(best.Y, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	}) {
		t.Errorf("what is not beaten does not fall: %v, %v", best.X, best.Y)
	}
}
