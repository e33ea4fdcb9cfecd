package rfm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/model/report"
	"rfm/solver/fault"
	"rfm/solver/grid"

	"gonum.org/v1/gonum/floats"
)

// Predictor predicts outputs, as method.Operator and models do.
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
	domain := truth.Domain
	if domain.Width() > 1 {
		return measureChannels(predictions, truth)
	}
	unit := truth.Unit()
	predictions, truth = predictions.In(unit), truth.In(unit)
	e := Errors{Relative: make([]float64, truth.Count)}
	var distances, norms float64
	for i := range e.Relative {
		distance, norm := domain.Distance2(predictions.At(i), truth.At(i)), domain.Inner(truth.At(i), truth.At(i))
		if err := e.take(i, distance, norm); err != nil {
			return Errors{}, err
		}
		distances += distance
		norms += norm
	}
	e.finish(distances, norms)
	return e, nil
}

// errZero returns the error of a true function without a relative error.
func errZero(what string) error {
	return &fault.Data{Where: what, What: "is zero, so a relative error does not exist", Do: "leave this pair out"}
}

// take returns the relative error of function i, from sums of squares.
func (e *Errors) take(i int, distance, norm float64) error {
	if norm == 0 {
		return errZero(fmt.Sprintf("output %d", i))
	}
	e.Relative[i] = math.Sqrt(distance / norm)
	if math.IsNaN(e.Relative[i]) || math.IsInf(e.Relative[i], 0) {
		return &fault.Numerical{Where: fmt.Sprintf("prediction %d", i), What: "is not finite",
			Do: "lower features.gain, or raise train.lambda"}
	}
	e.ExpectedRelative += e.Relative[i]
	return nil
}

// finish computes the statistics of the relative errors from their sum, and from sums of squares.
func (e *Errors) finish(distances, norms float64) {
	e.ExpectedRelative /= float64(len(e.Relative))
	e.Bochner = math.Sqrt(distances / norms)
	e.Ascending = slices.Sorted(slices.Values(e.Relative))
}

// measureChannels does the same as Measure for several channels.
func measureChannels(predictions, truth grid.Batch) (Errors, error) {
	all := Errors{Relative: make([]float64, truth.Count)}
	distances, norms := make([]float64, truth.Count), make([]float64, truth.Count) // in the units of channels
	one := truth.Domain.One()
	for c := range truth.Domain.Width() {
		p, u := predictions.Channel(c), truth.Channel(c)
		unit := u.Unit()
		p, u = p.In(unit), u.In(unit)
		total, missed := 0.0, 0.0
		distance, norm := make([]float64, truth.Count), make([]float64, truth.Count)
		for i := range truth.Count {
			distance[i], norm[i] = one.Distance2(p.At(i), u.At(i)), one.Inner(u.At(i), u.At(i))
			total += norm[i]
			missed += distance[i]
		}
		if total == 0 {
			return Errors{}, &fault.Data{Where: fmt.Sprintf("channel %d of the outputs", c+1),
				What: "is zero in all functions, so a relative error does not exist", Do: "leave this channel out"}
		}
		square := total / float64(truth.Count)
		channel := Errors{Relative: make([]float64, truth.Count)}
		for i := range truth.Count {
			distances[i] += distance[i] / square
			norms[i] += norm[i] / square
			channel.Relative[i] = math.Sqrt(distance[i] / cmp.Or(norm[i], square))
			channel.ExpectedRelative += channel.Relative[i]
		}
		channel.finish(missed, total)
		all.Channels = append(all.Channels, channel)
	}
	var missed, total float64
	for i := range truth.Count {
		if err := all.take(i, distances[i], norms[i]); err != nil {
			return Errors{}, err
		}
		missed += distances[i]
		total += norms[i]
	}
	all.finish(missed, total)
	return all, nil
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
