package paper

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"rfm/config"
	"rfm/model/show/report"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

const (
	// sumTolerance is for sums in a different order.
	sumTolerance = 1e-13
	// solvedTolerance is for test errors after sums in a different order and a linear system with a condition number up
	// to the reciprocal of the relative cut-off, 4e9.
	solvedTolerance = 1e-5
)

var problems = []string{"burgers", config.Darcy}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s: got %.17g, want %.17g", what, got, want)
	}
}

func TestSamplingCellEqualsExperimentOfItsOwn(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for _, problem := range problems {
		l := tinyLab(problem)
		p, err := l.panel(t.Context(), "m-n")
		noError(t, err)
		for _, cell := range [][2]int{{0, 0}, {1, 2}, {2, 1}} {
			n, m := l.samplingN[cell[0]], l.samplingM[cell[1]]
			want := experimentError(t, l.plan, func(c *config.Config) {
				c.Data.Train, c.Features.Count, c.Train.Grid = n, m,
					l.samplingGrid
			})
			near(t, problem, p.at(cell[0], cell[1]).Ours, want, solvedTolerance)
		}
	}
}

func TestTransferEqualsExperimentOfItsOwn(t *testing.T) {
	detector.Skip(t, detector.Stored)
	for _, problem := range problems {
		l := tinyLab(problem)
		p, err := l.panel(t.Context(), "transfer")
		noError(t, err)
		for i, train := range l.transferFrom {
			e := experiment(t, l.plan, func(c *config.Config) {
				c.Train.Grid, c.Evaluation.Grid = train, slices.Max(l.transferTo)
			})
			for j, test := range l.transferTo {
				v, err := e.EvaluateOn(t.Context(), test)
				noError(t, err)
				near(t, problem, p.at(i, j).Ours, v.Test.ExpectedRelative, solvedTolerance)
			}
		}
	}
}

func TestResolutionEqualsTransferToTheTrainingGrid(t *testing.T) {
	for _, problem := range problems {
		l := tinyLab(problem)
		e, err := l.panel(t.Context(), "resolution")
		noError(t, err)
		between, err := l.panel(t.Context(), "transfer")
		noError(t, err)
		last := len(l.grids) - 1
		near(t, problem, e.at(1, last).Ours, between.at(1, last).Ours, sumTolerance)
	}
}

// One sample is shown at every composition, with the error of its curves.
func TestSemigroupShowsASampleAtEveryComposition(t *testing.T) {
	l := tinyLab("burgers")
	c, err := l.compositions(t.Context())
	noError(t, err)
	want := experimentError(t, l.plan, func(c *config.Config) { c.Equation.Time = halves[0] })
	near(t, "T=0.5", c[0].errors.ExpectedRelative, want, solvedTolerance)
	if len(c) != len(halves) {
		t.Errorf("%d compositions", len(c))
	}
	for j, composed := range c {
		u, v := composed.predictions.At(0), composed.truth.At(0)
		near(t, "error of sample 0", math.Sqrt(grid.Torus.Distance2(u, v)/grid.Torus.Inner(v, v)),
			composed.errors.Relative[0], 1e-12)
		if j > 0 && slices.Equal(u, c[j-1].predictions.At(0)) {
			t.Errorf("composition %d changes nothing", j+1)
		}
	}
}

func TestVariationIsThatOfSingleInputs(t *testing.T) {
	for _, problem := range problems {
		l := tinyLab(problem)
		var cells []Cell
		for _, item := range l.panels() {
			p, err := l.panel(t.Context(), item)
			noError(t, err)
			cells = append(cells, p.cells...)
		}
		mean, deviation := stat.MeanStdDev(experiment(t, l.plan, func(*config.Config) {}).Evaluation().Test.Relative, nil)
		near(t, problem, l.variation(cells), deviation/mean, solvedTolerance)
	}
}

func TestPairsMadeAgainAreTheGeneratedOnes(t *testing.T) {
	l := *tinyLab(config.Darcy)
	const first, count = 3, 4
	for _, s := range []*samples{&l.training, &l.tests} {
		want, err := l.pairs(t.Context(), s, 0, l.stored, first, count)
		noError(t, err)
		points := l.stored
		l.stored = 0 // nothing is stored
		again, err := l.pairs(t.Context(), s, 0, points, first, count)
		if l.stored = points; err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again.Outputs.Data, want.Outputs.Data) || !slices.Equal(again.Inputs.Data, want.Inputs.Data) {
			t.Errorf("%s: values differ", s.wanted.Purpose)
		}
	}
}

func TestSpreadIsThatOfTheNearestQuantity(t *testing.T) {
	table := []Spread{{quantity{Kind: "error", M: 100, N: 10, Grid: 33}, 3, 2, 0.5, 0.1},
		{quantity{Kind: "error", M: 1000, N: 10, Grid: 33}, 1, 1, 0.6, 0.8}}
	for q, want := range map[quantity]float64{{Kind: "error", M: 100, N: 10, Grid: 33}: 0.5,
		{Kind: "error", M: 900, N: 10, Grid: 129}: 0.8} {
		if s, known := nearest(table, q); !known || s.Total() != want {
			t.Errorf("%v has spread %g, want %g", q, s.Total(), want)
		}
	}
	if s, known := nearest(table, quantity{Kind: "transfer"}); known {
		t.Errorf("a kind that was not measured has %v", s)
	}
}

