package grf

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/golden/goldentest"
	"rfm/solver/space/grid"
)

var permeability = Measure{Tau: 3, Alpha: 2, Axis: 2, Space: grid.Square}

// seriesTolerance: the transform and the reference sum the same terms in different orders.
const seriesTolerance = 1e-12

func relative(got, want []float64) float64 {
	return math.Sqrt(grid.Square.Distance2(got, want) / grid.Square.Inner(want, want))
}

func TestNeumannSumsAreTheReferenceFields(t *testing.T) {
	for _, c := range []struct {
		name, coefficients string
		tau, axis          float64
	}{
		{"grf_g_paper", "grf_xi", 3, math.Sqrt2},
		{"grf_g_axis2", "grf_xi", 3, 2},
		{"theta", "theta_xi", 7.5, math.Sqrt2},
	} {
		xi, want := goldentest.Darcy(c.coefficients), goldentest.Darcy(c.name)
		s := newNeumannSampler(Measure{Tau: c.tau, Alpha: 2, Axis: c.axis, Space: grid.Square}, 17)
		b := grid.NewBatch(grid.Square, 17, len(xi.Data)/289)
		for i := range b.Count {
			s.sum(b.At(i), xi.Data[i*289:(i+1)*289])
			if e := relative(b.At(i), want.Data[i*289:(i+1)*289]); e > seriesTolerance {
				t.Errorf("%s, function %d: relative difference %.2g", c.name, i, e)
			}
		}
	}
}

func TestNeumannSumOnAFinerGridIsTheReferenceField(t *testing.T) {
	xi := make([]float64, 33*33)
	for k, row := range slices.Collect(slices.Chunk(goldentest.Darcy("grf_xi").Data, 17)) {
		copy(xi[k*33:], row)
	}
	b := grid.NewBatch(grid.Square, 33, 1)
	newNeumannSampler(Measure{Tau: 3, Alpha: 2, Axis: math.Sqrt2, Space: grid.Square}, 33).sum(b.Data, xi)
	if e := relative(b.Data, goldentest.Darcy("grf_g_paper_r33").Data); e > seriesTolerance {
		t.Errorf("relative difference %.2g", e)
	}
}

func TestNeumannSumIsTheSeriesOnAnyGrid(t *testing.T) {
	for _, r := range []int{3, 4, 10, 17, 24, 33} {
		s := newNeumannSampler(permeability, r)
		xi, got, want := make([]float64, r*r), grid.NewBatch(grid.Square, r, 1), make([]float64, r*r)
		shells(xi, r, r, draw.Stream(4, draw.Theta, r))
		s.sum(got.Data, xi)
		for i := range r {
			for j := range r {
				for k := range xi {
					x := math.Pi / float64(r-1)
					want[i*r+j] += permeability.Amplitude(k/r, k%r) * xi[k] * math.Cos(x*float64(k/r*i)) * math.Cos(x*float64(k%r*j))
				}
			}
		}
		if e := relative(got.Data, want); e > seriesTolerance {
			t.Errorf("r = %d: relative difference %.2g", r, e)
		}
	}
}

func TestAmplitudesAreTheFormula(t *testing.T) {
	m := Measure{Tau: 7.5, Alpha: 2, Axis: math.Sqrt2, Space: grid.Square}
	for _, c := range []struct {
		k1, k2 int
		weight float64
	}{{0, 0, 0}, {3, 0, math.Sqrt2}, {0, 1, math.Sqrt2}, {2, 5, 2}} {
		want := c.weight * 7.5 / (math.Pi*math.Pi*float64(c.k1*c.k1+c.k2*c.k2) + 7.5*7.5)
		if got := m.Amplitude(c.k1, c.k2); math.Abs(got-want) > 1e-14*want {
			t.Errorf("A(%d, %d) = %g, want %g", c.k1, c.k2, got, want)
		}
	}
}

func TestNeumannFunctionsDoNotDependOnTheirNeighbours(t *testing.T) {
	s := newNeumannSampler(permeability, 17)
	all, some := grid.NewBatch(grid.Square, 17, 20), grid.NewBatch(grid.Torus, 289, 3)
	s.Draw(all, 1, draw.InputTrain, 0)
	s.Draw(some, 1, draw.InputTrain, 8)
	if !slices.Equal(some.Data, all.Range(8, 3).Data) {
		t.Error("functions 8, 9 and 10 differ when drawn alone")
	}
}

// The coarse grid's modes are the first of the finer grid's stream, so only the omitted modes differ.
func TestNeumannFinerGridsAddModesOnly(t *testing.T) {
	const r, R = 17, 65
	coarse, fine := make([]float64, r*r), make([]float64, R*R)
	shells(coarse, r, r, draw.Stream(2, draw.InputTrain, 4))
	shells(fine, R, R, draw.Stream(2, draw.InputTrain, 4))
	for k := range r {
		if !slices.Equal(coarse[k*r:(k+1)*r], fine[k*R:k*R+r]) {
			t.Fatalf("modes (%d, .) differ", k)
		}
	}
}

func BenchmarkNeumannDraw(b *testing.B) {
	for _, r := range []int{33, 257} {
		s, dst := newNeumannSampler(permeability, r), grid.NewBatch(grid.Square, r, 1)
		b.Run(fmt.Sprint(r), func(b *testing.B) {
			for b.Loop() {
				s.Draw(dst, 1, draw.Theta, 0)
			}
		})
	}
}
