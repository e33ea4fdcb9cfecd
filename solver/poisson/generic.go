// The kernels in pure Go.

package poisson

import "rfm/solver/fft"

// point is one row of a block, or one position of a block of package fft.
type point = [columns]float64

func at(x []float64, offset int) *point { return (*point)(x[offset : offset+columns]) }

func fold(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64) {
	n := len(z) / columns
	clear(z[:columns])
	for i, factor := range sum {
		f, g := at(rows, i*stride), at(rows, (n-2-i)*stride)
		y, opposite := at(z, positions[2*i]), at(z, positions[2*i+1])
		for l := range columns {
			odd, even := difference*(f[l]-g[l]), factor*(f[l]+g[l])
			y[l], opposite[l] = even+odd, even-odd
		}
	}
}

func unfold(rows []float64, stride int, z []float64) {
	n := len(z) / columns
	running := *at(z, 0)
	*at(rows, 0) = running
	for k := 1; 2*k < n; k++ {
		x, opposite := at(z, k*columns), at(z, (n-k)*columns)
		even := at(rows, (2*k-1)*stride)
		for l := range fft.Lanes {
			m := l + fft.Lanes
			even[l], even[m] = x[m]-opposite[m], opposite[l]-x[l]
		}
		if 2*k+1 == n {
			return
		}
		for l := range columns {
			running[l] += x[l] + opposite[l]
		}
		*at(rows, 2*k*stride) = running
	}
}

func transpose(rows []float64, stride int, block []float64) {
	for k := range len(block) / columns {
		for j, x := range at(block, k*columns) {
			rows[j*stride+k] = x
		}
	}
}

func eliminate(rows []float64, stride int, block, previous, factors []float64, factorStride int) {
	for k, y := range previous {
		for j, f := range at(block, k*columns) {
			y = factors[j*factorStride+k] * (f + y)
			rows[j*stride+k] = y
		}
	}
}

func substitute(block, rows []float64, stride int, next, factors []float64, factorStride int) {
	for k, x := range next {
		column := at(block, k*columns)
		for j := columns - 1; j >= 0; j-- {
			x = rows[j*stride+k] + factors[j*factorStride+k]*x
			column[j] = x
		}
		next[k] = x
	}
}

func multiply(x, factors []float64) {
	for i, factor := range factors {
		x[i] *= factor
	}
}
