// Package published contains the numbers that Nelsen & Stuart published: SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021.
// Each comes from a single draw of features and data.
package published

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
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

// resolution is a figure of error against the grid for several m; transfer of a model trained on one grid and tested on
// others; sampling of error against m for several n. Grids are K for Burgers and r for Darcy.
type (
	resolution struct {
		Figure string
		ByM    map[string]struct {
			K, R []int
			Test []float64
		} `json:"by_m"`
	}
	transfer struct {
		Figure   string
		TestK    []int                `json:"test_K"`
		TestR    []int                `json:"test_r"`
		ByTrainK map[string][]float64 `json:"by_train_K"`
		ByTrainR map[string][]float64 `json:"by_train_r"`
	}
	sampling struct {
		Figure string
		M      []int
		ByN    map[string][]float64 `json:"by_n"`
	}
	coefficients struct { // relative distances from those on the finest grid
		K, R      []int
		RelativeK int                  `json:"relative_to_K"`
		RelativeR int                  `json:"relative_to_r"`
		ByM       map[string][]float64 `json:"by_m"`
	}
	sample struct {
		N, M, K, R int
		Error      float64 `json:"relative_error_of_one_prediction"`
	}
	figures struct {
		BurgersResolution resolution `json:"burgers_resolution"`
		BurgersTransfer   transfer   `json:"burgers_transfer"`
		BurgersMN         sampling   `json:"burgers_m_n"`
		BurgersSemigroup  struct {
			Table string
			N, M  int
			Test  []float64
		} `json:"burgers_semigroup"`
		BurgersCoefficients coefficients `json:"burgers_coefficients"`
		DarcyCoefficients   coefficients `json:"darcy_coefficients"`
		BurgersSample       sample       `json:"burgers_sample"`
		DarcySample         sample       `json:"darcy_sample"`
		DarcyResolution     resolution   `json:"darcy_resolution"`
		DarcyTransfer       transfer     `json:"darcy_transfer"`
		DarcyMN             sampling     `json:"darcy_m_n"`
	}
)

var published = sync.OnceValue(func() figures {
	var f figures
	if err := json.Unmarshal(text, &f); err != nil {
		panic("published: " + err.Error()) // the text is part of the program
	}
	return f
})

// ExpectedRelative returns the published expected relative test error of an experiment with this configuration,
// whatever its seed and the number of its test inputs, and whether there is one.
func ExpectedRelative(c config.Config) (Value, bool) {
	f := published()
	if !sameProblem(c) {
		return Value{}, false
	}
	if c.Problem == config.Darcy {
		return cell(c, 33, 128, 256, f.DarcyMN, f.DarcyResolution, f.DarcyTransfer)
	}
	switch c.Burgers.Time {
	case 1:
		return cell(c, 129, 512, 1024, f.BurgersMN, f.BurgersResolution, f.BurgersTransfer)
	case 0.5:
		if c.Data.Train == 512 && c.Features.Count == 1024 && c.Train.Grid == 129 && c.TestGrid() == 129 {
			return Value{f.BurgersSemigroup.Test[0], "Table " + f.BurgersSemigroup.Table}, true
		}
	}
	return Value{}, false
}

// cell looks up a configuration in a problem's figures: error against m and n on the grid of that figure, error against
// the grid for the n of that figure, and transfer between grids for its n and m.
func cell(c config.Config, grid, n, m int, byN sampling, byM resolution, between transfer) (Value, bool) {
	trainGrid, testGrid := c.Train.Grid, c.TestGrid()
	if trainGrid == grid && testGrid == grid {
		if v, ok := at(byN.M, byN.ByN[strconv.Itoa(c.Data.Train)], c.Features.Count); ok {
			return Value{v, "Figure " + byN.Figure}, true
		}
	}
	if c.Data.Train != n {
		return Value{}, false
	}
	if trainGrid == testGrid {
		curve := byM.ByM[strconv.Itoa(c.Features.Count)]
		if v, ok := at(slices.Concat(curve.K, curve.R), curve.Test, testGrid); ok {
			return Value{v, "Figure " + byM.Figure}, true
		}
	}
	if c.Features.Count == m {
		name := strconv.Itoa(trainGrid)
		if v, ok := at(slices.Concat(between.TestK, between.TestR),
			slices.Concat(between.ByTrainK[name], between.ByTrainR[name]), testGrid); ok {
			return Value{v, "Figure " + between.Figure}, true
		}
	}
	return Value{}, false
}

// sameProblem reports whether c has the paper's equation, measures, features and regularisation.
func sameProblem(c config.Config) bool {
	p := c.Of().Start()
	p.Seed, p.Data.Train, p.Data.Test, p.Features.Count = c.Seed, c.Data.Train, c.Data.Test, c.Features.Count
	p.Train.Grid, p.Train.Rcond, p.Evaluation.Grid = c.Train.Grid, c.Train.Rcond, c.Evaluation.Grid
	p.Burgers.Time, p.Burgers.Tolerance = c.Burgers.Time, c.Burgers.Tolerance
	p.Darcy.Tolerance, p.Darcy.Iterations = c.Darcy.Tolerance, c.Darcy.Iterations
	return c == p
}

// at returns the ordinate at the abscissa want, and whether it exists.
func at(abscissae []int, ordinates []float64, want int) (float64, bool) {
	i := slices.Index(abscissae, want)
	if i < 0 || i >= len(ordinates) {
		return 0, false
	}
	return ordinates[i], true
}

// Coefficients returns the relative distance of the coefficients of m features on a grid from those on the finest one;
// 0 if none was published.
func Coefficients(problem string, m, grid, finest int) float64 {
	c := published().BurgersCoefficients
	if problem == config.Darcy {
		c = published().DarcyCoefficients
	}
	if c.RelativeK+c.RelativeR != finest { // the other one is 0
		return 0
	}
	v, _ := at(slices.Concat(c.K, c.R), c.ByM[strconv.Itoa(m)], grid)
	return v
}

// Composition returns the error of the model of Table 4.1, applied the given number of times; 0 for other sizes.
func Composition(n, m, times int) float64 {
	if s := published().BurgersSemigroup; n == s.N && m == s.M {
		return s.Test[times-1]
	}
	return 0
}

// Sample is the relative error of one prediction that the paper shows.
type Sample struct {
	N, M, Grid int
	Error      float64
}

// OneSample returns the prediction of Figure 4.1 or 4.4.
func OneSample(problem string) Sample {
	s := published().BurgersSample
	if problem == config.Darcy {
		s = published().DarcySample
	}
	return Sample{s.N, s.M, s.K + s.R, s.Error} // one of both grids is 0
}
