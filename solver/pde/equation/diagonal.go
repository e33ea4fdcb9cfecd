// This file chooses modes between sides that make the linear part diagonal, up to fields that couple mode by mode.

package equation

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/fft"
)

// part is a set of fields with the same modes.
type part struct {
	fields []int
	modes  int
	plan   *fft.Plan // of so many positions, for sums of products with tables
	symbol [maxField][maxField][]float64
}

// sameModes reports whether two fields satisfy the same homogeneous conditions.
func (p *space) sameModes(f, g int) bool {
	if f == g {
		return true
	}
	areJoint := p.fields[f].first == p.fields[g].first
	return !areJoint && p.homogeneous(f) == p.homogeneous(g)
}

// homogeneous returns the homogeneous conditions of a field as a text, up to factors.
func (p *space) homogeneous(field int) string {
	var b strings.Builder
	for k := range p.axes {
		for _, c := range p.conditionsOf(field, k) {
			fmt.Fprint(&b, c.key, ":")
			for _, t := range c.terms {
				fmt.Fprintf(&b, "%v,%.15g;", t.op, t.c/c.terms[0].c)
			}
		}
	}
	return b.String()
}

// isSymbolic reports whether a linear term may be diagonal in the modes: of even order along each axis, between fields with
// the same conditions.
func (p *space) isSymbolic(i int, t linearTerm) bool {
	isEven := t.op.x%2 == 0 && t.op.y%2 == 0
	isDerivative := !t.op.mean && t.op.inv == 0
	if !isEven || !isDerivative || t.field >= len(p.Fields) {
		return false
	}
	return p.sameModes(i, t.field)
}

// setParts chooses modes that make the linear part diagonal. If it cannot be, p.matrix is set.
func (p *space) setParts() {
	if p.tau || p.needsMatrix() {
		p.setMatrix()
		return
	}
	p.explicit = make([][]product, len(p.Fields))
	for _, fields := range p.coupledFields() {
		if !p.addPart(fields) {
			p.parts = nil
			p.explicit = nil
			p.setMatrix()
			return
		}
	}
	for i := range p.Fields {
		p.explicit[i] = append(p.explicit[i], p.rows[i].rest...)
		for _, t := range p.rows[i].linear {
			if !p.isSymbolic(i, t) {
				p.explicit[i] = append(p.explicit[i], t.product())
			}
		}
	}
}

// coupledFields returns sets of fields between which linear terms may be diagonal.
func (p *space) coupledFields() (sets [][]int) {
	group := make([]int, len(p.Fields)) // by field
	for f := range group {
		group[f] = f
	}
	for i := range p.Fields {
		for _, t := range p.rows[i].linear {
			if !p.isSymbolic(i, t) {
				continue
			}
			from := group[t.field]
			to := group[i]
			for f := range group {
				if group[f] == from {
					group[f] = to
				}
			}
		}
	}
	for name := range p.Fields {
		var fields []int
		for f := range p.Fields {
			if group[f] == name {
				fields = append(fields, f)
			}
		}
		if len(fields) > 0 {
			sets = append(sets, fields)
		}
	}
	return sets
}

// product returns the term as one of the rest.
func (t linearTerm) product() product {
	multiple := derivativeOf(t.field, t.op, t.at).times(t.c)
	return product{term: multiple[0]}
}

// needsMatrix reports whether the linear part is better a matrix: an equation is linear, or it has linear terms that neither
// are diagonal nor may be in the rest, because no damping of higher order of the same field controls their derivatives.
func (p *space) needsMatrix() bool {
	if p.domain.Dims == 2 || p.isQuasilinear() || p.Steady() {
		return false
	}
	isLinear := true
	isDiagonal := true
	for i := range p.Fields {
		r := p.rows[i]
		if r.mass != nil {
			return true
		}
		damping := p.damping(i)
		for _, t := range r.linear {
			isOnFields := t.field < len(p.Fields) && !t.op.mean
			if !isOnFields || p.isSymbolic(i, t) {
				continue
			}
			isDiagonal = false
			order := t.op.order()
			if order > 0 && order >= damping {
				return true
			}
		}
		for _, q := range r.rest {
			f, linear := p.linearFactor(q)
			if !linear {
				isLinear = isLinear && !q.term.has(p.isOfSolution)
				continue
			}
			isDiagonal = false
			order := q.op.order() + f.op.order()
			if order >= max(1, damping) {
				return true
			}
		}
	}
	return isLinear && !isDiagonal
}

