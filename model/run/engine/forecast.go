// This file measures the speed of this machine, and estimates the time of an experiment from it.

package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/learn/fno"
	"rfm/model/learn/kernel"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/run/machine"
	"rfm/model/run/setup"
	"rfm/model/show/report"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
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
	block := make([]float64, 2*fft.Lanes*N)
	there := func() {
		plan.Forward(block)
		plan.Inverse(block)
	}
	perBlock := 2 * 2 * fft.Lanes * N * math.Log2(N)
	r.Transforms = perBlock / Fastest(budget, there) / solverOverhead

	p := config.Reference()
	p.Features.Count = feature.GroupSize
	drawn := must(feature.New(ctx, p, 1, feature.GroupSize, N+1, 1))
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

// Seconds is a time of each stage of an experiment.
type Seconds struct {
	Generate float64 `json:"generate"`
	Train    float64 `json:"train"`
	Evaluate float64 `json:"evaluate"`
}

// secondsOf returns the times of stages in the order of store.Run.Stages.
func secondsOf(stages [3]float64) Seconds {
	return Seconds{
		Generate: stages[0],
		Train:    stages[1],
		Evaluate: stages[2],
	}
}

// Stages is the inverse of secondsOf.
func (s Seconds) Stages() [3]float64 { return [3]float64{s.Generate, s.Train, s.Evaluate} }

// Total returns the whole time.
func (s Seconds) Total() float64 { return s.Generate + s.Train + s.Evaluate }

// Estimate is the predicted time and memory of an experiment.
type Estimate struct {
	Seconds
	Bytes float64 // peak memory
	// Unsure is the part of the time of methods that go on as long as an error falls. How often they do depends on the pairs.
	Unsure float64
}

// unsureBy is the factor by which times of such methods were at most shorter or longer than estimated, on sets of
// docs/new_sets.py.
const unsureBy = 2

// Range returns the shortest and the longest time that is likely.
func (e Estimate) Range() (least, most float64) {
	sure := e.Total() - e.Unsure
	return sure + e.Unsure/unsureBy, sure + e.Unsure*unsureBy
}

// Time returns the time in words: a range, unless it is nearly a number.
func (e Estimate) Time() string {
	const nearly = 1.5
	least, most := e.Range()
	if most <= nearly*least {
		return report.Duration(e.Total())
	}
	return report.DurationRange(least, most)
}

// Estimate predicts time and memory of a valid configuration with the given number of workers, with the methods from
// which a model is chosen or with which it is compared.
func (r Rates) Estimate(c config.Config, workers int) Estimate {
	cost := c.Cost()
	w := float64(workers)
	generate := cost.TruthTransforms/r.Transforms + cost.TruthPoints/r.Poisson
	train := cost.TrainEvaluations/r.Evaluations + cost.TrainPoints/r.Poisson
	train += (cost.GramFlops + solveSlowdown(c)*cost.SolveFlops) / r.Flops
	evaluate := cost.TestEvaluations/r.Evaluations + cost.TestPoints/r.Poisson
	e := Estimate{
		Seconds: Seconds{Generate: generate / w, Train: train / w, Evaluate: evaluate / w},
		Bytes:   cost.Bytes,
	}
	r.addMethods(&e, c, w)
	return e
}

// works are fits to measured times, by the names of methods that learn from n pairs of V values. They are in operations
// of the rank-k update, of which a core does Rates.Flops a second. The powers of n and V are those of the dearest parts
// of a method; the constants were measured on one core, n = 64 to 1024, to a factor of 1.5 in nine of ten runs, and for
// kernels to n = 12000. For other symmetries they are orders of magnitude.
var works = map[string]func(n, V float64, d grid.Domain) float64{
	config.Mean:      func(n, V float64, _ grid.Domain) float64 { return 10 * n * V },
	"linear":         func(n, V float64, _ grid.Domain) float64 { return 600 * n * V * min(n, V) },
	"kernel":         kernelWork,
	"equivariant":    equivariantWork,
	config.Layers:    layersWork,
	config.Sheared:   shearedWork,
	config.Corrected: correctedWork,
}

