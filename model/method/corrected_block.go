// This file computes the features of corrections for many inputs, and contains the bases of their coefficients.

package method

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/model/modes"
	"rfm/solver/grid"
)

// The bases in which the coefficients of a correction are numbers. A feature is multiplied by one number for each basis
// function: waves convolve it, points multiply it by a function. Waves continue functions beyond the boundary of a
// closed domain.
const (
	inSines   = "sines"
	inCosines = "cosines"
	inFourier = "fourier" // of periodic functions of one variable: a convolution has two numbers for each frequency
	inPoints  = "points"
)

// families maps a basis to its modes; all modes that the grid resolves smooth points.
var families = map[string]modes.Family{inSines: modes.Sine, inCosines: modes.Cosine, inFourier: modes.Fourier}

// basisLine holds waves along an axis. The inner grid has as many cells as there are waves, or the points of the basis.
type basisLine struct {
	frequencies     []float64  // per unit of length
	own             *mat.Dense // values on the operator's grid, a row for each wave
	values, slopes  *mat.Dense // on the inner grid
	analysis, inner *mat.Dense // maps of functions on both grids to coefficients
	innerDue        *mat.Dense // map of derivatives of functions on the inner grid, with the other parity, to coefficients
}

// continued holds the waves along both axes.
type continued [2]basisLine

func newContinued(domain grid.Domain, size int, modes [2]int, basis string) continued {
	rows, columns := domain.Axes(size)
	return continued{newBasisLine(domain, rows, modes[0], basis, 1),
		newBasisLine(domain, columns, modes[1], basis, domain.Frequency(1))}
}

// newBasisLine returns count waves, or those that smooth points; unit is the frequency of half a period. Functions of
// one variable have one row.
func newBasisLine(domain grid.Domain, size, count int, basis string, unit float64) basisLine {
	if size == 1 {
		one, zero := mat.NewDense(1, 1, []float64{1}), mat.NewDense(1, 1, nil)
		return basisLine{[]float64{0}, one, one, zero, one, one, zero}
	}
	axis := modes.Axis(domain)
	own, inner := modes.Points(axis, size), modes.Points(grid.Domain{Dims: 1, Cells: true}, count)
	family, ok := families[basis]
	if !ok {
		family, inner = modes.Natural(domain), own
		if count = size; domain.Periodic {
			count = (size-2)/2*2 + 1
		}
	}
	var l basisLine
	waves := modes.First(family, count)
	for _, w := range waves {
		l.frequencies = append(l.frequencies, unit*float64(w.HalfPeriods))
	}
	analysed := func(by *mat.Dense, weights []float64, of *mat.Dense) *mat.Dense {
		a := mat.DenseCopyOf(of)
		for k := range waves {
			norm := 0.0
			for i, v := range by.RawRowView(k) {
				norm += weights[i] * v * v
			}
			for i, v := range a.RawRowView(k) {
				a.Set(k, i, weights[i]*v/norm)
			}
		}
		return a
	}
	l.own, _ = modes.Table(waves, own)
	l.values, l.slopes = modes.Table(waves, inner)
	l.slopes.Scale(unit, l.slopes)
	equal := slices.Repeat([]float64{1 / float64(len(inner))}, len(inner))
	l.analysis, l.inner = analysed(l.own, axis.Weights(size), l.own), analysed(l.values, equal, l.values)
	l.innerDue = analysed(l.values, equal, l.slopes)
	l.innerDue.Scale(-1, l.innerDue) // integration by parts
	return l
}

// smoothed maps functions on their own grid to values, or slopes, on the inner grid, smoothed by a Gaussian.
func (l basisLine) smoothed(to *mat.Dense, width float64) along {
	filtered := mat.DenseCopyOf(l.analysis)
	for k, f := range l.frequencies {
		floats.Scale(math.Exp(-f*f/(2*width*width)), filtered.RawRowView(k))
	}
	var m mat.Dense
	m.Mul(to.T(), filtered)
	return newAlong(&m)
}

func (w continued) smoothed(width float64) separable {
	return separable{w[0].smoothed(w[0].values, width), w[1].smoothed(w[1].values, width)}
}

// along is a linear map of the values along an axis, as linalg.Combine takes it.
type along struct {
	from, to int
	packed   []float64
}

