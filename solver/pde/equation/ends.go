// This file solves equations on domains with sides, from inputs on the grid to outputs on the grid.

package equation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/fault"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

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

// newEndsWorker returns a worker of an equation on a domain with sides.
func newEndsWorker(s *evolution, first *resolution) *endsWorker {
	return &endsWorker{
		evolution: s,
		steppers:  map[int]*stepper{},
		starts:    map[int]*starter{},
		first:     first,
	}
}

// Steps counts the steps of the last solution, those of coarser attempts included.
func (w *endsWorker) Steps() int { return w.steps }

// Reached returns the time up to which the last solution went, also if it was cancelled.
func (w *endsWorker) Reached() float64 { return w.reached }

// starter makes initial values on the points of a space from inputs on the grid, and outputs on the grid from states.
type starter struct {
	toPoints   pair // points x grid points
	toGrid     pair // grid points x modes, from coordinates to values of the output field
	liftToGrid pair // grid points x n, the same from coefficients
	plan       *plan
	input      []float64   // at the points, as a block
	values     [][]float64 // the same of the initial values by field
	lacks      bool        // whether the first field gets the lift in addition
}

// at returns the stepper and the starter with so many functions.
func (w *endsWorker) at(n int) (*stepper, *starter) {
	if w.steppers[n] == nil {
		s := newStepper(newSpace(w.evolution, n))
		s.budget.spend(s.workOfModes())
		w.steppers[n] = s
		w.starts[n] = w.newStarter(s)
	}
	return w.steppers[n], w.starts[n]
}

// newStarter returns the starter of a space.
func (w *endsWorker) newStarter(s *stepper) *starter {
	start := &starter{
		plan:  s.newPlan(),
		input: s.newBlock(),
		lacks: w.Initial == "",
	}
	for k, a := range s.axes {
		interpolation := w.fromGrid[k]
		near, _ := w.ends(k)
		if w.plain && near != grf.Joined {
			interpolation = grf.NewInterpolation(grf.Free, grf.Free, w.Points)
		}
		unit := make([]float64, a.n) // the points on [0, 1]
		for i, x := range a.points {
			unit[i] = x / w.Length
		}
		weights := interpolation.To(unit)
		start.toPoints[k] = mat.NewDense(a.n, w.Points, weights)
	}
	start.plan.blocks[inputKey] = start.input
	for _, value := range w.values {
		values := s.newBlock()
		start.plan.compute(value, values)
		start.values = append(start.values, values)
	}
	return start
}

// Solve implements truth.Worker.
func (w *endsWorker) Solve(ctx context.Context, outputs []grid.Batch, a grid.Batch, times []float64, label string) error {
	if w.err != nil {
		return &fault.Numerical{
			Where: "equation solver",
			What:  w.err.Error(),
			Do:    "raise data.grid",
		}
	}
	if err := w.begins(ctx); err != nil {
		return err
	}
	w.steps = 0
	w.reached = 0
	states, size, err := w.search(ctx, a, times, label, w.first.size, w.first.share)
	if err != nil {
		return err
	}
	functions := w.sizes()[size]
	for j, state := range states {
		w.write(outputs[j], a.Count, functions, state, times[j])
	}
	return nil
}

// outputs returns the output field of a state of so many functions on the grid, points x block.
func (w *endsWorker) outputs(n int, state []float64) []float64 {
	s, start := w.at(n)
	field := s.fields[w.output]
	if start.toGrid[0] == nil {
		for k, b := range field.bases {
			start.liftToGrid[k] = b.axis.at(b.gridPlaces(w.Points))
			var toGrid mat.Dense
			toGrid.Mul(start.liftToGrid[k], b.z)
			start.toGrid[k] = &toGrid
		}
	}
	out := make([]float64, w.domain.Values(w.Points)*block)
	s.apply(out, start.toGrid, field.of(state))
	if lift := s.lifted[w.output]; lift != nil {
		s.apply(out, start.liftToGrid, lift)
	}
	return out
}

