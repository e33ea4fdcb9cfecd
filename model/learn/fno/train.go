package fno

import (
	"context"
	"math"
	"math/rand/v2"

	"rfm/solver/base/draw"
	"rfm/solver/base/parallel"
	"rfm/solver/num/neural"
)

// examples are functions to learn from, prepared for a network.
type examples[T neural.Number] struct {
	shape Shape
	// inputs holds the channels of each example, standardised, on the shape's points: In x Points values.
	inputs [][]T
	// targets holds the outputs of each example in their own units, Out x Points values, and norms their L2 norms in the
	// weights.
	targets [][]float64
	norms   []float64
	// means is the mean of targets, Out x Points values, and deviation the root mean square of what the mean misses: the
	// network learns (u - mean)/deviation.
	means     []float64
	deviation float64
	weights   []float64 // of the points in the norm, up to a factor
}

// Lanes is the number of parts of a batch whose gradients are summed apart, and so the number of workers that train at
// the same time. It does not depend on them, so that sums have one order.
const Lanes = 5

// mostColumns bounds the values of one channel that a pass holds, so that its matrices stay in the cache.
const mostColumns = 1100

// purposes of the random numbers of a network.
const (
	purposeWeights draw.Purpose = "fno-weights" // index: 0
	purposeOrder   draw.Purpose = "fno-order"   // index: epoch
)

// trainer descends on the mean relative L2 error of examples, by Adam with a rate that falls to zero along half a cosine.
// The weights and the averages of Adam are the state from which training resumes.
type trainer[T neural.Number] struct {
	examples  *examples[T]
	batch     int
	rate      float64 // of the first steps
	transform *transform[T]

	weights  *parameters[T]
	optimum  neural.Adam[T]
	passes   []*pass[T]       // one for each lane
	partial  []*parameters[T] // gradients of the lanes
	gradient *parameters[T]
}

// decay of weights, as in the published code of the network.
const decay = 1e-4

// newTrainer returns a trainer at the first step, from given weights.
func newTrainer[T neural.Number](e *examples[T], weights *parameters[T], batch int, rate float64) *trainer[T] {
	s := e.shape
	t := &trainer[T]{
		examples:  e,
		batch:     batch,
		rate:      rate,
		transform: newTransform[T](s.extended(), s.Modes),
		weights:   weights,
		gradient:  newParameters[T](s),
	}
	t.optimum = neural.Adam[T]{
		Decay:  decay,
		Mean:   make([]T, len(weights.all)),
		Square: make([]T, len(weights.all)),
	}
	fitting := max(1, mostColumns/t.transform.functionSize())
	atOnce := min(laneShare(batch), fitting)
	for range Lanes {
		t.passes = append(t.passes, newPass(s, t.transform, atOnce, true))
		t.partial = append(t.partial, newParameters[T](s))
	}
	return t
}

// laneShare returns the examples of a batch that a lane learns from; the last lanes can have fewer.
func laneShare(batch int) int { return (batch + Lanes - 1) / Lanes }

// memory returns the arrays from which training resumes: the weights, and the averages of Adam.
func (t *trainer[T]) memory() [][]T {
	return [][]T{t.weights.all, t.optimum.Mean, t.optimum.Square}
}

// state returns the numbers from which training resumes.
func (t *trainer[T]) state() []float64 {
	var all []float64
	for _, numbers := range t.memory() {
		for _, v := range numbers {
			all = append(all, float64(v))
		}
	}
	return all
}

// restore sets the state after some steps. It reports false, and changes nothing, for a state of another network.
func (t *trainer[T]) restore(steps int, state []float64) bool {
	if steps == 0 || len(state) != 3*len(t.weights.all) {
		return false
	}
	for _, numbers := range t.memory() {
		for i := range numbers {
			numbers[i] = T(state[i])
		}
		state = state[len(numbers):]
	}
	t.optimum.Steps = steps
	return true
}

// step moves the weights once, by the gradient of the mean relative error of some examples, at most a batch, and returns
// this error before the step. done is the part of the training that lies behind. It returns ctx.Err() if ctx is done.
func (t *trainer[T]) step(ctx context.Context, some []int, done float64, workers int) (float64, error) {
	var losses [Lanes]float64
	share := laneShare(len(some))
	err := parallel.For(ctx, workers, Lanes, func(_, lane int) error {
		first := min(lane*share, len(some))
		end := min(first+share, len(some))
		gradient := t.partial[lane]
		clear(gradient.all)
		losses[lane] = t.learn(t.passes[lane], gradient, some[first:end], len(some))
		return nil
	})
	if err != nil {
		return 0, err
	}
	total := 0.0
	clear(t.gradient.all)
	for lane, loss := range losses {
		total += loss
		neural.Add(t.gradient.all, t.partial[lane].all)
	}
	t.optimum.Step(t.weights.all, t.gradient.all, t.rateAfter(done))
	return total / float64(len(some)), nil
}

