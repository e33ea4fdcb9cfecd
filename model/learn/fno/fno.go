// Package fno trains Fourier neural operators (Li, Kovachki, Azizzadenesheli, Liu, Bhattacharya, Stuart & Anandkumar
// 2021): the operators with which random features are most often compared. A network lifts the channels of an input to
// some dozens, applies Fourier layers
//
//	v -> GELU( A v + b + F^-1[ R F v ] ),   R a matrix for each of the lowest modes,
//
// and maps the result to the outputs at each point by a network with one hidden layer. All weights are trained by Adam
// on the mean relative L2 error, so training is a descent of thousands of steps and not one linear solve.
//
// The number of steps follows from a number of operations, never from a clock, and sums have one order: the same pairs
// and seed give the same bytes for any number of workers.
package fno

import (
	"context"
	"math"

	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/neural"
	"rfm/solver/space/grid"
)

// Settings are the sizes of a network and the effort of its training. Sizes of 0 are the usual ones of the field.
type Settings struct {
	Width int // channels between layers, a multiple of four; usually 32
	// Modes is the number of frequencies along an axis, of each sign along the first axis of fields, usually 16, and 8 for
	// fields. Coarse grids have fewer.
	Modes  int
	Layers int // usually 4
	// Seconds is the time on one core of the usual speed that training takes.
	Seconds float64
	// Placed networks see the coordinates of a point. Without them, a network on a periodic domain commutes with
	// translations.
	Placed bool
	// Compared networks need an error on pairs that they have not seen: they spend half of the time on it.
	Compared bool
}

const (
	projection = 128  // channels before the last map
	batch      = 20   // examples in a step
	rate       = 1e-3 // of the first steps

	// speed is the usual number of operations a second of one core with AVX2: it turns seconds into steps.
	speed = 5e10
)

// complete replaces sizes of 0 by the usual ones for functions of so many variables.
func (s Settings) complete(dims int) Settings {
	if s.Width == 0 {
		s.Width = 32
	}
	if s.Modes == 0 {
		s.Modes = 16
		if dims == 2 {
			s.Modes = 8
		}
	}
	if s.Layers == 0 {
		s.Layers = 4
	}
	return s
}

// shapeOf returns the sizes of a network on a grid, for inputs and outputs with some channels.
func shapeOf(d grid.Domain, points, in, out int, s Settings) Shape {
	s = s.complete(d.Dims)
	rows, columns := d.Axes(points)
	if d.Periodic { // the last values repeat the first ones
		rows = max(1, rows-1)
		columns--
	}
	shape := Shape{
		In:         in,
		Out:        out,
		Width:      s.Width,
		Projection: projection,
		Layers:     s.Layers,
		Points:     [2]int{rows, columns},
	}
	if s.Placed {
		shape.In += d.Dims
	}
	for axis := 2 - d.Dims; axis < 2; axis++ {
		points := shape.Points[axis]
		shape.Modes[axis] = min(s.Modes, points/2)
		if !d.Periodic {
			shape.Padding[axis] = max(4, points/16)
		}
	}
	return shape
}

// operations returns the number of additions and multiplications in a step, for one example.
func (s Shape) operations() float64 {
	extended := s.extended()
	points := float64(extended[0] * extended[1])
	in := float64(s.In)
	out := float64(s.Out)
	width := float64(s.Width)
	layers := float64(s.Layers)
	hidden := float64(s.Projection)
	modes := float64(s.groups() * neural.Group)
	// Backwards there are two products, by the weights and by the arguments, where forwards there is one.
	const forwardAndBackward = 3
	affine := width * in
	affine += layers * width * width
	affine += hidden * (width + out)
	// Transforms along the last axis take whole groups of modes; those along the first one cost less.
	lastModes := float64(groupsOf(s.Modes[1]) * neural.Group)
	transforms := 4 * layers * width * 2 * lastModes
	spectra := 3 * layers * 4 * width * width * modes
	atPoints := points * (forwardAndBackward*affine + transforms)
	return 2 * (atPoints + spectra)
}

