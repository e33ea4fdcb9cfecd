// This file lifts the values of conditions to functions that satisfy them.

package equation

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// between keeps the times of lifts and forces within an interval, at whose ends they may jump.
func (p *space) between(from, until float64) {
	margin := 1e-12 * until
	p.from = from + margin
	p.until = until - margin
}

// moveTo sets the lifts and their force for a time.
func (p *space) moveTo(t float64) {
	t = math.Min(math.Max(t, p.from), p.until)
	if p.clocked != nil && p.clocked[0] != t {
		for i := range p.clocked {
			p.clocked[i] = t
		}
	}
	if p.time == t || p.static && !math.IsNaN(p.time) {
		return
	}
	p.time = t
	clear(p.lifts)
	clear(p.force)
	p.lifted = p.liftsOf(t, func(c condition) poly { return c.value })
	if !slices.ContainsFunc(p.lifted, func(l []float64) bool { return l != nil }) {
		return
	}
	p.forceOf(t)
}

// liftsOf returns the coefficients of lifts at a time, by field; nil for fields whose conditions have no values.
func (p *space) liftsOf(t float64, value func(condition) poly) [][]float64 {
	lifts := make([][]float64, len(p.Fields))
	for f := range p.Fields {
		if len(p.axes) == 1 {
			lifts[f] = p.liftOnInterval(f, t, value)
		} else {
			lifts[f] = p.liftOnSquare(f, t, value)
		}
	}
	return lifts
}

// liftOnInterval returns coefficients of the lift of a field, n x block.
func (p *space) liftOnInterval(f int, t float64, value func(condition) poly) []float64 {
	conditions := p.conditionsOf(f, 0)
	if p.isJoint() {
		conditions = p.conditions
	}
	if !slices.ContainsFunc(conditions, func(c condition) bool { return len(value(c)) > 0 }) {
		return nil
	}
	b := p.fields[f].bases[0]
	lift := make([]float64, b.n*block)
	for k, c := range conditions {
		for l := range block {
			g := value(c).evaluate(p.on(c.side, 0, 0, t, l))
			if g == 0 {
				continue
			}
			for j := range b.n {
				lift[j*block+l] += b.lift.At(j, k) * g
			}
		}
	}
	return lift
}

// isJoint reports whether conditions join fields, which have common coordinates then.
func (p *space) isJoint() bool {
	return len(p.Fields) > 1 && p.fields[0].first == p.fields[1].first
}

// on returns the values of atoms on a side, at the point i along it, for one function.
func (p *space) on(s side, i int, along, t float64, lane int) func(*atom) float64 {
	return func(a *atom) float64 {
		switch {
		case a.kind == givenAtom:
			return along
		case p.isTime(a):
			return t
		}
		return p.traces[s.key][i*block+lane]
	}
}

// setTraces sets the values of the coefficient on all sides, at the points along them.
func (p *stepper) setTraces() {
	p.traces = map[string][]float64{}
	for _, side := range sides[:2*len(p.axes)] {
		across := p.axes[side.axis]
		if across.periodic {
			continue
		}
		m := pair{0: mat.NewDense(1, across.n, across.atEnd(0, side.far))}
		points := 1
		if len(p.axes) == 2 {
			along := p.axes[1-side.axis]
			m[1-side.axis] = along.values
			m[side.axis] = mat.NewDense(1, across.n, across.atEnd(0, side.far))
			points = along.n
		}
		values := make([]float64, points*block)
		p.apply(values, m, p.coefficient)
		p.traces[side.key] = values
	}
}

// liftOnSquare returns coefficients of the lift of a field, n x n x block: it satisfies the conditions along x, and then
// those along y, whose values are reduced by what the first part has there. The rest of a value that does not satisfy the
// conditions along x, because two sides disagree at their corner, is approximated by functions that do.
func (p *space) liftOnSquare(f int, t float64, value func(condition) poly) []float64 {
	all := slices.Concat(p.conditionsOf(f, 0), p.conditionsOf(f, 1))
	if !slices.ContainsFunc(all, func(c condition) bool { return len(value(c)) > 0 }) {
		return nil
	}
	bases := p.fields[f].bases
	n := [2]int{p.axes[0].n, p.axes[1].n}
	lift := make([]float64, n[0]*n[1]*block)
	for axis := range 2 {
		along := p.axes[1-axis]
		stride := [2]int{n[1], 1}
		for k, c := range p.conditionsOf(f, axis) {
			values := make([]float64, along.n*block) // of the condition, at points along the side
			for i, x := range along.points {
				for l := range block {
					values[i*block+l] = value(c).evaluate(p.on(c.side, i, x, t, l))
				}
			}
			g := make([]float64, along.n*block) // coefficients
			p.apply(g, pair{along.coefficients}, values)
			if axis == 1 {
				p.subtract(g, lift, c)
				g = bases[0].satisfying(g)
			}
			for i := range n[axis] {
				w := bases[axis].lift.At(i, k)
				for j := range along.n {
					at := (i*stride[axis] + j*stride[1-axis]) * block
					if w != 0 {
						floats.AddScaled(lift[at:at+block], w, g[j*block:(j+1)*block])
					}
				}
			}
		}
	}
	return lift
}