// rateAfter returns the rate of a step when a part of the training lies behind: half a cosine from 1 to 0.
func (t *trainer[T]) rateAfter(done float64) float64 {
	const least = 1e-6
	cosine := math.Cos(math.Pi * done)
	return t.rate*(1+cosine)/2 + least
}

// learn adds the gradient of the sum of the relative errors of some examples, over count, and returns the sum.
func (t *trainer[T]) learn(p *pass[T], gradient *parameters[T], some []int, count int) float64 {
	total := 0.0
	for len(some) > 0 {
		now := some[:min(p.samples, len(some))]
		some = some[len(now):]
		p.load(t.examples.inputs, now)
		p.forward(t.weights)
		clear(p.dOutput.Data)
		share := 1 / float64(count)
		for sample, i := range now {
			total += t.lose(p, sample, i, share)
		}
		p.backward(t.weights, gradient)
	}
	return total
}

// lose returns the relative error of the prediction of example i in a pass, and sets its derivative times a factor.
func (t *trainer[T]) lose(p *pass[T], sample, i int, factor float64) float64 {
	e := t.examples
	target := e.targets[i]
	points := len(e.weights)
	square := 0.0
	for channel := range e.shape.Out {
		own := channel * points
		e.each(p, channel, sample, func(x int, value *T, _ *T) {
			d := e.residual(*value, target, own+x)
			square += e.weights[x] * d * d
		})
	}
	missed := math.Sqrt(square)
	if missed == 0 {
		return 0 // a minimum: the derivative is zero
	}
	slope := factor * e.deviation / (missed * e.norms[i])
	for channel := range e.shape.Out {
		own := channel * points
		e.each(p, channel, sample, func(x int, value, derivative *T) {
			d := e.residual(*value, target, own+x)
			*derivative = T(slope * e.weights[x] * d)
		})
	}
	return missed / e.norms[i]
}

// residual returns what a value of the network misses of number k of a target, in units of the outputs.
func (e *examples[T]) residual(value T, target []float64, k int) float64 {
	return float64(value)*e.deviation + e.means[k] - target[k]
}

// each calls do for the points of one channel of a prediction, with the value there and its derivative.
func (e *examples[T]) each(p *pass[T], channel, sample int, do func(x int, value, derivative *T)) {
	columns := e.shape.Points[1]
	values := p.at(p.output, channel, sample)
	derivatives := p.at(p.dOutput, channel, sample)
	for row := range e.shape.Points[0] {
		from := row * p.transform.stride
		for j := range columns {
			x := row*columns + j
			do(x, &values[from+j], &derivatives[from+j])
		}
	}
}

// load copies examples into the input of a pass. What is left of others behind them is evaluated, too, without effect.
func (p *pass[T]) load(inputs [][]T, some []int) {
	rows := p.shape.Points[0]
	columns := p.shape.Points[1]
	points := rows * columns
	for sample, i := range some {
		for channel := range p.shape.In {
			from := inputs[i][channel*points:][:points]
			to := p.at(p.input, channel, sample)
			for row := range rows {
				line := from[row*columns:][:columns]
				copy(to[row*p.transform.stride:], line)
			}
		}
	}
}

// initial returns random weights, distributed as those of PyTorch's linear layers and of the published network: uniform,
// of a size that keeps values of one size through the layers.
func initial[T neural.Number](s Shape, seed uint64) *parameters[T] {
	stream := draw.Stream(seed, purposeWeights, 0)
	w := newParameters[T](s)
	w.lift.draw(stream)
	scale := float64(s.Width * s.Width)
	for _, l := range w.layers {
		l.local.draw(stream)
		spectra := l.spectra.Data
		for i := range spectra {
			spectra[i] = T(stream.Float64() / scale)
		}
	}
	w.hidden.draw(stream)
	w.last.draw(stream)
	return w
}

// draw sets the matrix and the shift to uniform numbers, up to 1 over the root of the number of arguments.
func (a affine[T]) draw(stream *rand.Rand) {
	bound := 1 / math.Sqrt(float64(a.matrix.Cols))
	for _, m := range []neural.Matrix[T]{a.matrix, a.shift} {
		for i := range m.Rows {
			row := m.Row(i)
			for j := range row {
				uniform := 2*stream.Float64() - 1 // in [-1, 1)
				row[j] = T(bound * uniform)
			}
		}
	}
}

// order returns the examples in the order of an epoch.
func order(seed uint64, epoch, count int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = i
	}
	stream := draw.Stream(seed, purposeOrder, epoch)
	stream.Shuffle(count, func(i, j int) {
		all[i], all[j] = all[j], all[i]
	})
	return all
}
