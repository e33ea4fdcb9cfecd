package engine

import (
	"context"
	"fmt"
	"slices"

	"rfm/config"
	"rfm/model/report"
	"rfm/model/setup"
)

// Picture returns the output field of an equation given as text, for the first training input. In one dimension it is a
// field over x (to the right) and t (up, to time T), in two the field at time T. The error is one of setup.Trajectory.
func Picture(ctx context.Context, c config.Config) (report.Field, error) {
	count, points := 64, 257
	if c.Dims() == 2 {
		count, points = 1, 65
	}
	_, states, err := setup.Trajectory(ctx, c, count, points)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return report.Field{}, err
	}
	f := report.Field{R: count, Smooth: true}
	for _, s := range states {
		f.Values = slices.Concat(f.Values, s.Data)
	}
	name := c.Equation.OutputField()
	f.Title = fmt.Sprintf("%s, x right, t up to %g", name, c.Equation.Time)
	if c.Dims() == 2 {
		f.R, f.Title = states[0].Points, fmt.Sprintf("%s at time %g", name, c.Equation.Time)
	}
	return f, nil
}
