package feature

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"rfm/model/learn/ridge"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/darcy"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// Tolerances of the golden experiment: other code for the same formulas, so only rounding may differ; coefficients are
// worse by the condition number of the system, 218.
const (
	intermediateTolerance = 1e-12
	coefficientTolerance  = 1e-11
)

func predictorOn(t testing.TB, p PredictorCorrector, r int) *predictorEvaluator {
	t.Helper()
	return must(p.On(context.Background(), r, 2)).(*predictorEvaluator)
}

// whole surrounds a field inside by zeros.
func whole(inside []float64) []float64 {
	n := grid.Square.PointsOf(inside)
	f := make([]float64, (n+2)*(n+2))
	for i := range n {
		copy(f[(i+1)*(n+2)+1:], inside[i*n:(i+1)*n])
	}
	return f
}

// inverse returns the field with the given sine coefficients.
func (e *predictorEvaluator) inverse(coefficients []float64) []float64 {
	f := make([]float64, e.Points())
	e.flow.poisson.Sine(f, coefficients)
	return whole(f)
}

// normal sums the normal equations through the training path; row k of the result's features is one sine coefficient.
func normal(t testing.TB, e *predictorEvaluator, inputs, outputs grid.Batch) (gram *linalg.Symmetric, rhs []float64,
	features *linalg.Panels) {
	t.Helper()
	m, points := e.Count(), e.Points()
	features, gram, rhs = linalg.NewPanels(inputs.Count*points, m), linalg.NewSymmetric(m), make([]float64, m)
	prepared := must(e.Prepare(inputs))
	targets, s := e.Targets(outputs), e.flow.newScratch()
	for i := range inputs.Count {
		for g := range Groups(e.count) {
			e.train(features, i*points, g, prepared[i*e.input:(i+1)*e.input], targets[i*points:(i+1)*points], rhs, s)
		}
	}
	gram.RankUpdate(context.Background(), features, inputs.Count*points, 1)
	gram.Scale(e.Weight() / float64(m))
	for j := range rhs {
		rhs[j] *= e.Weight()
	}
	return gram, rhs, features
}

// column returns feature j of sample i as a field.
func column(e *predictorEvaluator, features *linalg.Panels, i, j int) []float64 {
	c := make([]float64, e.Points())
	for k := range c {
		c[k] = features.Panel(j / 4)[4*(i*len(c)+k)+j%4]
	}
	return e.inverse(c)
}

func expectClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	var d, n float64
	for i := range want {
		d += (got[i] - want[i]) * (got[i] - want[i])
		n += want[i] * want[i]
	}
	if e := math.Sqrt(d / n); !(e <= tolerance) {
		t.Errorf("%s: relative difference %.2g", what, e)
	}
}

// paperThreshold returns sigma with the paper's limits 1/12 and -1/3 and width 0.15.
func paperThreshold() Threshold { return Threshold{Plus: 1. / 12, Minus: -1. / 3, Delta: 0.15} }

// paperMollifier returns the mollifier of the paper's computations: 33 steps of 0.03 with diffusivity 1e-4.
func paperMollifier() Mollifier { return Mollifier{Eta: 1e-4, Step: 0.03, Steps: 33} }

// paperPredictor has m features with theta drawn on R x R points.
func paperPredictor(m, R int) PredictorCorrector {
	return PredictorCorrector{Threshold: paperThreshold(), Mollifier: paperMollifier(), Source: darcy.Constant(1),
		Theta: drawnPairs(grf.Measure{Tau: 7.5, Alpha: 2, Axis: 2, Space: grid.Square}, 1, m, R)}
}

// permeabilities returns two-valued inputs on r x r points.
func permeabilities(count, r int) grid.Batch {
	a := grid.NewBatch(grid.Square, r, count)
	grf.Measure{Tau: 3, Alpha: 2, Axis: 2, Space: grid.Square}.On(r).Draw(a, 1, draw.InputTrain, 0)
	darcy.LevelSet{Plus: 12, Minus: 3}.Apply(a.Data)
	return a
}

func TestTrainingPathIsTheDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, c := range []struct{ m, r, R, sweeps int }{{5, 17, 33, 0}, {9, 33, 65, 1}, {5, 65, 65, 1}, {2, 3, 33, 1},
		{3, 12, 23, 1}, {2, 25, 25, 1}, {5, 17, 33, 2}, {6, 33, 65, 5}, {3, 12, 23, 3}} {
		p, a := paperPredictor(c.m, c.R), permeabilities(2, c.r)
		p.Sweeps = c.sweeps
		e := predictorOn(t, p, c.r)
		_, _, features := normal(t, e, a, a)
		for i := range a.Count {
			for j := range c.m {
				want := must(p.Values(j, a.At(i)))
				expectClose(t, fmt.Sprintf("r = %d, %d sweeps, input %d, feature %d", c.r, c.sweeps, i, j),
					column(e, features, i, j), want, intermediateTolerance)
			}
		}
	}
}

func TestCollapsedModelIsTheSumOfFeatures(t *testing.T) {
	for _, c := range []struct{ m, r, R, sweeps int }{{19, 17, 33, 0}, {7, 33, 65, 1}, {18, 65, 65, 1}, {17, 12, 23, 1},
		{19, 17, 33, 2}, {7, 33, 65, 5}} {
		p, a := paperPredictor(c.m, c.R), permeabilities(1, c.r)
		p.Sweeps = c.sweeps
		alpha, evaluator := sines(c.m), predictorOn(t, p, c.r)
		for _, m := range []int{c.m / 2, c.m} {
			first := p.Select(ridge.Others(nil, m)).(PredictorCorrector)
			want, got := make([]float64, c.r*c.r), make([]float64, c.r*c.r)
			for j := range m {
				phi := must(p.Values(j, a.At(0)))
				for x, v := range phi {
					want[x] += alpha[j] / float64(m) * v
				}
			}
			for name, model := range map[string]*collapsedEvaluator{
				"of all grids": must(collapsed(t, first, alpha[:m], 2).On(c.r)),
				"of one grid":  evaluator.trained(alpha[:m])} {
				if err := model.Predict(got, a.At(0), model.flow.newScratch()); err != nil {
					t.Fatal(err)
				}
				expectClose(t, fmt.Sprintf("model %s, r = %d, %d sweeps, the first %d features", name, c.r, c.sweeps, m), got, want,
					intermediateTolerance)
			}
		}
	}
}

func collapsed(t *testing.T, p PredictorCorrector, alpha []float64, workers int) *Collapsed {
	return must(p.Trained(t.Context(), alpha, workers)).(*Collapsed)
}

// euler returns the definition of the mollifier, step by step.
func euler(m Mollifier, a []float64) []float64 {
	r := grid.Square.PointsOf(a)
	mirror := func(i int) int {
		if i < 0 {
			return 1
		}
		if i == r {
			return r - 2
		}
		return i
	}
	v, c := slices.Clone(a), m.Step*m.Eta*float64((r-1)*(r-1))
	for range m.Steps {
		next := make([]float64, r*r)
		for i := range r {
			for j := range r {
				sum := v[mirror(i-1)*r+j] + v[mirror(i+1)*r+j] + v[i*r+mirror(j-1)] + v[i*r+mirror(j+1)]
				next[i*r+j] = v[i*r+j] + c*(sum-4*v[i*r+j])
			}
		}
		v = next
	}
	return v
}

func TestMollifierIsExplicitEuler(t *testing.T) {
	for _, r := range []int{3, 12, 33, 257} {
		for _, steps := range []int{0, 1, 33} {
			m := paperMollifier()
			m.Steps = steps
			flow := newFlow(m, darcy.Constant(1), r)
			a, got := permeabilities(1, r), make([]float64, r*r)
			flow.mollify(got, a.Data)
			expectClose(t, fmt.Sprintf("r = %d, %d steps", r, steps), got, euler(m, a.Data), intermediateTolerance)
		}
	}
}

