package engine

import (
	"context"
	"fmt"
	"slices"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/setup"
)

// pictureTolerance is the least tolerance of a solution that is drawn; its errors are far smaller than a cell.
const pictureTolerance = 1e-4

// Picture returns the output field of an equation given as text, for the first training input. In one dimension it is a
// field over x (to the right) and t (up, from 0 to T), in two the field at time T. The error is one of setup.Trajectory.
func Picture(ctx context.Context, c config.Config) (report.Field, error) {
	s, err := drawn(ctx, c)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return report.Field{}, err
	}
	f := report.Field{R: len(s.States), Smooth: true}
	for _, u := range s.States {
		f.Values = slices.Concat(f.Values, u.Data)
	}
	name := c.Equation.OutputField()
	f.Title = fmt.Sprintf("%s, x right, t up to %g", name, c.Equation.Time)
	if u := s.States[len(s.States)-1]; c.Dims() == 2 {
		f.R, f.Values, f.Title = u.Points, u.Data, fmt.Sprintf("%s at time %g", name, c.Equation.Time)
	}
	return f, nil
}

// drawn solves an equation as exactly as a picture needs, within a fraction of a second.
func drawn(ctx context.Context, c config.Config) (setup.Solution, error) {
	c.Equation.Tolerance = max(c.Equation.Tolerance, pictureTolerance)
	if c.Dims() == 2 {
		return setup.Trajectory(ctx, c, 1, 65)
	}
	return setup.Trajectory(ctx, c, 64, 257)
}
