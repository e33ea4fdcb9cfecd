package linear

import (
	"errors"
	"math"
	"math/cmplx"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
	"rfm/solver/space/waves"
)

func TestLinearRecoversAMultiplier(t *testing.T) {
	shift := func(dst, a []float64) { // a translation: exact on the grid, complex multipliers
		N := len(a) - 1
		for x := range dst {
			dst[x] = 0.7 * a[(x+5)%N]
		}
	}
	pairs := methodtest.Smooth(60, 33, shift)
	l := methodtest.Must(linearBest(t.Context(), pairs.Range(0, 40), operator.Options{Workers: 2}))
	_, multiplier := l.(*Multiplier)
	if e := methodtest.Relative(t, l, pairs.Range(40, 20)); !multiplier || e > methodtest.Ridged {
		t.Errorf("multiplier: %v, error on new functions %g, want < %g", multiplier, e, methodtest.Ridged)
	}
}

func TestMultiplierLeaveOneOutIsRetraining(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, pairs := range []dataset.Pairs{methodtest.Burgers(t, draw.InputTrain, 24, 33),
		methodtest.InThrees(methodtest.Burgers(t, draw.InputTrain, 24, 33))} {
		l := methodtest.Must(fitMultiplier(t.Context(), pairs, operator.Norms(pairs.Outputs), operator.Options{Workers: 1}))
		brute := methodtest.LeftOut(t, pairs, func(rest dataset.Pairs) methodtest.Predictor {
			return multiplierByDefinition(rest, l.Ridge*largestEnergy(pairs))
		})
		if math.Abs(brute-l.Error) > 1e-9*brute {
			t.Errorf("leave-one-out %.12g, by retraining %.12g", l.Error, brute)
		}
	}
}

// A real multiplier is the complex one on all pairs and their reflections.
func TestRealMultiplierLeavesOutBothImages(t *testing.T) {
	pairs := methodtest.Symmetric(grid.Torus, 9, 8, 0.2)
	for _, b := range []grid.Batch{pairs.Inputs, pairs.Outputs} {
		for i := range b.Count {
			grid.Torus.Wrap(b.At(i))
		}
	}
	o := operator.Options{Workers: 1, Symmetry: config.Reflection}
	m := methodtest.Must(fitMultiplier(t.Context(), pairs, operator.Norms(pairs.Outputs), o))
	flip := grid.Torus.Reflections(false)[1]
	brute := methodtest.LeftOut(t, pairs, func(rest dataset.Pairs) methodtest.Predictor {
		both := rest.Take(append(ridge.Others(nil, 7), ridge.Others(nil, 7)...))
		copy(both.Inputs.Data[len(rest.Inputs.Data):], rest.Inputs.Moved(flip).Data)
		copy(both.Outputs.Data[len(rest.Outputs.Data):], rest.Outputs.Moved(flip).Data)
		return multiplierByDefinition(both, 2*m.Ridge*largestEnergy(pairs))
	})
	if math.Abs(brute-m.Error) > methodtest.Conditioned*brute {
		t.Errorf("leave-one-out %.12g, by retraining %.12g", m.Error, brute)
	}
}

// largestEnergy returns the largest sum of squares of a Fourier coefficient of the inputs.
func largestEnergy(pairs dataset.Pairs) (largest float64) {
	w := waves.On(pairs.Inputs.Domain, pairs.Inputs.Points)
	for _, p := range w.Positive() {
		sum := 0.0
		for _, a := range waves.Normalised(w, pairs.Inputs) {
			sum += methodtest.Square(complex(a[2*p], a[2*p+1]))
		}
		largest = max(largest, sum)
	}
	return largest
}

// multiplierByDefinition returns the multiplier that a ridge regression of each Fourier coefficient gives.
func multiplierByDefinition(pairs dataset.Pairs, ridge float64) *Multiplier {
	var factors []float64
	w := waves.On(pairs.Inputs.Domain, pairs.Inputs.Points)
	inputs, outputs := waves.Normalised(w, pairs.Inputs), waves.Normalised(w, pairs.Outputs)
	for _, p := range w.Positive() {
		top, bottom := complex128(0), ridge
		for i := range inputs {
			a, u := complex(inputs[i][2*p], inputs[i][2*p+1]), complex(outputs[i][2*p], outputs[i][2*p+1])
			top += cmplx.Conj(a) * u
			bottom += methodtest.Square(a)
		}
		c := top / complex(bottom, 0)
		factors = append(factors, real(c), imag(c))
	}
	return &Multiplier{operator.BaseOf(pairs), 0, factors}
}

// Leave-one-out errors equal those of retraining with the same ridge, including the means of inputs and outputs.
func TestLeaveOneOutIsRetrainingWhateverTheOutputsHaveInCommon(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	all := methodtest.Burgers(t, draw.InputTrain, 40, 33)
	weights := grid.Torus.Weights(33)
	for _, n := range []int{6, 15, 40} {
		for _, offset := range []float64{0, 1, 100} {
			pairs := methodtest.WithOffset(all.Range(0, n), offset)
			if offset == 1 {
				pairs = methodtest.InThrees(pairs)
			}
			sizes := operator.Norms(pairs.Outputs)
			l := methodtest.Must(affine(t.Context(), pairs, sizes, 2))
			inputs := methodtest.Must(expansion.NewPrincipal(t.Context(), pairs.Inputs, 2))
			ridge := float64(n) * l.Ridge * inputs.Variances[0]
			brute := methodtest.LeftOut(t, pairs, func(rest dataset.Pairs) methodtest.Predictor { return affineByDefinition(t, rest, weights, ridge) })
			if math.Abs(brute-l.Error) > 1e-6*brute {
				t.Errorf("affine, n=%d, offset %g: leave-one-out %.12g, by retraining %.12g", n, offset, l.Error, brute)
			}
		}
	}
}

// affineByDefinition returns ridge regression with a free constant function, in its n x n form.
func affineByDefinition(t *testing.T, pairs dataset.Pairs, weights []float64, ridge float64) methodtest.Predictor {
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
	return methodtest.Direct(func(dst, input []float64) {
		copy(dst, u)
		for i := range n {
			k := inner(pairs.Inputs.At(i), input)
			for x, v := range c.RawRowView(i) {
				dst[x] += k * v
			}
		}
	})
}

func TestLinearMethodIsExactInSeveralChannels(t *testing.T) {
	const K, training = 17, 60 // two times 14 modes: the mean and the Nyquist mode are zero
	pairs := methodtest.Shifted(80, K)
	o := methodtest.Must(Method.Train(t.Context(), pairs.Range(0, training), operator.Options{Workers: 2}))
	test := pairs.Range(training, 80-training)
	u := methodtest.Must(o.Predict(t.Context(), test.Inputs, 2, nil))
	e := methodtest.Must(score.Measure(u, test.Outputs))
	if in, out := o.Channels(); in != 2 || out != 2 || len(e.Channels) != 2 {
		t.Fatalf("%d and %d channels, errors of %d", in, out, len(e.Channels))
	}
	for c, channel := range e.Channels {
		if channel.Max() > 1e-8 {
			t.Errorf("channel %d has error %g", c+1, channel.Max())
		}
	}
	if o.LeaveOneOut() > 1e-8 {
		t.Errorf("leave-one-out error %g", o.LeaveOneOut())
	}
}
