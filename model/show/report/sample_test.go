package report

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestLineIsAlongTheFirstVariable(t *testing.T) {
	f := Field{R: 3, Values: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	if got, want := f.Middle(), []float64{2, 5, 8}; !slices.Equal(got, want) {
		t.Errorf("along x1 at x2 = 1/2: %v, want %v", got, want)
	}
}

func TestTruthAndPredictionShareAScale(t *testing.T) {
	f := Sample{Side: 2, Input: []float64{3, 3, 12, 12}, Truth: []float64{0, 0, 1, 2},
		Prediction: []float64{-1, 0, 1, 1}}
	maps := f.Fields()
	for _, i := range []int{1, 2} {
		if *maps[i].Min != -1 || *maps[i].Max != 2 {
			t.Errorf("scale of map %d from %g to %g", i, *maps[i].Min, *maps[i].Max)
		}
	}
	if got := maps[3].Values; got[0] != 1 || got[3] != 1 || !maps[3].Signed {
		t.Errorf("error %v", got)
	}
}

func TestScaleIsPinned(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		min, max *float64
		signed   bool
		want     Span
	}{
		{nil, nil, false, Span{Lo: 1, Hi: 3}}, {new(0.0), nil, false, Span{Lo: 0, Hi: 3}},
		{nil, new(9.0), false, Span{Lo: 1, Hi: 9}},
		{new(2.0), new(2.5), false, Span{Lo: 2, Hi: 2.5}},
		{&nan, new(math.Inf(1)), false, Span{Lo: 1, Hi: 3}}, {new(10.0), nil, false, Span{Lo: 10, Hi: 11}},
		{nil, new(-10.0), false, Span{Lo: -11, Hi: -10}},
		{nil, nil, true, Span{Lo: -3, Hi: 3}}, {new(-5.0), new(2.0), true, Span{Lo: -5, Hi: 5}},
		{new(0.0), new(0.0), true, Span{Lo: -1, Hi: 1}},
	} {
		f := Field{Min: c.min, Max: c.max, Signed: c.signed}
		if got := f.Scale(Span{Lo: 1, Hi: 3}); got != c.want {
			t.Errorf("%v: %v, want %v", c, got, c.want)
		}
	}
}

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
		p := Figure{Curves: []Curve{{Name: name, X: []float64{0, 1}, Y: []float64{0, 1}}}}.drawing()
		return int(p.height)
	}
	if height("") >= height("a") {
		t.Error("the legend takes as much room without a name")
	}
}

var rows = [][]string{{"name", "n", "method", "error"}, {"a", "1000", "ridge", "0.5"},
	{"wide and long", "8", "", "0.0416"}}

func TestWordsAreToTheLeftAndNumbersToTheRight(t *testing.T) {
	want := []string{"name              n  method   error", "a              1000  ridge      0.5",
		"wide and long     8          0.0416"}
	if got := aligned(rows, 2); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := aligned(nil); len(got) != 0 {
		t.Errorf("no rows make %q", got)
	}
}

// In a narrow table columns disappear in the order of their numbers, and names are cut; numbers never are.
func TestColumnsGoWhereThereIsNoRoom(t *testing.T) {
	columns := []Column{{Words: true, Least: 6}, {Goes: 1}, {Words: true, Goes: 2}, {}}
	for width, want := range map[int]string{
		35: "wide and long     8          0.0416", 32: "wide and …     8          0.0416", 24: "wide and …     8  0.0416",
		20: "wide …     8  0.0416", 19: "wide and l…  0.0416", 5: "  0.0416",
	} {
		if got := Fit(columns, rows, width)[2]; got != want {
			t.Errorf("in %d cells %q, want %q", width, got, want)
		}
	}
}

// Figures side by side have one range, those below them another; an input of another scale is left out of all of them.
func TestFiguresSideBySideHaveOneScale(t *testing.T) {
	sample := func(level, input float64) Sample {
		return Sample{Input: []float64{0, input, 0}, Truth: []float64{level, level + 1, level}, Prediction: []float64{level, level + 1.5, level}}
	}
	for _, test := range []struct {
		input   float64
		dropped bool
	}{{1, false}, {1e6, true}} {
		figures := append(sample(0, test.input).Functions(), sample(1, test.input).Functions()...)
		if dropped := OnOneScale(figures); dropped != test.dropped {
			t.Errorf("an input up to %g is left out: %t", test.input, dropped)
		}
		for i, f := range figures {
			want := Span{0, 2.5}
			if f.Below {
				want = Span{0, 0.5}
			}
			if *f.YMin != want.Lo || *f.YMax != want.Hi {
				t.Errorf("figure %d goes from %g to %g, want %v", i, *f.YMin, *f.YMax, want)
			}
		}
	}
}

// The errors that are zero belong to a distribution: a logarithmic axis says how many it leaves out.
func TestDistributionsKeepZeros(t *testing.T) {
	c := Distribution("errors", []float64{0.2, 0, 0.1, 0, math.NaN()})
	f := Distributions(c)
	if got, want := f.LeftOut(), "2 zeros left out"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if len(c.X) != 4 {
		t.Errorf("%d points, want 4: %v", len(c.X), c.Y)
	}
}

// Between counted things there are no ticks.
func TestCountedAxesHaveWholeNumbers(t *testing.T) {
	f := Figure{Counted: true, Curves: []Curve{{X: []float64{1, 2}, Y: []float64{1, 2}}}}
	got := labels(f.Bottom(40))
	if want := []string{"1", "2"}; !slices.Equal(got, want) {
		t.Errorf("ticks at %q, want %q", got, want)
	}
}
