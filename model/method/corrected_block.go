// This file corrects many predictions at a time.

package method

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/grid"
)

// blockInputs returns the numbers of inputs that are corrected together. The larger one is such that their fields fit
// in the second-level cache, and a multiple of the other one, to which inputs are padded.
func (c *Corrected) blockInputs() (least, most int) {
	if c.domain.Dims == 1 {
		return 8, 64
	}
	return 2, 16
}

// block is the working memory of one worker, with some inputs and predictions. A field of each lies in it as
// linalg.Combine takes it, in panels of four rows side by side, or as linalg.Combine writes it. Axes are padded to
// multiples of four, and the number of inputs, see blockInputs, so that results for one input do not depend on the
// others. Padding is zero wherever it meets a coefficient other than zero. Functions of one variable have one row,
// without padding, and panels of four values of a row.
type block struct {
	of            *Corrected
	line          bool // functions of one variable
	count         int  // inputs, with padding
	rows, columns int  // of fields on their own grid, with padding
	modes         [2]int
	ones          []float64   // on the inner grid
	mean          [][]float64 // the mean output there, of each channel
	a, v          [][]float64 // panels of each channel
	// as Combine writes them: after one axis, cosines, v', their factors, the waves of a feature
	half, cosine, smooth, product, waves []float64
	sum                                  [][]float64 // of features, of each channel
	panels, turned                       []float64
	coefficients                         []float64 // of one axis
	synthesis                            axes
}

var sine, _ = activation.ByName("sin")

// padded returns the least multiple of four that is at least n.
func padded(n int) int { return (n + 3) / 4 * 4 }

// newBlock returns a block with room for the given number of inputs.
func (c *Corrected) newBlock(inputs int) *block {
	rows, columns := c.domain.Axes(c.points)
	least, _ := c.blockInputs()
	inputs = (inputs + least - 1) / least * least
	b := &block{of: c, rows: padded(rows), columns: padded(columns), modes: [2]int{padded(c.Modes[0]), padded(c.Modes[1])},
		synthesis: c.synthesis()}
	if b.line = c.domain.Dims == 1; b.line {
		b.rows, b.modes[0] = 1, 1
	}
	b.a, b.v, b.sum, b.mean = make([][]float64, c.in), make([][]float64, c.out), make([][]float64, c.out),
		make([][]float64, c.out)
	fields := []*[]float64{&b.ones, &b.half, &b.cosine, &b.smooth, &b.product, &b.waves, &b.panels, &b.turned}
	for _, channels := range [][][]float64{b.a, b.v, b.sum, b.mean} {
		for d := range channels {
			fields = append(fields, &channels[d])
		}
	}
	for _, f := range fields {
		*f = make([]float64, inputs*b.rows*b.columns)
	}
	b.coefficients = make([]float64, max(b.rows, b.columns)*max(b.rows, b.columns))
	for i := range inputs {
		for q := range c.Modes[0] {
			for p := range c.Modes[1] {
				b.ones[b.at(i, q, p)] = 1
				for d, field := range c.field {
					b.mean[d][b.at(i, q, p)] = field.At(q, p)
				}
			}
		}
	}
	return b
}

// at returns the index of value (q, p) of input i in a field on the inner grid, or of wave (q, p), as Combine does.
func (b *block) at(i, q, p int) int {
	r := i*b.modes[0] + q
	return r/8*8*b.modes[1] + 8*p + r%8
}

// own returns the index of value (x, y) of input i in panels of fields on the operator's grid.
func (b *block) own(i, x, y int) int {
	if b.line {
		return 4*(y/4*b.count+i) + y%4
	}
	return 4*((x/4*b.count+i)*b.columns+y) + x%4
}

