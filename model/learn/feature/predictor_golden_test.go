// Every intermediate result of the golden Darcy experiment.

package feature

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"rfm/solver/golden/goldentest"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grid"
)

// field returns field i of an array of the golden experiment.
func field(name string, i int) []float64 {
	a := goldentest.Darcy(name)
	size := a.Shape[len(a.Shape)-1] * a.Shape[len(a.Shape)-2]
	return a.Data[i*size : (i+1)*size]
}

func goldenFields(name string) grid.Batch {
	a := goldentest.Darcy(name)
	return grid.BatchOf(grid.Square, 17, a.Data)
}

// goldenFeatures returns the six features of the golden experiment.
func goldenFeatures() PredictorCorrector {
	first, second := grid.NewBatch(grid.Square, 17, 6), grid.NewBatch(grid.Square, 17, 6)
	for j := range 6 {
		copy(first.At(j), field("theta", 2*j))
		copy(second.At(j), field("theta", 2*j+1))
	}
	return PredictorCorrector{Threshold: paperThreshold(), Mollifier: paperMollifier(), Theta: storedPairs(first, second),
		Source: func(x1, x2 float64) float64 { return 1 + x1/2 - x2*x2/4 }}
}

func TestPermeabilityPartsAreTheReferenceOnes(t *testing.T) {
	e := predictorOn(t, goldenFeatures(), 17)
	s, a := e.flow.newScratch(), goldenFields("a")
	for i := range a.Count {
		mollified := make([]float64, 289)
		e.flow.mollify(mollified, a.At(i))
		expectClose(t, fmt.Sprintf("a_eps of input %d", i), mollified, field("a_eps", i), intermediateTolerance)
		if err := e.flow.prepare(s, a.At(i)); err != nil {
			t.Fatal(err)
		}
		for axis, name := range []string{"glog0", "glog1"} {
			gradient := slices.Clone(s.slopes[axis])
			for k := range gradient {
				gradient[k] *= 2. / 16
			}
			expectClose(t, fmt.Sprintf("%s of input %d", name, i), gradient, field(name, i), intermediateTolerance)
		}
		base := make([]float64, e.Points())
		e.base(base, s)
		expectClose(t, fmt.Sprintf("B of input %d", i), e.inverse(base), field("B", i), intermediateTolerance)
	}
}

func TestPredictorFeaturesAreTheReferenceOnes(t *testing.T) {
	p, a := goldenFeatures(), goldenFields("a")
	e := predictorOn(t, p, 17)
	_, _, features := normal(t, e, a, goldenFields("u_arith"))
	for i := range a.Count {
		for j := range 6 {
			want := field("phi", 6*i+j)
			expectClose(t, fmt.Sprintf("training path, input %d, feature %d", i, j), column(e, features, i, j), want,
				intermediateTolerance)
			values := must(p.Values(j, a.At(i)))
			expectClose(t, fmt.Sprintf("two solves, input %d, feature %d", i, j), values, want, intermediateTolerance)
		}
	}
	p.Source = darcy.Constant(1)
	values := must(p.Values(0, a.At(0)))
	expectClose(t, "feature with f = 1", values, field("phi_f1", 0), intermediateTolerance)
}

func TestDarcyExperimentIsTheReferenceOne(t *testing.T) {
	p := goldenFeatures()
	e := predictorOn(t, p, 17)
	gram, rhs, _ := normal(t, e, goldenFields("a"), goldenFields("u_arith"))
	expectClose(t, "Gram matrix", gram.Dense(), goldentest.Darcy("gram").Data, intermediateTolerance)
	expectClose(t, "right-hand side", rhs, goldentest.Darcy("rhs").Data, intermediateTolerance)
	alpha := slices.Clone(rhs)
	must(linalg.Factor(context.Background(), gram, 1e-8, 2)).Solve(alpha)
	expectClose(t, "alpha", alpha, goldentest.Darcy("alpha").Data, coefficientTolerance)
}
