package method

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/kernel"
	"rfm/model/learn/linear"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/translate"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
)

func TestWorkersDoNotChangeTraining(t *testing.T) {
	pairs, others := methodtest.Burgers(t, draw.InputTrain, 48, 33), methodtest.Burgers(t, draw.InputTest, 100, 33)
	for _, m := range []operator.Method{kernel.Method, linear.Method} {
		one := methodtest.Must(m.Train(t.Context(), pairs, operator.Options{Workers: 1}))
		three := methodtest.Must(m.Train(t.Context(), pairs, operator.Options{Workers: 3}))
		if !slices.Equal(methodtest.Predict(t, one, others.Inputs).Data, methodtest.Predict(t, three, others.Inputs).Data) {
			t.Errorf("%s: three workers learn another operator", m.Name)
		}
	}
}

func TestUnusablePairsAreNamed(t *testing.T) {
	identity := func(dst, a []float64) { copy(dst, a) }
	same := methodtest.Smooth(8, 17, identity)
	for i := range same.Count() {
		copy(same.Inputs.At(i), same.Inputs.At(0))
	}
	zero := methodtest.Smooth(8, 17, func(dst, _ []float64) { clear(dst) })
	broken := methodtest.Smooth(8, 17, identity)
	broken.Inputs.Data[3] = math.NaN()
	for name, pairs := range map[string]dataset.Pairs{"too few": methodtest.Smooth(2, 17, identity), "same inputs": same,
		"zero outputs": zero, "NaN": broken} {
		for kind, fit := range map[string]func() error{
			"linear": func() error {
				_, err := linear.Method.Fit(t.Context(), pairs, operator.Options{Workers: 1})
				return err
			},
			"kernel": func() error {
				_, err := kernel.Method.Fit(t.Context(), pairs, operator.Options{Workers: 1})
				return err
			},
		} {
			var data *fault.Data
			if err := fit(); !errors.As(err, &data) {
				t.Errorf("%s, %s: error %v, want *fault.Data", kind, name, err)
			}
		}
	}
}

func TestCancellationEndsTraining(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	pairs := methodtest.Smooth(12, 17, func(dst, a []float64) { copy(dst, a) })
	if _, err := kernel.Method.Fit(ctx, pairs, operator.Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("kernel: %v", err)
	}
	if _, err := linear.Method.Fit(ctx, pairs, operator.Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("linear: %v", err)
	}
}

// With one worker everything runs on the goroutine that trains and predicts, whatever the number of processors: users
// who ask for one worker share the machine with others.
func TestOneWorkerIsOneThread(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	var most atomic.Int64
	done := make(chan struct{})
	go func() { // watches the others
		defer close(done)
		for most.Load() >= 0 {
			now := int64(runtime.NumGoroutine())
			if seen := most.Load(); now > seen {
				most.CompareAndSwap(seen, now)
			}
			time.Sleep(200 * time.Microsecond)
		}
	}()
	pairs := methodtest.Burgers(t, draw.InputTrain, 70, 129)
	for _, m := range methods {
		if testing.Short() && !m.Reference {
			continue // it takes many seconds
		}
		before := int64(runtime.NumGoroutine())
		most.Store(0)
		o, err := m.Train(t.Context(), pairs, operator.Options{Workers: 1, Seed: 1})
		if fault.BlamesInput(err) {
			continue
		}
		if err == nil {
			_, err = o.Predict(t.Context(), pairs.Inputs, 1, nil)
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		if found := most.Load(); found > before {
			t.Errorf("%s: %d goroutines, %d before", m.Name, found, before)
		}
	}
	most.Store(-1)
	<-done
}

// Where layers and corrections gain nothing, they advise the kernel with which they began.
func TestKernelThatIsNotImprovedIsAdvised(t *testing.T) {
	pairs := methodtest.BurgersFronts(40, 8, 0.1, 3)
	pairs.Outputs = pairs.Inputs
	o := operator.Options{Workers: 2}
	for _, first := range []operator.Method{kernel.Method, translate.Method} {
		k := methodtest.Must(first.Train(t.Context(), pairs, o))
		o.Known = []operator.Operator{k}
		for _, m := range []operator.Method{called(config.Corrected), layersMethod} {
			if _, err := m.Train(t.Context(), pairs, o); err == nil || !strings.HasSuffix(err.Error(),
				"choose train.method="+first.Name) {
				t.Errorf("%s: %v, want the advice %s", m.Name, err, first.Name)
			}
		}
	}
}

// called returns the method with a name.
func called(name string) operator.Method {
	m, ok := Named(name, random.Random{})
	if !ok {
		panic("no method " + name)
	}
	return m
}
