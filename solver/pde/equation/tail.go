// This file judges whether the functions of a space resolve a solution, and says why one between sides ends.

package equation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/fault"
)

// ending returns the error of a solution that fails at its time.
func (m *march) ending(what, do string) *Ending {
	degree := m.s.axes[0].n - 1
	solution := fmt.Sprintf("the solution at t=%.4g", m.t)
	if m.Steady() {
		solution = "the steady state"
	}
	return &Ending{
		Numerical: fault.Numerical{
			Where: fmt.Sprintf("equation solver, %s, polynomials of degree %d", m.label, degree),
			What:  solution + " " + what,
			Do:    do,
		},
		Time: m.t,
	}
}

// grown returns the error of a solution that grows without bound. It names the largest value of a field that is no
// velocity, because velocities are large where waves are short.
func (m *march) grown() *Ending {
	g := &Growth{Field: m.Fields[0], Endpoint: m.t}
	largest := 0.0
	values := m.s.newBlock()
	for f, name := range m.Fields {
		if m.isVelocity(f) {
			continue
		}
		m.s.evaluate(values, f, operator{}, m.s.fields[f].of(m.v))
		for i, v := range values {
			isLarger := math.Abs(v) > largest // NaN is not
			if !isLarger {
				continue
			}
			largest = math.Abs(v)
			g.At = m.s.place(i / block)
			g.Field = name
			g.Value = v
		}
	}
	switch {
	case g.Value < 0:
		g.Sign = -1
	case g.Value > 0:
		g.Sign = 1
	}
	e := m.ending("", fmt.Sprintf("set equation.time to %.2g, or lower input.scale", 0.9*m.t))
	e.What = fmt.Sprintf("%v, near t=%.3g", g, m.t)
	e.Growth = g
	return e
}

// failed returns the error of a solution that does not go on: it grows without bound if it has grown.
func (m *march) failed() *Ending {
	e := m.grown()
	field := slices.Index(m.Fields, e.Growth.Field)
	largest := 0.0
	for _, v := range m.start.values[field] {
		largest = math.Max(largest, math.Abs(v))
	}
	if math.Abs(e.Growth.Value) > growthBefore*largest+1 {
		return e
	}
	e = m.ending("has no step that is small enough", "lower input.scale, or lower equation.time")
	if m.t == 0 {
		e.cause = noStep
		isOfFourthOrder := func(d diffusivity) bool { return d.order == 4 }
		if slices.ContainsFunc(m.s.diffusion, isOfFourthOrder) {
			e.Do = "make inputs smoother, as with input.alpha=8, or lower input.scale"
		}
		if c := m.violated(); c != nil {
			e.Do = fmt.Sprintf("set equation.initial to values that satisfy %s at the %s, or raise equation.tolerance", c.text, c.name)
		}
	}
	return e
}

// unresolved returns the error of a solution with a tail, or of its growth.
func (m *march) unresolved(tail float64) *Ending {
	if e := m.failed(); e.Growth != nil {
		return e
	}
	const little = 1e-3 // of the initial norm
	left := wholeNorm(m.v) / m.begun
	hasLift := slices.ContainsFunc(m.s.lifted, func(lift []float64) bool { return lift != nil })
	if left < little && !hasLift {
		e := m.ending(fmt.Sprintf("has left the interval or decayed (%.1g of its initial norm is left), so that its relative error means nothing", left),
			fmt.Sprintf("set equation.time to %.1g", 0.3*m.total))
		e.cause = gone
		return e
	}
	if crossing := m.fieldNorm() / m.begun; crossing < little && !hasLift { // velocities are left
		e := m.ending(fmt.Sprintf("passes through zero everywhere (%.1g of its initial norm is left), so that its relative error means nothing", crossing),
			fmt.Sprintf("set equation.time to %.2g", 0.9*m.total))
		e.cause = gone
		return e
	}
	const largest = 0.01 // of the tolerances that are proposed
	do := "add damping, make inputs smoother (input.alpha, input.tau), or lower equation.time"
	enough := powerOfTenAbove(tail / tailShare)
	if enough <= largest {
		do += fmt.Sprintf("; set equation.tolerance = %.0e to accept that error", enough)
	}
	return m.ending(m.describeTail(tail), do)
}

