package kernel

import (
	"math"
	"testing"

	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// kernelAt is 1 + the profile at a distance, by its formula.
func kernelAt(p Profile, s float64) float64 {
	switch p {
	case rational:
		return 1 + 1/(1+s*s/2)
	case gaussian:
		return 1 + math.Exp(-s*s/2)
	}
	s *= math.Sqrt(5)
	return 1 + (1+s+s*s/3)*math.Exp(-s)
}

// oscillations returns damped oscillations with random frequency, damping and phase: smooth functions of three numbers,
// by which inputs differ.
func oscillations(count int) dataset.Pairs {
	const points = 65
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Interval, points, count),
		Outputs: grid.NewBatch(grid.Interval, points, count)}
	random := draw.Stream(1, "oscillations", 0)
	for i := range count {
		p, q, r := random.Float64(), random.Float64(), random.Float64()
		for x := range points {
			at := float64(x) / (points - 1)
			pairs.Inputs.At(i)[x] = p + 0.3*q*math.Sin(math.Pi*at) + 0.1*r*math.Cos(2*math.Pi*at)
			pairs.Outputs.At(i)[x] = math.Exp(-(0.5+3*q)*at) * math.Cos((4+8*p)*at+1.5*r)
		}
	}
	return pairs
}

func TestSmoothLawsHaveSmoothKernels(t *testing.T) {
	const count = 200
	pairs := oscillations(count + 100)
	train, test := pairs.Range(0, count), pairs.Range(count, 100)
	k := methodtest.Must(kernelRidge(t.Context(), train, operator.Options{Workers: 2}, MostExact)).Operator.(*KernelRidge)
	p := methodtest.Must(newKernelProblem(t.Context(), train, expansion.NewPrincipal, "", 2))
	q, _, err := p.choose(t.Context(), Parameters{Profile: matern, Modes: len(p.inputs.Variances), Length: 1, Ridge: 1e-8},
		p.ladders(), 2)
	if err != nil {
		t.Fatal(err)
	}
	e, rough := methodtest.Relative(t, k, test), methodtest.Relative(t, methodtest.Must(p.fit(t.Context(), q, 2)), test)
	if k.Profile != gaussian || e > rough/2 || e > 3*k.LeaveOneOut() {
		t.Errorf("%v: test error %.2g, leave-one-out %.2g; with %v %.2g", k, e, k.LeaveOneOut(), matern, rough)
	}
}
