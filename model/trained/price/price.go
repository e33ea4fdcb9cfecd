// Package price measures the cost of solutions: the time of one evaluation on one core against its error, for solvers
// at every tolerance and grid, and for predictors.
package price

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/base/processor"
	"rfm/solver/dataset"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Offer is one way to compute solutions, with its cost.
type Offer struct {
	Name      string  `json:"name"`
	Grid      int     `json:"grid,omitempty"`      // points along an axis of the grid of the evaluation
	Tolerance float64 `json:"tolerance,omitempty"` // tolerance that a solver is given; 0 for others
	Error     float64 `json:"error"`               // expected relative test error; 0 for the truth itself
	Seconds   float64 `json:"seconds"`             // of one evaluation on one core
	Bound     bool    `json:"bound,omitempty"`     // Seconds is an upper bound, see Prediction
	Together  int     `json:"together,omitempty"`  // inputs solved at the same time in the lanes of one core
	Alone     float64 `json:"alone,omitempty"`     // seconds for a single input; 0 if the same
}

// Market compares offers on pairs. Errors are on the grid Grid, to which outputs are interpolated from coarser grids
// and restricted from finer ones; times exclude both.
type Market struct {
	Solver  *truth.Operator // nil if there is none
	Pairs   dataset.Pairs   // on the finest grid of known inputs
	Grid    int             // points along an axis of the grid of the outputs
	Workers int             // goroutines for errors; times are those of one core
}

const (
	timed       = 32   // inputs for measuring times
	measured    = 1000 // inputs for measuring errors
	searched    = 200  // inputs for deciding whether a solver is accurate enough
	leastPoints = 9
)

// tolerances are the tolerances of offers, the loosest first.
var tolerances = []float64{0.3, 0.1, 3e-2, 1e-2, 1e-3, 1e-4, 1e-6}

// Full returns the offer of the market's solver at its own tolerance on the market's grid. Errors: a *fault.Numerical
// if it does not solve there, a *fault.Data if the inputs are not known there, ctx.Err().
func (m Market) Full(ctx context.Context) (Offer, error) {
	s, err := m.at(m.Grid, m.Solver.Tolerance)
	if err != nil {
		return Offer{}, err
	}
	o := Offer{Grid: m.Grid, Tolerance: s.Tolerance}
	if err := o.time(ctx, s); err != nil {
		return Offer{}, err
	}
	if m.Grid != m.Solver.Points {
		o.Error, err = m.miss(ctx, s, measured)
	}
	return o, err
}

// Equal returns the fastest offer of the solver with at most the error of another way, which most returns for the first
// pairs, without a time if none is found on the grids with known inputs. isWhole is false if the search ended early
// because it took long: then others may be faster. Errors are ctx.Err() and *fault.Data.
func (m Market) Equal(ctx context.Context, most func(pairs int) float64) (fastest Offer, isWhole bool, err error) {
	return m.equal(ctx, machineClock(), most)
}

func (m Market) equal(ctx context.Context, now clock, most func(pairs int) float64) (fastest Offer, isWhole bool, err error) {
	all, isWhole, err := m.search(ctx, now, math.Inf(1), most)
	for i, o := range all {
		if i == 0 || o.Seconds < fastest.Seconds {
			fastest = o
		}
	}
	return fastest, isWhole, err
}

// Solvers returns the offers of the solver at every tolerance and grid where an evaluation takes at most about the
// given seconds. Errors are ctx.Err() and *fault.Data.
func (m Market) Solvers(ctx context.Context, seconds float64) ([]Offer, error) {
	all, _, err := m.search(ctx, machineClock(), seconds, nil)
	return all, err
}