func newAlong(m mat.Matrix) along {
	to, from := m.Dims()
	a := along{from, to, make([]float64, (from+3)/4*4*to)}
	for q := range to {
		for x := range from {
			a.packed[4*(x/4*to+q)+x%4] = m.At(q, x)
		}
	}
	return a
}

// separable is a linear map of fields: f -> down f across'. The zero map stands for the identity.
type separable struct{ down, across along }

// abreast is the number of inputs whose values lie side by side. Results for one do not depend on the others.
const abreast = 8

// together returns the number of inputs whose fields fit in the second-level cache.
func (c *Corrected) together() int {
	if c.domain.Dims == 1 {
		return 8 * abreast
	}
	return abreast
}

// block is the working memory of one worker, with some inputs and predictions. Fields are stored for abreast inputs at a
// time: value x of input i is at at(i, x, size).
type block struct {
	of                                                  *Corrected
	groups                                              int         // of abreast inputs
	a, v, mean, sum                                     [][]float64 // of each channel; mean is on the inner grid
	half, cosine, smooth, product, waves, panels, zeros []float64
}

func at(i, x, size int) int { return (i/abreast*size+x)*abreast + i%abreast }

// put sets the field of input i to f, in a unit.
func put(fields, f []float64, i int, unit float64) {
	for x, v := range f {
		fields[at(i, x, len(f))] = v / unit
	}
}

// get is the inverse of put.
func get(f, fields []float64, i int, unit float64) {
	for x := range f {
		f[x] = unit * fields[at(i, x, len(f))]
	}
}

// newBlock returns a block with room for the given number of inputs.
func (c *Corrected) newBlock(inputs int) *block {
	rows, columns := c.domain.Axes(c.points)
	rows, columns = max(rows, c.Modes[0]), max(columns, c.Modes[1])
	b := &block{of: c, groups: (inputs + abreast - 1) / abreast}
	size := b.groups * abreast * rows * columns
	for _, f := range []*[]float64{&b.half, &b.cosine, &b.smooth, &b.product, &b.waves} {
		*f = make([]float64, size)
	}
	b.panels, b.zeros = make([]float64, abreast*(rows+3)*(columns+3)), make([]float64, abreast*max(rows, columns))
	fields := func(channels int) [][]float64 {
		all := make([][]float64, channels)
		for c := range all {
			all[c] = make([]float64, size)
		}
		return all
	}
	b.a, b.v, b.mean, b.sum = fields(c.in), fields(c.out), fields(c.out), fields(c.out)
	V := c.domain.Values(c.points)
	for d, mean := range b.mean {
		for i := range b.groups * abreast {
			put(b.product, c.ubar[d*V:(d+1)*V], i, 1)
		}
		b.set(mean, b.product, c.mean)
	}
	return b
}

// load takes inputs, at most as many as the block has room for, and their predictions.
func (b *block) load(inputs, predictions grid.Batch) {
	for i := range inputs.Count {
		for c, a := range b.a {
			put(a, b.of.seen(inputs.Of(i, c)), i, 1)
		}
		for d, v := range b.v {
			put(v, predictions.Of(i, d), i, b.of.Output)
		}
	}
}

// add adds x of fields to dst.
func (b *block) add(dst, fields []float64, x separable) {
	switch down, across := x.down, x.across; {
	case across.packed == nil:
		floats.Add(dst[:b.size()], fields[:b.size()])
	case down.from == 1:
		b.along(dst, fields, across, 1)
	default:
		clear(b.half)
		b.along(b.half, fields, down, across.from)
		b.along(dst, b.half, across, down.to)
	}
}

// set sets dst to x of fields.
func (b *block) set(dst, fields []float64, x separable) {
	clear(dst)
	b.add(dst, fields, x)
}

