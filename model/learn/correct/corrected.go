// Package correct learns what a kernel leaves by random features of the input and of the prediction so far, whose
// coefficients are functions. The file corrected.go has the operator, train.go its fit.
package correct

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

// Corrected is an operator whose predictions are corrected, once or several times: F_0 = First,
//
//	F_s(a) = v + sum_j alpha_sj * phi_sj(a, v),  v = F_(s-1)(a),
//	phi(a, v) = c v',  c ubar,  div(c grad v')  or  c,  c = cos(s a' + t v' + b).
//
// If an operator L(a) maps outputs to a right-hand side f, the residual r of a prediction v solves L(a) r = f - L(a) v.
// That right-hand side is local in a and v, mostly products such as a v or the divergence of a grad v; ubar, the mean
// output, stands for f. a' and v' are smoothed by Gaussians of random widths; s, t and b are random numbers. alpha are
// functions and * is the convolution with functions continued beyond the boundary: inputs as even functions, outputs as
// odd ones (sines) if they vanish there, else as even ones; functions of one variable may be periodic. So the inverse
// of a constant coefficient operator can be among them. In waves each alpha has coefficients of its own. With several
// channels a feature sees one of the input and one of the prediction, and multiplies one of the prediction, in turn;
// alpha has as many channels as outputs. At points of any geometry eigenfunctions of the Laplacian are the basis, in which
// alpha is diagonal, and the divergence is a sum over edges.
type Corrected struct {
	operator.Base
	scattered
	Basis       string            `json:"basis"`         // basis of the coefficients: sines, cosines, fourier, natural or vanishing
	Log         bool              `json:"log,omitempty"` // a is the logarithm of the input
	Shift       float64           `json:"shift"`         // mean over the training inputs
	Input       float64           `json:"input"`         // standard deviation over the training inputs, the unit of a
	Output      float64           `json:"output"`        // root mean square of the training outputs, the unit of v
	Steps       int               `json:"steps"`         // number of corrections
	Count       int               `json:"count"`         // features of each correction
	Modes       [2]int            `json:"modes"`         // number of basis functions along both axes
	First       operator.Operator `json:"first" prefix:"first_"`
	MeanOutput  []float64         `json:"mean_output" shape:"outputs"`            // ubar, in units, like v
	Features    *mat.Dense        `json:"correction_features" shape:"features 5"` // of all steps, see correction
	Corrections *mat.Dense        `json:"corrections" shape:"coefficients basis"`
	steps       []*correction
	bases       [2]modes.Basis // of inputs, of outputs
	mean        []float64      // ubar on the inner grid, one channel after the other
	weights     []float64      // of the points of any geometry
}

// correction holds the features of one step.
type correction struct {
	// a row for each feature: widths of the Gaussians of a' and of v', as frequencies, then s, t and b
	parameters   *mat.Dense
	coefficients *mat.Dense // in units; numbersOf rows for each feature, a column for each function of the basis
	features     []correctionFeature
	terms        []term
}

// correctionFeature is a feature of a correction: what it sees of an input and of a prediction, and its factor.
type correctionFeature struct {
	slopes   [2]float64   // s, of a', and t, of v'
	phase    float64      // b
	channels [2]int       // of a' and of v' in the cosine
	filters  [2][]float64 // factors of the coefficients of a and of v that smooth them
	factor   int          // channel of the function to multiply
}

// kind says how a feature depends on its cosine c.
type kind int

// The kinds of features:
const (
	ofPrediction kind = iota // c v'
	ofMean                   // c ubar
	alone                    // c
	ofFlux                   // div(c grad v'), or one of its derivatives
)

// term is a part of features that is computed alike, for all of them together. Features of a kind have one term. Those of
// ofFlux have one for each pair of axes: d_outer(c d_inner v').
type term struct {
	kind     kind
	inner    int   // axis of the inner derivative; 0 for other kinds
	outer    int   // axis of the outer derivative
	features []int // their positions in the step
}

// termsOf lists all possible terms. Each number of a feature is the sum of its terms in this order.
func termsOf() []term {
	all := []term{
		{kind: ofPrediction},
		{kind: ofMean},
		{kind: alone},
	}
	for inner := range 2 {
		for outer := range 2 {
			all = append(all, term{
				kind:  ofFlux,
				inner: inner,
				outer: outer,
			})
		}
	}
	return all
}