// search returns offers on each grid, from the loosest tolerance on: all of them, or the first one with at most the
// error that most returns for the first pairs, which bounds the time of others. Where the solver gives up, the offer is
// omitted. The search ends before a grid on which a rough measurement of the loosest tolerance takes longer than bound. That
// for one offer also ends after a few seconds, in which the work of other programs does not count; isWhole is false then.
func (m Market) search(ctx context.Context, now clock, bound float64, most func(pairs int) float64) (
	all []Offer, isWhole bool, err error) {
	const rough = 3   // bound of the relative error of a single measurement
	const longest = 8 // seconds of a search for one offer, which is not worth more
	elapsed := now.stopwatch()
	for points := leastPoints; points <= m.Pairs.Inputs.Points; points++ {
		if !m.Pairs.Inputs.Domain.Contains(m.Pairs.Inputs.Points, points) {
			continue
		}
		for i, tolerance := range tolerances {
			isLong := most != nil && elapsed() > longest
			if isLong {
				return all, false, nil
			}
			s, err := m.at(points, tolerance)
			if err != nil {
				return nil, false, err
			}
			allowed := math.Inf(1) // seconds
			if i == 0 {
				allowed = bound
			}
			found, err := m.try(ctx, s, allowed, most)
			var gaveUp *fault.Numerical
			if errors.As(err, &gaveUp) { // perhaps for one function, hidden by others in its block
				continue
			}
			if err != nil {
				return nil, false, err
			}
			if found.slow {
				return all, true, nil
			}
			if found.tight {
				all = append(all, found.Offer)
			}
			first := found.tight && most != nil
			if first {
				bound = min(bound, rough*found.Seconds)
			}
			exact := s.Tolerance != tolerance // the solver is exact at any tolerance
			if first || exact {
				break
			}
		}
	}
	return all, true, nil
}

// trial is what a search finds at one tolerance on one grid.
type trial struct {
	Offer
	slow  bool // it takes longer than a bound, so nothing else is known
	tight bool // its error is small enough
}

// try measures the error of a solver and, if it is at most the one that most returns, its time. It gives up if that is
// longer than some seconds. The error is the solver's.
func (m Market) try(ctx context.Context, s solving, longest float64, most func(pairs int) float64) (trial, error) {
	t := trial{Offer: Offer{Name: "solver", Grid: s.Points, Tolerance: s.Tolerance}}
	pairs, seconds, err := s.affordable(ctx)
	if err != nil {
		return t, err
	}
	if seconds > longest {
		t.slow = true
		return t, nil
	}
	t.Error, err = m.miss(ctx, s, pairs)
	if err != nil {
		return t, err
	}
	t.tight = most == nil || t.Error <= most(pairs)
	if !t.tight {
		return t, nil
	}
	return t, t.time(ctx, s)
}

// Predict returns the offer of a predictor on the grid with the given points along an axis. Errors: a *fault.Data if
// inputs are not known there, the predictor's.
func (m Market) Predict(ctx context.Context, name string, p score.Predictor, points int) (Offer, error) {
	count := min(measured, m.Pairs.Count())
	inputs, err := m.Pairs.Inputs.First(count).Restrict(points)
	if err != nil {
		return Offer{}, err
	}
	outputs, err := p.Predict(ctx, inputs, m.Workers, nil)
	if err != nil {
		return Offer{}, err
	}
	o := Offer{
		Name:     name,
		Grid:     points,
		Together: min(timedInputs, inputs.Count),
	}
	o.Error, err = m.Miss(outputs)
	if err != nil {
		return Offer{}, err
	}
	o.Seconds, o.Bound, err = Prediction(ctx, p, inputs)
	return o, err
}

// Miss returns the expected relative error, on the market's grid, of outputs on any grid for the first pairs. The error
// is a *fault.Data if neither grid contains the other, or a *fault.Numerical.
func (m Market) Miss(outputs grid.Batch) (float64, error) {
	there, err := resample.To(outputs, m.Grid)
	if err != nil {
		return 0, err
	}
	wanted, err := m.Pairs.Outputs.First(outputs.Count).Restrict(m.Grid)
	if err != nil {
		return 0, err
	}
	measured, err := score.Measure(there, wanted)
	return measured.ExpectedRelative, err
}

// Outputs returns the solver's outputs for inputs on its own grid. Errors are the solver's.
func (m Market) Outputs(ctx context.Context, inputs grid.Batch) (grid.Batch, error) {
	s := solving{
		Operator: m.Solver,
		inputs:   inputs,
		first:    &firstWorker{},
	}
	return s.outputs(ctx, inputs.Count, m.Workers)
}

// miss returns the expected relative error of a solver for at most the given number of pairs.
func (m Market) miss(ctx context.Context, s solving, pairs int) (float64, error) {
	outputs, err := s.outputs(ctx, pairs, m.Workers)
	if err != nil {
		return 0, err
	}
	return m.Miss(outputs)
}

