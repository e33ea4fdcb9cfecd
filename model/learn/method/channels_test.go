package method

import (
	"errors"
	"math"
	"testing"

	"rfm/config"
	"rfm/model/learn/rfm"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// shifted returns pairs of two input channels (a, b) and the outputs a(x + 1/4) + b/2 and 1000 a: linear, in two units.
func shifted(count, K int) dataset.Pairs {
	a, b := grid.NewBatch(grid.Torus, K, count), grid.NewBatch(grid.Torus, K, count)
	sampler := grf.Measure{Tau: 3, Alpha: 3, Space: grid.Torus}.On(K)
	sampler.Draw(a, 1, draw.InputTrain, 0)
	sampler.Draw(b, 1, draw.InputTest, 0)
	u, v := a.Like(count), a.Like(count)
	for i := range count {
		for x := range K {
			u.At(i)[x] = a.At(i)[(x+(K-1)/4)%(K-1)] + b.At(i)[x]/2
			v.At(i)[x] = 1000 * a.At(i)[x]
		}
	}
	return dataset.Pairs{Inputs: grid.Stack(a, b), Outputs: grid.Stack(u, v)}
}

func TestLinearMethodIsExactInSeveralChannels(t *testing.T) {
	const K, training = 17, 60 // two times 14 modes: the mean and the Nyquist mode are zero
	pairs := shifted(80, K)
	o := must(linearMethod.Train(t.Context(), pairs.Range(0, training), Options{Workers: 2}))
	test := pairs.Range(training, 80-training)
	u := must(o.Predict(t.Context(), test.Inputs, 2, nil))
	e := must(rfm.Measure(u, test.Outputs))
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

func TestUnitsOfChannelsDoNotMatter(t *testing.T) {
	const K = 17
	pairs := shifted(50, K)
	other := dataset.Pairs{Inputs: affinely(pairs.Inputs, func(c int) (float64, float64) {
		return -3,
			[]float64{1e6, 1}[c]
	}),
		Outputs: affinely(pairs.Outputs, func(c int) (float64, float64) { return 0, []float64{1e-4, 7}[c] })}
	for _, m := range []Method{linearMethod, kernelMethod} {
		var errors []float64
		for _, p := range []dataset.Pairs{pairs, other} {
			o := must(m.Train(t.Context(), p.Range(0, 40), Options{Workers: 1}))
			u := must(o.Predict(t.Context(), p.Inputs.Range(40, 10), 1, nil))
			e := must(rfm.Measure(u, p.Outputs.Range(40, 10)))
			errors = append(errors, e.ExpectedRelative)
		}
		if math.Abs(errors[0]-errors[1]) > 1e-6*errors[0]+1e-9 {
			t.Errorf("%s: errors %v", m.Name, errors)
		}
	}
}

func TestMethodsRefuseChannelsTheyCannotLearn(t *testing.T) {
	pairs := shifted(10, 9)
	var data *fault.Data
	for _, m := range []Method{equivariantMethod, shearedMethod} {
		if _, err := m.Train(t.Context(), pairs, Options{Workers: 1}); !errors.As(err, &data) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
	if len(All(pairs.Inputs.Domain, pairs.Outputs.Domain, "")) != len(methods)-2 {
		t.Error("a method is offered that cannot learn channels, or one is missing")
	}
	// Layers begin with a kernel, and no kernel of several channels commutes with translations.
	for _, m := range All(pairs.Inputs.Domain, pairs.Outputs.Domain, config.Translations) {
		if _, err := m.Train(t.Context(), pairs, Options{Workers: 1, Symmetry: config.Translations}); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}

// Corrections learn the residuals of all channels: of solutions u and of a u.
func TestCorrectionsLearnSeveralChannels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds under the race detector")
	}
	one := waving(t, 6, 100)
	product := one.Outputs.Clone()
	for x, a := range one.Inputs.Data {
		product.Data[x] *= 10 * a
	}
	pairs := dataset.Pairs{Inputs: one.Inputs, Outputs: grid.Stack(one.Outputs, product)}
	training, test := pairs.Range(0, 70), pairs.Range(70, 30)
	o := Options{Workers: 2}
	kernel := must(kernelMethod.Train(t.Context(), training, o))
	o.Known = []Operator{kernel}
	c := must(correctedMethod.Train(t.Context(), training, o))
	for d := range 2 {
		before, after := channelErrors(t, kernel, test), channelErrors(t, c, test)
		if !(after[d] < 0.7*before[d]) {
			t.Errorf("channel %d: error %g, of the kernel %g", d+1, after[d], before[d])
		}
	}
}

// Layers learn local laws of several channels: (a, b) -> (sin(2 a), 1000 a b).
func TestLayersLearnSeveralChannels(t *testing.T) {
	pairs := shifted(40, 17)
	for i := range pairs.Count() {
		for x, a := range pairs.Inputs.Of(i, 0) {
			pairs.Outputs.Of(i, 0)[x] = math.Sin(8 * a)
			pairs.Outputs.Of(i, 1)[x] = 1000 * a * pairs.Inputs.Of(i, 1)[x]
		}
	}
	training, test := pairs.Range(0, 30), pairs.Range(30, 10)
	kernel := must(kernelMethod.Train(t.Context(), training, Options{Workers: 2}))
	l := must(layersMethod.Train(t.Context(), training, Options{Workers: 2, Known: []Operator{kernel}}))
	before, after := channelErrors(t, kernel, test), channelErrors(t, l, test)
	for d := range 2 {
		if !(after[d] < 0.3*before[d]) {
			t.Errorf("channel %d: error %g, of the kernel %g", d+1, after[d], before[d])
		}
	}
	expectNear(t, "the model read", predict(t, reread(t, l), test.Inputs), predict(t, l, test.Inputs))
}

// channelErrors returns the mean relative error of each channel.
func channelErrors(t *testing.T, o Operator, test dataset.Pairs) (all []float64) {
	t.Helper()
	u := predict(t, o, test.Inputs)
	for d := range test.Outputs.Domain.Width() {
		e := must(rfm.Measure(u.Channel(d), test.Outputs.Channel(d)))
		all = append(all, e.ExpectedRelative)
	}
	return all
}
