// This file declares the kernels and implements them in pure Go.

package trig

import "rfm/solver/num/fft"

// kernels work on blocks of eight columns, [row][column].
type kernels struct {
	// foldSine sets z to y of NewSineAxis for the eight columns of the strided rows.
	foldSine func(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64)
	// unfoldSine recovers the sine transforms of the eight columns from the transform z of y.
	unfoldSine func(rows []float64, stride int, z []float64)
	// foldCosine sets z to half the y of NewCosineAxis for the eight columns of the strided rows, and odd to F_1.
	foldCosine func(z []float64, positions []int, rows []float64, stride int, sines, cosines, odd []float64)
	// unfoldCosine recovers the cosine transforms of the eight columns from the transform z of y/2 and from F_1.
	unfoldCosine func(rows []float64, stride int, z, odd []float64)
	// transpose writes the columns of block, whose rows are a multiple of four, as eight strided rows.
	transpose func(rows []float64, stride int, block []float64)
	// product sets dst to x times factors, element by element.
	product func(dst, x, factors []float64)
}

var genericKernels = kernels{
	foldSine:     foldSine,
	unfoldSine:   unfoldSine,
	foldCosine:   foldCosine,
	unfoldCosine: unfoldCosine,
	transpose:    transpose,
	product:      product,
}

// vectorKernels are in assembly. Architectures without any have the generic level only.
var vectorKernels kernels

// point is one row of a block, or one position of a block of package fft.
type point = [Columns]float64

// at returns the row of a block whose first number has an offset in x.
func at(x []float64, offset int) *point { return (*point)(x[offset : offset+Columns]) }

func foldSine(z []float64, positions []int, rows []float64, stride int, difference float64, sum []float64) {
	n := len(z) / Columns
	clear(z[:Columns])
	for i, factor := range sum {
		f := at(rows, i*stride)
		g := at(rows, (n-2-i)*stride)
		y := at(z, positions[2*i])
		opposite := at(z, positions[2*i+1])
		for l := range Columns {
			odd := difference * (f[l] - g[l])
			even := factor * (f[l] + g[l])
			y[l] = even + odd
			opposite[l] = even - odd
		}
	}
}

func unfoldSine(rows []float64, stride int, z []float64) {
	n := len(z) / Columns
	running := *at(z, 0)
	*at(rows, 0) = running
	for k := 1; 2*k < n; k++ {
		x := at(z, k*Columns)
		opposite := at(z, (n-k)*Columns)
		even := at(rows, (2*k-1)*stride)
		for l := range fft.Lanes {
			m := l + fft.Lanes
			even[l] = x[m] - opposite[m]
			even[m] = opposite[l] - x[l]
		}
		if 2*k+1 == n {
			return
		}
		for l := range Columns {
			running[l] += x[l] + opposite[l]
		}
		*at(rows, 2*k*stride) = running
	}
}

func foldCosine(z []float64, positions []int, rows []float64, stride int, sines, cosines, odd []float64) {
	n := len(z) / Columns
	running := at(odd, 0)
	first := at(rows, 0)
	last := at(rows, n*stride)
	mean := at(z, positions[0])
	for l := range Columns {
		running[l] = (first[l] - last[l]) / 2
		mean[l] = (first[l] + last[l]) / 4
	}
	for j := 1; j < len(sines); j++ {
		f := at(rows, j*stride)
		g := at(rows, (n-j)*stride)
		y := at(z, positions[2*j])
		opposite := at(z, positions[2*j+1])
		sine := sines[j]
		cosine := cosines[j]
		for l := range Columns {
			difference := f[l] - g[l]
			running[l] += cosine * difference
			sum := (f[l] + g[l]) / 4
			skew := sine * difference
			y[l] = sum - skew
			opposite[l] = sum + skew
		}
	}
}

func unfoldCosine(rows []float64, stride int, z, odd []float64) {
	n := len(z) / Columns
	running := *at(odd, 0)
	for k := 0; 2*k <= n; k++ {
		x := at(z, k*Columns)
		opposite := at(z, (n-k)%n*Columns)
		if k > 0 {
			for l := range fft.Lanes {
				m := l + fft.Lanes
				running[l] += x[m] - opposite[m]
				running[m] += opposite[l] - x[l]
			}
		}
		even := at(rows, 2*k*stride)
		for l := range Columns {
			even[l] = x[l] + opposite[l]
		}
		if 2*k < n {
			*at(rows, (2*k+1)*stride) = running
		}
	}
}

func transpose(rows []float64, stride int, block []float64) {
	for k := range len(block) / Columns {
		for j, x := range at(block, k*Columns) {
			rows[j*stride+k] = x
		}
	}
}

func product(dst, x, factors []float64) {
	for i := range dst {
		dst[i] = x[i] * factors[i]
	}
}

// unfoldCentred recovers the cosine transforms of eight columns from the transform z of v, see NewCentredAxis.
func unfoldCentred(rows Rows, z, cosines, sines []float64) {
	n := len(z) / Columns
	*rows.row(0) = *at(z, 0)
	for k := 1; 2*k <= n; k++ {
		x := at(z, k*Columns)
		opposite := at(z, (n-k)*Columns)
		cosine := cosines[k]
		sine := sines[k]
		first := rows.row(k)
		last := rows.row(n - k)
		for l := range fft.Lanes {
			m := l + fft.Lanes
			re := x[l] + opposite[l]
			im := x[m] - opposite[m]
			first[l] = cosine*re - sine*im
			last[l] = sine*re + cosine*im

			otherRe := x[m] + opposite[m]
			otherIm := opposite[l] - x[l]
			first[m] = cosine*otherRe - sine*otherIm
			last[m] = sine*otherRe + cosine*otherIm
		}
	}
}

// foldCentred sets z to the spectrum of the v of the sums of eight columns.
func foldCentred(z []float64, positions []int, rows Rows, cosines, sines []float64) {
	n := len(z) / Columns
	first := at(z, positions[0])
	for l, v := range rows.row(0) {
		first[l] = v / 2
	}
	for k := 1; 2*k <= n; k++ {
		f := rows.row(k)
		g := rows.row(n - k)
		cosine := cosines[k]
		sine := sines[k]
		x := at(z, positions[k])
		opposite := at(z, positions[n-k])
		for l := range fft.Lanes {
			m := l + fft.Lanes
			re := cosine*f[l] + sine*g[l]
			im := sine*f[l] - cosine*g[l]
			otherRe := cosine*f[m] + sine*g[m]
			otherIm := sine*f[m] - cosine*g[m]
			x[l] = re - otherIm
			x[m] = im + otherRe
			opposite[l] = re + otherIm
			opposite[m] = otherRe - im
		}
	}
}