// kernelWork is that of a search on few pairs, and of one solution.
func kernelWork(n, V float64, d grid.Domain) float64 {
	m := min(n, kernel.MostExact)
	images := 1.0
	if d.Dims == 2 && !d.Periodic { // motions of the square, if they lower the error
		images = 2
	}
	solve := 1.1 * m * m * m
	if n > m { // with landmarks
		solve = (5*n + 3*m) * m * m
	}
	search := min(n, 512) * (6.5e7 + 2.4e5*V)
	return images * (search + images*solve)
}

// equivariantWork is that of a search on a coarse grid, and of a solution for each frequency.
func equivariantWork(n, V float64, d grid.Domain) float64 {
	search := 8e6 * min(n, 100) * min(V, 65)
	if d.Dims == 2 {
		search = 1.6e7 * min(n, 64) * min(V, 289)
	}
	return search + 7*n*n*n*V
}

// layersWork is that of layers that begin with a kernel which is known. Along a line there are twice as many values around a
// point, and sums that learn again and again.
func layersWork(n, V float64, d grid.Domain) float64 {
	work := 2.6e11 + 1.1e7*min(n*V, 1e5)
	if d.Dims == 1 {
		work *= 1.7
	}
	return work
}

// shearedWork is that of trying nine transforms on 150 pairs, and of fitting one or two.
func shearedWork(n, V float64, _ grid.Domain) float64 {
	few := min(n, 150)
	try := 1e7*64*min(V, 33) + 7*few*few*few*V
	search := 8e6 * min(n, 100) * min(V, 65)
	fit := search + 7*n*n*n*V
	return 9*try + 1.4*fit
}

// correctedWork is that of corrections to kernels which are known. Features and rows grow with the pairs.
func correctedWork(n, V float64, d grid.Domain) float64 {
	starts := 1.0
	if d.Dims == 1 && d.Periodic { // kernels with and without a transform of outputs
		starts = 2
	}
	overhead := 450.0
	if d.Dims == 2 {
		overhead = 1340
	}
	return starts * 2.75e5 * math.Pow(n, 1.3) * (V + overhead)
}

// Times in seconds to measure the cost of predictions. They do not shrink on a faster machine, because fast calls are
// repeated.
const (
	pricing       = 0.1 // of a method
	solverPricing = 0.2 // of a solver
)

// Parts of the time to train a method.
const (
	curve = 0.2  // to measure the learning curve of a kernel, half that of corrections
	again = 0.6  // to train it again with known parameters
	early = 0.65 // in comparisons, because methods that lower no error stop early
)

// curvePairs is the least number of pairs that have a learning curve.
const curvePairs = 128

