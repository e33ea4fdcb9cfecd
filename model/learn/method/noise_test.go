package method

import (
	"errors"
	"testing"

	"rfm/model/learn/kernel"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// A copy differs from its original by the left-out residual of another pair, which is moved where the domain allows it.
func TestNoiseIsTheErrorOfAnotherPair(t *testing.T) {
	for _, domain := range []grid.Domain{grid.Torus, grid.Interval, grid.Torus2} {
		pairs := dataset.Pairs{Inputs: methodtest.Random(domain, 9, 12), Outputs: methodtest.Random(domain, 9, 12)}
		o := methodtest.Must(kernel.Method.Train(t.Context(), pairs, operator.Options{Workers: 2}))
		both, left := methodtest.Must(WithNoise(pairs, o, 1)), operator.ResidualsOf(o)
		seen := map[int]bool{}
		for i := range 12 {
			if both.Groups[i+12] != both.Groups[i] || domain.Distance2(both.Inputs.At(i), pairs.Inputs.At(i)) != 0 ||
				domain.Distance2(both.Outputs.At(i+12), pairs.Outputs.At(i)) != 0 {
				t.Fatalf("%s: pair %d is changed, or its copy has another output or group", domain.Name(), i)
			}
			size := domain.Distance2(both.Inputs.At(i+12), pairs.Inputs.At(i))
			for j := range 12 {
				if own := domain.Inner(left.At(j), left.At(j)); size > own*(1-methodtest.Rounding) && size < own*(1+methodtest.Rounding) {
					seen[j] = true
				}
			}
			if both.Inputs.CheckPeriodic("copies", nil) != nil {
				t.Errorf("%s: a copy is not periodic", domain.Name())
			}
		}
		if len(seen) != 12 {
			t.Errorf("%s: copies have the errors of %d of 12 pairs", domain.Name(), len(seen))
		}
	}
	pairs := methodtest.Shifted(20, 17)
	pairs.Outputs = pairs.Outputs.Channel(0)
	var data *fault.Data
	o := methodtest.Must(kernel.Method.Train(t.Context(), pairs, operator.Options{Workers: 2}))
	if _, err := WithNoise(pairs, o, 1); !errors.As(err, &data) {
		t.Errorf("channels of inputs and outputs differ: %v", err)
	}
}
