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

// within returns the nearest time that is within the interval.
func (p *space) within(t float64) float64 { return math.Min(math.Max(t, p.from), p.until) }

// moveTo sets the lifts and their force for a time.
func (p *space) moveTo(t float64) {
	t = p.within(t)
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
	p.liftNorms = nil
	p.lifted = p.liftsOf(t, condition.given)
	isLifted := slices.ContainsFunc(p.lifted, func(lift []float64) bool { return lift != nil })
	if isLifted {
		p.forceOf(t)
	}
}

// valueOf returns what a lift gives to a condition: its value, or the rate of that.
type valueOf func(condition) poly

// given returns the value of a condition.
func (c condition) given() poly { return c.value }

// rate returns the rate of the value of a condition.
func (c condition) rate() poly { return c.slope }

// isZero reports whether all values are zero.
func (v valueOf) isZero(conditions []condition) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return len(v(c)) > 0 })
}

// liftsOf returns the coefficients of lifts at a time, by field, as blocks; nil for fields whose conditions have no values.
func (p *space) liftsOf(t float64, value valueOf) [][]float64 {
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
func (p *space) liftOnInterval(f int, t float64, value valueOf) []float64 {
	conditions := p.conditionsOf(f, 0)
	if p.isJoint() {
		conditions = p.conditions
	}
	conditions = withoutFluxes(conditions)
	if value.isZero(conditions) {
		return nil
	}
	b := p.fields[f].bases[0]
	lift := make([]float64, b.n*block)
	for k, c := range conditions {
		for l := range block {
			g := value(c).evaluate(p.on(sidePoint{side: c.side, time: t, lane: l}))
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

// sidePoint is where and when the value of a condition is evaluated, and for which function of the block.
type sidePoint struct {
	side  side
	point int     // along the side
	along float64 // its coordinate
	time  float64
	lane  int
}

// on returns the values of atoms at a point of a side.
func (p *space) on(at sidePoint) func(*atom) float64 {
	return func(a *atom) float64 {
		switch {
		case a.kind == givenAtom:
			return at.along
		case p.isTime(a):
			return at.time
		}
		return p.traces[at.side.key][at.point*block+at.lane]
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
		var toSide pair
		toSide[side.axis] = mat.NewDense(1, across.n, across.atEnd(0, side.far))
		points := 1
		if len(p.axes) == 2 {
			along := p.axes[1-side.axis]
			toSide[1-side.axis] = along.values
			points = along.n
		}
		values := make([]float64, points*block)
		p.apply(values, toSide, p.coefficient)
		p.traces[side.key] = values
	}
}

// liftOnSquare returns coefficients of the lift of a field, n x n x block: it satisfies the conditions along x, and then
// those along y, whose values are reduced by what the first part has there. The rest of a value that does not satisfy the
// conditions along x, because two sides disagree at their corner, is approximated by functions that do.
func (p *space) liftOnSquare(f int, t float64, value valueOf) []float64 {
	acrossX := p.conditionsOf(f, 0)
	acrossY := p.conditionsOf(f, 1)
	if value.isZero(slices.Concat(acrossX, acrossY)) {
		return nil
	}
	x := p.fields[f].bases[0]
	y := p.fields[f].bases[1]
	lift := make([]float64, x.n*y.n*block)
	for k, c := range acrossX {
		g := p.alongSide(c, t, value)
		for i := range x.n {
			w := x.lift.At(i, k)
			for j := range y.n {
				addScaledBlock(lift, i*y.n+j, w, g, j)
			}
		}
	}
	for k, c := range acrossY {
		g := p.alongSide(c, t, value)
		p.subtract(g, lift, c)
		g = x.satisfying(g)
		for i := range y.n {
			w := y.lift.At(i, k)
			for j := range x.n {
				addScaledBlock(lift, j*y.n+i, w, g, j)
			}
		}
	}
	return lift
}

// alongSide returns the coefficients, along the side, of the value of a condition, n x block.
func (p *space) alongSide(c condition, t float64, value valueOf) []float64 {
	along := p.axes[1-c.axis]
	values := make([]float64, along.n*block) // at the points
	for i, x := range along.points {
		for l := range block {
			at := sidePoint{side: c.side, point: i, along: x, time: t, lane: l}
			values[i*block+l] = value(c).evaluate(p.on(at))
		}
	}
	g := make([]float64, along.n*block)
	p.apply(g, pair{along.coefficients}, values)
	return g
}

// addScaledBlock adds w times the numbers in a row of src, one for each function, to a row of dst; both are rows x block.
func addScaledBlock(dst []float64, to int, w float64, src []float64, from int) {
	if w == 0 {
		return
	}
	d := dst[to*block : (to+1)*block]
	s := src[from*block : (from+1)*block]
	floats.AddScaled(d, w, s)
}

// subtract takes what a function on the square, coefficients n x n x block, has at a side along x from the coefficients g
// along that side, n x block.
func (p *space) subtract(g, function []float64, c condition) {
	x := p.axes[0]
	y := p.axes[1]
	row := make([]float64, y.n) // what the condition makes of each polynomial in y
	for _, t := range c.terms {
		floats.AddScaled(row, t.c, y.atEnd(t.op.y, c.far))
	}
	for i := range x.n {
		for j, w := range row {
			addScaledBlock(g, i, -w, function, i*y.n+j)
		}
	}
}

// satisfying returns the nearest function that satisfies the homogeneous conditions, as coefficients, n x block.
func (b *basis) satisfying(function []float64) []float64 {
	modes := b.modes()
	coordinates := make([]float64, modes*block)
	toCoordinates := b.fromLift().RawMatrix().Data // modes x n
	linalg.Columns(coordinates, toCoordinates, modes, b.n, function, block)
	nearest := make([]float64, b.n*block)
	toCoefficients := b.z.RawMatrix().Data // n x modes
	linalg.Columns(nearest, toCoefficients, b.n, modes, coordinates, block)
	return nearest
}

// liftedDerivative is a derivative of the lift of a field, of which space keeps the values at the points, as a block.
type liftedDerivative struct {
	field int
	op    operator
}

// liftAt returns the values at the points of a derivative of the lift of a field; nil for 0.
func (p *space) liftAt(field int, op operator) []float64 {
	isLifted := field < len(p.lifted) && p.lifted[field] != nil
	if !isLifted {
		return nil
	}
	op.mean = false // is taken of the sum of modes and lift
	key := liftedDerivative{field: field, op: op}
	values := p.lifts[key]
	if values == nil {
		values = p.newBlock()
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
		m[k] = matrixProduct(a.values, a.powers[op.along(k)])
	}
	p.derivatives[op] = m
	return m
}

// forceOf adds what the linear part, as far as it is not in the rest, makes of the lifts, less their rates.
func (p *space) forceOf(t float64) {
	if p.terms == nil {
		p.terms = p.implicit()
	}
	for _, term := range p.terms {
		if lift := p.lifted[term.field]; lift != nil {
			p.addForce(term, lift)
		}
	}
	rates := p.liftsOf(t, condition.rate)
	for i := range p.Fields {
		for _, m := range p.massOf(i) {
			rate := rates[m.field]
			if rate == nil || p.isOrthogonal(m.field) {
				continue
			}
			p.addForce(implicitTerm{
				row:      i,
				field:    m.field,
				c:        -m.c,
				matrices: p.valuesOf(m.op),
			}, rate)
		}
	}
}

// addForce adds what a term makes of coefficients of its field, n x block, to the force.
func (p *space) addForce(t implicitTerm, coefficients []float64) {
	values := p.pointwise
	clear(values)
	p.apply(values, t.matrices, coefficients)
	floats.Scale(t.c, values)
	p.project(p.force, t.row, operator{}, values)
}

// isOrthogonal reports whether the lift of a field is orthogonal to its modes, so that its rate does not count.
func (p *space) isOrthogonal(field int) bool {
	return slices.ContainsFunc(p.conditions, func(c condition) bool {
		isOwn := c.field == field || p.isJoint()
		return isOwn && c.value.jumps()
	})
}

// implicitTerm is a term of the linear part.
type implicitTerm struct {
	row      int
	field    int
	c        float64
	matrices pair // from coefficients of the field to values at the points, without c
}

// implicit returns the terms of the linear part that are not in the rest.
func (p *space) implicit() []implicitTerm {
	var terms []implicitTerm
	for i := range p.Fields {
		for _, t := range p.rows[i].linear {
			isOnSolution := t.field < len(p.Fields)
			if !isOnSolution || p.isExplicit(i, t) {
				continue
			}
			terms = append(terms, implicitTerm{
				row:      i,
				field:    t.field,
				c:        t.c,
				matrices: p.valuesOf(t.op),
			})
		}
		if p.matrix == nil {
			continue
		}
		for _, q := range p.rows[i].rest {
			f, isLinear := p.linearFactor(q)
			if !isLinear || q.op.mean || f.op.mean {
				continue
			}
			terms = append(terms, implicitTerm{
				row:      i,
				field:    f.index,
				c:        1,
				matrices: p.weightedValuesOf(f, q),
			})
		}
	}
	return terms
}

// weightedValuesOf returns the matrix that evaluates an operator on a multiple in x of a derivative at the points of the
// interval from coefficients of the field, n x n.
func (p *space) weightedValuesOf(f atom, q product) pair {
	weights := p.weightsOf(q, p.newPlan())
	derivative := p.valuesOf(f.op)[0]
	var weighted, coefficients, values mat.Dense
	weighted.Mul(mat.NewDiagDense(p.n, weights), derivative)
	coefficients.Mul(p.axes[0].coefficients, &weighted)
	values.Mul(p.valuesOf(q.op)[0], &coefficients)
	return pair{&values}
}

// isExplicit reports whether a linear term is in the rest.
func (p *space) isExplicit(i int, t linearTerm) bool {
	key := t.product().term.key
	return slices.ContainsFunc(p.explicit[i], func(q product) bool { return q.op == (operator{}) && q.term.key == key })
}
