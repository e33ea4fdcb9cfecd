package fno

import (
	"rfm/solver/num/neural"
)

// pass evaluates a network and its derivatives for a few functions at a time. It holds all memory that this takes.
// Functions stand side by side in the columns of matrices whose rows are channels.
type pass[T neural.Number] struct {
	shape     Shape
	transform *transform[T]
	samples   int // at a time, an even number
	halfway   halfway[T]

	input   neural.Matrix[T]    // In x columns
	values  []neural.Matrix[T]  // Width x columns: the input of each layer, and the output of the last one
	slopes  [][]T               // of the activation behind each layer but the last
	spectra []neural.Spectra[T] // Width x samples, of the input of each layer
	product neural.Spectra[T]   // Width x samples, of a layer's output
	hidden  neural.Matrix[T]    // Projection x columns, after the activation
	steep   []T                 // its slopes
	output  neural.Matrix[T]    // Out x columns
	ones    neural.Matrix[T]    // 1 x columns

	// Derivatives of the loss by what their names say; newPass leaves them out for predictions.
	dOutput  neural.Matrix[T]
	dHidden  neural.Matrix[T]
	dAfter   neural.Matrix[T]  // by the output of a layer
	dBefore  neural.Matrix[T]  // by the input of a layer
	dSpectra neural.Spectra[T] // by the spectra of a layer's input
}

// newPass returns the memory to evaluate a network for some functions at a time.
func newPass[T neural.Number](s Shape, t *transform[T], samples int, derivatives bool) *pass[T] {
	samples += samples % 2 // see neural.Spectra
	p := &pass[T]{
		shape:     s,
		transform: t,
		samples:   samples,
		halfway:   t.newHalfway(s.Width * samples),
	}
	columns := samples * t.functionSize()
	matrix := func(rows int) neural.Matrix[T] {
		return neural.NewMatrix[T](rows, columns)
	}
	spectra := func() neural.Spectra[T] {
		return neural.NewSpectra[T](s.Width, samples, t.spectrumGroups())
	}
	p.input = matrix(s.In)
	p.values = append(p.values, matrix(s.Width))
	for l := range s.Layers {
		p.values = append(p.values, matrix(s.Width))
		p.spectra = append(p.spectra, spectra())
		if l < s.Layers-1 {
			p.slopes = append(p.slopes, make([]T, len(p.values[0].Data)))
		}
	}
	p.product = spectra()
	p.hidden = matrix(s.Projection)
	p.steep = make([]T, len(p.hidden.Data))
	p.output = matrix(s.Out)
	if !derivatives {
		return p
	}
	p.ones = matrix(1)
	ones := p.ones.Row(0)
	for i := range ones {
		ones[i] = 1
	}
	p.dOutput = matrix(s.Out)
	p.dHidden = matrix(s.Projection)
	p.dAfter = matrix(s.Width)
	p.dBefore = matrix(s.Width)
	p.dSpectra = spectra()
	return p
}

// at returns the values of one function of one channel of m, in lines of transform.stride numbers.
func (p *pass[T]) at(m neural.Matrix[T], channel, sample int) []T {
	size := p.transform.functionSize()
	row := m.Data[channel*m.Stride:]
	return row[sample*size:][:size]
}

// forward evaluates the network for the functions in input; the results are in output.
func (p *pass[T]) forward(w *parameters[T]) {
	set(p.values[0], w.lift, p.input)
	p.clearPadding(p.values[0])
	for l := range w.layers {
		p.forwardLayer(w.layers[l], l)
	}
	last := p.values[len(w.layers)]
	set(p.hidden, w.hidden, last)
	neural.GELU(p.hidden.Data, p.steep, p.hidden.Data)
	set(p.output, w.last, p.hidden)
}

