// This file runs a plan.

package equation

// toPoints executes the steps up to the values of the outputs; u holds the spectra of the fields.
func (p *plan) toPoints(u [][]float64) {
	for i := range p.steps {
		switch s := &p.steps[i]; s.kind {
		case 'i':
			if s.symbol != nil {
				p.transform.InverseOf(s.to, u[s.field], s.symbol)
				continue
			}
			copy(s.to, u[s.field])
			p.transform.Inverse(s.to)
		case 'p':
			s.run.run(p.transform, block*p.n)
		case 'r':
			p.transform.Forward(s.to)
			p.transform.InverseOf(s.to, s.to, s.symbol)
		}
	}
}

// squarer is a Transform that also transforms squares.
type squarer interface{ ForwardSquares(z []float64) }

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
		p.transform.(squarer).ForwardSquares(image[0])
		if !p.folded {
			p.transform.Multiply(image[0], image[0], p.uses[0][0].symbol)
		}
		return
	}
	if p.folded { // compute values in place of images
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
		if p.folded && len(uses) > 0 {
			continue
		}
		for _, use := range uses {
			p.put(image[row], use.symbol, p.outputs[use.output].values)
		}
		p.flush(image[row])
	}
}

// sum adds products of spectra, two at a time.
type sum struct {
	transform     Transform
	zeros         []float64 // a zero spectrum
	table, values []float64 // a product pending until the next one
	begun         bool      // whether dst has a part of the sum
}

// put adds a v to dst in pairs of products; flush adds the last product and ends the sum.
func (s *sum) put(dst, a, v []float64) {
	switch {
	case a == nil:
	case s.table == nil:
		s.table, s.values = a, v
	case s.begun:
		s.transform.BlendAdd(dst, s.table, s.values, a, v)
		s.table = nil
	default:
		s.transform.Blend(dst, s.table, s.values, a, v)
		s.begun, s.table = true, nil
	}
}

func (s *sum) flush(dst []float64) {
	switch {
	case s.table != nil:
		s.put(dst, s.zeros, s.values)
	case !s.begun:
		clear(dst)
	}
	s.begun = false
}

func add(dst, v []float64) {
	v = v[:len(dst)]
	for i := range dst {
		dst[i] += v[i]
	}
}
