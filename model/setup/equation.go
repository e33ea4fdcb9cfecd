package setup

import (
	"context"

	"rfm/config"
	"rfm/solver/draw"
	"rfm/solver/equation"
	"rfm/solver/grid"
)

// textEquation returns the operator of a text on a grid.
func textEquation(c config.Config) equation.Problem {
	return equation.Problem{Equation: c.Equation, Input: c.Input, Points: c.Data.Grid, Seed: c.Seed}
}

// checkEquation reports errors in the text of an equation, as a *config.Error; nil for other problems. It takes some
// milliseconds.
func checkEquation(c config.Config) error {
	if c.Equation.Text == "" {
		return nil
	}
	if err := textEquation(c).Check(); err != nil { // it suggests more than a name without a value
		return err
	}
	return c.Validate()
}

// Solution is the output field of an equation for one input.
type Solution struct {
	Input  grid.Batch
	States []grid.Batch // at times that are equally spaced, from 0 to T
	Steps  int          // of the solver, rejected ones included
}

// Trajectory solves the equation of a configuration for its first training input, with count states after the initial
// one, on a grid of at most points along an axis, for pictures. Errors are checkEquation's, a *fault.Numerical if the
// grid or the equation does not admit a solution, and ctx's.
func Trajectory(ctx context.Context, c config.Config, count, points int) (s Solution, err error) {
	if err := checkEquation(c); err != nil {
		return s, err
	}
	for _, K := range c.Grids(c.Data.Grid) {
		if K <= points {
			c.Data.Grid = K
		}
	}
	o := Truth(c)
	s.Input = grid.NewBatch(Domain(c), c.Data.Grid, 1)
	o.Draw(s.Input, draw.InputTrain, 0)
	last, times := o.Times()[0], make([]float64, count+1)
	for j := range times {
		times[j] = last * float64(j) / float64(count)
		s.States = append(s.States, s.Input.Like(1))
	}
	w := o.NewWorker()
	err = w.Solve(ctx, s.States, s.Input, times, "")
	if counter, ok := w.(interface{ Steps() int }); ok {
		s.Steps = counter.Steps()
	}
	return s, err
}
