// This file solves for steady states by Newton's method, on the modes of between.go.

package equation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
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

// order returns the highest order of a derivative of a field in the polynomial; see term.order.
func (p poly) order(field int) int {
	order := none
	for _, t := range p {
		order = max(order, t.order(field))
	}
	return order
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
	s.limit = s.Points
	newSpace(s, spaceSizes(s.domain.Dims)[0]) // refuses conditions that cannot hold together
}

// directionOf is added to the number of a field in atoms of a small change of it.
const directionOf = 100

// linearised returns the derivative of an expression in the direction of small changes of all fields, by the product rule.
func (s *evolution) linearised(p poly) poly {
	var sum []term
	for _, t := range p {
		for i, f := range t.factors {
			others := t.besides(i)
			for _, d := range s.change(f.atom, t.at) {
				sum = append(sum, others.times(d))
			}
		}
	}
	return collect(sum)
}

// change returns the derivative of an atom in the direction of small changes of all fields.
func (s *evolution) change(a *atom, at int) poly {
	switch {
	case s.isOfSolution(a):
		return derivativeOf(a.index+directionOf, a.op, at)
	case a.kind == funcAtom:
		return multiplied(a.slope(), s.linearised(a.arg))
	case a.kind == operAtom:
		return apply(a.op, s.linearised(a.arg), at)
	}
	return nil
}

// newton holds what Newton's method needs for one resolution.
type newton struct {
	*stepper
	plan *plan
	sums []restSum   // the rest, linearised
	both [][]float64 // coordinates of the fields, and from directionOf on of the direction
}

// newNewton linearises the rest of an equation.
func newNewton(s *stepper) *newton {
	n := &newton{
		stepper: s,
		plan:    s.newPlan(),
		both:    make([][]float64, directionOf+len(s.Fields)),
	}
	for _, sum := range s.sums {
		values := s.newBlock()
		n.plan.compute(s.linearised(sum.terms), values)
		n.sums = append(n.sums, restSum{
			operatorSum: operatorSum{op: sum.op},
			field:       sum.field,
			values:      values,
		})
	}
	return n
}

// linear adds A v to out.
func (s *stepper) linear(out, v []float64) {
	if s.matrix != nil {
		s.multiply(out, s.matrix, v)
		return
	}
	for _, part := range s.parts {
		for i, row := range part.fields {
			for j, column := range part.fields {
				symbol := part.symbol[i][j]
				if symbol == nil {
					continue
				}
				to := s.fields[row].of(out)
				from := s.fields[column].of(v)
				for k, x := range from {
					to[k] += symbol[k/block] * x
				}
			}
		}
	}
}

// residual writes A v + F + N(v) to out.
func (n *newton) residual(out, v []float64) {
	n.rate(out, v, 0)
	n.linear(out, v)
}

// derivative writes the derivative of the residual at v in a direction to out.
func (n *newton) derivative(out, v, direction []float64) {
	clear(out)
	n.linear(out, direction)
	copy(n.both, n.views(v, n.coefficient))
	for i, f := range n.fields[:len(n.Fields)] {
		n.both[directionOf+i] = f.of(direction)
	}
	n.plan.toPoints(n.both)
	for _, sum := range n.sums {
		op := sum.op
		if op.mean {
			n.average(sum.values)
			op.mean = false
		}
		n.project(out, sum.field, op, sum.values)
	}
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
	residual := make([]float64, len(v))
	step := make([]float64, len(v))
	n.residual(residual, v)
	isSettled := false
	for iteration := 0; !isSettled; iteration++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.steps++
		if !grid.Finite(residual...) {
			return nil, m.ending("is not finite", "change equation.initial, from which the iteration begins, or lower input.scale")
		}
		if iteration == mostNewton {
			return nil, m.ending(fmt.Sprintf("is not found by Newton's method in %d iterations", mostNewton),
				"set equation.initial to an expression near the solution, or lower input.scale")
		}
		if err := n.solve(ctx, step, v, residual); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, m.ending(err.Error(), "add a term such as -0.1*u, hold a value at a side, or change equation.initial")
		}
		scales := n.solutionNorms(v)
		shares := n.descend(v, step, residual, scales)
		tolerance := settled * m.Problem.Tolerance
		if iteration > 4 {
			tolerance = math.Max(tolerance, 1e-11) // rounding errors of high orders
		}
		isSettled = haveSettled(shares, normsOf(step), scales, tolerance)
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

// solutionNorms returns the norm of each function with its lifts.
func (s *stepper) solutionNorms(v []float64) [block]float64 {
	norms := normsOf(v)
	for l, norm := range norms {
		norms[l] = math.Sqrt(norm*norm + s.liftNorm(l))
	}
	return norms
}

