package operator

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Scaling holds the units of functions with several channels: a channel of inputs is (a - Shift)/Input, one of outputs
// u/Output. So each channel has a share in distances and errors. Functions of one channel need no units, and the zero
// Scaling changes nothing, unless squares of their values could overflow or vanish.
type Scaling struct {
	Log    bool      `json:"log,omitempty"` // a is the logarithm of the input
	Shift  []float64 `json:"input_shift"`   // mean over training inputs and points, one a channel
	Input  []float64 `json:"input_unit"`    // root mean square of a - Shift
	Output []float64 `json:"output_unit"`   // root mean square over training outputs and points
}

// ScalingOf returns the units of training pairs. A constant channel has the unit 1.
func ScalingOf(pairs dataset.Pairs) Scaling {
	in := pairs.Inputs.Domain.Width()
	out := pairs.Outputs.Domain.Width()
	if in == 1 && out == 1 {
		a := pairs.Inputs.Unit()
		u := pairs.Outputs.Unit()
		if a == 1 && u == 1 {
			return Scaling{}
		}
		return Scaling{
			Shift:  []float64{0},
			Input:  []float64{a},
			Output: []float64{u},
		}
	}
	var s Scaling
	if in == 1 { // without a shift, which keeps logarithms possible
		s.Shift = []float64{0}
		s.Input = []float64{pairs.Inputs.Unit()}
	} else {
		for c := range in {
			mean, deviation := Moments(pairs.Inputs.Channel(c))
			s.Shift = append(s.Shift, mean)
			s.Input = append(s.Input, Unit(deviation, mean))
		}
	}
	for c := range out {
		mean, deviation := Moments(pairs.Outputs.Channel(c))
		rootMeanSquare := math.Hypot(mean, deviation)
		s.Output = append(s.Output, Unit(rootMeanSquare, 0))
	}
	return s
}

// logarithmic returns the units of training pairs with positive inputs of one channel, whose logarithms may be easier
// to learn from. ok is false unless inputs have more than two values that differ by more than a factor of two.
func logarithmic(pairs dataset.Pairs) (s Scaling, ok bool) {
	const factor = 2
	in := pairs.Inputs
	if in.Domain.Width() > 1 || len(in.Data) == 0 {
		return s, false
	}
	least := slices.Min(in.Data)
	most := slices.Max(in.Data)
	differ := least > 0 && !(most < factor*least) // false of NaN
	between := func(v float64) bool { return v != least && v != most }
	if !differ || !slices.ContainsFunc(in.Data, between) {
		return s, false
	}
	ofOutputs := dataset.Pairs{Inputs: in.Like(0), Outputs: pairs.Outputs}
	s = ScalingOf(ofOutputs)
	if s.none() {
		s.Output = slices.Repeat([]float64{1}, pairs.Outputs.Domain.Width())
	}
	s.Log = true
	s.Shift = []float64{0}
	s.Input = []float64{1}
	return s, true
}

// Unit returns a deviation, or 1 if it is rounding error of the mean.
func Unit(deviation, mean float64) float64 {
	const rounding = 1e-12
	if deviation <= rounding*math.Abs(mean) || !grid.Finite(deviation) {
		return 1
	}
	return deviation
}

// Moments returns mean and standard deviation of all values.
func Moments(b grid.Batch) (mean, deviation float64) {
	own := b.Unit()
	mean, deviation = stat.PopMeanStdDev(b.In(own).Data, nil)
	return own * mean, own * deviation
}

// none reports whether the units change nothing.
func (s Scaling) none() bool { return s.Output == nil }

// Apply returns the pairs in these units.
func (s Scaling) Apply(pairs dataset.Pairs) dataset.Pairs {
	if s.none() {
		return pairs
	}
	return dataset.Pairs{
		Inputs:  s.inputs(pairs.Inputs),
		Outputs: s.Outputs(pairs.Outputs),
		Groups:  pairs.Groups,
	}
}

// Outputs returns functions of the data in these units.
func (s Scaling) Outputs(b grid.Batch) grid.Batch {
	if s.none() {
		return b
	}
	return affinely(b, func(c int) (shift, factor float64) {
		return 0, 1 / s.Output[c]
	})
}

