// Package translate learns operators that commute with translations, by kernel ridge regression on all translations of
// every pair, equation (M11) of docs/methods.md. The file equivariant.go has the operator and its fit, circulant.go the
// kernel of eight training inputs at a time.
package translate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
	"rfm/solver/space/waves"
)

// Method learns an Equivariant.
var Method = operator.Method{
	Name:      config.EquivariantKernel,
	Title:     "equivariant kernel",
	Most:      Most,
	Reference: true,
	Bytes:     Bytes,
	Accepts:   Accepts,
	Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
		return Fit(ctx, pairs, o, false)
	},
}

// Most is the Method.Most of methods that solve a system of the order of the number of pairs for every wave.
const Most = 2048

// Bytes counts the systems, and spectra of inputs, outputs and coefficients. Inputs and coefficients count
// again for their blocks of eight.
func Bytes(pairs dataset.Pairs, o operator.Options) float64 {
	n := float64(pairs.Count())
	values := pairs.Outputs.Values()
	systems := ridge.Bytes(2*n, 1, values/2+1, o.Workers, o.Workers)
	const spectra = 16 // numbers for each value of the outputs
	return systems + 8*spectra*n*float64(values)
}

// Accepts implements operator.Method.Accepts for translation-equivariant methods.
func Accepts(in, out grid.Domain, symmetry string) bool {
	oneChannel := in.Width() == 1 && out.Width() == 1
	return in.Periodic && oneChannel && symmetry != config.NoSymmetry
}

// Equivariant is kernel ridge regression on all translations of every pair. On a periodic grid with N distinct points,
// S_s the translation by s of them,
//
//	F(a) = b + sum_i sum_s k(a, S_s a_i) S_s c_i / N,  k(a, a') = p(d(a, a') / Length),  p(s) = 1 / (1 + s^2 / 2),
//	d(a, a')^2 = sum_k (1 + (|k|/Cutoff)^2)^-Decay |a_k - a'_k|^2
//
// with Fourier coefficients a_k. The matrix of k over all pairs and translations is block circulant. The transform over
// s decouples it into one Hermitian system of the order of the number of pairs for each wavenumber q of the outputs:
//
//	sum_j K_ij(q) c_j(q) + Ridge c_i(q) = u_i(q),  K_ij(q) = sum_s k(a_i, S_s a_j) exp(-2 pi i q s/N) / N.
//
// Reflection adds to every pair its image a(-x), u(-x) (Even), or -a(-x), -u(-x) (Odd), whose coefficients are the
// image of c_i: the systems are then as many real ones of twice the order. Offset adds the function b = sum_i c_i,
// which does not commute with translations.
type Equivariant struct {
	operator.Base
	Shape
	Inputs       []float64 `json:"inputs" shape:"pairs grid"`       // a_i
	Coefficients []float64 `json:"coefficients" shape:"pairs grid"` // c_i
	waves        *waves.Waves
	views        []view
	constant     []float64 // b; nil: 0
}

// Shape holds the parameters of an Equivariant.
type Shape struct {
	Cutoff     float64 `json:"cutoff"` // wavenumber from which on differences count less
	Decay      float64 `json:"decay"`
	Length     float64 `json:"length"` // in the units of d
	Ridge      float64 `json:"ridge"`
	Chosen     float64 `json:"chosen_ridge,omitempty"` // ridge of the search, if it was too small for all pairs
	Reflection int     `json:"reflection"`             // 0: none, 1: even, -1: odd
	Offset     bool    `json:"offset"`
}

// reflectionWords are the words of data.symmetry for a Shape's Reflection, -1 to 1.
var reflectionWords = [...]string{config.OddReflection, config.Translations, config.Reflection}

// Found returns the word of data.symmetry for the symmetry that the leave-one-out error chose.
func (e *Equivariant) Found() string {
	if e.Offset {
		return ""
	}
	return reflectionWords[e.Reflection+1]
}

func (*Equivariant) Name() string { return Method.Name }

func (e *Equivariant) String() string {
	symmetry := "translations"
	switch e.Reflection {
	case 1:
		symmetry = "translations and reflection"
	case -1:
		symmetry = "translations and odd reflection"
	}
	pairs := len(e.Inputs) / e.OutputDomain().Values(e.Points)
	return fmt.Sprintf("kernel ridge regression on %d pairs that commutes with %s, rational quadratic kernel, %s",
		pairs, symmetry, ridge.InWords(e.Ridge, e.Chosen))
}

