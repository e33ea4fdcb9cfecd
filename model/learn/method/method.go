// Package method lists the methods of learning operators. A new method is a package beside this one that returns an
// operator.Method, and a line in methods; its operators have a line in Kinds.
//
//   - mean answers with the mean of the training outputs, which every other method has to beat.
//   - linear is the best linear operator, by ridge regression.
//   - kernel is kernel ridge regression on principal components or weighted frequencies, the usual baseline.
//   - translate is kernel ridge regression with a translation-equivariant kernel, on periodic domains.
//   - shear is the equivariant kernel on outputs whose fronts are flattened.
//   - fold has both learn functions between sides, which continue to periodic ones.
//   - correct is a kernel whose residual random features learn.
//   - local is random features of values near each point, with numbers as coefficients.
//   - fno is a Fourier neural operator, trained by descent.
//   - random is the random feature model, whose coefficients package rfm computes.
package method

import (
	"slices"

	"rfm/config"
	"rfm/model/learn/correct"
	"rfm/model/learn/feature"
	"rfm/model/learn/fidelity"
	"rfm/model/learn/fno"
	"rfm/model/learn/fold"
	"rfm/model/learn/kernel"
	"rfm/model/learn/linear"
	"rfm/model/learn/local"
	"rfm/model/learn/mean"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/shear"
	"rfm/model/learn/translate"
	"rfm/model/trained/codec"
	"rfm/solver/space/grid"
)

// methods are the methods that need only pairs on one grid. Random is the other method.
var methods = []operator.Method{
	mean.Method,
	linear.Method,
	kernel.Method,
	equivariant,
	sheared,
	layersMethod,
	correct.New(starts, layersMethod),
	fno.Method,
}

// Methods for periodic functions, which learn functions between sides, too.
var (
	equivariant = fold.Of(translate.Method)
	sheared     = fold.Of(shear.Method)
)

// starts are the methods with which layers and corrections begin. Between sides they do not begin with folded ones: on Allen-Cahn
// without flux layers on a sheared kernel have errors 1.6 times as large as those on a kernel, although the sheared one is better.
var starts = operator.Starts{kernel.Method, translate.Method, shear.Method}

// layersMethod begins with them, and completes layers by sums with linear operators and kernels.
var layersMethod = local.New(starts, []operator.Method{linear.Method, kernel.Method, translate.Method})

// All lists the methods that learn operators between functions on two domains, which differ in their channels, with a
// given symmetry, a word of data.symmetry.
func All(in, out grid.Domain, symmetry string) []operator.Method {
	unsuited := func(m operator.Method) bool { return !m.Suits(in, out, symmetry) }
	return slices.DeleteFunc(slices.Clone(methods), unsuited)
}

// ofNeighbours are the methods that learn from the values around each point.
var ofNeighbours = []string{config.Layers, config.Corrected, config.NeuralOperator}

// Compared lists the methods that a comparison trains besides random features: All, or only reference methods if the
// configuration asks for random features on data of a known equation. Neural operators take minutes, so that they are
// among them only if the configuration gives them time.
func Compared(c config.Config, in, out grid.Domain) []operator.Method {
	timed := c.NetworkSeconds() > 0
	constant := c.Data.NumbersAlone() || c.Data.ValuesAtPlaces() // no output varies from point to point
	asReference := !c.Of().Files && c.Train.Method == config.RandomFeatures
	return slices.DeleteFunc(All(in, out, c.Data.Symmetry), func(m operator.Method) bool {
		switch {
		case m.Name == config.NeuralOperator && !timed:
			return true
		case constant && slices.Contains(ofNeighbours, m.Name):
			return true
		}
		return asReference && !m.Reference
	})
}

// Estimated reports whether the leave-one-out error of an operator is an estimate, for two reasons: leaving a pair out
// would change the predictions for other pairs with which corrections begin, and the mean over a group has other errors
// than its terms. All other leave-one-out errors equal those of retraining.
func Estimated(o operator.Operator) bool {
	switch operator.Unscaled(o).(type) {
	case *correct.Corrected, *local.Layered, *local.Stacked, *operator.Symmetrised:
		return true
	}
	return false
}

// Beneath returns the operator that o corrects or transforms; nil if there is none.
func Beneath(o operator.Operator) operator.Operator {
	switch o := operator.Core(o).(type) {
	case *correct.Corrected:
		return o.First
	case *local.Layered:
		return o.First
	case *local.Stacked:
		return o.First
	case *shear.Sheared:
		return o.Operator
	case *fold.Folded:
		inner := Beneath(o.Operator)
		if inner == nil {
			return nil
		}
		return o.Of(inner)
	case *fold.Widened:
		inner := Beneath(o.Operator)
		if inner == nil {
			return nil
		}
		return o.Of(inner)
	case *fidelity.Staged:
		rest := Beneath(o.Rest)
		if rest == nil {
			return nil
		}
		simpler := *o
		simpler.Rest = rest
		return &simpler
	}
	return nil
}

// Found returns the word of data.symmetry for the symmetry that the leave-one-out error chose for an operator, or the
// empty string if it chose none or was not asked.
func Found(o operator.Operator) string {
	found, ok := operator.Unscaled(o).(interface{ Found() string })
	if !ok {
		return ""
	}
	return found.Found()
}

// Named returns the method with a name of configurations, with some features if it needs features; ok is false if no
// method has the name.
func Named(name string, features random.Random) (m operator.Method, ok bool) {
	for _, m := range withFeatures(features) {
		if m.Name == name {
			return m, true
		}
	}
	return operator.Method{}, false
}

// withFeatures lists all methods, random features first.
func withFeatures(features random.Random) []operator.Method {
	return append([]operator.Method{features.Method()}, methods...)
}

// Titled returns the name in configurations of the method with a title; empty if none has it.
func Titled(title string) string {
	for _, m := range withFeatures(random.Random{}) {
		if m.Title == title {
			return m.Name
		}
	}
	return ""
}

// Kinds returns the parts of model files: feature maps and operators.
func Kinds() codec.Kinds {
	return codec.Kinds{
		"spectral":            new(feature.Spectral),
		"predictor-corrector": new(feature.Collapsed),
		"features":            new(random.Features),
		"mean":                new(mean.Mean),
		"affine":              new(linear.Affine),
		"multiplier":          new(linear.Multiplier),
		"kernel":              new(kernel.KernelRidge),
		"equivariant":         new(translate.Equivariant),
		"sheared":             new(shear.Sheared),
		"folded":              new(fold.Folded),
		"widened":             new(fold.Widened),
		"layer":               new(local.Layered),
		"stacked":             new(local.Stacked),
		"pointwise":           new(local.Pointwise),
		"corrected":           new(correct.Corrected),
		"neural":              new(fno.Neural),
		"symmetric":           new(operator.Symmetrised),
		"scaled":              new(operator.Scaled),
		"staged":              new(fidelity.Staged),
	}
}

// Decode reads an operator from the JSON text and the arrays of a model file. The error is a *fault.Data.
func Decode(text []byte, arrays codec.Arrays) (operator.Operator, error) {
	v, err := Kinds().Decode(text, arrays)
	if err != nil {
		return nil, err
	}
	o, ok := v.(operator.Operator)
	if !ok {
		return nil, codec.Bad("has a feature map where an operator is expected")
	}
	return o, nil
}
