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
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

const (
	// The numbers of features of a step. More features help little, as each has a coefficient for every basis function.
	correctionFeatures = 48  // of fields
	lineFeatures       = 192 // of functions of one variable
	fourierFeatures    = 128 // of functions of one variable in a basis with two numbers for each function
	// unsmoothed is the width of a Gaussian that smooths nothing.
	unsmoothed = 1e6
	// correctionPairs is the least number of pairs: with fewer the leave-one-out error of so many coefficients misleads.
	correctionPairs = 12
	// The waves of an axis are at most these.
	correctionWaves = 24 // of fields
	fineWaves       = 40 // of fields on fine closed grids: half of the grid's, up to this
	lineWaves       = 40 // of functions of one variable
	// mostSteps bounds the number of corrections.
	mostSteps = 8
	// purposeCorrection names the random streams of the features.
	purposeCorrection draw.Purpose = "method-correction"
)

// correctionRidges are the ridges, relative to the mean square of a feature's wave, from which the leave-one-out error
// chooses; the search begins with firstRidge.
var correctionRidges = []float64{
	1e-8, 1e-7, 1e-6, 1e-5,
	1e-4, 1e-3, 1e-2, 1e-1,
	1, 10, 100, 1000,
}

const firstRidge = 1e-4

// New returns the method of Corrected. It begins with the operators of some methods, or with layers that are known.
func New(kernels operator.Starts, layers operator.Method) operator.Method {
	return operator.Method{
		Name:  config.Corrected,
		Title: "kernel, corrected",
		Most:  2048,
		Bytes: func(pairs dataset.Pairs, o operator.Options) float64 {
			return max(kernels.Bytes(pairs, o), correctionBytes(pairs.Outputs))
		},
		Accepts: accepts,
		Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
			return learn(ctx, kernels, layers, pairs, o)
		},
	}
}

// accepts reports whether there is a basis for the functions of both domains.
func accepts(in, out grid.Domain, symmetry string) bool {
	if in.One() != out.One() || basesOf(in) == nil {
		return false
	}
	return operator.Still(in, out, symmetry)
}

// learn corrects every start and returns the best result.
func learn(ctx context.Context, kernels operator.Starts, layers operator.Method, pairs dataset.Pairs,
	o operator.Options) (operator.Result, error) {
	n := pairs.Count()
	if n < correctionPairs {
		return operator.Result{}, &fault.Data{
			Where: "training pairs",
			What:  fmt.Sprintf("%d are too few for corrections: at least %d are needed", n, correctionPairs),
			Do:    "raise data.train, or choose another train.method",
		}
	}
	starts, declined, err := startsOf(ctx, kernels, layers, pairs, o)
	if err != nil || len(starts) == 0 {
		return declined, err
	}
	best, err := operator.BestOf(o, starts, func(start operator.Operator) (operator.Result, error) {
		return correct(ctx, start, pairs, o)
	})
	if err != nil || best.Operator == nil {
		return best, err
	}
	best.Operator = operator.Averaged(best.Operator, o.Symmetry)
	return best, nil
}

// startsOf returns the operators to correct: the best kernel, and layers that are known from the same pairs. Where the
// kernel has learned transformed outputs, the one without a transform is another start: it may have larger residuals that
// are easier to learn. declined is the result of the kernels if none has learned.
func startsOf(ctx context.Context, kernels operator.Starts, layers operator.Method, pairs dataset.Pairs,
	o operator.Options) (starts []operator.Operator, declined operator.Result, err error) {
	like, known := operator.Core(o.Like).(*Corrected)
	if known {
		o.Like = like.First
	}
	if known && layers.Learned(like.First) {
		l, err := layers.Fit(ctx, pairs, o)
		if err != nil || l.Operator == nil {
			return nil, l, err
		}
		return []operator.Operator{l.Operator}, l, nil
	}
	first, learned, err := kernels.Best(ctx, pairs, o)
	if err != nil || first.Operator == nil {
		return nil, first, err
	}
	starts = append(starts, first.Operator)
	starts = append(starts, o.KnownBy(pairs.Count(), layers)...)
	transformed := first.Operator.Name() == config.Sheared
	if transformed && o.Like == nil {
		plain := func(k operator.Operator) bool { return k.Name() == config.EquivariantKernel }
		at := slices.IndexFunc(learned, plain)
		if at >= 0 {
			starts = append(starts, learned[at])
		}
	}
	return starts, first, nil
}

