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

// New returns the method of chains of layers: Layered, Stacked or Pointwise. They begin with the operators of some
// methods; operators of others may be the second in a sum.
func New(starts operator.Starts, seconds []operator.Method) operator.Method {
	return operator.Method{
		Name:      config.Layers,
		Title:     "local layers",
		Scattered: true,
		Most:      4096,
		Bytes: func(pairs dataset.Pairs, o operator.Options) float64 {
			return max(starts.Bytes(pairs, o), chainBytes(pairs, o))
		},
		Accepts: func(in, out grid.Domain, symmetry string) bool {
			suits := func(m operator.Method) bool { return m.Suits(in, out, symmetry) }
			if in.Scattered() && !seesAround(in.Cloud) {
				return false
			}
			return in.One() == out.One() && slices.ContainsFunc(starts, suits)
		},
		Fit: func(ctx context.Context, pairs dataset.Pairs, o operator.Options) (operator.Result, error) {
			t := &chainTraining{
				starts:  starts,
				seconds: seconds,
				pairs:   pairs,
				options: o,
			}
			learned, err := t.learn(ctx)
			if err != nil || learned.Operator == nil {
				return learned, err
			}
			learned.Operator = operator.Averaged(learned.Operator, o.Symmetry)
			return learned, nil
		},
	}
}

// chainBytes returns about the memory of learning layers, besides what they begin with.
func chainBytes(pairs dataset.Pairs, o operator.Options) float64 {
	const number = 8 // bytes
	in := pairs.Inputs.Domain
	out := pairs.Outputs.Domain
	functions := 7 * number * float64(pairs.Count()*pairs.Outputs.Values())
	view := viewBytes(in, pairs.Inputs.Points, in.Width()+out.Width(), o.Workers)
	sums := layerBytes * float64(1+o.Workers)
	return max(sums, lawBytes(pairs, o)) + functions + view
}

const (
	mostLayers = 4
	// Directions that miss more than this part of residuals have found no law; the few features of a search miss a little
	// more than all.
	lawless = 1.02
)

// learn learns a chain of layers, which may begin with a Pointwise or a Stacked. All beginnings that come within a factor of
// operator.LookFactor of the least error in a look at some pairs are tried on all of them, and within loneFactor those
// without a kernel, which stack completes. A Pointwise is tried if its error is less, and nothing else if it is clearly
// less. More layers follow as long as the leave-one-out error falls.
//
// The leave-one-out error is of predictions from other parts of the pairs. It neglects that without a pair the operator
// beneath would predict the others differently, and that the directions of the features have seen the pair. With few
// pairs that is not small, see byFolds. Errors: those of Method.Train.
func (t *chainTraining) learn(ctx context.Context) (operator.Result, error) {
	like := operator.Core(t.options.Like)
	if isChain(like) {
		return t.like(ctx, like)
	}
	first, _, err := t.starts.Best(ctx, t.pairs, t.options)
	if err != nil || first.Operator == nil {
		return first, err
	}
	kernel := first.Operator
	beginnings, err := t.beginnings(ctx, kernel)
	if err != nil {
		return operator.Result{}, err
	}
	byLook := func(a, b *layering) int { return cmp.Compare(a.look, b.look) }
	least := slices.MinFunc(beginnings, byLook).look
	parameters, look, err := t.lookPointwise(ctx)
	if err != nil {
		return operator.Result{}, err
	}
	ended, behind := t.options.Race.Behind(min(least, look), operator.FarBehind)
	if behind {
		return ended, nil
	}
	var candidates []*layering
	clearlyLess := look < clearGain*least
	if !clearlyLess {
		candidates = promising(beginnings, least)
	}
	best, err := operator.BestOf(t.options, candidates, func(l *layering) (operator.Result, error) {
		learned, gained, err := t.first(ctx, l)
		if err != nil {
			return operator.Result{}, err
		}
		if !gained {
			return unimproved(kernel), nil
		}
		return operator.Result{Operator: learned}, nil
	})
	if err != nil {
		return operator.Result{}, err
	}
	if look < least {
		p, err := t.learnPointwise(ctx, parameters)
		if err != nil {
			return operator.Result{}, err
		}
		if p != nil && (best.Operator == nil || p.Error < best.Operator.LeaveOneOut()) {
			best = operator.Result{Operator: p}
		}
	}
	if best.Operator == nil {
		return unimproved(kernel), nil
	}
	chain, err := t.grow(ctx, best.Operator)
	if err != nil {
		return operator.Result{}, err
	}
	if len(t.groups()) < FewGroups {
		err := t.byFolds(ctx, chain)
		if err != nil {
			return operator.Result{}, err
		}
	}
	if !(chain.LeaveOneOut() < operator.Gain*kernel.LeaveOneOut()) {
		return unimproved(kernel), nil
	}
	return operator.Result{Operator: chain}, nil
}

// unimproved is the result where no layer gains on a kernel.
func unimproved(kernel operator.Operator) operator.Result {
	return operator.Unimproved(kernel, "no local layer lowers the leave-one-out error, %.3g, by 2%%")
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
	case *Layered, *Stacked, *Pointwise:
		return true
	}
	return false
}

