// This file reads equations for steady states, and solves them by Newton's method on the modes of between.go.

package equation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grid"
)

// readSteady orders equations without derivatives in t by their fields: each belongs to the field with the highest
// derivative in it that no other has taken.
func (s *evolution) readSteady(names *scope, equations []*reader) []*reader {
	first := equations[0]
	names.fields = s.Equation.Fields()
	first.failIf(len(names.fields) == 0, 0, "write u_t = ... for what changes, or 0 = u_xx + a for a steady state", "no field has a derivative")
	first.failIf(len(names.fields) != len(equations), 0, "write one equation for each field, and give other names values",
		"there are %d equations for the fields %s", len(equations), strings.Join(names.fields, ", "))
	if s.Coefficient == "" {
		s.Coefficient = "a"
	}
	known := names.withField(s.Coefficient)
	orders := make([][]int, len(equations)) // equations x fields
	for i, r := range equations {
		again := *r
		again.scope = known
		p := again.difference("write 0 = u_xx + a")
		for f := range names.fields {
			orders[i] = append(orders[i], p.order(f))
		}
	}
	ordered := make([]*reader, len(equations)) // by field
	taken := make([]bool, len(equations))
	for f := range names.fields {
		best := -1
		for i := range equations {
			isBetter := best < 0 || orders[i][f] > orders[best][f]
			if isBetter && !taken[i] {
				best = i
			}
		}
		taken[best] = true
		ordered[f] = equations[best]
	}
	return ordered
}

// withField returns a copy of a scope with one more field in place of a definition of that name.
func (s *scope) withField(name string) *scope {
	other := *s
	other.fields = append(slices.Clone(s.fields), name)
	other.definitions = map[string]*reader{}
	for defined, d := range s.definitions {
		if defined == name {
			continue
		}
		again := *d
		again.scope = &other
		other.definitions[defined] = &again
	}
	return &other
}

// setSteady checks an equation for a steady state.
func (s *evolution) setSteady() {
	s.checkConditions()
	s.checkCorners()
	for i := range s.rows[:len(s.Fields)] {
		r := &s.rows[i]
		for _, t := range r.linear {
			r.failIf(t.op.inv > 0, t.at, "write an equation for it: 0 = lap(p) + w", "ilap is for equations in time")
		}
		for _, q := range r.rest {
			isInverse := q.op.inv > 0 || q.term.has(func(a *atom) bool { return a.op.inv > 0 })
			r.failIf(isInverse, q.term.at, "write an equation for it: 0 = lap(p) + w", "ilap is for equations in time")
		}
	}
	if s.Bounded() {
		s.setDraws()
	}
	s.setInterpolations()
	s.limit = s.Points
	newSpace(s, spaceSizes(s.domain.Dims)[0]) // refuses conditions that cannot hold together
}

// The limits of Newton's method.
const (
	mostNewton         = 60   // iterations
	settled            = 1e-3 // of the tolerance: the size of the last step
	closeStep          = 1e-2 // of the solution: shorter steps are taken whole
	mostNewtonHalvings = 10   // of a step whose residual does not fall
)

// settle returns the steady state for each input, once for each time.
func (m *march) settle(ctx context.Context, a grid.Batch, times []float64) ([][]float64, error) {
	m.s.between(0, math.Inf(1))
	v := m.begin(m.s, m.start, a)
	n := newNewton(m.s)
	if guess := m.guess(ctx, n, a); guess != nil {
		v = guess
	}
	if err := m.iterate(ctx, n, v, settled*m.Problem.Tolerance); err != nil {
		return nil, err
	}
	if err := n.check(v); err != nil {
		return nil, m.unsolved(ctx, err)
	}
	tail := m.s.tail(v)
	if tail > max(endTail, m.Problem.Tolerance) {
		do := fmt.Sprintf("raise input.alpha, so that inputs are smoother, or set equation.tolerance = %.0e to accept that error",
			powerOfTenAbove(tail))
		return nil, m.ending(m.describeTail(tail), do)
	}
	m.reached = times[len(times)-1]
	return slices.Repeat([][]float64{v}, len(times)), nil
}

// iterate replaces v by the steady state, up to steps of a size relative to the solution.
func (m *march) iterate(ctx context.Context, n *newton, v []float64, tolerance float64) error {
	residual := make([]float64, len(v))
	step := make([]float64, len(v))
	n.residual(residual, v)
	isSettled := false
	last := math.Inf(1) // step, relative to the solution
	for iteration := 0; !isSettled; iteration++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		m.steps++
		if !grid.Finite(residual...) {
			return m.ending("is not finite", "change equation.initial, from which the iteration begins, or lower input.scale")
		}
		if iteration == mostNewton {
			return m.ending(fmt.Sprintf("is not found by Newton's method in %d iterations", mostNewton),
				"set equation.initial to an expression near the solution, or lower input.scale")
		}
		relative := n.relativeResidual(last, tolerance)
		if err := n.solve(ctx, step, v, residual, relative, iteration == 0); err != nil {
			return m.unsolved(ctx, err)
		}
		scales := n.solutionNorms(v)
		shares := n.descend(v, step, residual, scales)
		if iteration > 4 {
			tolerance = math.Max(tolerance, 1e-11) // rounding errors of high orders
		}
		sizes := normsOf(step)
		isSettled = haveSettled(shares, sizes, scales, tolerance)
		last = largestRatio(sizes, scales)
	}
	return nil
}

// guess returns a state with which Newton's method begins on the square: the solution with the fewest functions, from the initial
// value, which costs much less. It returns nil if there is none, or if one step is enough anyway.
func (m *march) guess(ctx context.Context, n *newton, a grid.Batch) []float64 {
	fewest := m.sizes()[0]
	isFewest := m.s.axes[0].n <= fewest|1 // periodic axes have an odd number
	if n.isLinear || len(m.s.axes) == 1 || isFewest {
		return nil
	}
	const tolerance = 1e-4 // the guess has an error anyway
	coarse := *m
	coarse.s, coarse.start = m.at(fewest)
	coarse.s.between(0, math.Inf(1))
	v := m.begin(coarse.s, coarse.start, a)
	ofCoarse := newNewton(coarse.s)
	ofCoarse.isGuess = true
	if err := coarse.iterate(ctx, ofCoarse, v, tolerance); err != nil {
		return nil
	}
	return m.s.prolonged(coarse.s, v)
}

// prolonged returns the state of a space with fewer functions as one of this space, which contains them.
func (s *stepper) prolonged(from *stepper, v []float64) []float64 {
	out := s.newState()
	for f := range s.Fields {
		field := s.fields[f]
		coarse := from.fields[f]
		between := field.pairOf(func(axis int, b *basis) *mat.Dense {
			ofCoarse := coarse.bases[axis]
			ofSameFunctions := b.z.Slice(0, ofCoarse.n, 0, b.modes())
			return transposedProduct(mat.DenseCopyOf(ofSameFunctions), ofCoarse.z)
		})
		s.apply(field.of(out), between, coarse.of(v))
	}
	return out
}

// unsolved returns the error of a step of Newton's method that was not found, or that of ctx.
func (m *march) unsolved(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return m.ending(err.Error(), "add a term such as -0.1*u, hold a value at a side, or change equation.initial")
}
