// This file evaluates fields between sides at points, and projects values at points onto modes.

package equation

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/num/linalg"
)

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
