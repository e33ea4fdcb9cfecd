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

// The maps of functions along an axis. The inner grid has as many cells as there are waves.
const (
	mapAnalysis  = iota // from functions to coefficients
	mapSynthesis        // back
	mapValues           // from coefficients to the inner grid
	mapSlopes           // from coefficients to derivatives there
	mapInner            // from functions on the inner grid to coefficients
	mapDue              // from functions there whose derivative is meant, to coefficients
)

// waveLine holds the maps along an axis, transposed; nil along the first axis of functions of one variable.
type waveLine struct {
	frequencies []float64 // per unit of length
	maps        [mapDue + 1]*linalg.Panels
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
	there, slope := modes.Table(all, modes.Points(grid.Domain{Dims: 1, Cells: true}, count))
	slope.Scale(unit, slope)
	equal, parts := slices.Repeat([]float64{1 / float64(count)}, count), new(mat.Dense)
	parts.Scale(-1, slope) // integration by parts
	for role, m := range []*mat.Dense{modes.Analysis(own, own, axis.Weights(size)), own, there, slope,
		modes.Analysis(there, there, equal), modes.Analysis(there, parts, equal)} {
		l.maps[role] = linalg.PanelsOf(m.RawMatrix())
	}
	return l
}

// waves2 holds the waves along both axes.
type waves2 [2]waveLine

func newWaves2(domain grid.Domain, points int, counts [2]int, basis string) waves2 {
	rows, columns := domain.Axes(points)
	return waves2{newWaveLine(domain, rows, counts[0], basis, 1),
		newWaveLine(domain, columns, counts[1], basis, domain.Frequency(1))}
}

// both returns the maps of one kind along both axes.
func (w waves2) both(role int) modes.Map { return modes.Map{w[0].maps[role], w[1].maps[role]} }

// gaussian returns the factors of coefficients that smooth a function by a Gaussian, whose width is a frequency.
func (w waves2) gaussian(width float64) (factors []float64) {
	for _, p := range w[0].frequencies {
		for _, q := range w[1].frequencies {
			factors = append(factors, math.Exp(-(p*p+q*q)/(2*width*width)))
		}
	}
	return factors
}

// The kinds of features:
const (
	ofPrediction = iota // c v'
	ofMean              // c ubar
	alone               // c
	ofFlux              // div(c grad v')
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
	s.features = nil
	s.terms = [...]correctionTerm{{kind: ofPrediction}, {kind: ofMean}, {kind: alone}, {kind: ofFlux},
		{kind: ofFlux, due: 1}, {kind: ofFlux, slope: 1}, {kind: ofFlux, slope: 1, due: 1}}
	add := func(term int) { s.terms[term].features = append(s.terms[term].features, len(s.features)) }
	for j := range c.Count {
		p, turn, kind := s.parameters.RawRowView(j), j/len(kinds), kinds[j%len(kinds)]
		mixed := turn / c.out() % 3
		switch {
		case kind != ofFlux:
			add(kind)
		case c.Domain().Dims == 2 && c.out() > 1 && mixed > 0: // as in elasticity
			add(ofFlux + 2*(2-mixed) + mixed - 1)
		default:
			for axis := 2 - c.Domain().Dims; axis < 2; axis++ {
				add(ofFlux + 3*axis)
			}
		}
		s.features = append(s.features, correctionFeature{numbers: p[2:], factor: turn % c.out(),
			channels: [2]int{turn / c.out() / c.out() % c.in(), turn / c.out() % c.out()},
			filters:  [2][]float64{c.waves[0].gaussian(p[0]), c.waves[1].gaussian(p[1])}})
	}
}

var sine, _ = activation.ByName("sin")

// evaluated returns the coefficients of the features of a step, one after the other, for the coefficients a of the
// channels of an input and its prediction v. In Fourier modes each is followed by those of the feature in which sines
// and cosines are exchanged.
func (c *Corrected) evaluated(b *modes.Bench, s *correction, a, v []float64) []float64 {
	F, out, numbers := c.functions(), c.waves[1], c.numbersOf()
	all := b.Take(numbers * c.Count * F)
	defer b.Release(b.Used())
	clear(all)
	v = b.Apply(v, out.both(mapAnalysis))
	smooth := b.Take(c.Count * F)
	var arguments [2][]float64
	for side, of := range [][]float64{a, v} {
		for j, f := range s.features {
			own := smooth[j*F : (j+1)*F]
			floats.MulTo(own, f.filters[side], of[f.channels[side]*F:][:F])
			floats.Scale(f.numbers[side], own)
		}
		arguments[side] = b.Apply(smooth, c.waves[side].both(mapValues))
	}
	cosines := arguments[0]
	floats.Add(cosines, arguments[1])
	for j, f := range s.features {
		floats.AddConst(f.numbers[2]+math.Pi/2, cosines[j*F:(j+1)*F])
	}
	sine.Apply(cosines)
	mark := b.Used()
	for _, t := range s.terms {
		if len(t.features) == 0 {
			continue
		}
		product := b.Take(len(t.features) * F)
		for at, j := range t.features {
			f, own := s.features[j], product[at*F:(at+1)*F]
			switch t.kind {
			case alone:
				copy(own, cosines[j*F:])
			case ofMean:
				floats.MulTo(own, c.mean[f.factor*F:][:F], cosines[j*F:(j+1)*F])
			default:
				floats.MulTo(own, f.filters[1], v[f.factor*F:][:F])
			}
		}
		from, to := out.both(mapValues), out.both(mapInner)
		if t.kind == ofFlux {
			from[t.slope], to[t.due] = out[t.slope].maps[mapSlopes], out[t.due].maps[mapDue]
		}
		if t.kind == ofFlux || t.kind == ofPrediction {
			product = b.Apply(product, from)
			for at, j := range t.features {
				floats.Mul(product[at*F:(at+1)*F], cosines[j*F:(j+1)*F])
			}
		}
		waves := b.Apply(product, to)
		for at, j := range t.features {
			floats.Add(all[numbers*j*F:][:F], waves[at*F:(at+1)*F])
		}
		b.Release(mark)
	}
	for j := 0; numbers == 2 && j < c.Count; j++ {
		for k := 1; k < F; k++ {
			all[(2*j+1)*F+k] = all[2*j*F+partner(k)]
		}
	}
	return all
}
