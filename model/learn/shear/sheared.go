package shear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/learn/translate"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Method learns a Sheared.
var Method = operator.Method{
	Name:    config.Sheared,
	Title:   "kernel, sheared",
	Most:    translate.Most,
	Bytes:   translate.Bytes,
	Accepts: accepts,
	Fit:     shearedKernel,
}

// accepts reports whether fronts can be sheared: those of functions of one variable whose operator commutes with
// translations.
func accepts(in, out grid.Domain, symmetry string) bool {
	return in.Dims == 1 && translate.Accepts(in, out, symmetry)
}

// Sheared is an operator that learned transformed outputs, in which fronts are flat (package shear):
//
//	F(a) = T^-1(Operator(a)).
type Sheared struct {
	Transform
	Error             float64 `json:"leave_one_out"`
	operator.Operator `json:"of"`
	Left              grid.Batch // leave-one-out residuals of the training outputs; none if it was read from a file
}

// mostTransforms bounds the transforms that are trained on all pairs after a first look.
const mostTransforms = 2

// shearedKernel trains the equivariant kernel on transformed outputs. The transform has the smallest leave-one-out
// error of the outputs themselves: exact residuals of the kernel, transformed back. It neglects that the transform has
// seen all outputs. Errors: those of Method.Train.
func shearedKernel(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
	_, err := operator.Checked(pairs)
	if err != nil {
		return operator.Result{}, err
	}
	race := o.Race
	o.Race = nil // of the kernel: errors of transformed outputs are others
	like, known := operator.Core(o.Like).(*Sheared)
	if known {
		o.Like = like.Operator
		return operator.From(sheared(ctx, like.Transform, pairs, o, false))
	}
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	few := min(operator.LookPairs, pairs.Count())
	some := pairs.Take(order[:few])
	none := Transform{}
	all := append([]Transform{none}, candidates(pairs.Outputs)...)
	better, without, err := thatLower(ctx, all, some, o)
	if err != nil {
		return operator.Result{}, err
	}
	if len(better) == 0 {
		const useless = "no shear or logit lowers the leave-one-out error of the kernel on %d pairs, %.3g, by 2%%"
		what := fmt.Sprintf(useless, some.Count(), without)
		return operator.Useless("training outputs", what, config.EquivariantKernel), nil
	}
	better = operator.Near(better, (*Sheared).LeaveOneOut, operator.LookFactor)
	ended, behind := race.Behind(better[0].Error, operator.FarBehind)
	if behind {
		return ended, nil
	}
	best := better[:min(mostTransforms, len(better))]
	return operator.BestOf(o, best, func(l *Sheared) (operator.Result, error) {
		return operator.From(sheared(ctx, l.Transform, pairs, o, false))
	})
}

// thatLower trains the kernel on some pairs with each transform that serves their symmetry; the first one changes nothing.
// It returns those that lower the error, and the error of the kernel without a transform, +Inf if it has none.
func thatLower(ctx context.Context, all []Transform, some dataset.Pairs, o operator.Options) (
	better []*Sheared, without float64, err error) {
	without = math.Inf(1)
	odd := o.Symmetry == config.OddReflection
	reflected := odd || o.Symmetry == config.Reflection
	for _, t := range all {
		if reflected && !t.Serves(odd) {
			continue
		}
		s, err := sheared(ctx, t, some, o, true)
		if fault.BlamesInput(err) {
			continue // a transform whose outputs cannot be learned from
		}
		if err != nil {
			return nil, 0, err
		}
		if t.None() {
			without = s.Error
		} else if s.Error < operator.Gain*without {
			better = append(better, s)
		}
	}
	return better, without, nil
}

// sheared trains the kernel, roughly or not, on outputs with a given transform.
func sheared(ctx context.Context, t Transform, pairs dataset.Pairs, o operator.Options, rough bool) (*Sheared, error) {
	moved := pairs.With(t.Forward(pairs.Outputs))
	learned, err := translate.Fit(ctx, moved, o, rough)
	if err != nil {
		return nil, err
	}
	e := learned.Operator.(*translate.Equivariant)
	predicted := t.Back(moved.Outputs.Minus(e.Left))
	s := &Sheared{
		Operator:  e,
		Transform: t,
		// Not bounded by others, because corrections learn residuals of the model, whose range is that of all outputs.
		Left: pairs.Outputs.Minus(predicted),
	}
	if t.Margin > 0 {
		boundByOthers(predicted, pairs)
	}
	missed := pairs.Outputs.Minus(predicted)
	s.Error = operator.MeanRelative(missed, operator.Sizes(pairs.Outputs))
	return s, nil
}

// boundByOthers limits the leave-one-out predictions of each group of pairs to the values of the outputs of all other
// groups, which would bound logits without it. It matters where outputs have no plateaus: logits then cut the highest
// output among new ones, too.
func boundByOthers(predicted grid.Batch, pairs dataset.Pairs) {
	groups := ridge.Labelled(pairs.Groups, pairs.Count())
	low := make([]float64, len(groups))     // least value of each group
	negated := make([]float64, len(groups)) // largest one with the opposite sign
	for g, members := range groups {
		low[g] = math.Inf(1)
		negated[g] = math.Inf(1)
		for _, i := range members {
			output := pairs.Outputs.At(i)
			low[g] = min(low[g], slices.Min(output))
			negated[g] = min(negated[g], -slices.Max(output))
		}
	}
	lowest, secondLowest := leastTwo(low)
	highest, secondHighest := leastTwo(negated)
	for g, members := range groups {
		least := lowest
		if low[g] == lowest {
			least = secondLowest // equals lowest if another group has it, too
		}
		most := -highest
		if negated[g] == highest {
			most = -secondHighest
		}
		for _, i := range members {
			u := predicted.At(i)
			for x, v := range u {
				u[x] = min(most, max(least, v))
			}
		}
	}
}

// leastTwo returns the least and the second least of some numbers, which are equal if it occurs twice; +Inf in place of
// those that there are not.
func leastTwo(numbers []float64) (least, second float64) {
	least = math.Inf(1)
	second = math.Inf(1)
	for _, v := range numbers {
		if v < least {
			second = least
			least = v
		} else if v < second {
			second = v
		}
	}
	return least, second
}

func (*Sheared) Name() string           { return Method.Name }
func (s *Sheared) LeaveOneOut() float64 { return s.Error }

func (s *Sheared) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (
	grid.Batch, error) {
	outputs, err := s.Operator.Predict(ctx, inputs, workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return s.Transform.Back(outputs), nil
}

func (s *Sheared) String() string { return fmt.Sprintf("%v, outputs %v", s.Operator, s.Transform) }

func (s *Sheared) Sizes() (map[string][]int, error) {
	transforms := !s.None() && s.Valid()
	hasError := grid.Finite(s.Error) && s.Error >= 0
	if !transforms || !hasError {
		return nil, codec.Bad("has outputs that are transformed by %+v", s.Transform)
	}
	_, equivariant := s.Operator.(*translate.Equivariant)
	if !equivariant || s.Domain() != grid.Torus {
		return nil, codec.Bad("shears a %q, want an equivariant kernel of functions of one variable", s.Operator.Name())
	}
	return nil, nil
}

func (s *Sheared) Residuals() grid.Batch { return s.Left }
