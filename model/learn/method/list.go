package method

import (
	"slices"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
)

// methods are the methods that need only pairs on one grid. Random is the other method.
var methods = []Method{meanMethod, linearMethod, kernelMethod, equivariantMethod, shearedMethod, layersMethod,
	newCorrectedMethod(starts, layersMethod), neuralMethod}

// starts are the methods with which layers and corrections begin.
var starts = Starts{kernelMethod, equivariantMethod, shearedMethod}

// layersMethod begins with them, and completes layers by sums with linear operators and kernels.
var layersMethod = newLayersMethod(starts, []Method{linearMethod, kernelMethod, equivariantMethod})

// All lists the methods that learn operators between functions on two domains, which differ in their channels, with a
// given symmetry, a word of data.symmetry.
func All(in, out grid.Domain, symmetry string) []Method {
	return slices.DeleteFunc(slices.Clone(methods), func(m Method) bool { return !m.Suits(in, out, symmetry) })
}

// Compared lists the methods that a comparison trains besides random features: All, or only reference methods if the
// configuration asks for random features on data of a known equation. Neural operators take minutes, so that they are
// among them only if the configuration gives them time.
func Compared(c config.Config, in, out grid.Domain) []Method {
	all := All(in, out, c.Data.Symmetry)
	if c.NetworkSeconds() == 0 {
		all = slices.DeleteFunc(all, func(m Method) bool { return m.Name == config.NeuralOperator })
	}
	if !c.Of().Files && c.Train.Method == config.RandomFeatures {
		all = slices.DeleteFunc(all, func(m Method) bool { return !m.Reference })
	}
	return all
}

// Estimated reports whether the leave-one-out error of an operator is an estimate, for two reasons: leaving a pair out
// would change the predictions for other pairs with which corrections begin, and the mean over a group has other errors
// than its terms. All other leave-one-out errors equal those of retraining.
func Estimated(o Operator) bool {
	switch Unscaled(o).(type) {
	case *Corrected, *Layered, *Stacked, *symmetrised:
		return true
	}
	return false
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

// Found returns the word of data.symmetry for the symmetry that the leave-one-out error chose for an operator, or the
// empty string if it chose none or was not asked.
func Found(o Operator) string {
	found, ok := Unscaled(o).(interface{ Found() string })
	if !ok {
		return ""
	}
	return found.Found()
}

// Named returns the method with a name of configurations, with some features if it needs features; ok is false if no
// method has the name.
func Named(name string, features Random) (m Method, ok bool) {
	all := append([]Method{features.Method()}, methods...)
	i := slices.IndexFunc(all, func(m Method) bool { return m.Name == name })
	if i < 0 {
		return Method{}, false
	}
	return all[i], true
}

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
