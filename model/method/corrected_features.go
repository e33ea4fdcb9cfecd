package method

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/model/modes"
	"rfm/solver/grid"
)

// The bases in which the coefficients of a correction are numbers. They continue functions beyond the boundary of a
// closed domain. In Fourier modes a convolution has two numbers for each frequency.
const (
	inSines   = "sines"
	inCosines = "cosines"
	inFourier = "fourier" // of periodic functions of one variable
)

var families = map[string]modes.Family{inSines: modes.Sine, inCosines: modes.Cosine, inFourier: modes.Fourier}

// basesOf returns the bases of functions on a domain; none for periodic functions of two variables, which layers learn.
func basesOf(domain grid.Domain) []string {
	switch {
	case !domain.Periodic:
		return []string{inSines, inCosines}
	case domain.Dims == 1:
		return []string{inFourier}
	}
	return nil
}

// waveLine holds maps of functions along an axis, transposed; nil along the first axis of functions of one variable.
// The inner grid has as many cells as there are waves.
type waveLine struct {
	frequencies         []float64 // per unit of length
	analysis, synthesis *linalg.Panels
	values, slopes      *linalg.Panels // from coefficients to the inner grid
	inner, innerDue     *linalg.Panels // from functions there, or functions whose derivative is meant, to coefficients
}

// newWaveLine returns count waves; unit is the frequency of half a period.
func newWaveLine(domain grid.Domain, size, count int, basis string, unit float64) waveLine {
	if size == 1 {
		return waveLine{frequencies: []float64{0}}
	}
	axis, all := modes.Axis(domain), modes.First(families[basis], count)
	var l waveLine
	for _, w := range all {
		l.frequencies = append(l.frequencies, unit*float64(w.HalfPeriods))
	}
	own, _ := modes.Table(all, modes.Points(axis, size))
	values, slopes := modes.Table(all, modes.Points(grid.Domain{Dims: 1, Cells: true}, count))
	analysed := func(by *mat.Dense, weights []float64, of *mat.Dense, factor float64) *linalg.Panels {
		a := linalg.NewPanels(len(weights), count)
		for k := range all {
			norm, column := 0.0, make([]float64, len(weights))
			for i, v := range by.RawRowView(k) {
				norm += weights[i] * v * v
			}
			for i, v := range of.RawRowView(k) {
				column[i] = factor * weights[i] * v / norm
			}
			a.SetColumn(k, column)
		}
		return a
	}
	slopes.Scale(unit, slopes)
	equal := slices.Repeat([]float64{1 / float64(count)}, count)
	l.analysis, l.inner = analysed(own, axis.Weights(size), own, 1), analysed(values, equal, values, 1)
	l.innerDue = analysed(values, equal, slopes, -1) // integration by parts
	l.synthesis, l.values, l.slopes = linalg.PanelsOf(own.RawMatrix()), linalg.PanelsOf(values.RawMatrix()),
		linalg.PanelsOf(slopes.RawMatrix())
	return l
}

// waves2 holds the waves along both axes, and separable the parts of a linear map of fields, f -> down f across'.
type (
	waves2    [2]waveLine
	separable [2]*linalg.Panels
)

func newWaves2(domain grid.Domain, points int, modes [2]int, basis string) waves2 {
	rows, columns := domain.Axes(points)
	return waves2{newWaveLine(domain, rows, modes[0], basis, 1),
		newWaveLine(domain, columns, modes[1], basis, domain.Frequency(1))}
}

func (w waves2) analysis() separable  { return separable{w[0].analysis, w[1].analysis} }
func (w waves2) synthesis() separable { return separable{w[0].synthesis, w[1].synthesis} }
func (w waves2) values() separable    { return separable{w[0].values, w[1].values} }
func (w waves2) inner() separable     { return separable{w[0].inner, w[1].inner} }

// gaussian returns the factors of coefficients that smooth a function by a Gaussian, whose width is a frequency.
func (w waves2) gaussian(width float64) (factors []float64) {
	for _, p := range w[0].frequencies {
		for _, q := range w[1].frequencies {
			factors = append(factors, math.Exp(-(p*p+q*q)/(2*width*width)))
		}
	}
	return factors
}

// bench is the working memory of one worker, by its size. It is used again for each input and so stays in the cache: with
// new memory many inputs take up to twice as long.
type bench struct {
	fields   map[[2]int]*linalg.Panels
	products map[[2]int]*linalg.Rectangle
	free     map[int][][]float64
}

func newBench() *bench {
	return &bench{map[[2]int]*linalg.Panels{}, map[[2]int]*linalg.Rectangle{}, map[int][][]float64{}}
}

// take returns n arbitrary numbers, perhaps some that were given back.
func (b *bench) take(n int) []float64 {
	free := b.free[n]
	if len(free) == 0 {
		return make([]float64, n)
	}
	b.free[n] = free[:len(free)-1]
	return free[len(free)-1]
}

// give takes back the results of take, both and turned.
func (b *bench) give(all ...[]float64) {
	for _, f := range all {
		b.free[len(f)] = append(b.free[len(f)], f)
	}
}

// both returns the maps of several fields, which lie one after the other.
func (b *bench) both(fields []float64, of separable) []float64 {
	if of[0] == nil {
		return b.turned(fields, of[1], 1)
	}
	half := b.turned(fields, of[1], of[0].Rows())
	defer b.give(half)
	return b.turned(half, of[0], of[1].Cols())
}

