package method

import (
	"bytes"
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
	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// Every method learns the same bytes with any number of workers, and what it learns is read as it was written. It ends with
// its context. Each of them learns from some of these pairs.
func TestEveryMethodKeepsItsPromises(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	learned := map[string]bool{}
	pointwise := methodtest.Smooth(30, 17, func(dst, a []float64) {
		for x, v := range a {
			dst[x] = math.Sin(8 * v)
		}
	})
	for name, pairs := range map[string]dataset.Pairs{
		"a pointwise law on a circle": pointwise,
		"fronts on a circle":          methodtest.BurgersFronts(24, 16, 0.1, 3),
		"a local law on an interval":  methodtest.Closed(grid.Interval, 9, 30),
		"a local law on a square":     methodtest.Closed(grid.Square, 7, 16),
		"an even law on an interval":  methodtest.Closed(grid.Interval, 9, 24),
	} {
		o := operator.Options{
			Seed:     1,
			Symmetry: config.AutoSymmetry,
			Network:  operator.Network{Width: 8, Modes: 3, Layers: 2},
		}
		if strings.HasPrefix(name, "an even law") {
			o.Symmetry = config.EvenFold
		}
		for _, m := range All(pairs.Inputs.Domain, pairs.Outputs.Domain, o.Symmetry) {
			var texts [2][]byte
			for k := range texts {
				o.Workers = 1 + 2*k
				result, err := m.Try(t.Context(), pairs, o)
				if err != nil && !fault.BlamesInput(err) {
					t.Fatalf("%s, %s: %v", name, m.Name, err)
				}
				if result.Operator == nil {
					break
				}
				learned[m.Name] = true
				texts[k] = written(t, result.Operator)
				again := methodtest.Reread(t, result.Operator, Kinds())
				if !bytes.Equal(written(t, again), texts[k]) {
					t.Errorf("%s, %s: what is read is not what was written", name, m.Name)
				}
				u := methodtest.Predict(t, result.Operator, pairs.Inputs)
				if !slices.Equal(methodtest.Predict(t, again, pairs.Inputs).Data, u.Data) {
					t.Errorf("%s, %s: a model that was stored predicts something else", name, m.Name)
				}
			}
			if !bytes.Equal(texts[0], texts[1]) {
				t.Errorf("%s, %s: three workers learn another operator", name, m.Name)
			}
			ended, end := context.WithCancel(t.Context())
			end()
			_, err := m.Try(ended, pairs, o)
			if m.Name != config.Mean && !errors.Is(err, context.Canceled) { // the mean waits for nothing
				t.Errorf("%s, %s: error %v of a context that has ended", name, m.Name, err)
			}
		}
	}
	for _, m := range methods {
		if !learned[m.Name] {
			t.Errorf("%s learns from none of these pairs", m.Name)
		}
	}
}

// written returns the content of an operator in model files.
func written(t *testing.T, o operator.Operator) []byte {
	t.Helper()
	text, arrays, err := Kinds().Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	content := bytes.NewBuffer(text)
	for _, a := range arrays {
		content.WriteString(a.Name)
		if err := npy.Write(content, a.Array); err != nil {
			t.Fatal(err)
		}
	}
	return content.Bytes()
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
		var before, found int64
		for range 2 { // the runtime begins one of its own at times, but not twice
			before = int64(runtime.NumGoroutine())
			most.Store(0)
			o, err := m.Train(t.Context(), pairs, operator.Options{Workers: 1, Seed: 1})
			if fault.BlamesInput(err) {
				break
			}
			if err == nil {
				_, err = o.Predict(t.Context(), pairs.Inputs, 1, nil)
			}
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			found = most.Load()
			if found <= before {
				break
			}
		}
		if found > before {
			t.Errorf("%s: %d goroutines, %d before", m.Name, found, before)
		}
	}
	most.Store(-1)
	<-done
}

// Where layers and corrections gain nothing, they advise the kernel with which they began.
func TestKernelThatIsNotImprovedIsAdvised(t *testing.T) {
	detector.Skip(t, detector.Stored)
	pairs := methodtest.BurgersFronts(40, 8, 0.1, 3)
	for i := range pairs.Count() { // translated so far that no layer sees where from
		a := pairs.Inputs.At(i)
		period := len(a) - 1
		for x := range a {
			pairs.Outputs.At(i)[x] = a[(x+period/2)%period]
		}
	}
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
