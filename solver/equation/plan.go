// This file compiles the nonlinear rest to transforms and pointwise operations: each derivative is transformed once,
// equal sums are transformed once, and nothing is allocated at run time.

package equation

import (
	"maps"
	"slices"

	"rfm/solver/fft"
)

const (
	block = 2 * fft.Lanes // trajectories
	tile  = 512           // values per tile, on which all operations run in turn
)

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
	steps   []func(u [][]float64) // from the spectra of the fields to the values of the outputs
	final   *program
	outputs []output
	uses    [][]use // by row
	simple  bool    // one field, whose square is transformed: in place
	folded  bool    // images lack their symbols, which are in the tables of the step
}

type compiler struct {
	*Solver
	plan   *plan
	blocks map[string][]float64 // of atoms that are blocks
}

func (s *Solver) newCompiler() *compiler {
	return &compiler{s, &plan{sum: sum{transform: s.transform}}, map[string][]float64{}}
}

// symbol returns the symbol of an operator times a number and another symbol, nil for 1, on the retained modes.
func (c *compiler) symbol(o operator, scale complex128, inverse []complex128) []float64 {
	s := make([]float64, 2*c.n)
	for p, k := range c.waves {
		if c.kept[p] {
			v := o.symbol(k) * scale
			if inverse != nil {
				v *= inverse[p]
			}
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
	all := groups(s.rows)
	for _, g := range all {
		o := output{slot: -1}
		t := g.sum[0]
		if len(all) == 1 && len(g.sum) == 1 && t.c == 1 && len(t.factors) == 1 && t.factors[0].power == 2 &&
			t.factors[0].kind == fieldAtom {
			c.atom(p.final, t.factors[0].atom)
			o.values, o.square = c.blocks[t.factors[0].key], true
			p.simple = s.fields == 1 && t.factors[0].op == operator{}
		} else {
			o.values = make([]float64, block*s.n)
			o.slot = p.final.slot(o.values, true)
			c.poly(p.final, g.sum, o.slot)
		}
		for _, u := range g.uses {
			symbol, uses := c.symbol(u.op, complex(0, -u.c/float64(s.n)), s.inverse[u.row]), &p.uses[u.row]
			if n := len(*uses); n > 0 && (*uses)[n-1].output == len(p.outputs) {
				add((*uses)[n-1].symbol, symbol)
			} else {
				*uses = append(*uses, use{len(p.outputs), symbol})
			}
		}
		p.outputs = append(p.outputs, o)
	}
	if len(p.final.operations) > 0 {
		c.run(p.final)
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

// group is a sum with a single transform, which rows use with numbers times operators.
type group struct {
	sum  poly
	uses []groupUse
}

type groupUse struct {
	row int
	op  operator
	c   float64
}

// groups returns the sums below one operator in a row, each once if several are proportional.
func groups(rows [][]product) (all []group) {
	for r, row := range rows {
		var ops []operator
		sums := map[operator]poly{}
		for _, q := range row {
			if _, ok := sums[q.op]; !ok {
				ops = append(ops, q.op)
			}
			sums[q.op] = sums[q.op].plus(poly{q.term})
		}
		for _, op := range ops {
			p := sums[op]
			if len(p) == 0 {
				continue
			}
			scale := p[0].c
			q := p.times(1 / scale)
			i := slices.IndexFunc(all, func(g group) bool { return g.sum.key() == q.key() })
			if i < 0 {
				i, all = len(all), append(all, group{sum: q})
			}
			all[i].uses = append(all[i].uses, groupUse{r, op, scale})
		}
	}
	return all
}

// toPoints computes the values of the outputs from the spectra of the fields.
func (p *plan) toPoints(u [][]float64) {
	for _, step := range p.steps {
		step(u)
	}
}

// forwardSquares replaces z by the transform of the squares of its real and of its imaginary parts.
func (p *plan) forwardSquares(z []float64) {
	p.transform.Product(z, 1, z, z, false)
	p.transform.Forward(z)
}

// evaluate writes -i times the spectra of the rest to image, without their symbols if these are folded. It may swap the
// memory of u and image if done is set.
func (p *plan) evaluate(image, u [][]float64, done bool) {
	if p.simple {
		if done {
			image[0], u[0] = u[0], image[0]
		} else {
			copy(image[0], u[0])
		}
		p.transform.Inverse(image[0])
		p.forwardSquares(image[0])
		if !p.folded {
			p.transform.Multiply(image[0], image[0], p.uses[0][0].symbol)
		}
		return
	}
	if p.folded { // compute values in place of images
		for row, uses := range p.uses {
			for _, use := range uses {
				p.outputs[use.output].values = image[row]
				p.final.slots[p.outputs[use.output].slot].values = image[row]
			}
		}
	}
	p.toPoints(u)
	for i := range p.outputs {
		if o := &p.outputs[i]; o.square {
			p.forwardSquares(o.values)
		} else {
			p.transform.Forward(o.values)
		}
	}
	for row, uses := range p.uses {
		if p.folded && len(uses) > 0 {
			continue
		}
		for _, use := range uses {
			p.put(use.symbol, p.outputs[use.output].values)
		}
		p.flush(image[row], false)
	}
}

// sum collects products of tables and spectra, and adds them two at a time.
type sum struct {
	transform fft.Transform
	zeros     []float64      // a zero spectrum
	products  [][2][]float64 // tables, spectra
}

// put adds a product to the sum; a nil table is zero.
func (s *sum) put(table, v []float64) {
	if table != nil {
		s.products = append(s.products, [2][]float64{table, v})
	}
}

// flush sets dst to the sum, or adds the sum to it if there is more in dst.
func (s *sum) flush(dst []float64, more bool) {
	if len(s.products)%2 == 1 {
		s.put(s.zeros, s.products[0][1])
	}
	if len(s.products) == 0 && !more {
		clear(dst)
	}
	for i := 0; i < len(s.products); i += 2 {
		v, w := s.products[i], s.products[i+1]
		if more {
			s.transform.BlendAdd(dst, v[0], v[1], w[0], w[1])
		} else {
			s.transform.Blend(dst, v[0], v[1], w[0], w[1])
		}
		more = true
	}
	s.products = s.products[:0]
}

func add(dst, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += v[i]
	}
}
