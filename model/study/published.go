// This file contains published numbers other than test errors of single experiments. Every one is a single draw.

package study

import (
	"slices"

	"rfm/config"
)

// publishedSemigroup is Table 4.1.
var publishedSemigroup = struct {
	n, m   int
	errors [4]float64 // at T = 0.5, 1, 1.5, 2
}{512, 1024, [4]float64{0.0360, 0.0407, 0.0528, 0.0788}}

// distances are relative distances of coefficients from those on the finest grid.
type distances struct {
	finest int
	grids  []int
	byM    map[int][]float64
}

// at returns the distance for m features on a grid; 0 if none was published.
func (d distances) at(m, grid int) float64 {
	j := slices.Index(d.grids, grid)
	if j < 0 || d.byM[m] == nil {
		return 0
	}
	return d.byM[m][j]
}

// publishedCoefficients are the right panels of Figures 4.3 and 4.6, from the authors' published experiment files.
var publishedCoefficients = map[string]distances{
	config.Burgers: {1025, []int{17, 33, 65, 129, 257, 513}, map[int][]float64{
		256:  {0.300889, 0.085533, 0.0231107, 0.00568451, 0.00113493, 0.000226666},
		512:  {0.496001, 0.141974, 0.0287874, 0.00696829, 0.00159878, 0.000272307},
		1024: {0.606193, 0.170922, 0.0393429, 0.00815392, 0.00213064, 0.000333052},
	}},
	config.Darcy: {129, []int{9, 17, 33, 65}, map[int][]float64{
		64:  {0.78318, 0.181762, 0.056604, 0.0166705},
		128: {0.721318, 0.260476, 0.0903935, 0.0285902},
		256: {0.703946, 0.304245, 0.112645, 0.0389099},
	}},
}

// publishedSample is the relative error of the one prediction that the paper shows.
type publishedSample struct {
	n, m, grid int
	error      float64
}

// publishedSamples are Figures 4.1 and 4.4.
var publishedSamples = map[string]publishedSample{
	config.Burgers: {512, 1024, 1025, 0.0146},
	config.Darcy:   {256, 350, 257, 0.0122},
}