// The bases in which the coefficients of a correction are numbers. They continue functions beyond the boundary of a
// closed domain. In Fourier modes a convolution has two numbers for each frequency.
const (
	inSines   = "sines"
	inCosines = "cosines"
	inFourier = "fourier" // of periodic functions of one variable
)

var families = map[string]modes.Family{
	inSines:   modes.Sine,
	inCosines: modes.Cosine,
	inFourier: modes.Fourier,
}

// basesOf returns the bases of functions on a domain; none for periodic functions of two variables, which layers learn.
func basesOf(domain grid.Domain) []string {
	switch {
	case domain.Scattered() && hasEigenfunctions(domain.Cloud):
		return []string{inNatural, inVanishing}
	case domain.Scattered():
		return nil
	case !domain.Periodic:
		return []string{inSines, inCosines}
	case domain.Dims == 1:
		return []string{inFourier}
	}
	return nil
}

// Learns reports whether there are corrections of functions on a domain.
func Learns(domain grid.Domain) bool { return basesOf(domain) != nil }

// sizesOf returns the numbers of features of a step and of basis functions along both axes. With two numbers for each
// wave there are at most as many features as pairs, as the least leave-one-out error among many fits of few pairs is
// accidental. Fields have as many for each channel of outputs.
func sizesOf(outputs grid.Batch, basis string) (features int, modes [2]int) {
	domain := outputs.Domain
	if domain.Scattered() { // a basis of outputs that vanish somewhere may have less
		waves := min(outputs.Points, pointWaves)
		return pointFeatures * domain.Width(), [2]int{1, waves}
	}
	waves := correctionWaves
	features = correctionFeatures * domain.Width()
	if domain.Dims == 1 {
		features = lineFeatures
		waves = lineWaves
	}
	if basis == inFourier {
		features = min(outputs.Count, fourierFeatures)
	}
	rows, columns := domain.Axes(outputs.Points)
	for axis, size := range []int{rows, columns} {
		switch {
		case size == 1:
			modes[axis] = 1
		case basis == inFourier:
			pairs := min((size-2)/2, waves) // of a cosine and a sine
			modes[axis] = 1 + 2*pairs
		default:
			most := max(waves, min(size/2, fineWaves))
			if !domain.Cells {
				size -= 2 // sines
			}
			modes[axis] = min(size, most)
		}
	}
	return features, modes
}

// newCorrected returns an operator without steps, which prepare must complete. s is empty on grids.
func newCorrected(first operator.Operator, pairs dataset.Pairs, basis string, s scattered) *Corrected {
	inputs := pairs.Inputs
	scaled, ok := first.(*operator.Scaled)
	logarithms := ok && scaled.Log
	if logarithms {
		inputs = operator.Logarithms(inputs)
	}
	shift, deviation := operator.Moments(inputs)
	mean, spread := operator.Moments(pairs.Outputs)
	rootMeanSquare := math.Hypot(mean, spread)
	c := &Corrected{
		Base:       operator.BaseOf(pairs),
		scattered:  s,
		Basis:      basis,
		Log:        logarithms,
		Shift:      shift,
		Input:      operator.Unit(deviation, shift),
		Output:     operator.Unit(rootMeanSquare, 0),
		First:      first,
		MeanOutput: pairs.Outputs.Mean(),
	}
	c.Count, c.Modes = sizesOf(pairs.Outputs, basis)
	if s.InFunctions != nil {
		c.Modes[1] = len(s.InValues)
	}
	floats.Scale(1/c.Output, c.MeanOutput)
	return c
}

// functions returns the number of functions of the basis.
func (c *Corrected) functions() int { return c.Modes[0] * c.Modes[1] }

// atPoints reports whether the basis is one at points of any geometry.
func (c *Corrected) atPoints() bool {
	return c.Basis == inNatural || c.Basis == inVanishing
}

// inner returns the number of points of the inner grid.
func (c *Corrected) inner() int {
	if c.atPoints() {
		return c.Points
	}
	return c.functions()
}

// numbersOf returns the count of numbers of a feature for each basis function. The second number exchanges the sine and
// the cosine of a frequency, as a general convolution does.
func (c *Corrected) numbersOf() int {
	if c.Basis == inFourier {
		return 2
	}
	return 1
}

// prepare computes the fields that are not stored.
func (c *Corrected) prepare() *Corrected {
	if c.atPoints() {
		c.weights = c.Domain().Weights(c.Points)
		c.bases = c.scattered.bases(c.weights)
	} else {
		c.bases = c.onAxes()
	}
	b := modes.NewBench()
	out := c.bases[1]
	waves := b.Apply(c.MeanOutput, out.Map(modes.Analysis))
	c.mean = b.Apply(waves, out.Map(modes.Values))
	return c
}

