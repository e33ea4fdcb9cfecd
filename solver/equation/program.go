// This file compiles polynomials of atoms to pointwise operations on tiles: products share their factors, and nothing
// is allocated at run time.

package equation

import (
	"cmp"
	"slices"

	"rfm/solver/fft"
)

// operation is d = (c a + e) b, d += (c a + e) b or, if there is a function, d = f(a).
type operation struct {
	d, a, b int // slots
	c, e    float64
	more    bool
	f       func(float64) float64
}

// program is a sequence of pointwise operations. Slots hold values of a block, or temporary ones of the current tile.
type program struct {
	operations []operation
	slots      [][]float64
	memo       map[string]int // of slots, by keys
}

const (
	tile = 512 // values per tile, on which all operations run in turn
	ones = 0   // the slot of the number 1
)

func newProgram() *program {
	return &program{memo: map[string]int{}, slots: [][]float64{slices.Repeat([]float64{1}, tile)}}
}

func (p *program) slot(values []float64) int {
	p.slots = append(p.slots, values)
	return len(p.slots) - 1
}

func (p *program) temporary() int { return p.slot(make([]float64, tile)) }

// step adds a step to the plan.
func (c *compiler) step(do func(u [][]float64)) { c.plan.steps = append(c.plan.steps, do) }

func (c *compiler) run(p *program) { c.step(func([][]float64) { p.run(c.transform, block*c.n) }) }

// atom returns the slot of an atom's values; it adds steps if necessary.
func (c *compiler) atom(p *program, a *atom) int {
	if i, ok := p.memo[a.key]; ok {
		return i
	}
	if _, ok := c.blocks[a.key]; !ok && a.kind == funcAtom && !a.given {
		arg, d := p.temporary(), p.temporary()
		c.poly(p, a.arg, arg)
		p.operations = append(p.operations, operation{d: d, a: arg, f: a.f})
		p.memo[a.key] = d
		return d
	} else if !ok {
		c.blocks[a.key] = c.block(a)
	}
	p.memo[a.key] = p.slot(c.blocks[a.key])
	return p.memo[a.key]
}

// block returns the values of an atom, which steps of the plan compute unless they do not change.
func (c *compiler) block(a *atom) []float64 {
	if a.given && a.kind != coordAtom {
		free := *a
		free.given = false
		return c.givenBlock(poly{term{c: 1, factors: []factor{{&free, 1}}, key: a.key}})
	}
	b, transform := make([]float64, block*c.n), c.transform
	switch {
	case a.kind == coordAtom:
		for i, x := range c.points {
			for l := range block {
				b[block*i+l] = x[a.index]
			}
		}
	case a.kind == operAtom:
		c.compute(a.arg, b)
		symbol := c.symbol(a.op, complex(1/float64(c.n), 0), nil)
		c.step(func([][]float64) {
			transform.Forward(b)
			transform.InverseOf(b, b, symbol)
		})
	default:
		symbol := c.symbol(a.op, 1, nil)
		c.step(func(u [][]float64) { transform.InverseOf(b, u[a.index], symbol) })
	}
	return b
}

// compute adds the steps that write the values of a polynomial to a block.
func (c *compiler) compute(q poly, to []float64) {
	p := newProgram()
	c.poly(p, q, p.slot(to))
	c.run(p)
}

// givenBlock evaluates a polynomial without fields.
func (c *compiler) givenBlock(p poly) []float64 {
	b := make([]float64, block*c.n)
	own := &compiler{c.evolution, &plan{}, c.blocks}
	own.compute(p, b)
	own.plan.toPoints(nil)
	return b
}

// monomial returns the slot of a product of factors; common prefixes are computed once.
func (c *compiler) monomial(p *program, fs []factor) int {
	key := term{factors: fs}.keyed().key
	if i, ok := p.memo[key]; ok {
		return i
	}
	a, b := c.halves(p, fs)
	if b == ones {
		return a
	}
	d := p.temporary()
	p.operations = append(p.operations, operation{d: d, a: a, b: b, c: 1})
	p.memo[key] = d
	return d
}

// halves returns two slots whose product is the monomial, the second one ones if the first holds it.
func (c *compiler) halves(p *program, fs []factor) (a, b int) {
	last := fs[len(fs)-1]
	switch half := last.power / 2; {
	case len(fs) > 1:
		return c.monomial(p, fs[:len(fs)-1]), c.monomial(p, []factor{last})
	case half > 0:
		return c.monomial(p, []factor{{last.atom, last.power - half}}), c.monomial(p, []factor{{last.atom, half}})
	}
	return c.atom(p, last.atom), ones
}

// poly writes the values of a polynomial to a slot.
func (c *compiler) poly(p *program, q poly, d int) {
	if len(q) == 0 {
		q = poly{term{}}
	}
	q = slices.Clone(q)
	slices.SortStableFunc(q, func(s, t term) int { return cmp.Compare(s.degree(), t.degree()) })
	var sum []operation
	for _, t := range q {
		o := operation{d: d, a: ones, b: ones, c: t.c, more: len(sum) > 0}
		if slot, ok := p.memo[t.key]; ok && len(t.factors) > 0 {
			o.a = slot
		} else if len(t.factors) > 0 {
			o.a, o.b = c.halves(p, t.factors)
		}
		joins := func(l operation) bool { return l.b == ones && l.e == 0 && (l.a == o.a || l.a == o.b) }
		if i := slices.IndexFunc(sum, joins); i >= 0 { // c v w + e w = (c v + e) w
			l := &sum[i]
			l.a, l.b, l.c, l.e = o.a+o.b-l.a, l.a, o.c, l.c
			continue
		}
		sum = append(sum, o)
	}
	p.operations = append(p.operations, sum...)
}

// run executes the operations tile by tile.
func (p *program) run(transform fft.Transform, total int) {
	for first := 0; first < total; first += tile {
		size := min(tile, total-first)
		at := func(i int) []float64 {
			if v := p.slots[i]; len(v) != tile {
				return v[first : first+size]
			}
			return p.slots[i][:size] // also of a block that is one tile
		}
		for i := range p.operations {
			o := &p.operations[i]
			if o.f == nil {
				transform.Product(at(o.d), o.c, at(o.a), o.e, at(o.b), o.more)
				continue
			}
			a, d := at(o.a), at(o.d)
			for j := range d {
				d[j] = o.f(a[j])
			}
		}
	}
}
