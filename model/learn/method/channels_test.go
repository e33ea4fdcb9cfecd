package method

import (
	"errors"
	"math"
	"testing"

	"rfm/config"
	"rfm/model/learn/kernel"
	"rfm/model/learn/linear"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/score"
	"rfm/model/learn/shear"
	"rfm/model/learn/translate"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
)

func TestUnitsOfChannelsDoNotMatter(t *testing.T) {
	const K = 17
	pairs := methodtest.Shifted(50, K)
	units := operator.Scaling{Shift: []float64{-3, -3}, Input: []float64{1e-6, 1}, Output: []float64{1e4, 1.0 / 7}}
	other := units.Apply(pairs)
	for _, m := range []operator.Method{linear.Method, kernel.Method} {
		var errors []float64
		for _, p := range []dataset.Pairs{pairs, other} {
			o := methodtest.Must(m.Train(t.Context(), p.Range(0, 40), operator.Options{Workers: 1}))
			u := methodtest.Must(o.Predict(t.Context(), p.Inputs.Range(40, 10), 1, nil))
			e := methodtest.Must(score.Measure(u, p.Outputs.Range(40, 10)))
			errors = append(errors, e.ExpectedRelative)
		}
		if math.Abs(errors[0]-errors[1]) > 1e-6*errors[0]+1e-9 {
			t.Errorf("%s: errors %v", m.Name, errors)
		}
	}
}

func TestMethodsRefuseChannelsTheyCannotLearn(t *testing.T) {
	pairs := methodtest.Shifted(10, 9)
	var data *fault.Data
	for _, m := range []operator.Method{translate.Method, shear.Method} {
		if _, err := m.Train(t.Context(), pairs, operator.Options{Workers: 1}); !errors.As(err, &data) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if len(All(pairs.Inputs.Domain, pairs.Outputs.Domain, "")) != len(methods)-2 {
		t.Error("a method is offered that cannot learn channels, or one is missing")
	}
	// Layers begin with a kernel, and no kernel of several channels commutes with translations.
	for _, m := range All(pairs.Inputs.Domain, pairs.Outputs.Domain, config.Translations) {
		if _, err := m.Train(t.Context(), pairs, operator.Options{Workers: 1, Symmetry: config.Translations}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
