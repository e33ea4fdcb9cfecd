// This file solves equations whose parameters are random numbers: each pair has its own, and its own solver, because the
// steps of trajectories that are solved side by side are those of one linear part.

package equation

import (
	"context"
	"fmt"
	"math"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// checkNumbers returns the first defect of the equation in the middle and at the ends of the ranges of its random numbers.
func (p Problem) checkNumbers() error {
	for _, share := range []float64{0.5, 0, 1} {
		at := p
		at.Equation = p.Share(share)
		if err := newSolver(at).err; err != nil {
			return err
		}
	}
	return nil
}

// withNumbers turns the operator of the equation in the middle of the ranges into one with random numbers as inputs.
func (p Problem) withNumbers(o *truth.Operator, rough bool) *truth.Operator {
	drawn := p.Numbers()
	o.Block = 1
	o.Numbers = len(drawn)
	o.Number = func(i int, quantile float64) float64 { return drawn[i].At(quantile) }
	o.NoFunction = !p.HasFunction()
	shared := &hardest{Problem: p, rough: rough}
	o.NewWorker = func() truth.Worker { return &numbersWorker{Problem: p, shared: shared} }
	o.Check = p.checkInputs
	return o
}

// checkInputs refuses inputs without numbers, or with numbers that are not constant.
func (p Problem) checkInputs(where string, inputs grid.Batch) error {
	channels := len(p.Numbers())
	if p.HasFunction() {
		channels++
	}
	if width := inputs.Domain.Width(); width != channels {
		return fault.Bad(where, "give an array of numbers with the name of each parameter that is random",
			"has %s, want %d: functions, and numbers for the parameters that are random",
			printable.Several(width, "channel"), channels)
	}
	for i := range inputs.Count {
		if _, _, err := p.split(inputs, i, where); err != nil {
			return err
		}
	}
	return nil
}

// split returns the function of an input, zero if it has none, and its numbers.
func (p Problem) split(inputs grid.Batch, i int, where string) (function grid.Batch, numbers []float64, err error) {
	const rounding = 1e-9 // of numbers that were interpolated as functions
	function = grid.NewBatch(inputs.Domain.One(), inputs.Points, 1)
	channel := 0
	if p.HasFunction() {
		copy(function.Data, inputs.Of(i, channel))
		channel++
	}
	for _, drawn := range p.Numbers() {
		values := inputs.Of(i, channel)
		for _, v := range values {
			isConstant := math.Abs(v-values[0]) <= rounding*math.Abs(values[0])
			if !isConstant {
				return function, nil, fault.Bad(where, "give one number for each function",
					"input %d has a channel of %s that is not a number: it has the values %g and %g", i, drawn.Name, values[0], v)
			}
		}
		numbers = append(numbers, values[0])
		channel++
	}
	return function, numbers, nil
}

// hardest finds the resolution that the ends of the ranges need, with which all pairs begin, so that solutions do not
// depend on who computes them.
type hardest struct {
	Problem
	rough bool // whether nothing verifies the resolution
	found resolution
}

// resolution returns the resolution for one solver. It returns ctx.Err() if ctx is done.
func (h *hardest) resolution(ctx context.Context) (*resolution, error) {
	h.found.Lock()
	defer h.found.Unlock()
	if !h.found.known {
		if err := h.find(ctx); err != nil {
			return nil, err
		}
	}
	return &h.found, nil
}

// find takes the larger number of functions, the smaller share of the tolerance and the larger weights of both ends. Between
// them, reactions are those in the middle.
func (h *hardest) find(ctx context.Context) error {
	hardest := &h.found
	hardest.size = 0
	hardest.share = largestShare
	var ofEnds []*resolution
	for _, end := range []float64{0, 1} {
		p := h.Problem
		p.Equation = h.Share(end)
		s := newSolver(p)
		if s.err != nil || s.folded != nil {
			continue
		}
		first := p.newResolution(h.rough)
		if err := newEndsWorker(s, first).begins(ctx); err != nil {
			return err
		}
		hardest.size = max(hardest.size, first.size)
		hardest.share = math.Min(hardest.share, first.share)
		ofEnds = append(ofEnds, first)
	}
	if len(ofEnds) == 2 {
		hardest.schedule = ofEnds[0].schedule.withLarger(ofEnds[1].schedule)
		hardest.reactions = middleOf(ofEnds[0].reactions, ofEnds[1].reactions)
	}
	hardest.known = true
	return nil
}

// numbersWorker solves inputs with numbers one by one.
type numbersWorker struct {
	Problem
	shared  *hardest
	steps   int
	reached float64
}

// Steps counts the steps of the last solution.
func (w *numbersWorker) Steps() int { return w.steps }

// Reached returns the time up to which the last solution went, also if it was cancelled.
func (w *numbersWorker) Reached() float64 { return w.reached }

// Solve implements truth.Worker.
func (w *numbersWorker) Solve(ctx context.Context, outputs []grid.Batch, inputs grid.Batch, times []float64, label string) error {
	for i := range inputs.Count {
		function, numbers, err := w.split(inputs, i, label)
		if err != nil {
			return err
		}
		alone, err := w.solverOf(ctx, numbers)
		if err != nil {
			return err
		}
		one := make([]grid.Batch, len(outputs))
		for j, u := range outputs {
			one[j] = u.Range(i, 1)
		}
		err = alone.Solve(ctx, one, function, times, w.labelOf(label, numbers))
		if counter, ok := alone.(interface {
			Steps() int
			Reached() float64
		}); ok {
			w.steps = counter.Steps()
			w.reached = counter.Reached()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// labelOf names an input and its numbers in errors.
func (w *numbersWorker) labelOf(label string, numbers []float64) string {
	for i, p := range w.Numbers() {
		label += fmt.Sprintf(", %s = %.4g", p.Name, numbers[i])
	}
	return label
}

// solverOf returns a worker of the equation with some numbers.
func (w *numbersWorker) solverOf(ctx context.Context, numbers []float64) (truth.Worker, error) {
	p := w.Problem
	p.Equation = w.With(numbers)
	s := newSolver(p)
	if s.err != nil {
		return nil, &fault.Numerical{
			Where: "equation solver" + w.labelOf("", numbers),
			What:  s.err.Error(),
			Do:    "choose a number within the range of the parameter",
		}
	}
	if !p.Bounded() {
		return s.newAnyWorker(new(resolution)), nil
	}
	first, err := w.shared.resolution(ctx)
	if err != nil {
		return nil, err
	}
	return s.newAnyWorker(first), nil
}

// middleOf returns the means of the numbers of two slices; nil if one is nil.
func middleOf(a, b []float64) []float64 {
	if a == nil || b == nil {
		return nil
	}
	means := make([]float64, len(a))
	for i := range means {
		means[i] = (a[i] + b[i]) / 2
	}
	return means
}