// fieldNorm returns the Euclidean norm of all functions of the solution but those of velocities.
func (m *march) fieldNorm() float64 {
	sum := 0.0
	for f, field := range m.s.fields[:len(m.Fields)] {
		if !m.isVelocity(f) {
			values := field.of(m.v)
			sum += floats.Dot(values, values)
		}
	}
	return math.Sqrt(sum)
}

// describeTail says that a solution has a tail.
func (m *march) describeTail(tail float64) string {
	return fmt.Sprintf("is not resolved by polynomials of degree %d (the highest fifth of the coefficients holds %.1g of its norm)",
		m.s.axes[0].n-1, tail)
}

// powerOfTenAbove returns the smallest power of ten that is no less than a number.
func powerOfTenAbove(v float64) float64 { return math.Pow(10, math.Ceil(math.Log10(v))) }

// The tails that are accepted: shares of the norm in the highest fifth of the coefficients of a solution, along the way
// and at the times that are asked for, or a share of the tolerance if that is more. Errors are of the size of the tail.
// Initial values may have half as much, and solutions of linear equations, whose modes do not interact, linearTail.
const (
	wayTail   = 1e-5
	endTail   = 3e-7
	tailShare = 0.1
	tailEvery = 4 // steps between looks along the way
)

// beginTail is the tail of initial values above which their coefficients are no longer those of the function.
const beginTail = 1e-2

// acceptedTail returns the largest tail that is accepted where a nonlinear equation would have that one.
func (m *march) acceptedTail(tail float64) float64 {
	tail = max(tail, tailShare*m.Problem.Tolerance)
	if !m.nonlinear {
		tail = linearTail
	}
	return math.Max(tail, 2*m.firstTail)
}

// isNonlinear reports whether a term of the rest is not linear in the solution.
func (s *evolution) isNonlinear() bool {
	if slices.ContainsFunc(s.conditions, condition.hasFlux) {
		return true
	}
	isNonlinear := func(q product) bool {
		_, isLinear := s.linearFactor(q)
		return !isLinear && q.term.has(s.isOfSolution)
	}
	return slices.ContainsFunc(s.rows[:len(s.Fields)], func(r row) bool { return slices.ContainsFunc(r.rest, isNonlinear) })
}

// topAlong returns the matrices from coordinates to the highest fifth of the coefficients along one axis, and to the
// coordinates themselves along the other.
func (f spaceField) topAlong(along int) pair {
	return f.pairOf(func(axis int, b *basis) *mat.Dense {
		if axis == along {
			return b.top()
		}
		return b.same()
	})
}

// liftTopAlong is topAlong for lifts, which are coefficients.
func (f spaceField) liftTopAlong(along int) pair {
	return f.pairOf(func(axis int, b *basis) *mat.Dense {
		if axis == along {
			return b.topOfLift()
		}
		return b.fromLift()
	})
}

// tail returns the largest share of the highest fifth of the coefficients along an axis in the norm of a function.
// Velocities do not count, because they are rougher than their fields by nature.
func (s *stepper) tail(v []float64) float64 {
	var tails, norms [block]float64 // squares
	for f, field := range s.fields[:len(s.Fields)] {
		if s.isVelocity(f) {
			continue
		}
		for i, x := range field.of(v) {
			norms[i%block] += x * x
		}
		for axis := range s.axes {
			for i, x := range s.topOf(f, axis, v) {
				tails[i%block] += x * x
			}
		}
	}
	worst := 0.0
	for l, tail := range tails {
		norm := norms[l] + s.liftNorm(l) + s.floors[l]
		if norm > 0 {
			worst = math.Max(worst, math.Sqrt(tail/norm))
		}
	}
	return worst
}

// topOf returns the highest fifth of the coefficients of a field along an axis, as a block, until its next call. Lifts
// count, because those of values that jump, in time or at corners, have high degrees.
func (s *stepper) topOf(f, axis int, v []float64) []float64 {
	field := s.fields[f]
	top := field.topAlong(axis)
	size := block
	for _, m := range top[:len(s.axes)] {
		rows, _ := m.Dims()
		size *= rows
	}
	if size > len(s.highest) {
		s.highest = make([]float64, size)
	}
	high := s.highest[:size]
	clear(high)
	s.apply(high, top, field.of(v))
	if lift := s.lifted[f]; lift != nil {
		s.apply(high, field.liftTopAlong(axis), lift)
	}
	return high
}
