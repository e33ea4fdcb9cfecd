package darcy

import (
	"fmt"
	"math"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// LevelSet makes a piecewise constant permeability from a level set function g: a = Plus where g > 0, else Minus
// (the level set prior in section 3.2 of the paper, which has 12 and 3).
type LevelSet struct {
	Plus, Minus float64 // > 0
}

// Apply replaces the values of g by the values of a.
func (l LevelSet) Apply(g []float64) {
	for i, v := range g {
		if v > 0 {
			g[i] = l.Plus
		} else {
			g[i] = l.Minus
		}
	}
}

// CheckPermeability returns a *fault.Data naming the field and the point if a value of the field a is not positive and
// finite.
func CheckPermeability(what string, a []float64) error {
	if at := invalid(a); at >= 0 {
		return permeabilityFault(what, a, at)
	}
	return nil
}

// CheckPermeabilities applies CheckPermeability to every function of a batch; the error names the function.
func CheckPermeabilities(what string, b grid.Batch) error {
	for i := range b.Count {
		if at := invalid(b.At(i)); at >= 0 {
			return permeabilityFault(fmt.Sprintf("%s, function %d", what, i), b.At(i), at)
		}
	}
	return nil
}

// invalid returns the index of the first value that is not positive and finite, or -1.
func invalid(a []float64) int {
	for i, v := range a {
		if !(v > 0 && v <= math.MaxFloat64) {
			return i
		}
	}
	return -1
}

func permeabilityFault(where string, a []float64, at int) error {
	r := grid.Square.PointsOf(a)
	return &fault.Data{Where: where, What: fmt.Sprintf("has the value %v at grid point (%d, %d) of %d x %d", a[at], at/r,
		at%r, r, r),
		Do: "a permeability must be positive and finite everywhere: repair or drop this function"}
}
