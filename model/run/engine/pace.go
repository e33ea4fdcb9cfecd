// This file measures how long the solver of an equation given as text takes.

package engine

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/base/processor"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// A Pace is the time that the solver of an equation given as text needs for the first training inputs. The zero Pace is
// of no equation. The work of a solver varies by factors of thousands among equations, and cannot be known from the text.
type Pace struct {
	of      config.Config // what it depends on
	pairs   int           // that are solved together
	seconds float64       // of one core for so many pairs
	begin   float64       // seconds before the first pairs, as for matrices and the search of a resolution
	bytes   float64       // of memory that a solver has in use, as of its matrices
}

// paced returns the parts of a configuration on which the pace of its solver depends.
func paced(c config.Config) config.Config {
	c = c.DataOnly()
	c.Data.Train = 0
	c.Data.Test = 0
	return c
}

// Of reports whether the pace is that of a configuration.
func (p Pace) Of(c config.Config) bool { return p.pairs > 0 && p.of == paced(c) }

// pacedBlocks is the number of blocks of inputs from which a pace is measured. Rougher inputs need more functions between
// ends, which the first block may not tell.
const pacedBlocks = 4

// MeasurePace solves an equation given as text for its first training inputs, on one core and no longer than a time; if
// that ends first, the pace is that of the part of the solutions that exists. Other problems have no pace. The error is
// that of setup.Check, a *fault.Numerical of inputs without a solution, or ctx.Err().
func MeasurePace(ctx context.Context, c config.Config, longest time.Duration) (Pace, error) {
	if c.Problem != config.TextEquation {
		return Pace{}, nil
	}
	if err := setup.Check(c); err != nil {
		return Pace{}, err
	}
	before := heapInUse()
	o := setup.Truth(c)
	worker := o.NewWorker()
	p := Pace{of: paced(c), pairs: o.Block}
	err := p.measure(ctx, o, worker, longest)
	if err != nil {
		return Pace{}, err
	}
	p.bytes = max(0, heapInUse()-before)
	runtime.KeepAlive(worker)
	return p, nil
}

// measure sets the times of a pace. The error is a *fault.Numerical, or ctx.Err().
func (p *Pace) measure(ctx context.Context, o *truth.Operator, worker truth.Worker, longest time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	inputs := grid.NewBatch(o.Inputs(), o.Points, o.Block)
	for i := range pacedBlocks {
		o.Draw(inputs, draw.InputTrain, i*o.Block)
		first, err := timedSolve(limited, o, worker, inputs)
		wasStopped := err != nil && ctx.Err() == nil && limited.Err() != nil
		switch {
		case err != nil && !wasStopped:
			return err
		case i == 0 && wasStopped:
			p.seconds = first
			return nil
		case wasStopped:
			return nil
		}
		// The first solution may prepare the worker; the second has the pace of others that are alike.
		second, err := timedSolve(limited, o, worker, inputs)
		if err != nil {
			second = first
		}
		before := float64(i)
		p.seconds = (p.seconds*before + min(first, second)) / (before + 1)
		p.begin += max(0, first-second)
	}
	return nil
}

// heapInUse returns the bytes of the heap that are in use.
func heapInUse() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// solverBytes returns about the memory of solving on some workers. The heap grows to twice what is in use before garbage is
// collected; a second worker shares a part of the matrices, a quarter to nine tenths on presets with conditions on sides.
func (p Pace) solverBytes(workers int) float64 {
	const (
		growth = 2
		own    = 0.5
	)
	more := own * float64(workers-1)
	return growth * p.bytes * (1 + more)
}

// timedSolve solves for inputs and returns the seconds of one core that this takes. The error is that of Solve; if ctx
// has ended, the seconds are those that all of it would take.
func timedSolve(ctx context.Context, o *truth.Operator, worker truth.Worker, inputs grid.Batch) (seconds float64, err error) {
	const shortest = 1e-6
	outputs := grid.NewBatch(o.Domain, o.Points, inputs.Count)
	begin := time.Now()
	usedBefore := processor.Time()
	err = worker.Solve(ctx, []grid.Batch{outputs}, inputs, o.Times, "the first inputs")
	elapsed := time.Since(begin)          // too long if others use the core
	used := processor.Time() - usedBefore // too long if this process uses several cores
	seconds = max(shortest, min(elapsed, used).Seconds())
	if err != nil && ctx.Err() != nil {
		seconds /= partOf(worker, o.Times)
	}
	return seconds, err
}

// partOf returns the part of the solutions that a worker has computed when it is stopped, never 0: a worker that cannot
// tell, or that has not completed a step, counts as one that has a small part.
func partOf(worker truth.Worker, times []float64) float64 {
	const (
		unknown = 0.01
		least   = unknown * unknown
	)
	part, ok := worker.(interface{ Reached() float64 })
	if !ok {
		return unknown
	}
	last := times[len(times)-1]
	return max(least, part.Reached()/last)
}

// generate returns the time in seconds to generate the pairs of a configuration at the pace.
func (p Pace) generate(c config.Config, workers int) float64 {
	blocksOf := func(pairs int) int { return (pairs + p.pairs - 1) / p.pairs } // rounded up
	blocks := 0
	if c.Data.TrainFile == "" {
		blocks += blocksOf(c.Data.Train)
	}
	if c.Data.TestFile == "" {
		blocks += blocksOf(c.Data.Test)
	}
	longer := float64(c.Equation.Steps+1) / 2 // some inputs are states along trajectories
	busy := min(workers, max(1, blocks))
	return p.begin + p.seconds*float64(blocks)*max(1, longer)/float64(busy)
}

// SlowSolver returns what shortens an experiment whose pairs take long to generate from an equation given as text; "" if
// they do not.
func SlowSolver(c config.Config, e Estimate) string {
	const long = 30 // seconds
	if c.Problem != config.TextEquation || e.Generate < long {
		return ""
	}
	inputs := c.Data.Train + c.Data.Test
	duration := report.Duration(e.Generate)
	advice := fmt.Sprintf("solving the equation for %d inputs takes about %s", inputs, duration)
	var ways []string
	if c.Input.Alpha < 8 {
		ways = append(ways, "smoother inputs (input.alpha=8)")
	}
	if c.Equation.Tolerance < 1e-4 {
		ways = append(ways, "equation.tolerance=1e-4")
	}
	ways = append(ways, "fewer pairs (-n, --test)", "a shorter equation.time")
	return advice + "; " + strings.Join(ways, ", ") + " take less"
}

// Scheme returns how an equation between two ends is solved, in words; "" for other problems.
func Scheme(c config.Config) string { return setup.Scheme(c) }