// groups returns the groups of pairs that are left out together.
func (t *chainTraining) groups() ridge.Groups { return ridge.Labelled(t.pairs.Groups, t.pairs.Count()) }

// beginnings looks at the first layers of a chain on some of the pairs: without a kernel, or on it unless it echoes the
// outputs, each with or without the place. The error is one of training.
func (t *chainTraining) beginnings(ctx context.Context, kernel operator.Operator) (all []*layering, err error) {
	placed := []bool{false}
	if t.seesPlaces() {
		placed = append(placed, true)
	}
	firsts := []operator.Operator{nil}
	if !operator.Echoes(kernel, t.pairs.Outputs) {
		firsts = append(firsts, kernel)
	}
	for _, p := range placed {
		for _, first := range firsts {
			l := newLayering(t.pairs, first, p, t.options)
			_, missed, err := l.search(ctx, operator.LookPairs)
			if err != nil {
				return nil, err
			}
			l.look = missed * l.before
			all = append(all, l)
		}
	}
	return all, nil
}

// seesPlaces reports whether laws may depend on the place.
func (t *chainTraining) seesPlaces() bool {
	return operator.Still(t.pairs.Inputs.Domain, t.pairs.Outputs.Domain, t.options.Symmetry)
}

// promising returns the beginnings to try on all pairs.
func promising(beginnings []*layering, least float64) []*layering {
	return slices.DeleteFunc(beginnings, func(l *layering) bool {
		if l.First == nil {
			return l.look > loneFactor*least
		}
		lawless := l.look >= l.before
		return lawless || l.look > operator.LookFactor*least
	})
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
	placed := true
	layer, ok := first.(*Layered)
	if ok {
		placed = layer.Placed
	}
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
func (t *chainTraining) like(ctx context.Context, other operator.Operator) (operator.Result, error) {
	switch other := other.(type) {
	case *Layered:
		return t.layerLike(ctx, other)
	case *Stacked:
		first, err := t.like(ctx, other.First)
		if err != nil || first.Operator == nil {
			return first, err
		}
		return operator.From(t.stackLike(ctx, first.Operator, other))
	case *Pointwise:
		p, err := t.learnPointwise(ctx, other.Parameters)
		if err != nil || p == nil {
			return operator.Useless("training pairs", "no law of each point can be learned", t.starts[0].Name), err
		}
		return operator.Result{Operator: p}, nil
	default:
		o := t.options
		o.Like = other // a kernel with the same parameters
		kernel, _, err := t.starts.Best(ctx, t.pairs, o)
		return kernel, err
	}
}

// layerLike learns a layer on an operator like that beneath another one.
func (t *chainTraining) layerLike(ctx context.Context, other *Layered) (operator.Result, error) {
	var first operator.Operator
	if other.First != nil {
		beneath, err := t.like(ctx, other.First)
		if err != nil || beneath.Operator == nil {
			return beneath, err
		}
		first = beneath.Operator
	}
	l, gained, err := newLayering(t.pairs, first, other.Placed, t.options).learnLike(ctx, other)
	if err != nil {
		return operator.Result{}, err
	}
	if gained {
		return operator.Result{Operator: l}, nil
	}
	if isChain(first) {
		return operator.Result{Operator: first}, nil // the last of several layers does not pay with these pairs
	}
	return unimproved(first), nil
}

// purposeFolds names the stream that divides few pairs into folds.
const purposeFolds draw.Purpose = "layer-folds"

// With fewer than FewGroups groups of pairs the error of a chain of layers is that of retraining it on foldsOfFew folds.
const (
	FewGroups  = 40
	foldsOfFew = 5
)

// byFolds sets the leave-one-out residuals of a chain to those of chains of the same form that have learned from four
// fifths of the pairs. The error is one of training.
func (t *chainTraining) byFolds(ctx context.Context, chain operator.Operator) error {
	o := t.options
	o.Known = nil
	o.Race = nil
	o.Watch = nil
	residuals := t.pairs.Outputs.Clone()
	n := t.pairs.Count()
	order := draw.Permutation(o.Seed, purposeFolds, 0, n)
	for _, part := range t.groups().Parts(order, foldsOfFew) {
		others := ridge.Others(part, n)
		rest := &chainTraining{
			starts:  t.starts,
			seconds: t.seconds,
			pairs:   t.pairs.Take(others),
			options: o,
		}
		learned, err := rest.like(ctx, chain)
		if err != nil {
			return err
		}
		if err := learned.Err(); err != nil {
			return err
		}
		predicted, err := learned.Operator.Predict(ctx, t.pairs.Inputs.Take(part), o.Workers, nil)
		if err != nil {
			return err
		}
		for k, i := range part {
			floats.Sub(residuals.At(i), predicted.At(k))
		}
	}
	at := placeIn(chain)
	at.Left = residuals
	at.Error = operator.MeanRelative(residuals, operator.Sizes(t.pairs.Outputs))
	return nil
}

// placeIn returns the place of a chain of layers.
func placeIn(chain operator.Operator) *operator.Base {
	switch chain := chain.(type) {
	case *Layered:
		return &chain.Base
	case *Stacked:
		return &chain.Base
	case *Pointwise:
		return &chain.Base
	}
	panic(fmt.Sprintf("method: %T is no chain of layers", chain))
}
