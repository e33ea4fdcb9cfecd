// This file discretises an equation on a domain with sides by Galerkin's method. A field is a sum of modes that satisfy the
// homogeneous conditions, and a lift that satisfies the given ones. The equation holds in the mean against each mode, so
// that solutions do not grow if those of the equation do not. The state is the coordinates of all fields,
//
//	v' = A v + F(t) + N(v, t),
//
// with F from the lift and N the rest. Mostly modes can be chosen that make A diagonal, up to fields that couple mode by
// mode; else A is a matrix over the whole state.

package equation

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/fft"
)

// space is an equation on the modes of one resolution. It holds the lift of the time at which it stands, and must not be
// used concurrently.
type space struct {
	*evolution
	axes        []*axis      // x, and y on the square
	fields      []spaceField // with an equation, then the coefficient
	size        int          // of the state
	parts       []part       // of fields whose modes the linear part couples; nil: see matrix
	matrix      *mat.Dense   // A, size x size; nil: parts
	inverse     *mat.Dense   // of the operator on the rates, size x size; nil: 1
	explicit    [][]product  // by field, the terms of N
	static      bool         // whether lifts do not change with time
	time        float64      // of the lifts
	from        float64      // the first and the last time of the lifts, between which nothing jumps
	until       float64
	traces      map[string][]float64 // of the coefficient on the sides, by key and then point along the side, as blocks
	lifts       map[liftedDerivative][]float64
	liftNorms   *[block]float64   // squares of norms of the lifts; nil: not known yet
	lifted      [][]float64       // coefficients of the lifts by field, as blocks; nil: 0
	force       []float64         // F, size x block
	clocked     []float64         // time at the points, as a block
	derivatives map[operator]pair // that evaluate derivatives at the points from coefficients
	terms       []implicitTerm    // of the linear part, as far as lifts meet them; nil: not known yet
	viewed      [][]float64       // scratch of views
	fluxes      []endFlux
	half        []float64 // scratch of apply
	pointwise   []float64 // scratch, values at the points
}

// spaceField is a field on its modes.
type spaceField struct {
	bases []*basis // along the axes
	first int      // row of the state
	modes int      // rows
}

// newSpace discretises an equation with so many functions along each axis.
func newSpace(s *evolution, n int) *space {
	own := *s
	p := &space{
		evolution:   &own,
		lifts:       map[liftedDerivative][]float64{},
		time:        math.NaN(),
		until:       math.Inf(1),
		derivatives: map[operator]pair{},
	}
	own.space = p
	total := 1
	order := s.highestOrder()
	for k := range s.domain.Dims {
		periodic := s.isPeriodic(k)
		count := n
		if periodic {
			count |= 1
		}
		p.axes = append(p.axes, newAxis(count, s.Length, periodic, order))
		total *= count
	}
	own.n = total
	own.transform = fft.On(0, total)
	x := make([]float64, block*total)
	y := make([]float64, block*total)
	own.given = map[string][]float64{"x": x, "y": y}
	for i := range total {
		at := p.place(i)
		for l := block * i; l < block*(i+1); l++ {
			x[l], y[l] = at[0], at[1]
		}
	}
	p.setFields()
	p.setParts()
	p.finish(order)
	return p
}

// place returns the coordinates of a point.
func (p *space) place(i int) (x [2]float64) {
	if len(p.axes) == 1 {
		return [2]float64{p.axes[0].points[i]}
	}
	n := p.axes[1].n
	return [2]float64{p.axes[0].points[i/n], p.axes[1].points[i%n]}
}

// highestOrder returns the highest order of a derivative along an axis.
func (s *evolution) highestOrder() int {
	order := 2
	for axis := range s.domain.Dims {
		for i, r := range s.rows {
			order = max(order, s.termOrder(i, axis))
			for _, t := range slices.Concat(r.linear, r.mass) {
				order = max(order, t.op.along(axis))
			}
		}
	}
	return order
}

// termOrder returns the highest order of a derivative of any field in the rest of a row, along an axis.
func (s *evolution) termOrder(i, axis int) int {
	order := 0
	for _, q := range s.rows[i].rest {
		for j := range s.rows {
			order = max(order, q.op.along(axis)+q.term.along(j, axis))
		}
	}
	return order
}

// joinsFields reports whether a condition has terms of another field than its own.
func (c condition) joinsFields() bool {
	return slices.ContainsFunc(c.terms, func(t linearTerm) bool { return t.field != c.field })
}

