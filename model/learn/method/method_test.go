package method

import (
	"context"
	"errors"
	"math"
	"math/cmplx"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

const (
	// rounding is the error of sums of a few hundred terms of order one.
	rounding = 1e-12
	// ridged is the effect of a relative ridge of 1e-12 at coefficients 1e-3 times the largest.
	ridged = 1e-5
	// conditioned is the effect of rounding errors on a kernel matrix of condition 1e8.
	conditioned = 1e-7
)

// burgers returns pairs of the paper's Burgers operator on K points.
func burgers(t *testing.T, purpose draw.Purpose, count, K int) dataset.Pairs {
	t.Helper()
	p := equation.Problem{Equation: config.Reference().Equation, Input: config.Reference().Input, Points: 129, Seed: 7}
	p.Tolerance = 1e-6
	pairs := must(dataset.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: purpose, Count: count, Points: K}, 2,
		nil))
	return pairs
}

// smooth returns periodic inputs, with an operator applied to them.
func smooth(count, K int, operator func(dst, a []float64)) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, count), Outputs: grid.NewBatch(grid.Torus, K, count)}
	grf.Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}.On(K).Draw(pairs.Inputs, 3, draw.InputTrain, 0)
	for i := range count {
		operator(pairs.Outputs.At(i), pairs.Inputs.At(i))
	}
	return pairs
}

func predict(t *testing.T, b predictor, inputs grid.Batch) grid.Batch {
	t.Helper()
	return must(b.Predict(t.Context(), inputs, 2, nil))
}

func relative(t *testing.T, b predictor, pairs dataset.Pairs) float64 {
	t.Helper()
	e := must(rfm.Measure(predict(t, b, pairs.Inputs), pairs.Outputs))
	return e.ExpectedRelative
}

func TestLinearRecoversAMultiplier(t *testing.T) {
	shift := func(dst, a []float64) { // a translation: exact on the grid, complex multipliers
		N := len(a) - 1
		for x := range dst {
			dst[x] = 0.7 * a[(x+5)%N]
		}
	}
	pairs := smooth(60, 33, shift)
	l := must(linearBest(t.Context(), pairs.Range(0, 40), Options{Workers: 2}))
	_, multiplier := l.(*Multiplier)
	if e := relative(t, l, pairs.Range(40, 20)); !multiplier || e > ridged {
		t.Errorf("multiplier: %v, error on new functions %g, want < %g", multiplier, e, ridged)
	}
}

// leftOut returns the mean relative error of predictions of each output by a fit without its pair.
func leftOut(t *testing.T, pairs dataset.Pairs, fit func(rest dataset.Pairs) predictor) float64 {
	t.Helper()
	total, n := 0.0, pairs.Count()
	for _, group := range ridge.Labelled(pairs.Groups, n) {
		total += float64(len(group)) * relative(t, fit(pairs.Take(ridge.Others(group, n))), pairs.Take(group))
	}
	return total / float64(n)
}

// inThrees returns groups of three pairs, one of two, and a single pair.
func inThrees(pairs dataset.Pairs) dataset.Pairs {
	for i := range pairs.Count() {
		pairs.Groups = append(pairs.Groups, i*7%pairs.Count()/3)
	}
	pairs.Groups[0], pairs.Groups[1] = -1, -2
	return pairs
}

func TestMultiplierLeaveOneOutIsRetraining(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, pairs := range []dataset.Pairs{burgers(t, draw.InputTrain, 24, 33),
		inThrees(burgers(t, draw.InputTrain, 24, 33))} {
		l := must(fitMultiplier(t.Context(), pairs, norms(pairs.Outputs), Options{Workers: 1}))
		brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor {
			return multiplierByDefinition(rest, l.Ridge*largestEnergy(pairs))
		})
		if math.Abs(brute-l.Error) > 1e-9*brute {
			t.Errorf("leave-one-out %.12g, by retraining %.12g", l.Error, brute)
		}
	}
}

// A real multiplier is the complex one on all pairs and their reflections.
func TestRealMultiplierLeavesOutBothImages(t *testing.T) {
	pairs := symmetric(grid.Torus, 9, 8, 0.2)
	for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		for i := range b.Count {
			grid.Torus.Wrap(b.At(i))
		}
	}
	o := Options{Workers: 1, Symmetry: config.Reflection}
	m := must(fitMultiplier(t.Context(), pairs, norms(pairs.Outputs), o))
	flip := grid.Torus.Reflections(false)[1]
	brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor {
		both := rest.Take(append(ridge.Others(nil, 7), ridge.Others(nil, 7)...))
		copy(both.Inputs.Data[len(rest.Inputs.Data):], rest.Inputs.Moved(flip).Data)
		copy(both.Outputs.Data[len(rest.Outputs.Data):], rest.Outputs.Moved(flip).Data)
		return multiplierByDefinition(both, 2*m.Ridge*largestEnergy(pairs))
	})
	if math.Abs(brute-m.Error) > conditioned*brute {
		t.Errorf("leave-one-out %.12g, by retraining %.12g", m.Error, brute)
	}
}

