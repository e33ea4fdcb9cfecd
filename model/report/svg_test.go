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
			{Title: "error", R: 2, Values: []float64{-1, 0, 0, 0.5}, Signed: true}}}).all("text") {
		words += e.Text + "\n"
	}
	for _, want := range []string{"errors <m>", "paper", "constant", "error, -1 to 1"} {
		if !strings.Contains(words, want) {
			t.Errorf("there is no %q", want)
		}
	}
}

func TestSingleValuesHaveLogarithmicAxes(t *testing.T) {
	for name, curves := range map[string][]Curve{
		"a small value": {{Name: "model", X: []float64{1e-4}, Y: []float64{0.04}, Points: true}},
		"equal values":  {{Name: "flat", X: []float64{0.1, 0.1}, Y: []float64{0.04, 0.04}}},
		"nothing":       {{Name: "none", X: []float64{0}, Y: []float64{math.NaN()}}},
	} {
		text, err := Page{Figures: []Figure{{LogX: true, LogY: true, Curves: curves}}}.SVG()
		if err != nil || text == nil {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

func TestResultWithoutPicturesHasNoDrawing(t *testing.T) {
	if text, err := new(Page).SVG(); text != nil || err != nil {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
}

func TestLogTicksAreRoundAndFew(t *testing.T) {
	for _, test := range []struct {
		lo, hi float64
		want   string
	}{
		{0.03, 0.4, "0.05 0.1 0.2"},
		{17, 1025, "20 50 100 200 500 1000"},
		{1e-12, 0.1, "1e-12 1e-10 1e-08 1e-06 1e-04 1e-02"},
	} {
		var labels []string
		for _, tick := range logTicks(Span{math.Log10(test.lo), math.Log10(test.hi)}, 8) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != test.want {
			t.Errorf("%g to %g: %s, want %s", test.lo, test.hi, got, test.want)
		}
	}
}

// Fields with a common scale on the screen have it in the picture, too.
func TestFieldsShareAScale(t *testing.T) {
	lo, hi := 0.0, 2.0
	text, err := Page{Fields: []Field{{Title: "truth", R: 2, Values: []float64{0, 1, 1, 2}, Min: &lo, Max: &hi},
		{Title: "prediction", R: 2, Values: []float64{0.5, 1, 1, 1.5}, Min: &lo, Max: &hi}}}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"truth, 0 to 2", "prediction, 0 to 2"} {
		if !strings.Contains(string(text), want) {
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
