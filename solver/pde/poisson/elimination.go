// This file solves tridiagonal systems, one for each sine mode k:
//
//	-x_j-1 + 2 cosh(theta) x_j - x_j+1 = f_j,  x_0 = x_n = 0,  sinh(theta/2) = sin(k pi/2n).
//
// Gaussian elimination without pivoting (Thomas) is y_j = c_j (f_j + y_j-1) and then x_j = y_j + c_j x_j+1 with c_j =
// sinh(j theta)/sinh((j+1) theta), which quickly converges to exp(-theta) to machine precision.

package poisson

import "math"

// elimination holds the factors c_j for every mode, for eight j at a time.
type elimination struct {
	bands  []band
	limits []float64 // exp(-theta) for each mode, zero for missing modes
}

// A band holds the factors of eight successive j for the modes k <= width, the only ones that differ from the limits.
type band struct {
	width   int
	factors []float64 // eight j x width
}

// newElimination returns the factors for n intervals, with modes padded to so many.
func newElimination(n, padded int) elimination {
	theta := make([]float64, n-1)
	limits := make([]float64, padded)
	for k := range theta {
		sine := math.Sin(math.Pi * float64(k+1) / float64(2*n))
		theta[k] = 2 * math.Asinh(sine)
		limits[k] = math.Exp(-theta[k])
	}
	e := elimination{limits: limits}
	for first := 1; first < n; first += columns {
		modes := modesAwayFromLimit(theta, first)
		width := min((modes+3)/4*4, padded)
		factors := make([]float64, columns*width)
		for i := range columns {
			j := float64(first + i)
			row := factors[i*width : (i+1)*width]
			for k := range min(width, len(theta)) {
				x := -2 * j * theta[k]
				ratio := math.Expm1(x) / math.Expm1(x-2*theta[k])
				row[k] = limits[k] * ratio
			}
		}
		e.bands = append(e.bands, band{width: width, factors: factors})
	}
	return e
}

// modesAwayFromLimit returns the number of modes whose c_j differ from their limit, because c_j/limit - 1 is less than
// exp(-2 j theta), and theta grows with k.
func modesAwayFromLimit(theta []float64, j int) int {
	const rounding = 54 * math.Ln2
	modes := 0
	for modes < len(theta) && 2*float64(j)*theta[modes] < rounding {
		modes++
	}
	return modes
}

// modes are successive modes of eight rows, with the factors c_j for them.
type modes struct {
	rows    []float64 // j ... j+7 of w.transformed, from the first of the modes on
	block   []float64 // these rows transposed, modes x eight
	factors []float64
	perRow  int // factors of a row; 0 if all rows have the same, the limits
}

// modesFrom returns the modes of rows j ... j+7 whose factors differ from their limits, so many, and the others.
func (s *Solver) modesFrom(w *workspace, j int) (differing, others modes, count int) {
	b := s.elimination.bands[j/columns]
	rows := w.transformed[j*s.stride:]
	differing = modes{
		rows:    rows,
		block:   w.block[:columns*b.width],
		factors: b.factors,
		perRow:  b.width,
	}
	others = modes{
		rows:    rows[b.width:],
		block:   w.block[columns*b.width:],
		factors: s.elimination.limits[b.width:],
	}
	return differing, others, b.width
}

// eliminate transposes w.block into rows j ... j+7 of w.transformed and eliminates in these rows; previous is row j-1.
func (s *Solver) eliminate(w *workspace, j int, previous []float64) {
	m, others, count := s.modesFrom(w, j)
	eliminate := s.kernels.eliminate
	eliminate(m.rows, s.stride, m.block, previous[:count], m.factors, m.perRow)
	eliminate(others.rows, s.stride, others.block, previous[count:], others.factors, others.perRow)
}

// substitute performs the back substitution in rows j ... j+7 of w.transformed and transposes the result into w.block;
// next is row j+8 of the solution and becomes row j.
func (s *Solver) substitute(w *workspace, j int, next []float64) {
	m, others, count := s.modesFrom(w, j)
	substitute := s.kernels.substitute
	substitute(m.block, m.rows, s.stride, next[:count], m.factors, m.perRow)
	substitute(others.block, others.rows, s.stride, next[count:], others.factors, others.perRow)
}