// addMethods adds the time of the configured method, and of those it is chosen from or compared with, and the memory of
// the largest to an estimate that contains pairs and random features already.
func (r Rates) addMethods(e *Estimate, c config.Config, workers float64) {
	in, out := c.Channels()
	domain := setup.Domain(c)
	inputs := grid.Batch{Domain: domain.With(in), Points: c.Train.Grid}
	outputs := grid.Batch{Domain: domain.With(out), Points: c.Train.Grid}
	options := operator.Options{
		Workers:  int(workers),
		Symmetry: c.Data.Symmetry,
		Network:  networkOf(c),
	}
	bytes := 0.0 // of the largest
	addBytes := func(m operator.Method, n int) {
		inputs.Count = n
		outputs.Count = n
		bytes = max(bytes, m.Bytes(dataset.Pairs{Inputs: inputs, Outputs: outputs}, options))
	}
	seconds := func(m operator.Method, n int) float64 {
		if m.Timed {
			return c.NetworkSeconds() / min(workers, fno.Lanes)
		}
		return workOf(m, c, n, outputs.Domain) / r.Flops / workers
	}

	all := method.Compared(c, inputs.Domain, outputs.Domain)
	compared := comparisonOf(c, inputs.Domain, outputs.Domain)
	isCompared := c.Evaluation.Baselines
	isBest := c.Train.Method == config.Best
	features := e.Train // seconds of random features
	learning := 0.0     // seconds of the methods of a comparison besides
	for _, m := range compared.methods {
		n := min(c.Data.Train, m.Most)
		learning += early * seconds(m, n)
		if isCompared || isBest {
			addBytes(m, n)
		}
	}
	e.Evaluate += pricing
	if !c.Of().Files {
		e.Evaluate += solverPricing
	}
	kernels := 0.0 // seconds of those with which layers and corrections begin
	for _, m := range all {
		beginsWithKernels := m.Name == config.Layers || m.Name == config.Corrected
		if m.Name != c.Train.Method {
			if !beginsWithKernels {
				kernels += seconds(m, min(c.Data.Train, m.Most))
			}
			continue
		}
		n := c.Data.Train
		share := curve
		e.Train = seconds(m, n)
		if beginsWithKernels {
			e.Train += kernels
			share = 2 * curve
		}
		if c.Train.Noise { // learns once more, from twice the pairs
			n *= 2
			e.Train += seconds(m, n)
		}
		if beginsWithKernels {
			e.Unsure = e.Train
		}
		hasCurve := 2*c.Data.Train <= m.Most && c.Data.Train >= curvePairs
		if c.Evaluation.Curve && hasCurve {
			e.Evaluate += share * e.Train
		}
		addBytes(m, n)
	}
	if c.Data.HasLow() {
		low, restBytes := r.lowSeconds(c, workers)
		e.Train += low
		bytes = max(bytes, restBytes)
		values := float64(inputs.Values() + outputs.Values())
		e.Bytes += heapGrowth * 8 * 2 * float64(c.Data.LowPairs) * values // as they are read, and on the training grid
	}
	e.Bytes += bytes

	if c.Evaluation.Bands { // trained again without each of ten parts, and without each half
		training := e.Train
		if isBest { // any of the methods may be chosen
			training = (features + learning) / float64(len(all)+1)
		}
		e.Evaluate += 11 * again * training
	}
	if isCompared {
		e.Evaluate += pricing * float64(len(compared.methods))
	}
	if isBest {
		e.Train += learning
		e.Unsure += learning
		if c.Evaluation.Curve && c.Data.Train >= curvePairs { // of any of the methods
			e.Evaluate += curve * learning
		}
		return
	}
	if !isCompared {
		return
	}
	e.Evaluate += learning
	e.Unsure += learning
	if compared.features {
		e.Evaluate += features
	}
	if c.Train.Method == config.RandomFeatures && c.Features.Count <= rateFeatures { // the rates
		e.Evaluate += features * min(1, ratePairs/float64(max(1, c.Data.Train)))
	}
}

// heapGrowth is the growth of the heap before garbage collection, relative to the memory in use.
const heapGrowth = 1.5

// lowSeconds returns the time to learn from pairs of low fidelity, and from what their model leaves of the other pairs,
// and the memory of the largest of these trainings.
func (r Rates) lowSeconds(c config.Config, workers float64) (seconds, bytes float64) {
	in, out := c.Channels()
	domain := setup.Domain(c)
	options := operator.Options{Workers: int(workers), Symmetry: c.Data.Symmetry}
	c.Train.Patience = 0
	add := func(width, count int, all []operator.Method, share float64) {
		inputs := grid.Batch{Domain: domain.With(width), Points: c.Train.Grid}
		outputs := grid.Batch{Domain: domain.With(out), Points: c.Train.Grid}
		for _, m := range all {
			n := min(count, m.Most)
			inputs.Count = n
			outputs.Count = n
			seconds += share * workOf(m, c, n, outputs.Domain) / r.Flops / workers
			bytes = max(bytes, m.Bytes(dataset.Pairs{Inputs: inputs, Outputs: outputs}, options))
		}
	}
	among := func(width int, names ...string) []operator.Method {
		others := func(m operator.Method) bool { return !slices.Contains(names, m.Name) }
		return slices.DeleteFunc(method.All(domain.With(width), domain.With(out), c.Data.Symmetry), others)
	}
	names := []string{c.Train.Method}
	if c.Train.Method == config.Best {
		names = restNames
		add(in, c.Data.LowPairs, method.Compared(c, domain.With(in), domain.With(out)), early)
	} else {
		add(in, c.Data.LowPairs, among(in, names...), 1)
	}
	for _, width := range []int{in, in + out} { // the rest does not see the low prediction, or sees it
		add(width, c.Data.Train, among(width, names...), 1)
	}
	return seconds, bytes
}

