// This file evaluates spectral random features on one grid, eight side by side.

package feature

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// spectralEvaluator is a Spectral feature map on one grid. It is immutable and safe for concurrent use.
//
// Rows of the feature matrix are the distinct grid points; on closed domains they are multiplied by the square roots of
// their weights in the trapezoid rule: 1 inside, 1/2 on edges, 1/4 at corners. So a sum over rows of products is, up to
// the factor Weight, an inner product.
type spectralEvaluator struct {
	size
	domain     grid.Domain
	points     int // along an axis
	transform  transform
	activation activation.Func
	groups     [][]float64 // per group of 8 features: products of the parameters' coefficients, the filter and the gain
	biased     bool        // groups have biases as coefficients of the constant
	mean       []float64   // weights of the mean over x that features lose; nil: they keep it

	motions []grid.Motion
	returns []returns // one for every motion; nil: none
	image   int       // numbers that Prepare computes from an image of an input

	Wide              // with the weights w from the first group on
	average []float64 // quadrature weights of the means of inputs; nil: not seen
}

// On prepares the features on the grid with points >= 3 points along an axis, on up to workers goroutines. The result
// does not depend on workers. The error is ctx's, or a *fault.Data if theta's grid does not contain this one.
func (f Spectral) On(ctx context.Context, points, workers int) (Evaluator, error) {
	return f.on(ctx, points, workers)
}

