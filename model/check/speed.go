// This file measures the speed of this build on this machine: the rate of every kernel next to the kernel's peak, and
// the throughput of every stage of an experiment.

package check

import (
	"context"
	"fmt"
	"math"
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
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/simd"

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

// Measure measures everything on up to workers goroutines. budget is the time of one of about ten timings; tell is
// called with every line as it is complete. The error is ctx's, or one of a stage.
func Measure(ctx context.Context, workers int, budget time.Duration, tell func(Measurement)) (Speed, error) {
	workers = machine.Workers(workers)
	s := &suite{ctx: ctx, budget: budget, workers: workers, tell: tell,
		report: &Speed{SIMD: simd.Active().String(), Workers: workers, Version: machine.Version()}}
	for _, part := range []func() error{s.rankUpdate, s.kernels, s.stages} {
		if err := part(); err != nil {
			return *s.report, err
		}
	}
	return *s.report, ctx.Err()
}

func (s *suite) add(m Measurement) {
	s.report.Measurements = append(s.report.Measurements, m)
	s.tell(m)
}

// time adds the least time of a call, divided by a number of units, in seconds times scale.
func (s *suite) time(group, name, unit string, scale, units float64, call func()) {
	s.add(Measurement{Group: group, Name: name, Value: s.fastest(call)[0] / units * scale, Unit: unit})
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

func (s *suite) kernels() error {
	for _, N := range []int{128, 1024} {
		plan := fft.NewPlan(N)
		v, a, work := values(8*N), values(2*N), make([]float64, 8*N)
		re, im := make([]float64, 4*N), make([]float64, 4*N)
		s.time("kernel", fmt.Sprintf("inverse real FFT, N=%d", N), "us", 1e6, feature.GroupSize,
			func() { plan.InverseProduct(re, im, v, a, work) })
	}
	x, work := values(1024), make([]float64, 1024)
	elu, _ := activation.ByName("elu")
	s.time("kernel", "activation elu", "ns", 1e9, 16*float64(len(x)), func() {
		for range 16 {
			copy(work, x)
			elu.Apply(work)
		}
	})
	const m = 1024
	features, sums, rhs := linalg.NewPanels(2*m, m), linalg.NewSymmetric(m), values(m)
	fill(features)
	for i := range features.Count() { // distinct columns
		floats.Scale(1/math.Sqrt(1+float64(i)), features.Panel(i))
	}
	sums.RankUpdate(features, 2*m, s.workers)
	sums.AddDiagonal(1)
	var failure error
	s.time("kernel", "lambda = 0 solve, m=1024", "ms", 1e3, 1, func() {
		d, err := linalg.Decompose(s.ctx, sums.Clone(), s.workers)
		if err == nil {
			_, err = d.SolveTruncated(make([]float64, m), rhs, config.MachineRcond)
		}
		failure = err
	})
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

func (s *suite) stages() error {
	e, pairs, err := s.problem(256, 256, 129)
	if err != nil {
		return err
	}
	var failure error
	s.time("stage", "prediction, one feature, K=129", "us", 1e6, 256*256,
		func() { _, failure = e.Predict(s.ctx, [][]float64{values(256)}, pairs.Inputs, 1, nil) })
	if failure != nil {
		return failure
	}
	const n, m, K = 8, 1024, 1025
	if e, pairs, err = s.problem(n, m, K); err != nil {
		return err
	}
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
