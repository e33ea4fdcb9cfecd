// This file compiles polynomials of atoms to pointwise operations on tiles: products share their factors, and nothing
// is allocated at run time.

package equation

import (
	"cmp"
	"slices"
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
	*plan
	operations []operation
	slots      [][]float64
	memo       map[string]int // of slots, by keys
}

const (
	tile = 512 // values per tile, on which all operations run in turn
	ones = 0   // the slot of the number 1
)

func (c *plan) newProgram() *program {
	number := slices.Repeat([]float64{1}, tile)
	return &program{
		plan:  c,
		memo:  map[string]int{},
		slots: [][]float64{ones: number},
	}
}

func (p *program) slot(values []float64) int {
	p.slots = append(p.slots, values)
	return len(p.slots) - 1
}

func (p *program) temporary() int { return p.slot(make([]float64, tile)) }

// atom returns the slot of an atom's values; it adds steps to the plan if necessary.
func (p *program) atom(a *atom) int {
	if i, ok := p.memo[a.key]; ok {
		return i
	}
	values, known := p.blocks[a.key]
	switch {
	case known:
	case a.given && !p.once:
		values = p.givenBlock(alone(a, 0))
	case a.kind == funcAtom:
		return p.function(a)
	default:
		values = p.block(a)
	}
	slot := p.slot(values)
	p.blocks[a.key] = values
	p.memo[a.key] = slot
	return slot
}

// function returns the slot of the values of a function, whose argument has a slot of its own.
func (p *program) function(a *atom) int {
	arg := p.temporary()
	d := p.temporary()
	p.poly(a.arg, arg)
	p.operations = append(p.operations, operation{d: d, a: arg, f: a.f})
	p.memo[a.key] = d
	return d
}

// block returns the values of a derivative or operator, which steps of the plan compute.
func (c *plan) block(a *atom) []float64 {
	b := c.newBlock()
	if c.space != nil {
		c.spaceBlock(a, b)
		return b
	}
	if a.kind == fieldAtom {
		field := a.index
		parities := c.paritiesOf(alone(a, 0))
		symbol := c.toValues(c.symbol(a.op, 1, nil), parities)
		c.steps = append(c.steps, func(u [][]float64) { c.inverseOf(b, u[field], symbol, parities) })
		return b
	}
	c.compute(a.arg, b)
	before := c.paritiesOf(a.arg)
	after := c.paritiesOf(alone(a, 0))
	symbol := c.symbol(a.op, complex(1/float64(c.samples), 0), nil)
	symbol = c.toValues(c.fromValues(symbol, before), after)
	c.steps = append(c.steps, func([][]float64) {
		c.forward(b, before)
		c.inverseOf(b, b, symbol, after)
	})
	return b
}

// compute adds the steps that write the values of a polynomial to a block.
func (c *plan) compute(q poly, to []float64) {
	p := c.newProgram()
	p.poly(q, p.slot(to))
	c.steps = append(c.steps, p.run)
}

// givenBlock evaluates a polynomial without fields.
func (c *plan) givenBlock(q poly) []float64 {
	b := c.newBlock()
	own := &plan{evolution: c.evolution, blocks: c.blocks, once: true}
	own.compute(q, b)
	own.toPoints(nil)
	return b
}

// monomial returns the slot of a product of factors; common prefixes are computed once.
func (p *program) monomial(fs []factor) int {
	key := term{factors: fs}.keyed().key
	if i, ok := p.memo[key]; ok {
		return i
	}
	a, b := p.halves(fs)
	if b == ones {
		return a
	}
	d := p.temporary()
	p.operations = append(p.operations, operation{d: d, a: a, b: b, c: 1})
	p.memo[key] = d
	return d
}

// halves returns two slots whose product is the monomial, the second one ones if the first holds it.
func (p *program) halves(fs []factor) (a, b int) {
	before := fs[:len(fs)-1]
	last := fs[len(fs)-1]
	if len(before) > 0 {
		a = p.monomial(before)
		b = p.monomial([]factor{last})
		return a, b
	}
	lower := last.power / 2
	if lower == 0 {
		return p.atom(last.atom), ones
	}
	a = p.monomial([]factor{{last.atom, last.power - lower}})
	b = p.monomial([]factor{{last.atom, lower}})
	return a, b
}

// poly writes the values of a polynomial to a slot.
func (p *program) poly(q poly, d int) {
	if len(q) == 0 {
		q = poly{term{}}
	}
	q = slices.Clone(q)
	slices.SortStableFunc(q, func(s, t term) int {
		return cmp.Compare(s.degree(), t.degree())
	})
	var sum []operation
	for _, t := range q {
		o := p.operation(t)
		i := slices.IndexFunc(sum, o.joins)
		if i >= 0 {
			sum[i].join(o)
			continue
		}
		o.d = d
		o.more = len(sum) > 0
		sum = append(sum, o)
	}
	p.operations = append(p.operations, sum...)
}

// operation returns the product that is a term.
func (p *program) operation(t term) operation {
	o := operation{a: ones, b: ones, c: t.c}
	if len(t.factors) == 0 {
		return o
	}
	slot, ok := p.memo[t.key]
	if ok {
		o.a = slot
	} else {
		o.a, o.b = p.halves(t.factors)
	}
	return o
}

// joins reports whether a multiple of one slot is a multiple of a factor of this product.
func (o operation) joins(multiple operation) bool {
	isMultiple := multiple.b == ones && multiple.e == 0
	return isMultiple && (multiple.a == o.a || multiple.a == o.b)
}

// join adds the product c v w to the multiple e w: it becomes (c v + e) w.
func (o *operation) join(product operation) {
	w := o.a
	v := product.a
	if v == w {
		v = product.b
	}
	o.e = o.c
	o.c = product.c
	o.a = v
	o.b = w
}

// run executes the operations tile by tile.
func (p *program) run([][]float64) {
	total := block * p.n
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
				p.transform.Product(at(o.d), o.c, at(o.a), o.e, at(o.b), o.more)
				continue
			}
			a := at(o.a)
			d := at(o.d)
			for j := range d {
				d[j] = o.f(a[j])
			}
		}
	}
}