// isOfSolution reports whether an atom is a field with an equation, or a derivative of one.
func (s *evolution) isOfSolution(a *atom) bool { return a.kind == fieldAtom && a.index < len(s.Fields) }

// linearFactor returns the field of a term that is linear in it, with a coefficient in x.
func (s *evolution) linearFactor(q product) (atom, bool) {
	fields, _ := q.term.split()
	f := fields.only()
	return f, s.isOfSolution(&f)
}

// damping returns the order of the linear terms that damp a field, 0 if there are none.
func (s *evolution) damping(i int) int {
	order := 0
	for _, t := range s.rows[i].linear {
		if t.field == i && t.damps() {
			order = max(order, t.op.order())
		}
	}
	return order
}

// leadingTerm returns the row and the field of the linear term of highest order between fields, and its order. Without
// such a term both are the first of the fields, and the order is -1.
func (p *space) leadingTerm(fields []int) (row, field, order int) {
	row = fields[0]
	field = fields[0]
	order = -1
	for _, i := range fields {
		for _, t := range p.rows[i].linear {
			if p.isSymbolic(i, t) && t.op.order() > order {
				row = i
				field = t.field
				order = t.op.order()
			}
		}
	}
	return row, field, order
}

// addPart rotates the modes of fields to eigenfunctions of the linear term of highest order between them, and adds the
// symbols of all terms that are diagonal then. It returns false if none could be found.
func (p *space) addPart(fields []int) bool {
	row, field, order := p.leadingTerm(fields)
	for k, a := range p.axes {
		if a.periodic {
			continue
		}
		b := p.fields[fields[0]].bases[k]
		highest := max(p.orderAlong(row, field, k), p.rows[fields[0]].quasiOrder)
		rotation := b.fourthOrder(highest)
		if rotation == nil {
			rotation = p.eigenfunctions(row, field, k, b)
		}
		if rotation == nil && order > 0 {
			return false
		}
		if rotation == nil { // any modes do
			continue
		}
		for _, f := range fields {
			own := p.fields[f].bases[k]
			own.rotate(rotation)
			own.fourth = b.fourth
		}
	}
	out := part{fields: fields, modes: p.fields[fields[0]].modes}
	out.plan = fft.On(0, out.modes)
	for row, i := range fields {
		for column, g := range fields {
			symbol, rest := p.symbolOf(i, g)
			out.symbol[row][column] = symbol
			p.explicit[i] = append(p.explicit[i], rest...)
		}
	}
	p.parts = append(p.parts, out)
	return true
}

// eigenfunctions returns the rotation of a basis to eigenfunctions of the linear terms of row i in field g along an axis,
// of second derivatives if there are none; nil if there is no such rotation.
func (p *space) eigenfunctions(i, g, axis int, b *basis) *mat.Dense {
	operator := p.alongAxis(i, g, axis, b)
	if operator == nil {
		operator = b.inside(2)
	}
	rotation := eigenvectors(operator)
	if rotation == nil && p.Steady() { // any functions from slow to fast ones do
		var slopes, gram mat.Dense
		slopes.Mul(b.powers[1], b.z)
		gram.Mul(slopes.T(), &slopes)
		rotation = eigenvectors(&gram)
	}
	return rotation
}

// isAlong reports whether a linear term of row i may be diagonal, is of field g, and has derivatives along one axis alone.
func (p *space) isAlong(i, g, axis int, t linearTerm) bool {
	order := t.op.along(axis)
	return t.field == g && order > 0 && order == t.op.order() && p.isSymbolic(i, t)
}

