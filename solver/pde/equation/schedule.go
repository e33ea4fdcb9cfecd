// This file spreads the steps of solutions between sides over the time. The error of a step is known as it is made, but
// not how much of it is left at the end: what a front, a reaction or a wall does to errors in the meantime is a property
// of the equation and its inputs. So it is measured, with one of the first inputs.

package equation

import (
	"context"
	"math"
	"slices"

	"rfm/solver/space/grid"
)

// windows is the number of parts of the time, one for each function of a block but the first.
const windows = block - 1

// windowEnds are the ends of the parts, in units of the time: short ones where conditions begin to hold, and where fast
// modes have no time to decay.
var windowEnds = [windows + 1]float64{0, 1. / 64, 1. / 16, 1. / 4, 1. / 2, 3. / 4, 15. / 16, 1}

// schedule is by how much the estimated errors of steps count in each part of the time; at most 1. Where it is small, errors are
// larger than the tolerance until they have died out, so that solutions that are wanted before the end have no schedule.
type schedule [windows]float64

const (
	scheduledSteps = 48      // of a solution with the tolerance; fewer of them are not worth a choice
	fineShare      = 1. / 16 // of the tolerance of the coarse steps, for the fine ones
	leastError     = 0.01    // of the largest, for a part whose error may be larger with other inputs
)

// of returns by how much the estimated error of a step counts, from one share of the time to another: as much as in the hardest
// part in which it is. Without a schedule all count alike.
func (p *schedule) of(from, to float64) float64 {
	const rounding = 1e-9
	if p == nil {
		return 1
	}
	weight := 0.0
	for k := range windows {
		isIn := from < windowEnds[k+1]-rounding && to > windowEnds[k]+rounding
		if isIn {
			weight = math.Max(weight, p[k])
		}
	}
	return weight
}

// withLarger returns the schedule that has the larger weights of two; nil if one is nil.
func (p *schedule) withLarger(q *schedule) *schedule {
	if p == nil || q == nil {
		return nil
	}
	var larger schedule
	for k := range larger {
		larger[k] = math.Max(p[k], q[k])
	}
	return &larger
}

// refinement is a solution with largestShare of the tolerance, and one with finer times that.
type refinement struct {
	coarse, fine trial
	distances    [block]float64 // of both, by function
}

// distance returns the largest distance.
func (r *refinement) distance() float64 { return slices.Max(r.distances[:]) }

// work returns the steps of a solution with the error 1, by a scheme of order four.
func (r *refinement) work() float64 {
	return float64(r.coarse.steps) * math.Pow(r.distance(), 0.25)
}

// refined solves for inputs with a number of functions, from an index on.
func (w *endsWorker) refined(ctx context.Context, a grid.Batch, size int) (r refinement, err error) {
	r.coarse, err = w.attempt(ctx, a, size, largestShare)
	if err != nil {
		return r, err
	}
	r.fine, err = w.attempt(ctx, a, size, finer*largestShare)
	if err != nil {
		return r, err
	}
	r.distances = w.distances(r.coarse, r.fine)
	return r, nil
}

// chooseSteps moves reactions to the linear part, and sets the schedule of the steps, where the tolerance takes many of them
// and fewer so. It returns the solution with largestShare of the tolerance.
func (w *endsWorker) chooseSteps(ctx context.Context, a grid.Batch, solution trial) trial {
	const better = 0.9 // of the work, for which reactions move
	still, err := w.refined(ctx, a, solution.size)
	if err != nil {
		return solution
	}
	allowed := agreement * w.Problem.Tolerance
	expected := still.work() * math.Pow(allowed, -0.25) // steps
	if still.distance() <= allowed || expected < scheduledSteps {
		return solution
	}
	s, _ := w.at(w.sizes()[solution.size])
	w.first.reactions = s.reactionsAt(solution.state)
	if w.first.reactions != nil {
		moved, err := w.refined(ctx, a, solution.size)
		if err == nil && moved.work() < better*still.work() {
			still = moved
		} else {
			w.first.reactions = nil
		}
	}
	hardest := slices.Index(still.distances[:], still.distance())
	if hardest < 0 { // NaN
		return solution
	}
	input := a.Take(slices.Repeat([]int{hardest}, block))
	w.first.schedule = w.measureSchedule(ctx, input, w.sizes()[solution.size], finer*largestShare)
	scheduled, err := w.attempt(ctx, a, solution.size, largestShare)
	if err != nil {
		w.first.schedule = nil
		return still.coarse
	}
	return scheduled
}