// Fit fits an Equivariant to pairs on a periodic domain. Its parameters minimise the leave-one-out error, exact in closed
// form, by descents along each in turn, in large and then in small steps. The descents use some of the pairs, drawn if
// there are many, on a coarse grid. A rough fit has parameters from large steps alone. Errors: those of Method.Train.
func Fit(ctx context.Context, pairs dataset.Pairs, o operator.Options, rough bool) (operator.Result, error) {
	p, err := newCirculant(pairs)
	if err != nil {
		return operator.Result{}, err
	}
	if like, ok := operator.Core(o.Like).(*Equivariant); ok {
		return operator.From(p.fit(ctx, like.Shape, o.Workers))
	}
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	samples := searches[pairs.Inputs.Domain.Dims-1]
	s, score, err := p.search(ctx, o, order, samples[0], nil)
	if err != nil {
		return operator.Result{}, err
	}
	ended, behind := o.Race.Behind(score, operator.FarBehind)
	if behind {
		return ended, nil
	}
	if !rough {
		fine := samples[1]
		affordable := max(samples[0].pairs, pairs.Count()/8) // because it must not take far longer than the fit
		fine.pairs = min(fine.pairs, affordable)
		s, _, err = p.search(ctx, o, order, fine, &s)
		if err != nil {
			return operator.Result{}, err
		}
	}
	return operator.From(p.fit(ctx, s, o.Workers))
}

// circulant holds the transformed pairs. It is the kernel with the parameters of its Shape, at each wavenumber, one of
// k and -k.
type circulant struct {
	Shape
	pairs   dataset.Pairs
	waves   *waves.Waves
	inputs  [][]float64 // normalised spectra
	outputs [][]float64 // spectra
	sizes   []float64   // L2 norms of the outputs
}

func newCirculant(pairs dataset.Pairs) (*circulant, error) {
	sizes, err := operator.Checked(pairs)
	if err != nil {
		return nil, err
	}
	w := waves.On(pairs.Inputs.Domain, pairs.Inputs.Points)
	p := &circulant{
		pairs:   pairs,
		waves:   w,
		inputs:  waves.Normalised(w, pairs.Inputs),
		outputs: w.Spectra(pairs.Outputs),
		sizes:   sizes,
	}
	equal := Shape{Cutoff: 1} // weights
	differ := p.spread(equal) > 0
	if !differ {
		return nil, operator.SameInputs()
	}
	return p, nil
}

// spread returns the root mean square distance of two inputs, not in units of the length.
func (p *circulant) spread(s Shape) float64 {
	s.Length = 1
	weights := s.metric(p.waves)
	n := float64(len(p.inputs))
	sum := 0.0
	mean := make([]float64, 2*p.waves.N())
	for _, spectrum := range p.inputs {
		sum += 2 * weighedSquare(weights, spectrum) / n
		for i, v := range spectrum {
			mean[i] += v / n
		}
	}
	square := sum - 2*weighedSquare(weights, mean)
	return math.Sqrt(max(0, square)) // rounding may leave it below 0
}

// sample bounds the pairs that choose parameters, and the points along an axis.
type sample struct {
	pairs  int
	points int
}

// searches holds the samples of both descents in one and in two dimensions. A grid of 33 points loses as much of
// Burgers' solutions as the error of a good model.
var searches = [...][2]sample{
	{{pairs: 64, points: 33}, {pairs: 128, points: 65}},
	{{pairs: 64, points: 17}, {pairs: 64, points: 17}},
}

// some returns the problem with some pairs, on a coarse grid.
func (p *circulant) some(order []int, most sample) (*circulant, error) {
	domain := p.pairs.Inputs.Domain
	points := min(p.pairs.Inputs.Points, most.points)
	for points > 3 && !domain.Exists(points) {
		points--
	}
	count := min(len(order), most.pairs)
	part := p.pairs.Take(order[:count])
	for _, b := range []*grid.Batch{&part.Inputs, &part.Outputs} {
		coarse, err := resample.To(*b, points)
		if err != nil {
			return nil, err
		}
		*b = coarse
	}
	return newCirculant(part)
}