func TestWorkersAndGroupingDoNotChangePredictorFeatures(t *testing.T) {
	const m, r, R = 13, 17, 33
	p, a := paperPredictor(m, R), permeabilities(3, r)
	gram, rhs, _ := normal(t, predictorOn(t, p, r), a, a)
	for _, workers := range []int{1, 3, 8} {
		e := must(p.On(t.Context(), r, workers)).(*predictorEvaluator)
		other, b, _ := normal(t, e, a, a)
		if !slices.Equal(gram.Dense(), other.Dense()) || !slices.Equal(rhs, b) {
			t.Errorf("%d workers change the normal equations", workers)
		}
	}
	one := collapsed(t, p, rhs, 1)
	for _, workers := range []int{2, 5} {
		model := collapsed(t, p, rhs, workers)
		if !slices.Equal(one.Sigma1, model.Sigma1) || !slices.Equal(one.Sigma2, model.Sigma2) {
			t.Errorf("%d workers change the model", workers)
		}
	}
}

func TestMorePredictorFeaturesKeepTheFirst(t *testing.T) {
	const r, R = 17, 33
	a := permeabilities(2, r)
	_, few, _ := normal(t, predictorOn(t, paperPredictor(5, R), r), a, a)
	_, many, _ := normal(t, predictorOn(t, paperPredictor(18, R), r), a, a)
	if !slices.Equal(few, many[:5]) {
		t.Error("the first 5 of 18 features are not the 5 features")
	}
}

// On the grids of the paper steps are not divided; on finer ones the parts of a step solve the heat equation for the
// same time, and no mode changes its sign.
func TestMollifierIsStableOnEveryGrid(t *testing.T) {
	m := paperMollifier()
	for _, n := range []int{16, 32, 64, 128, 256} {
		if c, steps := m.factors(n); c != m.Step*m.Eta*float64(n*n) || steps != 33 {
			t.Errorf("%d intervals: %g, %g steps", n, c, steps)
		}
	}
	for _, n := range []int{420, 512, 2048} {
		c, steps := m.factors(n)
		if c <= 0 || 1-8*c < 0 {
			t.Errorf("%d intervals: modes change their sign with %g", n, c)
		}
		for _, k := range []float64{1, 5, 20} {
			d := 2 - 2*math.Cos(math.Pi*k/float64(n))
			got, want := math.Pow(1-c*d, steps), math.Exp(-m.Eta*m.Step*float64(m.Steps)*math.Pi*math.Pi*k*k)
			if math.Abs(got-want) > 0.01*want {
				t.Errorf("%d intervals, mode %g: %g, want %g", n, k, got, want)
			}
		}
	}
}

func TestUnusablePredictorDataAreErrors(t *testing.T) {
	const R = 33
	p := paperPredictor(2, R)
	e := predictorOn(t, p, 17)
	bad := permeabilities(2, 17)
	bad.At(1)[20] = -1
	_, negative := e.Prepare(bad)
	_, divide := p.On(t.Context(), 18, 1)
	for name, err := range map[string]error{"negative permeability": negative, "grid": divide} {
		var data *fault.Data
		if !errors.As(err, &data) {
			t.Errorf("%s: %v is not a *fault.Data", name, err)
		}
	}
}

// With motions of the square features commute with them, both in training and as a trained model.
func TestPredictorFeaturesCommuteWithMotions(t *testing.T) {
	const m, r, R = 3, 9, 17
	p, a := paperPredictor(m, R), permeabilities(1, r)
	p.Motions = grid.Square.Motions()
	e := predictorOn(t, p, r)
	for _, motion := range p.Motions {
		image := a.Moved(motion)
		_, _, features := normal(t, e, image, image)
		for j := range m {
			phi := must(p.Values(j, a.At(0)))
			expectClose(t, fmt.Sprintf("feature %d, %+v", j, motion), column(e, features, 0, j),
				grid.BatchOf(grid.Square, r, phi).Moved(motion).Data, intermediateTolerance)
		}
		model := collapsed(t, p, []float64{1, -2, 3}, 1)
		u, v := must(model.Predict(t.Context(), nil, a, 1, nil)), must(model.Predict(t.Context(), nil, image, 1, nil))
		expectClose(t, fmt.Sprintf("model, %+v", motion), v.Data, u.Moved(motion).Data, intermediateTolerance)
	}
}
