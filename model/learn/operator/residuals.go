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
	if s, scaled := o.(*Scaled); scaled && k.Residuals().Count > 0 {
		return affinely(k.Residuals(), func(c int) (float64, float64) { return 0, s.Output[c] })
	}
	return k.Residuals()
}

// LeftOutErrors returns the relative leave-one-out error of each training output, and that of the mean of all outputs in
// its place; nil if they are not known, as of models that were read from files.
func LeftOutErrors(o Operator, outputs grid.Batch) (errors, ofMean []float64) {
	left := ResidualsOf(o)
	if left.Count != outputs.Count {
		return nil, nil
	}
	sizes := Norms(outputs)
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
	for _, k := range o.Known {
		k, ok := o.Units.within(k)
		if ok && ResidualsOf(k).Count == pairs && slices.ContainsFunc(methods, func(m Method) bool { return m.Learned(k) }) {
			all = append(all, k)
		}
	}
	return all
}

// Learned reports whether this method has learned an operator.
func (m Method) Learned(o Operator) bool { return m.Name == o.Name() }
