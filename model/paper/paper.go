// Package paper knows the numbers that Nelsen & Stuart published: SIAM J. Sci. Comput. 43(5) A3212-A3243, 2021. Every
// one of them is a single draw of features and data.
package paper

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"rfm/config"
)

//go:embed figures.json
var text []byte

// Value is a published number and where it stands.
type Value struct {
	Value  float64 `json:"value"`
	Source string  `json:"source"`
}

type figures struct {
	Resolution struct {
		Figure string
		ByM    map[string]struct {
			K    []int
			Test []float64
		} `json:"by_m"`
	} `json:"burgers_resolution"`
	Transfer struct {
		Figure   string
		TestK    []int                `json:"test_K"`
		ByTrainK map[string][]float64 `json:"by_train_K"`
	} `json:"burgers_transfer"`
	MN struct {
		Figure string
		M      []int
		ByN    map[string][]float64 `json:"by_n"`
	} `json:"burgers_m_n"`
	Semigroup struct {
		Table   string
		Horizon []float64
		Test    []float64
	} `json:"burgers_semigroup"`
}

var published = sync.OnceValue(func() figures {
	var f figures
	if err := json.Unmarshal(text, &f); err != nil {
		panic("paper: " + err.Error()) // the text is part of the program
	}
	return f
})

// ExpectedRelative is the published expected relative test error of an experiment with this configuration, whatever
// its seed and the number of its test inputs, and whether there is one.
func ExpectedRelative(c config.Config) (Value, bool) {
	n, m, trainK, testK := c.Data.Train, c.Features.Count, c.Train.Grid, c.TestGrid()
	f := published()
	switch {
	case c.Train.Lambda != 0 || !sameProblem(c):
	case c.Burgers.Time == 0.5 && n == 512 && m == 1024 && trainK == 129 && testK == 129:
		return Value{f.Semigroup.Test[0], "Table " + f.Semigroup.Table}, true
	case c.Burgers.Time != 1:
	case trainK == 129 && testK == 129:
		if v, ok := at(f.MN.M, f.MN.ByN[strconv.Itoa(n)], m); ok {
			return Value{v, "Figure " + f.MN.Figure}, true
		}
		fallthrough
	case trainK == testK && n == 512:
		curve := f.Resolution.ByM[strconv.Itoa(m)]
		if v, ok := at(curve.K, curve.Test, testK); ok && n == 512 {
			return Value{v, "Figure " + f.Resolution.Figure}, true
		}
	case n == 512 && m == 1024:
		if v, ok := at(f.Transfer.TestK, f.Transfer.ByTrainK[strconv.Itoa(trainK)], testK); ok {
			return Value{v, "Figure " + f.Transfer.Figure}, true
		}
	}
	return Value{}, false
}

// sameProblem says whether c has the paper's equation, measures and features.
func sameProblem(c config.Config) bool {
	p, err := config.PresetByName("burgers")
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err))
	}
	p.Burgers.Time, p.Burgers.Tolerance, p.Features.Count = c.Burgers.Time, c.Burgers.Tolerance, c.Features.Count
	return c.Problem == p.Problem && c.Input == p.Input && c.Burgers == p.Burgers && c.Features == p.Features && c.Data.Grid == p.Data.Grid &&
		c.Data.TrainFile == "" && c.Data.TestFile == ""
}

// at is the ordinate that belongs to abscissa want.
func at(abscissae []int, ordinates []float64, want int) (float64, bool) {
	for i, x := range abscissae {
		if x == want && i < len(ordinates) {
			return ordinates[i], true
		}
	}
	return 0, false
}
