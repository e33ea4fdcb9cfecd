package brownian

import (
	"context"
	"math"

	"rfm/solver/parallel"

	"gonum.org/v1/gonum/floats"
)

// Sweep defines the models to compare with the interpolant.
type Sweep struct {
	Problem  Problem
	Counts   []int // m, ascending
	Draws    int   // of the features
	GridSize int   // K of the curves, at least 2
}

// PaperSweep returns the sweep of the paper's figure with intermediate counts: five m per decade from 10 to 5000, ten
// draws, curves on 513 points.
func PaperSweep(seed uint64) Sweep {
	return Sweep{
		Problem:  Paper(seed),
		Counts:   []int{10, 16, 25, 32, 40, 50, 80, 125, 200, 320, 500, 800, 1250, 2000, 3200, 5000},
		Draws:    10,
		GridSize: 513,
	}
}

// Result is the result of a sweep: plain data.
type Result struct {
	Data        Data
	Grid        []float64   // K points of [0, 1]
	Target      []float64   // f on the grid
	Interpolant []float64   // F on the grid, m = infinity
	Curves      [][]float64 // F_m of draw 0 on the grid, for each count
	Levels      []Level     // for each count
	Bias        float64     // Expectation.Bias: the limit of the distances
}

// Level holds the distances of models of m features to the interpolant, root mean squares over the draws.
type Level struct {
	Count    int     // m
	RMS      float64 // in L2(0,1)
	MaxRMS   float64 // largest on the grid
	Expected float64 // limit of RMS with more draws, Expectation.Distance; 0 if m < n+2, where it is infinite
}

// Run trains and compares the models. After each draw, progress (which may be nil) gets the number of draws done.
// The result does not depend on the number of workers >= 1. The error is ctx's, a *fault.Data or a *fault.Numerical.
func (s Sweep) Run(ctx context.Context, workers int, progress func(draws int)) (*Result, error) {
	limit, err := s.Problem.Interpolant()
	if err != nil {
		return nil, err
	}
	expectation, err := s.Problem.Expectation()
	if err != nil {
		return nil, err
	}
	result := &Result{Data: s.Problem.Data(), Grid: uniform(s.GridSize), Interpolant: limit.Curve(s.GridSize),
		Curves: make([][]float64, len(s.Counts)), Bias: expectation.Bias}
	for _, x := range result.Grid {
		result.Target = append(result.Target, s.Problem.Target.Value(x))
	}
	for _, m := range s.Counts {
		level := Level{Count: m}
		if m >= s.Problem.Points+2 {
			level.Expected = expectation.Distance(m)
		}
		result.Levels = append(result.Levels, level)
	}
	for draw := range s.Draws {
		models, err := s.Problem.Train(ctx, s.Counts, draw, workers)
		if err != nil {
			return nil, err
		}
		err = parallel.For(ctx, workers, len(models), func(_, q int) error {
			curve, level := models[q].Curve(s.GridSize), &result.Levels[q]
			mean, most := models[q].Distance(limit), floats.Distance(curve, result.Interpolant, math.Inf(1))
			level.RMS, level.MaxRMS = level.RMS+mean*mean, level.MaxRMS+most*most
			if draw == 0 {
				result.Curves[q] = curve
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(draw + 1)
		}
	}
	for q := range result.Levels {
		level := &result.Levels[q]
		level.RMS, level.MaxRMS = math.Sqrt(level.RMS/float64(s.Draws)), math.Sqrt(level.MaxRMS/float64(s.Draws))
	}
	return result, nil
}
