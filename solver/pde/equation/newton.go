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