// load takes inputs, at most as many as the block has room for, and their predictions.
func (b *block) load(inputs, predictions grid.Batch) {
	least, _ := b.of.blockInputs()
	b.count = (inputs.Count + least - 1) / least * least
	_, columns := b.of.domain.Axes(b.of.points)
	for c, a := range b.a {
		clear(a)
		for i := range inputs.Count {
			for x, v := range b.of.seen(inputs.Of(i, c)) {
				a[b.own(i, x/columns, x%columns)] = v
			}
		}
	}
	for d, of := range b.v {
		clear(of)
		for i := range inputs.Count {
			for x, v := range predictions.Of(i, d) {
				of[b.own(i, x/columns, x%columns)] = v / b.of.Output
			}
		}
	}
}

// prediction sets dst to channel d of the prediction for input i, with all corrections since load.
func (b *block) prediction(i, d int, dst []float64) {
	_, columns := b.of.domain.Axes(b.of.points)
	for x := range dst {
		dst[x] = b.of.Output * b.v[d][b.own(i, x/columns, x%columns)]
	}
}

// turn packs fields as Combine writes them, with the given rows and columns each, into panels of rows, or of columns if
// there is one row.
func (b *block) turn(dst, fields []float64, rows, columns int) {
	if b.line {
		for i := 0; i < b.count; i += 8 {
			for p := 0; p < columns; p += 4 {
				from, to := (*[32]float64)(fields[i*columns+8*p:]), (*[32]float64)(dst[4*(p/4*b.count+i):])
				for l := range 8 {
					to[4*l], to[4*l+1], to[4*l+2], to[4*l+3] = from[l], from[8+l], from[16+l], from[24+l]
				}
			}
		}
		return
	}
	for i := range b.count {
		for q := 0; q < rows; q += 4 {
			r := i*rows + q
			from, to := fields[r/8*8*columns+r%8:], dst[4*(q/4*b.count+i)*columns:][:4*columns]
			for ; len(to) >= 4; to = to[4:] {
				v := (*[4]float64)(from)
				to[0], to[1], to[2], to[3] = v[0], v[1], v[2], v[3]
				from = from[min(8, len(from)):]
			}
		}
	}
}

// along adds m times each column of fields in panels to dst; other is the number of values along the other axis.
func (b *block) along(dst, panels []float64, m *mat.Dense, others int) {
	rows, columns := m.Dims()
	vectors, length := padded(rows), padded(columns)
	alpha := b.coefficients[:vectors*length]
	if vectors*length > rows*columns {
		clear(alpha)
	}
	for q := range rows {
		row := m.RawRowView(q)
		for x := 0; x < columns; x += 4 {
			copy(alpha[4*(x/4*vectors+q):][:4], row[x:])
		}
	}
	linalg.Combine(dst[:b.count*others*vectors], panels[:b.count*others*length], alpha, vectors)
}

// add adds x of fields in panels, with the given number of columns, to dst.
func (b *block) add(dst, panels []float64, columns int, x axes) {
	if b.line {
		b.along(dst, panels, x.across, 1)
		return
	}
	rows, _ := x.down.Dims()
	rows = padded(rows)
	half := b.half[:b.count*columns*rows]
	clear(half)
	b.along(half, panels, x.down, columns)
	b.turn(b.turned, half, columns, rows)
	b.along(dst, b.turned, x.across, rows)
}

// inner sets dst to the values of x of functions in panels on the operator's grid.
func (b *block) inner(dst, panels []float64, x axes) {
	clear(dst[:b.count*b.modes[0]*b.modes[1]])
	b.add(dst, panels, b.columns, x)
}

