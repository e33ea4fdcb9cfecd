// This file compiles the nonlinear rest to transforms and pointwise operations: each derivative is transformed once,
// equal sums are transformed once, and nothing is allocated at run time.

package equation

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/num/fft"
)

// block is the number of trajectories that advance together, with one common step.
const block = 2 * fft.Lanes

// plan evaluates polynomials, such as the rest, for one block of trajectories. It must not be used concurrently.
type plan struct {
	*evolution
	blocks  map[string][]float64  // values by the key of an atom
	once    bool                  // whether no field occurs
	steps   []func(u [][]float64) // from the spectra of the fields to the values of the outputs
	final   *program
	outputs []output
	folded  []*output              // by row, its only output; nil slice: rows share outputs or add several
	even    bool                   // whether real tables contain even symbols, so that images are not turned by -i
	factor  [maxField][]complex128 // of images in tables, by position
	split   [maxField][]float64    // -i times the symbol of the diffusion that moved to the symbol; nil: 0

	tables  [][]float64 // of the sum that put and flush collect
	spectra [][]float64
}

// output is a sum that has one transform.
type output struct {
	terms    poly
	parities parities
	slot     int                 // of the values in the last program
	symbols  [maxField][]float64 // factors of the transform by row; nil: 0
}

// newPlan returns a plan that evaluates nothing yet, and knows x and y.
func (s *evolution) newPlan() *plan {
	return &plan{
		evolution: s,
		blocks:    maps.Clone(s.given),
	}
}

// compile returns a plan of the rest.
func (s *evolution) compile() *plan {
	p := s.newPlan()
	p.final = p.newProgram()
	for i := range s.rows {
		p.share(i)
	}
	for i := range p.outputs {
		o := &p.outputs[i]
		o.slot = p.final.slot(s.newBlock())
		p.final.poly(o.terms, o.slot)
	}
	p.steps = append(p.steps, p.final.run)
	p.fold()
	return p
}

// share adds the sums below one operator in row i to the outputs, each once if several are proportional.
func (p *plan) share(i int) {
	r := p.rows[i]
	for _, sum := range sumsByOperator(r.rest) {
		if len(sum.terms) == 0 { // it cancels
			continue
		}
		scale := sum.terms[0].c
		o := p.outputOf(sum.terms.times(1 / scale))
		symbol := p.symbol(sum.op, complex(0, -scale/float64(p.samples)), r.inverse)
		o.symbols[i] = add(o.symbols[i], p.fromValues(symbol, o.parities))
	}
}

// operatorSum is an operator on a sum of terms.
type operatorSum struct {
	op    operator
	terms poly
}

// sumsByOperator adds the terms below equal operators, in the order in which these occur.
func sumsByOperator(rest []product) []operatorSum {
	var sums []operatorSum
	for _, q := range rest {
		i := slices.IndexFunc(sums, func(s operatorSum) bool { return s.op == q.op })
		if i < 0 {
			i = len(sums)
			sums = append(sums, operatorSum{op: q.op})
		}
		sums[i].terms = sums[i].terms.plus(poly{q.term})
	}
	return sums
}

// outputOf returns the output of a sum, which it adds if there is none.
func (p *plan) outputOf(sum poly) *output {
	key := sum.key()
	j := slices.IndexFunc(p.outputs, func(o output) bool { return o.terms.key() == key })
	if j < 0 {
		j = len(p.outputs)
		p.outputs = append(p.outputs, output{terms: sum, parities: p.paritiesOf(sum)})
	}
	return &p.outputs[j]
}

// fold leaves the symbols of the rest to the tables of the step if each row has one transform at most, used by no other
// row: images lack them then. Real tables require that all symbols are even, or odd.
func (p *plan) fold() {
	folded, isAlone := p.onlyOutputs()
	isEven, isOdd := p.parity()
	if isAlone && (!p.isReal || isEven || isOdd) {
		p.folded = folded
		p.even = p.isReal && isEven
	}
	turn := complex(0, 1) // images are -i times spectra
	if p.isReal && !p.even {
		turn = 1 // the i comes from Combine
	}
	for i := range p.rows {
		factor := make([]complex128, p.n)
		for k := range factor {
			if p.folded == nil {
				factor[k] = turn
			} else if p.folded[i] != nil {
				symbol := p.folded[i].symbols[i]
				factor[k] = turn * complex(symbol[2*k], symbol[2*k+1])
			}
		}
		p.factor[i] = factor
	}
}

// onlyOutputs returns the output of each row; isAlone is false if a row has several, shares one with another row, or has
// more than outputs: a constant, or diffusion that moves.
func (p *plan) onlyOutputs() (byRow []*output, isAlone bool) {
	byRow = make([]*output, len(p.rows))
	isAlone = !slices.ContainsFunc(p.rows, func(r row) bool { return r.constant != nil || r.quasi != 0 })
	for j := range p.outputs {
		o := &p.outputs[j]
		rows := 0
		for i, symbol := range o.symbols {
			if symbol == nil {
				continue
			}
			rows++
			if rows > 1 || byRow[i] != nil {
				isAlone = false
			}
			byRow[i] = o
		}
	}
	return byRow, isAlone
}

// parity reports whether the symbols of all operators on outputs are even, or odd: real, or imaginary. Those of outputs are
// -i times as large.
func (p *plan) parity() (isEven, isOdd bool) {
	isEven = true
	isOdd = true
	for _, o := range p.outputs {
		for _, symbol := range o.symbols {
			for k := 0; k < len(symbol); k += 2 {
				isEven = isEven && symbol[k] == 0
				isOdd = isOdd && symbol[k+1] == 0
			}
		}
	}
	return isEven, isOdd
}

// toPoints computes the values of the outputs from the spectra of the fields.
func (p *plan) toPoints(u [][]float64) {
	for _, step := range p.steps {
		step(u)
	}
}

// rest writes -i times the spectra of the rest to image, without their symbols if these are folded.
func (p *plan) rest(image, u [][]float64) {
	for i, o := range p.folded {
		if o != nil { // compute values in place of images
			p.final.slots[o.slot] = image[i]
		}
	}
	p.toPoints(u)
	for _, o := range p.outputs {
		p.forward(p.final.slots[o.slot], o.parities)
	}
	for i, r := range p.rows {
		if p.folded != nil && p.folded[i] != nil {
			continue
		}
		for j := range p.outputs {
			o := &p.outputs[j]
			p.put(o.symbols[i], p.final.slots[o.slot])
		}
		p.put(p.split[i], u[i])
		p.flush(image[i], false)
		if r.constant != nil {
			add(image[i], r.constant)
		}
	}
}

// put adds a product of a table and a spectrum to the sum; a nil table is zero.
func (p *plan) put(table, v []float64) {
	if table != nil {
		p.tables = append(p.tables, table)
		p.spectra = append(p.spectra, v)
	}
}

// flush sets dst to the sum, whose first table is that of the solution if tables are real.
func (p *plan) flush(dst []float64, isReal bool) {
	switch {
	case len(p.spectra) == 0:
		clear(dst)
	case isReal && p.even:
		p.transform.Combine(dst, len(p.tables), p.tables, p.spectra)
	case isReal:
		p.transform.Combine(dst, 1, p.tables, p.spectra)
	default:
		p.transform.Blend(dst, p.tables, p.spectra)
	}
	p.tables = p.tables[:0]
	p.spectra = p.spectra[:0]
}

// add adds v to dst and returns the sum. A nil dst is zero.
func add(dst, v []float64) []float64 {
	if dst == nil {
		return v
	}
	floats.Add(dst, v[:len(dst)])
	return dst
}