// spanLadder holds the possible lengths, relative to the root mean square distance of two inputs.
var spanLadder = [...]float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24}

// search returns the shape with the least leave-one-out error of some pairs, and that error. Without a shape to begin
// with it searches in large steps, from length 1 and no symmetry besides translations, unless the options ask for one;
// else in small steps. Lengths are relative to the distance of two inputs meanwhile. The error is ctx.Err(), or a
// *fault.Numerical if no shape has a finite error.
func (p *circulant) search(ctx context.Context, o operator.Options, order []int, most sample, from *Shape) (
	Shape, float64, error) {
	p, err := p.some(order, most)
	if err != nil {
		return Shape{}, 0, err
	}
	rungs := steps{
		cutoffs: operator.Cutoffs[:],
		decays:  operator.Decays[:],
		lengths: spanLadder[:],
		ridges:  operator.Ridges[:],
	}
	start := Shape{
		Cutoff: rungs.cutoffs[4],
		Decay:  rungs.decays[4],
		Length: 1,
		Ridge:  rungs.ridges[4],
	}
	given := slices.Index(reflectionWords[:], o.Symmetry)
	if given >= 0 {
		start.Reflection = given - 1
	}
	if from != nil {
		start = *from
		start.Length /= p.spread(start)
		rungs = around(start)
	}
	ladders := rungs.ladders()
	if from == nil && given < 0 {
		reflections := ridge.Over(reflectionsOf(o), func(s *Shape) *int { return &s.Reflection })
		offsets := ridge.Over([]bool{false, true}, func(s *Shape) *bool { return &s.Offset })
		ladders = append(ladders, reflections, offsets)
	}
	absolute := func(s Shape) Shape {
		s.Length *= p.spread(s)
		return s
	}
	found, err := ridge.Search(start, ladders, func(s Shape) (float64, error) {
		solved, err := p.solve(ctx, absolute(s), o.Workers)
		return solved.leaveOneOut, err
	})
	if err != nil {
		return Shape{}, 0, err
	}
	if !found.Solved() {
		return Shape{}, 0, operator.Unsolved("the equivariant kernel", "no length and ridge give")
	}
	return absolute(found.Best), found.Score, nil
}

// reflectionsOf returns the possible values of Shape.Reflection.
func reflectionsOf(o operator.Options) []int {
	all := []int{-1, 0, 1}
	return slices.DeleteFunc(all, func(reflection int) bool {
		isOwnImage := reflection != 0 && reflection == int(o.Mirrored)
		return isOwnImage
	})
}

// steps are the values that a search tries for each parameter, ascending.
type steps struct {
	cutoffs []float64
	decays  []float64
	lengths []float64
	ridges  []float64
}

// around returns small steps from a shape.
func around(s Shape) steps {
	var r steps
	for step := -8.0; step <= 8; step++ {
		r.cutoffs = append(r.cutoffs, s.Cutoff*math.Exp2(step/2))
		r.decays = append(r.decays, max(0, s.Decay+step/10))
		r.lengths = append(r.lengths, s.Length*math.Exp2(step/4))
		r.ridges = append(r.ridges, s.Ridge*math.Exp2(step))
	}
	r.decays = slices.Compact(r.decays)
	return r
}

func (r steps) ladders() []ridge.Ladder[Shape] {
	return []ridge.Ladder[Shape]{
		ridge.Over(r.cutoffs, func(s *Shape) *float64 { return &s.Cutoff }),
		ridge.Over(r.decays, func(s *Shape) *float64 { return &s.Decay }),
		ridge.Over(r.lengths, func(s *Shape) *float64 { return &s.Length }),
		ridge.Over(r.ridges, func(s *Shape) *float64 { return &s.Ridge }),
	}
}

