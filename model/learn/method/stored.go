package method

import (
	"context"
	"fmt"
	"slices"

	"rfm/model/learn/feature"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Kinds returns the parts of model files: feature maps and operators.
func Kinds() codec.Kinds {
	return codec.Kinds{
		"spectral": new(feature.Spectral), "predictor-corrector": new(feature.Collapsed),
		"features": new(Features), "mean": new(Mean), "affine": new(Affine), "multiplier": new(Multiplier), "kernel": new(KernelRidge),
		"equivariant": new(Equivariant), "sheared": new(Sheared), "layer": new(Layered), "stacked": new(Stacked), "corrected": new(Corrected),
		"symmetric": new(symmetrised), "scaled": new(scaled), "neural": new(Neural),
	}
}

// Decode reads an operator from the JSON text and the arrays of a model file. The error is a *fault.Data.
func Decode(text []byte, arrays codec.Arrays) (Operator, error) {
	v, err := Kinds().Decode(text, arrays)
	if err != nil {
		return nil, err
	}
	o, ok := v.(Operator)
	if !ok {
		return nil, codec.Bad("has a feature map where an operator is expected")
	}
	return o, nil
}

// kernels are the methods with which layers and corrections begin.
var kernels = []Method{kernelMethod, equivariantMethod, shearedMethod}

// kernelsFor returns those that learn from some pairs.
func kernelsFor(pairs dataset.Pairs, symmetry string) []Method {
	return slices.DeleteFunc(slices.Clone(kernels), func(m Method) bool {
		return !m.Suits(pairs.Inputs.Domain, pairs.Outputs.Domain, symmetry)
	})
}

// firstBytes returns the memory of firstOf.
func firstBytes(pairs dataset.Pairs, o Options) (most float64) {
	for _, m := range kernelsFor(pairs, o.Symmetry) {
		most = max(most, m.Bytes(pairs, o))
	}
	return most
}

// firstOf returns the kernel with the smallest leave-one-out error, and all that have learned. Kernels known from the
// same pairs are not trained again, and with Options.Like only its method is. The error is the first kernel's if none
// works.
func firstOf(ctx context.Context, pairs dataset.Pairs, o Options) (first Operator, all []Operator, err error) {
	if all = o.known(pairs.Count(), kernels...); len(all) > 0 {
		return least(all), all, nil
	}
	able := slices.DeleteFunc(kernelsFor(pairs, o.Symmetry), func(m Method) bool {
		return o.Like != nil && !m.learned(o.Like)
	})
	first, err = bestOf(o, able, func(m Method) (Operator, error) {
		k, err := m.Train(ctx, pairs, o)
		if err == nil {
			all = append(all, k)
		}
		return k, err
	})
	return first, all, err
}

// learned reports whether this method has learned an operator.
func (m Method) learned(o Operator) bool { return m.Name == o.Name() }

// known returns the known operators of some methods that have learned from all pairs, in the units of the training.
func (o Options) known(pairs int, methods ...Method) (all []Operator) {
	for _, k := range o.Known {
		k, ok := o.units.within(k)
		if ok && residualsOf(k).Count == pairs && slices.ContainsFunc(methods, func(m Method) bool { return m.learned(k) }) {
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
	if s, scaled := o.(*scaled); scaled && k.residuals().Count > 0 {
		return affinely(k.residuals(), func(c int) (float64, float64) { return 0, s.Output[c] })
	}
	return k.residuals()
}

// LeftOutErrors returns the relative leave-one-out error of each training output, and that of the mean of all outputs in
// its place; nil if they are not known, as of models that were read from files.
func LeftOutErrors(o Operator, outputs grid.Batch) (errors, ofMean []float64) {
	left := residualsOf(o)
	if left.Count != outputs.Count {
		return nil, nil
	}
	sizes := norms(outputs)
	errors = norms(left)
	ofMean = norms(outputs.Plus(-1, outputs.Mean()))
	for i, size := range sizes {
		errors[i] /= size
		ofMean[i] /= size
	}
	return errors, ofMean
}

func (s *Sheared) residuals() grid.Batch { return s.left }

// gain is the part of a leave-one-out error to which a transform, a layer or a correction must lower it.
const gain = 0.98

// unimproved returns the error of a method that gains too little; the sentence has the error of the kernel.
func unimproved(kernel Operator, sentence string) error {
	return &fault.Data{Where: "training pairs", What: fmt.Sprintf(sentence, kernel.LeaveOneOut()),
		Do: "choose train.method=" + kernel.Name()}
}

// Beneath returns the operator that o corrects or transforms; nil if there is none.
func Beneath(o Operator) Operator {
	switch o := core(o).(type) {
	case *Corrected:
		return o.First
	case *Layered:
		return o.First
	case *Stacked:
		return o.First
	case *Sheared:
		return o.Operator
	}
	return nil
}