// parted are solutions for one input that differ in the part of the time in which their steps are coarse. They are the
// functions of one block: the first has fine steps everywhere, number 1+k has coarse ones in part k.
type parted struct {
	*march
	coarse, fine           float64 // tolerances
	coarseCount, fineCount int     // the numbers of steps with which the next part begins, see march
	steps                  [windows]float64
}

// measureSchedule returns the schedule for an input with so many functions, from steps for a share of the tolerance; nil if its
// solution fails, or jumps.
func (w *endsWorker) measureSchedule(ctx context.Context, input grid.Batch, functions int, share float64) *schedule {
	if len(w.jumpTimes(w.Time)) > 0 {
		return nil
	}
	s, start := w.at(functions)
	m := &parted{
		march: &march{
			endsWorker: w,
			s:          s,
			start:      start,
			total:      w.Time,
		},
		coarse: share * w.Problem.Tolerance,
		fine:   fineShare * share * w.Problem.Tolerance,
	}
	if m.prepare(input) != nil {
		return nil
	}
	m.coarseCount = s.fewestSteps()
	m.fineCount = m.coarseCount
	for k := range windows {
		if m.cross(ctx, k) != nil {
			return nil
		}
	}
	return m.weights()
}

// cross solves over part k of the time.
func (m *parted) cross(ctx context.Context, k int) error {
	begin := slices.Clone(m.v)
	before := m.t
	end := stop{time: m.total * windowEnds[k+1]}
	for i := range m.v { // all functions as the first one
		m.v[i] = begin[i-i%block]
	}
	m.s.rate(m.s.rest, m.v, m.t)
	m.count = m.coarseCount
	m.tolerance = m.coarse
	first := m.accepted
	if err := m.advance(ctx, end); err != nil {
		return err
	}
	m.steps[k] = float64(m.accepted - first)
	m.coarseCount = m.count
	coarse := m.v

	m.v = begin
	m.t = before
	m.s.rate(m.s.rest, m.v, m.t)
	m.count = m.fineCount
	m.tolerance = m.fine
	if err := m.advance(ctx, end); err != nil {
		return err
	}
	m.fineCount = m.count
	for i := k + 1; i < len(m.v); i += block {
		m.v[i] = coarse[i]
	}
	m.s.rate(m.s.rest, m.v, m.t)
	return nil
}

// weights returns the schedule by the errors at the end. With e_k the error of part k by n_k steps, which falls as n_k^-4, the sum
// of all errors takes the fewest steps if their numbers are as (e_k n_k^4)^(1/5). Estimates fall as n_k^-4, too.
func (m *parted) weights() *schedule {
	var errors [windows]float64
	for i, v := range m.v {
		if k := i%block - 1; k >= 0 {
			d := v - m.v[i-i%block]
			errors[k] += d * d
		}
	}
	largest := math.Sqrt(slices.Max(errors[:]))
	isKnown := largest > 0 && !math.IsInf(largest, 1) // NaN is not
	if !isKnown {
		return nil
	}
	var p schedule
	for k, square := range errors {
		e := math.Max(math.Sqrt(square), leastError*largest)
		n := math.Max(1, m.steps[k])
		wanted := math.Pow(e*math.Pow(n, 4), 1./5)
		p[k] = math.Pow(wanted/n, 4)
	}
	most := slices.Max(p[:])
	for k := range p {
		p[k] /= most
	}
	return &p
}
