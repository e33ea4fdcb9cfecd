// This file measures the speed of this machine.

package engine

import (
	"context"
	"math"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/poisson"
	"rfm/solver/space/grid"
)

// Rates are the operations per second of one core of this machine.
type Rates struct {
	Transforms  float64 // points x log2(points) of the reference solver's transforms and the work around them
	Evaluations float64 // feature values phi(a; theta)(x)
	Flops       float64 // operations of the rank-k update
	Poisson     float64 // grid points of fast Poisson solves
}

// solverOverhead is the time of a step of the reference solver in units of its transforms.
const solverOverhead = 1.2

// The slowdowns relate the solution of the normal equations to the rank-k update, measured in one process from m = 1024
// to 3072: 1.9 to 2.2 for a factorisation, and 2.3 to 2.6 for the reduction to a tridiagonal matrix.
const (
	factorSlowdown      = 2.
	tridiagonalSlowdown = 2.5
)

// solveSlowdown returns that of the solution of a configuration.
func solveSlowdown(c config.Config) float64 {
	if c.Train.Lambda > 0 {
		return factorSlowdown
	}
	return tridiagonalSlowdown
}

// MeasureRates times the kernels for some tens of milliseconds on one core.
func MeasureRates() Rates {
	const (
		N      = 128 // intervals of a function
		side   = 65  // points along an axis of a field
		m      = 96  // features
		rows   = linalg.KC
		budget = 4 * time.Millisecond
	)
	ctx := context.Background()
	var r Rates

	plan := fft.On(0, N)
	block := make([]float64, 2*fft.Lanes*N) // of two functions in each lane, as real and imaginary parts
	thereAndBack := func() {
		plan.Forward(block)
		plan.Inverse(block)
	}
	transforms := 2 * 2 * fft.Lanes * N * math.Log2(N) // of a block
	r.Transforms = transforms / Fastest(budget, thereAndBack) / solverOverhead

	law := feature.Law{
		Features: config.Reference().Features,
		Domain:   grid.Torus,
		Seed:     1,
	}
	drawn := must(feature.New(ctx, law, feature.GroupSize, N+1, 1))
	evaluator := must(drawn.On(ctx, N+1, 1))
	wave := make([]float64, N+1)
	for x := range N {
		wave[x] = math.Sin(2 * math.Pi * float64(x) / N)
	}
	spectrum := must(evaluator.Prepare(grid.BatchOf(grid.Torus, N+1, wave)))
	features := linalg.NewPanels(rows, m)
	rhs := make([]float64, m)
	trainer := evaluator.NewTrainer()
	evaluate := func() { trainer(features, 0, 0, spectrum, wave, rhs) }
	r.Evaluations = feature.GroupSize * N / Fastest(budget, evaluate)

	gram := linalg.NewSymmetric(m)
	update := func() { _ = gram.RankUpdate(ctx, features, rows, 1) }
	r.Flops = rows * m * (m + 1) / Fastest(budget, update)

	solver := poisson.NewSolver(side)
	u := make([]float64, side*side)
	source := make([]float64, side*side)
	solve := func() { solver.Solve(u, source) }
	r.Poisson = side * side / Fastest(budget, solve)
	return r
}

// must returns the value of a call that cannot fail on any machine.
func must[T any](value T, err error) T {
	if err != nil {
		panic("engine: " + err.Error())
	}
	return value
}

// Fastest returns the shortest time of one call, in seconds, over some time of calls.
func Fastest(budget time.Duration, call func()) float64 {
	call() // the first call meets cold caches
	best := math.Inf(1)
	begin := time.Now()
	for i := 0; i < 3 || time.Since(begin) < budget; i++ { // more than once, because others may use the core
		start := time.Now()
		call()
		best = min(best, time.Since(start).Seconds())
	}
	return max(best, 1e-9)
}
