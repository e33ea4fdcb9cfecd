// This file solves an equation for one input, for pictures and forecasts.

package setup

import (
	"context"
	"errors"
	"fmt"

	"rfm/config"
	"rfm/solver/base/draw"
	"rfm/solver/pde/equation"
	"rfm/solver/space/grid"
)

// Solution is the output field of an equation for one input.
type Solution struct {
	Input  grid.Batch
	States []grid.Batch // at times that are equally spaced, from 0 to Time
	Time   float64      // T, or shortly before the end if the solution ends earlier
	Steps  int          // of the solver, rejected ones included
}

// An End is the error of a solution that ends before T. What exists of it is returned beside this error.
type End struct {
	Time     float64  // of the end, near enough to draw it
	Reason   string   // to go on "the solution", or to stand alone: "u grows without bound, downwards"
	Grows    bool     // whether it grows without bound; otherwise the grid does not hold it
	Sign     int      // 1 upwards, -1 downwards, 0 both or neither
	Remedies []Remedy // settings with which the first inputs have solutions until the T that they leave
	err      error    // *equation.Ending
}

// Error returns the solver's words.
func (e *End) Error() string { return e.err.Error() }

// Unwrap returns the solver's error.
func (e *End) Unwrap() error { return e.err }

// A Remedy is a value for a key of the configuration.
type Remedy struct{ Key, Value string }

// Trajectory solves the equation of a configuration for its first training input, with count states after the initial
// one, on a grid of at most points along an axis, for pictures. If that grid is too coarse, the grid of the data is
// tried. Errors are Check's, an *End with the solution up to it, another *fault.Numerical, and ctx.Err().
func Trajectory(ctx context.Context, c config.Config, count, points int) (s Solution, err error) {
	if err := Check(c); err != nil {
		return s, err
	}
	coarse := c
	coarse.Data.Grid = c.GridUpTo(c.Data.Grid, points)
	s, err = trajectory(ctx, coarse, count)
	var ending *equation.Ending
	isLostByGrid := errors.As(err, &ending) && ending.Growth == nil
	if isLostByGrid && coarse.Data.Grid < c.Data.Grid {
		coarse.Data.Grid = c.Data.Grid
		s, err = trajectory(ctx, coarse, count)
	}
	if !errors.As(err, &ending) || ending.Time == 0 {
		return s, err
	}
	end := endOf(ctx, coarse, ending)
	const before = 0.98 // of the time of the end
	coarse.Equation.Time = before * ending.Time
	s, err = trajectory(ctx, coarse, count)
	if err != nil {
		return s, err
	}
	return s, end
}

// trajectory solves on the grid of the configuration.
func trajectory(ctx context.Context, c config.Config, count int) (s Solution, err error) {
	o := RoughTruth(c)
	s.Input = grid.NewBatch(o.Inputs(), c.Data.Grid, 1)
	o.Draw(s.Input, draw.InputTrain, 0)
	s.Time = o.Times[0]
	times := make([]float64, count+1)
	for j := range times {
		times[j] = s.Time * float64(j) / float64(count)
		s.States = append(s.States, grid.NewBatch(o.Domain, c.Data.Grid, 1))
	}
	w := o.NewWorker()
	err = w.Solve(ctx, s.States, s.Input, times, "the first input")
	if counter, ok := w.(interface{ Steps() int }); ok {
		s.Steps = counter.Steps()
	}
	return s, err
}

// endOf describes the end of a solution, with the remedies that help the first inputs.
func endOf(ctx context.Context, c config.Config, ending *equation.Ending) *End {
	end := &End{
		Time:   ending.Time,
		Reason: "the grid no longer resolves the solution",
		err:    ending,
	}
	var candidates []Remedy
	try := func(key, value string) {
		candidates = append(candidates, Remedy{Key: key, Value: value})
	}
	soonest := ending.Time
	var others *equation.Ending
	if errors.As(firstLast(ctx, c), &others) {
		soonest = min(soonest, others.Time)
	}
	g := ending.Growth
	if g != nil {
		end.Grows = true
		end.Sign = g.Sign
		end.Time = g.Endpoint
		end.Reason = g.String()
		if g.Initial != "" {
			try("equation.initial", g.Initial)
		}
		try("input.scale", fmt.Sprintf("%.2g", c.Input.Scale/5))
	} else {
		finer := 2*(c.Data.Grid-1) + 1
		try("data.grid", fmt.Sprint(finer))
		try("input.alpha", fmt.Sprintf("%.2g", c.Input.Alpha+3))
	}
	try("equation.time", fmt.Sprintf("%.2g", 0.9*soonest)) // last, because one of the further inputs may end even sooner
	for _, r := range candidates {
		changed := c
		err := config.Assign(&changed, r.Key+"="+r.Value)
		if err != nil || Check(changed) != nil {
			continue
		}
		if firstLast(ctx, changed) == nil {
			end.Remedies = append(end.Remedies, r)
		}
	}
	return end
}

// firstLast returns why one of the first training inputs, which are solved at once, has no solution; nil if all have one.
func firstLast(ctx context.Context, c config.Config) error {
	return textEquation(c).Try(ctx, 1, lastingSteps, nil)
}