// solving is a solver with inputs on its grid.
type solving struct {
	*truth.Operator
	inputs grid.Batch
	first  *firstWorker
}

// firstWorker is a worker that keeps its tables from one measurement to the next.
type firstWorker struct {
	mutex  sync.Mutex
	worker truth.Worker
	isBusy bool
}

// newWorker returns the first worker, or another one if that is busy.
func (s solving) newWorker() truth.Worker {
	s.first.mutex.Lock()
	defer s.first.mutex.Unlock()
	if s.first.isBusy {
		return s.NewWorker()
	}
	s.first.isBusy = true
	if s.first.worker == nil {
		s.first.worker = s.NewWorker()
	}
	return s.first.worker
}

// release lets the first worker go after a measurement.
func (s solving) release() {
	s.first.mutex.Lock()
	defer s.first.mutex.Unlock()
	s.first.isBusy = false
}

// at returns the solver at a tolerance on a grid with the inputs there.
func (m Market) at(points int, tolerance float64) (s solving, err error) {
	s.inputs, err = m.Pairs.Inputs.Restrict(points)
	if err != nil {
		return s, err
	}
	s.Operator = m.Solver
	s.first = &firstWorker{}
	if points != s.Points || tolerance != s.Tolerance {
		s.Operator = s.With(points, tolerance)
	}
	return s, nil
}

// outputs solves for at most count inputs.
func (s solving) outputs(ctx context.Context, count, workers int) (grid.Batch, error) {
	inputs := s.inputs.First(min(count, s.inputs.Count))
	outputs := grid.NewBatch(s.Domain, inputs.Points, inputs.Count)
	together := min(s.Block, inputs.Count)
	blocks := (inputs.Count + together - 1) / together
	solve := func(w truth.Worker, block int) error {
		first := block * together
		return s.block(ctx, w, outputs, first, min(together, inputs.Count-first))
	}
	defer s.release()
	return outputs, parallel.With(ctx, workers, blocks, s.newWorker, solve)
}

// block solves for some inputs, from the index first on.
func (s solving) block(ctx context.Context, w truth.Worker, outputs grid.Batch, first, count int) error {
	last := s.Times[max(0, len(s.Times)-1):] // none of a steady state
	inputs := s.inputs.Range(first, count)
	into := []grid.Batch{outputs.Range(first, count)}
	name := fmt.Sprintf("test pair %d", first)
	return w.Solve(ctx, into, inputs, last, name)
}