// write stores the output field of a state of so many functions at a time on the grid.
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

// begin returns the state of the initial values, size x block.
func (w *endsWorker) begin(s *stepper, start *starter, a grid.Batch) []float64 {
	w.setInput(s, start, a)
	start.plan.toPoints(nil)
	if w.Coefficient != "" {
		s.setCoefficient(start.input)
	}
	s.time = math.NaN() // values of conditions may depend on the inputs
	s.moveTo(0)
	v := s.newState()
	for f, values := range start.values {
		initial := slices.Clone(values)
		isLifted := !(f == 0 && start.lacks)
		if lift := s.liftAt(f, operator{}); lift != nil && isLifted {
			for i, x := range lift {
				initial[i] -= x
			}
		}
		s.projectInitial(v, f, initial)
	}
	return v
}

// setInput evaluates inputs at the points of a space.
func (w *endsWorker) setInput(s *stepper, start *starter, a grid.Batch) {
	inputs := make([]float64, a.Values()*block) // grid points x block
	for l := range block {
		function := min(l, a.Count-1) // the last one in place of missing ones
		for i, x := range a.At(function) {
			inputs[i*block+l] = x
		}
	}
	clear(start.input)
	s.apply(start.input, start.toPoints, inputs)
}

// setCoefficient sets the coefficient from its values at the points, and its values on the sides.
func (s *stepper) setCoefficient(values []float64) {
	var toCoefficients pair
	for k, a := range s.axes {
		toCoefficients[k] = a.coefficients
	}
	clear(s.coefficient)
	s.apply(s.coefficient, toCoefficients, values)
	s.setTraces()
}

// fewestSteps returns the least number of steps over the whole time. Linear equations with constant coefficients and conditions
// take one, because it is exact.
func (s *stepper) fewestSteps() int {
	isExact := len(s.sums) == 0 && s.static && len(s.fluxes) == 0
	if isExact {
		return 1
	}
	return firstCount
}

// march is one solution for a block of inputs, with one number of functions.
type march struct {
	*endsWorker
	s         *stepper
	start     *starter
	label     string    // of the block, in errors
	tolerance float64   // of the estimated error of a step
	v         []float64 // the state at t, size x block
	t         float64
	total     float64   // the last time
	firstTail float64   // of the initial values
	begun     float64   // the norm of the initial values
	nonlinear bool      // whether modes interact
	bound     float64   // of the norm of a solution that does not grow without bound
	count     int       // the next step is the time from one stop to the next by this number
	accepted  int       // steps
	schedule  *schedule // of the steps
}

// solve returns the states at the times, with steps for the tolerance.
func (m *march) solve(ctx context.Context, a grid.Batch, times []float64) (states [][]float64, err error) {
	m.total = times[len(times)-1]
	if err := m.prepare(a); err != nil {
		return nil, err
	}
	m.count = m.s.fewestSteps()
	if m.equal > 0 {
		m.count = 1 << m.equal
	}
	for _, stop := range m.s.stops(times) {
		if stop.time > m.t {
			if err := m.advance(ctx, stop); err != nil {
				return nil, err
			}
		}
		if stop.output {
			states = append(states, slices.Clone(m.v))
		}
	}
	return states, nil
}

// prepare sets the initial values, and what is measured by them.
func (m *march) prepare(a grid.Batch) error {
	m.s.between(0, m.total)
	m.v = m.begin(m.s, m.start, a)
	if !grid.Finite(m.v...) {
		e := m.ending("is not finite", "check the initial values")
		e.cause = notFinite
		return e
	}
	m.s.restart(m.first.reactions)
	if _, err := m.shiftDiffusion(); err != nil {
		return err
	}
	m.s.rate(m.s.rest, m.v, 0)
	if !grid.Finite(m.s.rest...) {
		e := m.ending("has no rate of change that is finite", outOfRange)
		e.cause = notFinite
		return e
	}
	m.s.setFloors(m.total)
	m.s.moveTo(0)
	m.firstTail = m.s.tail(m.v)
	hasMoreFunctions := m.s.axes[0].n < slices.Max(m.sizes())
	if m.firstTail > beginTail && hasMoreFunctions {
		return m.unresolved(m.firstTail)
	}
	m.begun = wholeNorm(m.v)
	m.nonlinear = m.isNonlinear()
	m.bound = most * (1 + m.begun)
	return nil
}

