// This file solves equations on domains with sides: it finds the number of functions and the steps that the tolerance
// needs.

package equation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// setEnds checks an equation on a domain with sides and prepares its draws. It fails at what is not solved there.
func (s *evolution) setEnds() {
	s.checkConditions()
	s.checkCorners()
	s.checkSigns()
	s.setDraws()
	if whole, input, ok := s.fold(); ok {
		if folded := newSolver(whole); folded.err == nil {
			s.folded = folded
			s.input = input
			return
		}
	}
	s.checkRest()
	s.limit = s.Points
	s.checkStability(newSpace(s, spaceSizes(s.domain.Dims)[0]))
}

// setDraws has inputs satisfy the conditions of the first field without their values. Inputs of steady states are
// coefficients and forces, which nothing holds.
func (s *evolution) setDraws() {
	measure := grf.Measure{Tau: s.Input.Tau, Alpha: s.Input.Alpha, Scale: s.Input.Scale}
	var near, far [2]grf.End
	for axis := range s.domain.Dims {
		near[axis], far[axis] = s.ends(axis)
	}
	if s.domain.Dims == 1 {
		s.draws = measure.Between(near[0], far[0], s.Points)
	} else {
		s.draws = measure.BetweenOnSquare(near, far, s.Points)
	}
}

// checkRest fails at terms that are not solved between sides.
func (s *evolution) checkRest() {
	orders := s.orders()
	for i := range s.rows[:len(s.Fields)] {
		r := &s.rows[i]
		r.failIf(r.mass != nil && s.domain.Dims == 2, 0, "solve the equation for u_t", "operators on u_t are for the interval and for periodic fields")
		check := func(o operator, at int) {
			r.failIf(o.inv > 0, at, "leave out the conditions, and it is periodic", "ilap is for periodic fields")
		}
		for _, t := range r.linear {
			check(t.op, t.at)
		}
		damping := s.damping(i)
		for _, q := range r.rest {
			check(q.op, q.term.at)
			for _, f := range q.term.factors {
				check(f.op, q.term.at)
			}
			if _, linear := s.linearFactor(q); linear && s.domain.Dims == 1 {
				continue
			}
			for j := range s.Fields {
				order := q.op.order() + q.term.order(j)
				if order < 2 || order < damping {
					continue
				}
				if i != j && orders.around(i, j, order, 1, [maxField]bool{}) < 2 { // fields that depend on each other damp it
					continue
				}
				r.failIf(order > 2 || i != j, q.term.at, fmt.Sprintf("add a linear term of order %d that damps", order+order%2),
					"this term has derivatives of order %d of %s, more than the linear part damps", order, s.Fields[j])
				r.quasi = r.column(q.term.at)
			}
		}
	}
}

// massSign returns the sign of the operator on the rate of a field for short waves: -1 in u_xxt = ..., 1 in u_t = ...
func (s *evolution) massSign(field int) float64 {
	order := 0
	sign := 1.0
	for _, t := range s.rows[field].mass {
		if t.field != field || t.op.order() < order || t.op.order()%2 != 0 {
			continue
		}
		order = t.op.order()
		sign = math.Copysign(1, t.c)
		if order%4 == 2 {
			sign = -sign
		}
	}
	return sign
}

// checkSigns refuses linear terms of the highest order that feed short waves.
func (s *evolution) checkSigns() {
	for i := range s.Fields {
		r := &s.rows[i]
		order := max(s.derivatives(i, 0), s.derivatives(i, 1))
		sign := s.massSign(i)
		for _, t := range r.linear {
			isLeading := t.field == i && t.op.order() == order && order%2 == 0 && order > 0
			t.c *= sign
			if isLeading && !t.damps() {
				r.fail(t.at, "change its sign", "short waves grow without bound: the equation is ill-posed")
			}
		}
	}
}