// along adds m of each of some columns of fields to dst, with rows in place of columns.
func (b *block) along(dst, fields []float64, m along, columns int) {
	width, zeros := columns*abreast, b.zeros
	for g := range b.groups {
		own := fields[g*m.from*width : (g+1)*m.from*width]
		for first := 0; first < m.from; first += 4 { // rows that Combine takes at a time
			rows := [4][]float64{zeros, zeros, zeros, zeros}
			for l := range min(4, m.from-first) {
				rows[l] = own[(first+l)*width:]
			}
			panel := b.panels[first*width:]
			for t := 0; t < width; t += abreast {
				to := (*[4 * abreast]float64)(panel[4*t:])
				r, s := (*[abreast]float64)(rows[0][t:]), (*[abreast]float64)(rows[1][t:])
				p, q := (*[abreast]float64)(rows[2][t:]), (*[abreast]float64)(rows[3][t:])
				for i := range abreast {
					to[4*i], to[4*i+1], to[4*i+2], to[4*i+3] = r[i], s[i], p[i], q[i]
				}
			}
		}
		linalg.Combine(dst[g*m.to*width:(g+1)*m.to*width], b.panels[:len(m.packed)/m.to*width], m.packed, m.to)
	}
}

// size returns the length of fields on the inner grid, and of coefficients.
func (b *block) size() int { return b.groups * abreast * b.of.functions() }

var sine, _ = activation.ByName("sin")

// feature sets waves to the coefficients of a feature.
func (b *block) feature(f *correctionFeature) {
	if f.kind == ofInput {
		b.coefficient(f)
		return
	}
	size := b.size()
	cosine, smooth, product := b.cosine[:size], b.smooth[:size], b.product[:size]
	s, t, phase := f.numbers[0], f.numbers[1], f.numbers[2]+math.Pi/2
	b.set(b.cosine, b.a[f.input], f.a)
	if t != 0 || f.kind == ofPrediction {
		b.set(b.smooth, b.v[f.sees], f.v)
	}
	for x, v := range smooth {
		cosine[x] = s*cosine[x] + t*v + phase
	}
	sine.Apply(cosine)
	clear(b.waves)
	switch f.kind {
	case alone:
		b.add(b.waves, cosine, b.of.to)
	case ofMean:
		b.add(b.waves, floats.MulTo(product, cosine, b.mean[f.factor][:size]), b.of.to)
	case ofPrediction:
		if b.of.out > 1 {
			b.set(b.smooth, b.v[f.factor], f.v)
		}
		b.add(b.waves, floats.MulTo(product, cosine, smooth), b.of.to)
	case ofFlux:
		for _, t := range f.flux {
			b.set(b.product, b.v[f.factor], t.from)
			floats.Mul(product, cosine)
			b.add(b.waves, product, t.to)
		}
	}
}

// coefficient sets waves to a coefficient of the input at each point, 0 if the grid does not resolve the wave.
func (b *block) coefficient(f *correctionFeature) {
	clear(b.waves)
	analysis, functions := b.of.waves[0][1].analysis, b.of.functions()
	if rows, _ := analysis.Dims(); f.wave >= rows || b.of.domain.Dims == 2 {
		return
	}
	row := analysis.RawRowView(f.wave)
	for i := range b.groups * abreast {
		value := 0.0
		for x, w := range row {
			value += w * b.a[f.input][at(i, x, len(row))]
		}
		for p := range functions {
			b.waves[at(i, p, functions)] = value
		}
	}
}

// correct adds the correction of a step to the predictions.
func (b *block) correct(s *correction) {
	for _, sum := range b.sum {
		clear(sum)
	}
	functions, numbers := b.of.functions(), b.of.numbersOf()
	for j := range s.features {
		b.feature(&s.features[j])
		for d, sum := range b.sum {
			b.weigh(sum, s.coefficients.RawRowView(numbers * j)[d*functions:], 0)
			if numbers == 2 {
				b.weigh(sum, s.coefficients.RawRowView(2*j + 1)[d*functions:], 1)
			}
		}
	}
	for d, sum := range b.sum {
		b.set(b.product, sum, b.of.synthesis)
		floats.Add(b.v[d], b.product)
	}
}

// weigh adds the waves of a feature, or those of their partners, times numbers to a sum.
func (b *block) weigh(sum, numbers []float64, partners int) {
	functions := b.of.functions()
	for g := range b.groups {
		for k, c := range numbers[:functions] {
			from := k
			if partners == 1 {
				other, ok := partner(k)
				if !ok {
					continue
				}
				from = other
			}
			to, waves := (*[abreast]float64)(sum[at(g*abreast, k, functions):]), b.waves[at(g*abreast, from, functions):]
			for l, v := range waves[:abreast] {
				to[l] += c * v
			}
		}
	}
}