// wholeNorm returns the Euclidean norm of all functions of a state.
func wholeNorm(v []float64) float64 { return math.Sqrt(floats.Dot(v, v)) }

// firstWeight is by how much the estimated error of the first step counts, because it is too small where conditions begin to
// hold at once: measured ratios to true errors are 5 to 16 times those of later steps.
const firstWeight = 16

// advance solves up to a stop.
func (m *march) advance(ctx context.Context, stop stop) error {
	begin := m.t
	length := stop.time - begin
	m.s.between(begin, stop.time)
	if begin > 0 { // the rest may have jumped
		m.s.rate(m.s.rest, m.v, begin)
	}
	fewest := float64(m.s.fewestSteps()) * length / m.total // so that many outputs do not ask for many steps
	tried := counts{powersOfTwo: m.s.matrix != nil}
	done := 0 // in units of the step
	for done < m.count {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.steps >= m.maxSteps {
			return m.ending(fmt.Sprintf("needs more than %d time steps, the limit", m.maxSteps),
				"raise equation.tolerance, lower equation.time, or make the stiffest term smaller")
		}
		h := length / float64(m.count)
		weight := m.schedule.of(m.t/m.total, (m.t+h)/m.total)
		if m.t == 0 {
			weight *= firstWeight
		}
		estimate := weight * m.s.try(m.v, m.t, h, stop.time-m.t, m.total) / m.tolerance
		m.s.budget.spend(m.s.workOfStep())
		m.steps++
		isAccurate := estimate <= 1 // NaN is not
		if !isAccurate && m.equal == 0 {
			if m.count >= mostCount {
				return m.failed()
			}
			finer := tried.finer(m.count, done, finerBy(estimate)*float64(m.count))
			done = done * finer / m.count
			m.count = finer
			continue
		}
		done++
		m.accept(begin + float64(done)*h)
		if err := m.observe(); err != nil {
			return err
		}
		if m.equal > 0 {
			continue
		}
		coarser := tried.coarser(m.count, done, math.Max(fewest, finerBy(estimate)*float64(m.count)))
		done = done * coarser / m.count
		m.count = coarser
	}
	m.t = stop.time
	m.s.moveTo(m.t)
	if stop.output && m.equal == 0 {
		if tail := m.s.tail(m.v); tail > m.acceptedTail(endTail) {
			return m.unresolved(tail)
		}
	}
	return nil
}

// accept makes the candidate of a step the solution at a time.
func (m *march) accept(t float64) {
	m.v, m.s.next = m.s.next, m.v
	m.s.rest, m.s.nextRest = m.s.nextRest, m.s.rest
	m.t = t
	m.reached = t
	m.accepted++
}

// observe checks that the solution is reliable after an accepted step, and keeps its diffusion in the linear part.
func (m *march) observe() error {
	isBounded := wholeNorm(m.v) < m.bound // NaN is not
	if !isBounded {
		return m.grown()
	}
	if m.equal == 0 && m.steps%tailEvery == 0 {
		if tail := m.s.tail(m.v); tail > m.acceptedTail(wayTail) {
			return m.unresolved(tail)
		}
	}
	if m.steps%shiftEvery != 0 {
		return nil
	}
	changed, err := m.shiftDiffusion()
	if err != nil {
		return err
	}
	if changed {
		m.s.rate(m.s.rest, m.v, m.t)
	}
	return nil
}