// checkStability refuses equations whose linear part grows fast on the modes, which is no property of the equation: its
// conditions do not suit its sign.
func (s *evolution) checkStability(few *space) {
	if few.matrix == nil {
		return
	}
	growth := func(p *space) float64 {
		var e mat.Eigen
		if !e.Factorize(p.matrix, mat.EigenNone) {
			return 0
		}
		most := math.Inf(-1)
		for _, v := range e.Values(nil) {
			most = math.Max(most, real(v))
		}
		return most
	}
	first := growth(few)
	if first > 1 && first*s.Time > 1 {
		many := growth(newSpace(s, 3*few.axes[0].n/2))
		if many > 1.5*first {
			failKey("equation.left", fmt.Sprintf("and equation.right with this equation grow without bound, the faster the finer (e^%.2gt; %s)",
				many, s.conditionTexts()), "check which end each condition belongs to, and the sign of the highest derivative")
		}
	}
}

// sizes returns the numbers of functions along an axis that are tried in turn. Newton's method solves with all functions at
// once, so that steady states have fewer.
func (s *evolution) sizes() []int {
	all := spaceSizes(s.domain.Dims)
	if s.Steady() {
		return all[:min(7, len(all))]
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

// endsWorker solves blocks of inputs. It takes more functions until the highest coefficients are small.
type endsWorker struct {
	*evolution
	steppers map[int]*stepper // by the number of functions
	starts   map[int]*starter
	first    *resolution // with which searches begin
	reached  float64
	steps    int
	plain    bool // whether inputs satisfy no conditions
	equal    int  // 2^equal equal steps, for tests of the order; 0: as the tolerance requires
}

// resolution is what the first training inputs need. All workers of an operator share it and find the same, so that
// solutions do not depend on who computes them.
type resolution struct {
	sync.Mutex
	known bool
	size  int     // index in spaceSizes
	share float64 // of the tolerance in the estimated error of a step
}

// newEndsWorker returns a worker of an equation on a domain with sides.
func newEndsWorker(s *evolution, first *resolution) *endsWorker {
	return &endsWorker{evolution: s, steppers: map[int]*stepper{}, starts: map[int]*starter{}, first: first}
}

// Steps counts the steps of the last solution, those of coarser attempts included.
func (w *endsWorker) Steps() int { return w.steps }

// Reached returns the time up to which the last solution went, also if it was cancelled.
func (w *endsWorker) Reached() float64 { return w.reached }

// starter makes initial values on the points of a space from inputs on the grid.
type starter struct {
	toPoints           pair // points x grid points
	toGrid, liftToGrid pair // from coordinates and coefficients to values of the output field
	plan               *plan
	input              []float64   // at the points, as a block
	values             [][]float64 // the same of the initial values by field
	lacks              bool        // whether the first field gets the lift in addition
}

// at returns the stepper and the starter with so many functions.
func (w *endsWorker) at(n int) (*stepper, *starter) {
	if s := w.steppers[n]; s != nil {
		return s, w.starts[n]
	}
	s := newStepper(newSpace(w.evolution, n))
	start := &starter{plan: s.newPlan(), input: make([]float64, block*s.n)}
	for k, a := range s.axes {
		near, far := w.ends(k)
		if w.plain && near != grf.Joined {
			near = grf.Free
			far = grf.Free
		}
		unit := make([]float64, a.n)
		for i, x := range a.points {
			unit[i] = x / w.Length
		}
		start.toPoints[k] = mat.NewDense(a.n, w.Points, grf.Interpolation(near, far, w.Points, unit))
	}
	start.plan.blocks[inputKey] = start.input
	for _, value := range w.values {
		values := make([]float64, block*s.n)
		start.plan.compute(value, values)
		start.values = append(start.values, values)
	}
	start.lacks = w.Initial == ""
	w.steppers[n] = s
	w.starts[n] = start
	return s, start
}

// Solve implements truth.Worker.
func (w *endsWorker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	if w.err != nil {
		return &fault.Numerical{Where: "equation solver", What: w.err.Error(), Do: "raise data.grid"}
	}
	size, share, err := w.begins(ctx)
	if err != nil {
		return err
	}
	w.steps = 0
	w.reached = 0
	states, size, err := w.search(ctx, a, times, label, size, share)
	if err != nil {
		return err
	}
	for j, state := range states {
		w.write(outputs[j], a.Count, w.sizes()[size], state, times[j])
	}
	return nil
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

// trial is a solution for the first inputs.
type trial struct {
	size  int // index of the number of functions
	state []float64
}

// attempt solves for inputs with a number of functions, from an index on, and a share of the tolerance.
func (w *endsWorker) attempt(ctx context.Context, a grid.Batch, from int, share float64) (trial, error) {
	states, size, err := w.search(ctx, a, []float64{w.Time}, "", from, share)
	if err != nil {
		return trial{}, err
	}
	return trial{size: size, state: states[0]}, nil
}

// distance returns the largest relative distance of the outputs of two trials.
func (w *endsWorker) distance(coarse, fine trial) float64 {
	sizes := w.sizes()
	before := w.outputs(sizes[coarse.size], coarse.state)
	after := w.outputs(sizes[fine.size], fine.state)
	return farthest(before, after)
}

// begins returns the number of functions, as an index, and the share of the tolerance with which searches begin.
func (w *endsWorker) begins(ctx context.Context) (size int, share float64, err error) {
	w.first.Lock()
	defer w.first.Unlock()
	if w.first.known {
		return w.first.size, w.first.share, nil
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
			w.first.share = w.verifySteps(ctx, a, solution)
		}
	}
	if ctx.Err() != nil {
		return 0, 0, ctx.Err()
	}
	w.first.known = true
	return w.first.size, w.first.share, nil
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

// verifySteps returns the share of the tolerance with which finer steps change the solution by less than is allowed. Where
// they change it no less than the steps before, rounding errors do, and finer steps have more of them.
func (w *endsWorker) verifySteps(ctx context.Context, a grid.Batch, coarse trial) (share float64) {
	const smallest = 1e-3
	share = largestShare
	last := math.Inf(1)
	for share > smallest {
		fine, err := w.attempt(ctx, a, coarse.size, finer*share)
		if err != nil {
			return share
		}
		distance := w.distance(coarse, fine)
		isRounding := distance > last/2
		if distance <= agreement*w.Problem.Tolerance || isRounding {
			return share
		}
		last = distance
		coarse = fine
		share *= finer
	}
	return share
}

// outputs returns the output field of a state on the grid, points x block.
func (w *endsWorker) outputs(n int, state []float64) []float64 {
	s, start := w.at(n)
	field := s.fields[w.output]
	if start.toGrid[0] == nil {
		for k, b := range field.bases {
			start.liftToGrid[k] = b.axis.at(b.gridPlaces(w.Points))
			var at mat.Dense
			at.Mul(start.liftToGrid[k], b.z)
			start.toGrid[k] = &at
		}
	}
	out := make([]float64, w.domain.Values(w.Points)*block)
	s.apply(out, start.toGrid, field.of(state))
	if lift := s.lifted[w.output]; lift != nil {
		s.apply(out, start.liftToGrid, lift)
	}
	return out
}

// write stores the output field of a state at a time on the grid.
func (w *endsWorker) write(to grid.Batch, count, n int, state []float64, time float64) {
	s, _ := w.at(n)
	s.between(0, w.reached)
	s.moveTo(time)
	values := w.outputs(n, state)
	for l := range count {
		row := to.At(l)
		for i := range row {
			row[i] = values[i*block+l]
		}
	}
}

// farthest returns the largest relative distance of functions of two blocks.
func farthest(before, after []float64) float64 {
	var distance, norm [block]float64
	for i, v := range after {
		d := v - before[i]
		distance[i%block] += d * d
		norm[i%block] += v * v
	}
	worst := 0.0
	for l := range block {
		worst = math.Max(worst, math.Sqrt(distance[l]/(norm[l]+1e-300)))
	}
	return worst
}

// search returns the states at the times with the first number of functions, from an index on, that resolves them, with
// that index.
func (w *endsWorker) search(ctx context.Context, a grid.Batch, times []float64, label string, from int, share float64) (
	states [][]float64, size int, err error) {
	sizes := w.sizes()
	enough := enoughSizes(w.domain.Dims)
	var last error
	var grew *Ending
	for size := from; size < len(sizes); size++ {
		s, start := w.at(sizes[size])
		var states [][]float64
		var err error
		if w.Steady() {
			states, err = w.settle(ctx, s, start, a, times, label)
		} else {
			states, err = w.solve(ctx, s, start, a, times, label, share*w.Problem.Tolerance)
		}
		if err == nil {
			return states, size, nil
		}
		var e *Ending
		if ctx.Err() != nil || !errors.As(err, &e) {
			return nil, 0, err
		}
		last = e
		if e.Growth == nil {
			continue
		}
		if grew != nil && math.Abs(e.Time-grew.Time) < 0.1*e.Time { // more functions seem to make no difference
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

// ending returns the error of a solution that fails.
func (w *endsWorker) ending(s *stepper, label string, t float64, what, do string) *Ending {
	return &Ending{Numerical: fault.Numerical{Where: fmt.Sprintf("equation solver, %s, polynomials of degree %d", label, s.axes[0].n-1),
		What: fmt.Sprintf("the solution at t=%.4g %s", t, what), Do: do}, Time: t}
}

// grown returns the error of a solution that grows without bound.
func (w *endsWorker) grown(s *stepper, label string, end float64, v []float64) *Ending {
	g := &Growth{Field: w.Fields[0], Endpoint: end}
	largest := 0.0
	values := make([]float64, block*s.n)
	for f, name := range w.Fields {
		if w.isVelocity(f) { // it is large where waves are short
			continue
		}
		s.evaluate(values, f, operator{}, s.fields[f].of(v))
		for i, v := range values {
			if math.Abs(v) > largest { // NaN is not
				largest = math.Abs(v)
				g.At = s.place(i / block)
				g.Field = name
				g.Value = v
				g.Sign = 1
				if v < 0 {
					g.Sign = -1
				}
			}
		}
	}
	e := w.ending(s, label, end, "", fmt.Sprintf("set equation.time to %.2g, or lower input.scale", 0.9*end))
	e.What = fmt.Sprintf("%v, near t=%.3g", g, end)
	e.Growth = g
	return e
}

// The tails that are accepted: shares of the norm in the highest fifth of the coefficients of a solution, along the way and
// at the times that are asked for, or a share of the tolerance if that is more. Errors are of the size of the tail. Initial
// values may have half as much, and solutions of linear equations, whose modes do not interact, linearTail.
const wayTail, endTail, tailShare = 1e-5, 3e-7, 0.1

// beginTail is the tail of initial values above which their coefficients are no longer those of the function.
const beginTail = 1e-2

// The steps are the time before an output by powers of two, from 2^-firstHalvings.
const firstHalvings, mostHalvings = 4, 30

// fewestHalvings returns the halvings of the longest step. Linear equations with constant coefficients and conditions take
// one, because it is exact.
func (s *stepper) fewestHalvings() int {
	if len(s.sums) == 0 && s.static {
		return 0
	}
	return firstHalvings
}

// solve returns the states at the times, with steps for the tolerance.
func (w *endsWorker) solve(ctx context.Context, s *stepper, start *starter, a grid.Batch, times []float64,
	label string, tolerance float64) (states [][]float64, err error) {
	s.between(0, times[len(times)-1])
	v := w.begin(s, start, a)
	if slices.ContainsFunc(v, func(x float64) bool { return !grid.Finite(x) }) {
		return nil, w.ending(s, label, 0, "is not finite", "check the initial values")
	}
	s.shift = nil
	if _, err := w.shiftDiffusion(s, v, 0, label); err != nil {
		return nil, err
	}
	s.rate(s.rest, v, 0)
	s.setFloors(times[len(times)-1])
	s.moveTo(0)
	firstTail := s.tail(v)
	isLast := s.axes[0].n >= slices.Max(w.sizes())
	if firstTail > beginTail && !isLast {
		return nil, w.unresolved(s, label, 0, firstTail, v, start)
	}
	bound := most * (1 + mat.Norm(mat.NewVecDense(len(v), v), 2))
	total := times[len(times)-1]
	t := 0.0
	fewest := s.fewestHalvings()
	halvings := fewest
	if w.equal > 0 {
		halvings = w.equal
	}
	for _, stop := range s.stops(times) {
		until := stop.time
		begin := t
		length := until - begin
		if length <= 0 {
			states = append(states, slices.Clone(v))
			continue
		}
		s.between(begin, until)
		if begin > 0 { // the rest may have jumped
			s.rate(s.rest, v, begin)
		}
		done := 0 // in units of the step
		for done < 1<<halvings {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if w.steps >= maxSteps {
				return nil, w.ending(s, label, t, fmt.Sprintf("needs more than %d time steps, the limit", maxSteps),
					"raise equation.tolerance, lower equation.time, or make the stiffest term smaller")
			}
			h := math.Ldexp(length, -halvings)
			estimate := s.try(v, t, h, until-t, total) / tolerance
			w.steps++
			if !(estimate <= 1) && w.equal == 0 {
				if halvings == mostHalvings {
					return nil, w.failed(s, label, t, v, start)
				}
				halvings++
				done *= 2
				continue
			}
			v, s.next = s.next, v
			s.rest, s.nextRest = s.nextRest, s.rest
			done++
			t = begin + float64(done)*h
			w.reached = t
			if norm := mat.Norm(mat.NewVecDense(len(v), v), 2); !(norm < bound) {
				return nil, w.grown(s, label, t, v)
			}
			if tail := s.tail(v); tail > w.most(max(wayTail, tailShare*w.Problem.Tolerance), firstTail) && w.equal == 0 {
				return nil, w.unresolved(s, label, t, tail, v, start)
			}
			if w.steps%shiftEvery == 0 {
				changed, err := w.shiftDiffusion(s, v, t, label)
				if err != nil {
					return nil, err
				}
				if changed {
					s.rate(s.rest, v, t)
				}
			}
			for halvings > fewest && w.equal == 0 && done%2 == 0 && estimate < 1./25 {
				halvings--
				done /= 2
				estimate *= 16
			}
		}
		t = until
		s.moveTo(t)
		if !stop.output {
			continue
		}
		accepted := w.most(max(endTail, tailShare*w.Problem.Tolerance), firstTail)
		if tail := s.tail(v); tail > accepted && w.equal == 0 {
			return nil, w.unresolved(s, label, t, tail, v, start)
		}
		states = append(states, slices.Clone(v))
	}
	return states, nil
}

// most returns the largest tail that is accepted.
func (w *endsWorker) most(tail, first float64) float64 {
	isNonlinear := slices.ContainsFunc(w.rows[:len(w.Fields)], func(r row) bool {
		return slices.ContainsFunc(r.rest, func(q product) bool {
			_, linear := w.linearFactor(q)
			return !linear && q.term.has(func(a *atom) bool { return a.kind == fieldAtom && a.index < len(w.Fields) })
		})
	})
	if !isNonlinear {
		tail = linearTail
	}
	return math.Max(tail, 2*first)
}

// unresolved returns the error of a solution with a tail, or of its growth.
func (w *endsWorker) unresolved(s *stepper, label string, t, tail float64, v []float64, start *starter) *Ending {
	if e := w.failed(s, label, t, v, start); e.Growth != nil {
		return e
	}
	do := "add damping, make inputs smoother (input.alpha, input.tau), or lower equation.time"
	const largest = 0.01 // of the tolerances that are proposed
	if enough := math.Pow(10, math.Ceil(math.Log10(tail/tailShare))); enough <= largest {
		do += fmt.Sprintf("; set equation.tolerance = %.0e to accept that error", enough)
	}
	return w.ending(s, label, t, fmt.Sprintf("is not resolved by polynomials of degree %d (the highest fifth of the coefficients holds %.1g of its norm)",
		s.axes[0].n-1, tail), do)
}

// failed returns the error of a solution that does not go on: it grows without bound if it has grown.
func (w *endsWorker) failed(s *stepper, label string, t float64, v []float64, start *starter) *Ending {
	g := w.grown(s, label, t, v)
	largest := 0.0
	for _, x := range start.values[slices.Index(w.Fields, g.Growth.Field)] {
		largest = math.Max(largest, math.Abs(x))
	}
	if math.Abs(g.Growth.Value) > growthBefore*largest+1 {
		return g
	}
	return w.ending(s, label, t, "has no step that is small enough", "lower input.scale, or lower equation.time")
}

// begin returns the state of the initial values.
func (w *endsWorker) begin(s *stepper, start *starter, a grid.Batch) []float64 {
	values := a.Values()
	inputs := make([]float64, values*block)
	for l := range block { // the last function in place of missing ones
		row := a.At(min(l, a.Count-1))
		for i, x := range row {
			inputs[i*block+l] = x
		}
	}
	clear(start.input)
	s.apply(start.input, start.toPoints, inputs)
	start.plan.toPoints(nil)
	if w.Coefficient != "" {
		var m pair
		for k, a := range s.axes {
			m[k] = a.coefficients
		}
		clear(s.coefficient)
		s.apply(s.coefficient, m, start.input)
		s.setTraces()
	}
	s.time = math.NaN() // values of conditions may depend on the inputs
	s.moveTo(0)
	v := make([]float64, block*s.size)
	for f := range w.Fields {
		initial := slices.Clone(start.values[f])
		if lift := s.liftAt(f, operator{}); lift != nil && !(f == 0 && start.lacks) {
			for i, x := range lift {
				initial[i] -= x
			}
		}
		s.project(v, f, operator{}, initial)
	}
	return v
}

// liftTop returns the matrices from coefficients to the highest fifth of them along one axis, and coordinates along the
// other.
func (f spaceField) liftTop(along int) pair {
	return f.pairOf(func(axis int, b *basis) *mat.Dense {
		if axis == along {
			return b.topOfLift()
		}
		return b.fromLift()
	})
}

// tail returns the largest share of the highest fifth of the coefficients along an axis in the norm of a function.
func (s *stepper) tail(v []float64) float64 {
	var tails, norms [block]float64
	for f := range s.Fields {
		if s.isVelocity(f) { // it is rougher than its field by nature
			continue
		}
		field := s.fields[f]
		for i, x := range field.of(v) {
			norms[i%block] += x * x
		}
		for k := range s.axes {
			m := field.pairOf(func(axis int, b *basis) *mat.Dense {
				if axis == k {
					return b.top()
				}
				return b.same()
			})
			size := 1
			for _, part := range m[:len(s.axes)] {
				rows, _ := part.Dims()
				size *= rows
			}
			high := make([]float64, size*block)
			s.apply(high, m, field.of(v))
			if lift := s.lifted[f]; lift != nil { // lifts of values that jump, in time or at corners, have high degrees
				s.apply(high, field.liftTop(k), lift)
			}
			for i, x := range high {
				tails[i%block] += x * x
			}
		}
	}
	worst := 0.0
	for l := range block {
		if norm := norms[l] + s.liftNorm(l) + s.floors[l]; norm > 0 {
			worst = math.Max(worst, math.Sqrt(tails[l]/norm))
		}
	}
	return worst
}