// turned applies a map along the last axis of fields with the given number of rows, and exchanges their axes. Each
// number is computed alike for any number of fields.
func (b *bench) turned(fields []float64, m *linalg.Panels, rows int) []float64 {
	from, to := m.Rows(), m.Cols()
	lines := len(fields) / from
	packed, product := b.fields[[2]int{from, lines}], b.products[[2]int{to, lines}]
	if packed == nil {
		packed = linalg.NewPanels(from, lines)
		b.fields[[2]int{from, lines}] = packed
	}
	if product == nil {
		product = linalg.NewRectangle(to, lines)
		b.products[[2]int{to, lines}] = product
	}
	packed.SetColumns(fields)
	for q := range to {
		clear(product.Row(q))
	}
	_ = product.AddProduct(context.Background(), m, packed, from, 1) // too short to be cancelled
	turned := b.take(lines * to)
	for q := range to {
		row := product.Row(q)
		for first := 0; first < lines; first += rows {
			copy(turned[first*to+q*rows:], row[first:first+rows])
		}
	}
	return turned
}

// The kinds of features:
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	ofFlux              // div(c grad v')
	alone               // c
)

// correctionFeature is a feature of a correction: what it sees of an input and of a prediction, and its factor.
type correctionFeature struct {
	numbers  []float64 // s, t, b
	channels [2]int    // of a' and of v' in the cosine
	filters  [2][]float64
	factor   int // channel of the function to multiply
}

// correctionTerm is a part of some features: a function times the cosine, perhaps with derivatives along axes.
type correctionTerm struct {
	kind, slope, due int
	features         []int
}

// ready computes the fields of a step that are not stored.
func (c *Corrected) ready(s *correction) {
	kinds := []int{ofPrediction, ofMean, ofFlux} // in the order in which they alternate
	if c.Domain().Dims == 1 {
		kinds = []int{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	s.features, s.terms = nil, nil
	add := func(kind, slope, due int) {
		at := slices.IndexFunc(s.terms, func(t correctionTerm) bool {
			return t.kind == kind && t.slope == slope && t.due == due
		})
		if at < 0 {
			at, s.terms = len(s.terms), append(s.terms, correctionTerm{kind: kind, slope: slope, due: due})
		}
		s.terms[at].features = append(s.terms[at].features, len(s.features))
	}
	for j := range c.Count {
		p, turn, kind := s.parameters.RawRowView(j), j/len(kinds), kinds[j%len(kinds)]
		mixed := turn / c.out() % 3
		switch {
		case kind != ofFlux:
			add(kind, 0, 0)
		case c.Domain().Dims == 2 && c.out() > 1 && mixed > 0: // as in elasticity
			add(kind, 2-mixed, mixed-1)
		default:
			for axis := 2 - c.Domain().Dims; axis < 2; axis++ {
				add(kind, axis, axis)
			}
		}
		s.features = append(s.features, correctionFeature{numbers: p[2:], factor: turn % c.out(),
			channels: [2]int{turn / c.out() / c.out() % c.in(), turn / c.out() % c.out()},
			filters:  [2][]float64{c.waves[0].gaussian(p[0]), c.waves[1].gaussian(p[1])}})
	}
}

var sine, _ = activation.ByName("sin")

// evaluated returns the coefficients of the features of a step, one after the other, for the coefficients a of the
// channels of an input and its prediction v. The caller gives them back.
func (c *Corrected) evaluated(b *bench, s *correction, a, v []float64) []float64 {
	F, out := c.functions(), c.waves[1]
	v = b.both(v, out.analysis())
	smooth, all := b.take(c.Count*F), b.take(c.Count*F)
	var arguments [2][]float64
	for side, of := range [][]float64{a, v} {
		for j, f := range s.features {
			own := smooth[j*F : (j+1)*F]
			floats.MulTo(own, f.filters[side], of[f.channels[side]*F:][:F])
			floats.Scale(f.numbers[side], own)
		}
		arguments[side] = b.both(smooth, c.waves[side].values())
	}
	cosines := arguments[0]
	floats.Add(cosines, arguments[1])
	for j, f := range s.features {
		floats.AddConst(f.numbers[2]+math.Pi/2, cosines[j*F:(j+1)*F])
	}
	sine.Apply(cosines)
	clear(all)
	for _, t := range s.terms {
		seen := b.take(len(t.features) * F)
		for at, j := range t.features {
			f, own := s.features[j], seen[at*F:(at+1)*F]
			switch t.kind {
			case alone:
				copy(own, cosines[j*F:])
			case ofMean:
				floats.MulTo(own, c.mean[f.factor*F:][:F], cosines[j*F:(j+1)*F])
			default:
				floats.MulTo(own, f.filters[1], v[f.factor*F:][:F])
			}
		}
		from, to := out.values(), out.inner()
		if t.kind == ofFlux {
			from[t.slope], to[t.due] = out[t.slope].slopes, out[t.due].innerDue
		}
		product := seen
		if t.kind == ofFlux || t.kind == ofPrediction {
			product = b.both(seen, from)
			b.give(seen)
			for at, j := range t.features {
				floats.Mul(product[at*F:(at+1)*F], cosines[j*F:(j+1)*F])
			}
		}
		waves := b.both(product, to)
		for at, j := range t.features {
			floats.Add(all[j*F:(j+1)*F], waves[at*F:(at+1)*F])
		}
		b.give(product, waves)
	}
	b.give(v, smooth, arguments[0], arguments[1])
	return all
}