// correct adds steps to a kernel, each fitted to leave-one-out residuals: v is predicted from all other pairs, and so
// is the residual that the next step learns. It stops at a step that hardly lowers the leave-one-out error. That error
// is exact for given v and residuals of v; it neglects that leaving a pair out changes v at the others. The basis and
// whether features see v are those with the least error after a first step.
func correct(ctx context.Context, kernel operator.Operator, pairs dataset.Pairs, o operator.Options) (
	operator.Result, error) {
	left := operator.ResidualsOf(kernel)
	whole := &correcting{
		Pairs: pairs.With(pairs.Outputs.Minus(left)),
		left:  left.Clone(),
		sizes: operator.Norms(pairs.Outputs),
	}
	few := whole
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	if len(order) > operator.SearchPairs {
		few = whole.some(order[:operator.SearchPairs])
	}
	c, best, slope, err := few.begin(ctx, kernel, pairs, o)
	if err != nil {
		return operator.Result{}, err
	}
	c.Error = kernel.LeaveOneOut()
	c.Left = whole.left
	for c.Steps < mostSteps {
		fitted := c.Steps == 0 && few == whole // by begin
		if !fitted {
			few = nil      // so that its memory is free
			best = trial{} // likewise
			best, err = whole.fit(ctx, c, slope, o)
			if err != nil {
				return operator.Result{}, err
			}
		}
		if best.step == nil || !(best.score < operator.Gain*c.Error) {
			break
		}
		c.add(best.step)
		c.Error = best.score
		floats.Add(whole.Outputs.Data, best.corrections.Data)
		floats.Sub(whole.left.Data, best.corrections.Data)
	}
	if c.Steps == 0 || !mostLess(c.Left, left) {
		const useless = "no correction lowers the leave-one-out error, %.3g, by 2%% and for most pairs"
		return operator.Unimproved(kernel, useless), nil
	}
	return operator.Result{Operator: c}, nil
}

// begin tries a first step in each basis, with features that see v and with those that do not. It returns the operator
// with the best basis, still without a step, the best fit, and the slope of its features in v.
func (p *correcting) begin(ctx context.Context, kernel operator.Operator, pairs dataset.Pairs, o operator.Options) (
	c *Corrected, best trial, slope float64, err error) {
	for _, basis := range basesOf(pairs.Outputs.Domain) {
		begun := newCorrected(kernel, pairs, basis).prepare()
		for _, s := range []float64{0, 1} {
			t, err := p.fit(ctx, begun, s, o)
			if err != nil {
				return nil, trial{}, 0, err
			}
			if c == nil || t.score < best.score {
				c = begun
				best = t
				slope = s
			}
		}
	}
	return c, best, slope, nil
}

// mostLess reports whether most functions are smaller than those of another batch. Where few pairs have most of a mean
// error, the mean over other pairs may rise although it falls.
func mostLess(a, than grid.Batch) bool {
	less := 0
	norms := operator.Norms(than)
	for i, norm := range operator.Norms(a) {
		if norm < norms[i] {
			less++
		}
	}
	return 2*less > a.Count
}

// correcting holds pairs with the predictions v to correct as outputs, and their residuals.
type correcting struct {
	dataset.Pairs
	left  grid.Batch
	sizes []float64 // L2 norms of the true outputs
}

// some returns some of the pairs.
func (p *correcting) some(pairs []int) *correcting {
	q := &correcting{
		Pairs: p.Take(pairs),
		left:  p.left.Take(pairs),
	}
	for _, i := range pairs {
		q.sizes = append(q.sizes, p.sizes[i])
	}
	return q
}

// drawn returns the next step with its features, but without coefficients.
func (c *Corrected) drawn(slope float64, seed uint64) *correction {
	s := &correction{parameters: mat.NewDense(c.Count, parameters, nil)}
	for j := range c.Count {
		random := draw.Stream(seed, purposeCorrection, len(c.steps)*c.Count+j)
		between := func(low, high float64) float64 { // uniform in the logarithm
			logarithm := math.Log(low) + random.Float64()*math.Log(high/low)
			return math.Exp(logarithm)
		}
		width := func() float64 { // in half periods, in the unit of length
			const (
				narrow = 2
				wide   = 40
			)
			if c.Domain().Dims == 1 && random.Float64() < 0.6 {
				return unsmoothed
			}
			return between(narrow, wide)
		}
		parameters := []float64{ // drawn in this order
			width(),
			width(),
			between(0.3, 3) * random.NormFloat64(),
			slope * random.NormFloat64(),
			2 * math.Pi * random.Float64(),
		}
		s.parameters.SetRow(j, parameters)
	}
	c.ready(s)
	return s
}

