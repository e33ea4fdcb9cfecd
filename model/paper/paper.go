// Package paper contains the numbers that Nelsen & Stuart published: SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021. Each
// comes from a single draw of features and data.
package paper

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
	figures struct {
		BurgersResolution resolution `json:"burgers_resolution"`
		BurgersTransfer   transfer   `json:"burgers_transfer"`
		BurgersMN         sampling   `json:"burgers_m_n"`
		BurgersSemigroup  struct {
			Table string
			Test  []float64
		} `json:"burgers_semigroup"`
		DarcyResolution resolution `json:"darcy_resolution"`
		DarcyTransfer   transfer   `json:"darcy_transfer"`
		DarcyMN         sampling   `json:"darcy_m_n"`
	}
)

var published = sync.OnceValue(func() figures {
	var f figures
	if err := json.Unmarshal(text, &f); err != nil {
		panic("paper: " + err.Error()) // the text is part of the program
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
