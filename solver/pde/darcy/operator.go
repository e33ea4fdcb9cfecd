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
			here := a[c]
			w.least = min(w.least, here)
			if j+1 < r {
				w.east[c] = mean(here, a[c+1])
			}
			if i+1 < r {
				w.south[c] = mean(here, a[c+r])
			}
		}
	}
}

// rowOf returns row i of a field on the closed r x r grid.
func rowOf(field []float64, r, i int) []float64 { return field[i*r : (i+1)*r] }

// inside returns a row without its ends, which are on the boundary.
func inside(row []float64) []float64 { return row[1 : len(row)-1] }

// step sets p to z + beta p and then q to A p, and returns p.q. All are zero on the boundary.
func (w *Worker) step(q, p, z []float64, beta float64) float64 {
	r := w.solver.r
	combine := w.solver.kernels.combine
	combine(rowOf(p, r, 1), rowOf(z, r, 1), beta)
	sum := 0.0
	for i := 1; i < r-1; i++ {
		if i+2 < r {
			combine(rowOf(p, r, i+1), rowOf(z, r, i+1), beta)
		}
		sum += w.applyRow(q, p, i) // while the rows are in the first cache
	}
	return sum
}

// applyRow sets row i of q to row i of A p and returns the part of p.q in it.
func (w *Worker) applyRow(q, p []float64, i int) float64 {
	r := w.solver.r
	return w.solver.kernels.apply(
		inside(rowOf(q, r, i)),
		inside(rowOf(p, r, i-1)),
		rowOf(p, r, i),
		inside(rowOf(p, r, i+1)),
		rowOf(w.east, r, i)[:r-1],
		inside(rowOf(w.south, r, i-1)),
		inside(rowOf(w.south, r, i)),
	)
}

// slopes returns |grad u|^2, the sum of squared differences across all faces.
func slopes(u []float64, r int) float64 {
	sum := 0.0
	for i := range r - 1 {
		row := rowOf(u, r, i)
		below := rowOf(u, r, i+1)
		for j := range r - 1 {
			right := row[j+1] - row[j]
			down := below[j] - row[j]
			sum += right*right + down*down
		}
	}
	return sum
}
