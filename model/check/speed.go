// This file measures the speed of this build on this machine: the rate of every kernel next to the kernel's peak, and
// the throughput of every stage of an experiment.

package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/model/machine"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/equation"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/poisson"
	"rfm/solver/simd"
	"rfm/solver/truth"

	"gonum.org/v1/gonum/floats"
)

// Measurement is one line of the measured speed.
type Measurement struct {
	Group string  `json:"group"` // "kernel" or "stage"
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	// Share is the rate relative to the reference in the note: the kernel's own peak on data in the first cache, or the
	// ideal of a stage. 0 if there is no reference.
	Share float64 `json:"share,omitempty"`
	Note  string  `json:"note,omitempty"`
}

// Contradicts reports whether the measurement is impossible: a part is clearly faster than the whole. Other programs
// have then disturbed one of the two.
func (m Measurement) Contradicts() bool {
	const clearly = 1.05
	return m.Share > clearly
}

// Speed holds the measurements of a machine.
type Speed struct {
	SIMD         string        `json:"simd"`
	Workers      int           `json:"workers"`
	Measurements []Measurement `json:"measurements"`
	Version      string        `json:"version"`
}

// suite collects measurements and passes each to a callback as soon as it is complete.
type suite struct {
	ctx     context.Context
	budget  time.Duration // for one timing
	workers int
	report  *Speed
	tell    func(Measurement)
}

// Measure measures everything on up to workers goroutines. budget is the time of one of about thirty timings; tell is
// called with every line as it is complete. The error is ctx's, or one of a stage.
func Measure(ctx context.Context, workers int, budget time.Duration, tell func(Measurement)) (Speed, error) {
	workers = machine.Workers(workers)
	s := &suite{ctx: ctx, budget: budget, workers: workers, tell: tell,
		report: &Speed{SIMD: simd.Active().String(), Workers: workers, Version: machine.Version()}}
	parts := []func() error{s.rankUpdate, s.transforms, s.activations, s.solves, s.poisson, s.truth, s.features,
		s.training}
	for _, part := range parts {
		if err := part(); err != nil {
			return *s.report, err
		}
	}
	return *s.report, nil
}

func (s *suite) add(m Measurement) {
	s.report.Measurements = append(s.report.Measurements, m)
	s.tell(m)
}

// fastest returns the least time of each of some calls. They run in turns, so that all of them meet the same load and
// can be compared. The times are 0 after the context has ended.
func (s *suite) fastest(calls ...func()) []float64 {
	times := make([]float64, len(calls))
	for _, call := range calls {
		call() // fills caches and tables
	}
	budget := s.budget * time.Duration(len(calls))
	for round, begin := 0, time.Now(); round < 3 || time.Since(begin) < budget && round < 10000; round++ {
		for i, call := range calls {
			if s.ctx.Err() != nil {
				return make([]float64, len(calls))
			}
			start := time.Now()
			call()
			if t := time.Since(start).Seconds(); round == 0 || t < times[i] {
				times[i] = t
			}
		}
	}
	return times
}

// seconds returns the least time of one call.
func (s *suite) seconds(call func()) float64 { return s.fastest(call)[0] }

// values returns reproducible numbers of both signs, of the size of typical activations' arguments.
func values(n int) []float64 {
	r := draw.Stream(1, draw.Theta, 0)
	v := make([]float64, n)
	for i := range v {
		v[i] = r.NormFloat64()
	}
	return v
}

// fill writes values to all panels.
func fill(p *linalg.Panels) {
	for i := range p.Count() {
		copy(p.Panel(i), values(len(p.Panel(i))))
	}
}

func (s *suite) rankUpdate() error {
	const order, rows = 1024, 1024
	const operations = order * (order + 1) * rows
	const repeats = 2000 // long for the clock, so that the set-up does not count
	done := 0.0
	features, sums := linalg.NewPanels(rows, order), linalg.NewSymmetric(order)
	fill(features)
	times := s.fastest(func() { done = linalg.RunKernel(repeats) },
		func() { sums.RankUpdate(features, rows, 1) }, func() { sums.RankUpdate(features, rows, s.workers) })
	peak, one, all := done/times[0], operations/times[1], operations/times[2]
	s.add(Measurement{"kernel", "rank-k update, order 1024", one / 1e9, "GF/s", one / peak, "of the bare kernel"})
	if s.workers > 1 {
		s.add(Measurement{"kernel", fmt.Sprintf("rank-k update, %d workers", s.workers), all / 1e9, "GF/s",
			all / one / float64(s.workers), "of perfect scaling"})
	}
	return s.ctx.Err()
}

func (s *suite) transforms() error {
	for _, N := range []int{128, 1024} {
		plan := fft.NewPlan(N)
		v, a, work := values(8*N), values(2*N), make([]float64, 8*N)
		re, im := make([]float64, 4*N), make([]float64, 4*N)
		t := s.seconds(func() { plan.InverseProduct(re, im, v, a, work) }) / feature.GroupSize
		s.add(Measurement{Group: "kernel", Name: fmt.Sprintf("inverse real FFT, N=%d", N), Value: t * 1e6, Unit: "us"})
	}
	return s.ctx.Err()
}

func (s *suite) activations() error {
	x, work := values(1024), make([]float64, 1024)
	for _, name := range activation.Names() {
		f, _ := activation.ByName(name)
		t := s.seconds(func() {
			for range 16 {
				copy(work, x)
				f.Apply(work)
			}
		}) / 16 / float64(len(x))
		s.add(Measurement{Group: "kernel", Name: "activation " + name, Value: t * 1e9, Unit: "ns"})
	}
	return s.ctx.Err()
}

