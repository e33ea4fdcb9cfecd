// This file contains the operators with which layers and corrections begin.

package method

import (
	"cmp"
	"context"
	"slices"

	"rfm/model/codec"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// kernels are the methods with which layers and corrections begin.
var kernels = []Method{kernelMethod, equivariantMethod, shearedMethod}

// firstOf returns the kernel with the smallest leave-one-out error. Kernels known from the same pairs are not trained
// again. The error is the first kernel's if none works.
func firstOf(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	var names []string
	for _, m := range kernels {
		names = append(names, m.Name)
	}
	like := o.Like != nil && slices.Contains(names, o.Like.Name())
	all := o.known(pairs.Count(), names...)
	if len(all) == 0 {
		var first error
		for _, m := range kernels {
			if !m.Suits(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) || like && m.Name != o.Like.Name() {
				continue
			}
			learned, err := m.Train(ctx, pairs, o)
			switch {
			case err == nil:
				all = append(all, learned)
			case !fault.BlamesInput(err):
				return nil, err
			default:
				first = cmp.Or(first, err)
			}
		}
		if len(all) == 0 {
			return nil, first
		}
	}
	return slices.MinFunc(all, func(a, b Operator) int { return cmp.Compare(a.LeaveOneOut(), b.LeaveOneOut()) }), nil
}

// known returns the known operators of some methods that have learned from all pairs, in the units of the training.
func (o Options) known(pairs int, names ...string) (all []Operator) {
	for _, k := range o.Known {
		k, ok := o.units.within(k)
		if ok && slices.Contains(names, k.Name()) && residualsOf(k).Count == pairs {
			all = append(all, k)
		}
	}
	return all
}

// residualsOf returns the leave-one-out residuals of the training outputs, in the units of the data; none if they are
// not known.
func residualsOf(o Operator) grid.Batch {
	k, ok := Unscaled(o).(interface{ residuals() grid.Batch })
	if !ok {
		return grid.Batch{}
	}
	if s, scaled := o.(scaled); scaled && k.residuals().Count > 0 {
		return affinely(k.residuals(), func(c int) (float64, float64) { return 0, s.Output[c] })
	}
	return k.residuals()
}

func (s *Sheared) residuals() grid.Batch { return s.left }

// Beneath returns the operator that o corrects or transforms; nil if there is none.
func Beneath(o Operator) Operator {
	switch o := Unscaled(o).(type) {
	case *Corrected:
		return o.First
	case *Layered:
		return o.First
	case *Sheared:
		return o.Operator
	}
	return nil
}

// start returns the operator of a model file that another operator on the same grid corrects.
func (p place) start(file codec.Part) (Operator, error) {
	first, err := operatorOf(file)
	if err != nil {
		return nil, err
	}
	in, out := first.Channels()
	if in != p.in || out != p.out || first.Domain() != p.domain || first.Finest() != p.points {
		return nil, codec.Bad("corrects a %q on %s with %d and %d channels, want %d and %d on %s", first.Name(),
			first.Domain().Grid(first.Finest()), in, out, p.in, p.out, p.domain.Grid(p.points))
	}
	return first, nil
}
