package compare

import (
	"fmt"
	"slices"
	"testing"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/trained/price"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

var noError = filetest.NoError

func TestFrontierHasMethodsAndSmallerModels(t *testing.T) {
	if testing.Short() {
		t.Skip("trains all methods, and four models")
	}
	c, err := config.PresetByName("quick")
	noError(t, err)
	c.Data.Train, c.Data.Test, c.Data.Grid, c.Features.Count, c.Train.Grid = 32, 16, 129, 64, 65
	c.Evaluation.Grid = 0
	e, err := engine.New(t.Context(), c, engine.Options{Workers: 2})
	noError(t, err)
	noError(t, e.Run(t.Context()))
	r, err := Frontier(t.Context(), e, 2, nil)
	noError(t, err)
	rows := r.Tables[0].Rows
	has := func(first ...string) bool {
		return slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row[:len(first)], first) })
	}
	for _, want := range [][]string{{"model, m=64", "K=65", "", fmt.Sprintf("%.4f", e.Evaluation().Test.ExpectedRelative)},
		{"model, m=64", "K=33"}, {"model, m=16", "K=65"}, {"kernel ridge", "K=65"}} {
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

func TestFrontierMarksWhatIsNotBeaten(t *testing.T) {
	r := frontier(grid.Torus, 65, []price.Offer{{Name: "solver", Grid: 65, Tolerance: 0.1, Error: 0.01, Seconds: 2,
		Alone: 5},
		{Name: "solver", Grid: 65, Tolerance: 0.01, Error: 0.02, Seconds: 3}},
		[]price.Offer{{Name: "model", Grid: 33, Error: 0.1, Seconds: 1}}, nil)
	var marked []string
	for _, row := range r.Tables[0].Rows {
		if row[6] == "*" {
			marked = append(marked, row[0]+" "+row[2])
		}
	}
	if !slices.Equal(marked, []string{"model ", "solver 0.1"}) {
		t.Errorf("marked: %q", marked)
	}
}