// changes reports whether the value of a condition depends on time.
func (p *space) changes(c condition) bool {
	return slices.ContainsFunc(c.value, func(t term) bool { return t.has(p.isTime) })
}

// setFields finds the functions that satisfy the conditions of each field.
func (p *space) setFields() {
	if slices.ContainsFunc(p.conditions, condition.joinsFields) {
		p.setJointFields()
	} else {
		for f := range p.Fields {
			p.addField(f)
		}
	}
	if p.Coefficient != "" {
		coefficient := spaceField{modes: p.n}
		for _, a := range p.axes {
			coefficient.bases = append(coefficient.bases, freeBasis(a))
		}
		p.fields = append(p.fields, coefficient)
	}
	p.static = !slices.ContainsFunc(p.conditions, p.changes)
	if p.clock {
		p.clocked = p.newBlock()
	}
}

// setJointFields sets fields on an interval whose conditions join them: all have the same rows of the state.
func (p *space) setJointFields() {
	if p.domain.Dims == 2 {
		failKey(p.conditions[0].key, "join several fields; on the square each field has its own",
			"write one condition for each field")
	}
	bases := p.basesOf(0, p.conditions, len(p.Fields))
	for _, b := range bases {
		p.fields = append(p.fields, spaceField{bases: []*basis{b}, modes: b.modes()})
	}
	p.size = bases[0].modes()
}

// addField adds a field with conditions of its own, in rows of its own.
func (p *space) addField(f int) {
	field := spaceField{first: p.size, modes: 1}
	for k := range p.axes {
		b := p.basesOf(k, p.conditionsOf(f, k), 1)[0]
		field.bases = append(field.bases, b)
		field.modes *= b.modes()
	}
	p.size += field.modes
	p.fields = append(p.fields, field)
}

// isTime reports whether an atom is time.
func (s *evolution) isTime(a *atom) bool { return a.kind == fieldAtom && a.index == s.drawn() }

// drawn returns the number of fields with the coefficient.
func (s *evolution) drawn() int {
	if s.Coefficient != "" {
		return len(s.Fields) + 1
	}
	return len(s.Fields)
}

// conditionsOf returns the conditions of a field along an axis.
func (s *evolution) conditionsOf(field, axis int) []condition {
	var own []condition
	for _, c := range s.conditions {
		if c.field == field && c.axis == axis {
			own = append(own, c)
		}
	}
	return own
}

// basesOf returns bases of so many fields together, along an axis.
func (p *space) basesOf(axis int, conditions []condition, fields int) []*basis {
	a := p.axes[axis]
	all := conditions
	conditions = withoutFluxes(all)
	if len(conditions) == 0 {
		b := freeBasis(a)
		b.setFluxAt(all)
		return []*basis{b}
	}
	rows := mat.NewDense(len(conditions), fields*a.n, nil)
	jumps := false
	for k, c := range conditions {
		row := rows.RawRowView(k)
		for _, t := range c.terms {
			first := t.field * a.n
			if fields == 1 {
				first = 0
			}
			derivative := a.atEnd(t.op.along(axis), c.far)
			floats.AddScaled(row[first:first+a.n], t.c, derivative)
		}
		jumps = jumps || c.value.jumps()
	}
	var dropped []int
	if p.tau {
		dropped = droppedColumns(a.n, conditions, fields)
	}
	bases, ok := newBases(a, rows, jumps, dropped)
	if !ok {
		last := conditions[len(conditions)-1]
		failKey(last.key,
			fmt.Sprintf("is wrong: the conditions cannot hold together (%s)", p.conditionTexts()),
			"say something different at each end")
	}
	if fields == 1 {
		bases[0].setFluxAt(all)
		return bases
	}
	for f, b := range bases {
		b.setFluxAt(p.conditionsOf(f, axis))
	}
	return bases
}

// droppedColumns returns the columns of the highest polynomials of so many fields together, n columns for each, one for each
// condition on a field.
func droppedColumns(n int, conditions []condition, fields int) (columns []int) {
	counts := make([]int, fields)
	for _, c := range conditions {
		field := c.field
		if fields == 1 {
			field = 0
		}
		counts[field]++
	}
	for field, count := range counts {
		for k := range count {
			columns = append(columns, (field+1)*n-1-k)
		}
	}
	return columns
}