// trial is a fit: a step, nil without a solution, its leave-one-out error, and the correction of each pair, learned
// from the others.
type trial struct {
	step        *correction
	score       float64
	corrections grid.Batch
}

// fit draws the features of the next step and solves for their coefficients with the ridge of the least leave-one-out
// error. The error is ctx's.
func (p *correcting) fit(ctx context.Context, c *Corrected, slope float64, o operator.Options) (trial, error) {
	s := c.drawn(slope, o.Seed)
	best := trial{score: math.Inf(1)}
	groups := ridge.Labelled(p.Groups, p.Count())
	system, err := p.system(ctx, c, s, nil, o.Workers)
	if err != nil {
		return best, err
	}
	_, err = ridge.Lambda(firstRidge, correctionRidges, func(relative float64) (float64, error) {
		lambda := relative * float64(p.Count()) / float64(c.functions())
		coefficients, predicted, err := system.solved(ctx, lambda, groups, o.Workers)
		if err != nil {
			return 0, err
		}
		step := *s
		step.coefficients = coefficients
		t := trial{step: &step}
		t.corrections, t.score, err = p.judged(ctx, c, predicted, o.Workers)
		if err != nil {
			return 0, err
		}
		if t.score < best.score {
			best = t
		}
		return t.score, nil
	})
	return best, err
}

// judged returns the functions with predicted coefficients, a row for each pair, and the mean relative error that they
// leave of the residuals. The error is ctx's.
func (p *correcting) judged(ctx context.Context, c *Corrected, predicted *mat.Dense, workers int) (
	corrections grid.Batch, score float64, err error) {
	n := p.Count()
	domain := p.left.Domain
	corrections = p.left.Like(n)
	errors := make([]float64, n)
	err = parallel.With(ctx, workers, n, modes.NewBench, func(b *modes.Bench, i int) error {
		defer b.Release(b.Used())
		values := b.Apply(predicted.RawRowView(i), c.bases[1].Map(modes.Synthesis))
		own := corrections.At(i)
		floats.ScaleTo(own, c.Output, values)
		distance := math.Sqrt(domain.Distance2(p.left.At(i), own))
		errors[i] = distance / p.sizes[i]
		return nil
	})
	return corrections, floats.Sum(errors) / float64(n), err
}

// correctionSystem is a ridge regression for each block of basis functions that share their numbers: one function, or
// the cosine and the sine of a frequency. Rows of a block are the functions of each pair in turn.
type correctionSystem struct {
	*Corrected
	blocks  [][]int
	fits    []*ridge.Features // of each block, for features times factor
	units   []float64         // of the features
	targets [][]float64       // residuals of each block, a row for each of its functions of each pair
}

// correctionBytes returns about the memory of corrections. Each function of the basis has the features of all pairs, twice
// because solving takes a copy, their products, and two coefficients of every pair; in physical space there are predictions, residuals and
// corrections of all pairs, each twice, and the coefficients of the kernel.
func correctionBytes(outputs grid.Batch) float64 {
	most := 0.0
	n := float64(outputs.Count)
	channels := float64(outputs.Domain.Width())
	for _, basis := range basesOf(outputs.Domain) {
		count, modes := sizesOf(outputs, basis)
		m := float64(count)
		if basis == inFourier {
			m *= 2
		}
		ofFunction := m*(2*n+m) + 2*n*channels
		functions := float64(modes[0] * modes[1])
		most = max(most, functions*ofFunction)
	}
	const number = 8 // bytes
	physical := 7 * n * float64(outputs.Values())
	return operator.Garbage * number * (most + physical)
}

// factor returns the factor of coefficients of a feature, as evaluated returns them, at function l of a block. Numbers
// of exchanged features have opposite signs at cosine and sine.
func (y *correctionSystem) factor(feature, l int) float64 {
	numbers := y.numbersOf()
	unit := y.units[feature/numbers]
	exchanged := feature%numbers == 1
	sine := l == 1
	if exchanged && sine {
		return -unit
	}
	return unit
}

