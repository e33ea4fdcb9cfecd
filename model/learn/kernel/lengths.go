package kernel

import (
	"math"
	"slices"

	"rfm/model/learn/expansion"
	"rfm/model/learn/operator"
)

// lengths are the length scales of a kernel for each number of the input, in standard deviations of the training inputs:
// a number with a long one hardly matters. They are 0 where there are fewer numbers.
type lengths [expansion.MostNumbers]float64

// used returns the lengths of the numbers that there are.
func (l lengths) used() []float64 {
	count := slices.Index(l[:], 0)
	if count < 0 {
		count = len(l)
	}
	return l[:count]
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
func Lengths(o operator.Operator) []float64 {
	k, ok := operator.Core(o).(*KernelRidge)
	if !ok {
		return nil
	}
	lengths := k.Lengths.used()
	if len(lengths) == 0 {
		return nil
	}
	return slices.Clone(lengths)
}
