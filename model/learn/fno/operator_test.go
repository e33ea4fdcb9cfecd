package fno

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/linear"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/space/grid"
)

// smallNetwork trains within a second.
var smallNetwork = operator.Network{Width: 16, Modes: 8, Layers: 3, Seconds: 1}

// A network learns a law that combines a pointwise map with a shift, and its error on a fifth of the pairs that it has not
// seen is about that on new inputs.
func TestNeuralOperatorLearns(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs := methodtest.BurgersFronts(120, 32, 0.3, 1)
	for i := range pairs.Count() {
		a, u := pairs.Inputs.At(i), pairs.Outputs.At(i)
		for x := range u {
			u[x] = math.Sin(4*a[x]) + a[(x+8)%(len(a)-1)]
		}
	}
	train, test := pairs.Range(0, 100), pairs.Range(100, 20)
	o := operator.Options{Workers: 2, Seed: 1, Network: smallNetwork}
	o.Network.Compared = true
	learned := methodtest.Must(Method.Train(t.Context(), train, o))
	linear := methodtest.Must(linear.Method.Train(t.Context(), train, o))
	after, before := methodtest.Relative(t, learned, test), methodtest.Relative(t, linear, test)
	if !(after < 0.3*before) {
		t.Errorf("%v: error %g, that of a linear map %g", learned, after, before)
	}
	if ratio := learned.LeaveOneOut() / after; !(ratio > 0.5 && ratio < 3) {
		t.Errorf("the error on held-out pairs is %g, on new ones %g", learned.LeaveOneOut(), after)
	}
}

// With a symmetry of translations, the network does not see the place.
func TestNeuralOperatorCommutesWithTranslations(t *testing.T) {
	pairs := methodtest.BurgersFronts(20, 32, 0.3, 1)
	o := operator.Options{Workers: 2, Seed: 1, Network: smallNetwork, Symmetry: config.Translations}
	o.Network.Seconds = 0.1
	learned := methodtest.Must(Method.Train(t.Context(), pairs, o))
	u := methodtest.Predict(t, learned, pairs.Inputs)
	moved := methodtest.Predict(t, learned, methodtest.Shift(pairs.Inputs))
	want := methodtest.Shift(u)
	for i, v := range moved.Data {
		if math.Abs(v-want.Data[i]) > 1e-4 {
			t.Fatalf("value %d is %g, want %g", i, v, want.Data[i])
		}
	}
}

func TestNeuralOperatorDoesNotDependOnWorkers(t *testing.T) {
	pairs := methodtest.BurgersFronts(30, 24, 0.3, 1)
	o := operator.Options{Seed: 1, Network: smallNetwork}
	o.Network.Seconds = 0.05
	var first grid.Batch
	for workers := 1; workers <= 3; workers++ {
		o.Workers = workers
		u := methodtest.Predict(t, methodtest.Must(Method.Train(t.Context(), pairs, o)), pairs.Inputs)
		if workers == 1 {
			first = u
		}
		for i, v := range u.Data {
			if v != first.Data[i] {
				t.Fatalf("%d workers: value %d is %g, not %g", workers, i, v, first.Data[i])
			}
		}
	}
}

func TestNeuralOperatorEndsWithItsContext(t *testing.T) {
	pairs := methodtest.BurgersFronts(30, 64, 0.3, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := Method.Train(ctx, pairs, operator.Options{Workers: 2, Seed: 1, Network: operator.Network{Width: 32, Modes: 16, Layers: 4, Seconds: 600}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("it took %v to end", took)
	}
}
