package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// New returns the method of chains of layers, Layered or Stacked. They begin with the operators of some
// methods; operators of others may be the second in a sum.
func New(starts operator.Starts, seconds []operator.Method) operator.Method {
	return operator.Method{Name: config.Layers, Title: "local layers", Most: 4096,
		Bytes: func(pairs dataset.Pairs, o operator.Options) float64 {
			in, out := pairs.Inputs.Domain, pairs.Outputs.Domain
			functions := 8 * 7 * float64(pairs.Count()*pairs.Outputs.Values())
			view := viewBytes(in, pairs.Inputs.Points, in.Width()+out.Width(), o.Workers)
			return max(starts.Bytes(pairs, o), layerBytes*float64(1+o.Workers)+functions+view)
		},
		Accepts: func(in, out grid.Domain, symmetry string) bool {
			return in.One() == out.One() &&
				slices.ContainsFunc(starts, func(m operator.Method) bool { return m.Suits(in, out, symmetry) })
		},
		Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Operator, error) {
			l, err := layered(ctx, &chainTraining{starts: starts, seconds: seconds, pairs: pairs, options: o})
			if err != nil {
				return nil, err
			}
			return operator.Averaged(l, o.Symmetry), nil
		}}
}

const (
	mostLayers = 4
	// Directions that miss more than this part of residuals have found no law; the few features of a search miss a little
	// more than all.
	lawless = 1.02
)

// layered learns a chain of layers, Layered or Stacked. All beginnings that come within a factor of lookFactor of the
// least error in a look at some pairs are tried on all of them, and within loneFactor those without a kernel, which stack
// completes. More layers follow as long as the leave-one-out error falls.
//
// The leave-one-out error is of predictions from other parts of the pairs. It neglects that without a pair the operator
// beneath would predict the others differently, and that the directions of the features have seen the pair. With few
// pairs that is not small, see byFolds. Errors: those of Method.Train, and a *fault.Data if no layer lowers the error.
func layered(ctx context.Context, t *chainTraining) (operator.Operator, error) {
	o := t.options
	if like := operator.Core(o.Like); isChain(like) {
		learned, err := t.like(ctx, like)
		if err != nil {
			return nil, err
		}
		return learned, nil
	}
	starts, kernel, err := t.begin(ctx)
	if err != nil {
		return nil, err
	}
	best, err := operator.BestOf(o, starts, func(l *layering) (operator.Operator, error) {
		learned, gained, err := t.first(ctx, l)
		if err == nil && !gained {
			err = operator.Unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
		}
		return learned, err
	})
	if err == nil && best != nil {
		best, err = t.grow(ctx, best)
	}
	if err == nil && best != nil && len(t.groups()) < fewGroups {
		err = t.byFolds(ctx, best)
	}
	if err != nil {
		return nil, err
	}
	if best == nil || !(best.LeaveOneOut() < operator.Gain*kernel.LeaveOneOut()) {
		return nil, operator.Unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
	}
	return best, nil
}

// chainTraining holds what the training of a chain of layers needs.
type chainTraining struct {
	starts  operator.Starts   // what chains may begin with
	seconds []operator.Method // whose operators may be the second in a sum
	pairs   dataset.Pairs
	options operator.Options
}

// isChain reports whether an operator is a chain of layers.
func isChain(o operator.Operator) bool {
	switch o.(type) {
	case *Layered, *Stacked:
		return true
	}
	return false
}

// groups returns the groups of pairs that are left out together.
func (t *chainTraining) groups() ridge.Groups { return ridge.Labelled(t.pairs.Groups, t.pairs.Count()) }

// begin returns the first layers that a look at some of the pairs selects, and the best start, a kernel: layers without a
// kernel, or with it, each with or without the place. Errors are those of layered.
func (t *chainTraining) begin(ctx context.Context) (starts []*layering, kernel operator.Operator, err error) {
	kernel, _, err = t.starts.Best(ctx, t.pairs, t.options)
	if err != nil {
		return nil, nil, err
	}
	placed := []bool{false}
	if operator.Still(t.pairs.Inputs.Domain, t.pairs.Outputs.Domain, t.options.Symmetry) {
		placed = append(placed, true)
	}
	for _, p := range placed {
		for _, first := range []operator.Operator{nil, kernel} {
			l := newLayering(t.pairs, first, p, t.options)
			_, missed, err := l.search(ctx, operator.LookPairs)
			if err != nil {
				return nil, nil, err
			}
			l.look = missed * l.before
			starts = append(starts, l)
		}
	}
	least := slices.MinFunc(starts, func(a, b *layering) int { return cmp.Compare(a.look, b.look) }).look
	if err := t.options.Look(least, operator.Behind); err != nil {
		return nil, nil, err
	}
	starts = slices.DeleteFunc(starts, func(l *layering) bool {
		if l.First == nil {
			return l.look > loneFactor*least
		}
		lawless := l.look >= l.before
		return lawless || l.look > operator.LookFactor*least
	})
	return starts, kernel, nil
}

