// This file takes steps of Newton's method: it linearises the rest and solves for the step.

package equation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

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
	plan        *plan
	sums        []restSum   // the rest, linearised
	both        [][]float64 // coordinates of the fields, and from directionOf on of the direction
	fluxChanges []poly      // by flux, linearised
	isLinear    bool        // whether the derivative does not depend on the solution
	isConstant  bool        // nor on the coefficient that is drawn
	isGuess     bool        // whether the solution may be any, so that nothing is solved by elimination
}

// newNewton linearises the rest of an equation.
func newNewton(s *stepper) *newton {
	n := &newton{
		stepper: s,
		plan:    s.newPlan(),
		both:    make([][]float64, directionOf+len(s.Fields)),
	}
	n.isLinear = true
	n.isConstant = true
	isOfState := func(a *atom) bool { return a.kind == fieldAtom && a.index < directionOf && !s.isTime(a) }
	for _, flux := range s.fluxes {
		n.isLinear = false
		n.isConstant = false
		n.fluxChanges = append(n.fluxChanges, s.linearised(flux.flux))
	}
	for _, sum := range s.sums {
		values := s.newBlock()
		terms := s.linearised(sum.terms)
		for _, t := range terms {
			n.isLinear = n.isLinear && !t.has(s.isOfSolution)
			n.isConstant = n.isConstant && !t.has(isOfState)
		}
		n.plan.compute(terms, values)
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
	n.addFluxChanges(out, v, direction)
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

// largestRatio returns the largest size on the scale of its function.
func largestRatio(sizes, scales [block]float64) float64 {
	largest := 0.0
	for l, size := range sizes {
		largest = math.Max(largest, size/(scales[l]+1e-300))
	}
	return largest
}

// normsOf returns the norm of each function of a state.
func normsOf(v []float64) (norms [block]float64) {
	squares := innerProducts(v, v)
	for l, square := range squares {
		norms[l] = math.Sqrt(square)
	}
	return norms
}

// mostDense is the number of unknowns up to which linear systems of the square are solved by elimination, at first and at the
// solution, which so is known to be determined.
const mostDense = 260

// isDense reports whether the systems are solved by elimination.
func (n *newton) isDense() bool { return n.size <= mostDense && !n.isGuess }

// check returns an error if one of the solutions v of a block is not determined and elimination finds out.
func (n *newton) check(v []float64) error {
	isChecked := len(n.axes) == 1 || n.isConstant
	if isChecked || !n.isDense() {
		return nil
	}
	for _, system := range n.jacobians(v) {
		if err := n.factor(system).check(); err != nil {
			return err
		}
	}
	return nil
}

// The residuals, relative to the right-hand side, at which linear systems are solved. A step need not be better than what it
// leaves, which is of the size of its square, nor than the solution that is asked for.
const (
	smallestResidual = 1e-11
	largestResidual  = 1e-3
	residualShare    = 0.1 // of the last step, relative to the solution, or of the error that is asked for in that of the next
)

// relativeResidual returns the residual at which the next system is solved, after a step of a size relative to the solution, for a
// solution with an error of a tolerance.
func (n *newton) relativeResidual(last, tolerance float64) float64 {
	if n.isLinear {
		return smallestResidual
	}
	next := last * last // by quadratic convergence
	relative := residualShare * math.Max(last, tolerance/next)
	return math.Min(largestResidual, math.Max(smallestResidual, relative))
}

// solve writes the step of Newton's method to step: the solution of J step = residual, up to a residual relative to the right-hand
// side where it is found by iteration. On the square, the first step is found by elimination.
func (n *newton) solve(ctx context.Context, step, v, residual []float64, relative float64, isFirst bool) error {
	if len(n.axes) == 1 || n.isDense() && (isFirst || n.isConstant) {
		return n.eliminate(step, v, residual)
	}
	err := n.iterate(ctx, step, v, residual, relative)
	if n.isDense() && err != nil && ctx.Err() == nil {
		return n.eliminate(step, v, residual)
	}
	return err
}

// eliminate solves with a matrix for each function, whose columns are the derivatives in the direction of each unknown, or with
// one for all if they are equal.
func (n *newton) eliminate(step, v, residual []float64) error {
	if n.isConstant {
		if n.constant == nil {
			n.constant = n.factor(n.jacobians(v)[0])
		}
		return n.constant.solve(step, residual, 0, block)
	}
	n.budget.spend(n.workOfElimination())
	for lane, system := range n.jacobians(v) {
		if err := n.factor(system).solve(step, residual, lane, lane+1); err != nil {
			return err
		}
	}
	return nil
}

// factoredSystem is a linear system of Newton's method, size x size, whose rows are divided by their scales.
type factoredSystem struct {
	lu     mat.LU
	scales []float64 // 0: none
}

// factor factors a system, which is lost.
func (n *newton) factor(system *mat.Dense) *factoredSystem {
	f := &factoredSystem{scales: n.scales(system)}
	for i, scale := range f.scales {
		if scale > 0 {
			floats.Scale(1/scale, system.RawRowView(i))
		}
	}
	f.lu.Factorize(system)
	return f
}

// check returns an error if the solution is not determined.
func (f *factoredSystem) check() error {
	condition := f.lu.Cond()
	isDetermined := condition < mostCondition
	if !isDetermined {
		return &singular{condition}
	}
	return nil
}

// solve writes the solutions for functions from one to before another of a block, size x block, to step.
func (f *factoredSystem) solve(step, residual []float64, from, to int) error {
	if err := f.check(); err != nil {
		return err
	}
	size := len(f.scales)
	right := mat.NewDense(size, to-from, nil)
	for i, scale := range f.scales {
		if scale == 0 {
			continue
		}
		for l := from; l < to; l++ {
			right.Set(i, l-from, residual[i*block+l]/scale)
		}
	}
	if err := f.lu.SolveTo(right, false, right); err != nil {
		return &singular{f.lu.Cond()}
	}
	for i := range size {
		for l := from; l < to; l++ {
			step[i*block+l] = right.At(i, l-from)
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
	return fmt.Sprintf("is not determined: the linearised equation is singular (condition number %.1g), so that a function can be added to a solution", e.condition)
}
