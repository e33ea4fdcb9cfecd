// Fields on the interior or on the whole grid, and scratch memory.

package poisson

import "fmt"

// field is a view of the unknowns: row i starts at values[i*stride].
type field struct {
	values []float64
	stride int
	width  int
}

func (f field) row(i int) []float64 { return f.values[i*f.stride : i*f.stride+f.width] }

func (s *Solver) field(what string, x []float64) field {
	switch len(x) {
	case s.points * s.points:
		return field{x, s.points, s.points}
	case s.r * s.r:
		return field{x[s.r+1:], s.r, s.points}
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
	edge        []float64 // a block, or eight rows
	z           []float64 // a block of package fft
	row         []float64 // a row of transformed
}

func newWorkspace(n, padded, stride int) *workspace {
	return &workspace{
		transformed: make([]float64, padded*stride),
		block:       make([]float64, columns*padded),
		edge:        make([]float64, columns*padded),
		z:           make([]float64, columns*n),
		row:         make([]float64, padded),
	}
}
