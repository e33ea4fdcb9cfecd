package operator

import (
	"slices"

	"rfm/solver/space/grid"
)

// ResidualsOf returns the leave-one-out residuals of the training outputs, in the units of the data; none if they are
// not known.
func ResidualsOf(o Operator) grid.Batch {
	k, ok := Unscaled(o).(interface{ Residuals() grid.Batch })
	if !ok {
		return grid.Batch{}
	}
	residuals := k.Residuals()
	s, scaled := o.(*Scaled)
	if !scaled || residuals.Count == 0 {
		return residuals
	}
	return s.inUnitsOfData(residuals)
}

// LeftOutErrors returns the relative leave-one-out error of each training output, and that of the mean of all outputs in
// its place; nil if they are not known, as of models that were read from files.
func LeftOutErrors(o Operator, outputs grid.Batch) (errors, ofMean []float64) {
	left := ResidualsOf(o)
	if left.Count != outputs.Count {
		return nil, nil
	}
	sizes := Sizes(outputs)
	errors = Norms(left)
	ofMean = Norms(outputs.Plus(-1, outputs.Mean()))
	for i, size := range sizes {
		errors[i] /= size
		ofMean[i] /= size
	}
	return errors, ofMean
}

// KnownBy returns the known operators of some methods that have learned from all pairs, in the units of the training.
func (o Options) KnownBy(pairs int, methods ...Method) (all []Operator) {
	for _, known := range o.Known {
		k, ok := o.Units.within(known)
		if !ok || ResidualsOf(k).Count != pairs {
			continue
		}
		learned := func(m Method) bool { return m.Learned(k) }
		if slices.ContainsFunc(methods, learned) {
			all = append(all, k)
		}
	}
	return all
}

// Learned reports whether this method has learned an operator.
func (m Method) Learned(o Operator) bool { return m.Name == o.Name() }
