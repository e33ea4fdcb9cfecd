package expansion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/operator"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

// MostComponents bounds the number of principal components: far more than are useful.
const MostComponents = 128

// Basis is a set of orthonormal functions in L2, principal components or waves. Coefficients in it describe functions
// less their mean.
type Basis struct {
	mean        []float64  // K values
	modes       *mat.Dense // K x M, sqrt(weight) times the functions: columns orthonormal
	root        []float64  // sqrt(weight), K values
	Variances   []float64  // mean square of the coefficients, M values; of principal components > 0, descending
	Frequencies []float64  // of waves; nil: principal components, or numbers
	Numbers     bool       // whether coefficients are the numbers of which inputs consist
}

// Description finds a basis for functions.
type Description func(ctx context.Context, functions grid.Batch, workers int) (*Basis, error)

// newBasis returns a basis for functions, still without modes.
func newBasis(functions grid.Batch) *Basis {
	return &Basis{
		mean: functions.Mean(),
		root: modes.Roots(functions.Domain, functions.Points),
	}
}

// constant reports whether functions differ by the rounding errors of their differences only.
func (p *Basis) constant() bool {
	const rounding = 1e-26 // of squares, relative to that of the mean
	return slices.Max(p.Variances) <= rounding*p.square()
}

// square returns the mean square of the mean.
func (p *Basis) square() float64 {
	square := 0.0
	for x, v := range p.mean {
		weight := p.root[x] * p.root[x]
		square += weight * v * v
	}
	return square
}

// NewPrincipal finds up to mostComponents components that have a variance. The error is ctx.Err(), or a *fault.Data if
// all functions are the same.
func NewPrincipal(ctx context.Context, functions grid.Batch, workers int) (*Basis, error) {
	p, err := modes.NewPrincipal(ctx, functions, MostComponents, workers)
	if err != nil {
		return nil, err
	}
	if len(p.Variances) == 0 {
		return nil, operator.SameInputs()
	}
	b := &Basis{
		mean:      p.Mean,
		modes:     p.Vectors,
		root:      p.Root,
		Variances: p.Variances,
	}
	return b, nil
}

// Coefficients returns the coefficients of functions in the basis, a row each. It returns ctx.Err() if ctx is done.
func (p *Basis) Coefficients(ctx context.Context, functions grid.Batch, workers int) (*mat.Dense, error) {
	centred := linalg.NewPanels(functions.Values(), functions.Count)
	modes.Centred(functions, p.mean, p.root, centred.SetColumn)
	vectors := linalg.PanelsOf(p.modes.RawMatrix())
	product, err := linalg.Product(ctx, centred, vectors, workers)
	if err != nil {
		return nil, err
	}
	coefficients := new(mat.Dense)
	coefficients.SetRawMatrix(product.General())
	return coefficients, nil
}

// Projection returns the leading coefficients, as many as scales, each times its scale.
func (p *Basis) Projection(scales []float64) Projection {
	components := linalg.NewPanels(len(p.mean), len(scales))
	row := make([]float64, len(scales))
	for x, root := range p.root {
		for k, scale := range scales {
			row[k] = root * p.modes.At(x, k) * scale
		}
		components.SetRow(x, row)
	}
	return Projection{Mean: p.mean, Components: components}
}

// MostFrequencies bounds the number of waves, the lowest frequencies, to those of a 16 x 16 grid.
const MostFrequencies = 256

// NewFrequencies describes functions by their coefficients in the waves of lowest frequency, orthonormal in L2: sines
// and cosines of 2 pi k x on a periodic domain, else the cosines of pi k x; separately in each channel. The error is a
// *fault.Data if all functions are the same, or ctx.Err().
func NewFrequencies(ctx context.Context, functions grid.Batch, workers int) (*Basis, error) {
	domain := functions.Domain
	rows, columns := domain.Axes(functions.Points)
	b := newBasis(functions)
	first, down := lines(domain, rows)
	second, across := lines(domain, columns)
	waves := lowestWaves(domain, first, second)
	channels := domain.Width()
	values := max(1, rows) * columns // of a channel
	b.modes = mat.NewDense(len(b.root), channels*len(waves), nil)
	for k, w := range waves {
		for c := range channels {
			b.Frequencies = append(b.Frequencies, w.frequency)
			roots := b.root[c*values:][:values]
			for x, root := range roots {
				alongFirst := down.At(w.first, x/columns)
				alongSecond := across.At(w.second, x%columns)
				b.modes.Set(c*values+x, k*channels+c, root*alongFirst*alongSecond)
			}
		}
	}
	return b.measured(ctx, functions, workers)
}

