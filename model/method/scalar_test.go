package method

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/draw"
)

// scalars is the problem of some pairs with few features, and parameters for them.
func scalars(t *testing.T, pairs dataset.Pairs, features, tail int) (*scalarProblem, ScalarParameters) {
	t.Helper()
	k, err := newKernelProblem(pairs, pairs.Outputs, newFrequencies)
	if err != nil {
		t.Fatal(err)
	}
	return &scalarProblem{k, newDraws(1, len(k.inputs.variances)).first(features), newImages(pairs, "")},
		ScalarParameters{Tail: tail,
			Parameters: Parameters{Modes: len(k.inputs.variances), Cutoff: 2, Decay: 1, Length: 1, Ridge: 1e-3}}
}

// ridgeByDefinition is regression on given features, one normal equation after the other.
func ridgeByDefinition(t *testing.T, phi *mat.Dense, u *mat.Dense, ridge float64) *mat.Dense {
	t.Helper()
	n, m := phi.Dims()
	one := mat.NewDense(n, m+1, nil)
	for i := range n {
		one.SetRow(i, append([]float64{1}, phi.RawRowView(i)...))
	}
	var gram, right, c mat.Dense
	gram.Mul(one.T(), one)
	for j := range m + 1 {
		gram.Set(j, j, gram.At(j, j)+ridge)
	}
	right.Mul(one.T(), u)
	if err := c.Solve(&gram, &right); err != nil {
		t.Fatal(err)
	}
	return &c
}

// Both ways to solve give the coefficients of the definition, and what they say of pairs that are left out is what
// retraining without them gives.
func TestScalarFeaturesAreRidgeRegression(t *testing.T) {
	pairs := burgers(t, draw.InputTrain, 24, 17)
	for _, tail := range tailLadder {
		p, q := scalars(t, pairs, 40, tail)
		directions, dual, score, err := p.dual(t.Context(), q, 2)
		if err != nil {
			t.Fatal(err)
		}
		phi, err := p.features(t.Context(), q, directions, counted(24), 1)
		if err != nil {
			t.Fatal(err)
		}
		u := mat.NewDense(24, 17, pairs.Outputs.Data)
		want := ridgeByDefinition(t, phi, u, q.Ridge)
		if d := distanceOf(dual, want); d > conditioned {
			t.Errorf("tail %d: coefficients are %g from those of the definition", tail, d)
		}
		gram, products, err := p.sums(t.Context(), q, directions, 2)
		if err != nil {
			t.Fatal(err)
		}
		factor := factored(t, gram, q.Ridge)
		primal, left, err := p.leave(t.Context(), factor, products, phi, counted(24), 2)
		if err != nil {
			t.Fatal(err)
		}
		if d := distanceOf(primal, want); d > conditioned {
			t.Errorf("tail %d: coefficients of the sums are %g from those of the definition", tail, d)
		}
		brute := 0.0
		for i := range 24 {
			var rest, outputs []float64
			for j := range 24 {
				if j != i {
					rest = append(rest, phi.RawRowView(j)...)
					outputs = append(outputs, u.RawRowView(j)...)
				}
			}
			c := ridgeByDefinition(t, mat.NewDense(23, 40, rest), mat.NewDense(23, 17, outputs), q.Ridge)
			missed := 0.0
			for x, v := range u.RawRowView(i) {
				v -= c.At(0, x)
				for j, f := range phi.RawRowView(i) {
					v -= f * c.At(1+j, x)
				}
				missed += p.weights[x] * v * v
			}
			brute += math.Sqrt(missed) / p.sizes[i] / 24
		}
		if math.Abs(score-brute) > conditioned*brute || math.Abs(left-brute) > conditioned*brute {
			t.Errorf("tail %d: leave-one-out %.12g and %.12g, by retraining %.12g", tail, score, left, brute)
		}
	}
}

// The more features, the closer their products are to the kernel of their distribution.
func TestScalarFeaturesHaveTheirKernel(t *testing.T) {
	kernels := map[int]func(d float64) float64{
		0: func(d float64) float64 { return math.Exp(-d * d / 2) },
		1: func(d float64) float64 { return math.Exp(-d) },
		3: func(d float64) float64 { d *= math.Sqrt(3); return (1 + d) * math.Exp(-d) },
		5: func(d float64) float64 { return kernel(d) - 1 },
	}
	pairs := burgers(t, draw.InputTrain, 12, 17)
	for tail, want := range kernels {
		p, q := scalars(t, pairs, scalarFeatures, tail)
		phi, err := p.features(t.Context(), q, p.directions(tail), counted(12), 2)
		if err != nil {
			t.Fatal(err)
		}
		points := q.points(p.inputs, p.coefficients)
		for i := range 12 {
			for j := range 12 {
				got := mat.Dot(phi.RowView(i), phi.RowView(j))
				if w := want(floats.Distance(points.RawRowView(i), points.RawRowView(j),
					2)); math.Abs(got-w) > 6/math.Sqrt(scalarFeatures) {
					t.Fatalf("tail %d: product of features of inputs %d and %d is %.4f, want about %.4f", tail, i, j, got, w)
				}
			}
		}
	}
}

// More pairs than features: the sums take the place of the matrix of pairs.
func TestScalarFeaturesTakeManyPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("sums over thousands of pairs")
	}
	n := scalarFeatures + 1000
	pairs := smooth(n+100, 17, func(dst, a []float64) {
		for x, v := range a {
			dst[x] = 1 + math.Sin(3*v)*float64(x)
		}
	})
	s, err := ScalarFeatures(t.Context(), pairs.Range(0, n), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	few, err := ScalarFeatures(t.Context(), pairs.Range(0, 300), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	many, little := relative(t, s, pairs.Range(n, 100)), relative(t, few, pairs.Range(n, 100))
	if ratio := s.LeaveOneOut() / many; many > little/1.5 || ratio < 0.8 || ratio > 1.25 {
		t.Errorf("error with %d pairs %.5f, leave-one-out %.5f; with 300 pairs %.5f", n, many, s.LeaveOneOut(), little)
	}
}

// distanceOf is the largest difference of two matrices.
func distanceOf(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, math.Inf(1))
}

func factored(t *testing.T, s *linalg.Symmetric, ridge float64) *linalg.Cholesky {
	t.Helper()
	f, err := linalg.Factor(t.Context(), s, ridge, 1)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
