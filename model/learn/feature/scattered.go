// This file defines spectral features of functions at points of any geometry: eigenfunctions of the Laplacian there take
// the place of waves.

package feature

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// laplacian holds the eigenfunctions of the Laplacian, in the form of model files; empty on grids, whose waves are known.
type laplacian struct {
	// Eigenvalues are lambda_k of -Laplacian, in units of the inverse square of the longest side of the points.
	Eigenvalues    []float64  `json:"laplacian_values,omitempty" shape:"laplacian_modes"`
	Eigenfunctions *mat.Dense `json:"laplacian_functions,omitempty" shape:"grid laplacian_modes"`
}

// mostEigenfunctions bounds the eigenfunctions that features consist of: the filter leaves little of those that vary more.
const mostEigenfunctions = 64

// Scattered draws m features of functions at points of any geometry:
//
//	phi_j(a)(x) = sigma( gain/sqrt2 sum_k chi(sqrt(lambda_k)/(2 pi)) <a, e_k> theta_jk e_k(x) + b_j ),
//	theta_jk = tau^(alpha - d/2) (lambda_k + tau^2)^(-alpha/2) xi_jk,  xi_jk ~ N(0, 1),
//
// -Laplacian e_k = lambda_k e_k, d coordinates of a point. On equispaced points of an interval, whose eigenfunctions are
// cosines, these are the features of the interval. It is nil without eigenfunctions, see points.Cloud.Why. It returns
// ctx.Err() if ctx is done.
func Scattered(ctx context.Context, law Law, cloud points.Cloud, m, workers int) (Map, error) {
	if cloud.Why() != "" {
		return nil, nil
	}
	places := cloud.Outputs()
	e, err := points.NewModes(ctx, places, mostEigenfunctions, workers)
	if err != nil {
		return nil, err
	}
	side := places.Side()
	for k := range e.Values {
		e.Values[k] *= side * side
	}
	domain := grid.Domain{Dims: 1, Cloud: cloud}
	theta := grid.NewBatch(domain, places.Count(), completed(domain, m))
	dims := float64(places.Axes)
	err = parallel.For(ctx, workers, theta.Count, func(_, j int) error {
		random := draw.Stream(law.Seed, draw.Theta, j)
		values := theta.At(j)
		for k, lambda := range e.Values {
			xi := random.NormFloat64()
			if k == 0 { // constant: of no effect
				continue
			}
			scale := math.Pow(law.Tau, law.Alpha-dims/2)
			decay := math.Pow(lambda+law.Tau*law.Tau, -law.Alpha/2)
			size := scale * decay
			for x := range values {
				values[x] += size * xi * e.Functions.At(x, k)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s := spectralWith(law, m, theta)
	s.Symmetry = Symmetry{}
	s.laplacian = laplacian{
		Eigenvalues:    e.Values,
		Eigenfunctions: e.Functions,
	}
	return s, nil
}

// transformOn returns the transform of the map on a grid, or at its points.
func (f Spectral) transformOn(points int) transform {
	if f.Eigenfunctions == nil {
		return newTransform(f.Domain(), points)
	}
	return newEigen(f.Domain(), f.laplacian)
}

// restored checks eigenfunctions that were read.
func (l laplacian) restored(d grid.Domain) error {
	functions := l.Eigenfunctions != nil
	values := l.Eigenvalues != nil
	if functions != d.Scattered() || values != functions {
		return codec.Bad("has features at points without eigenfunctions, or eigenfunctions on a grid")
	}
	for _, v := range l.Eigenvalues {
		if v < 0 {
			return codec.Bad("has the eigenvalue %g of the Laplacian", v)
		}
	}
	return nil
}

// eigen transforms functions at points of any geometry. Its coefficients are inner products with the eigenfunctions.
type eigen struct {
	laplacian
	weights []float64
	list    []wave
	columns *linalg.Panels // modes x points
	memory  sync.Pool      // of *product
}

// product is the memory of a product of eigenfunctions and coefficients of a group.
type product struct {
	coefficients *linalg.Panels    // modes x GroupSize
	values       *linalg.Rectangle // points x GroupSize
}

func newEigen(domain grid.Domain, l laplacian) *eigen {
	count, size := l.Eigenfunctions.Dims()
	t := &eigen{
		laplacian: l,
		weights:   domain.Weights(count),
		columns:   linalg.NewPanels(size, count),
	}
	for x := range count {
		t.columns.SetColumn(x, l.Eigenfunctions.RawRowView(x))
	}
	for _, lambda := range l.Eigenvalues {
		periods := math.Sqrt(lambda) / (2 * math.Pi)
		t.list = append(t.list, wave{frequency: periods, count: 1})
	}
	t.memory.New = func() any {
		return &product{
			coefficients: linalg.NewPanels(size, GroupSize),
			values:       linalg.NewRectangle(count, GroupSize),
		}
	}
	return t
}

func (t *eigen) rows() int { return len(t.weights) }

func (t *eigen) waves() []wave { return t.list }

func (t *eigen) size() int { return len(t.list) }

func (t *eigen) analyse(coefficients, f []float64) {
	clear(coefficients)
	for x, v := range f {
		functions := t.Eigenfunctions.RawRowView(x)
		floats.AddScaled(coefficients, t.weights[x]*v, functions)
	}
}

func (t *eigen) setConstant(coefficients []float64) { coefficients[0] = 1 }

func (t *eigen) power(dst, coefficients []float64, count int) {
	for k, c := range coefficients {
		dst[k] = c * c / float64(count) / math.Sqrt2 // of a product of two
	}
}

// multiplier contains the factor between a cosine of norm 1 and the sum of two exponentials, so that features at equispaced
// points of an interval are those of the interval.
func (t *eigen) multiplier(c float64) float64 { return c / math.Sqrt2 }

func (t *eigen) newGroup(int) []float64 { return make([]float64, GroupSize*t.size()) }

func (t *eigen) place(group []float64, l int, coefficients, multipliers []float64) {
	for k, c := range multipliers {
		group[GroupSize*k+l] = c * coefficients[k]
	}
}

// setBias gives the constant, the first eigenfunction, of value 1, a coefficient.
func (t *eigen) setBias(group []float64, l int, bias float64) { group[l] = bias }

func (t *eigen) synthesise(panels [2][]float64, group, coefficients, _ []float64) {
	p := t.memory.Get().(*product)
	defer t.memory.Put(p)
	row := make([]float64, GroupSize)
	for k, c := range coefficients {
		floats.ScaleTo(row, c, group[GroupSize*k:][:GroupSize])
		p.coefficients.SetRow(k, row)
	}
	for x := range t.rows() {
		clear(p.values.Row(x))
	}
	const workers = 1
	always := context.Background() // because the product is small
	err := p.values.AddProduct(always, t.columns, p.coefficients, t.size(), workers)
	if err != nil {
		panic("feature: " + err.Error())
	}
	for x := range t.rows() {
		values := p.values.Row(x)
		for half, panel := range panels {
			to := panel[fft.Lanes*x:][:fft.Lanes]
			copy(to, values[half*fft.Lanes:])
		}
	}
}

func (t *eigen) work() int { return 0 }