// fit solves with the given parameters, and with a larger ridge where solving fails. The error is ctx.Err(), or a
// *fault.Numerical.
func (p *circulant) fit(ctx context.Context, s Shape, workers int) (*Equivariant, error) {
	var solved solution
	err := ridge.Raise(&s.Ridge, &s.Chosen, "the equivariant kernel", func() (err error) {
		solved, err = p.solve(ctx, s, workers)
		return err
	})
	if err != nil {
		return nil, err
	}
	e := &Equivariant{
		Base:   operator.BaseOf(p.pairs),
		Shape:  s,
		Inputs: p.pairs.Inputs.Data,
	}
	e.Error = solved.leaveOneOut
	coefficients, err := p.waves.Functions(ctx, solved.coefficients, workers)
	if err != nil {
		return nil, err
	}
	e.Coefficients = coefficients.Data
	e.Left, err = p.waves.Functions(ctx, solved.residuals, workers)
	if err != nil {
		return nil, err
	}
	return e, e.Restored()
}

// solution is what the systems at all wavenumbers give.
type solution struct {
	coefficients [][]float64 // spectra of c_i
	residuals    [][]float64 // spectra of the leave-one-out residuals
	leaveOneOut  float64     // mean relative error
}

// solve solves the systems at all wavenumbers. A pair is left out with all its images and with the pairs of its group, at
// every wavenumber. The error is that of ridge.SolveBlocks.
func (p circulant) solve(ctx context.Context, s Shape, workers int) (solution, error) {
	n := len(p.inputs)
	w := p.waves
	all := solution{
		coefficients: make([][]float64, n),
		residuals:    make([][]float64, n),
	}
	for i := range n {
		all.coefficients[i] = make([]float64, 2*w.N())
		all.residuals[i] = make([]float64, 2*w.N())
	}
	squares := make([]float64, n) // of the residuals' norms
	groups := ridge.Labelled(p.pairs.Groups, n).Times(2)
	p.Shape = s
	err := ridge.SolveBlocks(ctx, p, s.Ridge, groups, workers, func(block int, solved ridge.Solution) {
		position := w.Half[block]
		multiplicity := w.Multiplicity(position)
		for i := range n {
			re := solved.Coefficients[2*i]
			im := solved.Coefficients[2*i+1]
			w.Set(all.coefficients[i], position, re, im)
			re = solved.Residuals[2*i]
			im = solved.Residuals[2*i+1]
			w.Set(all.residuals[i], position, re, im)
			squares[i] += multiplicity * (re*re + im*im)
		}
	})
	if err != nil {
		return solution{}, err
	}
	for i, square := range squares {
		norm := math.Sqrt(square) / float64(w.N())
		all.leaveOneOut += norm / p.sizes[i] / float64(n)
	}
	return all, nil
}

// Restored computes the fields that are not stored.
func (e *Equivariant) Restored() error {
	e.waves = waves.On(e.Domain(), e.Points)
	w := e.waves
	c := grid.BatchOf(e.Domain(), e.Points, e.Coefficients)
	a := grid.BatchOf(e.Domain(), e.Points, e.Inputs)
	inputs := waves.Normalised(w, a)
	coefficients := waves.Normalised(w, c)
	for _, spectrum := range coefficients {
		floats.Scale(1/float64(w.N()), spectrum)
	}
	if e.Reflection != 0 {
		images := reflected(inputs, e.Reflection)
		inputs = append(inputs, images...)
		ofImages := reflected(coefficients, e.Reflection)
		coefficients = append(coefficients, ofImages...)
	}
	e.views = newViews(w, e.metric(w), inputs, coefficients)
	if e.Offset {
		e.constant = c.Mean()
		floats.Scale(float64(c.Count), e.constant)
	}
	return nil
}

func (e *Equivariant) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return e.InBlocks(ctx, inputs, workers, 1, equivariantBlock, progress, e.predict)
}

func (e *Equivariant) Sizes() (map[string][]int, error) {
	all, err := e.Base.Sizes()
	if err != nil {
		return nil, err
	}
	oneChannel := e.InChannels()*e.OutChannels() == 1
	if !e.Periodic || !oneChannel {
		const other = "is equivariant under translations of %s, a domain that is not periodic, or has several channels"
		return nil, codec.Bad(other, e.Domain().Name())
	}
	positive := e.Cutoff > 0 && e.Length > 0 // false of NaN
	notNegative := e.Ridge >= 0 && e.Decay >= 0
	reflects := e.Reflection >= -1 && e.Reflection <= 1
	if !positive || !notNegative || !reflects {
		return nil, codec.Bad("has the kernel %+v", e.Shape)
	}
	return all, nil
}
