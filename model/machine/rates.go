// This file measures the speed of this machine, and estimates the time of an experiment from it.

package machine

import (
	"context"
	"math"
	"time"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/poisson"
)

// Rates are the operations per second of one core of this machine.
type Rates struct {
	Transforms  float64 // points x log2(points) of the reference solver's transforms and the work around them
	Evaluations float64 // feature values phi(a; theta)(x)
	Flops       float64 // operations of the rank-k update
	Poisson     float64 // grid points of fast Poisson solves
}

// solverOverhead is the time of a step of the reference solver in units of its transforms.
const solverOverhead = 1.8

// The slowdowns relate the solution of the normal equations to the rank-k update, measured in one process from m = 1024
// to 3072: 1.9 to 2.2 for a factorisation, and 2.3 to 2.6 for the reduction to a tridiagonal matrix.
const factorSlowdown, tridiagonalSlowdown = 2, 2.5

func solveSlowdown(c config.Config) float64 {
	if c.Train.Lambda > 0 {
		return factorSlowdown
	}
	return tridiagonalSlowdown
}

// MeasureRates times the kernels for some tens of milliseconds on one core.
func MeasureRates() Rates {
	const N, m, rows, budget = 128, 96, linalg.KC, 4 * time.Millisecond
	var r Rates
	plan, block := fft.NewPlan(N), make([]float64, 2*fft.Lanes*N)
	perBlock := 2 * 2 * fft.Lanes * N * math.Log2(N)
	r.Transforms = perBlock / Fastest(budget, func() { plan.Forward(block); plan.Inverse(block) }) / solverOverhead

	p := config.Reference()
	p.Features.Count = feature.GroupSize
	ctx := context.Background()
	e := must(must(feature.New(ctx, p, 1, feature.GroupSize, N+1, 1)).On(ctx, N+1, 1))
	y := make([]float64, N+1)
	for x := range N {
		y[x] = math.Sin(2 * math.Pi * float64(x) / N)
	}
	spectrum := must(e.Prepare(grid.BatchOf(grid.Torus, N+1, y)))
	features, rhs, trainer := linalg.NewPanels(rows, m), make([]float64, m), e.NewTrainer()
	r.Evaluations = feature.GroupSize * N / Fastest(budget, func() { trainer(features, 0, 0, spectrum, y, rhs) })

	gram := linalg.NewSymmetric(m)
	r.Flops = rows * m * (m + 1) / Fastest(budget, func() { gram.RankUpdate(features, rows, 1) })

	const side = 65
	solver := must(poisson.NewSolver(side))
	u, source := make([]float64, side*side), make([]float64, side*side)
	r.Poisson = side * side / Fastest(budget, func() { solver.Solve(u, source) })
	return r
}

// must returns the value of a call that cannot fail on any machine.
func must[T any](value T, err error) T {
	if err != nil {
		panic("machine: " + err.Error())
	}
	return value
}

// Fastest returns the shortest time of one call, in seconds, over some time of calls.
func Fastest(budget time.Duration, call func()) float64 {
	call() // the first call meets cold caches
	best := math.Inf(1)
	for i, begin := 0, time.Now(); i < 3 || time.Since(begin) < budget; i++ { // others may use the core
		start := time.Now()
		call()
		best = min(best, time.Since(start).Seconds())
	}
	return max(best, 1e-9)
}

// Seconds is a time of each stage of an experiment.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// SecondsOf returns the times of stages in the order of store.Manifest.Stages.
func SecondsOf(stages [3]float64) Seconds { return Seconds{stages[0], stages[1], stages[2]} }

// Stages is the inverse of SecondsOf.
func (s Seconds) Stages() [3]float64 { return [3]float64{s.Generate, s.Train, s.Evaluate} }

// Total returns the whole time.
func (s Seconds) Total() float64 { return s.Generate + s.Train + s.Evaluate }

// Estimate is the predicted time and memory of an experiment.
type Estimate struct {
	Seconds
	Bytes float64 // peak memory
}

// Estimate predicts time and memory of a valid configuration with the given number of workers, with the methods from
// which a model is chosen or with which it is compared.
func (r Rates) Estimate(c config.Config, workers int) Estimate {
	cost, w := c.Cost(), float64(workers)
	e := Estimate{Bytes: cost.Bytes, Seconds: Seconds{
		Generate: (cost.TruthTransforms/r.Transforms + cost.TruthPoints/r.Poisson) / w,
		Train: (cost.TrainEvaluations/r.Evaluations + cost.TrainPoints/r.Poisson +
			(cost.GramFlops+solveSlowdown(c)*cost.SolveFlops)/r.Flops) / w,
		Evaluate: (cost.TestEvaluations/r.Evaluations + cost.TestPoints/r.Poisson) / w,
	}}
	r.addMethods(&e, c, w)
	return e
}