// steps returns the number of steps that training takes, at least one for each of ten passes over count pairs.
func (s Settings) steps(shape Shape, count int) int {
	const leastEpochs = 10
	operations := shape.operations() * float64(min(batch, count)) // of a step
	affordable := int(s.Seconds * speed / operations)
	return max(leastEpochs*stepsPerEpoch(count), affordable)
}

// Seconds returns the time on one core of the usual speed in which a network passes so many times over pairs.
func Seconds(pairs dataset.Pairs, o operator.Options, passes int) float64 {
	in := pairs.Inputs.Domain
	shape := shapeOf(in.One(), pairs.Inputs.Points, in.Width(), pairs.Outputs.Domain.Width(), settingsOf(o))
	examples := float64(passes) * float64(pairs.Count())
	return examples * shape.operations() / speed
}

// stepsPerEpoch returns the steps of one pass over count pairs; the last one can have fewer pairs than a batch.
func stepsPerEpoch(count int) int { return (count + batch - 1) / batch }

// trainingBytes returns about the memory that training takes, for so many pairs on a grid.
func trainingBytes(d grid.Domain, points, in, out, count int, s Settings) float64 {
	const (
		single = 4 // bytes
		double = 8
	)
	shape := shapeOf(d, points, in, out, s)
	extended := shape.extended()
	stride := (extended[1] + 7) / 8 * 8
	column := float64(extended[0] * stride) // numbers of one channel of a function

	// A pass holds for each function rows of channels, and the spectra of each layer, of a product and of derivatives.
	between := shape.Width * (2*shape.Layers + 4)
	rows := float64(shape.In + between + 4*shape.Projection + 2*shape.Out)
	rows++ // of ones
	spectrum := float64(2 * neural.Group * shape.groups())
	spectra := float64((shape.Layers+2)*shape.Width) * spectrum
	atOnce := max(2, min(batch/Lanes, mostColumns/column))
	passes := Lanes * atOnce * (rows*column + spectra)

	// Weights, their gradient, and two averages of Adam; and a gradient for each lane.
	weights := (4 + Lanes) * float64(shape.count())

	distinct := float64(shape.Points[0] * shape.Points[1])
	example := distinct * float64(single*shape.In+double*shape.Out)
	return single*(weights+passes) + float64(count)*example
}

// Network is a trained network: its sizes, and its weights as arrays for files. A network works on its own grid.
type Network struct {
	Width  int   `json:"width"`
	Depth  int   `json:"layers"`
	Modes  []int `json:"modes"` // along the axes of the domain
	Steps  int   `json:"steps"` // of the descent
	Placed bool  `json:"placed,omitempty"`
	// Each channel of inputs enters as (a - Shift)/Unit.
	Shift []float64 `json:"input_shift"`
	Unit  []float64 `json:"input_unit"`
	// The network's values are (u - Mean)/Deviation.
	Mean      []float64 `json:"output_mean" shape:"outputs_distinct"` // out x points
	Deviation float64   `json:"output_deviation"`

	Lift        []float64 `json:"lift" shape:"width seen"` // seen: channels of inputs, then coordinates
	LiftShift   []float64 `json:"lift_shift" shape:"width"`
	Local       []float64 `json:"local" shape:"layers width width"` // to x from
	LocalShift  []float64 `json:"local_shift" shape:"layers width"`
	Spectra     []float64 `json:"spectra" shape:"layers width width frequencies 2"` // to x from x frequency x (re, im)
	Hidden      []float64 `json:"hidden" shape:"projection width"`
	HiddenShift []float64 `json:"hidden_shift" shape:"projection"`
	Last        []float64 `json:"last" shape:"outputs_channels projection"`
	LastShift   []float64 `json:"last_shift" shape:"outputs_channels"`

	shape     Shape
	weights   *parameters[float32]
	transform *transform[float32]
}

// descent is how a network is trained: by how many goroutines, who is told, and where its states are kept.
type descent struct {
	seed    uint64
	workers int
	// advance, which may be nil, is called after each step with the steps that are done, of how many, and how many of them
	// an earlier session has done.
	advance     func(done, total, before int)
	name        string               // of the states
	checkpoints operator.Checkpoints // nil: none
}

