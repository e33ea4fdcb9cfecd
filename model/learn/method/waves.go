package method

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/space/grid"
)

// waves holds the modes of functions on a periodic grid, by their positions in a spectrum. It is immutable.
type waves struct {
	plan        *fft.Plan
	domain      grid.Domain
	points      int
	frequencies [][2]int  // k at each position
	magnitude   []float64 // |k|; infinite where k and -k cannot be told apart along an axis (Nyquist)
	mirror      []int     // the position of -k
	half        []int     // one position for k and -k
}

func newWaves(domain grid.Domain, points int) *waves {
	w := &waves{domain: domain, points: points}
	rows, columns := domain.Axes(points)
	rows, columns = rows-1, columns-1
	w.plan = fft.On(rows, columns)
	if rows == 0 {
		rows, columns = columns, 1
	}
	w.frequencies, w.mirror = w.plan.Frequencies(), w.plan.Mirror()
	for p, k := range w.frequencies {
		if p <= w.mirror[p] {
			w.half = append(w.half, p)
		}
		size := math.Hypot(float64(k[0]), domain.Frequency(k[1]))
		if 2*k[1] == columns || 2*k[0] == rows {
			size = math.Inf(1)
		}
		w.magnitude = append(w.magnitude, size)
	}
	return w
}

// n returns the number of distinct points.
func (w *waves) n() int { return w.plan.N() }

// positive returns the positions of the wavenumbers 0, 1, ... of functions of one variable.
func (w *waves) positive() []int {
	all := make([]int, w.n()/2+1)
	for p, k := range w.frequencies {
		if k[0] >= 0 {
			all[k[0]] = p
		}
	}
	return all
}

// spectra returns the spectra of functions, not normalised: real and imaginary parts interleaved, one after the other.
func (w *waves) spectra(functions grid.Batch) [][]float64 {
	all := make([][]float64, functions.Count)
	for i := range all {
		all[i] = make([]float64, 2*w.n())
		w.plan.Spectrum(all[i], w.domain.Distinct(functions.At(i)))
	}
	return all
}

// functions returns the functions with the given spectra. The error is ctx's.
func (w *waves) functions(ctx context.Context, spectra [][]float64, workers int) (grid.Batch, error) {
	all := grid.NewBatch(w.domain, w.points, len(spectra))
	return all, parallel.For(ctx, workers, len(spectra), func(_, i int) error {
		block := make([]float64, 2*lanes*w.n())
		for q := range w.n() {
			block[2*lanes*q], block[2*lanes*q+lanes] = spectra[i][2*q]/float64(w.n()), spectra[i][2*q+1]/float64(w.n())
		}
		w.plan.Inverse(block)
		w.domain.Complete(all.At(i), block, 2*lanes)
		return nil
	})
}

// set sets the coefficient of a real function at a position, and at its mirror.
func (w *waves) set(spectrum []float64, p int, re, im float64) {
	q := w.mirror[p]
	spectrum[2*q], spectrum[2*q+1] = re, -im
	spectrum[2*p], spectrum[2*p+1] = re, im // last, because the mirror may be the position
}

// multiplicity returns the number of wavenumbers, k and -k, of a position.
func (w *waves) multiplicity(p int) float64 {
	if w.mirror[p] == p {
		return 1
	}
	return 2
}

// normalised returns spectra divided by the number of points.
func normalised(w *waves, functions grid.Batch) [][]float64 {
	all := w.spectra(functions)
	for _, spectrum := range all {
		floats.Scale(1/float64(w.n()), spectrum)
	}
	return all
}

// lanes is the number of complex sequences in a block of package fft.
const lanes = 4