// onAxes returns the bases of inputs and of outputs on a grid.
func (c *Corrected) onAxes() [2]modes.Basis {
	ofInputs := c.Basis
	if c.Basis == inSines { // inputs do not vanish on the boundary
		ofInputs = inCosines
	}
	basis := func(name string) modes.Basis {
		return modes.NewBasis(c.Domain(), c.Points, c.Modes, families[name])
	}
	return [2]modes.Basis{basis(ofInputs), basis(c.Basis)}
}

// ready computes the fields of a step that are not stored.
func (c *Corrected) ready(s *correction) {
	in := c.InChannels()
	out := c.OutChannels()
	kinds := []kind{ofPrediction, ofMean, ofFlux} // in the order in which they alternate
	if c.Domain().Dims == 1 {
		kinds = []kind{ofPrediction, alone, ofFlux, ofPrediction, ofMean, ofFlux}
	}
	terms := termsOf()
	for j := range c.Count {
		own := kinds[j%len(kinds)]
		turn := j / len(kinds)
		for t := range terms {
			if c.has(terms[t], own, turn) {
				terms[t].features = append(terms[t].features, j)
			}
		}
		f := correctionFeature{
			factor: turn % out,
		}
		f.channels[1] = turn / out % out
		f.channels[0] = turn / out / out % in
		p := s.parameters.RawRowView(j)
		widths := p[:2]
		for side, basis := range c.bases {
			f.filters[side] = basis.Gaussian(widths[side])
			f.slopes[side] = p[2+side]
		}
		f.phase = p[4]
		s.features = append(s.features, f)
	}
	unused := func(t term) bool { return len(t.features) == 0 }
	s.terms = slices.DeleteFunc(terms, unused)
}

// has reports whether a feature of a kind has a term, in one of the turns in which kinds alternate. Fluxes of several
// channels on fields take turns: div(c grad v'), then derivatives along different axes, as in elasticity.
func (c *Corrected) has(t term, own kind, turn int) bool {
	if t.kind != own {
		return false
	}
	if own != ofFlux {
		return true
	}
	if c.Domain().Dims == 1 {
		return t.inner == 1 && t.outer == 1
	}
	mixed := 0 // which of the three has its turn
	if c.OutChannels() > 1 {
		mixed = turn / c.OutChannels() % 3
	}
	switch mixed {
	case 1:
		return t.inner == 1 && t.outer == 0
	case 2:
		return t.inner == 0 && t.outer == 1
	default:
		return t.inner == t.outer // both terms of the divergence
	}
}

var sine, _ = activation.ByName("sin")

// evaluated returns the coefficients of the features of a step, one after the other, for the coefficients a of the
// channels of an input and its prediction v. In Fourier modes each is followed by those of the feature in which sines
// and cosines are exchanged.
func (c *Corrected) evaluated(b *modes.Bench, s *correction, a, v []float64) []float64 {
	perFeature := c.numbersOf()
	all := b.Take(perFeature * c.Count * c.functions())
	defer b.Release(b.Used())
	clear(all)
	v = b.Apply(v, c.bases[1].Map(modes.Analysis))
	cosines := c.cosines(b, s, a, v)
	mark := b.Used()
	for _, t := range s.terms {
		waves := c.evaluatedTerm(b, s, t, cosines, v)
		for at, j := range t.features {
			floats.Add(c.nth(all, perFeature*j), c.nth(waves, at))
		}
		b.Release(mark)
	}
	if perFeature == 2 {
		c.exchange(all)
	}
	return all
}

// nth returns number k of functions that lie one after the other, as coefficients.
func (c *Corrected) nth(functions []float64, k int) []float64 {
	size := c.functions()
	return functions[k*size:][:size]
}

// nthInner returns number k of functions that lie one after the other, on the inner grid.
func (c *Corrected) nthInner(functions []float64, k int) []float64 {
	size := c.inner()
	return functions[k*size:][:size]
}

