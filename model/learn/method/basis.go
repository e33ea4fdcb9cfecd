package method

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

const (
	// mostComponents bounds the number of principal components: far more than are useful.
	mostComponents = 128
	// oversampling and powerSteps make the subspace iteration as good as an eigenvalue decomposition for spectra that
	// decay (Halko, Martinsson & Tropp 2011, algorithm 4.4).
	oversampling = 16
	powerSteps   = 4
	// leastVariance is the variance, relative to the largest, below which a component is rounding error.
	leastVariance = 1e-13
	// purposeComponents names the stream of the random vectors with which the iteration begins.
	purposeComponents draw.Purpose = "baseline-components"
)

// basis is a set of orthonormal functions in L2, principal components or waves. Coefficients in it describe functions
// less their mean.
type basis struct {
	mean        []float64  // K values
	modes       *mat.Dense // K x M, sqrt(weight) times the functions: columns orthonormal
	root        []float64  // sqrt(weight), K values
	variances   []float64  // mean square of the coefficients, M values; of principal components > 0, descending
	frequencies []float64  // of waves; nil: principal components
}

// newBasis returns a basis for functions, still without modes.
func newBasis(functions grid.Batch) *basis {
	b := &basis{mean: functions.Mean(), root: functions.Domain.Weights(functions.Points)}
	for x, w := range b.root {
		b.root[x] = math.Sqrt(w)
	}
	return b
}

// square returns the mean square of the mean.
func (p *basis) square() float64 {
	square := 0.0
	for x, v := range p.mean {
		square += p.root[x] * p.root[x] * v * v
	}
	return square
}

func sameInputs() error {
	return &fault.Data{Where: "training inputs",
		What: "are all the same function, so nothing can be learned from them", Do: "check the input file"}
}

// newPrincipal finds up to mostComponents components that have a variance: those of a subspace that contains the
// leading ones, by a singular value decomposition. The error is a *fault.Data if all functions are the same.
func newPrincipal(functions grid.Batch) (*basis, error) {
	n, K := functions.Count, functions.Values()
	p := newBasis(functions)
	centred := p.centred(functions)
	size := min(n, K, mostComponents+oversampling)
	basis := mat.NewDense(K, size, nil)
	for j := range size {
		random := draw.Stream(0, purposeComponents, j)
		for x := range K {
			basis.Set(x, j, random.NormFloat64())
		}
	}
	basis = orthonormal(basis)
	for range powerSteps {
		var image, back mat.Dense
		image.Mul(centred, basis)
		back.Mul(centred.T(), &image)
		basis = orthonormal(&back)
	}
	var image, vectors mat.Dense
	var svd mat.SVD
	image.Mul(centred, basis)
	if !svd.Factorize(&image, mat.SVDThin) {
		panic("method: the singular values of functions did not converge")
	}
	values := svd.Values(nil) // descending
	largest := values[0] * values[0] / float64(n)
	if largest <= leastVariance*leastVariance*p.square() { // the rounding error of differences
		return nil, sameInputs()
	}
	for _, v := range values[:min(size, mostComponents)] {
		if variance := v * v / float64(n); variance > leastVariance*largest {
			p.variances = append(p.variances, variance)
		}
	}
	svd.VTo(&vectors)
	p.modes = new(mat.Dense)
	p.modes.Mul(basis, vectors.Slice(0, size, 0, len(p.variances)))
	return p, nil
}

// orthonormal replaces the columns of a, no more than its rows, by an orthonormal basis of (at least) their span.
func orthonormal(a *mat.Dense) *mat.Dense {
	raw := a.RawMatrix()
	tau, work := make([]float64, raw.Cols), make([]float64, 64*raw.Cols) // blocks have 32 columns
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
	return a
}

