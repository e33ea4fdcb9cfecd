// This file runs a plan.

package equation

// toPoints does the steps up to the outputs' values; u holds the spectra of the fields.
func (p *plan) toPoints(u [][]float64) {
	for i := range p.steps {
		switch s := &p.steps[i]; s.kind {
		case 'i':
			if s.symbol == nil {
				copy(s.to, u[s.field])
			} else {
				p.transform.Multiply(s.to, u[s.field], s.symbol)
			}
			p.transform.Inverse(s.to)
		case 'p':
			s.run.run(block * p.n)
		case 'r':
			p.transform.Forward(s.to)
			p.transform.Multiply(s.to, s.to, s.symbol)
			p.transform.Inverse(s.to)
		}
	}
}

// squarer is a transform that squares on the way.
type squarer interface{ ForwardSquares(z []float64) }

// evaluate writes -i times the spectra of the rest to image, without their symbols if these are folded. It may exchange
// u's memory for that of image if u is done with.
func (p *plan) evaluate(image, u [][]float64, done bool) {
	if p.simple {
		if done {
			image[0], u[0] = u[0], image[0]
		} else {
			copy(image[0], u[0])
		}
		p.transform.Inverse(image[0])
		p.transform.(squarer).ForwardSquares(image[0])
		if !p.folded {
			p.transform.Multiply(image[0], image[0], p.uses[0][0].symbol)
		}
		return
	}
	if p.folded { // values are computed where images belong
		for row, uses := range p.uses {
			for _, use := range uses {
				p.outputs[use.output].values = image[row]
				p.final.slots[p.outputs[use.output].slot] = image[row]
			}
		}
	}
	p.toPoints(u)
	for i := range p.outputs {
		if o := &p.outputs[i]; o.square {
			p.transform.(squarer).ForwardSquares(o.values)
		} else {
			p.transform.Forward(o.values)
		}
	}
	for row, uses := range p.uses {
		if len(uses) == 0 {
			clear(image[row])
		}
		if p.folded {
			continue
		}
		values := func(i int) []float64 { return p.outputs[uses[i].output].values }
		for i := 0; i < len(uses); i += 2 {
			v, second, w := values(i), p.zero, values(i)
			if i+1 < len(uses) {
				second, w = uses[i+1].symbol, values(i+1)
			}
			if i == 0 {
				p.transform.Blend(image[row], uses[i].symbol, v, second, w)
			} else {
				p.transform.BlendAdd(image[row], uses[i].symbol, v, second, w)
			}
		}
	}
}

func add(dst, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += v[i]
	}
}