// cosines returns c = cos(s a' + t v' + b) of each feature on the inner grid, one after the other. a and v are
// coefficients.
func (c *Corrected) cosines(b *modes.Bench, s *correction, a, v []float64) []float64 {
	smooth := b.Take(c.Count * c.functions())
	var arguments [2][]float64 // s a' and t v'
	for side, of := range [][]float64{a, v} {
		for j, f := range s.features {
			own := c.nth(smooth, j)
			channel := c.nth(of, f.channels[side])
			floats.MulTo(own, f.filters[side], channel)
			floats.Scale(f.slopes[side], own)
		}
		arguments[side] = b.Apply(smooth, c.bases[side].Map(modes.Values))
	}
	cosines := arguments[0]
	floats.Add(cosines, arguments[1])
	for j, f := range s.features {
		ofSine := f.phase + math.Pi/2 // because cos x = sin(x + pi/2)
		floats.AddConst(ofSine, c.nthInner(cosines, j))
	}
	sine.Apply(cosines)
	return cosines
}

// evaluatedTerm returns the coefficients of a term of its features, one after the other. v are coefficients.
func (c *Corrected) evaluatedTerm(b *modes.Bench, s *correction, t term, cosines, v []float64) []float64 {
	out := c.bases[1]
	switch {
	case t.kind == alone:
		products := b.Take(len(t.features) * c.inner())
		for at, j := range t.features {
			copy(c.nthInner(products, at), c.nthInner(cosines, j))
		}
		return b.Apply(products, out.Map(modes.Inner))
	case t.kind == ofMean:
		products := b.Take(len(t.features) * c.inner())
		for at, j := range t.features {
			mean := c.nthInner(c.mean, s.features[j].factor)
			floats.MulTo(c.nthInner(products, at), mean, c.nthInner(cosines, j))
		}
		return b.Apply(products, out.Map(modes.Inner))
	case t.kind == ofFlux && c.atPoints():
		smooth := b.Apply(c.smoothed(b, s, t, v), out.Map(modes.Values))
		return b.Apply(c.fluxes(b, t, cosines, smooth), out.Map(modes.Inner))
	case t.kind == ofFlux:
		slopes := b.Apply(c.smoothed(b, s, t, v), out.Mixed(modes.Values, t.inner, modes.Slopes))
		c.multiply(slopes, t, cosines)
		return b.Apply(slopes, out.Mixed(modes.Inner, t.outer, modes.Due))
	default:
		smooth := b.Apply(c.smoothed(b, s, t, v), out.Map(modes.Values))
		c.multiply(smooth, t, cosines)
		return b.Apply(smooth, out.Map(modes.Inner))
	}
}

// smoothed returns the coefficients of v' of the features of a term, one after the other. v are coefficients.
func (c *Corrected) smoothed(b *modes.Bench, s *correction, t term, v []float64) []float64 {
	smooth := b.Take(len(t.features) * c.functions())
	for at, j := range t.features {
		f := s.features[j]
		channel := c.nth(v, f.factor)
		floats.MulTo(c.nth(smooth, at), f.filters[1], channel)
	}
	return smooth
}

// multiply multiplies functions on the inner grid, one for each feature of a term, by the cosines of the features.
func (c *Corrected) multiply(functions []float64, t term, cosines []float64) {
	for at, j := range t.features {
		floats.Mul(c.nthInner(functions, at), c.nthInner(cosines, j))
	}
}

// fluxes returns div(c grad v) at points of any geometry for functions v, one for each feature of a term.
func (c *Corrected) fluxes(b *modes.Bench, t term, cosines, v []float64) []float64 {
	all := b.Take(len(t.features) * c.inner())
	clear(all)
	for at, j := range t.features {
		own := c.nthInner(all, at)
		c.addFlux(own, c.nthInner(cosines, j), c.nthInner(v, at))
		floats.Div(own, c.weights)
	}
	return all
}

// exchange writes behind the coefficients of each feature those with sines and cosines exchanged.
func (c *Corrected) exchange(all []float64) {
	for j := range c.Count {
		own := c.nth(all, 2*j)
		exchanged := c.nth(all, 2*j+1)
		for k := 1; k < len(own); k += 2 { // a cosine and a sine; the constant has no partner
			exchanged[k] = own[k+1]
			exchanged[k+1] = own[k]
		}
	}
}

// seen returns the coefficients of the channels of an input in the units of the features.
func (c *Corrected) seen(b *modes.Bench, input []float64) []float64 {
	a := b.Take(len(input))
	for x, v := range input {
		if c.Log {
			v = math.Log(v)
		}
		a[x] = (v - c.Shift) / c.Input
	}
	return b.Apply(a, c.bases[0].Map(modes.Analysis))
}