func (f Spectral) on(ctx context.Context, points, workers int) (*spectralEvaluator, error) {
	f.checkDraws()
	theta, err := f.Theta.Restrict(points)
	if err != nil {
		return nil, err
	}
	t := newTransform(f.Domain(), points)
	in, out := f.Channels()
	d := f.Domain().With(out) // of outputs
	e := &spectralEvaluator{domain: f.Domain(), points: points, transform: t, activation: f.Activation,
		biased: f.Bias != nil, Wide: f.Wide,
		size: size{values: d.Values(points), rows: out * t.rows(), count: f.M, input: in * t.size(), weight: d.Cell(points)}}
	if f.several() {
		e.average = f.Domain().Weights(points)
		e.input += in // the means after the coefficients
	}
	if e.image = e.input; f.Motions != nil {
		e.motions, e.returns = f.Motions, f.Symmetry.on(f.Domain(), points, t)
		e.input *= len(e.motions)
	}
	if f.Centred {
		e.mean = make([]float64, t.rows())
		for x := range e.mean {
			e.mean[x] = e.weight
		}
		t.weigh(e.mean, 1, 0.5)
	}
	multipliers := make([]float64, len(t.waves()))
	for p, w := range t.waves() {
		multipliers[p] = t.multiplier(f.Gain * f.AtFrequency(w.frequency))
	}
	e.groups = make([][]float64, wholeGroups(f.M)/GroupSize)
	err = parallel.For(ctx, workers, len(e.groups), func(_, g int) error {
		first, coefficients := GroupSize*g, make([]float64, t.size())
		features := min(GroupSize, completed(e.domain, f.M)-first, theta.Count-first)
		for c := range in * out {
			group, channel := t.newGroup(features), theta.Range(first, features).Channel(c)
			for l := range features {
				t.analyse(coefficients, channel.At(l))
				t.place(group, l, coefficients, multipliers)
				if e.biased && c%in == 0 {
					t.setBias(group, l, f.Bias[first+l])
				}
			}
			e.groups[g] = append(e.groups[g], group...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// outputs returns the domain of the outputs with their channels.
func (e *spectralEvaluator) outputs() grid.Domain {
	_, out := e.Channels()
	return e.domain.With(out)
}

// Band implements Evaluator.
func (e *spectralEvaluator) Band(first, count int) Evaluator {
	e.checkBand(first, count)
	band, g, end := *e, first/GroupSize, wholeGroups(first+count)/GroupSize
	band.count, band.groups = count, e.groups[g:end]
	if in, out := e.Channels(); e.Means != nil {
		band.Means = e.Means[GroupSize*g*in*out:]
	}
	return &band
}

// Prepare transforms inputs on the evaluator's grid to the form that the other methods take, their coefficients:
// InputSize numbers each. With a bias, the mean of an input, which has no effect, is replaced by the number whose
// product with a group is the bias. It has no errors.
func (e *spectralEvaluator) Prepare(inputs grid.Batch) ([]float64, error) {
	in, _ := e.Channels()
	e.check("inputs", inputs, in)
	size, one := e.image, e.transform.size()
	motions := e.motions
	if motions == nil {
		motions = []grid.Motion{{}}
	}
	coefficients := make([]float64, inputs.Count*e.InputSize())
	for q, m := range motions {
		images := inputs
		if m != (grid.Motion{}) {
			images = inputs.Moved(m)
		}
		for i := range inputs.Count {
			prepared, channels := coefficients[(i*len(motions)+q)*size:][:size], images.Range(i, 1).Split()
			for c := range in {
				e.transform.analyse(prepared[c*one:(c+1)*one], channels.At(c))
				if e.several() {
					for x, w := range e.average {
						prepared[in*one+c] += w * channels.At(c)[x]
					}
				}
			}
			if e.biased {
				e.transform.setConstant(prepared[:one])
			}
		}
	}
	return coefficients, nil
}

// Targets returns the values of the outputs at the distinct points, multiplied by the square roots of their weights.
func (e *spectralEvaluator) Targets(outputs grid.Batch) []float64 {
	_, out := e.Channels()
	e.check("outputs", outputs, out)
	rows := e.transform.rows()
	channels := outputs.Split()
	targets := make([]float64, 0, channels.Count*rows)
	for i := range channels.Count {
		targets = append(targets, e.domain.Distinct(channels.At(i))...)
		e.transform.weigh(targets[i*rows:], 1, math.Sqrt(0.5))
	}
	return targets
}

func (e *spectralEvaluator) check(what string, b grid.Batch, channels int) {
	if b.Values() != e.domain.With(channels).Values(e.points) {
		panic(fmt.Sprintf("feature: %s on %s, features on %s", what, b.Domain.Grid(b.Points), e.domain.Grid(e.points)))
	}
}

// scratch is the working memory of one goroutine.
type scratch struct {
	work   []float64 // of the transforms
	target []float64 // with weights, if there are any
	panels [2][]float64
	// of combine, nil before: panels of several groups, one after the other
	together []float64
	added    [2][]float64 // another channel of the inputs
	images   [2][]float64 // features of an image of the input
}

func (e *spectralEvaluator) newScratch() *scratch {
	rows := e.Points()
	s := &scratch{work: make([]float64, e.transform.work()), panels: [2][]float64{make([]float64, fft.Lanes*rows),
		make([]float64, fft.Lanes*rows)}}
	if e.transform.weighted() {
		s.target = make([]float64, rows)
	}
	if e.returns != nil {
		s.images = [2][]float64{make([]float64, fft.Lanes*rows), make([]float64, fft.Lanes*rows)}
	}
	if in, _ := e.Channels(); in > 1 {
		for half := range s.added {
			s.added[half] = make([]float64, fft.Lanes*e.transform.rows())
		}
	}
	return s
}

// NewTrainer allocates the working memory of one goroutine.
func (e *spectralEvaluator) NewTrainer() Trainer {
	s := e.newScratch()
	return func(features *linalg.Panels, row, g int, input, target, rhs []float64) {
		e.train(features, row, g, input, target, rhs, s)
	}
}

// train is a Trainer.
func (e *spectralEvaluator) train(features *linalg.Panels, row, g int, input, target, rhs []float64, s *scratch) {
	rows := e.Points()
	out := s.panels // for columns beyond the padding
	for half := range out {
		if panel := 2*g + half; panel < features.Count() {
			out[half] = features.Panel(panel)[fft.Lanes*row : fft.Lanes*(row+rows)]
		}
	}
	whole := e.returns != nil // activated after the product, not together with it
	if whole {
		e.evaluate(out, g, input, s)
	} else {
		e.synthesise(out, g, input, s)
	}
	target = target[:rows]
	if s.target != nil {
		copy(s.target, target)
		target = s.target
		e.transform.weigh(target, 1, math.Sqrt(0.5))
	}
	for half, panel := range out {
		first := g*GroupSize + half*fft.Lanes
		if first >= e.count {
			return
		}
		var sums [fft.Lanes]float64
		if whole {
			e.eachChannel(panel, target, func(panel, target []float64) { centredDot(panel, e.mean, target, &sums) })
		} else if e.mean == nil {
			e.activation.ApplyDot(panel, target, sums[:])
		} else {
			e.eachChannel(panel, target, func(panel, target []float64) {
				e.activation.ApplyCentredDot(panel, e.mean, target, sums[:])
			})
		}
		e.transform.weigh(panel, fft.Lanes, math.Sqrt(0.5))
		for l := range min(fft.Lanes, e.count-first) {
			rhs[first+l] += sums[l]
		}
	}
}

// eachChannel calls visit for the rows of each channel of the outputs.
func (e *spectralEvaluator) eachChannel(panel, target []float64, use func(panel, target []float64)) {
	rows := e.transform.rows()
	for first := 0; first < e.Points(); first += rows {
		use(panel[fft.Lanes*first:fft.Lanes*(first+rows)], target[first:first+rows])
	}
}

// synthesise writes the arguments of sigma for a group.
func (e *spectralEvaluator) synthesise(panels [2][]float64, g int, input []float64, s *scratch) {
	in, out := e.Channels()
	rows, size, group := e.transform.rows(), e.transform.size(), e.groups[g]
	block := len(group) / (in * out)
	for o := range out {
		var to [2][]float64
		for half, panel := range panels {
			to[half] = panel[fft.Lanes*o*rows : fft.Lanes*(o+1)*rows]
		}
		for c := range in {
			part, spectrum := group[(o*in+c)*block:(o*in+c+1)*block], input[c*size:(c+1)*size]
			if c == 0 {
				e.transform.synthesise(to, part, spectrum, s.work)
				continue
			}
			e.transform.synthesise(s.added, part, spectrum, s.work)
			for half, added := range s.added {
				floats.Add(to[half], added)
			}
		}
		if e.average == nil {
			continue
		}
		for l := range GroupSize {
			constant, panel := 0.0, to[l/fft.Lanes]
			for c, mean := range input[in*size:] {
				if at := ((GroupSize*g+l)*out+o)*in + c; at < len(e.Means) {
					constant += e.Means[at] * mean
				}
			}
			for i := l % fft.Lanes; i < len(panel); i += fft.Lanes {
				panel[i] += constant
			}
		}
	}
}

// accumulate adds the eight features of group g for one prepared input, weighted with alpha[0..7], to out, four partial
// sums a point: the sum over a point's four numbers is sum_l alpha[l] phi_(8g+l)(x). Weights beyond m must be zero. The
// means of centred features are still in the sum: complete removes them.
func (e *spectralEvaluator) accumulate(out []float64, g int, input, alpha []float64, s *scratch) {
	if e.returns == nil {
		e.synthesise(s.panels, g, input, s)
		e.activation.Accumulate(out, s.panels[0], s.panels[1], alpha)
		return
	}
	e.evaluate(s.panels, g, input, s)
	for half, panel := range s.panels {
		for i, v := range panel {
			out[i] += alpha[half*fft.Lanes+i%fft.Lanes] * v
		}
	}
}

// combine does the same as accumulate for several coefficient vectors and the groups from first to before end, at most
// [together], in one pass over the features: it adds sum_l alpha[q][8g+l] phi_(8g+l)(x) for each vector q and point x
// to out, as linalg.Combine does. alpha has the weights of the groups in halves of four features, each one vector after
// the other: alpha[half*4*vectors + 4*q + l]. complete must follow.
func (e *spectralEvaluator) combine(out []float64, first, end int, input, alpha []float64, vectors int, s *scratch) {
	panel := len(s.panels[0])
	if s.together == nil {
		s.together = make([]float64, 2*together*panel)
	}
	for g := first; g < end; g++ {
		of := s.together[2*(g-first)*panel:]
		e.evaluate([2][]float64{of[:panel], of[panel : 2*panel]}, g, input, s)
	}
	linalg.Combine(out, s.together[:2*(end-first)*panel], alpha, vectors)
}

// complete turns a sum of features at the distinct points into a function on the grid, in place: it removes the mean if
// features are centred.
func (e *spectralEvaluator) complete(values []float64) {
	if _, out := e.Channels(); out > 1 {
		K, rows := len(values)/out, e.transform.rows()
		for o := out - 1; o >= 0; o-- { // which initially have more room than they need
			copy(values[o*K:o*K+rows], values[o*rows:(o+1)*rows])
			e.completeOne(values[o*K : (o+1)*K])
		}
		return
	}
	e.completeOne(values)
}

func (e *spectralEvaluator) completeOne(values []float64) {
	e.centre(values)
	e.transform.complete(values)
}

// centre removes the mean of values at the distinct points if features are centred.
func (e *spectralEvaluator) centre(values []float64) {
	mean := 0.0
	for x, w := range e.mean {
		mean += w * values[x]
	}
	for x := range e.mean {
		values[x] -= mean
	}
}

// centredDot subtracts the means from four features, with weights of points that may be nil, and writes their products
// with the target to sums.
func centredDot(panel, mean, target []float64, sums *[fft.Lanes]float64) {
	var means [fft.Lanes]float64
	for x, w := range mean {
		for l := range means {
			means[l] += w * panel[fft.Lanes*x+l]
		}
	}
	for x, y := range target {
		p := panel[fft.Lanes*x : fft.Lanes*x+fft.Lanes]
		for l := range means {
			p[l] -= means[l]
			sums[l] += p[l] * y
		}
	}
}
