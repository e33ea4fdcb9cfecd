// This file accesses fields on the interior or on the whole grid, and holds scratch memory.

package poisson

import (
	"fmt"

	"rfm/solver/trig"
)

// field returns a view of the unknowns in x.
func (s *Solver) field(what string, x []float64) trig.Field {
	switch len(x) {
	case s.points * s.points:
		return trig.Field{Values: x, Stride: s.points, Rows: s.points, Columns: s.points}
	case s.r * s.r:
		return trig.Field{Values: x[s.r+1:], Stride: s.r, Rows: s.points, Columns: s.points}
	}
	panic(fmt.Sprintf("poisson: %s has length %d, want %d for the interior or %d for the whole of a %d x %d grid",
		what, len(x), s.points*s.points, s.r*s.r, s.r, s.r))
}

// clearBoundary sets the boundary values to zero if x is a field on the whole grid.
func (s *Solver) clearBoundary(x []float64) {
	if len(x) != s.r*s.r {
		return
	}
	clear(x[:s.r])
	for i := 1; i < s.n; i++ {
		x[i*s.r], x[i*s.r+s.n] = 0, 0
	}
	clear(x[s.n*s.r:])
}

// workspace is the scratch memory of one solution.
type workspace struct {
	transformed []float64 // padded rows at the stride: one axis transformed, the axes exchanged
	block       []float64 // eight columns, [row][column]; zero in rows without unknowns
	edge        []float64 // a block
	work        []float64 // of the transform
	row         []float64 // a row of transformed
}

func (s *Solver) newWorkspace() *workspace {
	return &workspace{
		transformed: make([]float64, s.padded*s.stride),
		block:       make([]float64, columns*s.padded),
		edge:        make([]float64, columns*s.padded),
		work:        make([]float64, s.axis.Work()),
		row:         make([]float64, s.padded),
	}
}
