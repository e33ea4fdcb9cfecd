// Cosine transforms of eight columns at a time by one complex transform of length n.
//
// For y_j = (f_j + f_n-j)/2 - sin(j pi/n) (f_j - f_n-j), j = 0 ... n-1, the sums F_k = sum_j w_j f_j cos(j k pi/n) with
// w = 1/2 at the ends follow from X_k = sum_j y_j exp(2 pi i j k/n):
//
//	F_1 = sum_j w_j f_j cos(j pi/n),  F_2k = Re X_k,  F_2k+1 = F_2k-1 + Im X_k.
//
// (Press et al., Numerical Recipes, section 12.4.2.) Two columns u, v share a complex lane Z = U + i V, from which
// U = (Z_k + conj Z_-k)/2, V = (Z_k - conj Z_-k)/(2i).

package cosine

import "rfm/solver/fft"

// point is one row of a block, or one position of a block of package fft.
type point = [columns]float64

func at(x []float64, offset int) *point { return (*point)(x[offset : offset+columns]) }

// columns writes the transforms of the eight columns of the strided rows into w.block.
func (t *Transform) columns(w *workspace, rows []float64, stride int) {
	odd := t.fold(w.z, rows, stride)
	t.plan.Inverse(w.z)
	unfold(w.block, w.z, odd)
}

// fold sets z to y/2, where the 1/2 is that by which two columns are separated, and returns F_1.
func (t *Transform) fold(z, rows []float64, stride int) (odd point) {
	f, g, y := at(rows, 0), at(rows, t.n*stride), at(z, t.positions[0])
	for l := range columns {
		odd[l] = (f[l] - g[l]) / 2
		y[l] = (f[l] + g[l]) / 4
	}
	for j := 1; j < len(t.half); j++ {
		f, g := at(rows, j*stride), at(rows, (t.n-j)*stride)
		y, opposite := at(z, t.positions[2*j]), at(z, t.positions[2*j+1])
		half, first := t.half[j], t.first[j]
		for l := range columns {
			difference := f[l] - g[l]
			odd[l] += first * difference
			sum, skew := (f[l]+g[l])/4, half*difference
			y[l], opposite[l] = sum-skew, sum+skew
		}
	}
	return odd
}

// unfold recovers the cosine transforms from the transform z of y/2 and the first odd ones.
func unfold(block, z []float64, odd point) {
	n := len(z) / columns
	for k := 0; 2*k <= n; k++ {
		x, opposite := at(z, k*columns), at(z, (n-k)%n*columns)
		if k > 0 {
			for l := range fft.Lanes {
				m := l + fft.Lanes
				odd[l] += x[m] - opposite[m]
				odd[m] += opposite[l] - x[l]
			}
		}
		even := at(block, 2*k*columns)
		for l := range columns {
			even[l] = x[l] + opposite[l]
		}
		if 2*k < n {
			*at(block, (2*k+1)*columns) = odd
		}
	}
}

// transpose writes the first count columns of block as strided rows.
func transpose(rows []float64, stride int, block []float64, count int) {
	length := len(block) / columns
	for l := range count {
		row := rows[l*stride : l*stride+length]
		for k := range row {
			row[k] = block[k*columns+l]
		}
	}
}