// centred returns a matrix whose rows are the functions, less their mean, times sqrt(weight): Euclidean inner products
// of rows are L2 inner products.
func (p *basis) centred(functions grid.Batch) *mat.Dense {
	a := mat.NewDense(functions.Count, functions.Values(), nil)
	for i := range functions.Count {
		row := a.RawRowView(i)
		for x, v := range functions.At(i) {
			row[x] = p.root[x] * (v - p.mean[x])
		}
	}
	return a
}

// coefficients returns the coefficients of functions in the basis, a row each.
func (p *basis) coefficients(functions grid.Batch) *mat.Dense {
	var c mat.Dense
	c.Mul(p.centred(functions), p.modes)
	return &c
}

// coordinates returns the leading coefficients, as many as scales, each times its scale.
func (p *basis) coordinates(scales []float64) coordinates {
	row := make([]float64, len(scales))
	c := coordinates{Mean: p.mean, Components: linalg.NewPanels(len(p.mean), len(row))}
	for x, w := range p.root {
		for k, scale := range scales {
			row[k] = w * p.modes.At(x, k) * scale
		}
		c.Components.SetRow(x, row)
	}
	return c
}

// mostFrequencies bounds the number of waves, the lowest frequencies, to those of a 16 x 16 grid.
const mostFrequencies = 256

// newFrequencies describes functions by their coefficients in the waves of lowest frequency, orthonormal in L2: sines
// and cosines of 2 pi k x on a periodic domain, else the cosines of pi k x; separately in each channel. The error is a
// *fault.Data if all functions are the same.
func newFrequencies(functions grid.Batch) (*basis, error) {
	domain := functions.Domain
	rows, columns := domain.Axes(functions.Points)
	b := newBasis(functions)
	first, down := lines(domain, rows)
	second, across := lines(domain, columns)
	type wave struct {
		frequency   float64
		down, along int
	}
	var all []wave
	for i, p := range first {
		for j, q := range second {
			all = append(all, wave{math.Hypot(float64(p), domain.Frequency(q)), i, j})
		}
	}
	slices.SortStableFunc(all, func(v, w wave) int { return cmp.Compare(v.frequency, w.frequency) })
	count := min(len(all), mostFrequencies)
	// both waves of a pair that exchange the axes, or none
	for count < len(all) && all[count-1].frequency == all[count].frequency {
		count--
	}
	all = all[:count]
	channels, values := domain.Width(), max(1, rows)*columns
	b.modes = mat.NewDense(len(b.root), channels*len(all), nil)
	for k, w := range all {
		for c := range channels {
			b.frequencies = append(b.frequencies, w.frequency)
			for x, root := range b.root[c*values : (c+1)*values] {
				b.modes.Set(c*values+x, k*channels+c, root*down.At(w.down, x/columns)*across.At(w.along, x%columns))
			}
		}
	}
	coefficients := b.coefficients(functions)
	b.variances = make([]float64, channels*len(all))
	for i := range functions.Count {
		for k, c := range coefficients.RawRowView(i) {
			b.variances[k] += c * c / float64(functions.Count)
		}
	}
	if slices.Max(b.variances) <= leastVariance*leastVariance*b.square() {
		return nil, sameInputs()
	}
	return b, nil
}

// lines returns as many waves as an axis has distinct points, with mean square 1 by the quadrature of that axis, a row
// each, and their frequencies.
func lines(domain grid.Domain, points int) (frequencies []int, values *mat.Dense) {
	if points == 1 { // the second axis of functions of one variable
		return []int{0}, mat.NewDense(1, 1, []float64{1})
	}
	axis, count, family, halves := modes.Axis(domain), points, modes.Cosine, 1
	if domain.Periodic {
		count, family, halves = axis.Intervals(points), modes.Fourier, 2
	}
	waves := modes.First(family, count)
	values, _ = modes.Table(waves, modes.Points(axis, points))
	for k, wave := range waves {
		row := values.RawRowView(k)
		floats.Scale(1/math.Sqrt(axis.Inner(row, row)), row)
		frequencies = append(frequencies, wave.HalfPeriods/halves)
	}
	return frequencies, values
}
