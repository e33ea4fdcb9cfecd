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
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
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
	lifts       map[string][]float64 // by atom: values of derivatives of lifts at the points, as a block
	lifted      [][]float64          // coefficients of the lifts by field, as blocks; nil: 0
	force       []float64            // F, size x block
	clocked     []float64            // time at the points, as a block
	derivatives map[operator]pair    // that evaluate derivatives at the points from coefficients
	terms       []implicitTerm       // of the linear part, as far as lifts meet them; nil: not known yet
	half        []float64            // scratch of apply
	pointwise   []float64            // scratch, values at the points
}

// spaceField is a field on its modes.
type spaceField struct {
	bases []*basis // along the axes
	first int      // row of the state
	modes int      // rows
}

// part is a set of fields with the same modes.
type part struct {
	fields []int
	modes  int
	plan   *fft.Plan // of so many positions, for sums of products with tables
	symbol [maxField][maxField][]float64
}

// newSpace discretises an equation with so many functions along each axis.
func newSpace(s *evolution, n int) *space {
	own := *s
	p := &space{
		evolution:   &own,
		lifts:       map[string][]float64{},
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
			bases, _ := newBases(a, nil, false)
			coefficient.bases = append(coefficient.bases, bases[0])
		}
		p.fields = append(p.fields, coefficient)
	}
	p.static = !slices.ContainsFunc(p.conditions, p.changes)
	if p.clock {
		p.clocked = make([]float64, block*p.n)
	}
}

