// This file measures how far predictions are from the truth.

package rfm

import (
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// Errors are the errors of predictions of many functions.
type Errors struct {
	ExpectedRelative float64   // mean of the relative L2 errors, the paper's e_{n',m}
	Bochner          float64   // sqrt(sum |u_i - F(a_i)|^2 / sum |u_i|^2)
	Relative         []float64 // relative L2 error of every function
	Ascending        []float64 // the same, sorted
}

// Measure compares predictions with the truth on their grid, in the L2 norm of their domain by the trapezoid rule. The
// error is a *fault.Data if a true function is zero, which has no relative error, or a *fault.Numerical if a prediction
// is not finite.
func Measure(predictions, truth grid.Batch) (Errors, error) {
	if predictions.Count != truth.Count || !predictions.SameGrid(truth) || truth.Count == 0 {
		panic(fmt.Sprintf("rfm: %d predictions on %s, %d true functions on %s",
			predictions.Count, predictions.Domain.Grid(predictions.Points), truth.Count, truth.Domain.Grid(truth.Points)))
	}
	domain := truth.Domain
	e := Errors{Relative: make([]float64, truth.Count)}
	var distances, norms float64
	for i := range e.Relative {
		distance, norm := domain.Distance2(predictions.At(i), truth.At(i)), domain.Inner(truth.At(i), truth.At(i))
		if norm == 0 {
			return Errors{}, &fault.Data{Where: fmt.Sprintf("output %d", i), What: "is zero, so a relative error does not exist",
				Do: "leave this pair out"}
		}
		e.Relative[i] = math.Sqrt(distance / norm)
		if math.IsNaN(e.Relative[i]) || math.IsInf(e.Relative[i], 0) {
			return Errors{}, &fault.Numerical{Where: fmt.Sprintf("prediction %d", i), What: "is not finite",
				Do: "lower features.gain, or raise train.lambda"}
		}
		distances += distance
		norms += norm
		e.ExpectedRelative += e.Relative[i]
	}
	e.ExpectedRelative /= float64(truth.Count)
	e.Bochner = math.Sqrt(distances / norms)
	e.Ascending = slices.Sorted(slices.Values(e.Relative))
	return e, nil
}

// Quantile is the q-quantile of the relative errors, 0 <= q <= 1, linear between order statistics.
func (e Errors) Quantile(q float64) float64 {
	position := q * float64(len(e.Ascending)-1)
	low := int(position)
	if low+1 >= len(e.Ascending) {
		return e.Ascending[len(e.Ascending)-1]
	}
	return e.Ascending[low] + (position-float64(low))*(e.Ascending[low+1]-e.Ascending[low])
}

// Median is the 0.5-quantile.
func (e Errors) Median() float64 { return e.Quantile(0.5) }

// Max is the largest relative error.
func (e Errors) Max() float64 { return e.Ascending[len(e.Ascending)-1] }

// Ranking lists the indices of the functions by ascending relative error.
func (e Errors) Ranking() []int {
	order := make([]int, len(e.Relative))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case e.Relative[a] < e.Relative[b]:
			return -1
		case e.Relative[a] > e.Relative[b]:
			return 1
		}
		return 0
	})
	return order
}
