// This file sets the linear part between the ends of an interval as one matrix over the state, where no modes make it
// diagonal.

package equation

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grid"
)

// basisOf returns the modes of a field on the interval.
func (p *space) basisOf(field int) *basis { return p.fields[field].bases[0] }

// setMatrix sets the linear part, with coefficients in x, as one matrix over the state of the interval. What it does not
// hold, means and terms that are not linear in the solution, stays in the rest.
func (p *space) setMatrix() {
	for f := range p.fields {
		p.basisOf(f).finish(p.highestOrder())
	}
	p.matrix = mat.NewDense(p.size, p.size, nil)
	coefficients := p.newPlan()
	for i := range p.Fields {
		var rest []product
		for _, t := range p.rows[i].linear {
			isOnSolution := t.field < len(p.Fields)
			if isOnSolution && !t.op.mean {
				p.addLinear(p.matrix, i, t)
			} else {
				rest = append(rest, t.product())
			}
		}
		for _, q := range p.rows[i].rest {
			f, isLinear := p.linearFactor(q)
			if isLinear && !q.op.mean && !f.op.mean {
				p.addWeighted(i, f, q, coefficients)
			} else {
				rest = append(rest, q)
			}
		}
		p.explicit = append(p.explicit, rest)
	}
	p.setInverse()
}

// addLinear adds a linear term of row i to a matrix over the state.
func (p *space) addLinear(to *mat.Dense, i int, t linearTerm) {
	fromPoints := p.basisOf(i).from[0]
	derivative := p.basisOf(t.field).at[t.op.x]
	var m mat.Dense
	m.Mul(fromPoints, derivative)
	if t.op == alongAxis(0, 2) {
		p.basisOf(t.field).withoutSlopes(&m, p.basisOf(i))
	}
	p.addBlock(to, i, t.field, t.c, &m)
}

// addWeighted adds a term of row i that is linear in a field, with a coefficient in x that the plan evaluates, to the
// matrix.
func (p *space) addWeighted(i int, f atom, q product, coefficients *plan) {
	weights := p.weightsOf(q, coefficients)
	p.rows[i].failIf(!grid.Finite(weights...), q.term.at, "", "the coefficient is not finite on the interval")
	fromPoints := p.basisOf(i).from[q.op.x]
	derivative := p.basisOf(f.index).at[f.op.x]
	var weighted, m mat.Dense
	weighted.Mul(mat.NewDiagDense(p.n, weights), derivative)
	m.Mul(fromPoints, &weighted)
	p.addBlock(p.matrix, i, f.index, 1, &m)
}

// weightsOf returns the factors in x of a product at the points, which the plan evaluates.
func (p *space) weightsOf(q product, coefficients *plan) []float64 {
	_, factor := q.term.split()
	values := coefficients.givenBlock(poly{factor}) // n x block, the same for all functions
	weights := make([]float64, p.n)
	for k := range weights {
		weights[k] = values[block*k]
	}
	return weights
}

// addBlock adds c times a matrix from the coordinates of field g to those of field i to a matrix over the state.
func (p *space) addBlock(to *mat.Dense, i, g int, c float64, m *mat.Dense) {
	row := p.fields[i]
	column := p.fields[g]
	part := to.Slice(
		row.first, row.first+row.modes,
		column.first, column.first+column.modes,
	).(*mat.Dense)
	var scaled mat.Dense
	scaled.Scale(c, m)
	part.Add(part, &scaled)
}

// setInverse inverts the operators on the rates, if there are any, and applies the inverse to the matrix.
func (p *space) setInverse() {
	hasMass := slices.ContainsFunc(p.rows[:len(p.Fields)], func(r row) bool { return r.mass != nil })
	if !hasMass {
		return
	}
	mass := mat.NewDense(p.size, p.size, nil)
	for i := range p.Fields {
		for _, t := range p.massOf(i) {
			p.addLinear(mass, i, t)
		}
	}
	p.inverse = mat.NewDense(p.size, p.size, nil)
	if err := p.inverse.Inverse(mass); err != nil {
		p.rows[0].fail(0, "change a coefficient or a condition", "the operator on the rates has no inverse with these conditions")
	}
	var product mat.Dense
	product.Mul(p.inverse, p.matrix)
	p.matrix = &product
}