// setJointFields sets fields on an interval whose conditions join them: all have the same rows of the state.
func (p *space) setJointFields() {
	if p.domain.Dims == 2 {
		conditionError(p.conditions[0].key, "join several fields; on the square each field has its own",
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
	var rows *mat.Dense
	jumps := false
	if len(conditions) > 0 {
		rows = mat.NewDense(len(conditions), fields*a.n, nil)
	}
	for k, c := range conditions {
		row := rows.RawRowView(k)
		for _, t := range c.terms {
			field := t.field
			if fields == 1 {
				field = 0
			}
			floats.AddScaled(row[field*a.n:(field+1)*a.n], t.c, a.atEnd(t.op.along(axis), c.far))
		}
		jumps = jumps || c.value.jumps()
	}
	bases, ok := newBases(a, rows, jumps)
	if !ok {
		conditionError(conditions[len(conditions)-1].key, fmt.Sprintf("is wrong: the conditions cannot hold together (%s)", p.conditionTexts()),
			"say something different at each end")
	}
	return bases
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
	if p.needsMatrix() {
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
	return product{term: single(&atom{kind: fieldAtom, index: t.field, op: t.op}, t.at).times(t.c)[0]}
}

// needsMatrix reports whether the linear part is better a matrix: an equation is linear, or it has linear terms that neither
// are diagonal nor may be in the rest, because no damping of higher order of the same field controls their derivatives.
func (p *space) needsMatrix() bool {
	isQuasilinear := slices.ContainsFunc(p.rows, func(r row) bool { return r.quasi != 0 })
	if p.domain.Dims == 2 || isQuasilinear || p.Steady() {
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
	leadingRow, leadingField, order := p.leadingTerm(fields)
	for k, a := range p.axes {
		if a.periodic {
			continue
		}
		b := p.fields[fields[0]].bases[k]
		if rotation := b.fourthOrder(p.orderAlong(leadingRow, leadingField, k)); rotation != nil {
			for _, f := range fields {
				p.fields[f].bases[k].rotate(rotation)
				p.fields[f].bases[k].fourth = b.fourth
			}
			continue
		}
		rotation, ok := p.eigenfunctions(leadingRow, leadingField, k, b)
		if !ok {
			if order > 0 {
				return false
			}
			continue
		}
		for _, f := range fields {
			p.fields[f].bases[k].rotate(rotation)
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
// of second derivatives if there are none; ok is false if there is no such rotation.
func (p *space) eigenfunctions(i, g, axis int, b *basis) (rotation *mat.Dense, ok bool) {
	operator := p.alongAxis(i, g, axis, b)
	if operator == nil {
		operator = b.inside(2)
	}
	rotation, ok = eigenvectors(operator)
	if !ok && p.Steady() { // any functions from slow to fast ones do
		var slopes, gram mat.Dense
		slopes.Mul(b.powers[1], b.z)
		gram.Mul(slopes.T(), &slopes)
		rotation, ok = eigenvectors(&gram)
	}
	return rotation, ok
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

// eigenvectors returns the orthogonal matrix of the eigenvectors of a symmetric matrix, those of slow modes first; ok is
// false if the matrix is not symmetric.
func eigenvectors(m *mat.Dense) (rotation *mat.Dense, ok bool) {
	n, _ := m.Dims()
	var skew mat.Dense
	skew.Sub(m, m.T())
	if mat.Norm(&skew, 2) > 1e-9*mat.Norm(m, 2) {
		return nil, false
	}
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			symmetric.SetSym(i, j, (m.At(i, j)+m.At(j, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, true) {
		return nil, false
	}
	rotation = mat.NewDense(n, n, nil)
	e.VectorsTo(rotation)
	values := e.Values(nil)
	if math.Abs(values[0]) <= math.Abs(values[n-1]) {
		return rotation, true
	}
	reversed := mat.NewDense(n, n, nil) // in the order of growing size
	for k := range n {
		for i := range n {
			reversed.Set(i, k, rotation.At(i, n-1-k))
		}
	}
	return reversed, true
}

// symbolOf returns the symbol of the linear terms of row i in field g, by mode, nil for 0, and those that are not diagonal.
func (p *space) symbolOf(i, g int) (symbol []float64, rest []product) {
	bases := p.fields[g].bases
	columns := 1
	if len(bases) == 2 {
		columns = bases[1].modes()
	}
	add := func(value func(x, y int) float64) {
		if symbol == nil {
			symbol = make([]float64, p.fields[g].modes)
		}
		for k := range symbol {
			symbol[k] += value(k/columns, k%columns)
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
				if order := t.op.along(axis); t.field == g && order > 0 && order == t.op.order() && p.isSymbolic(i, t) {
					rest = append(rest, t.product())
				}
			}
			continue
		}
		add(func(x, y int) float64 { return diagonal[[2]int{x, y}[axis]] })
	}
	for _, t := range p.rows[i].linear {
		if t.field != g || !p.isSymbolic(i, t) {
			continue
		}
		if t.op.order() == 0 {
			add(func(int, int) float64 { return t.c })
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
		add(func(x, y int) float64 { return t.c * alongX[x] * alongY[y] })
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

// setMatrix sets the linear part, with coefficients in x, as one matrix over the state of the interval.
func (p *space) setMatrix() {
	for f := range p.fields {
		p.fields[f].bases[0].finish(p.highestOrder())
	}
	p.matrix = mat.NewDense(p.size, p.size, nil)
	given := p.newPlan().givenBlock
	for i := range p.Fields {
		r := &p.rows[i]
		var rest []product
		for _, t := range r.linear {
			if t.field >= len(p.Fields) || t.op.mean {
				rest = append(rest, t.product())
				continue
			}
			var m mat.Dense
			m.Mul(p.fields[i].bases[0].from[0], p.fields[t.field].bases[0].at[t.op.x])
			p.addBlock(p.matrix, i, t.field, t.c, &m)
		}
		for _, q := range r.rest {
			f, linear := p.linearFactor(q)
			if !linear || q.op.mean || f.op.mean {
				rest = append(rest, q)
				continue
			}
			_, factor := q.term.split()
			values := given(poly{factor})
			r.failIf(!grid.Finite(values...), q.term.at, "", "the coefficient is not finite on the interval")
			weights := make([]float64, p.n)
			for k := range weights {
				weights[k] = values[block*k]
			}
			var inner, m mat.Dense
			inner.Mul(mat.NewDiagDense(p.n, weights), p.fields[f.index].bases[0].at[f.op.x])
			m.Mul(p.fields[i].bases[0].from[q.op.x], &inner)
			p.addBlock(p.matrix, i, f.index, 1, &m)
		}
		p.explicit = append(p.explicit, rest)
	}
	p.setInverse()
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

// finish computes the matrices of all bases and the lifts that do not change.
func (p *space) finish(order int) {
	for f := range p.fields {
		for _, b := range p.fields[f].bases {
			if b.at == nil {
				b.finish(order)
			}
		}
	}
	p.force = make([]float64, block*p.size)
	p.pointwise = make([]float64, block*p.n)
}

// pair is a matrix for each axis.
type pair [2]*mat.Dense

// apply adds the product of the matrices and a block, over the columns of both matrices, to dst, over their rows.
func (p *space) apply(dst []float64, m pair, src []float64) {
	rows, columns := m[0].Dims()
	x := m[0].RawMatrix().Data
	if m[1] == nil {
		linalg.Columns(dst, x, rows, columns, src, block)
		return
	}
	rowsY, columnsY := m[1].Dims()
	width := columnsY * block // of a row of half
	if rows*width > len(p.half) {
		p.half = make([]float64, rows*width)
	}
	half := p.half[:rows*width]
	clear(half)
	linalg.Columns(half, x, rows, columns, src, width)
	y := m[1].RawMatrix().Data
	widthOut := rowsY * block
	for i := range rows {
		to := dst[i*widthOut : (i+1)*widthOut]
		from := half[i*width : (i+1)*width]
		linalg.Columns(to, y, rowsY, columnsY, from, block)
	}
}

// pairOf returns the matrices of all bases of a field.
func (f spaceField) pairOf(of func(axis int, b *basis) *mat.Dense) (m pair) {
	for k, b := range f.bases {
		m[k] = of(k, b)
	}
	return m
}

// of returns the coordinates of a field in a state.
func (f spaceField) of(state []float64) []float64 {
	return state[block*f.first : block*(f.first+f.modes)]
}

// views returns the states of the fields, and the coordinates of the coefficient.
func (p *space) views(state, coefficient []float64) [][]float64 {
	var all [][]float64
	for _, f := range p.fields[:len(p.Fields)] {
		all = append(all, f.of(state))
	}
	return append(all, coefficient)
}

// evaluate writes a derivative of a field at the points to dst.
func (p *space) evaluate(dst []float64, field int, op operator, coordinates []float64) {
	clear(dst)
	f := p.fields[field%directionOf]
	p.apply(dst, f.pairOf(func(k int, b *basis) *mat.Dense { return b.at[op.along(k)] }), coordinates)
	if lift := p.liftAt(field, op); lift != nil { // directions have none
		floats.Add(dst, lift)
	}
	if op.mean {
		p.average(dst)
	}
}

// average replaces functions at the points by their means.
func (p *space) average(values []float64) {
	var means [block]float64
	columns := 1
	for i := range p.n {
		weight := 1.0
		if len(p.axes) == 2 {
			columns = p.axes[1].n
			weight = p.axes[1].weights[i%columns]
		}
		weight *= p.axes[0].weights[i/columns]
		for l := range means {
			means[l] += weight * values[block*i+l]
		}
	}
	for i := range values {
		values[i] = means[i%block]
	}
}

// project adds the coordinates in row i of an operator on values at the points to a state.
func (p *space) project(state []float64, i int, op operator, values []float64) {
	f := p.fields[i]
	p.apply(f.of(state), f.pairOf(func(k int, b *basis) *mat.Dense { return b.from[op.along(k)] }), values)
}

// spaceBlock adds the steps that compute the values of a derivative or operator.
func (c *plan) spaceBlock(a *atom, b []float64) {
	p := c.space
	if a.kind == fieldAtom {
		field := a.index
		op := a.op
		if field == p.drawn() {
			c.steps = append(c.steps, func([][]float64) { copy(b, p.clocked) })
			return
		}
		c.steps = append(c.steps, func(u [][]float64) { p.evaluate(b, field, op, u[field]) })
		return
	}
	inner := make([]float64, len(b))
	c.compute(a.arg, inner)
	var m pair
	for k, axis := range p.axes {
		var derived, all mat.Dense
		derived.Mul(axis.values, axis.powers[a.op.along(k)])
		all.Mul(&derived, axis.coefficients)
		m[k] = &all
	}
	c.steps = append(c.steps, func([][]float64) {
		clear(b)
		p.apply(b, m, inner)
		if a.op.mean {
			p.average(b)
		}
	})
}
