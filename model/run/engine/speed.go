// This file measures the speed of this machine.

package engine

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/solver/base/parallel"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/poisson"
	"rfm/solver/space/grid"
)

// Rates are the operations per second of one core of this machine, while it does what else it has to do.
type Rates struct {
	Transforms  float64 // points x log2(points) of the reference solver's transforms and the work around them
	Evaluations float64 // feature values phi(a; theta)(x)
	Flops       float64 // operations of the rank-k update
	Poisson     float64 // grid points of fast Poisson solves
}

// learning returns the operations per second in which works of methods are counted. A third of their time goes into updates
// and other products, the rest into work that is as fast as transforms. Where others use the machine the speed of the update alone
// differs by a factor of 1.7 from one tenth of a second to the next, while a method takes the same ten seconds again.
func (r Rates) learning() float64 {
	const ofTransforms = 2.6 // operations of the update in the time of one of transforms
	return 3 / (1/r.Flops + 2/(ofTransforms*r.Transforms))
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

// MeasureRates times the kernels for some tens of milliseconds on one core, while the cores of other workers compute, too:
// they may share what makes one of them fast alone.
func MeasureRates(workers int) Rates {
	workers = max(1, workers)
	var r Rates
	var measured atomic.Bool
	_ = parallel.For(context.Background(), workers, workers, func(_, i int) error {
		if i > 0 {
			occupy(&measured)
			return nil
		}
		defer measured.Store(true)
		r = measureRates()
		return nil
	}) // nothing fails
	return r
}

// occupy computes sums until something is done.
func occupy(done *atomic.Bool) {
	sums := newUpdates()
	for !done.Load() {
		sums.update()
	}
}

// updates are rank-k updates of some size.
type updates struct {
	gram     *linalg.Symmetric
	features *linalg.Panels
}

const (
	updatedFeatures = 96
	updatedRows     = linalg.KC
)

func newUpdates() updates {
	return updates{
		gram:     linalg.NewSymmetric(updatedFeatures),
		features: linalg.NewPanels(updatedRows, updatedFeatures),
	}
}

func (u updates) update() { _ = u.gram.RankUpdate(context.Background(), u.features, updatedRows, 1) }

// measureRates is MeasureRates on this core.
func measureRates() Rates {
	const (
		N      = 128 // intervals of a function
		side   = 65  // points along an axis of a field
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
	r.Transforms = transforms / usual(budget, thereAndBack) / solverOverhead

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
	sums := newUpdates()
	rhs := make([]float64, updatedFeatures)
	trainer := evaluator.NewTrainer()
	evaluate := func() { trainer(sums.features, 0, 0, spectrum, wave, rhs) }
	r.Evaluations = feature.GroupSize * N / usual(budget, evaluate)

	r.Flops = updatedRows * updatedFeatures * (updatedFeatures + 1) / usual(budget, sums.update)

	solver := poisson.NewSolver(side)
	u := make([]float64, side*side)
	source := make([]float64, side*side)
	solve := func() { solver.Solve(u, source) }
	r.Poisson = side * side / usual(budget, solve)
	return r
}

// must returns the value of a call that cannot fail on any machine.
func must[T any](value T, err error) T {
	if err != nil {
		panic("engine: " + err.Error())
	}
	return value
}

// usual returns the median time of one call, in seconds, over some time of calls. Where others use the processor now and then
// a call is interrupted, which the median does not see; where they share a core all the time most calls are slow, as a run
// will be, and the fastest is not.
func usual(budget time.Duration, call func()) float64 {
	const fewest = 3
	call() // the first call meets cold caches
	var times []float64
	begin := time.Now()
	for len(times) < fewest || time.Since(begin) < budget {
		start := time.Now()
		call()
		times = append(times, time.Since(start).Seconds())
	}
	slices.Sort(times)
	median := times[len(times)/2]
	return max(median, shortest)
}

// shortest is the least time of a call in seconds that a clock is trusted with.
const shortest = 1e-9

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
	return max(best, shortest)
}
