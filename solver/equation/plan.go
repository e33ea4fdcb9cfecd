// This file compiles the nonlinear rest to transforms and pointwise operations on tiles: each derivative is transformed
// once, equal products are computed once, and nothing is allocated at run time.

package equation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"rfm/solver/fft"
)

const (
	block = 2 * fft.Lanes // trajectories
	tile  = 512           // values per tile, on which all operations run in turn
)

// operation is d = c a b, d += c a b or, if there is a function, d = f(a).
type operation struct {
	d, a, b int // slots
	c       float64
	more    bool
	f       func(float64) float64
}

// program is a sequence of pointwise operations. Slots are blocks, or temporary tiles.
type program struct {
	operations []operation
	slots      [][]float64
	isBlock    []bool
	memo       map[string]int // of slots, by keys
}

// transformStep is a step between spectra and points.
type transformStep struct {
	kind   byte // 'i' inverse of a field's derivative, 'p' pointwise, 'r' forward, symbol, inverse
	field  int
	symbol []float64 // nil: 1
	to     []float64
	run    *program
}

// use adds symbol times the transform of an output to a row.
type use struct {
	output int
	symbol []float64
}

type output struct {
	values []float64
	slot   int  // of the values in the last program
	square bool // the output is the square of the values of a field
}

// plan evaluates the rest for one block of trajectories. It must not be used concurrently.
type plan struct {
	sum
	n, fields int
	steps     []transformStep
	final     *program
	outputs   []output
	uses      [][]use // by row
	simple    bool    // one field, whose square is transformed: in place
	folded    bool    // images lack their symbols, which are in the tables of the step
}

type compiler struct {
	*Solver
	plan   *plan
	blocks map[string][]float64 // of atoms that are blocks
}

func (s *Solver) newCompiler() *compiler {
	return &compiler{s, &plan{sum: sum{transform: s.transform}, n: s.n, fields: s.fields}, map[string][]float64{}}
}

// symbol returns the symbol of an operator times a number on the retained modes.
func (c *compiler) symbol(o operator, scale complex128) []float64 {
	s := make([]float64, 2*c.n)
	for p, k := range c.waves {
		if c.kept[p] {
			v := o.symbol(k) * scale
			s[2*p], s[2*p+1] = real(v), imag(v)
		}
	}
	return s
}

// compile returns a plan of the rest.
func (s *Solver) compile() *plan {
	c := s.newCompiler()
	c.blocks = maps.Clone(s.given)
	p := c.plan
	p.final, p.uses, p.zeros = newProgram(), make([][]use, s.fields), make([]float64, 2*s.n)
	_, canSquare := s.transform.(squarer)
	all := groups(s.rows)
	for _, g := range all {
		o := output{slot: -1}
		t := g.sum[0]
		if canSquare && len(all) == 1 && len(g.sum) == 1 && t.c == 1 && len(t.factors) == 1 && t.factors[0].power == 2 &&
			t.factors[0].kind == fieldAtom {
			c.atom(p.final, t.factors[0].atom)
			o.values, o.square = c.blocks[t.factors[0].key], true
		} else {
			o.values = make([]float64, block*s.n)
			o.slot = p.final.slot(o.values, true)
			c.poly(p.final, g.sum, o.slot)
		}
		last := -1
		for _, u := range slices.SortedFunc(maps.Keys(g.uses), func(a, b groupUse) int {
			return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(fmt.Sprint(a.op), fmt.Sprint(b.op)))
		}) {
			symbol, uses := c.symbol(u.op, complex(0, -g.uses[u]/float64(s.n))), &p.uses[u.row]
			if u.row == last {
				add((*uses)[len(*uses)-1].symbol, symbol)
			} else {
				*uses = append(*uses, use{len(p.outputs), symbol})
			}
			last = u.row
		}
		p.outputs = append(p.outputs, o)
	}
	p.simple = s.fields == 1 && len(p.outputs) == 1 && p.outputs[0].square && len(p.steps) == 1 && p.steps[0].symbol == nil
	if len(p.final.operations) > 0 {
		p.steps = append(p.steps, transformStep{kind: 'p', run: p.final})
	}
	p.folded = s.canFold(p)
	return p
}

// canFold reports whether a row has one transform at most, used by no other row, so that its symbol can be a factor of
// the tables of the step. Real tables require real symbols.
func (s *Solver) canFold(p *plan) bool {
	used := make([]bool, len(p.outputs))
	for row, uses := range p.uses {
		if len(uses) > 1 || s.constants[row] != nil || s.quasi[row] != nil {
			return false
		}
		for _, u := range uses {
			if used[u.output] || p.outputs[u.output].square && !p.simple {
				return false
			}
			used[u.output] = true
			for i := 1; s.isReal && i < len(u.symbol); i += 2 {
				if u.symbol[i] != 0 {
					return false
				}
			}
		}
	}
	return true
}

// group is a sum with a single transform; its uses have symbols that are numbers times operators.
type group struct {
	sum  poly
	uses map[groupUse]float64
}

type groupUse struct {
	row int
	op  operator
}

// groups returns the sums below one operator in a row, each once if several are proportional.
func groups(rows [][]product) (all []group) {
	byUse := map[groupUse]poly{}
	var order []groupUse
	for r, row := range rows {
		for _, q := range row {
			u := groupUse{r, q.op}
			if _, ok := byUse[u]; !ok {
				order = append(order, u)
			}
			t := q.term
			t.c = q.c
			byUse[u] = byUse[u].plus(poly{t})
		}
	}
	for _, u := range order {
		p := byUse[u]
		if len(p) == 0 {
			continue
		}
		scale := p[0].c
		q := p.times(1 / scale)
		i := slices.IndexFunc(all, func(g group) bool { return g.sum.key() == q.key() })
		if i < 0 {
			i, all = len(all), append(all, group{q, map[groupUse]float64{}})
		}
		all[i].uses[u] = scale
	}
	return all
}
