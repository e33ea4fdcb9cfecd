// This file finds the number of functions and the steps that solutions between sides need.

package equation

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"rfm/solver/base/draw"
	"rfm/solver/space/grid"
)

// sizes returns the numbers of functions along an axis that are tried in turn. Newton's method solves with all functions
// at once, so that steady states have fewer.
func (s *evolution) sizes() []int {
	all := spaceSizes(s.domain.Dims)
	if s.Steady() && len(all) > 7 {
		return all[:7]
	}
	return all
}

// spaceSizes returns the numbers of functions along an axis that are tried in turn.
func spaceSizes(dims int) []int {
	if dims == 2 {
		return []int{17, 25, 33, 49, 65, 97}
	}
	return []int{24, 32, 48, 64, 96, 128, 192, 256, 384}
}

// verifiedSizes returns the index of the largest number of functions with which solutions are verified. Kinks change with
// every number; so only what is not resolved gets more.
func verifiedSizes(dims int) int {
	if dims == 2 {
		return len(spaceSizes(dims)) - 1
	}
	return 6
}

// enoughSizes returns the index of the number of functions from which growth without bound is believed.
func enoughSizes(dims int) int {
	if dims == 2 {
		return 4
	}
	return 5
}

// repeatedSizes returns the index of the number of functions from which a cause is believed that fewer had, too.
func repeatedSizes(dims int) int {
	if dims == 2 {
		return 3
	}
	return 4
}

// resolution is what the first training inputs need. All workers of an operator share it and find the same, so that
// solutions do not depend on who computes them.
type resolution struct {
	sync.Mutex
	known bool
	size  int     // index in spaceSizes
	share float64 // of the tolerance in the estimated error of a step
	// reactions are by field what moves from the rest to the linear part, see reactions.go; nil: nothing.
	reactions []float64
	schedule  *schedule // of solutions at the end of the time; nil: all steps count alike
}

// Verification of the first inputs: their solutions with more functions, and with steps for an eighth of the tolerance,
// differ by less than agreement times the tolerance.
const (
	finer        = 1. / 8
	largestShare = 32
	agreement    = 0.5
	// resolvedWithin is the distance from a coarser solution below which one is resolved, whatever the tolerance of its steps.
	resolvedWithin = 1e-7
)

// newResolution returns the resolution of a problem, which is found with the first inputs unless solutions are rough. Those
// begin with more functions than most need, because each number that does not suffice takes time.
func (p Problem) newResolution(rough bool) *resolution {
	const share = largestShare / 4
	r := &resolution{known: rough, share: share, size: 4}
	if p.Dims == 2 {
		r.size = 2
	}
	return r
}

// trial is a solution for the first inputs.
type trial struct {
	size  int       // index of the number of functions
	state []float64 // size x block
	steps int       // with this number of functions and fewer
}

// attempt solves for inputs with a number of functions, from an index on, and a share of the tolerance.
func (w *endsWorker) attempt(ctx context.Context, a grid.Batch, from int, share float64) (trial, error) {
	before := w.steps
	states, size, err := w.search(ctx, a, []float64{w.Time}, "", from, share)
	if err != nil {
		return trial{}, err
	}
	return trial{
		size:  size,
		state: states[0],
		steps: w.steps - before,
	}, nil
}

// distances returns the relative distances of the outputs of two trials.
func (w *endsWorker) distances(coarse, fine trial) [block]float64 {
	sizes := w.sizes()
	before := w.outputs(sizes[coarse.size], coarse.state)
	after := w.outputs(sizes[fine.size], fine.state)
	return relativeDistances(before, after)
}

// distance returns the largest one.
func (w *endsWorker) distance(coarse, fine trial) float64 {
	all := w.distances(coarse, fine)
	return slices.Max(all[:])
}