// forwardLayer evaluates layer l, with the activation unless it is the last one.
func (p *pass[T]) forwardLayer(w layer[T], l int) {
	t := p.transform
	before := p.values[l]
	after := p.values[l+1]
	spectra := p.spectra[l]
	clear(spectra.Data)
	t.forward(spectra.Data, before.Data, p.halfway)
	clear(p.product.Data)
	neural.AddSpectra(p.product, w.spectra, spectra, t.spectrumGroups(), false)
	set(after, w.local, before)
	t.inverse(after.Data, p.product.Data, p.halfway)
	if l < len(p.slopes) {
		neural.GELU(after.Data, p.slopes[l], after.Data)
	}
}

// set sets y to the map of the columns of x.
func set[T neural.Number](y neural.Matrix[T], a affine[T], x neural.Matrix[T]) {
	for i := range y.Rows {
		shift := a.shift.Row(i)[0]
		row := y.Row(i)
		for j := range row {
			row[j] = shift
		}
	}
	neural.AddProduct(y, a.matrix, x)
}

// clearPadding sets functions to zero beyond their points.
func (p *pass[T]) clearPadding(m neural.Matrix[T]) {
	if p.shape.Padding == [2]int{} {
		return
	}
	rows := p.shape.Points[0]
	columns := p.shape.Points[1]
	stride := p.transform.stride
	for channel := range m.Rows {
		for sample := range p.samples {
			f := p.at(m, channel, sample)
			for i := range rows {
				line := f[i*stride:][:stride]
				clear(line[columns:])
			}
			clear(f[rows*stride:])
		}
	}
}

// backward adds to gradient the derivatives by all weights of a loss with the derivative dOutput by the output, after
// forward. dOutput is zero beyond the points of functions, which keeps everything zero there that is summed over columns.
func (p *pass[T]) backward(w, gradient *parameters[T]) {
	layers := len(w.layers)
	p.addTo(gradient.last, p.dOutput, p.hidden)
	setTransposed(p.dHidden, w.last, p.dOutput)
	neural.Multiply(p.dHidden.Data, p.steep)

	p.addTo(gradient.hidden, p.dHidden, p.values[layers])
	setTransposed(p.dAfter, w.hidden, p.dHidden)

	for l := layers - 1; l >= 0; l-- {
		p.backwardLayer(w.layers[l], gradient.layers[l], l)
		p.dAfter, p.dBefore = p.dBefore, p.dAfter // the input of a layer is the output of the one before
	}
	p.clearPadding(p.dAfter)
	p.addTo(gradient.lift, p.dAfter, p.input)
}

// backwardLayer adds to gradient the derivatives by the weights of layer l, and sets dBefore to those by its input. It
// overwrites dAfter, those by its output.
func (p *pass[T]) backwardLayer(w, gradient layer[T], l int) {
	t := p.transform
	groups := t.spectrumGroups()
	if l < len(p.slopes) {
		neural.Multiply(p.dAfter.Data, p.slopes[l])
	}
	p.addTo(gradient.local, p.dAfter, p.values[l])
	clear(p.product.Data)
	t.inverseTransposed(p.product.Data, p.dAfter.Data, p.halfway)
	dWeights := gradient.spectra.Transposed()
	neural.AddSpectra(dWeights, p.spectra[l], p.product.Transposed(), groups, true)
	clear(p.dSpectra.Data)
	neural.AddSpectra(p.dSpectra, w.spectra.Transposed(), p.product, groups, true)
	setTransposed(p.dBefore, w.local, p.dAfter)
	t.forwardTransposed(p.dBefore.Data, p.dSpectra.Data, p.halfway)
}

// setTransposed sets dx to the derivatives by the arguments of an affine map, from those by its values.
func setTransposed[T neural.Number](dx neural.Matrix[T], a affine[T], dy neural.Matrix[T]) {
	clear(dx.Data)
	neural.AddProduct(dx, a.matrix.Transposed(), dy)
}

// addTo adds the derivatives by an affine map, from that by its values and from its arguments.
func (p *pass[T]) addTo(gradient affine[T], dValues, arguments neural.Matrix[T]) {
	neural.AddProductTransposed(gradient.matrix, dValues, arguments)
	neural.AddProductTransposed(gradient.shift, dValues, p.ones)
}
