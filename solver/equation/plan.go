// This file compiles the nonlinear rest to transforms and pointwise operations: each derivative is transformed once,
// equal sums are transformed once, and nothing is allocated at run time.

package equation

import (
	"maps"
	"slices"

	"rfm/solver/fft"
)

// block is the number of trajectories that advance together, with one common step.
const block = 2 * fft.Lanes

// plan evaluates the rest for one block of trajectories. It must not be used concurrently.
type plan struct {
	sum
	steps   []func(u [][]float64) // from the spectra of the fields to the values of the outputs
	final   *program
	outputs []output
	uses    [][]use // by row, in the order of outputs
	folded  bool    // images lack their symbols, which are in the tables of the step
}

// output is a sum that has one transform.
type output struct {
	terms  poly
	values []float64
	slot   int // of the values in the last program
}

// use adds symbol times the transform of an output to a row.
type use struct {
	output int
	symbol []float64
}

type compiler struct {
	*evolution
	plan   *plan
	blocks map[string][]float64 // of atoms that are blocks
}

func (s *evolution) newCompiler() *compiler {
	return &compiler{s, &plan{sum: sum{transform: s.transform}}, map[string][]float64{}}
}

// symbol returns the symbol of an operator times a number and another symbol, nil for 1, on the retained modes.
func (c *compiler) symbol(o operator, scale complex128, inverse []complex128) []float64 {
	s := make([]float64, 2*c.n)
	for p, k := range c.waves {
		if c.highest[p] <= c.limit {
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
func (s *evolution) compile() *plan {
	c := s.newCompiler()
	c.blocks = maps.Clone(s.given)
	p := c.plan
	p.final, p.uses = newProgram(), make([][]use, s.fields)
	for row := range s.rows {
		c.share(row)
	}
	for i := range p.outputs {
		o := &p.outputs[i]
		o.values = make([]float64, block*s.n)
		o.slot = p.final.slot(o.values)
		c.poly(p.final, o.terms, o.slot)
	}
	c.run(p.final)
	s.fold(p)
	return p
}

// share adds the sums below one operator in a row to the outputs, each once if several are proportional.
func (c *compiler) share(row int) {
	var ops []operator
	sums, p := map[operator]poly{}, c.plan
	for _, q := range c.rows[row].rest {
		if _, ok := sums[q.op]; !ok {
			ops = append(ops, q.op)
		}
		sums[q.op] = sums[q.op].plus(poly{q.term})
	}
	for _, op := range ops {
		if len(sums[op]) == 0 {
			continue
		}
		scale := sums[op][0].c
		terms := sums[op].times(1 / scale)
		i := slices.IndexFunc(p.outputs, func(o output) bool { return o.terms.key() == terms.key() })
		if i < 0 {
			i, p.outputs = len(p.outputs), append(p.outputs, output{terms: terms})
		}
		symbol := c.symbol(op, complex(0, -scale/float64(c.n)), c.rows[row].inverse)
		if k := slices.IndexFunc(p.uses[row], func(u use) bool { return u.output == i }); k >= 0 {
			add(p.uses[row][k].symbol, symbol)
		} else {
			p.uses[row] = append(p.uses[row], use{i, symbol})
		}
	}
	slices.SortFunc(p.uses[row], func(a, b use) int { return a.output - b.output })
}

// fold leaves the symbols of the rest to the tables of the step if each row has one transform at most, used by no other
// row. Real tables require that all symbols are even, or odd.
func (s *evolution) fold(p *plan) {
	used, even, odd := make([]bool, len(p.outputs)), true, true
	for row, uses := range p.uses {
		if len(uses) > 1 || s.rows[row].constant != nil || s.rows[row].quasi != nil {
			return
		}
		for _, u := range uses {
			if used[u.output] {
				return
			}
			used[u.output] = true
			for i := 0; i < len(u.symbol); i += 2 { // -i times the symbol of the operator
				even, odd = even && u.symbol[i] == 0, odd && u.symbol[i+1] == 0
			}
		}
	}
	p.folded, p.even = !s.isReal || even || odd, s.isReal && even
}

// toPoints computes the values of the outputs from the spectra of the fields.
func (p *plan) toPoints(u [][]float64) {
	for _, step := range p.steps {
		step(u)
	}
}

// evaluate writes -i times the spectra of the rest to image, without their symbols if these are folded.
func (p *plan) evaluate(image, u [][]float64) {
	for row, uses := range p.uses {
		if p.folded && len(uses) > 0 { // compute values in place of images
			o := &p.outputs[uses[0].output]
			o.values, p.final.slots[o.slot] = image[row], image[row]
		}
	}
	p.toPoints(u)
	for i := range p.outputs {
		p.transform.Forward(p.outputs[i].values)
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

// sum collects products of tables and spectra.
type sum struct {
	transform       fft.Transform
	tables, spectra [][]float64
	even            bool // whether real tables contain even symbols, so that images are not turned by -i
}

// put adds a product to the sum; a nil table is zero.
func (s *sum) put(table, v []float64) {
	if table != nil {
		s.tables, s.spectra = append(s.tables, table), append(s.spectra, v)
	}
}

// flush sets dst to the sum, whose first table is that of the solution if tables are real.
func (s *sum) flush(dst []float64, isReal bool) {
	switch {
	case len(s.spectra) == 0:
		clear(dst)
	case isReal && s.even:
		s.transform.Mix(dst, s.tables, s.spectra)
	case isReal:
		s.transform.Combine(dst, s.tables, s.spectra)
	default:
		s.transform.Blend(dst, s.tables, s.spectra)
	}
	s.tables, s.spectra = s.tables[:0], s.spectra[:0]
}

func add(dst, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += v[i]
	}
}
