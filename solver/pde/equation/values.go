// This file evaluates fields between sides at points, and projects values at points onto modes.

package equation

import (
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

// finish computes the matrices of all bases and the lifts that do not change.
func (p *space) finish(order int) {
	for _, f := range p.fields {
		for _, b := range f.bases {
			if b.at == nil {
				b.finish(order)
			}
		}
	}
	p.setFluxes()
	p.force = make([]float64, block*p.size)
	p.pointwise = p.newBlock()
}

// pair is a matrix for each axis.
type pair [2]*mat.Dense

// apply adds the product of the matrices X and Y along both axes with a block to dst:
//
//	src   columns of X x columns of Y x block
//	dst   rows of X    x rows of Y    x block
//
// It multiplies along x first and then along y. On the interval there is no Y.
func (p *space) apply(dst []float64, m pair, src []float64) {
	rowsX, columnsX := m[0].Dims()
	x := m[0].RawMatrix().Data
	if m[1] == nil {
		linalg.Columns(dst, x, rowsX, columnsX, src, block)
		return
	}
	rowsY, columnsY := m[1].Dims()
	y := m[1].RawMatrix().Data
	before := columnsY * block // numbers for each row of X before the product with Y
	after := rowsY * block
	if rowsX*before > len(p.half) {
		p.half = make([]float64, rowsX*before)
	}
	half := p.half[:rowsX*before] // rows of X x columns of Y x block
	clear(half)
	linalg.Columns(half, x, rowsX, columnsX, src, before)
	for i := range rowsX {
		from := half[i*before : (i+1)*before]
		to := dst[i*after : (i+1)*after]
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

// modeOf returns the modes along both axes, the second one 0 on the interval, whose product is mode k of a field.
func (f spaceField) modeOf(k int) [2]int {
	if len(f.bases) == 1 {
		return [2]int{k, 0}
	}
	columns := f.bases[1].modes()
	return [2]int{k / columns, k % columns}
}

// of returns the coordinates of a field in a state, modes x block.
func (f spaceField) of(state []float64) []float64 {
	first := block * f.first
	return state[first : first+block*f.modes]
}

// views returns the states of the fields, and the coordinates of the coefficient, until its next call.
func (p *space) views(state, coefficient []float64) [][]float64 {
	all := p.viewed[:0]
	for _, f := range p.fields[:len(p.Fields)] {
		all = append(all, f.of(state))
	}
	p.viewed = append(all, coefficient)
	return p.viewed
}

// evaluate writes a derivative of a field at the points to dst.
func (p *space) evaluate(dst []float64, field int, op operator, coordinates []float64) {
	f := p.fields[field%directionOf]
	if len(p.axes) == 1 {
		f.bases[0].setValues(dst, op.x, coordinates)
	} else {
		clear(dst)
		toPoints := f.pairOf(func(axis int, b *basis) *mat.Dense { return b.at[op.along(axis)] })
		p.apply(dst, toPoints, coordinates)
	}
	if lift := p.liftAt(field, op); lift != nil { // directions have none
		linalg.AddScaled(dst, 1, lift)
	}
	if op.mean {
		p.average(dst)
	}
}

// average replaces functions at the points, points x block, by their means.
func (p *space) average(values []float64) {
	var means [block]float64
	for i := range p.n {
		weight := p.weight(i)
		for l := range means {
			means[l] += weight * values[block*i+l]
		}
	}
	for i := range values {
		values[i] = means[i%block]
	}
}

// weight returns the weight of a point in the mean over the domain.
func (p *space) weight(point int) float64 {
	x := p.axes[0]
	if len(p.axes) == 1 {
		return x.weights[point]
	}
	y := p.axes[1]
	return y.weights[point%y.n] * x.weights[point/y.n]
}

// project adds the coordinates in row i of an operator on values at the points to a state.
func (p *space) project(state []float64, i int, op operator, values []float64) {
	f := p.fields[i]
	if len(p.axes) == 1 {
		f.bases[0].addCoordinates(f.of(state), op.x, values)
		return
	}
	fromPoints := f.pairOf(func(axis int, b *basis) *mat.Dense { return b.from[op.along(axis)] })
	p.apply(f.of(state), fromPoints, values)
}

// projectInitial adds the coordinates of the nearest initial values that satisfy the conditions. Tests against polynomials of low
// degree would instead keep what rough values have of these, and jump at the ends by the error that their slopes have there.
func (p *space) projectInitial(state []float64, field int, values []float64) {
	if !p.tau {
		p.project(state, field, operator{}, values)
		return
	}
	f := p.fields[field]
	b := f.bases[0]
	toCoordinates := matrixProduct(b.fromLift(), b.coefficients)
	p.apply(f.of(state), pair{toCoordinates}, values)
}

// spaceBlock adds the steps that compute the values of a derivative or operator, b, points x block.
func (c *plan) spaceBlock(a *atom, b []float64) {
	p := c.space
	switch {
	case p.isTime(a):
		c.steps = append(c.steps, func([][]float64) { copy(b, p.clocked) })
	case a.kind == fieldAtom:
		field := a.index
		op := a.op
		c.steps = append(c.steps, func(u [][]float64) { p.evaluate(b, field, op, u[field]) })
	default:
		inner := make([]float64, len(b))
		c.compute(a.arg, inner)
		m := p.betweenPoints(a.op)
		c.steps = append(c.steps, func([][]float64) {
			clear(b)
			p.apply(b, m, inner)
			if a.op.mean {
				p.average(b)
			}
		})
	}
}

// betweenPoints returns the matrices from the values of a function at the points to those of its derivative, by way of
// its coefficients.
func (p *space) betweenPoints(op operator) pair {
	var m pair
	for k, a := range p.axes {
		var toPoints, between mat.Dense
		toPoints.Mul(a.values, a.powers[op.along(k)])
		between.Mul(&toPoints, a.coefficients)
		m[k] = &between
	}
	return m
}
