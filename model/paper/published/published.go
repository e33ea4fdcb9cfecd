// Package published contains the numbers that Nelsen & Stuart published: SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021.
// Each comes from a single draw of features and data.
package published

import (
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

// Sizes are those of an experiment: n pairs, m features, the grids of training and test (K for Burgers, r for Darcy),
// and the number of compositions of the model as step. A size that is not given is 0.
type Sizes map[string]int

// figure is a figure or a table: curves for several values of the size By, over the size X.
type figure struct {
	Problem, Study, Source string
	By, X                  string
	Fixed                  Sizes // of all numbers; the test grid is the one of training unless it is fixed or X
	Points                 []int
	Curves                 map[int][]float64
}

var figures = sync.OnceValue(func() []figure {
	var content struct{ Figures []figure }
	if err := json.Unmarshal(text, &content); err != nil {
		panic("published: " + err.Error()) // the text is part of the program
	}
	return content.Figures
})

// at returns the number at the given sizes.
func (f figure) at(s Sizes) (v float64, ok bool) {
	for size, value := range f.Fixed {
		if s[size] != value {
			return 0, false
		}
	}
	if f.Fixed["test"] == 0 && f.X != "test" && s["test"] != s["grid"] {
		return 0, false
	}
	i := slices.Index(f.Points, s[f.X])
	if curve := f.Curves[s[f.By]]; i >= 0 && i < len(curve) {
		return curve[i], true
	}
	return 0, false
}

// At returns the number of a problem at the given sizes in one of some studies, and whether there is one.
func At(problem string, s Sizes, studies ...string) (Value, bool) {
	for _, f := range figures() {
		if f.Problem == problem && slices.Contains(studies, f.Study) {
			if v, ok := f.at(s); ok {
				return Value{v, f.Source}, true
			}
		}
	}
	return Value{}, false
}

// Errors are the studies of expected relative test errors.
var Errors = []string{"m-n", "resolution", "transfer"}

// ExpectedRelative returns the published expected relative test error of an experiment with this configuration,
// whatever its seed and the number of its test inputs, and whether there is one.
func ExpectedRelative(c config.Config) (Value, bool) {
	s := Sizes{"n": c.Data.Train, "m": c.Features.Count, "grid": c.Train.Grid, "test": c.TestGrid(), "step": 1}
	switch {
	case !sameProblem(c):
		return Value{}, false
	case c.Problem == config.Darcy || c.Equation.Time == 1:
		return At(c.Title(), s, Errors...)
	case c.Equation.Time == 0.5:
		return At(c.Title(), s, "semigroup")
	}
	return Value{}, false
}

// sameProblem reports whether c has the paper's equation, measures, features and regularisation.
func sameProblem(c config.Config) bool {
	p, ok := c.Published()
	p.Seed, p.Data.Train, p.Data.Test, p.Features.Count = c.Seed, c.Data.Train, c.Data.Test, c.Features.Count
	p.Train.Grid, p.Train.Rcond, p.Evaluation.Grid = c.Train.Grid, c.Train.Rcond, c.Evaluation.Grid
	p.Equation.Time, p.Equation.Tolerance = c.Equation.Time, c.Equation.Tolerance
	p.Darcy.Tolerance, p.Darcy.Iterations = c.Darcy.Tolerance, c.Darcy.Iterations
	return ok && c == p
}

// figureOf returns the figure of a study of a problem; an empty one if nothing is published.
func figureOf(problem, study string) (f figure) {
	if i := slices.IndexFunc(figures(), func(f figure) bool { return f.Problem == problem && f.Study == study }); i >= 0 {
		f = figures()[i]
	}
	return f
}

// Axes returns the sizes of the published numbers of a study, ascending: of its curves, and of the points on them.
func Axes(problem, study string) (curves, points []int) {
	f := figureOf(problem, study)
	return slices.Sorted(maps.Keys(f.Curves)), slices.Clone(f.Points)
}