// A published number that agrees with the mean over draws agrees also if our single draw is high, and the other way
// round.
func TestPublishedNumbersAreComparedWithTheMeanOverDraws(t *testing.T) {
	q := quantity{Kind: "error", M: 100, N: 10, Grid: 33}
	spreads := []Spread{{q, 1.5, 1, 0.1, 0}}
	cells := []Cell{{of: q, Ours: 1.5, Published: 1}, {of: q, Ours: 1.5, Published: 1.5}}
	judge(cells, spreads)
	c := cells[0]
	near(t, "mean", c.Mean, 1, sumTolerance)
	near(t, "spread", c.Spread, 0.1, sumTolerance)
	if !c.judged() || !c.agrees() {
		t.Errorf("the mean: %+v", c)
	}
	if c := cells[1]; c.agrees() {
		t.Errorf("five spreads above the mean: %+v", c)
	}
}

func TestVerdictIsThreeSpreads(t *testing.T) {
	var cells []Cell
	for _, distance := range []float64{2.9, -2.9, 3.1, -3.1} {
		cells = append(cells, Cell{Where: "here", Mean: 1 + 0.01*distance, Published: 1, Spread: 0.01})
	}
	cells = append(cells, Cell{Where: "there", Ours: 1, Published: 2}) // without a spread
	lines := verdict(cells)
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "2 of 4 ") || !strings.HasPrefix(lines[1], "here differs") {
		t.Errorf("%q", lines)
	}
	if lines := verdict(cells[4:]); lines != nil {
		t.Errorf("%q without a spread", lines)
	}
}

func TestRateOfAPowerIsItsExponent(t *testing.T) {
	near(t, "rate", rate([]float64{1, 2, 5}, []float64{3, 3 / math.Sqrt(2), 3 / math.Sqrt(5)}), -0.5, sumTolerance)
}

// Every number of the paper is found for the cell of the study that contains it.
func TestFullSizesMeetThePublishedNumbers(t *testing.T) {
	for _, problem := range problems {
		p := planOf(problem, false)
		for _, c := range p.quantities() {
			if c.Published == 0 {
				t.Errorf("%s: nothing is published of %+v", problem, c.of)
			}
		}
	}
}

func TestUnknownItemHasASuggestion(t *testing.T) {
	for name, want := range map[string]string{"semigruop": "semigroup", "mn": "m-n", "burger": "burgers",
		"darcy-resolutions": "darcy-resolution"} {
		if _, err := Select([]string{"seeds", name}); err == nil || !strings.Contains(err.Error(), strconv.Quote(want)) {
			t.Errorf("%s: %v, want the suggestion %s", name, err, want)
		}
	}
}

func TestSelectTakesItemsAndProblemsOnce(t *testing.T) {
	chosen, err := Select([]string{"m-n", "burgers-m-n", "brownian"})
	noError(t, err)
	var names []string
	for _, s := range chosen {
		names = append(names, s.Name)
	}
	if len(names) != 3 || names[0] != "brownian" || names[1] != "burgers-m-n" || names[2] != "darcy-m-n" {
		t.Errorf("got %v", names)
	}
}

func TestJudgedStudiesAreScheduledAfterTheirSeeds(t *testing.T) {
	chosen, err := Select([]string{"darcy-m-n", "burgers-feature"})
	noError(t, err)
	var names []string
	for _, s := range Schedule(chosen) {
		names = append(names, s.Name)
	}
	if len(names) != 3 || names[0] != "burgers-feature" || names[1] != "darcy-seeds" || names[2] != "darcy-m-n" {
		t.Errorf("got %v", names)
	}
}

// The page of a study contains the same published numbers as the comparison of a configuration.
func TestPagesHaveThePublishedNumbers(t *testing.T) {
	page := func(name string) report.Page {
		studies, err := Select([]string{name})
		noError(t, err)
		return studies[0].Published()
	}
	for _, c := range []struct{ name, row, column, want string }{
		{"burgers-m-n", "n=10", "m=16", "0.2480"}, {"burgers-transfer", "trained on 65", "K=1025", "0.0322"},
		{"burgers-resolution", "m=1024", "K=129", "0.0310"},
	} {
		table := page(c.name).Tables[0]
		column := slices.Index(table.Header, c.column)
		row := slices.IndexFunc(table.Rows, func(row []string) bool { return row[0] == c.row })
		if column < 0 || row < 0 || table.Rows[row][column] != c.want {
			t.Errorf("%s has no %s at %s, %s:\n%s", c.name, c.want, c.row, c.column, table.Text())
		}
	}
	if p := page("darcy-m-n"); len(p.Figures) != 1 || len(p.Figures[0].Curves) != 8 {
		t.Error("the curves of eight numbers of samples are expected")
	}
	if p := page("brownian"); len(p.Figures) > 0 {
		t.Error("nothing is published of this study")
	}
	for _, s := range All() {
		if p := s.Published(); s.judged() && len(p.Tables) != 1 {
			t.Errorf("%s has %d tables of published numbers", s.Name, len(p.Tables))
		}
	}
}

// at returns the cell of a curve at an abscissa.
func (p panel) at(curve, column int) Cell { return p.cells[curve*len(p.abscissae)+column] }
