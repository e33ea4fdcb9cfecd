// Package waves has the modes of functions on periodic grids: operators that commute with translations are diagonal in
// them.
package waves

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// Waves holds the modes of functions on a periodic grid, by their positions in a spectrum. It is immutable.
type Waves struct {
	Plan        *fft.Plan
	Domain      grid.Domain
	points      int
	frequencies [][2]int  // k at each position
	Magnitude   []float64 // |k|; infinite where k and -k cannot be told apart along an axis (Nyquist)
	Mirror      []int     // the position of -k
	Half        []int     // one position for k and -k
}

// On returns the modes of functions on the grid of a periodic domain.
func On(domain grid.Domain, points int) *Waves {
	w := &Waves{Domain: domain, points: points}
	rows, columns := domain.Axes(points) // with those that repeat the first
	w.Plan = fft.On(rows-1, columns-1)
	w.frequencies = w.Plan.Frequencies()
	w.Mirror = w.Plan.Mirror()
	first := rows - 1 // distinct points along the axes of k
	second := columns - 1
	if rows == 1 { // plans of one axis have its frequency first
		first = columns - 1
		second = 1
	}
	for p, k := range w.frequencies {
		if p <= w.Mirror[p] {
			w.Half = append(w.Half, p)
		}
		size := math.Hypot(float64(k[0]), domain.Frequency(k[1]))
		isNyquist := 2*k[0] == first || 2*k[1] == second
		if isNyquist {
			size = math.Inf(1)
		}
		w.Magnitude = append(w.Magnitude, size)
	}
	return w
}

// N returns the number of distinct points.
func (w *Waves) N() int { return w.Plan.N() }

// Positive returns the positions of the wavenumbers 0, 1, ... of functions of one variable.
func (w *Waves) Positive() []int {
	all := make([]int, w.N()/2+1)
	for p, k := range w.frequencies {
		if k[0] >= 0 {
			all[k[0]] = p
		}
	}
	return all
}

// Spectra returns the spectra of functions, not normalised: real and imaginary parts interleaved, one after the other.
func (w *Waves) Spectra(functions grid.Batch) [][]float64 {
	all := make([][]float64, functions.Count)
	for i := range all {
		spectrum := make([]float64, 2*w.N())
		w.Plan.Spectrum(spectrum, w.Domain.Distinct(functions.At(i)))
		all[i] = spectrum
	}
	return all
}

// Functions returns the functions with the given spectra. It returns ctx.Err() if ctx is done.
func (w *Waves) Functions(ctx context.Context, spectra [][]float64, workers int) (grid.Batch, error) {
	all := grid.NewBatch(w.Domain, w.points, len(spectra))
	return all, parallel.For(ctx, workers, len(spectra), func(_, i int) error {
		const stride = 2 * Lanes // of positions in a block
		block := make([]float64, stride*w.N())
		n := float64(w.N())
		for q := range w.N() {
			block[stride*q] = spectra[i][2*q] / n
			block[stride*q+Lanes] = spectra[i][2*q+1] / n
		}
		w.Plan.Inverse(block)
		w.Domain.Complete(all.At(i), block, stride)
		return nil
	})
}

// Set sets the coefficient of a real function at a position, and at its mirror.
func (w *Waves) Set(spectrum []float64, p int, re, im float64) {
	mirror := w.Mirror[p]
	spectrum[2*mirror] = re
	spectrum[2*mirror+1] = -im
	spectrum[2*p] = re // last, because the mirror may be the position
	spectrum[2*p+1] = im
}

// Multiplicity returns the number of wavenumbers, k and -k, of a position.
func (w *Waves) Multiplicity(p int) float64 {
	if w.Mirror[p] == p {
		return 1
	}
	return 2
}

// Normalised returns spectra divided by the number of points.
func Normalised(w *Waves, functions grid.Batch) [][]float64 {
	all := w.Spectra(functions)
	scale := 1 / float64(w.N())
	for _, spectrum := range all {
		floats.Scale(scale, spectrum)
	}
	return all
}

// Lanes is the number of complex sequences in a block of package fft.
const Lanes = 4
