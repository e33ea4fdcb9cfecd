package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/trained/codec"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// curvesOfNumbers returns curves of four numbers of different sizes: amplitude, frequency, an offset, and one without any
// effect.
func curvesOfNumbers(count int, seed uint64) dataset.Pairs {
	const points = 17
	r := rand.New(rand.NewPCG(seed, 3))
	domain := grid.Interval
	p := dataset.Pairs{Inputs: grid.NewBatch(domain.With(4), points, count), Outputs: grid.NewBatch(domain, points, count)}
	for i := range count {
		amplitude, frequency := 2+2*r.Float64()-1, 1.5+0.5*(2*r.Float64()-1)
		offset, idle := 100*(2*r.Float64()-1), 1e-3*r.Float64()
		for x := range points {
			for c, v := range []float64{amplitude, frequency, offset, idle} {
				p.Inputs.Of(i, c)[x] = v
			}
			t := float64(x) / (points - 1)
			p.Outputs.At(i)[x] = 3 + amplitude*math.Sin(2*math.Pi*frequency*t) + 0.01*offset
		}
	}
	return p
}

// Inputs of few numbers have a length for each: a number that changes outputs fast has a short one, and one without an
// effect a long one. The error is several times smaller than with one length for all.
func TestNumbersHaveLengthsOfTheirOwn(t *testing.T) {
	train, test := curvesOfNumbers(120, 1), curvesOfNumbers(100, 2)
	o := operator.Options{Workers: 2, Seed: 1}
	learned := methodtest.Must(Method.Train(t.Context(), train, o))
	k, ok := operator.Unscaled(learned).(*KernelRidge)
	if !ok || len(k.Lengths.used()) != 4 {
		t.Fatalf("%v has no lengths", learned)
	}
	if k.Lengths[1] >= k.Lengths[0] || k.Lengths[3] != numberLadder[len(numberLadder)-1] {
		t.Errorf("lengths %v: want the frequency's to be short, and the idle number's the longest", k.Lengths)
	}
	one := k.Parameters
	one.Lengths = lengths{2, 2, 2, 2}
	p := methodtest.Must(newKernelProblem(t.Context(), operator.ScalingOf(train).Apply(train), expansion.NewNumbers, "", 2))
	same := operator.ScalingOf(train).Of(methodtest.Must(p.fit(t.Context(), one, 2)))
	after, before := methodtest.Relative(t, learned, test), methodtest.Relative(t, same, test)
	if !(after < before/3) || learned.LeaveOneOut() < after/2 || learned.LeaveOneOut() > 2*after {
		t.Errorf("error %.3g, left out %.3g; with equal lengths %.3g", after, learned.LeaveOneOut(), before)
	}
	// Models of parts of the pairs have the same lengths, and files keep them.
	o.Like = learned
	part := operator.Unscaled(methodtest.Must(Method.Train(t.Context(), train.Range(0, 60), o))).(*KernelRidge)
	if part.Lengths != k.Lengths {
		t.Errorf("a model like one with the lengths %v has %v", k.Lengths, part.Lengths)
	}
	read := methodtest.Reread(t, learned, codec.Kinds{"kernel": new(KernelRidge), "scaled": new(operator.Scaled)})
	if !slices.Equal(methodtest.Predict(t, read, test.Inputs).Data, methodtest.Predict(t, learned, test.Inputs).Data) {
		t.Error("a model that was stored predicts something else")
	}
}

// A function that is not constant is no number.
func TestFunctionsAreNoNumbers(t *testing.T) {
	pairs := curvesOfNumbers(5, 1)
	if got := expansion.NumbersIn(pairs.Inputs); got != 4 {
		t.Errorf("%d numbers, want 4", got)
	}
	pairs.Inputs.Of(4, 3)[16]++
	if got := expansion.NumbersIn(pairs.Inputs); got != 0 {
		t.Errorf("%d numbers with one that changes along x", got)
	}
	if got := expansion.NumbersIn(pairs.Outputs); got != 0 {
		t.Errorf("functions of one channel are %d numbers", got)
	}
}
