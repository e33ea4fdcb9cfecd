// Package score measures the errors of predictions.
package score

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/model/show/report"
	"rfm/solver/base/fault"
	"rfm/solver/space/grid"

	"gonum.org/v1/gonum/floats"
)

// Predictor predicts outputs, as operator.Operator and models do.
type Predictor interface {
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// Errors are the errors of predictions of many functions.
type Errors struct {
	ExpectedRelative float64   // mean of the relative L2 errors, the paper's e_{n',m}
	Bochner          float64   // sqrt(sum |u_i - F(a_i)|^2 / sum |u_i|^2)
	Relative         []float64 // relative L2 error of every function
	Ascending        []float64 // the same, sorted
	Channels         []Errors  // of functions with several channels: the errors of each channel
}

// Measure compares predictions with the truth on their grid, in the L2 norm of their domain by the trapezoid rule. The
// error is a *fault.Data if a true function is zero, which has no relative error, or a *fault.Numerical if a prediction
// is not finite. Channels may have different units: each is measured in its root mean square over all true functions,
// and the norm of a function is the norm of all channels together. In one channel a function may be zero: errors there
// are relative to that root mean square.
func Measure(predictions, truth grid.Batch) (Errors, error) {
	if predictions.Count != truth.Count || !predictions.SameGrid(truth) || truth.Count == 0 {
		panic(fmt.Sprintf("rfm: %d predictions on %s, %d true functions on %s",
			predictions.Count, predictions.Domain.Grid(predictions.Points), truth.Count, truth.Domain.Grid(truth.Points)))
	}
	width := truth.Domain.Width()
	n := truth.Count
	one := truth.Domain.One()
	all := Errors{Relative: make([]float64, n)}
	distances := make([]float64, n) // squares, of channels in their units
	norms := make([]float64, n)     // likewise
	for c := range width {
		unit := truth.Channel(c).Unit()
		p := predictions.Channel(c).In(unit)
		u := truth.Channel(c).In(unit)
		distance := make([]float64, n)
		norm := make([]float64, n)
		difference := make([]float64, u.Values())
		for i := range n {
			floats.SubTo(difference, p.At(i), u.At(i))
			distance[i] = one.Inner(difference, difference)
			norm[i] = one.Inner(u.At(i), u.At(i))
		}
		square := 1.0
		if width > 1 {
			if square = sum(norm) / float64(n); square == 0 {
				return Errors{}, &fault.Data{Where: fmt.Sprintf("channel %d of the outputs", c+1),
					What: "is zero in all functions, so a relative error does not exist", Do: "leave this channel out"}
			}
			channel := Errors{Relative: make([]float64, n)}
			for i := range n {
				channel.Relative[i] = math.Sqrt(distance[i] / cmp.Or(norm[i], square))
			}
			channel.finish(distance, norm)
			all.Channels = append(all.Channels, channel)
		}
		for i := range n {
			distances[i] += distance[i] / square
			norms[i] += norm[i] / square
		}
	}
	for i := range n {
		if norms[i] == 0 {
			return Errors{}, ZeroError(fmt.Sprintf("output %d", i))
		}
		if all.Relative[i] = math.Sqrt(distances[i] / norms[i]); !grid.Finite(all.Relative[i]) {
			return Errors{}, &fault.Numerical{Where: fmt.Sprintf("prediction %d", i), What: "is not finite",
				Do: "lower features.gain, or raise train.lambda"}
		}
	}
	all.finish(distances, norms)
	return all, nil
}

// ZeroError returns the error of a true function without a relative error.
func ZeroError(what string) error {
	return &fault.Data{Where: what, What: "is zero, so a relative error does not exist", Do: "leave this pair out"}
}

// finish computes the statistics of the relative errors from them and from sums of squares.
func (e *Errors) finish(distances, norms []float64) {
	e.ExpectedRelative = sum(e.Relative) / float64(len(e.Relative))
	e.Bochner = math.Sqrt(sum(distances) / sum(norms))
	e.Ascending = slices.Sorted(slices.Values(e.Relative))
}

// sum adds in order, which floats.Sum does not.
func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

// Quantile returns the q-quantile of the relative errors, 0 <= q <= 1, linear between order statistics.
func (e Errors) Quantile(q float64) float64 { return report.Quantile(e.Ascending, q) }

// Median returns the 0.5-quantile.
func (e Errors) Median() float64 { return e.Quantile(0.5) }

// Max returns the largest relative error.
func (e Errors) Max() float64 { return e.Ascending[len(e.Ascending)-1] }

// Ranking lists the indices of the functions by ascending relative error.
func (e Errors) Ranking() []int {
	order := make([]int, len(e.Relative))
	floats.ArgsortStable(slices.Clone(e.Relative), order)
	return order
}