// loneFactor is the factor of the least error in a first look within which layers without a kernel are learned. Their
// error falls several times where an operator of whole functions learns what they leave.
const loneFactor = 2.5

// first learns a first layer, and stacks one without a kernel. gained reports whether it lowers the leave-one-out error.
// The error is one of training.
func (t *chainTraining) first(ctx context.Context, start *layering) (learned operator.Operator, gained bool, err error) {
	layer, gained, err := start.learn(ctx)
	if err != nil || !gained || layer.First != nil {
		return layer, gained, err
	}
	s, stacked, err := t.stack(ctx, layer)
	if err != nil || !stacked {
		return layer, true, err
	}
	return s, true, nil
}

// grow adds layers as long as they lower the leave-one-out error, and after each what stack learns, as long as that has
// gained before. The error is one of training.
func (t *chainTraining) grow(ctx context.Context, best operator.Operator) (operator.Operator, error) {
	s, stacking := best.(*Stacked)
	first := best
	if stacking {
		first = s.First
	}
	placed := first.(*Layered).Placed
	for count := 1; count < mostLayers; count++ {
		next, gained, err := newLayering(t.pairs, best, placed, t.options).learn(ctx)
		if err != nil {
			return nil, err
		}
		if !gained {
			return best, nil
		}
		best = next
		if !stacking {
			continue
		}
		s, stacking, err = t.stack(ctx, best)
		if err != nil {
			return nil, err
		}
		if stacking {
			best = s
		}
	}
	return best, nil
}

// like learns a chain of the same form as another one from other pairs, with the same kernels. The error is one of
// training.
func (t *chainTraining) like(ctx context.Context, other operator.Operator) (operator.Operator, error) {
	switch other := other.(type) {
	case *Layered:
		var first operator.Operator
		if other.First != nil {
			var err error
			first, err = t.like(ctx, other.First)
			if err != nil {
				return nil, err
			}
		}
		l, gained, err := newLayering(t.pairs, first, other.Placed, t.options).learn(ctx)
		if err == nil && !gained {
			if isChain(first) {
				return first, nil // the last of several layers does not pay with these pairs
			}
			err = operator.Unimproved(first, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
		}
		if err != nil {
			return nil, err
		}
		return l, nil
	case *Stacked:
		first, err := t.like(ctx, other.First)
		if err != nil {
			return nil, err
		}
		return t.stackLike(ctx, first, other)
	default:
		o := t.options
		o.Like = other // a kernel with the same parameters
		kernel, _, err := t.starts.Best(ctx, t.pairs, o)
		return kernel, err
	}
}

// purposeFolds names the stream that divides few pairs into folds.
const purposeFolds draw.Purpose = "layer-folds"

// With fewer than fewGroups groups of pairs the error of a chain of layers is that of retraining it on foldsOfFew folds.
const fewGroups, foldsOfFew = 40, 5

// byFolds sets the leave-one-out residuals of a chain to those of chains of the same form that have learned from four
// fifths of the pairs. The error is one of training.
func (t *chainTraining) byFolds(ctx context.Context, chain operator.Operator) error {
	o := t.options
	o.Known, o.Looked, o.Watch = nil, nil, nil
	residuals := t.pairs.Outputs.Clone()
	order := draw.Permutation(o.Seed, purposeFolds, 0, t.pairs.Count())
	for _, part := range t.groups().Parts(order, foldsOfFew) {
		rest := &chainTraining{t.starts, t.seconds, t.pairs.Take(ridge.Others(part, t.pairs.Count())), o}
		learned, err := rest.like(ctx, chain)
		if err != nil {
			return err
		}
		predicted, err := learned.Predict(ctx, t.pairs.Inputs.Take(part), o.Workers, nil)
		if err != nil {
			return err
		}
		for k, i := range part {
			floats.Sub(residuals.At(i), predicted.At(k))
		}
	}
	at := placeIn(chain)
	at.Left = residuals
	at.Error = operator.MeanRelative(residuals, operator.Norms(t.pairs.Outputs))
	return nil
}

// placeIn returns the place of a chain of layers.
func placeIn(chain operator.Operator) *operator.Base {
	switch chain := chain.(type) {
	case *Layered:
		return &chain.Base
	case *Stacked:
		return &chain.Base
	}
	panic(fmt.Sprintf("method: %T is no chain of layers", chain))
}
