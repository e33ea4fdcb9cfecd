// This file measures how models approach the interpolant as the number of features grows.

package brownian

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/solver/fault"
	"rfm/solver/parallel"
)

// Sweep is which models to compare with the interpolant.
type Sweep struct {
	Problem  Problem
	Counts   []int // m, ascending
	Draws    int   // draws of the features, 1 to 128
	RateFrom int   // the rate is fitted over the counts from here on
	GridSize int   // K of the curves, at least 2
}

// PaperSweep is the paper's figure and what lies between its panels: five m per decade from 10 to 5000, ten draws,
// curves on 513 points. The mean square distance is proportional to 1/(m-n-1), so the rate is fitted from m = 10 n on.
func PaperSweep(seed uint64) Sweep {
	p := Paper(seed)
	return Sweep{
		Problem:  p,
		Counts:   []int{10, 16, 25, 32, 40, 50, 80, 125, 200, 320, 500, 800, 1250, 2000, 3200, 5000},
		Draws:    10,
		RateFrom: 10 * p.Points,
		GridSize: 513,
	}
}

// Result is what a sweep found: plain data.
type Result struct {
	Data        Data
	Grid        []float64   // K points of [0, 1]
	Target      []float64   // f on the grid
	Interpolant []float64   // F on the grid, m = infinity
	Curves      [][]float64 // F_m of draw 0 on the grid, for each count
	Levels      []Level     // for each count
	Bias        float64     // Expectation.Bias: where the distances level off
	Rate        Fit         // of Level.RMS
	MaxRate     Fit         // of Level.MaxRMS
}

// Level is the distances of models of m features to the interpolant.
type Level struct {
	Count    int       // m
	L2       []float64 // in L2(0,1), for each draw
	Max      []float64 // largest on the grid, for each draw
	Ranks    []int     // eigenvalues kept, for each draw
	RMS      float64   // root mean square of L2
	MaxRMS   float64   // root mean square of Max
	Expected float64   // what RMS tends to with more draws, Expectation.Distance; 0 if m < n+2, where it is infinite
}

// Fit is the least squares line log distance = log Constant + Rate log m.
type Fit struct {
	Rate, Constant float64
	Counts         int // points of the fit; with fewer than 2 there is none, and Rate and Constant are 0
}

// Run trains and compares the models. After each draw, progress (which may be nil) is told the number of draws done.
// The result does not depend on the number of workers >= 1. The error is ctx's, a *fault.Data or a *fault.Numerical.
func (s Sweep) Run(ctx context.Context, workers int, progress func(draws int)) (*Result, error) {
	switch {
	case len(s.Counts) == 0:
		return nil, &fault.Data{Where: "Brownian bridge sweep", What: "has no feature counts"}
	case s.Draws < 1 || s.Draws > maxDraws:
		return nil, &fault.Data{Where: "Brownian bridge sweep", What: fmt.Sprintf("has %d draws, must be 1 to %d", s.Draws,
			maxDraws)}
	case s.GridSize < 2:
		return nil, &fault.Data{Where: "Brownian bridge sweep",
			What: fmt.Sprintf("has curves of %d points, must be at least 2", s.GridSize)}
	}
	result, limit, err := s.prepare(ctx)
	if err != nil {
		return nil, err
	}
	for draw := range s.Draws {
		models, err := s.Problem.Train(ctx, s.Counts, draw, workers)
		if err != nil {
			return nil, err
		}
		err = parallel.For(ctx, workers, len(models), func(_, q int) error {
			curve, level := models[q].Curve(s.GridSize), &result.Levels[q]
			level.L2[draw] = models[q].Distance(limit)
			level.Max[draw] = MaxDistance(curve, result.Interpolant)
			level.Ranks[draw] = models[q].Rank
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
	rms, maxRMS := make([]float64, len(s.Counts)), make([]float64, len(s.Counts))
	for q := range result.Levels {
		level := &result.Levels[q]
		level.RMS, level.MaxRMS = rootMeanSquare(level.L2), rootMeanSquare(level.Max)
		rms[q], maxRMS[q] = level.RMS, level.MaxRMS
	}
	result.Rate, result.MaxRate = fit(s.Counts, rms, s.RateFrom), fit(s.Counts, maxRMS, s.RateFrom)
	return result, nil
}

// prepare fills in everything that needs no features.
func (s Sweep) prepare(ctx context.Context) (*Result, *Interpolant, error) {
	limit, err := s.Problem.Interpolant()
	if err != nil {
		return nil, nil, err
	}
	expectation, err := s.Problem.Expectation(ctx)
	if err != nil {
		return nil, nil, err
	}
	n := s.Problem.Points
	r := &Result{
		Data:        Data{X: slices.Clone(limit.knots[1 : n+1]), Y: slices.Clone(limit.values[1 : n+1])},
		Grid:        Grid(s.GridSize),
		Target:      make([]float64, s.GridSize),
		Interpolant: limit.Curve(s.GridSize),
		Curves:      make([][]float64, len(s.Counts)),
		Levels:      make([]Level, len(s.Counts)),
		Bias:        expectation.Bias,
	}
	for i, x := range r.Grid {
		r.Target[i] = s.Problem.Target.Value(x)
	}
	for q, m := range s.Counts {
		r.Levels[q] = Level{Count: m, L2: make([]float64, s.Draws), Max: make([]float64, s.Draws),
			Ranks: make([]int, s.Draws)}
		if m >= n+2 {
			r.Levels[q].Expected = expectation.Distance(m)
		}
	}
	return r, limit, nil
}

func rootMeanSquare(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return math.Sqrt(sum / float64(len(values)))
}

// fit leaves out the counts below from and distances of zero.
func fit(counts []int, distances []float64, from int) Fit {
	var number, sx, sy, sxx, sxy float64
	for q, m := range counts {
		if m < from || distances[q] == 0 {
			continue
		}
		x, y := math.Log(float64(m)), math.Log(distances[q])
		number++
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	f := Fit{Counts: int(number)}
	if f.Counts < 2 {
		return f
	}
	f.Rate = (number*sxy - sx*sy) / (number*sxx - sx*sx)
	f.Constant = math.Exp((sy - f.Rate*sx) / number)
	return f
}
