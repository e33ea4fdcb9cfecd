package method

import (
	"math"
	"strings"
	"testing"

	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
)

// positive returns pairs that are easier to learn from logarithms of inputs, or not.
func positive(t *testing.T, count int, logarithm bool) dataset.Pairs {
	t.Helper()
	pairs := methodtest.Smooth(count, 17, func(dst, a []float64) {
		for x, v := range a {
			dst[x] = v + 0.1*a[len(a)-1-x]
		}
	})
	for x, v := range pairs.Inputs.Data {
		if pairs.Inputs.Data[x] = v + 20; logarithm {
			pairs.Inputs.Data[x] = math.Exp(v)
		}
	}
	return pairs
}

// Methods learn from logarithms of positive inputs if these have the smaller leave-one-out error, and models report it.
func TestLogarithmsAreTaken(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for name, limit := range map[string]float64{"linear": 1e-5, "kernel": 1e-3} {
		m, _ := Named(name, random.Random{})
		pairs := positive(t, 40, true)
		o, err := m.Train(t.Context(), pairs.Range(0, 32), operator.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if e := methodtest.Relative(t, o, pairs.Range(32, 8)); e > limit {
			t.Errorf("%s: error %g, want < %g", name, e, limit)
		}
		read, inputs := methodtest.Reread(t, o, Kinds()), pairs.Inputs.Range(32, 8)
		methodtest.ExpectNear(t, name+" read", methodtest.Predict(t, read, inputs), methodtest.Predict(t, o, inputs))
		inputs.Data[20] = 0
		if _, err := o.Predict(t.Context(), inputs, 1, nil); err == nil ||
			!strings.Contains(err.Error(), "input 1 has the value 0") {
			t.Errorf("%s of zero: %v", name, err)
		}
		pairs = positive(t, 32, false)
		if o, err = m.Train(t.Context(), pairs, operator.Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		if s, ok := o.(*operator.Scaled); ok && s.Log {
			t.Errorf("%s takes logarithms of nearly constant functions", name)
		}
	}
}