// inUnitsOfData returns functions in the units of outputs as functions of the data.
func (s Scaling) inUnitsOfData(b grid.Batch) grid.Batch {
	return affinely(b, func(c int) (shift, factor float64) {
		return 0, s.Output[c]
	})
}

// inputs returns inputs of the data in these units.
func (s Scaling) inputs(b grid.Batch) grid.Batch {
	if s.Log {
		b = Logarithms(b)
	}
	return affinely(b, func(c int) (shift, factor float64) {
		return s.Shift[c], 1 / s.Input[c]
	})
}

// Logarithms returns the logarithms of functions.
func Logarithms(b grid.Batch) grid.Batch {
	changed := b.Like(b.Count)
	for x, v := range b.Data {
		changed.Data[x] = math.Log(v)
	}
	return changed
}

// affinely returns a copy of functions, (f - shift) times a factor in each channel.
func affinely(b grid.Batch, of func(channel int) (shift, factor float64)) grid.Batch {
	changed := b.Like(b.Count)
	channels := b.Domain.Width()
	from := b.Split() // channel after channel
	to := changed.Split()
	for i := range from.Count {
		shift, factor := of(i % channels)
		dst := to.At(i)
		for x, v := range from.At(i) {
			dst[x] = (v - shift) * factor
		}
	}
	return changed
}

// Of returns an operator learned from pairs in these units as an operator in the units of the data.
func (s Scaling) Of(o Operator) Operator {
	if s.none() {
		return o
	}
	return &Scaled{Scaling: s, Operator: o}
}

// within returns an operator learned in the units of the data as one in these units; ok is false if it has others.
func (s Scaling) within(o Operator) (in Operator, ok bool) {
	if s.none() {
		return o, true
	}
	of, scales := o.(*Scaled)
	if !scales || !slices.Equal(of.Output, s.Output) {
		return nil, false
	}
	if of.Log {
		if s.Input[0] != 1 {
			return nil, false
		}
		changed := *of // of one channel, without a shift
		changed.Output = slices.Repeat([]float64{1}, len(of.Output))
		return &changed, true
	}
	sameInputs := slices.Equal(of.Shift, s.Shift) && slices.Equal(of.Input, s.Input)
	return of.Operator, sameInputs
}

// Scaled is an operator whose functions have units.
type Scaled struct {
	Scaling
	Operator `json:"of"`
}

// Unscaled returns the operator in its own units if Scaling.Of made it, else the operator itself.
func Unscaled(o Operator) Operator {
	if s, ok := o.(*Scaled); ok {
		return s.Operator
	}
	return o
}

func (s *Scaled) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	if s.Log {
		if err := positive(inputs); err != nil {
			return grid.Batch{}, err
		}
	}
	u, err := s.Operator.Predict(ctx, s.inputs(inputs), workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return s.inUnitsOfData(u), nil
}

// positive returns a *fault.Data unless all values have logarithms.
func positive(inputs grid.Batch) error {
	for at, v := range inputs.Data {
		if v > 0 {
			continue
		}
		const learned = "has the value %v, and the model has learned from logarithms: all training inputs were positive"
		return &fault.Data{
			Where: fmt.Sprintf("input %d", at/inputs.Values()),
			What:  fmt.Sprintf(learned, v),
			Do:    "give positive functions",
		}
	}
	return nil
}

func (s *Scaled) Sizes() (map[string][]int, error) {
	for _, unit := range slices.Concat(s.Input, s.Output) {
		if !(unit > 0) || !grid.Finite(unit) {
			return nil, codec.Bad("has the unit %g of a channel", unit)
		}
	}
	in, out := s.Channels()
	ofInputs := len(s.Shift) == in && len(s.Input) == in
	ofOutputs := len(s.Output) == out
	if !ofInputs || !ofOutputs || s.Log && in > 1 {
		return nil, codec.Bad("has units of %d and %d channels, want %d and %d, and logarithms of one alone",
			len(s.Input), len(s.Output), in, out)
	}
	return nil, nil
}