// A Pace is the time that the solver of an equation given as text needs for the first training inputs. The zero Pace is
// of no equation. The work of a solver varies by factors of thousands among equations, and cannot be known from the text.
type Pace struct {
	of      config.Config // what it depends on
	pairs   int           // that are solved together
	seconds float64       // of one core for so many pairs
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

// MeasurePace solves an equation given as text for its first training inputs, on one core and no longer than a time; if
// that ends first, the pace is that of the part of the solutions that exists. Other problems have no pace. The error is
// that of setup.Check, a *fault.Numerical of inputs without a solution, or ctx's.
func MeasurePace(ctx context.Context, c config.Config, longest time.Duration) (Pace, error) {
	if c.Problem != config.TextEquation {
		return Pace{}, nil
	}
	if err := setup.Check(c); err != nil {
		return Pace{}, err
	}
	o := setup.Truth(c)
	inputs := grid.NewBatch(o.Inputs(), o.Points, o.Block)
	outputs := grid.NewBatch(o.Domain, o.Points, o.Block)
	o.Draw(inputs, draw.InputTrain, 0)
	worker := o.NewWorker()
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	begin := time.Now()
	used := machine.ProcessorTime()
	err := worker.Solve(limited, []grid.Batch{outputs}, inputs, o.Times, "the first inputs")
	// others may use the core, or this process may use several
	seconds := min(time.Since(begin), machine.ProcessorTime()-used).Seconds()
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		reached := 0.01 // of the time, if not even one step was completed
		if part, ok := worker.(interface{ Reached() float64 }); ok {
			reached = max(reached*reached, part.Reached()/o.Times[len(o.Times)-1])
		}
		seconds /= reached
		err = nil
	}
	if err != nil {
		return Pace{}, err
	}
	return Pace{
		of:      paced(c),
		pairs:   o.Block,
		seconds: max(seconds, 1e-6),
	}, nil
}

// generate returns the time in seconds to generate the pairs of a configuration at the pace.
func (p Pace) generate(c config.Config, workers int) float64 {
	blocks := 0
	if c.Data.TrainFile == "" {
		blocks += (c.Data.Train + p.pairs - 1) / p.pairs
	}
	if c.Data.TestFile == "" {
		blocks += (c.Data.Test + p.pairs - 1) / p.pairs
	}
	longer := float64(c.Equation.Steps+1) / 2 // some inputs are states along trajectories
	busy := min(workers, max(1, blocks))
	return p.seconds * float64(blocks) * max(1, longer) / float64(busy)
}

// SlowSolver returns what shortens an experiment whose pairs take long to generate from an equation given as text; "" if
// they do not.
func SlowSolver(c config.Config, e Estimate) string {
	const long = 30 // seconds
	if c.Problem != config.TextEquation || e.Generate < long {
		return ""
	}
	advice := fmt.Sprintf("solving the equation for %d inputs takes about %s", c.Data.Train+c.Data.Test,
		report.Duration(e.Generate))
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

// solvesToPrice is the number of blocks of solutions from which the price of slow solutions is taken.
const solvesToPrice = 3

// Forecast estimates the time of a valid configuration on an idle machine. The pace of the equation, if it is known,
// replaces the estimate of solutions.
func (r Rates) Forecast(c config.Config, workers int, pace Pace) Estimate {
	e := r.Estimate(c, workers)
	if pace.Of(c) {
		e.Generate = pace.generate(c, workers)
		e.Evaluate += max(0, solvesToPrice*pace.seconds-solverPricing)
	}
	return e
}
