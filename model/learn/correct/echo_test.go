package correct

import (
	"math"
	"testing"

	"rfm/model/learn/local"
	"rfm/model/learn/mean"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// chance returns outputs of few numbers each, which do not depend on the inputs.
func chance(count int) dataset.Pairs {
	const points = 17
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(grid.Interval, points, count),
		Outputs: grid.NewBatch(grid.Interval, points, count),
	}
	for i := range count {
		random := draw.Stream(3, "test", i)
		a := pairs.Inputs.At(i)
		u := pairs.Outputs.At(i)
		height := random.NormFloat64()
		for x := range a {
			a[x] = random.NormFloat64()
			u[x] = height * math.Cos(3*float64(x)/(points-1))
		}
	}
	return pairs
}

// Nothing is learned from outputs of chance where the operator to begin with is the mean of the outputs, as kernels become
// then: the mean of all other outputs tells the one that is left out.
func TestMeansDoNotTellTheOutputsOfChance(t *testing.T) {
	pairs := chance(45)
	means := operator.Starts{mean.Method}
	layers := local.New(means, nil)
	for _, m := range []operator.Method{layers, New(means, layers)} {
		learned, err := m.Try(t.Context(), pairs, operator.Options{Workers: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		const least = 0.9
		if learned.Operator != nil && learned.Operator.LeaveOneOut() < least {
			t.Errorf("%s: the leave-one-out error is %g, want 1", m.Name, learned.Operator.LeaveOneOut())
		}
	}
}
