// Package score measures the errors of predictions.
package score

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
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
// are relative to that root mean square. Where outputs are numbers, the norm of each is
// the root mean square of all, see operator.Sizes.
func Measure(predictions, truth grid.Batch) (Errors, error) {
	if predictions.Count != truth.Count || !predictions.SameGrid(truth) || truth.Count == 0 {
		panic(fmt.Sprintf("score: %d predictions on %s, %d true functions on %s",
			predictions.Count, predictions.Domain.Grid(predictions.Points),
			truth.Count, truth.Domain.Grid(truth.Points)))
	}
	width := truth.Domain.Width()
	n := truth.Count
	all := Errors{Relative: make([]float64, n)}
	total := newSquares(n) // of all channels in their units
	areNumbers := truth.Numbers()
	for c := range width {
		own := squaresOf(predictions.Channel(c), truth.Channel(c))
		unit := 1.0
		if width > 1 {
			unit = sum(own.norms) / float64(n)
			if unit == 0 {
				return Errors{}, zeroChannel(c)
			}
			all.Channels = append(all.Channels, own.errors(unit, areNumbers))
		}
		for i := range n {
			total.distances[i] += own.distances[i] / unit
			total.norms[i] += own.norms[i] / unit
		}
	}
	sizes := total.sizes(areNumbers)
	for i := range n {
		if sizes[i] == 0 {
			return Errors{}, ZeroError(fmt.Sprintf("output %d", i))
		}
		relative := math.Sqrt(total.distances[i] / sizes[i])
		if !grid.Finite(relative) {
			return Errors{}, &fault.Numerical{
				Where: fmt.Sprintf("prediction %d", i),
				What:  "is not finite",
				Do:    "lower features.gain, or raise train.lambda",
			}
		}
		all.Relative[i] = relative
	}
	all.finish(total)
	return all, nil
}

// squares are squares of L2 norms, for each of several functions.
type squares struct {
	distances []float64 // of the prediction from the truth
	norms     []float64 // of the truth
}

func newSquares(count int) squares {
	return squares{
		distances: make([]float64, count),
		norms:     make([]float64, count),
	}
}

// squaresOf returns the squares of one channel, in units in which none overflows or vanishes.
func squaresOf(predictions, truth grid.Batch) squares {
	unit := truth.Unit()
	p := predictions.In(unit)
	u := truth.In(unit)
	s := newSquares(u.Count)
	difference := make([]float64, u.Values())
	for i := range u.Count {
		floats.SubTo(difference, p.At(i), u.At(i))
		s.distances[i] = u.Domain.Inner(difference, difference)
		s.norms[i] = u.Domain.Inner(u.At(i), u.At(i))
	}
	return s
}

// errors returns the errors of one of several channels. Those of functions that are zero are relative to the mean square
// of the true functions.
func (s squares) errors(meanSquare float64, areNumbers bool) Errors {
	e := Errors{Relative: make([]float64, len(s.norms))}
	for i, norm := range s.sizes(areNumbers) {
		if norm == 0 {
			norm = meanSquare
		}
		e.Relative[i] = math.Sqrt(s.distances[i] / norm)
	}
	e.finish(s)
	return e
}

// sizes returns the squares of what errors are relative to.
func (s squares) sizes(areNumbers bool) []float64 {
	if !areNumbers {
		return s.norms
	}
	mean := sum(s.norms) / float64(len(s.norms))
	return slices.Repeat([]float64{mean}, len(s.norms))
}

// Level gives all norms their root mean square.
func Level(norms []float64) {
	if len(norms) == 0 {
		return
	}
	total := 0.0
	for _, norm := range norms {
		total += norm * norm
	}
	level := math.Sqrt(total / float64(len(norms)))
	for i := range norms {
		norms[i] = level
	}
}

// zeroChannel returns the error of a channel, counted from 0, that is zero in all functions.
func zeroChannel(c int) error {
	return &fault.Data{
		Where: fmt.Sprintf("channel %d of the outputs", c+1),
		What:  "is zero in all functions, so a relative error does not exist",
		Do:    "leave this channel out",
	}
}

// ZeroError returns the error of a true function without a relative error.
func ZeroError(what string) error {
	return &fault.Data{
		Where: what,
		What:  "is zero, so a relative error does not exist",
		Do:    "leave this pair out",
	}
}

// finish computes the statistics of the relative errors from them and from their squares.
func (e *Errors) finish(s squares) {
	e.ExpectedRelative = sum(e.Relative) / float64(len(e.Relative))
	e.Bochner = math.Sqrt(sum(s.distances) / sum(s.norms))
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
func (e Errors) Quantile(q float64) float64 { return Quantile(e.Ascending, q) }

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
