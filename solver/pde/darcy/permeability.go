package darcy

import (
	"fmt"
	"math"
	"slices"

	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
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
	at := slices.IndexFunc(a, impossible)
	if at < 0 {
		return nil
	}
	r := grid.Square.PointsOf(a)
	return fault.Bad(what, "a permeability must be positive and finite everywhere: repair or drop this function",
		"has the value %v at grid point (%d, %d) of %d x %d", a[at], at/r, at%r, r, r)
}

// CheckPermeabilities applies CheckPermeability to every function of a batch; the error names the function.
func CheckPermeabilities(what string, b grid.Batch) error {
	for i := range b.Count {
		if err := CheckPermeability(fmt.Sprintf("%s, function %d", what, i), b.At(i)); err != nil {
			return err
		}
	}
	return nil
}

// impossible reports whether a permeability is not positive and finite.
func impossible(a float64) bool { return !(a > 0 && a <= math.MaxFloat64) }