// fit trains a network on pairs with finite values on one grid. Errors: a *fault.Numerical if the descent diverges, those
// of the checkpoints, ctx.Err().
func fit(ctx context.Context, inputs, outputs grid.Batch, s Settings, d descent) (*Network, error) {
	domain := inputs.Domain
	s = s.complete(domain.Dims)
	n := &Network{
		Width:  s.Width,
		Depth:  s.Layers,
		Placed: s.Placed,
	}
	in := domain.Width()
	out := outputs.Domain.Width()
	n.shape = shapeOf(domain, inputs.Points, in, out, s)
	n.Modes = n.shape.Modes[2-domain.Dims:]
	n.Steps = s.steps(n.shape, inputs.Count)
	examples := n.standardise(inputs, outputs)
	weights := initial[float32](n.shape, d.seed)
	trainer := newTrainer(examples, weights, min(batch, inputs.Count), rate)
	err := d.descend(ctx, trainer, n.Steps, inputs.Count)
	if err != nil {
		return nil, err
	}
	n.weights = trainer.weights
	n.transform = trainer.transform
	n.unpack()
	return n, nil
}

// descend takes the steps that are left, up to steps, with count examples. Its errors are those of fit.
func (d *descent) descend(ctx context.Context, trainer *trainer[float32], steps, count int) error {
	before, err := d.resume(ctx, trainer, steps)
	if err != nil {
		return err
	}
	perEpoch := stepsPerEpoch(count)
	var epoch []int // the examples in the order of the epoch
	for step := before; step < steps; step++ {
		inEpoch := step % perEpoch
		if epoch == nil || inEpoch == 0 {
			epoch = order(d.seed, step/perEpoch, count)
		}
		first := inEpoch * batch
		end := min(first+batch, count)
		done := float64(step) / float64(steps)
		loss, err := trainer.step(ctx, epoch[first:end], done, d.workers)
		if err != nil {
			return err
		}
		if !grid.Finite(loss) {
			return errDiverges
		}
		if d.advance != nil {
			d.advance(step+1, steps, before)
		}
		if d.checkpoints != nil {
			last := step+1 == steps
			err := d.checkpoints.Keep(d.name, step+1, last, trainer.state)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

var errDiverges = &fault.Numerical{
	Where: "neural operator",
	What:  "the descent diverges",
	Do:    "check the scale of the data, or choose another train.method",
}

// resume sets a trainer to the latest state that was kept, of at most so many steps, and returns the steps that it has
// done: 0 without a state of this network. Errors: those of the checkpoints, ctx.Err().
func (d *descent) resume(ctx context.Context, trainer *trainer[float32], most int) (steps int, err error) {
	if d.checkpoints == nil {
		return 0, nil
	}
	steps, state, err := d.checkpoints.Latest(ctx, d.name)
	if err != nil {
		return 0, err
	}
	if steps > most || !trainer.restore(steps, state) {
		return 0, nil
	}
	return steps, nil
}

// standardise computes the units of pairs, and returns the pairs in them.
func (n *Network) standardise(inputs, outputs grid.Batch) *examples[float32] {
	for c := range inputs.Domain.Width() {
		mean, deviation := operator.Moments(inputs.Channel(c))
		unit := operator.Unit(deviation, mean)
		n.Shift = append(n.Shift, mean)
		n.Unit = append(n.Unit, unit)
	}
	points := n.shape.distinct()
	e := &examples[float32]{
		shape:   n.shape,
		weights: distinctWeights(outputs.Domain.One(), outputs.Points),
	}
	n.Mean = make([]float64, n.shape.Out*points)
	for i := range outputs.Count {
		target := n.target(outputs, i)
		square := 0.0
		for k, v := range target {
			n.Mean[k] += v / float64(outputs.Count)
			square += e.weights[k%points] * v * v
		}
		e.targets = append(e.targets, target)
		e.norms = append(e.norms, math.Sqrt(square))
		e.inputs = append(e.inputs, n.seen(inputs, i))
	}
	if outputs.Numbers() { // errors of all are relative to the same
		score.Level(e.norms)
	}
	if !n.Placed { // a mean that has a place would not commute with translations
		for c := range n.shape.Out {
			channel := n.Mean[c*points:][:points]
			level(channel)
		}
	}
	square := 0.0
	for _, target := range e.targets {
		for k, v := range target {
			d := v - n.Mean[k]
			square += d * d
		}
	}
	count := outputs.Count * len(n.Mean)
	n.Deviation = math.Sqrt(square / float64(count))
	if n.Deviation == 0 {
		n.Deviation = 1 // outputs are all the same: the network learns zero
	}
	e.means = n.Mean
	e.deviation = n.Deviation
	return e
}

// distinctWeights returns the weights of distinct points in the norm of one channel, up to a factor.
func distinctWeights(one grid.Domain, points int) []float64 {
	weights := one.Distinct(one.Weights(points))
	if !one.Periodic {
		return weights
	}
	// The weights of the closed grid count the ends by half each; distinct points are all alike.
	equal := make([]float64, len(weights))
	for x := range equal {
		equal[x] = 1
	}
	return equal
}

// target returns the channels of output i at distinct points.
func (n *Network) target(outputs grid.Batch, i int) []float64 {
	one := outputs.Domain.One()
	target := make([]float64, 0, n.shape.Out*n.shape.distinct())
	for c := range n.shape.Out {
		channel := outputs.Of(i, c)
		target = append(target, one.Distinct(channel)...)
	}
	return target
}

// level sets all values of a function to their mean.
func level(f []float64) {
	mean := 0.0
	for _, v := range f {
		mean += v / float64(len(f))
	}
	for x := range f {
		f[x] = mean
	}
}

// seen returns what the network sees of an input: its channels, standardised, then the coordinates.
func (n *Network) seen(inputs grid.Batch, i int) []float32 {
	points := n.shape.distinct()
	one := inputs.Domain.One()
	in := make([]float32, 0, n.shape.In*points)
	for c := range inputs.Domain.Width() {
		shift := n.Shift[c]
		unit := n.Unit[c]
		for _, v := range one.Distinct(inputs.Of(i, c)) {
			in = append(in, float32((v-shift)/unit))
		}
	}
	if !n.Placed {
		return in
	}
	columns := n.shape.Points[1]
	for axis := 2 - inputs.Domain.Dims; axis < 2; axis++ {
		count := n.shape.Points[axis]
		for x := range points {
			at := x % columns
			if axis == 0 {
				at = x / columns
			}
			in = append(in, float32(at)/float32(count))
		}
	}
	return in
}

// Predict evaluates the network for inputs on its own grid. It returns ctx.Err() if ctx is done.
func (n *Network) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	domain := inputs.Domain.With(n.shape.Out)
	outputs := grid.NewBatch(domain, inputs.Points, inputs.Count)
	fitting := max(1, mostColumns/n.transform.functionSize())
	samples := min(4, fitting)
	blocks := (inputs.Count + samples - 1) / samples
	const derivatives = false
	prepare := func() *pass[float32] {
		return newPass(n.shape, n.transform, samples, derivatives)
	}
	err := parallel.With(ctx, workers, blocks, prepare, func(p *pass[float32], block int) error {
		first := block * samples
		count := min(samples, inputs.Count-first)
		seen := make([][]float32, count)
		which := make([]int, count)
		for k := range seen {
			seen[k] = n.seen(inputs, first+k)
			which[k] = k
		}
		p.load(seen, which)
		p.forward(n.weights)
		for k := range count {
			n.store(outputs, first+k, p, k)
		}
		progress(count)
		return nil
	})
	return outputs, err
}

// store writes the results for a sample of a pass, in the units of the outputs, to output i.
func (n *Network) store(outputs grid.Batch, i int, p *pass[float32], sample int) {
	rows := n.shape.Points[0]
	columns := n.shape.Points[1]
	points := rows * columns
	one := outputs.Domain.One()
	values := make([]float64, points)
	for c := range n.shape.Out {
		own := p.at(p.output, c, sample)
		means := n.Mean[c*points:][:points]
		for row := range rows {
			line := own[row*n.transform.stride:][:columns]
			for j, v := range line {
				x := row*columns + j
				values[x] = float64(v)*n.Deviation + means[x]
			}
		}
		one.Complete(outputs.Of(i, c), values, 1)
	}
}