// wave is a product of waves along both axes, given by their indices.
type wave struct {
	frequency float64
	first     int
	second    int
}

// lowestWaves returns the waves of lowest frequency, up to MostFrequencies, in ascending order. first and second are the
// frequencies along both axes.
func lowestWaves(domain grid.Domain, first, second []int) []wave {
	var all []wave
	for i, p := range first {
		for j, q := range second {
			w := wave{first: i, second: j}
			w.frequency = math.Hypot(float64(p), domain.Frequency(q))
			all = append(all, w)
		}
	}
	slices.SortStableFunc(all, func(v, w wave) int {
		return cmp.Compare(v.frequency, w.frequency)
	})
	count := min(len(all), MostFrequencies)
	// Two waves that the exchange of the axes maps to each other enter both or not at all.
	for count < len(all) && all[count-1].frequency == all[count].frequency {
		count--
	}
	return all[:count]
}

// lines returns as many waves as an axis has distinct points, with mean square 1 by the quadrature of that axis, a row
// each, and their frequencies.
func lines(domain grid.Domain, points int) (frequencies []int, values *mat.Dense) {
	if points == 1 { // the second axis of functions of one variable
		return []int{0}, mat.NewDense(1, 1, []float64{1})
	}
	axis := modes.Axis(domain)
	count := points
	family := modes.Cosine
	halves := 1 // half periods in the unit of frequencies
	if domain.Periodic {
		count = axis.Intervals(points)
		family = modes.Fourier
		halves = 2
	}
	waves := modes.First(family, count)
	values, _ = modes.Table(waves, modes.Points(axis, points))
	for k, wave := range waves {
		row := values.RawRowView(k)
		norm := math.Sqrt(axis.Inner(row, row))
		floats.Scale(1/norm, row)
		frequencies = append(frequencies, wave.HalfPeriods/halves)
	}
	return frequencies, values
}

// NewNumbers describes inputs that consist of numbers by these: constant functions of one channel, orthonormal in L2. The
// error is a *fault.Data if all inputs are the same, or ctx.Err().
func NewNumbers(ctx context.Context, functions grid.Batch, workers int) (*Basis, error) {
	b := newBasis(functions)
	b.Numbers = true
	count := functions.Domain.Width()
	b.modes = mat.NewDense(len(b.root), count, nil)
	values := len(b.root) / count
	for c := range count {
		square := 0.0
		roots := b.root[c*values:][:values]
		for _, root := range roots {
			square += root * root
		}
		norm := math.Sqrt(square)
		for x, root := range roots {
			b.modes.Set(c*values+x, c, root/norm)
		}
	}
	return b.measured(ctx, functions, workers)
}

// measured completes a basis with the variances of the functions that it describes. The error is a *fault.Data if all are
// the same, or ctx.Err().
func (b *Basis) measured(ctx context.Context, functions grid.Batch, workers int) (*Basis, error) {
	coefficients, err := b.Coefficients(ctx, functions, workers)
	if err != nil {
		return nil, err
	}
	b.Variances = meanSquares(coefficients)
	if b.constant() {
		return nil, operator.SameInputs()
	}
	return b, nil
}

// meanSquares returns the mean square of each column.
func meanSquares(m *mat.Dense) []float64 {
	rows, columns := m.Dims()
	all := make([]float64, columns)
	for i := range rows {
		for k, v := range m.RawRowView(i) {
			all[k] += v * v / float64(rows)
		}
	}
	return all
}

// MostNumbers bounds the numbers that an input may consist of to have a length scale each: the search descends along
// every one of them.
const MostNumbers = 8

// NumbersIn returns how many numbers an input consists of: channels that are constant functions, from two to mostNumbers
// of them; else 0.
func NumbersIn(inputs grid.Batch) int {
	count := inputs.Domain.Width()
	if count < 2 || count > MostNumbers {
		return 0
	}
	for c := range count {
		if !inputs.IsNumber(c) {
			return 0
		}
	}
	return count
}
