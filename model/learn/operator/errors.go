package operator

import (
	"fmt"
	"math"
	"slices"

	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Checked returns the Sizes of the outputs, or a *fault.Data if the pairs do not permit learning: too few, not finite,
// or with a zero output, whose relative error does not exist.
func Checked(pairs dataset.Pairs) ([]float64, error) {
	in := pairs.Inputs
	out := pairs.Outputs
	if in.Count != out.Count || !in.SameGrid(out) {
		panic(fmt.Sprintf("method: %d inputs of %d values, %d outputs of %d",
			in.Count, in.Values(), out.Count, out.Values()))
	}
	const least = 3 // for leave-one-out errors
	if pairs.Count() < least {
		return nil, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("%d are too few for this method, want at least %d", pairs.Count(), least),
			Do:    "raise data.train",
		}
	}
	err := pairs.Inputs.CheckFinite("training inputs", nil)
	if err != nil {
		return nil, err
	}
	err = pairs.Outputs.CheckFinite("training outputs", nil)
	if err != nil {
		return nil, err
	}
	sizes := Sizes(pairs.Outputs)
	if zero := slices.Index(sizes, 0); zero >= 0 {
		return nil, score.ZeroError(fmt.Sprintf("output %d", zero))
	}
	return sizes, nil
}

// Norms returns the L2 norms of functions.
func Norms(functions grid.Batch) (all []float64) {
	for i := range functions.Count {
		norm := functions.Domain.Norm(functions.At(i))
		all = append(all, norm)
	}
	return all
}

// Sizes returns what the errors of functions are relative to: their L2 norms. Numbers are an exception: each has the root
// mean square of all, because one near zero has no relative error that means anything.
func Sizes(functions grid.Batch) []float64 {
	all := Norms(functions)
	if functions.Numbers() {
		score.Level(all)
	}
	return all
}

// MeanRelative returns the mean relative L2 error from residuals and the Sizes of the functions.
func MeanRelative(residuals grid.Batch, sizes []float64) float64 {
	total := 0.0
	weights := residuals.Domain.Weights(residuals.Points)
	for i, size := range sizes {
		square := 0.0
		for x, v := range residuals.At(i) {
			square += weights[x] * v * v
		}
		total += math.Sqrt(square) / size
	}
	return total / float64(len(sizes))
}

// SameInputs returns the error of inputs that do not differ.
func SameInputs() error {
	return &fault.Data{
		Where: "training inputs",
		What:  "are all the same function, so nothing can be learned from them",
		Do:    "check the input file",
	}
}

// Unsolved returns the error of a search without a finite leave-one-out error.
func Unsolved(where, which string) error {
	return &fault.Numerical{
		Where: where,
		What:  which + " a finite leave-one-out error",
		Do:    "check the scale of the data",
	}
}
