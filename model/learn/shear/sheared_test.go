package shear

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"rfm/config"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/learn/translate"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// With a shear, fronts are learned from a fraction of the pairs.
func TestShearedKernelLearnsFronts(t *testing.T) {
	train, test := methodtest.BurgersFronts(36, 24, 0.6, 1), methodtest.BurgersFronts(40, 24, 0.6, 2)
	o := operator.Options{Workers: 2, Seed: 1}
	plain := methodtest.Must(translate.Method.Train(t.Context(), train, o))
	learned := methodtest.Must(Method.Train(t.Context(), train, o))
	before, after := methodtest.Relative(t, plain, test), methodtest.Relative(t, learned, test)
	if !(after < 0.7*before) {
		t.Errorf("error %g, %g without a shear", after, before)
	}
	if left := learned.LeaveOneOut(); left < 0.6*after || left > 1.6*after {
		t.Errorf("leave-one-out error %g, test error %g", left, after)
	}

	// The leave-one-out error equals the error of kernels that are trained without a pair.
	o.Like = learned
	brute := methodtest.LeftOut(t, train, func(rest dataset.Pairs) methodtest.Predictor {
		return methodtest.Must(Method.Train(t.Context(), rest, o))
	})
	if math.Abs(brute-learned.LeaveOneOut()) > 1e-5*brute {
		t.Errorf("leave-one-out error %g, %g by retraining", learned.LeaveOneOut(), brute)
	}
}

// A requested symmetry holds exactly, and so do translations.
func TestShearedKernelHasTheSymmetryOfTheData(t *testing.T) {
	train, test := methodtest.BurgersFronts(24, 32, 0.6, 1), methodtest.BurgersFronts(4, 32, 0.6, 2).Inputs
	o := methodtest.Must(Method.Train(t.Context(), train, operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddReflection}))
	u, flip := methodtest.Predict(t, o, test), grid.Torus.Reflections(true)[1]
	methodtest.ExpectNear(t, "reflected", methodtest.Predict(t, o, test.Moved(flip)), u.Moved(flip))
	methodtest.ExpectNear(t, "translated", methodtest.Predict(t, o, methodtest.Shift(test)), methodtest.Shift(u))
}

// If no transform helps, the method says so in an error.
func TestShearedKernelLeavesSmoothOutputsAlone(t *testing.T) {
	pairs := methodtest.BurgersFronts(20, 32, 0.6, 3)
	pairs.Outputs = pairs.Inputs.Like(20)
	for i := range 20 {
		for j := range 33 {
			pairs.Outputs.At(i)[j] = 2 * pairs.Inputs.At(i)[(j+3)%32]
		}
	}
	_, err := Method.Train(t.Context(), pairs, operator.Options{Workers: 1, Seed: 1})
	if !fault.BlamesInput(err) || !strings.Contains(err.Error(), "no shear or logit lowers") {
		t.Errorf("error %v", err)
	}
}

// The logit of outputs turns fronts between plateaus into ramps, also if the data are symmetric.
func TestLogitsLearnPlateaus(t *testing.T) {
	train, test := methodtest.BurgersFronts(24, 16, 0.6, 4), methodtest.BurgersFronts(16, 16, 0.6, 5)
	for _, pairs := range []dataset.Pairs{train, test} {
		for i, a := range pairs.Inputs.Data {
			pairs.Outputs.Data[i] = math.Tanh(4 * a)
		}
	}
	var errors []float64
	for _, m := range []operator.Method{translate.Method, Method} {
		learned := methodtest.Must(m.Train(t.Context(), train, operator.Options{Workers: 1, Seed: 1, Symmetry: config.Reflection}))
		errors = append(errors, methodtest.Relative(t, learned, test))
	}
	if !(errors[1] < errors[0]/2) {
		t.Errorf("errors %.3g of the kernel, %.3g with logits", errors[0], errors[1])
	}
}

// Logits cut values beyond those of the training outputs. The leave-one-out error includes it: the range without the
// pair with the highest output is smaller.
func TestLeaveOneOutErrorOfLogitsHasTheRangeOfOtherOutputs(t *testing.T) {
	pairs := methodtest.BurgersFronts(24, 16, 0.6, 4)
	for i, a := range pairs.Inputs.Data {
		pairs.Outputs.Data[i] = math.Exp(a)
	}
	pairs.Groups = make([]int, 24) // pairs 0 and 1 are left out together
	for i := range pairs.Groups {
		pairs.Groups[i] = max(i, 1)
	}
	highest := slices.Max(pairs.Outputs.First(2).Data)
	for i := 2; i < 24; i++ {
		for x, v := range pairs.Outputs.At(i) {
			pairs.Outputs.At(i)[x] = min(v, highest-0.2)
		}
	}
	all := Transform{Least: 0, Most: highest, Margin: 0.1}
	s := methodtest.Must(sheared(t.Context(), all, pairs, operator.Options{Workers: 1, Seed: 1}, false))
	whole := 0.0
	for i := range 24 {
		whole += pairs.Outputs.Domain.Norm(s.Left.At(i)) / pairs.Outputs.Domain.Norm(pairs.Outputs.At(i)) / 24
	}
	if s.Error < whole+0.0005 {
		t.Errorf("leave-one-out error %g, in the range of all outputs it is %g", s.Error, whole)
	}
}

// The bounds of each group are the extremes of all others, also where several groups share one.
func TestPredictionsAreBoundedByOtherGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, groups := range [][]int{nil, {0, 0, 1, 1, 2, 3, 3, 4, 4, 5}} {
		for _, values := range []int{3, 1000} { // outputs often or hardly ever share an extreme
			pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 5, 10), Outputs: grid.NewBatch(grid.Torus, 5, 10),
				Groups: groups}
			predicted := pairs.Outputs.Like(10)
			for x := range predicted.Data {
				pairs.Outputs.Data[x] = float64(r.IntN(values))
				predicted.Data[x] = float64(values) * (3*r.Float64() - 1)
			}
			want := predicted.Clone()
			for _, members := range ridge.Labelled(groups, 10) {
				others := pairs.Outputs.Take(ridge.Others(members, 10)).Data
				for _, i := range members {
					for x, v := range want.At(i) {
						want.At(i)[x] = min(slices.Max(others), max(slices.Min(others), v))
					}
				}
			}
			boundByOthers(predicted, pairs)
			if !slices.Equal(predicted.Data, want.Data) {
				t.Errorf("groups %v, %d values: %v, want %v", groups, values, predicted.Data, want.Data)
			}
		}
	}
}

// The time grows with the number of pairs, not with its square: that took minutes here.
func TestBoundsOfManyPairsAreQuick(t *testing.T) {
	const many = 10_000
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 129, many), Outputs: grid.NewBatch(grid.Torus, 129, many)}
	begin := time.Now()
	boundByOthers(pairs.Outputs.Like(many), pairs)
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("%d pairs take %v", many, took)
	}
}
