package method

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grid"
)

// mostNumbers bounds the numbers that an input may consist of to have a length scale each: the search descends along
// every one of them.
const mostNumbers = 8

// lengths are the length scales of a kernel for each number of the input, in standard deviations of the training inputs:
// a number with a long one hardly matters. They are 0 where there are fewer numbers.
type lengths [mostNumbers]float64

// numberLadder holds the possible lengths of a number, in standard deviations.
var numberLadder = [...]float64{0.3, 0.5, 0.7, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24, 40, 80}

// numbersIn returns how many numbers an input consists of: channels that are constant functions, from two to mostNumbers
// of them; else 0.
func numbersIn(inputs grid.Batch) int {
	count := inputs.Domain.Width()
	if count < 2 || count > mostNumbers {
		return 0
	}
	for i := range inputs.Count {
		for c := range count {
			f := inputs.Of(i, c)
			if slices.ContainsFunc(f, func(v float64) bool { return v != f[0] }) {
				return 0
			}
		}
	}
	return count
}

// newNumbers describes inputs that consist of numbers by these: constant functions of one channel, orthonormal in L2. The
// error is a *fault.Data if all inputs are the same, or ctx's.
func newNumbers(ctx context.Context, functions grid.Batch, workers int) (*basis, error) {
	b := newBasis(functions)
	b.numbers = true
	count := functions.Domain.Width()
	b.modes = mat.NewDense(len(b.root), count, nil)
	values := len(b.root) / count
	for c := range count {
		square := 0.0
		own := b.root[c*values : (c+1)*values]
		for _, root := range own {
			square += root * root
		}
		for x, root := range own {
			b.modes.Set(c*values+x, c, root/math.Sqrt(square))
		}
	}
	coefficients, err := b.coefficients(ctx, functions, workers)
	if err != nil {
		return nil, err
	}
	b.variances = meanSquares(coefficients)
	if b.constant() {
		return nil, sameInputs()
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

// numbers returns the number of lengths.
func (l lengths) numbers() int {
	count := slices.Index(l[:], 0)
	if count < 0 {
		return mostNumbers
	}
	return count
}

// scales returns the factors of numbers with given variances for distances in units of the lengths. A number that never
// changes has none.
func (l lengths) scales(variances []float64) []float64 {
	scales := make([]float64, len(variances))
	for k, variance := range variances {
		if variance > 0 {
			scales[k] = 1 / (l[k] * math.Sqrt(variance))
		}
	}
	return scales
}

// Lengths returns the length scale of each number of the inputs of a kernel, in standard deviations of the training
// inputs; nil if it has none.
func Lengths(o Operator) []float64 {
	k, ok := core(o).(*KernelRidge)
	if !ok || k.Lengths.numbers() == 0 {
		return nil
	}
	return slices.Clone(k.Lengths[:k.Lengths.numbers()])
}