// begins finds the resolution, if it is not known yet. It returns ctx.Err() if ctx is done.
func (w *endsWorker) begins(ctx context.Context) error {
	w.first.Lock()
	defer w.first.Unlock()
	if w.first.known {
		return nil
	}
	a := grid.NewBatch(w.domain, w.Points, block)
	w.draws.Draw(a, w.Seed, draw.InputTrain, 0)
	w.first.share = largestShare
	w.first.size = 0
	solution, err := w.attempt(ctx, a, 0, largestShare)
	if err == nil { // else the search for these inputs will fail again, and say so
		solution = w.verifyFunctions(ctx, a, solution)
		w.first.size = solution.size
		if !w.Steady() {
			solution = w.chooseSteps(ctx, a, solution)
			w.first.share = w.verifySteps(ctx, a, solution)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.first.known = true
	return nil
}

// verifyFunctions returns the solution with so many functions that more change it by less than is allowed.
func (w *endsWorker) verifyFunctions(ctx context.Context, a grid.Batch, coarse trial) trial {
	allowed := agreement * w.Problem.Tolerance
	for coarse.size < verifiedSizes(w.domain.Dims) {
		fine, err := w.attempt(ctx, a, coarse.size+1, largestShare)
		if err != nil {
			return coarse
		}
		distance := w.distance(coarse, fine)
		if distance <= allowed {
			return coarse
		}
		coarse = fine // is better by far
		if distance <= math.Max(resolvedWithin, allowed) {
			return coarse
		}
	}
	return coarse
}

// verifySteps returns the share of the tolerance with which finer steps change the solution by less than is allowed. If there is a
// schedule, these are also steps without one; if they disagree, there is none any longer.
func (w *endsWorker) verifySteps(ctx context.Context, a grid.Batch, coarse trial) (share float64) {
	share = w.enoughShare(ctx, a, coarse)
	schedule := w.first.schedule
	if schedule == nil {
		return share
	}
	scheduled, err := w.attempt(ctx, a, coarse.size, share)
	if err != nil {
		return share
	}
	w.first.schedule = nil
	even, err := w.attempt(ctx, a, coarse.size, finer*share)
	if err == nil && w.distance(scheduled, even) <= agreement*w.Problem.Tolerance {
		w.first.schedule = schedule
		return share
	}
	coarse, err = w.attempt(ctx, a, coarse.size, largestShare)
	if err != nil {
		return share
	}
	return w.enoughShare(ctx, a, coarse)
}

// enoughShare returns the share of the tolerance with which finer steps change the solution by less than is allowed: one
// between the first that does and the one before. Where finer steps change the solution no less than the steps before, rounding
// errors do, and finer steps have more of them.
func (w *endsWorker) enoughShare(ctx context.Context, a grid.Batch, coarse trial) (share float64) {
	const smallest = 1e-3
	allowed := agreement * w.Problem.Tolerance
	share = largestShare
	last := math.Inf(1)
	for share > smallest {
		fine, err := w.attempt(ctx, a, coarse.size, finer*share)
		if err != nil {
			return share
		}
		distance := w.distance(coarse, fine)
		isRounding := distance > last/2
		if distance <= allowed && share < largestShare {
			safety := longerSafety
			if w.first.reactions != nil {
				safety = reactingSafety
			}
			longer := share * longerSteps(distance, last, safety*allowed)
			longest, err := w.attempt(ctx, a, coarse.size, longer)
			if err != nil || w.distance(longest, fine) > allowed { // errors of the first steps grow in jumps
				return share
			}
			return longer
		}
		if distance <= allowed || isRounding {
			return share
		}
		last = distance
		coarse = fine
		share *= finer
	}
	return share
}

// The parts of the allowed error that longer steps aim at, because steps change in jumps, and other functions may have larger
// errors. Where reactions moved, errors cancel in part, in each function by another one.
const (
	longerSafety   = 0.7
	reactingSafety = 0.5
)

// longerSteps returns a factor of a share of the tolerance, from 1 to 1/finer, for which the error is near an aim, from
// the small error at that share and the large one at 1/finer times it. Errors are taken for powers of shares.
func longerSteps(small, large, aim float64) float64 {
	small = math.Max(small, large*math.Pow(finer, 1.5)) // a smaller one is chance
	if aim <= small {
		return 1
	}
	part := math.Log(aim/small) / math.Log(large/small)
	return math.Pow(1/finer, part)
}

// relativeDistances returns the distances of the functions of two blocks.
func relativeDistances(before, after []float64) (distances [block]float64) {
	var norms [block]float64 // squares, as distances are at first
	for i, v := range after {
		d := v - before[i]
		distances[i%block] += d * d
		norms[i%block] += v * v
	}
	for l, square := range distances {
		distances[l] = math.Sqrt(square / (norms[l] + 1e-300))
	}
	return distances
}

// search returns the states at the times with the first number of functions, from an index on, that resolves them, with
// that index.
func (w *endsWorker) search(ctx context.Context, a grid.Batch, times []float64, label string, from int, share float64) (
	states [][]float64, size int, err error) {
	sizes := w.sizes()
	enough := enoughSizes(w.domain.Dims)
	var last *Ending // of fewer functions
	var grew *Ending // the last one that grew without bound
	for size := from; size < len(sizes); size++ {
		states, err := w.solveWith(ctx, sizes[size], a, times, label, share)
		if err == nil {
			return states, size, nil
		}
		var e *Ending
		if ctx.Err() != nil || !errors.As(err, &e) {
			return nil, 0, err
		}
		hasSameCause := last != nil && e.cause == last.cause
		if e.cause != otherCause && hasSameCause && size >= repeatedSizes(w.domain.Dims) {
			return nil, 0, e
		}
		last = e
		if e.Growth == nil {
			continue
		}
		growsAlike := grew != nil && math.Abs(e.Time-grew.Time) < 0.1*e.Time
		if growsAlike { // more functions seem to make no difference
			isLate := e.Time > 0.9*times[len(times)-1] // so that it may last just long enough
			if size >= enough && !isLate {
				return nil, 0, e
			}
			size = max(size, enough-1) // steep solutions that last fail alike on few functions
		}
		grew = e
	}
	return nil, 0, last
}

// solveWith returns the states at the times with a number of functions and a share of the tolerance.
func (w *endsWorker) solveWith(ctx context.Context, functions int, a grid.Batch, times []float64, label string, share float64) ([][]float64, error) {
	s, start := w.at(functions)
	m := &march{
		endsWorker: w,
		s:          s,
		start:      start,
		label:      label,
		tolerance:  share * w.Problem.Tolerance,
	}
	if slices.Equal(times, []float64{w.Time}) {
		m.schedule = w.first.schedule
	}
	if w.Steady() {
		return m.settle(ctx, a, times)
	}
	return m.solve(ctx, a, times)
}
