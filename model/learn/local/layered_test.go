package local

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/kernel"
	"rfm/model/learn/linear"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/shear"
	"rfm/model/learn/translate"
	"rfm/model/trained/codec"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// chains is the method that is tested here.
var (
	starting = operator.Starts{kernel.Method, translate.Method, shear.Method}
	seconds  = []operator.Method{linear.Method, kernel.Method, translate.Method}
	chains   = New(starting, seconds)
)

// Layers learn a local law that kernels of whole functions do not, and commute with translations.
func TestLayersLearnALocalLaw(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs := methodtest.BurgersFronts(50, 24, 0.1, 1)
	for i := range pairs.Count() {
		a := pairs.Inputs.At(i)
		period := len(a) - 1
		for x, v := range a {
			next := a[(x+1)%period] // so that it is no law of the point alone
			pairs.Outputs.At(i)[x] = math.Sin(4 * (v + next))
		}
		for x, v := range a {
			a[x] = 4 * v
		}
	}
	train, test := pairs.Range(0, 40), pairs.Range(40, 10)
	o := operator.Options{Workers: 2, Seed: 1}
	plain := methodtest.Must(translate.Method.Train(t.Context(), train, o))
	o.Known = []operator.Operator{plain}
	learned := methodtest.Must(chains.Train(t.Context(), train, o))
	u := methodtest.Predict(t, learned, test.Inputs)
	if before, after := methodtest.Relative(t, plain, test), methodtest.Relative(t, learned, test); !(after < 0.3*before) ||
		!(learned.LeaveOneOut() < 4*after) {
		t.Errorf("%v: error %g, leave-one-out %g; kernel: %g", learned, after, learned.LeaveOneOut(), before)
	}
	methodtest.ExpectNear(t, "translated", methodtest.Predict(t, learned, methodtest.Shift(test.Inputs)), methodtest.Shift(u))
}

// Layers that are to be like given ones begin as these do, with a kernel of the same parameters or without one, and
// search for no parameters.
func TestLayersLikeOthersBeginAlike(t *testing.T) {
	pairs, o := methodtest.BurgersFronts(40, 32, 0.3, 1), operator.Options{Workers: 2, Seed: 1}
	for i, v := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] += 0.3 * math.Sin(4*v)
	}
	kernel := methodtest.Must(translate.Method.Train(t.Context(), pairs, o)).(*translate.Equivariant)
	kernel.Length *= 1.01 // which no search finds
	for symmetry, first := range map[string]operator.Operator{"": kernel, config.Reflection: nil} {
		o.Symmetry, o.Like = symmetry, operator.Averaged(&Layered{Base: operator.BaseOf(pairs), Placed: true, First: first}, symmetry)
		learned := operator.Core(methodtest.Must(chains.Train(t.Context(), pairs, o))).(*Layered)
		if !learned.Placed || (learned.First == nil) != (first == nil) {
			t.Fatalf("%v begins with %v, placed %t", learned, learned.First, learned.Placed)
		}
		if first != nil && learned.First.(*translate.Equivariant).Length != kernel.Length {
			t.Errorf("begins with the length %g, want %g", learned.First.(*translate.Equivariant).Length, kernel.Length)
		}
	}
}

// Layers end early where other methods are far better, and where they gain nothing.
func TestLayersEndWhereOthersAreBetter(t *testing.T) {
	pairs := methodtest.BurgersFronts(20, 32, 0.1, 3)
	race := operator.NewRace()
	race.Behind(1e-9, 1)
	_, err := chains.Train(t.Context(), pairs, operator.Options{Workers: 1, Race: race})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "first look") {
		t.Errorf("error %v", err)
	}
}

// Layers learn local laws of several channels: (a, b) -> (sin(2 a), 1000 a b).
func TestLayersLearnSeveralChannels(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs := methodtest.Shifted(40, 17)
	for i := range pairs.Count() {
		for x, a := range pairs.Inputs.Of(i, 0) {
			pairs.Outputs.Of(i, 0)[x] = math.Sin(8 * a)
			pairs.Outputs.Of(i, 1)[x] = 1000 * a * pairs.Inputs.Of(i, 1)[x]
		}
	}
	training, test := pairs.Range(0, 30), pairs.Range(30, 10)
	kernel := methodtest.Must(kernel.Method.Train(t.Context(), training, operator.Options{Workers: 2}))
	l := methodtest.Must(chains.Train(t.Context(), training, operator.Options{Workers: 2, Known: []operator.Operator{kernel}}))
	before, after := methodtest.ChannelErrors(t, kernel, test), methodtest.ChannelErrors(t, l, test)
	for d := range 2 {
		if !(after[d] < 0.3*before[d]) {
			t.Errorf("channel %d: error %g, of the kernel %g", d+1, after[d], before[d])
		}
	}
	methodtest.ExpectNear(t, "the model read", methodtest.Predict(t, methodtest.Reread(t, l, codec.Kinds{"layer": new(Layered), "pointwise": new(Pointwise), "equivariant": new(translate.Equivariant),
		"scaled": new(operator.Scaled)}), test.Inputs), methodtest.Predict(t, l, test.Inputs))
}

// pointAndMean returns rough functions, with outputs sin(a(x)) cos(2 pi x) plus a share of the mean of a.
func pointAndMean(count int, share float64) dataset.Pairs {
	const points = 65
	r := rand.New(rand.NewPCG(1, 2))
	p := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Interval, points, count),
		Outputs: grid.NewBatch(grid.Interval, points, count),
	}
	for i := range p.Count() {
		a := p.Inputs.At(i)
		mean := 0.0 // of the function, its first coefficient
		for k := range 30 {
			c := r.NormFloat64() / math.Pow(float64(max(1, k)), 0.8)
			if k == 0 {
				mean = c
			}
			for x := range a {
				a[x] += c * math.Cos(math.Pi*float64(k*x)/float64(points-1))
			}
		}
		for x, v := range a {
			place := 2 * math.Pi * float64(x) / float64(points-1)
			p.Outputs.At(i)[x] = math.Sin(v)*math.Cos(place) + share*mean
		}
	}
	return p
}

// A layer learns a law of the point, its place and the mean of a rough function, although values nearby tell more about
// the function than the value at the point.
func TestLayersFindALawOfThePointAndTheMean(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	p := pointAndMean(160, 1)
	train := p.Range(0, 100)
	test := p.Range(100, 60)
	l, _, err := newLayering(train, nil, true, operator.Options{Workers: 2, Seed: 1}).learn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if e := methodtest.Relative(t, l, test); !(e < 0.03) {
		t.Errorf("error %.3g", e)
	}
}

// A layer sees the means of functions where the law depends on them. Elsewhere features of means would fit what a few
// functions have by chance. A layer that is like another one sees what that one sees.
func TestLayersSeeMeansWhereTheLawDependsOnThem(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, share := range []float64{0, 1} {
		p := pointAndMean(60, share)
		o := operator.Options{Workers: 2, Seed: 1}
		l, _, err := newLayering(p, nil, true, o).learn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if l.Whole != (share > 0) {
			t.Errorf("with a share of %g of the mean, layers see means: %t", share, l.Whole)
		}
		other := &Layered{Whole: !l.Whole}
		like, _, err := newLayering(p, nil, true, o).learnLike(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		if like.Whole != other.Whole {
			t.Errorf("a layer like one with means %t sees means: %t", other.Whole, like.Whole)
		}
	}
}
