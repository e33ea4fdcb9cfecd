package method

import (
	"errors"
	"testing"

	"rfm/config"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// symmetries returns the words of data.symmetry that name motions of a domain.
func symmetries(d grid.Domain) []string {
	switch {
	case d.Periodic:
		return []string{config.Translations, config.Reflection, config.OddReflection}
	case d.Square():
		return []string{config.Reflection, config.WholeSquare}
	}
	return []string{config.Reflection}
}

// Every method that can have a symmetry commutes with its motions, to rounding, for any pairs.
func TestEveryMethodCommutesWithTheSymmetryThatIsAskedFor(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range []grid.Domain{grid.Torus, grid.Torus2, grid.Interval, {Dims: 2, Cells: true},
		{Dims: 2, Aspect: grid.Aspect{First: 2, Second: 3}}} {
		points := 7
		pairs := methodtest.Symmetric(domain, points, 14, 0.3)
		if domain.Periodic {
			for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
				for i := range b.Count {
					domain.Wrap(b.At(i))
				}
			}
		}
		train, test := pairs.Range(0, 12), pairs.Range(12, 2)
		for _, symmetry := range symmetries(domain) {
			motions := domain.Reflections(symmetry == config.OddReflection)
			if symmetry == config.WholeSquare {
				motions = domain.Motions()
			}
			if symmetry == config.Translations {
				motions = nil
			}
			options := operator.Options{Workers: 2, Symmetry: symmetry}
			for _, m := range All(domain, domain, symmetry) {
				train := train
				if m.Name == config.Layers { // fewer rows of points
					train = train.Range(0, 6)
				}
				o, err := m.Train(t.Context(), train, options)
				var none *fault.Data
				if (m.Name == config.Corrected || m.Name == config.Sheared || m.Name == config.Layers) && errors.As(err, &none) {
					continue // these few pairs permit no correction, and no shear
				}
				if err != nil {
					t.Fatalf("%s, %s, %s: %v", domain.Name(), symmetry, m.Name, err)
				}
				options.Known = append(options.Known, o)
				u := methodtest.Predict(t, o, test.Inputs)
				for _, g := range motions {
					methodtest.ExpectNear(t, domain.Name()+", "+symmetry+", "+m.Name, methodtest.Predict(t, o, test.Inputs.Moved(g)), u.Moved(g))
				}
				if domain.Periodic {
					methodtest.ExpectNear(t, domain.Name()+", "+symmetry+", "+m.Name, methodtest.Predict(t, o, methodtest.Shift(test.Inputs)), methodtest.Shift(u))
				}
			}
		}
	}
}
