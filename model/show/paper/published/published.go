// Package published contains the numbers that Nelsen & Stuart published: SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021.
// Each comes from a single draw of features and data.
package published

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"rfm/config"
)

//go:embed figures.json
var text []byte

// Value is a published number and its place in the paper.
type Value struct {
	Value  float64 `json:"value"`
	Source string  `json:"source"`
}

// Quantity identifies a number of the paper or of its studies. A size that it does not have is 0.
type Quantity struct {
	Kind string `json:"kind"` // error, coefficients, transfer, composition, sample
	M    int    `json:"m"`
	N    int    `json:"n"`
	Grid int    `json:"grid"`            // K or r of training
	Test int    `json:"test,omitempty"`  // K or r of the test, if different
	Step int    `json:"steps,omitempty"` // number of compositions of the model
}

// Tested returns the grid of the test.
func (q Quantity) Tested() int { return cmp.Or(q.Test, q.Grid) }

// studies are the names of the figures that contain numbers of a kind.
var studies = map[string][]string{
	"error":        {"m-n", "resolution", "transfer"},
	"coefficients": {"coefficients"},
	"transfer":     {"m-n", "resolution", "transfer"},
	"composition":  {"semigroup"},
	"sample":       {"sample"},
}

// figure is a figure or a table: curves for several values of the size By, over the size X.
type figure struct {
	Problem, Study, Source string
	By, X                  string
	Fixed                  map[string]int // of all numbers; a test grid that is neither fixed nor X is that of training
	Points                 []int
	Curves                 map[int][]float64
}

var figures = sync.OnceValue(func() []figure {
	var content struct{ Figures []figure }
	err := json.Unmarshal(text, &content)
	if err != nil {
		panic("published: " + err.Error()) // the text is part of the program
	}
	return content.Figures
})

// of returns a number, if the figure has it.
func (f figure) of(q Quantity) (v float64, ok bool) {
	sizes := map[string]int{
		"n":    q.N,
		"m":    q.M,
		"grid": q.Grid,
		"test": q.Tested(),
		"step": q.Step,
	}
	for name, value := range f.Fixed {
		if sizes[name] != value {
			return 0, false
		}
	}
	testsElsewhere := f.Fixed["test"] != 0 || f.X == "test"
	if !testsElsewhere && sizes["test"] != sizes["grid"] {
		return 0, false
	}
	i := slices.Index(f.Points, sizes[f.X])
	curve := f.Curves[sizes[f.By]]
	if i < 0 || i >= len(curve) {
		return 0, false
	}
	return curve[i], true
}

// Of returns a number of a problem, and whether it is published.
func Of(problem string, q Quantity) (Value, bool) {
	for _, f := range figures() {
		if f.Problem != problem || !slices.Contains(studies[q.Kind], f.Study) {
			continue
		}
		v, ok := f.of(q)
		if ok {
			return Value{Value: v, Source: f.Source}, true
		}
	}
	return Value{}, false
}

// ExpectedRelative returns the published expected relative test error of an experiment with this configuration,
// whatever its seed and the number of its test inputs, and whether there is one.
func ExpectedRelative(c config.Config) (Value, bool) {
	q := Quantity{
		Kind: "error",
		M:    c.Features.Count,
		N:    c.Data.Train,
		Grid: c.Train.Grid,
		Test: c.TestGrid(),
	}
	switch {
	case !sameProblem(c):
		return Value{}, false
	case c.Problem != config.Darcy && c.Equation.Time == 0.5:
		q.Kind = "composition"
		q.Step = 1
	case c.Problem != config.Darcy && c.Equation.Time != 1:
		return Value{}, false
	}
	return Of(c.Title(), q)
}

// sameProblem reports whether c has the paper's equation, measures, features and regularisation.
func sameProblem(c config.Config) bool {
	p, ok := c.Published()
	p.Seed = c.Seed
	p.Data.Train = c.Data.Train
	p.Data.Test = c.Data.Test
	p.Features.Count = c.Features.Count
	p.Train.Grid = c.Train.Grid
	p.Train.Rcond = c.Train.Rcond
	p.Evaluation.Grid = c.Evaluation.Grid
	p.Equation.Time = c.Equation.Time
	p.Equation.Tolerance = c.Equation.Tolerance
	p.Darcy.Tolerance = c.Darcy.Tolerance
	p.Darcy.Iterations = c.Darcy.Iterations
	return ok && c == p
}

// Axes returns the sizes of the published numbers of a study, ascending: of its curves, and of the points on them.
func Axes(problem, study string) (curves, points []int) {
	for _, f := range figures() {
		if f.Problem == problem && f.Study == study {
			return slices.Sorted(maps.Keys(f.Curves)), slices.Clone(f.Points)
		}
	}
	return nil, nil
}
