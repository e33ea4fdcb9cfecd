// This file compiles the pointwise part of a plan: polynomials of atoms become operations on tiles.

package equation

import (
	"cmp"
	"slices"
)

// ones is the slot of the number 1.
const ones = 0

func newProgram() *program {
	p := &program{memo: map[string]int{}}
	values := p.slots[p.temporary()]
	for i := range values {
		values[i] = 1
	}
	return p
}

func (p *program) slot(values []float64, isBlock bool) int {
	p.slots = append(p.slots, values)
	p.isBlock = append(p.isBlock, isBlock)
	return len(p.slots) - 1
}

func (p *program) temporary() int { return p.slot(make([]float64, tile), false) }

func (p *program) block(key string, values []float64) int {
	if i, ok := p.memo[key]; ok {
		return i
	}
	i := p.slot(values, true)
	p.memo[key] = i
	return i
}

// atom returns the slot of an atom's values; it adds steps if necessary.
func (c *compiler) atom(p *program, a *atom) int {
	if i, ok := p.memo[a.key]; ok {
		return i
	}
	if b, ok := c.blocks[a.key]; ok {
		return p.block(a.key, b)
	}
	switch {
	case a.kind == coordAtom:
		b := make([]float64, block*c.n)
		for i, x := range c.points {
			for l := range block {
				b[block*i+l] = x[a.index]
			}
		}
		c.blocks[a.key] = b
		return p.block(a.key, b)
	case a.given: // evaluated once
		free := *a
		free.given = false
		b := c.givenBlock(poly{term{c: 1, factors: []factor{{&free, 1}}, key: a.key}})
		c.blocks[a.key] = b
		return p.block(a.key, b)
	case a.kind == fieldAtom:
		b := make([]float64, block*c.n)
		step := transformStep{kind: 'i', field: a.index, to: b}
		if a.op != (operator{}) {
			step.symbol = c.symbol(a.op, 1)
		}
		c.plan.steps = append(c.plan.steps, step)
		c.blocks[a.key] = b
		return p.block(a.key, b)
	case a.kind == operAtom:
		b := make([]float64, block*c.n)
		inner := newProgram()
		c.poly(inner, a.arg, inner.block("out", b))
		c.plan.steps = append(c.plan.steps, transformStep{kind: 'p', run: inner},
			transformStep{kind: 'r', to: b, symbol: c.symbol(a.op, complex(1/float64(c.n), 0))})
		c.blocks[a.key] = b
		return p.block(a.key, b)
	}
	arg, d := p.temporary(), p.temporary()
	c.poly(p, a.arg, arg)
	p.operations = append(p.operations, operation{d: d, a: arg, f: a.values()})
	p.memo[a.key] = d
	return d
}

// givenBlock evaluates a polynomial without fields.
func (c *compiler) givenBlock(p poly) []float64 {
	b := make([]float64, block*c.n)
	prog := newProgram()
	own := &compiler{c.Solver, &plan{sum: c.plan.sum, n: c.n}, c.blocks}
	own.poly(prog, p, prog.block("out", b))
	own.plan.steps = append(own.plan.steps, transformStep{kind: 'p', run: prog})
	own.plan.toPoints(nil)
	return b
}

// monomial returns the slot of a product of factors; common prefixes are computed once.
func (c *compiler) monomial(p *program, fs []factor) int {
	last := fs[len(fs)-1]
	if len(fs) == 1 && last.power == 1 {
		return c.atom(p, last.atom)
	}
	key := term{factors: fs}.keyed().key
	if i, ok := p.memo[key]; ok {
		return i
	}
	a, b := c.halves(p, fs)
	d := p.temporary()
	p.operations = append(p.operations, operation{d: d, a: a, b: b, c: 1})
	p.memo[key] = d
	return d
}

// halves returns two slots whose product is the monomial.
func (c *compiler) halves(p *program, fs []factor) (a, b int) {
	last := fs[len(fs)-1]
	if last.power == 1 {
		return c.monomial(p, fs[:len(fs)-1]), c.atom(p, last.atom)
	}
	if len(fs) > 1 {
		return c.monomial(p, fs[:len(fs)-1]), c.monomial(p, []factor{last})
	}
	half := last.power / 2
	return c.monomial(p, []factor{{last.atom, last.power - half}}), c.monomial(p, []factor{{last.atom, half}})
}

// poly writes the values of a polynomial to a slot.
func (c *compiler) poly(p *program, q poly, d int) {
	if len(q) == 0 {
		q = poly{term{}}
	}
	q = slices.Clone(q)
	slices.SortStableFunc(q, func(s, t term) int { return cmp.Compare(len(s.factors), len(t.factors)) })
	for i, t := range q {
		a, b := ones, ones
		if slot, ok := p.memo[t.key]; ok && len(t.factors) > 0 {
			a = slot
		} else if len(t.factors) == 1 && t.factors[0].power == 1 {
			a = c.atom(p, t.factors[0].atom)
		} else if len(t.factors) > 0 {
			a, b = c.halves(p, t.factors)
		}
		p.operations = append(p.operations, operation{d: d, a: a, b: b, c: t.c, more: i > 0})
	}
}

// run executes the operations tile by tile.
func (p *program) run(transform Transform, total int) {
	for first := 0; first < total; first += tile {
		size := min(tile, total-first)
		at := func(i int) []float64 {
			if p.isBlock[i] {
				return p.slots[i][first : first+size]
			}
			return p.slots[i][:size]
		}
		for i := range p.operations {
			o := &p.operations[i]
			if o.f == nil {
				transform.Product(at(o.d), o.c, at(o.a), at(o.b), o.more)
				continue
			}
			a, d := at(o.a), at(o.d)
			for j := range d {
				d[j] = o.f(a[j])
			}
		}
	}
}