// system returns the system of a step's features times units; nil: those of unit mean squares. Errors: ctx's.
func (p *correcting) system(ctx context.Context, c *Corrected, s *correction, units []float64, workers int) (
	*correctionSystem, error) {
	n := p.Count()
	numbers := c.numbersOf()
	features := c.Count * numbers
	y := &correctionSystem{Corrected: c, units: units}
	y.divide()
	values := make([][]float64, len(y.blocks)) // of the features in each block: features x pairs x functions
	for k, block := range y.blocks {
		rows := n * len(block)
		values[k] = make([]float64, features*rows)
		y.targets = append(y.targets, make([]float64, rows*c.OutChannels()))
	}
	err := parallel.With(ctx, workers, n, modes.NewBench, func(b *modes.Bench, i int) error {
		defer b.Release(b.Used())
		v := slices.Clone(p.Outputs.At(i))
		floats.Scale(1/c.Output, v)
		a := c.seen(b, p.Inputs.At(i))
		waves := c.evaluated(b, s, a, v)
		left := slices.Clone(p.left.At(i))
		floats.Scale(1/c.Output, left)
		residual := b.Apply(left, c.bases[1].Map(modes.Analysis))
		for k := range y.blocks {
			y.setPair(i, n, k, values[k], waves, residual)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	feature := func(k, j int) []float64 {
		rows := n * len(y.blocks[k])
		return values[k][j*rows:][:rows]
	}
	for j := 0; len(y.units) < c.Count; j += numbers {
		square := 0.0
		for k := range y.blocks {
			own := feature(k, j)
			square += floats.Dot(own, own) / float64(n)
		}
		if square == 0 {
			square = 1 // so that a feature that vanishes stays zero
		}
		y.units = append(y.units, 1/math.Sqrt(square))
	}
	y.fits = make([]*ridge.Features, len(y.blocks))
	err = parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		functions := len(y.blocks[k])
		for j := range features {
			own := feature(k, j)
			for at := range own {
				own[at] *= y.factor(j, at%functions)
			}
		}
		y.fits[k] = ridge.NewFeatures(values[k], y.targets[k], c.OutChannels())
		return nil
	})
	return y, err
}

// divide sets the blocks of basis functions that share their numbers.
func (y *correctionSystem) divide() {
	functions := dataset.First(y.functions())
	numbers := y.numbersOf()
	if numbers == 2 { // the constant has no sine
		y.blocks = append(y.blocks, functions[:1])
		functions = functions[1:]
	}
	y.blocks = slices.AppendSeq(y.blocks, slices.Chunk(functions, numbers))
}

// setPair sets the rows of pair i of n in block k: the values of features, of which waves are all coefficients, and the
// targets, of which residual are.
func (y *correctionSystem) setPair(i, n, k int, values, waves, residual []float64) {
	block := y.blocks[k]
	functions := y.functions()
	out := y.OutChannels()
	features := y.Count * y.numbersOf()
	for l, f := range block {
		for j := range features {
			row := (j*n+i)*len(block) + l
			values[row] = waves[j*functions+f]
		}
		row := i*len(block) + l
		target := y.targets[k][row*out:][:out]
		for channel := range target {
			target[channel] = residual[channel*functions+f]
		}
	}
}

// solved returns the coefficients of the features, a row each, and of the prediction for each pair when it is left out
// with its group, a row each. Errors are those of ridge.Features.
func (y *correctionSystem) solved(ctx context.Context, lambda float64, groups ridge.Groups, workers int) (
	coefficients, predicted *mat.Dense, err error) {
	functions := y.functions()
	out := y.OutChannels()
	features := y.Count * y.numbersOf()
	coefficients = mat.NewDense(features, out*functions, nil)
	pairs := len(y.targets[0]) / out // because the first block is one function
	predicted = mat.NewDense(pairs, out*functions, nil)
	err = parallel.For(ctx, workers, len(y.blocks), func(_, k int) error {
		block := y.blocks[k]
		s, err := y.fits[k].Solve(ctx, lambda, groups.Times(len(block)))
		if err != nil {
			return err
		}
		for at, v := range s.Coefficients {
			feature := at / out
			channel := at % out
			for l, f := range block {
				coefficients.Set(feature, channel*functions+f, y.factor(feature, l)*v)
			}
		}
		for at, v := range s.Residuals {
			row := at / out
			channel := at % out
			pair := row / len(block)
			f := block[row%len(block)]
			predicted.Set(pair, channel*functions+f, y.targets[k][at]-v)
		}
		return nil
	})
	return coefficients, predicted, err
}
