package modes

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

const (
	// oversampling and powerSteps make the subspace iteration as good as an eigenvalue decomposition for spectra that
	// decay (Halko, Martinsson & Tropp 2011, algorithm 4.4).
	oversampling = 16
	powerSteps   = 4
	// leastVariance is the variance, relative to the largest, below which a component is rounding error.
	leastVariance = 1e-13
	// purposeComponents names the stream of the random vectors with which the iteration begins.
	purposeComponents draw.Purpose = "baseline-components"
)

// Principal holds the leading principal components of functions: orthonormal functions in L2, by the quadrature of the
// grid.
type Principal struct {
	Mean      []float64  // K values
	Root      []float64  // K square roots of the quadrature's weights
	Vectors   *mat.Dense // K x M: Root times the components, so that columns are orthonormal
	Variances []float64  // M: mean squares of the functions' coefficients, positive and descending
	Total     float64    // mean square of the functions less their mean, in all components
}

// Roots returns the square roots of the weights of quadrature on a grid.
func Roots(domain grid.Domain, points int) []float64 {
	root := domain.Weights(points)
	for x, w := range root {
		root[x] = math.Sqrt(w)
	}
	return root
}

// Centred calls take with each function less a mean, times root: Euclidean inner products of the results are L2 inner
// products. take must not keep them.
func Centred(functions grid.Batch, mean, root []float64, take func(i int, centred []float64)) {
	centred := make([]float64, functions.Values())
	for i := range functions.Count {
		for x, v := range functions.At(i) {
			centred[x] = root[x] * (v - mean[x])
		}
		take(i, centred)
	}
}

// NewPrincipal finds up to most components that have a variance: those of a subspace that contains the leading ones, by
// a singular value decomposition. There is none if all functions are the same. It returns ctx.Err() if ctx is done.
func NewPrincipal(ctx context.Context, functions grid.Batch, most, workers int) (*Principal, error) {
	n := functions.Count
	K := functions.Values()
	p := &Principal{
		Mean: functions.Mean(),
		Root: Roots(functions.Domain, functions.Points),
	}
	columns := linalg.NewPanels(K, n) // of the centred functions
	rows := linalg.NewPanels(n, K)    // the same, transposed
	Centred(functions, p.Mean, p.Root, func(i int, centred []float64) {
		columns.SetColumn(i, centred)
		rows.SetRow(i, centred)
		p.Total += floats.Dot(centred, centred) / float64(n)
	})
	size := min(n, K, most+oversampling)
	subspace := mat.NewDense(K, size, nil)
	for j := range size {
		random := draw.Stream(0, purposeComponents, j)
		for x := range K {
			subspace.Set(x, j, random.NormFloat64())
		}
	}
	orthonormalise(subspace)
	for range powerSteps {
		image, err := linalg.Product(ctx, columns, linalg.PanelsOf(subspace.RawMatrix()), workers) // n x size
		if err != nil {
			return nil, err
		}
		back, err := linalg.Product(ctx, rows, linalg.PanelsOf(image.General()), workers) // K x size
		if err != nil {
			return nil, err
		}
		subspace.SetRawMatrix(back.General())
		orthonormalise(subspace)
	}
	image, err := linalg.Product(ctx, columns, linalg.PanelsOf(subspace.RawMatrix()), workers)
	if err != nil {
		return nil, err
	}
	var coefficients mat.Dense
	coefficients.SetRawMatrix(image.General())
	var svd mat.SVD
	if !svd.Factorize(&coefficients, mat.SVDThinV) {
		panic("modes: the singular values of functions did not converge")
	}
	values := svd.Values(nil) // descending
	largest := values[0] * values[0] / float64(n)
	rounding := leastVariance * leastVariance * p.squareOfMean() // of differences
	if largest <= rounding {
		return p, nil
	}
	for _, v := range values[:min(size, most)] {
		if variance := v * v / float64(n); variance > leastVariance*largest {
			p.Variances = append(p.Variances, variance)
		}
	}
	var vectors mat.Dense // size x size
	svd.VTo(&vectors)
	leading := vectors.Slice(0, size, 0, len(p.Variances)).(*mat.Dense)
	transposed := linalg.TransposeOf(subspace.RawMatrix())
	modes, err := linalg.Product(ctx, transposed, linalg.PanelsOf(leading.RawMatrix()), workers)
	if err != nil {
		return nil, err
	}
	p.Vectors = new(mat.Dense)
	p.Vectors.SetRawMatrix(modes.General())
	return p, nil
}

// squareOfMean returns the mean square of the mean.
func (p *Principal) squareOfMean() float64 {
	square := 0.0
	for x, v := range p.Mean {
		square += p.Root[x] * p.Root[x] * v * v
	}
	return square
}

// orthonormalise replaces the columns of a, no more than its rows, by an orthonormal basis of (at least) their span.
func orthonormalise(a *mat.Dense) {
	raw := a.RawMatrix()
	tau := make([]float64, raw.Cols)
	work := make([]float64, 64*raw.Cols) // blocks have 32 columns
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
}