// alongAxis returns the Galerkin matrix of the linear terms of row i in field g that have derivatives along one axis alone;
// nil if there are none.
func (p *space) alongAxis(i, g, axis int, b *basis) *mat.Dense {
	var sum *mat.Dense
	for _, t := range p.rows[i].linear {
		if !p.isAlong(i, g, axis, t) {
			continue
		}
		order := t.op.order()
		m := b.inside(order)
		if order == 4 && b.fourth != nil {
			m = mat.DenseCopyOf(mat.NewDiagDense(b.modes(), b.fourth))
		}
		m.Scale(t.c, m)
		if sum != nil {
			m.Add(m, sum)
		}
		sum = m
	}
	return sum
}

// orderAlong returns the order of the linear terms of row i in field g along an axis if they all have one order; else 0.
func (p *space) orderAlong(i, g, axis int) int {
	common := 0
	for _, t := range p.rows[i].linear {
		order := t.op.along(axis)
		if t.field != g || order == 0 {
			continue
		}
		if common != 0 && order != common {
			return 0
		}
		common = order
	}
	return common
}

// eigenvectors returns the orthogonal matrix of the eigenvectors of a symmetric matrix, those of slow modes first; nil if
// the matrix is not symmetric.
func eigenvectors(m *mat.Dense) *mat.Dense {
	n, _ := m.Dims()
	var skew mat.Dense
	skew.Sub(m, m.T())
	if mat.Norm(&skew, 2) > 1e-9*mat.Norm(m, 2) {
		return nil
	}
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			mean := (m.At(i, j) + m.At(j, i)) / 2
			symmetric.SetSym(i, j, mean)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, true) {
		return nil
	}
	rotation := mat.NewDense(n, n, nil)
	e.VectorsTo(rotation)
	values := e.Values(nil)
	slowFirst := math.Abs(values[0]) <= math.Abs(values[n-1])
	if slowFirst {
		return rotation
	}
	reversed := mat.NewDense(n, n, nil) // in the order of growing size
	for k := range n {
		for i := range n {
			reversed.Set(i, k, rotation.At(i, n-1-k))
		}
	}
	return reversed
}

// symbolOf returns the symbol of the linear terms of row i in field g, by mode, nil for 0, and those that are not diagonal.
func (p *space) symbolOf(i, g int) (symbol []float64, rest []product) {
	field := p.fields[g]
	bases := field.bases
	add := func(value func(mode [2]int) float64) {
		if symbol == nil {
			symbol = make([]float64, field.modes)
		}
		for k := range symbol {
			symbol[k] += value(field.modeOf(k))
		}
	}
	for axis, b := range bases {
		m := p.alongAxis(i, g, axis, b)
		if m == nil {
			continue
		}
		diagonal, ok := diagonalOf(m)
		if !ok {
			for _, t := range p.rows[i].linear {
				if p.isAlong(i, g, axis, t) {
					rest = append(rest, t.product())
				}
			}
			continue
		}
		add(func(mode [2]int) float64 { return diagonal[mode[axis]] })
	}
	for _, t := range p.rows[i].linear {
		if t.field != g || !p.isSymbolic(i, t) {
			continue
		}
		if t.op.order() == 0 {
			add(func([2]int) float64 { return t.c })
		}
		if t.op.x == 0 || t.op.y == 0 {
			continue
		}
		alongX, okX := diagonalOf(bases[0].inside(t.op.x))
		alongY, okY := diagonalOf(bases[1].inside(t.op.y))
		if !okX || !okY {
			rest = append(rest, t.product())
			continue
		}
		add(func(mode [2]int) float64 { return t.c * alongX[mode[0]] * alongY[mode[1]] })
	}
	return symbol, rest
}

// diagonalOf returns the diagonal of a matrix; ok is false if other entries are not small.
func diagonalOf(m *mat.Dense) (diagonal []float64, ok bool) {
	n, _ := m.Dims()
	others := 0.0
	for i := range n {
		diagonal = append(diagonal, m.At(i, i))
		for j := range n {
			if i != j {
				others += m.At(i, j) * m.At(i, j)
			}
		}
	}
	return diagonal, math.Sqrt(others) <= 1e-9*floats.Norm(diagonal, 2)
}
