package mean

import (
	"math"
	"slices"
	"testing"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/filetest"
	"rfm/solver/space/grid"
)

// meanPairs returns n pairs of functions on a domain, with outputs that are different everywhere.
func meanPairs(domain grid.Domain, points, n int) dataset.Pairs {
	p := dataset.Pairs{Inputs: grid.NewBatch(domain, points, n), Outputs: grid.NewBatch(domain, points, n)}
	for i := range p.Outputs.Data {
		p.Inputs.Data[i] = math.Sin(float64(i))
		p.Outputs.Data[i] = 2 + math.Cos(float64(3*i))
	}
	return p
}

// The leave-one-out error of the mean is that of the means of all other pairs, without the group of a pair.
func TestLeaveOneOutErrorOfTheMeanIsThatOfRetraining(t *testing.T) {
	for _, groups := range [][]int{nil, {0, 0, 1, 2, 2, 2, 3}} {
		pairs := meanPairs(grid.Interval, 9, 7)
		pairs.Groups = groups
		m := Of(pairs, config.AutoSymmetry)
		want := 0.0
		for i := range 7 {
			kept := []int{}
			for j := range 7 {
				if groups == nil && j != i || groups != nil && groups[j] != groups[i] {
					kept = append(kept, j)
				}
			}
			without := Of(pairs.Take(kept), config.AutoSymmetry)
			u, err := without.Predict(t.Context(), pairs.Inputs.Range(i, 1), 1, nil)
			filetest.NoError(t, err)
			truth := pairs.Outputs.Range(i, 1)
			want += math.Sqrt(truth.Domain.Distance2(u.At(0), truth.At(0))) / truth.Domain.Norm(truth.At(0)) / 7
		}
		if got := m.LeaveOneOut(); math.Abs(got-want) > 1e-12 {
			t.Errorf("groups %v: leave-one-out error %g, want %g", groups, got, want)
		}
	}
}

// Under a symmetry the mean has it, too: with translations it is constant in space.
func TestMeanHasTheSymmetryOfTheData(t *testing.T) {
	pairs := meanPairs(grid.Torus, 9, 5)
	for i := range 5 {
		pairs.Outputs.At(i)[8] = pairs.Outputs.At(i)[0]
		pairs.Inputs.At(i)[8] = pairs.Inputs.At(i)[0]
	}
	u, err := Of(pairs, config.Translations).Predict(t.Context(), pairs.Inputs.Range(0, 1), 1, nil)
	filetest.NoError(t, err)
	if least, most := slices.Min(u.Data), slices.Max(u.Data); most-least > 1e-15 || !(least > 1) {
		t.Errorf("values from %g to %g, want one constant", least, most)
	}
	square := meanPairs(grid.Square, 9, 5)
	u, err = Of(square, config.WholeSquare).Predict(t.Context(), square.Inputs.Range(0, 1), 1, nil)
	filetest.NoError(t, err)
	for _, m := range grid.Square.Motions() {
		for x, v := range u.Moved(m).Data {
			if math.Abs(v-u.Data[x]) > 1e-14 {
				t.Fatalf("%+v changes the mean by %g at %d", m, v-u.Data[x], x)
			}
		}
	}
}