// descend subtracts from each function of v the share of its step with which its residual falls: all of it, or a half, a
// quarter and so on. It writes the residual there to residual and returns the shares. Steps that are short on the scale of
// the function are taken whole, because rounding errors may hide that the residual falls.
func (n *newton) descend(v, step, residual []float64, scales [block]float64) (shares [block]float64) {
	for l := range shares {
		shares[l] = 1
	}
	sizes := normsOf(step)
	before := normsOf(residual)
	trial := make([]float64, len(v))
	for halvings := 0; ; halvings++ {
		for i := range v {
			trial[i] = v[i] - shares[i%block]*step[i]
		}
		n.residual(residual, trial)
		after := normsOf(residual)
		isDone := true
		for l, share := range shares {
			isClose := sizes[l] <= closeStep*scales[l]
			falls := after[l] <= before[l]*(1-share/4)
			if !isClose && !falls && halvings < mostNewtonHalvings {
				shares[l] /= 2
				isDone = false
			}
		}
		if isDone {
			copy(v, trial)
			return shares
		}
	}
}

// haveSettled reports whether all functions took whole steps, of sizes that are small on their scales.
func haveSettled(shares, sizes, scales [block]float64, tolerance float64) bool {
	for l, share := range shares {
		isSmall := sizes[l] <= tolerance*scales[l]+1e-14
		if share != 1 || !isSmall {
			return false
		}
	}
	return true
}

// normsOf returns the norm of each function of a state.
func normsOf(v []float64) (norms [block]float64) {
	for i, x := range v {
		norms[i%block] += x * x
	}
	for l := range norms {
		norms[l] = math.Sqrt(norms[l])
	}
	return norms
}

// mostDense is the number of unknowns up to which linear systems of the square are solved by elimination.
const mostDense = 260

// solve writes the step of Newton's method to step: the solution of J step = residual.
func (n *newton) solve(ctx context.Context, step, v, residual []float64) error {
	if len(n.axes) == 1 || n.size <= mostDense {
		return n.eliminate(step, v, residual)
	}
	return n.iterate(ctx, step, v, residual)
}

// eliminate solves with a matrix for each function, whose columns are the derivatives in the direction of each unknown.
func (n *newton) eliminate(step, v, residual []float64) error {
	for lane, system := range n.jacobians(v) {
		b := mat.NewVecDense(n.size, nil)
		for i, scale := range n.scales(system) {
			if scale > 0 {
				floats.Scale(1/scale, system.RawRowView(i))
				b.SetVec(i, residual[i*block+lane]/scale)
			}
		}
		var lu mat.LU
		lu.Factorize(system)
		x := mat.NewVecDense(n.size, nil)
		err := lu.SolveVecTo(x, false, b)
		condition := lu.Cond()
		isDetermined := condition < mostCondition
		if err != nil || !isDetermined {
			return &singular{condition}
		}
		for i := range n.size {
			step[i*block+lane] = x.AtVec(i)
		}
	}
	return nil
}

// jacobians returns the derivative of the residual at each function of v, size x size.
func (n *newton) jacobians(v []float64) (systems [block]*mat.Dense) {
	for l := range systems {
		systems[l] = mat.NewDense(n.size, n.size, nil)
	}
	direction := make([]float64, len(v)) // of unknown j, for all functions
	column := make([]float64, len(v))
	for j := range n.size {
		ofUnknown := direction[j*block : (j+1)*block]
		for l := range ofUnknown {
			ofUnknown[l] = 1
		}
		n.derivative(column, v, direction)
		clear(ofUnknown)
		for i := range n.size {
			for l, system := range systems {
				system.Set(i, j, column[i*block+l])
			}
		}
	}
	return systems
}

// mostCondition is the condition of a scaled system above which a solution is not determined: it is below 1e6 for those that
// are, and above 1e10 by rounding errors alone for those that are not.
const mostCondition = 1e9

// scales returns the sizes of the rows of a system. They grow with the order of the equation from slow to fast modes, so that
// a row that is smaller by far belongs to a function that the equation does not determine, and counts as small.
func (n *newton) scales(system *mat.Dense) []float64 {
	norms := make([]float64, n.size)
	for i := range norms {
		norms[i] = mat.Norm(system.RowView(i), 2)
	}
	for f, field := range n.fields[:len(n.Fields)] {
		order := max(n.evolution.derivatives(f, 0), n.evolution.derivatives(f, 1))
		ofField := norms[field.first : field.first+field.modes]
		growth := make([]float64, field.modes) // of rows from slow to fast modes
		ratios := make([]float64, field.modes)
		for k, norm := range ofField {
			mode := field.modeOf(k)
			growth[k] = math.Pow(float64(mode[0]+mode[1]+1), float64(order))
			ratios[k] = norm / growth[k]
		}
		slices.Sort(ratios)
		typical := ratios[len(ratios)/2]
		for k, g := range growth {
			ofField[k] = math.Max(ofField[k], typical*g)
		}
	}
	return norms
}

// singular is the error of an equation whose solution is not unique.
type singular struct{ condition float64 }

// Error implements error.
func (e *singular) Error() string {
	return fmt.Sprintf("is not determined: the equation, linearised, has the condition %.1g, so that a function can be added to a solution", e.condition)
}
