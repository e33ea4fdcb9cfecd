// Package setup constructs the operators, measures and pairs of functions that a configuration describes.
package setup

import (
	"context"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/pde/darcy"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Flow returns the equation of Darcy flow; ok is false for other problems.
func Flow(c config.Config) (equation darcy.Equation, ok bool) {
	equation = darcy.Paper()
	equation.Tolerance, equation.Iterations = c.Darcy.Tolerance, c.Darcy.Iterations
	if c.Darcy.Face == "harmonic" {
		equation.Mean = darcy.Harmonic
	}
	return equation, c.Problem == config.Darcy
}

// Truth returns the operator of a valid configuration on its data grid; nil if pairs come from files only.
func Truth(c config.Config) *truth.Operator {
	switch c.Problem {
	case config.Darcy:
		equation, _ := Flow(c)
		return darcy.Problem{Level: darcy.LevelSet{Plus: c.Darcy.High, Minus: c.Darcy.Low}, Equation: equation,
			Input:  grf.Measure{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Axis: c.Input.Axis, Space: grid.Square},
			Points: c.Data.Grid, Seed: c.Seed}.Operator()
	case config.TextEquation:
		return textEquation(c).Operator()
	}
	return nil
}

// NewPairs returns count pairs of zero functions on the grid with the given points along an axis, with the channels of
// the configuration.
func NewPairs(c config.Config, points, count int) dataset.Pairs {
	in, out := c.Channels()
	domain := Domain(c)
	return dataset.Pairs{Inputs: grid.NewBatch(domain.With(in), points, count),
		Outputs: grid.NewBatch(domain.With(out), points, count)}
}

// Domain returns the domain of inputs and outputs, with one channel.
func Domain(c config.Config) grid.Domain {
	d := grid.Domain{Dims: c.Dims(), Periodic: !c.Closed(), Cells: c.Cells()}
	if c.Data.Columns != 0 && c.Intervals(c.Data.Grid) > 0 && c.Intervals(c.Data.Columns) > 0 {
		d.Aspect = grid.AspectOf(c.Intervals(c.Data.Grid), c.Intervals(c.Data.Columns))
	}
	return d
}

// Check reports an error in a configuration, or in the text of its equation, as a *config.Error, in some milliseconds.
func Check(c config.Config) error {
	if c.Equation.Text != "" {
		if err := textEquation(c).Check(); err != nil { // it suggests more than a name without a value
			return err
		}
	}
	return c.Validate()
}

// textEquation returns the operator of a text on a grid.
func textEquation(c config.Config) equation.Problem {
	return equation.Problem{Equation: c.Equation, Input: c.Input, Points: c.Data.Grid, Seed: c.Seed}
}

// Solution is the output field of an equation for one input.
type Solution struct {
	Input  grid.Batch
	States []grid.Batch // at times that are equally spaced, from 0 to T
	Steps  int          // of the solver, rejected ones included
}

// Trajectory solves the equation of a configuration for its first training input, with count states after the initial
// one, on a grid of at most points along an axis, for pictures. Errors are Check's, a *fault.Numerical if the
// grid or the equation does not admit a solution, and ctx's.
func Trajectory(ctx context.Context, c config.Config, count, points int) (s Solution, err error) {
	if err := Check(c); err != nil {
		return s, err
	}
	c.Data.Grid = c.GridUpTo(c.Data.Grid, points)
	o := Truth(c)
	s.Input = grid.NewBatch(Domain(c), c.Data.Grid, 1)
	o.Draw(s.Input, draw.InputTrain, 0)
	last, times := o.Times[0], make([]float64, count+1)
	for j := range times {
		times[j] = last * float64(j) / float64(count)
		s.States = append(s.States, s.Input.Like(1))
	}
	w := o.NewWorker()
	err = w.Solve(ctx, s.States, s.Input, times, "the first input")
	if counter, ok := w.(interface{ Steps() int }); ok {
		s.Steps = counter.Steps()
	}
	return s, err
}
