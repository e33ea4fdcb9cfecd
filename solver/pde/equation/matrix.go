// This file sets the linear part between the ends of an interval as one matrix over the state, where no modes make it
// diagonal.

package equation

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/solver/space/grid"
)

// setMatrix sets the linear part, with coefficients in x, as one matrix over the state of the interval.
func (p *space) setMatrix() {
	for f := range p.fields {
		p.fields[f].bases[0].finish(p.highestOrder())
	}
	p.matrix = mat.NewDense(p.size, p.size, nil)
	given := p.newPlan().givenBlock
	for i := range p.Fields {
		var rest []product
		for _, t := range p.rows[i].linear {
			if t.field >= len(p.Fields) || t.op.mean {
				rest = append(rest, t.product())
				continue
			}
			var m mat.Dense
			m.Mul(p.fields[i].bases[0].from[0], p.fields[t.field].bases[0].at[t.op.x])
			p.addBlock(p.matrix, i, t.field, t.c, &m)
		}
		for _, q := range p.rows[i].rest {
			f, linear := p.linearFactor(q)
			if !linear || q.op.mean || f.op.mean {
				rest = append(rest, q)
				continue
			}
			p.addWeighted(i, f, q, given)
		}
		p.explicit = append(p.explicit, rest)
	}
	p.setInverse()
}

// addWeighted adds a term of row i that is linear in a field, with a coefficient in x, to the matrix.
func (p *space) addWeighted(i int, f atom, q product, given func(poly) []float64) {
	_, factor := q.term.split()
	values := given(poly{factor})
	p.rows[i].failIf(!grid.Finite(values...), q.term.at, "", "the coefficient is not finite on the interval")
	weights := make([]float64, p.n)
	for k := range weights {
		weights[k] = values[block*k]
	}
	var weighted, m mat.Dense
	weighted.Mul(mat.NewDiagDense(p.n, weights), p.fields[f.index].bases[0].at[f.op.x])
	m.Mul(p.fields[i].bases[0].from[q.op.x], &weighted)
	p.addBlock(p.matrix, i, f.index, 1, &m)
}

// addBlock adds a multiple of the matrix from the coordinates of field g to those of row i.
func (p *space) addBlock(to *mat.Dense, i, g int, c float64, m *mat.Dense) {
	rows, columns := p.fields[i], p.fields[g]
	part := to.Slice(rows.first, rows.first+rows.modes, columns.first, columns.first+columns.modes).(*mat.Dense)
	var scaled mat.Dense
	scaled.Scale(c, m)
	part.Add(part, &scaled)
}

// setInverse inverts the operators on the rates, if there are any, and applies the inverse to the matrix.
func (p *space) setInverse() {
	if !slices.ContainsFunc(p.rows[:len(p.Fields)], func(r row) bool { return r.mass != nil }) {
		return
	}
	mass := mat.NewDense(p.size, p.size, nil)
	for i := range p.Fields {
		terms := p.rows[i].mass
		if terms == nil {
			terms = []linearTerm{{c: 1, field: i}}
		}
		for _, t := range terms {
			var m mat.Dense
			m.Mul(p.fields[i].bases[0].from[0], p.fields[t.field].bases[0].at[t.op.x])
			p.addBlock(mass, i, t.field, t.c, &m)
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
