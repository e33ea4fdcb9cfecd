package reading

import (
	"context"
	"math"
	"runtime"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/expansion"
	"rfm/model/learn/kernel"
	"rfm/solver/dataset"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

const (
	triedWindows = 256 // around points of all pairs together
	// windowShift is the constant that is added to outputs, in units of their root mean square, so that outputs near zero
	// do not decide the mean of relative errors.
	windowShift = 10
)

// windowError returns the error, relative to the root mean square of the outputs, with which kernel ridge regression
// predicts outputs at single points from the inputs around these points, on pairs that are left out. A further input may
// matter to an operator that acts on each point by itself, and still drown among the coefficients of whole functions. It
// is 0 if it is not known.
func windowError(ctx context.Context, few dataset.Pairs) float64 {
	windows, ok := windowsOf(few)
	if !ok {
		return 0
	}
	left, err := kernel.Error(ctx, windows, runtime.GOMAXPROCS(0))
	if err != nil {
		return 0
	}
	return left * windowShift
}

// windowsOf returns pairs of numbers: the inputs at a point and its neighbours, and the outputs at the point. ok is
// false if inputs have too many channels, or if inputs and outputs are not on one grid.
func windowsOf(few dataset.Pairs) (windows dataset.Pairs, ok bool) {
	inputs := few.Inputs
	outputs := few.Outputs
	if inputs.Domain.Scattered() || !inputs.SameGrid(outputs) {
		return windows, false
	}
	var functions, numbers []int // channels of the inputs
	for c := range inputs.Domain.Width() {
		if inputs.IsNumber(c) {
			numbers = append(numbers, c)
		} else {
			functions = append(functions, c)
		}
	}
	steps := stepsAround(inputs, len(functions), expansion.MostNumbers-len(numbers))
	if steps == nil {
		return windows, false
	}
	each := max(1, triedWindows/inputs.Count)
	count := inputs.Count * each
	domain := grid.Domain{Dims: 1}
	in := grid.NewBatch(domain.With(len(functions)*len(steps)+len(numbers)), pairs.PointsOfNumbers, count)
	out := grid.NewBatch(domain.With(outputs.Domain.Width()), pairs.PointsOfNumbers, count)
	shift := windowShift * floats.Norm(outputs.Data, 2) / math.Sqrt(float64(len(outputs.Data)))
	for w := range count {
		i := w / each
		windows.Groups = append(windows.Groups, groupOf(few, i))
		at := pointOfWindow(w, inputs.Domain.One().Values(inputs.Points))
		for k, c := range functions {
			for j, step := range steps {
				fill(in.Of(w, k*len(steps)+j), inputs.Of(i, c)[stepped(inputs, at, step)])
			}
		}
		for k, c := range numbers {
			fill(in.Of(w, len(functions)*len(steps)+k), inputs.Of(i, c)[0])
		}
		for c := range outputs.Domain.Width() {
			fill(out.Of(w, c), outputs.Of(i, c)[at]+shift)
		}
	}
	windows.Inputs = in
	windows.Outputs = out
	return windows, true
}

// fill makes a function constant.
func fill(f []float64, value float64) {
	for x := range f {
		f[x] = value
	}
}

// groupOf returns the label of a pair.
func groupOf(few dataset.Pairs, i int) int {
	if few.Groups == nil {
		return i
	}
	return few.Groups[i]
}

// pointOfWindow returns the point of a window: the fractional parts of multiples of the golden ratio are spread evenly.
func pointOfWindow(window, points int) int {
	_, fraction := math.Modf(float64(window) * math.Phi)
	return int(fraction * float64(points))
}

// stepsAround returns the steps, along rows and along columns, from a point to itself and to as many neighbours as so many
// numbers allow for each of some functions; nil if they do not suffice.
func stepsAround(b grid.Batch, functions, numbers int) [][2]int {
	if functions == 0 || numbers < functions {
		return nil
	}
	steps := [][2]int{{0, 0}}
	more := [][2]int{{0, -1}, {0, 1}, {0, -2}, {0, 2}}
	if b.Domain.Dims == 2 {
		more = [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}
	}
	for len(more) > 0 && functions*(len(steps)+2) <= numbers { // both sides of the point
		steps = append(steps, more[:2]...)
		more = more[2:]
	}
	return steps
}

// stepped returns the point that a step leads to, or the last one before the end of the grid.
func stepped(b grid.Batch, point int, step [2]int) int {
	rows, columns := b.Domain.Axes(b.Points)
	row := min(max(0, point/columns+step[0]), rows-1)
	column := min(max(0, point%columns+step[1]), columns-1)
	return row*columns + column
}