// affordable returns the number of inputs that can be solved in a moment, at most searched, and about the time of one
// input on one core.
func (s solving) affordable(ctx context.Context) (pairs int, seconds float64, err error) {
	const moment = 0.3 // seconds
	block := min(s.Block, s.inputs.Count)
	seconds, err = machineClock().of(func() error {
		_, err := s.outputs(ctx, block, 1)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	seconds /= float64(block)
	inMoment := int(moment / seconds)
	pairs = min(max(block, inMoment), searched, s.inputs.Count)
	return pairs, seconds, nil
}

// time measures the time of a solver's offer: for blocks of inputs, and for a single input, by a worker whose tables
// are made before, like those of a model. Errors are the solver's.
func (o *Offer) time(ctx context.Context, s solving) error {
	o.Together = min(s.Block, s.inputs.Count)
	count := min(max(timed, o.Together), s.inputs.Count)
	worker := s.newWorker()
	defer s.release()
	outputs := grid.NewBatch(s.Domain, s.inputs.Points, s.inputs.Count)
	solve := func(count, together int) func() error {
		return func() error {
			for first := 0; first < count; first += together {
				some := min(together, count-first)
				err := s.block(ctx, worker, outputs, first, some)
				if err != nil {
					return err
				}
			}
			return nil
		}
	}
	calls := []func() error{solve(count, o.Together)}
	if o.Together > 1 {
		calls = append(calls, solve(1, 1))
	}
	best := slices.Repeat([]float64{math.Inf(1)}, len(calls))
	const most = 120    // repetitions
	const seconds = 0.1 // for all of them
	err := machineClock().fastest(best, most, seconds, calls...)
	if err != nil {
		return err
	}
	o.Seconds = best[0] / float64(count)
	if o.Together > 1 {
		o.Alone = best[1]
	}
	return nil
}

// Front reports for each offer whether it is on the Pareto front: no other offer has both a smaller error and a shorter
// time. The truth itself is not compared.
func Front(offers []Offer) []bool {
	front := make([]bool, len(offers))
	for i, o := range offers {
		better := func(other Offer) bool { return other.beats(o) }
		front[i] = o.Error > 0 && !slices.ContainsFunc(offers, better)
	}
	return front
}

// beats reports whether an offer is not worse than another one in error and time, and better in one of them.
func (o Offer) beats(other Offer) bool {
	if o.Error <= 0 || o.Error > other.Error || o.Seconds > other.Seconds {
		return false
	}
	return o.Error < other.Error || o.Seconds < other.Seconds
}

// clock reads a time, and the processor time of this process.
type clock func() (wall, used time.Duration)

// machineClock is the clock of this machine.
func machineClock() clock {
	begin := time.Now()
	return func() (wall, used time.Duration) {
		wall = time.Since(begin)
		used = processor.Time()
		return wall, used
	}
}

// of returns the time of a call in seconds: the processor time, which other programs do not change, if its clock is
// fine enough, or the wall-clock time, if that is shorter because other threads of this process are busy. The error is
// the call's.
func (now clock) of(call func() error) (float64, error) {
	elapsed := now.stopwatch()
	err := call()
	return elapsed(), err
}

// stopwatch returns a function that returns the time since now in seconds, as of measures it.
func (now clock) stopwatch() (elapsed func() float64) {
	const fine = 100 * processor.Step // long enough for the processor's clock
	wallBegin, usedBegin := now()
	return func() float64 {
		wallEnd, usedEnd := now()
		took := wallEnd - wallBegin
		used := usedEnd - usedBegin
		if used >= fine {
			took = min(took, used)
		}
		return took.Seconds()
	}
}

// fastest calls functions in turns, until their times are reliable on a shared machine: at least three times each, as
// the first call touches cold memory, and up to most times within the given seconds. It lowers the times of best to the
// shortest of each, in seconds. The error is a call's.
func (now clock) fastest(best []float64, most int, seconds float64, calls ...func() error) error {
	begin, _ := now()
	const least = 3
	for i := range most {
		wall, _ := now()
		took := (wall - begin).Seconds()
		if i >= least && took >= seconds {
			break
		}
		for k, call := range calls {
			took, err := now.of(call)
			if err != nil {
				return err
			}
			best[k] = min(best[k], took)
		}
	}
	return nil
}

// timedInputs is the number of predictions that are timed together.
const timedInputs = 64

// Prediction returns the time in seconds of one prediction on one core, without preparing the model. bound reports that
// it is only an upper bound, as there are few inputs, or other programs disturb the clock. Errors are the predictor's.
func Prediction(ctx context.Context, m score.Predictor, inputs grid.Batch) (seconds float64, bound bool, err error) {
	return machineClock().prediction(ctx, m, inputs)
}

// prediction measures the time of predicting some inputs, half of them, and a quarter. The differences exclude
// preparing the model. They are repeated until both give about the same time of one prediction.
func (now clock) prediction(ctx context.Context, m score.Predictor, inputs grid.Batch) (
	seconds float64, bound bool, err error) {
	const (
		rounds = 4
		most   = 15   // repetitions in a round
		moment = 0.05 // seconds of a round
		alike  = 2    // ratio of times that are about the same
	)
	all := min(timedInputs, inputs.Count)
	counts := []int{all, all / 2, all / 4}
	if all < 4 {
		counts = counts[:1]
	}
	best := slices.Repeat([]float64{math.Inf(1)}, len(counts))
	var calls []func() error
	for _, count := range counts {
		calls = append(calls, func() error {
			_, err := m.Predict(ctx, inputs.First(count), 1, nil)
			return err
		})
	}
	for range rounds {
		err := now.fastest(best, most, moment, calls...)
		if err != nil {
			return 0, false, err
		}
		if len(counts) == 1 {
			break
		}
		ofOne := func(k int) float64 { // by the difference of two times
			return (best[k] - best[k+1]) / float64(counts[k]-counts[k+1])
		}
		seconds = ofOne(0)
		other := ofOne(1)
		agree := seconds <= alike*other && other <= alike*seconds
		if seconds > 0 && agree {
			return seconds, false, nil
		}
	}
	return best[0] / float64(all), true, nil
}
