// Sine transforms of eight columns at a time by one complex transform of length n.
//
// For f_1 ... f_n-1 and y_j = sin(j pi/n) (f_j + f_n-j) + (f_j - f_n-j)/2, the sums
// F_k = sum_j f_j sin(j k pi/n) follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = Re X_0/2,  F_2k = Im X_k,  F_2k+1 = F_2k-1 + Re X_k.
//
// (Press et al., Numerical Recipes, section 12.4.1.) Two columns u, v share a complex
// lane Z = U + i V, from which U = (Z_k + conj Z_-k)/2, V = (Z_k - conj Z_-k)/(2i).

package poisson

import (
	"math"

	"rfm/solver/fft"
)

// columns is the number of columns that are transformed together: a block of package fft.
const columns = 2 * fft.Lanes

// sineTable holds the factors that turn f into y, for j = 1 ... n/2. Both carry a scale
// and the 1/2 by which two columns are separated.
type sineTable struct {
	sum        []float64
	difference float64
	// positions are the offsets in a block of fft of frequencies j and -j.
	positions []int
}

func newSineTable(plan *fft.Plan, scale float64) sineTable {
	n := plan.N()
	offset := make([]int, n)
	for position, k := range plan.Frequencies() {
		offset[(k+n)%n] = position * columns
	}
	t := sineTable{difference: scale / 4}
	for j := 1; j <= n/2; j++ {
		t.sum = append(t.sum, scale/2*math.Sin(math.Pi*float64(j)/float64(n)))
		t.positions = append(t.positions, offset[j], offset[n-j])
	}
	return t
}

// sineOfColumns writes the sine transforms of the columns of f from j on into w.block.
func (s *Solver) sineOfColumns(w *workspace, f field, j int, t *sineTable) {
	rows, stride := f.values[j:], f.stride
	if available := f.width - j; available < columns {
		clear(w.edge)
		for i := range s.points {
			copy(w.edge[i*columns:], f.row(i)[j:])
		}
		rows, stride = w.edge, columns
	}
	s.kernels.fold(w.z, t.positions, rows, stride, t.difference, t.sum)
	s.plan.Inverse(w.z)
	s.kernels.unfold(w.block, columns, w.z)
}

// sineToColumns writes the sine transforms of w.block into the columns of f from j on.
func (s *Solver) sineToColumns(f field, j int, w *workspace, t *sineTable) {
	s.kernels.fold(w.z, t.positions, w.block, columns, t.difference, t.sum)
	s.plan.Inverse(w.z)
	if available := f.width - j; available < columns {
		s.kernels.unfold(w.edge, columns, w.z)
		for i := range s.points {
			copy(f.row(i)[j:], w.edge[i*columns:(i+1)*columns])
		}
		return
	}
	s.kernels.unfold(f.values[j:], f.stride, w.z)
}