// correct adds the correction of a step to the channels v of a prediction, in units; a are the coefficients of the
// input.
func (c *Corrected) correct(b *modes.Bench, s *correction, a, v []float64) {
	defer b.Release(b.Used())
	waves := c.evaluated(b, s, a, v)
	sum := b.Take(c.OutChannels() * c.functions())
	clear(sum)
	for row := range c.numbersOf() * c.Count {
		feature := c.nth(waves, row)
		coefficients := s.coefficients.RawRowView(row) // channels x functions, row-major
		for channel := range c.OutChannels() {
			to := c.nth(sum, channel)
			for k, coefficient := range c.nth(coefficients, channel) {
				to[k] += coefficient * feature[k]
			}
		}
	}
	correction := b.Apply(sum, c.bases[1].Map(modes.Synthesis))
	floats.Add(v, correction)
}

func (c *Corrected) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	return c.Apply(inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs, err := c.First.Predict(ctx, inputs, workers, nil)
		if err != nil {
			return grid.Batch{}, err
		}
		one := func(b *modes.Bench, i int) error {
			defer b.Release(b.Used())
			a := c.seen(b, inputs.At(i))
			v := outputs.At(i)
			floats.Scale(1/c.Output, v)
			for _, s := range c.steps {
				c.correct(b, s, a, v)
			}
			floats.Scale(c.Output, v)
			progress(1)
			return nil
		}
		err = parallel.With(ctx, workers, inputs.Count, modes.NewBench, one)
		return outputs, err
	})
}

func (*Corrected) Name() string { return config.Corrected }

func (c *Corrected) String() string {
	return fmt.Sprintf("%v, corrected by %d x %d random features of inputs and predictions",
		c.First, len(c.steps), c.Count)
}

const (
	parameters   = 5       // random numbers that define a feature
	mostFeatures = 1 << 16 // of a correction in a file, far above the numbers that training uses
)

func (c *Corrected) Sizes() (map[string][]int, error) {
	all, err := c.Base.Sizes()
	if err != nil {
		return nil, err
	}
	if !c.fits() {
		return nil, codec.Bad("has corrections that do not fit %s: %d of %d features, %v waves in %q, units %g and %g",
			c.Domain().Grid(c.Points), c.Steps, c.Count, c.Modes, c.Basis, c.Input, c.Output)
	}
	all["features"] = []int{c.Steps * c.Count}
	all["coefficients"] = []int{c.Steps * c.Count * c.numbersOf()}
	all["basis"] = []int{c.OutChannels() * c.functions()}
	all["waves"] = []int{c.functions()}
	return all, nil
}

// fits reports whether the sizes in a file are possible on its grid.
func (c *Corrected) fits() bool {
	if !c.atPoints() && !slices.Contains(basesOf(c.Domain()), c.Basis) { // points are not read yet
		return false
	}
	if c.Count < 1 || c.Count > mostFeatures {
		return false
	}
	if c.Steps < 0 || c.Steps > mostSteps {
		return false
	}
	rows, columns := c.Domain().Axes(c.Points)
	if c.Modes[0] < 1 || c.Modes[0] > rows {
		return false
	}
	if c.Modes[1] < 1 || c.Modes[1] > columns {
		return false
	}
	if c.numbersOf() == 2 && c.functions()%2 == 0 { // a constant, then pairs
		return false
	}
	return c.Input > 0 && c.Output > 0
}

func (c *Corrected) Restored() error {
	if !slices.Contains(basesOf(c.Domain()), c.Basis) {
		return codec.Bad("has corrections in %q, which %s does not have", c.Basis, c.Domain().Grid(c.Points))
	}
	if c.atPoints() {
		err := c.scattered.restored(c.Basis, c.Points)
		if err != nil {
			return err
		}
	}
	c.prepare()
	rows := c.Count * c.numbersOf() // of a step
	for i := range c.Steps {
		s := &correction{
			parameters:   linalg.RowsOf(c.Features, i*c.Count, (i+1)*c.Count),
			coefficients: linalg.RowsOf(c.Corrections, i*rows, (i+1)*rows),
		}
		c.ready(s)
		c.steps = append(c.steps, s)
	}
	return c.Fits(c.First)
}

// add adds a step.
func (c *Corrected) add(s *correction) {
	features := s.parameters
	corrections := s.coefficients
	if c.Steps > 0 {
		features = new(mat.Dense)
		features.Stack(c.Features, s.parameters)
		corrections = new(mat.Dense)
		corrections.Stack(c.Corrections, s.coefficients)
	}
	c.Features = features
	c.Corrections = corrections
	c.steps = append(c.steps, s)
	c.Steps++
}