// subtract takes what a function on the square has at a side along y from the coefficients along that side.
func (p *space) subtract(g, function []float64, c condition) {
	n := [2]int{p.axes[0].n, p.axes[1].n}
	row := make([]float64, n[1])
	for _, t := range c.terms {
		floats.AddScaled(row, t.c, p.axes[1].atEnd(t.op.y, c.far))
	}
	for i := range n[0] {
		for j, w := range row {
			floats.AddScaled(g[i*block:(i+1)*block], -w, function[(i*n[1]+j)*block:(i*n[1]+j+1)*block])
		}
	}
}

// satisfying returns the nearest function that satisfies the homogeneous conditions, as coefficients, n x block.
func (b *basis) satisfying(function []float64) []float64 {
	coordinates := make([]float64, b.modes()*block)
	linalg.Columns(coordinates, b.fromLift().RawMatrix().Data, b.modes(), b.n, function, block)
	nearest := make([]float64, b.n*block)
	linalg.Columns(nearest, b.z.RawMatrix().Data, b.n, b.modes(), coordinates, block)
	return nearest
}

// liftAt returns the values at the points of a derivative of the lift of a field; nil for 0.
func (p *space) liftAt(field int, op operator) []float64 {
	if field >= len(p.lifted) || p.lifted[field] == nil {
		return nil
	}
	op.mean = false
	key := single(&atom{kind: fieldAtom, index: field, op: op}, 0)[0].key
	values := p.lifts[key]
	if values == nil {
		values = make([]float64, block*p.n)
		p.apply(values, p.valuesOf(op), p.lifted[field])
		p.lifts[key] = values
	}
	return values
}

// valuesOf returns the matrices that evaluate a derivative at the points from coefficients.
func (p *space) valuesOf(op operator) pair {
	if known, ok := p.derivatives[op]; ok {
		return known
	}
	var m pair
	for k, a := range p.axes {
		var values mat.Dense
		values.Mul(a.values, a.powers[op.along(k)])
		m[k] = &values
	}
	p.derivatives[op] = m
	return m
}

// forceOf adds what the linear part, as far as it is not in the rest, makes of the lifts, less their rates.
func (p *space) forceOf(t float64) {
	values := p.pointwise
	add := func(row int, c float64, m pair, of []float64) {
		clear(values)
		p.apply(values, m, of)
		floats.Scale(c, values)
		p.project(p.force, row, operator{}, values)
	}
	if p.terms == nil {
		p.terms = p.implicit()
	}
	for _, term := range p.terms {
		if lift := p.lifted[term.field]; lift != nil {
			add(term.row, term.c, term.matrices, lift)
		}
	}
	rates := p.liftsOf(t, func(c condition) poly { return c.slope })
	for i := range p.Fields {
		for _, m := range p.massOf(i) {
			if rate := rates[m.field]; rate != nil && !p.isOrthogonal(m.field) {
				add(i, -m.c, p.valuesOf(m.op), rate)
			}
		}
	}
}

// isOrthogonal reports whether the lift of a field is orthogonal to its modes, so that its rate does not count.
func (p *space) isOrthogonal(field int) bool {
	return slices.ContainsFunc(p.conditions, func(c condition) bool {
		return (c.field == field || p.isJoint()) && c.value.jumps()
	})
}

// implicitTerm is a term of the linear part.
type implicitTerm struct {
	row, field int
	c          float64
	matrices   pair // from coefficients to values at the points
}

// implicit returns the terms of the linear part that are not in the rest.
func (p *space) implicit() []implicitTerm {
	var terms []implicitTerm
	for i := range p.Fields {
		for _, t := range p.rows[i].linear {
			if t.field < len(p.Fields) && !p.isExplicit(i, t) {
				terms = append(terms, implicitTerm{i, t.field, t.c, p.valuesOf(t.op)})
			}
		}
		if p.matrix == nil {
			continue
		}
		for _, q := range p.rows[i].rest {
			f, linear := p.linearFactor(q)
			if !linear || q.op.mean || f.op.mean {
				continue
			}
			_, factor := q.term.split()
			given := p.newPlan().givenBlock(poly{factor})
			weights := make([]float64, p.n)
			for k := range weights {
				weights[k] = given[block*k]
			}
			a := p.axes[0]
			var scaled, coefficients, values mat.Dense
			scaled.Mul(mat.NewDiagDense(p.n, weights), p.valuesOf(f.op)[0])
			coefficients.Mul(a.coefficients, &scaled)
			values.Mul(p.valuesOf(q.op)[0], &coefficients)
			terms = append(terms, implicitTerm{i, f.index, 1, pair{&values}})
		}
	}
	return terms
}

// isExplicit reports whether a linear term is in the rest.
func (p *space) isExplicit(i int, t linearTerm) bool {
	return slices.ContainsFunc(p.explicit[i], func(q product) bool { return q.term.key == t.product().term.key && q.op == (operator{}) })
}
