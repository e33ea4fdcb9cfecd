package method

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
)

// memory holds the arrays of a model file that was not written.
type memory []npy.Named

func (m memory) Has(name string) bool {
	return slices.ContainsFunc(m, func(a npy.Named) bool { return a.Name == name })
}

func (m memory) Array(name string) (npy.Array, error) {
	i := slices.IndexFunc(m, func(a npy.Named) bool { return a.Name == name })
	if i < 0 {
		return npy.Array{}, fmt.Errorf("no %s", name)
	}
	return m[i].Array, nil
}

// reread returns an operator after writing and reading it.
func reread(t *testing.T, o Operator) Operator {
	t.Helper()
	text, arrays, err := Kinds().Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(text, memory(arrays))
	if err != nil {
		t.Fatalf("%s is not read: %v", text, err)
	}
	return read
}

// positive returns pairs that are easier to learn from logarithms of inputs, or not.
func positive(t *testing.T, count int, logarithm bool) dataset.Pairs {
	t.Helper()
	pairs := smooth(count, 17, func(dst, a []float64) {
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
		m, _ := Random{}.Named(name)
		pairs := positive(t, 40, true)
		o, err := m.Train(t.Context(), pairs.Range(0, 32), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if e := relative(t, o, pairs.Range(32, 8)); e > limit {
			t.Errorf("%s: error %g, want < %g", name, e, limit)
		}
		read, inputs := reread(t, o), pairs.Inputs.Range(32, 8)
		expectNear(t, name+" read", predict(t, read, inputs), predict(t, o, inputs))
		inputs.Data[20] = 0
		if _, err := o.Predict(t.Context(), inputs, 1, nil); err == nil ||
			!strings.Contains(err.Error(), "input 1: has the value 0") {
			t.Errorf("%s of zero: %v", name, err)
		}
		pairs = positive(t, 32, false)
		if o, err = m.Train(t.Context(), pairs, Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		if s, ok := o.(*scaled); ok && s.Log {
			t.Errorf("%s takes logarithms of nearly constant functions", name)
		}
	}
}
