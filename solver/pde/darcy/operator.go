// This file applies the five-point scheme in flux form, times h^2,
//
//	(A u)_ij = F_i+1/2,j - F_i-1/2,j + F_i,j+1/2 - F_i,j-1/2,  F_i+1/2,j = a_i+1/2,j (u_ij - u_i+1,j).

package darcy

import "math"

// setFaces computes the mean of the permeability at the faces.
func (w *Worker) setFaces(a []float64) {
	r := w.solver.r
	mean := func(p, q float64) float64 { return p/2 + q/2 }
	if w.solver.equation.Mean == Harmonic {
		mean = func(p, q float64) float64 { return 2 / (1/p + 1/q) }
	}
	w.least = math.Inf(1)
	for i := range r {
		for j := range r {
			c := i*r + j
			w.least = min(w.least, a[c])
			if j+1 < r {
				w.east[c] = mean(a[c], a[c+1])
			}
			if i+1 < r {
				w.south[c] = mean(a[c], a[c+r])
			}
		}
	}
}

// step sets p to z + beta p and then q to A p, and returns p.q. All are zero on the boundary.
func (w *Worker) step(q, p, z []float64, beta float64) float64 {
	r, k := w.solver.r, &w.solver.kernels
	k.combine(p[r:2*r], z[r:2*r], beta)
	sum := 0.0
	for i := 1; i < r-1; i++ {
		if i+2 < r {
			k.combine(p[(i+1)*r:(i+2)*r], z[(i+1)*r:(i+2)*r], beta)
		}
		sum += w.applyRow(q, p, i) // while the rows are in the first cache
	}
	return sum
}

// applyRow sets row i of q to row i of A p and returns the part of p.q in it.
func (w *Worker) applyRow(q, p []float64, i int) float64 {
	r := w.solver.r
	row, n := i*r, r-2
	inside := func(x []float64, row int) []float64 { return x[row+1 : row+1+n] }
	return w.solver.kernels.apply(inside(q, row), inside(p, row-r), p[row:row+r], inside(p, row+r),
		w.east[row:row+n+1], inside(w.south, row-r), inside(w.south, row))
}

// slopes returns |grad u|^2, the sum of squared differences across all faces.
func slopes(u []float64, r int) float64 {
	sum := 0.0
	for i := range r - 1 {
		row, below := u[i*r:(i+1)*r], u[(i+1)*r:(i+2)*r]
		for j := range r - 1 {
			right, down := row[j+1]-row[j], below[j]-row[j]
			sum += right*right + down*down
		}
	}
	return sum
}
