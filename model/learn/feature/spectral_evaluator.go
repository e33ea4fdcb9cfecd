// This file evaluates spectral random features on one grid, eight side by side.

package feature

import (
	"context"
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
	wide       *fft.Plan   // not nil: sums of features are computed for two groups side by side
	roots      []float64   // square roots of the weights of rows over Weight; nil: 1
	mean       []float64   // weights of the mean over x that features lose; nil: they keep it

	motions []grid.Motion
	returns []returns // one for every motion; nil: none
}

// On prepares the features on the grid with points >= 3 points along an axis, on up to workers goroutines. The result
// does not depend on workers. The error is ctx.Err(), or a *fault.Data if theta's grid does not contain this one.
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
	if e.motions == nil {
		e.wide = wideOf(t)
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

// wideOf returns the plan of a transform that has wide blocks, else nil.
func wideOf(t transform) *fft.Plan {
	exponentials, ok := t.(*exponentials)
	if ok && exponentials.plan.Wide() {
		return exponentials.plan
	}
	return nil
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
		out := columnsOfGroup(features, row, e.Points(), g, s.panels)
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

// columnsOfGroup returns some rows of the panels of a group; of spare in place of panels beyond the padding.
func columnsOfGroup(features *linalg.Panels, first, rows, g int, spare [2][]float64) [2][]float64 {
	for half := range spare {
		panel := 2*g + half
		if panel < features.Count() {
			all := features.Panel(panel)
			spare[half] = all[fft.Lanes*first:][:fft.Lanes*rows]
		}
	}
	return spare
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
