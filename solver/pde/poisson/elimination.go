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
			for k := range min(width, len(theta)) {
				x := -2 * float64(first+i) * theta[k]
				ratio := math.Expm1(x) / math.Expm1(x-2*theta[k])
				factors[i*width+k] = limits[k] * ratio
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

// eliminate transposes w.block into rows j ... j+7 of w.transformed and eliminates in these rows; previous is row j-1.
func (s *Solver) eliminate(w *workspace, j int, previous []float64) {
	b := s.elimination.bands[j/columns]
	limits := s.elimination.limits[b.width:]
	rows := w.transformed[j*s.stride:]
	first := w.block[:columns*b.width]
	others := w.block[columns*b.width:]
	eliminate := s.kernels.eliminate
	eliminate(rows, s.stride, first, previous[:b.width], b.factors, b.width)
	eliminate(rows[b.width:], s.stride, others, previous[b.width:], limits, 0)
}

// substitute performs the back substitution in rows j ... j+7 of w.transformed and transposes the result into w.block;
// next is row j+8 of the solution and becomes row j.
func (s *Solver) substitute(w *workspace, j int, next []float64) {
	b := s.elimination.bands[j/columns]
	limits := s.elimination.limits[b.width:]
	rows := w.transformed[j*s.stride:]
	first := w.block[:columns*b.width]
	others := w.block[columns*b.width:]
	substitute := s.kernels.substitute
	substitute(first, rows, s.stride, next[:b.width], b.factors, b.width)
	substitute(others, rows[b.width:], s.stride, next[b.width:], limits, 0)
}
