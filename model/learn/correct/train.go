package correct

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
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
		Scattered: true,
		Accepts:   accepts,
		Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
			return learn(ctx, kernels, layers, pairs, o)
		},
	}
}

// accepts reports whether there is a basis for the functions of both domains.
func accepts(in, out grid.Domain, symmetry string) bool {
	if in.One() != out.One() || !Learns(in) {
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
			What:  fmt.Sprintf("%d are too few for corrections, want at least %d", n, correctionPairs),
			Do:    "raise data.train, or choose another train.method",
		}
	}
	starts, declined, err := startsOf(ctx, kernels, layers, pairs, o)
	if err != nil || len(starts) == 0 {
		return declined, err
	}
	if o.Like == nil { // else the form of the operator is known
		first := starts[0]
		starts = slices.DeleteFunc(starts, func(start operator.Operator) bool { return operator.Echoes(start, pairs.Outputs) })
		if len(starts) == 0 {
			const useless = "the leave-one-out error, %.3g, is hardly less than that of the mean, too little to correct"
			return operator.Unimproved(first, useless), nil
		}
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
		sizes: operator.Sizes(pairs.Outputs),
	}
	few := whole
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	if len(order) > operator.SearchPairs {
		few = whole.some(order[:operator.SearchPairs])
	}
	begun, err := few.begin(ctx, kernel, pairs, o)
	if err != nil {
		return operator.Result{}, err
	}
	c := begun.operator
	c.Error = kernel.LeaveOneOut()
	c.Left = whole.left
	best := begun.trial
	for c.Steps < mostSteps {
		fitted := c.Steps == 0 && few == whole // by begin
		if !fitted {
			few = nil             // so that its memory is free
			begun.trial = trial{} // likewise
			best = trial{}        // likewise
			best, err = whole.fit(ctx, c, begun.slope, o)
			if err != nil {
				return operator.Result{}, err
			}
		}
		gains := best.step != nil && best.score < operator.Gain*c.Error
		if !gains {
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

// beginning is a first step, which has not been added to its operator.
type beginning struct {
	trial
	operator *Corrected // with the basis of the step
	slope    float64    // deviation of t, the slope of features in v: 0 if they do not see v
}

// begin tries a first step in each basis, with features that see v and with those that do not, and returns the best.
func (p *correcting) begin(ctx context.Context, kernel operator.Operator, pairs dataset.Pairs, o operator.Options) (
	beginning, error) {
	var best beginning
	bases := basesOf(pairs.Outputs.Domain)
	var atPoints scattered
	if pairs.Outputs.Domain.Scattered() {
		var err error
		atPoints, err = newScattered(ctx, pairs.Outputs, o.Workers)
		if err != nil {
			return beginning{}, err
		}
		bases = []string{atPoints.basis()}
	}
	for _, basis := range bases {
		c := newCorrected(kernel, pairs, basis, atPoints).prepare()
		for _, slope := range []float64{0, 1} {
			fitted, err := p.fit(ctx, c, slope, o)
			if err != nil {
				return beginning{}, err
			}
			if best.operator == nil || fitted.score < best.score {
				best = beginning{
					trial:    fitted,
					operator: c,
					slope:    slope,
				}
			}
		}
	}
	return best, nil
}

// mostLess reports whether most functions are smaller than those of another batch. Where few pairs have most of a mean
// error, the mean over other pairs may rise although it falls.
func mostLess(a, than grid.Batch) bool {
	less := 0
	others := operator.Norms(than)
	for i, norm := range operator.Norms(a) {
		if norm < others[i] {
			less++
		}
	}
	return 2*less > a.Count
}

// correcting holds pairs with the predictions v to correct as outputs, and their residuals.
type correcting struct {
	dataset.Pairs
	left  grid.Batch // the residuals that steps leave
	sizes []float64  // L2 norms of the true outputs
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
	before := len(c.steps) * c.Count // features of the steps before, each of which has a stream of its own
	for j := range c.Count {
		random := draw.Stream(seed, purposeCorrection, before+j)
		s.parameters.SetRow(j, c.drawnFeature(random, slope))
	}
	c.ready(s)
	return s
}

// drawnFeature draws the parameters of a feature, in the order of correction.parameters. Another order would give other
// features for the same seed.
func (c *Corrected) drawnFeature(random *rand.Rand, slope float64) []float64 {
	widthOfInput := c.drawnWidth(random)
	widthOfPrediction := c.drawnWidth(random)
	scale := logUniform(random, 0.3, 3)
	ofInput := scale * random.NormFloat64()
	ofPrediction := slope * random.NormFloat64()
	phase := 2 * math.Pi * random.Float64()
	return []float64{widthOfInput, widthOfPrediction, ofInput, ofPrediction, phase}
}

// drawnWidth draws the width of a smoothing Gaussian as a frequency, in half periods for the unit of length. Many features
// of functions of one variable do not smooth.
func (c *Corrected) drawnWidth(random *rand.Rand) float64 {
	const (
		narrow     = 2
		wide       = 40
		unsmoothed = 1e6 // so wide a Gaussian in frequencies smooths nothing
	)
	onLine := c.Domain().Dims == 1 && !c.atPoints()
	if onLine && random.Float64() < 0.6 {
		return unsmoothed
	}
	return logUniform(random, narrow, wide)
}

// logUniform draws a number between low and high whose logarithm is uniform.
func logUniform(random *rand.Rand, low, high float64) float64 {
	logarithm := math.Log(low) + random.Float64()*math.Log(high/low)
	return math.Exp(logarithm)
}

// trial is a fit: a step, nil without a solution, its leave-one-out error, and the correction of each pair, learned
// from the others.
type trial struct {
	step        *correction
	score       float64
	corrections grid.Batch
}

// fit draws the features of the next step and solves for their coefficients with the ridge of the least leave-one-out
// error. It returns ctx.Err() if ctx is done.
func (p *correcting) fit(ctx context.Context, c *Corrected, slope float64, o operator.Options) (trial, error) {
	s := c.drawn(slope, o.Seed)
	best := trial{score: math.Inf(1)}
	groups := ridge.Labelled(p.Groups, p.Count())
	system, err := p.system(ctx, c, s, nil, o.Workers)
	if err != nil {
		return best, err
	}
	_, err = ridge.Lambda(firstRidge, correctionRidges, func(relative float64) (float64, error) {
		// the features of all pairs have the sum of squares n, in equal parts at all functions of the basis on average
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
// leave of the residuals. It returns ctx.Err() if ctx is done.
func (p *correcting) judged(ctx context.Context, c *Corrected, predicted *mat.Dense, workers int) (
	corrections grid.Batch, score float64, err error) {
	n := p.Count()
	domain := p.left.Domain
	corrections = p.left.Like(n)
	errors := make([]float64, n)
	synthesis := c.bases[1].Map(modes.Synthesis)
	err = parallel.With(ctx, workers, n, modes.NewBench, func(b *modes.Bench, i int) error {
		defer b.Release(b.Used())
		values := b.Apply(predicted.RawRowView(i), synthesis)
		own := corrections.At(i)
		floats.ScaleTo(own, c.Output, values)
		distance := math.Sqrt(domain.Distance2(p.left.At(i), own))
		errors[i] = distance / p.sizes[i]
		return nil
	})
	return corrections, floats.Sum(errors) / float64(n), err
}

// correctionBytes returns about the memory of corrections. Each function of the basis has the features of all pairs, twice
// because solving takes a copy, their products, and two coefficients of every pair. In physical space there are
// predictions, residuals and corrections of all pairs, each twice, and the coefficients of the kernel.
func correctionBytes(outputs grid.Batch) float64 {
	most := 0.0 // numbers in a basis
	n := float64(outputs.Count)
	channels := float64(outputs.Domain.Width())
	for _, basis := range basesOf(outputs.Domain) {
		count, modes := sizesOf(outputs, basis)
		m := float64(count)
		if basis == inFourier {
			m *= 2
		}
		features := 2 * n * m
		products := m * m
		coefficients := 2 * n * channels
		functions := float64(modes[0] * modes[1])
		most = max(most, functions*(features+products+coefficients))
	}
	const number = 8 // bytes
	physical := 7 * n * float64(outputs.Values())
	return operator.Garbage * number * (most + physical)
}
