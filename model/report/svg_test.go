package report

import (
	"math"
	"strings"
	"testing"
)

func TestEveryTitleIsDrawn(t *testing.T) {
	words := ""
	for _, e := range drawn(t, Page{Figures: []Figure{{Title: "errors <m>", LogX: true, LogY: true, Curves: []Curve{
		{Name: "ours", X: []float64{0, 1, 2, 4}, Y: []float64{1, 1, 0.5, math.NaN()}},
		{Name: "paper", X: []float64{1, 2}, Y: []float64{1, 0.6}, Published: true},
		{Name: "nothing to see", X: []float64{1}, Y: []float64{0}}}}},
		Fields: []Field{{Title: "constant", R: 3, Values: make([]float64, 9)},
			{Title: "pinned", R: 2, Values: []float64{0.5, 1, 1, 1.5}, Min: new(0.0), Max: new(2.0)},
			{Title: "error", R: 2, Values: []float64{-1, 0, 0, 0.5}, Signed: true}}}).all("text") {
		words += e.Text + "\n"
	}
	for _, want := range []string{"errors <m>", "paper", "constant", "error, -1 to 1", "pinned, 0 to 2"} {
		if !strings.Contains(words, want) {
			t.Errorf("there is no %q", want)
		}
	}
}

// A curve without a name has no line in the legend.
func TestNamelessCurvesAreNotInTheLegend(t *testing.T) {
	height := func(name string) int {
		p := lines(Figure{Curves: []Curve{{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}}}})
		return int(p.height)
	}
	if height("") >= height("a") {
		t.Error("the legend takes as much room without a name")
	}
}
