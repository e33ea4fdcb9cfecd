// This file evaluates spectral random features on one grid, eight side by side.

package feature

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
	"rfm/solver/num/activation"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
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
	roots      []float64   // square roots of the weights of rows over Weight; nil: 1
	mean       []float64   // weights of the mean over x that features lose; nil: they keep it

	motions []grid.Motion
	returns []returns // one for every motion; nil: none
}

// On prepares the features on the grid with points >= 3 points along an axis, on up to workers goroutines. The result
// does not depend on workers. The error is ctx's, or a *fault.Data if theta's grid does not contain this one.
func (f Spectral) On(ctx context.Context, points, workers int) (Evaluator, error) {
	theta, err := f.Theta.Restrict(points)
	if err != nil {
		return nil, err
	}
	d := f.Domain()
	t := f.transformOn(points)
	e := &spectralEvaluator{
		size: size{
			values: d.Values(points),
			rows:   t.rows(),
			count:  f.M,
			input:  t.size(),
			weight: cellOf(d, points),
		},
		domain:     d,
		points:     points,
		transform:  t,
		activation: f.Activation,
		biased:     f.Bias != nil,
	}
	if f.Motions != nil {
		e.motions = f.Motions
		e.returns = f.Symmetry.on(d, points, t.rows())
		e.input *= len(e.motions)
	}
	e.roots = rootsOf(d, points, e.weight)
	if f.Centred {
		e.mean = slices.Repeat([]float64{e.weight}, t.rows())
		e.weigh(e.mean, 1)
		e.weigh(e.mean, 1)
	}
	multipliers := make([]float64, len(t.waves()))
	for p, w := range t.waves() {
		multipliers[p] = t.multiplier(f.Gain * f.AtFrequency(w.frequency))
	}
	count := min(completed(d, f.M), theta.Count)
	e.groups = make([][]float64, Groups(f.M))
	err = parallel.For(ctx, workers, len(e.groups), func(_, g int) error {
		first := GroupSize * g
		features := min(GroupSize, count-first)
		group := t.newGroup(features)
		coefficients := make([]float64, t.size())
		for l := range features {
			t.analyse(coefficients, theta.At(first+l))
			t.place(group, l, coefficients, multipliers)
			if e.biased {
				t.setBias(group, l, f.Bias[first+l])
			}
		}
		e.groups[g] = group
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// rootsOf returns the square roots of the weights of rows over weight; nil where all are 1.
func rootsOf(d grid.Domain, points int, weight float64) (roots []float64) {
	if d.Scattered() {
		for _, w := range d.Weights(points) {
			roots = append(roots, math.Sqrt(w/weight))
		}
		return roots
	}
	if d.Periodic || d.Cells {
		return nil
	}
	for _, w := range d.Weights(points) {
		quarters := math.Round(4 * w / weight) // exact, so that a root of 1 is one
		roots = append(roots, math.Sqrt(quarters/4))
	}
	return roots
}

// cellOf returns the share of a point in the whole domain, on average for points of any geometry.
func cellOf(d grid.Domain, points int) float64 {
	if d.Scattered() {
		return 1 / float64(points)
	}
	return d.Cell(points)
}

func (e *spectralEvaluator) Band(first, count int) Evaluator {
	e.checkBand(first, count)
	band := *e
	band.count = count
	begin := first / GroupSize
	end := Groups(first + count)
	band.groups = e.groups[begin:end]
	return &band
}

// Prepare transforms inputs on the evaluator's grid to the form that the other methods take, their coefficients. With a
// bias, the mean of an input, which has no effect, is replaced by the number whose product with a group is the bias. It
// has no errors.
func (e *spectralEvaluator) Prepare(inputs grid.Batch) ([]float64, error) {
	e.check("inputs", inputs)
	size := e.transform.size()
	motions := e.motions
	if motions == nil {
		motions = []grid.Motion{{}}
	}
	coefficients := make([]float64, inputs.Count*e.input)
	for q, m := range motions {
		images := inputs
		if m != (grid.Motion{}) {
			images = inputs.Moved(m)
		}
		for i := range inputs.Count {
			own := coefficients[i*e.input:][:e.input] // motions x size
			prepared := own[q*size:][:size]
			e.transform.analyse(prepared, images.At(i))
			if e.biased {
				e.transform.setConstant(prepared)
			}
		}
	}
	return coefficients, nil
}

// Targets returns the values of the outputs at the distinct points, multiplied by the square roots of their weights.
func (e *spectralEvaluator) Targets(outputs grid.Batch) []float64 {
	e.check("outputs", outputs)
	rows := e.Points()
	targets := make([]float64, outputs.Count*rows) // outputs x rows, row-major
	for i := range outputs.Count {
		target := targets[i*rows:][:rows]
		copy(target, e.domain.Distinct(outputs.At(i)))
		e.weigh(target, 1)
	}
	return targets
}

// weigh multiplies rows of width numbers by the square roots of their weights in the trapezoid rule.
func (e *spectralEvaluator) weigh(values []float64, width int) {
	for x, root := range e.roots {
		row := values[width*x:][:width]
		floats.Scale(root, row)
	}
}

// scratch is the working memory of one goroutine.
type scratch struct {
	work   []float64    // of the transforms
	panels [2][]float64 // features of a group, four in each: points x fft.Lanes, row-major
	images [2][]float64 // the same for an image of the input, if there are motions
}

func (e *spectralEvaluator) newScratch() *scratch {
	s := &scratch{work: make([]float64, e.transform.work())}
	size := fft.Lanes * e.Points()
	for half := range s.panels {
		s.panels[half] = make([]float64, size)
		if e.returns != nil {
			s.images[half] = make([]float64, size)
		}
	}
	return s
}

// NewTrainer allocates the working memory of one goroutine.
func (e *spectralEvaluator) NewTrainer() Trainer {
	s := e.newScratch()
	return func(features *linalg.Panels, row, g int, input, target, rhs []float64) {
		out := s.panels // for columns beyond the padding
		for half := range out {
			panel := 2*g + half
			if panel < features.Count() {
				rows := features.Panel(panel)[fft.Lanes*row:]
				out[half] = rows[:fft.Lanes*e.Points()]
			}
		}
		e.evaluate(out, g, input, s)
		for half, panel := range out {
			first := g*GroupSize + half*fft.Lanes
			if first >= e.count {
				return
			}
			if e.mean != nil {
				e.centrePanel(panel)
			}
			e.weigh(panel, fft.Lanes)
			e.addProducts(rhs[first:e.count], panel, target[:e.Points()])
		}
	}
}

// addProducts adds to rhs the inner products of the features of a panel with the target, as many as rhs has room for.
func (e *spectralEvaluator) addProducts(rhs, panel, target []float64) {
	var sums [fft.Lanes]float64
	e.activation.Dot(panel, target, sums[:])
	for l := range min(len(sums), len(rhs)) {
		rhs[l] += sums[l]
	}
}

// centrePanel subtracts their means from four features.
func (e *spectralEvaluator) centrePanel(panel []float64) {
	var means [fft.Lanes]float64
	e.activation.Dot(panel, e.mean, means[:])
	for x := range e.Points() {
		row := panel[fft.Lanes*x:][:fft.Lanes]
		for l, mean := range means {
			row[l] -= mean
		}
	}
}

// evaluate writes the features of a group for one prepared input. With motions they are averaged over the images of the
// input, and still have their means.
func (e *spectralEvaluator) evaluate(panels [2][]float64, g int, input []float64, s *scratch) {
	if e.returns == nil {
		e.transform.synthesise(panels, e.groups[g], input, s.work)
		for _, panel := range panels {
			e.activation.Apply(panel)
		}
		return
	}
	for _, panel := range panels {
		clear(panel)
	}
	size := e.transform.size()
	for q, back := range e.returns {
		moved := input[q*size:][:size]
		e.transform.synthesise(s.images, e.groups[g], moved, s.work)
		for half, image := range s.images {
			e.activation.Apply(image)
			back.add(panels[half], image)
		}
	}
}

// add adds to a panel the features of the moved input, moved back and times the share of the motion.
func (r returns) add(panel, image []float64) {
	for x, y := range r.from {
		to := (*[fft.Lanes]float64)(panel[fft.Lanes*x:])
		from := (*[fft.Lanes]float64)(image[fft.Lanes*y:])
		for l := range to {
			to[l] += r.share * from[l]
		}
	}
}

// accumulate adds the eight features of group g for one prepared input, weighted with each of several coefficient
// vectors, to out: for each vector in turn four partial sums a point. The sum over a point's four numbers is
// sum_l alpha[8g+l] phi_(8g+l)(x). The means of centred features are still in the sum: complete removes them.
func (e *spectralEvaluator) accumulate(out []float64, g int, input []float64, vectors [][]float64, s *scratch) {
	if e.returns == nil {
		e.transform.synthesise(s.panels, e.groups[g], input, s.work)
	} else {
		e.evaluate(s.panels, g, input, s)
	}
	size := fft.Lanes * e.Points()
	activated := false
	for q, alpha := range vectors {
		if GroupSize*g >= len(alpha) {
			continue
		}
		own := out[q*size:][:size]
		weights := alpha[GroupSize*g:][:GroupSize]
		switch {
		case e.returns != nil:
			for half, panel := range s.panels {
				ofPanel := weights[half*fft.Lanes:]
				for i, v := range panel {
					own[i] += ofPanel[i%fft.Lanes] * v
				}
			}
		case !activated:
			e.activation.Accumulate(own, s.panels[0], s.panels[1], weights)
			activated = true
		default:
			e.activation.Add(own, s.panels[0], s.panels[1], weights)
		}
	}
}

// complete turns a sum of features at the distinct points into a function on the grid, in place: it removes the mean if
// features are centred.
func (e *spectralEvaluator) complete(values []float64) {
	mean := 0.0
	for x, w := range e.mean {
		mean += w * values[x]
	}
	floats.AddConst(-mean, values[:len(e.mean)])
	e.domain.Complete(values, values[:e.Points()], 1)
}

// predictBlock is the number of inputs for which a group of features is evaluated while its coefficients are in cache.
const predictBlock = 16

// together is the number of groups whose features are added to the sums of one input at a time.
const together = 4

// Predict implements Evaluator, in one pass over the features for each block of inputs.
func (e *spectralEvaluator) Predict(ctx context.Context, coefficients [][]float64, inputs grid.Batch, workers int,
	progress func(added int)) ([]grid.Batch, error) {
	predictions := make([]grid.Batch, len(coefficients))
	vectors := make([][]float64, len(coefficients))
	for q, alpha := range coefficients {
		predictions[q] = grid.NewBatch(e.domain, inputs.Points, inputs.Count)
		vectors[q] = e.weightsOf(alpha)
	}
	size := fft.Lanes * e.Points() // of the partial sums of a vector
	all := size * len(vectors)     // of an input
	type bench struct {
		scratch *scratch
		sums    []float64 // predictBlock x vectors x rows x fft.Lanes
	}
	newBench := func() bench {
		return bench{
			scratch: e.newScratch(),
			sums:    make([]float64, predictBlock*all),
		}
	}
	blocks := (inputs.Count + predictBlock - 1) / predictBlock
	err := parallel.With(ctx, workers, blocks, newBench, func(b bench, block int) error {
		first := block * predictBlock
		count := min(predictBlock, inputs.Count-first)
		sums := b.sums[:count*all]
		clear(sums)
		prepared, err := e.Prepare(inputs.Range(first, count))
		if err != nil {
			return fmt.Errorf("inputs from %d on: %w", first, err)
		}
		err = e.accumulateAll(ctx, sums, prepared, vectors, b.scratch)
		if err != nil {
			return err
		}
		for i := range count {
			own := sums[all*i:][:all]
			for q := range vectors {
				u := predictions[q].At(first + i)
				reduce(u, own[size*q:][:size])
				e.complete(u)
			}
		}
		if progress != nil {
			progress(count)
		}
		return nil
	})
	return predictions, err
}

// weightsOf returns the factors alpha_j/m of features, zero up to the end of the last group.
func (e *spectralEvaluator) weightsOf(alpha []float64) []float64 {
	if len(alpha) < 1 || len(alpha) > e.count {
		panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), e.count))
	}
	m := float64(len(alpha))
	weights := make([]float64, Groups(len(alpha))*GroupSize)
	for j, a := range alpha {
		weights[j] = a / m
	}
	return weights
}

// accumulateAll adds all features for a block of prepared inputs to their partial sums, see accumulate. Groups are the
// outer loop, so that their coefficients stay in cache. The error is ctx's.
func (e *spectralEvaluator) accumulateAll(ctx context.Context, sums, prepared []float64, vectors [][]float64,
	s *scratch) error {
	inputs := len(prepared) / e.input
	size := len(sums) / inputs
	groups := Groups(e.count)
	for begin := 0; begin < groups; begin += together {
		end := min(begin+together, groups)
		for i := range inputs {
			own := sums[size*i:][:size]
			input := prepared[e.input*i:][:e.input]
			for g := begin; g < end; g++ {
				e.accumulate(own, g, input, vectors, s)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// reduce sets the first numbers of u to sums of fft.Lanes partial sums each.
func reduce(u, sums []float64) {
	for x := range len(sums) / fft.Lanes {
		s := sums[fft.Lanes*x:][:fft.Lanes]
		u[x] = (s[0] + s[1]) + (s[2] + s[3])
	}
}