// largestEnergy returns the largest sum of squares of a Fourier coefficient of the inputs.
func largestEnergy(pairs dataset.Pairs) (largest float64) {
	w := newWaves(pairs.Inputs.Domain, pairs.Inputs.Points)
	for _, p := range w.positive() {
		sum := 0.0
		for _, a := range normalised(w, pairs.Inputs) {
			sum += square(complex(a[2*p], a[2*p+1]))
		}
		largest = max(largest, sum)
	}
	return largest
}

// multiplierByDefinition returns the multiplier that a ridge regression of each Fourier coefficient gives.
func multiplierByDefinition(pairs dataset.Pairs, ridge float64) *Multiplier {
	var factors []float64
	w := newWaves(pairs.Inputs.Domain, pairs.Inputs.Points)
	inputs, outputs := normalised(w, pairs.Inputs), normalised(w, pairs.Outputs)
	for _, p := range w.positive() {
		top, bottom := complex128(0), ridge
		for i := range inputs {
			a, u := complex(inputs[i][2*p], inputs[i][2*p+1]), complex(outputs[i][2*p], outputs[i][2*p+1])
			top += cmplx.Conj(a) * u
			bottom += square(a)
		}
		c := top / complex(bottom, 0)
		factors = append(factors, real(c), imag(c))
	}
	return &Multiplier{placeOf(pairs), 0, factors}
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// direct is an operator given by a formula.
type direct func(dst, a []float64)

// predictor is an operator, or a substitute for one.
type predictor interface {
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

func (d direct) Predict(_ context.Context, inputs grid.Batch, _ int, _ func(int)) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	for i := range inputs.Count {
		d(outputs.At(i), inputs.At(i))
	}
	return outputs, nil
}

func TestComponentsAreThoseOfTheCovariance(t *testing.T) {
	pairs := burgers(t, draw.InputTrain, 50, 33)
	p := must(newPrincipal(t.Context(), pairs.Outputs, 2))
	covariance := mat.NewSymDense(33, nil)
	modes.Centred(pairs.Outputs, p.mean, p.root, func(_ int, centred []float64) {
		covariance.SymRankOne(covariance, 1./50, mat.NewVecDense(33, centred))
	})
	var eigen mat.EigenSym
	if !eigen.Factorize(covariance, false) {
		t.Fatal("no eigenvalues")
	}
	values := eigen.Values(nil)
	for k, v := range p.variances {
		if want := values[len(values)-1-k]; math.Abs(v-want) > rounding*values[len(values)-1] {
			t.Errorf("variance %d is %g, want %g", k, v, want)
		}
	}
	var orthogonal mat.Dense
	orthogonal.Mul(p.modes.T(), p.modes)
	for i := range p.variances {
		for j := range p.variances {
			want := 0.0
			if i == j {
				want = 1
			}
			if math.Abs(orthogonal.At(i, j)-want) > rounding {
				t.Fatalf("components %d and %d have the product %g", i, j, orthogonal.At(i, j))
			}
		}
	}
}

func TestWorkersDoNotChangeTraining(t *testing.T) {
	pairs, others := burgers(t, draw.InputTrain, 48, 33), burgers(t, draw.InputTest, 100, 33)
	for _, m := range []Method{kernelMethod, linearMethod} {
		one := must(m.Train(t.Context(), pairs, Options{Workers: 1}))
		three := must(m.Train(t.Context(), pairs, Options{Workers: 3}))
		if !slices.Equal(predict(t, one, others.Inputs).Data, predict(t, three, others.Inputs).Data) {
			t.Errorf("%s: three workers learn another operator", m.Name)
		}
	}
}

func TestUnusablePairsAreNamed(t *testing.T) {
	identity := func(dst, a []float64) { copy(dst, a) }
	same := smooth(8, 17, identity)
	for i := range same.Count() {
		copy(same.Inputs.At(i), same.Inputs.At(0))
	}
	zero := smooth(8, 17, func(dst, _ []float64) { clear(dst) })
	broken := smooth(8, 17, identity)
	broken.Inputs.Data[3] = math.NaN()
	for name, pairs := range map[string]dataset.Pairs{"too few": smooth(2, 17, identity), "same inputs": same,
		"zero outputs": zero, "NaN": broken} {
		for kind, fit := range map[string]func() error{
			"linear": func() error { _, err := linearBest(t.Context(), pairs, Options{Workers: 1}); return err },
			"kernel": func() error { _, err := kernelRidge(t.Context(), pairs, Options{Workers: 1}); return err },
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
	pairs := smooth(12, 17, func(dst, a []float64) { copy(dst, a) })
	if _, err := kernelRidge(ctx, pairs, Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("kernel: %v", err)
	}
	if _, err := linearBest(ctx, pairs, Options{Workers: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("linear: %v", err)
	}
}

// withOffset returns the pairs with a constant added to the outputs.
func withOffset(pairs dataset.Pairs, offset float64) dataset.Pairs {
	outputs := pairs.Outputs.Like(pairs.Count())
	for i, u := range pairs.Outputs.Data {
		outputs.Data[i] = u + offset
	}
	return pairs.With(outputs)
}

// Leave-one-out errors equal those of retraining with the same ridge, including the means of inputs and outputs.
func TestLeaveOneOutIsRetrainingWhateverTheOutputsHaveInCommon(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	all := burgers(t, draw.InputTrain, 40, 33)
	weights := grid.Torus.Weights(33)
	for _, n := range []int{6, 15, 40} {
		for _, offset := range []float64{0, 1, 100} {
			pairs := withOffset(all.Range(0, n), offset)
			if offset == 1 {
				pairs = inThrees(pairs)
			}
			sizes := norms(pairs.Outputs)
			l := must(affine(t.Context(), pairs, sizes, 2))
			inputs := must(newPrincipal(t.Context(), pairs.Inputs, 2))
			ridge := float64(n) * l.Ridge * inputs.variances[0]
			brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor { return affineByDefinition(t, rest, weights, ridge) })
			if math.Abs(brute-l.Error) > 1e-6*brute {
				t.Errorf("affine, n=%d, offset %g: leave-one-out %.12g, by retraining %.12g", n, offset, l.Error, brute)
			}
		}
	}
}

// affineByDefinition returns ridge regression with a free constant function, in its n x n form.
func affineByDefinition(t *testing.T, pairs dataset.Pairs, weights []float64, ridge float64) predictor {
	n := pairs.Count()
	a, u := pairs.Inputs.Mean(), pairs.Outputs.Mean()
	inner := func(f, g []float64) (sum float64) {
		for x, w := range weights {
			sum += w * (f[x] - a[x]) * (g[x] - a[x])
		}
		return sum
	}
	system, centred := mat.NewDense(n, n, nil), mat.NewDense(n, len(u), nil)
	for i := range n {
		for j := range n {
			system.Set(i, j, inner(pairs.Inputs.At(i), pairs.Inputs.At(j)))
		}
		system.Set(i, i, system.At(i, i)+ridge)
		for x, v := range pairs.Outputs.At(i) {
			centred.Set(i, x, v-u[x])
		}
	}
	var c mat.Dense
	if err := c.Solve(system, centred); err != nil {
		var ill mat.Condition
		if !errors.As(err, &ill) {
			t.Fatal(err)
		}
	}
	return direct(func(dst, input []float64) {
		copy(dst, u)
		for i := range n {
			k := inner(pairs.Inputs.At(i), input)
			for x, v := range c.RawRowView(i) {
				dst[x] += k * v
			}
		}
	})
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// A candidate that fails numerically is dropped, but not in silence.
func TestFailedCandidatesAreTold(t *testing.T) {
	failure := &fault.Numerical{Where: "test", What: "fails"}
	unsuited := &fault.Data{Where: "test", What: "does not suit"}
	var told []error
	o := Options{Failed: func(err *fault.Numerical) { told = append(told, err) }}
	better, worse := &Affine{}, &Affine{}
	better.Error, worse.Error = 0.1, 0.2
	best, err := bestOf(o, []int{0, 1, 2, 3}, func(i int) (Operator, error) {
		return []Operator{nil, worse, nil, better}[i], []error{failure, nil, unsuited, nil}[i]
	})
	if err != nil || best != Operator(better) || len(told) != 1 || told[0] != error(failure) {
		t.Errorf("the best is %v, %v; told of %v, want %v", best, err, told, failure)
	}
	_, err = bestOf(o, []int{0}, func(int) (Operator, error) { return nil, unsuited })
	if err != error(unsuited) {
		t.Errorf("the only candidate fails with %v, want %v", err, unsuited)
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
	pairs := burgers(t, draw.InputTrain, 70, 129)
	for _, m := range methods {
		if testing.Short() && !m.Reference {
			continue // it takes many seconds
		}
		before := int64(runtime.NumGoroutine())
		most.Store(0)
		o, err := m.Train(t.Context(), pairs, Options{Workers: 1, Seed: 1})
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
