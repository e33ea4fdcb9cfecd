package shear

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

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
		return fitted(sheared(ctx, like.Transform, pairs, o, false))
	}
	order := draw.Permutation(o.Seed, operator.PurposeSearch, 0, pairs.Count())
	few := min(operator.LookPairs, pairs.Count())
	some := pairs.Take(order[:few])
	all := append([]Transform{{}}, candidates(pairs.Outputs)...)
	looks, none, err := better(ctx, all, some, o)
	if err != nil {
		return operator.Result{}, err
	}
	if len(looks) == 0 {
		what := fmt.Sprintf("no shear or logit lowers the leave-one-out error of the kernel on %d pairs, %.3g, by 2%%",
			some.Count(), none)
		return operator.Useless("training outputs", what, config.EquivariantKernel), nil
	}
	looks = operator.Near(looks, (*Sheared).LeaveOneOut, operator.LookFactor)
	ended, behind := race.Behind(looks[0].Error, operator.FarBehind)
	if behind {
		return ended, nil
	}
	best := looks[:min(mostTransforms, len(looks))]
	return operator.BestOf(o, best, func(l *Sheared) (operator.Result, error) {
		return fitted(sheared(ctx, l.Transform, pairs, o, false))
	})
}

// better trains the kernel on some pairs with each transform that serves their symmetry; the first one changes nothing. It
// returns those that lower the error, and the error of the kernel without a transform, +Inf if it has none.
func better(ctx context.Context, all []Transform, some dataset.Pairs, o operator.Options) (
	found []*Sheared, none float64, err error) {
	none = math.Inf(1)
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
			none = s.Error
		} else if s.Error < operator.Gain*none {
			found = append(found, s)
		}
	}
	return found, none, nil
}

// fitted returns the result of a fit.
func fitted(s *Sheared, err error) (operator.Result, error) {
	if err != nil {
		return operator.Result{}, err
	}
	return operator.Result{Operator: s}, nil
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
	s.Error = operator.MeanRelative(missed, operator.Norms(pairs.Outputs))
	return s, nil
}

// boundByOthers limits the leave-one-out predictions of each group of pairs to the values of the outputs of all other
// groups, which would bound logits without it. It matters where outputs have no plateaus: logits then cut the highest
// output among new ones, too.
func boundByOthers(predicted grid.Batch, pairs dataset.Pairs) {
	groups := ridge.Labelled(pairs.Groups, pairs.Count())
	low := make([]float64, len(groups))
	high := make([]float64, len(groups))
	for g, members := range groups {
		low[g] = math.Inf(1)
		high[g] = math.Inf(-1)
		for _, i := range members {
			low[g] = min(low[g], slices.Min(pairs.Outputs.At(i)))
			high[g] = max(high[g], slices.Max(pairs.Outputs.At(i)))
		}
	}
	lowest, second := leastTwo(low)
	highest, next := leastTwo(negated(high))
	for g, members := range groups {
		least := lowest
		most := -highest
		if low[g] == lowest {
			least = second // equals lowest if another group has it, too
		}
		if high[g] == -highest {
			most = -next
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

func negated(numbers []float64) []float64 {
	return floats.ScaleTo(make([]float64, len(numbers)), -1, numbers)
}

func (*Sheared) Name() string           { return Method.Name }
func (s *Sheared) LeaveOneOut() float64 { return s.Error }

func (s *Sheared) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
	error) {
	outputs, err := s.Operator.Predict(ctx, inputs, workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return s.Transform.Back(outputs), nil
}

func (s *Sheared) String() string { return fmt.Sprintf("%v, outputs %v", s.Operator, s.Transform) }

func (s *Sheared) Sizes() (map[string][]int, error) {
	if s.None() || !s.Valid() || !grid.Finite(s.Error) || s.Error < 0 {
		return nil, codec.Bad("has outputs that are transformed by %+v", s.Transform)
	}
	_, equivariant := s.Operator.(*translate.Equivariant)
	if !equivariant || s.Domain() != grid.Torus {
		return nil, codec.Bad("shears a %q, want an equivariant kernel of functions of one variable", s.Operator.Name())
	}
	return nil, nil
}

func (s *Sheared) Residuals() grid.Batch { return s.Left }