// feature sets waves to the coefficients of feature j.
func (b *block) feature(s *correction, j int) {
	kinds := kindsOf(b.of.domain, b.of.Basis)
	kind := kinds[j%len(kinds)]
	if kind == ofInput {
		b.coefficient(j / len(kinds))
		return
	}
	turn := j / len(kinds)
	mean, v := b.mean[turn%b.of.out], b.v[turn%b.of.out]
	a, seen := b.a[turn/b.of.out/b.of.out%b.of.in], b.v[turn/b.of.out%b.of.out]
	p, size := s.parameters.RawRowView(j), b.count*b.modes[0]*b.modes[1]
	b.inner(b.cosine, a, s.a[j])
	if p[3] != 0 || kind == ofPrediction {
		b.inner(b.smooth, seen, s.v[j])
	}
	for x, v := range b.smooth[:size] {
		b.cosine[x] = p[2]*b.cosine[x] + p[3]*v + (p[4] + math.Pi/2)
	}
	sine.Apply(b.cosine[:size])
	if kind == ofPrediction && b.of.out > 1 {
		b.inner(b.smooth, v, s.v[j])
	}
	clear(b.waves[:size])
	for _, t := range s.routes[j] {
		z, product := mean[:size], b.product[:size]
		switch t.from {
		case &b.of.mean:
		case nil:
			z = b.ones[:size]
		case &s.v[j]:
			z = b.smooth[:size]
		default:
			b.inner(b.product, v, *t.from)
			z = product
		}
		for x, cos := range b.cosine[:size] {
			product[x] = cos * z[x]
		}
		if b.of.Basis == inPoints { // t.to is the identity
			copy(b.waves, product)
			continue
		}
		b.turn(b.panels, product, b.modes[0], b.modes[1])
		b.add(b.waves, b.panels, b.modes[1], t.to)
	}
}

// correct adds the correction of a step to the predictions.
func (b *block) correct(s *correction) {
	for _, sum := range b.sum {
		clear(sum)
	}
	columns, numbers := b.of.Modes[1], b.of.numbersOf()
	size := b.of.Modes[0] * columns
	for j := range b.of.Count {
		b.feature(s, j)
		for d, sum := range b.sum {
			own := s.coefficients.RawRowView(numbers * j)[d*size : (d+1)*size]
			if numbers == 2 {
				b.convolve(sum, own, s.coefficients.RawRowView(2*j + 1)[d*size:])
				continue
			}
			for i := range b.count {
				for q := range b.of.Modes[0] {
					at := b.at(i, q, 0)
					sum, waves := sum[at:], b.waves[at:]
					for p, c := range own[q*columns : (q+1)*columns] {
						sum[8*p] += c * waves[8*p]
					}
				}
			}
		}
	}
	for d, sum := range b.sum {
		b.turn(b.panels, sum, b.modes[0], b.modes[1])
		clear(b.product)
		b.add(b.product, b.panels, b.modes[1], b.synthesis)
		b.turn(b.panels, b.product, b.rows, b.columns)
		for x, added := range b.panels[:b.count*b.rows*b.columns] {
			b.v[d][x] += added
		}
	}
}

// convolve adds a feature in the Fourier basis to a sum: its waves times own, and its partners times others.
func (b *block) convolve(sum, own, others []float64) {
	for i := range b.count {
		at := b.at(i, 0, 0)
		sum, waves := sum[at:], b.waves[at:]
		for p, c := range own {
			sum[8*p] += c * waves[8*p]
			if q, ok := partner(p); ok {
				sum[8*p] += others[p] * waves[8*q]
			}
		}
	}
}

// coefficient sets waves to a coefficient of the input at each point, 0 if the grid does not resolve the wave.
func (b *block) coefficient(k int) {
	clear(b.waves[:b.count*b.modes[0]*b.modes[1]])
	_, columns := b.of.domain.Axes(b.of.points)
	analysis := b.of.waves[0][1].analysis
	a, k := b.a[k%b.of.in], k/b.of.in
	if rows, _ := analysis.Dims(); k >= rows || b.of.domain.Dims == 2 {
		return
	}
	for i := range b.count {
		value := 0.0
		for x, w := range analysis.RawRowView(k) {
			value += w * a[b.own(i, 0, x)]
		}
		for p := range columns {
			b.waves[b.at(i, 0, p)] = value
		}
	}
}