func (s *suite) solves() error {
	const m = 1024
	features, sums, rhs := linalg.NewPanels(2*m, m), linalg.NewSymmetric(m), values(m)
	fill(features)
	for i := range features.Count() { // distinct columns
		floats.Scale(1/math.Sqrt(1+float64(i)), features.Panel(i))
	}
	sums.RankUpdate(features, 2*m, s.workers)
	sums.AddDiagonal(1)
	x := make([]float64, m)
	var failure error
	t := s.seconds(func() {
		d, err := linalg.Decompose(s.ctx, sums.Clone(), s.workers)
		if err == nil {
			_, err = d.SolveTruncated(x, rhs, config.MachineRcond)
		}
		failure = err
	})
	if failure != nil {
		return failure
	}
	s.add(Measurement{Group: "kernel", Name: "lambda = 0 solve, m=1024", Value: t * 1e3, Unit: "ms"})
	t = s.seconds(func() {
		factor, err := linalg.Factor(s.ctx, sums.Clone(), 1e-8, s.workers)
		if failure = err; err == nil {
			copy(x, rhs)
			factor.Solve(x)
		}
	})
	if failure != nil {
		return failure
	}
	s.add(Measurement{Group: "kernel", Name: "lambda > 0 solve, m=1024", Value: t * 1e3, Unit: "ms"})
	return s.ctx.Err()
}

func (s *suite) poisson() error {
	const r = 257
	solver, err := poisson.NewSolver(r)
	if err != nil {
		return err
	}
	f := values((r - 2) * (r - 2))
	u := make([]float64, len(f))
	t := s.seconds(func() { solver.Solve(u, f) })
	s.add(Measurement{Group: "kernel", Name: "2-D Poisson solve, r=257", Value: t * 1e3, Unit: "ms"})
	return s.ctx.Err()
}

func (s *suite) truth() error {
	c := config.Reference()
	operator := setup.Truth(c)
	pairs := equation.BlockSize * 2 * s.workers
	var failure error
	generate := func(workers int) func() {
		return func() {
			_, _, failure = truth.Generate(s.ctx, operator, truth.Wanted{Purpose: draw.InputTrain, Count: pairs}, workers, nil)
		}
	}
	times := s.fastest(generate(1), generate(s.workers))
	one, all := times[0]/float64(pairs), times[1]/float64(pairs)
	s.add(Measurement{Group: "stage", Name: "Burgers pair, K=1025, tolerance 1e-8", Value: one * 1e3, Unit: "ms"})
	if s.workers > 1 && failure == nil {
		s.add(Measurement{"stage", fmt.Sprintf("the same, %d workers", s.workers), all * 1e3, "ms",
			one / all / float64(s.workers), "of perfect scaling"})
	}
	return failure
}

// problem returns the paper's features, m of them, and n inputs on K points; outputs are the inputs.
func (s *suite) problem(n, m, K int) (feature.Evaluator, dataset.Pairs, error) {
	c := config.Reference()
	c.Features.Count = m
	f, err := feature.New(s.ctx, c, 1, m, K, s.workers)
	if err != nil {
		return nil, dataset.Pairs{}, err
	}
	e, err := f.On(s.ctx, K, s.workers)
	inputs := grid.NewBatch(grid.Torus, K, n)
	setup.Truth(c).On(K).Draw(inputs, draw.InputTrain, 0)
	return e, dataset.Pairs{Inputs: inputs, Outputs: inputs}, err
}

func (s *suite) features() error {
	for _, K := range []int{129, 1025} {
		const n, m = 256, 256
		e, pairs, err := s.problem(n, m, K)
		if err != nil {
			return err
		}
		const vectors = 16
		alphas := slices.Repeat([][]float64{values(m)}, vectors)
		var failure error
		predict := func(alphas [][]float64) func() {
			return func() { _, failure = e.Predict(s.ctx, alphas, pairs.Inputs, 1, nil) }
		}
		times := s.fastest(predict(alphas[:1]), predict(alphas))
		s.add(Measurement{Group: "stage", Name: fmt.Sprintf("prediction, one feature, K=%d", K), Value: times[0] / n / m * 1e6,
			Unit: "us"})
		s.add(Measurement{Group: "stage", Name: fmt.Sprintf("the same, %d coefficient vectors", vectors),
			Value: times[1] / n / m * 1e6, Unit: "us"})
		if failure != nil {
			return failure
		}
	}
	return nil
}

func (s *suite) training() error {
	const n, m, K = 8, 1024, 1025
	e, pairs, err := s.problem(n, m, K)
	if err != nil {
		return err
	}
	var failure error
	flops := float64(n) * (K - 1) * m * (m + 1)
	accumulate := func(workers int) func() {
		return func() { _, failure = rfm.Accumulate(s.ctx, e, pairs, workers, nil) }
	}
	features, sums := linalg.NewPanels(rfm.BlockSamples(K-1)*(K-1), m), linalg.NewSymmetric(m)
	fill(features)
	rows := rfm.BlockSamples(K-1) * (K - 1)
	times := s.fastest(accumulate(1), func() { sums.RankUpdate(features, rows, 1) }, accumulate(s.workers))
	one, bare, all := flops/times[0], float64(rows)*m*(m+1)/times[1], flops/times[2]
	s.add(Measurement{"stage", "training, m=1024, K=1025", one / 1e9, "GF/s", one / bare, "of the rank-k update alone"})
	if s.workers > 1 && failure == nil {
		s.add(Measurement{"stage", fmt.Sprintf("the same, %d workers", s.workers), all / 1e9, "GF/s",
			all / one / float64(s.workers), "of perfect scaling"})
	}
	return failure
}
