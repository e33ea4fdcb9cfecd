package invert

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/feature"
	"rfm/model/learn/method"
	"rfm/model/learn/operator"
	"rfm/model/learn/random"
	"rfm/model/learn/rfm"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/num/activation"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

const points = 17

var law = grf.Measure{Tau: 3, Alpha: 2, Space: grid.Torus}

// drawn returns functions of the law.
func drawn(seed uint64, count int) grid.Batch {
	b := grid.NewBatch(grid.Torus, points, count)
	law.On(points).Draw(b, seed, draw.InputTrain, 0)
	return b
}

// linear returns the operator a -> a(x + 1/4), learned.
func linear(t *testing.T) operator.Operator {
	t.Helper()
	pairs := dataset.Pairs{Inputs: drawn(1, 40), Outputs: drawn(1, 40)}
	for i := range pairs.Count() {
		for x := range points {
			pairs.Outputs.At(i)[x] = pairs.Inputs.At(i)[(x+4)%(points-1)]
		}
	}
	m, _ := method.Named("linear", random.Random{})
	return must(m.Train(t.Context(), pairs, operator.Options{Workers: 1}))
}

func solve(t *testing.T, task Task) Found { return must(task.Solve(t.Context())) }

// The posterior of a linear operator is Gaussian, and known.
func TestLinearOperatorsHaveTheGaussianPosterior(t *testing.T) {
	const s = 0.1
	places := []Place{{0.03}, {0.31}, {0.5}, {0.77}, {0.98}}
	task := Task{Operator: linear(t), Prior: law.On(points), Points: points, Places: places, Deviation: s,
		Values: []float64{0.4, -0.2, 0.1, 0.3, -0.5}, Chains: 16, Steps: 400, Seed: 1, Workers: 2}
	found := solve(t, task)

	covariance, n := mat.NewDense(points, points, nil), float64(points-1)
	for x := range points { // of a
		for y := range points {
			sum := 0.0
			for j := 1; 2*j < points-1; j++ {
				sum += 2 * law.Eigenvalue(0, j) * math.Cos(2*math.Pi*float64(j*(x-y))/n)
			}
			covariance.Set(x, y, sum)
		}
	}
	h, observer := mat.NewDense(len(places), points, nil), newObserver(grid.Torus, points, places)
	for i := range places {
		for k, index := range observer.indices[i] {
			h.Set(i, (index+4)%(points-1), observer.weights[i][k])
		}
	}
	var gain, system, cross, mean, taken mat.Dense
	cross.Mul(covariance, h.T())
	system.Mul(h, &cross)
	for i := range places {
		system.Set(i, i, system.At(i, i)+s*s)
	}
	if err := gain.Solve(&system, mat.NewDense(len(places), 1, task.Values)); err != nil {
		t.Fatal(err)
	}
	mean.Mul(&cross, &gain)
	gain.Reset()
	if err := gain.Solve(&system, cross.T()); err != nil {
		t.Fatal(err)
	}
	taken.Mul(&cross, &gain)
	if !found.Probable || found.Accepted < 0.99 || found.Mixing > 1.02 {
		t.Errorf("%+v", found)
	}
	for x := range points {
		deviation := math.Sqrt(covariance.At(x, x) - taken.At(x, x))
		if d := math.Abs(found.Best.Data[x] - mean.At(x, 0)); d > 1e-6 {
			t.Errorf("point %d: most probable is %g, want %g", x, found.Best.Data[x], mean.At(x, 0))
		}
		if d := math.Abs(found.Mean.Data[x] - mean.At(x, 0)); d > 0.05*deviation {
			t.Errorf("point %d: the samples' mean is %g, want %g", x, found.Mean.Data[x], mean.At(x, 0))
		}
		if math.Abs(found.Deviation.Data[x]/deviation-1) > 0.05 {
			t.Errorf("point %d: deviation %g, want %g", x, found.Deviation.Data[x], deviation)
		}
	}
}

// features returns a model that is not linear.
func features(t *testing.T) operator.Operator {
	t.Helper()
	const m = 8
	theta := must(feature.Draw(t.Context(), grf.Measure{Tau: 5, Alpha: 2, Space: grid.Torus}, 1, m, points, 1))
	sigma, _ := activation.ByName("tanh")
	f := feature.Spectral{Filter: feature.Filter{Delta: 0.02, Beta: 4}, Activation: sigma, Gain: 30, M: m, Theta: theta}
	return &random.Features{Map: must(f.Trained(t.Context(), nil, 1)),
		Solution: rfm.Solution{Alpha: []float64{9, -7, 5, 8, -6, 4, -9, 3}}}
}

// smooth returns a task with observations of a model's output for a known input.
func smooth(t *testing.T, noise float64) (Task, grid.Batch) {
	t.Helper()
	o, input := features(t), drawn(3, 1)
	u := must(o.Predict(t.Context(), input, 1, nil))
	task := Task{Operator: o, Prior: law.On(points), Points: points, Deviation: noise, Chains: 8, Steps: 100, Seed: 1,
		Workers: 2}
	for i := range 10 {
		task.Places = append(task.Places, Place{(float64(i) + 0.2) / 10})
	}
	task.Values = Observe(u, task.Places)[0]
	return task, input
}

// No other function has a larger density than the most probable one; nor do samples' means depend on their proposals.
func TestMostProbableInput(t *testing.T) {
	task, _ := smooth(t, 0.05)
	found := solve(t, task)
	s := &solver{Task: task, observe: newObserver(grid.Torus, points, task.Places)}
	potential := func(a grid.Batch) float64 {
		u := must(task.Operator.Predict(t.Context(), a, 1, nil))
		spectrum, square := make([]complex128, points), 0.0
		for k := range (points - 1) / 2 {
			for x := range points - 1 {
				angle := 2 * math.Pi * float64(k*x) / (points - 1)
				spectrum[k] += complex(a.Data[x]*math.Cos(angle), -a.Data[x]*math.Sin(angle)) / (points - 1)
			}
			if k > 0 {
				size := real(spectrum[k])*real(spectrum[k]) + imag(spectrum[k])*imag(spectrum[k])
				square += 2 * size / law.Eigenvalue(0, k)
			}
		}
		return s.misfit(u.At(0))/(2*task.Deviation*task.Deviation) + square/2
	}
	least, directions := potential(found.Best), drawn(9, 20)
	for i := range directions.Count {
		for _, h := range []float64{1e-2, -1e-2} {
			if v := potential(found.Best.Plus(h, directions.At(i))); v < least {
				t.Errorf("direction %d: %.9g is below %.9g", i, v, least)
			}
		}
	}
	if start := potential(found.Best.Like(1)); start < 2*least {
		t.Errorf("from %g to %g: the test shows nothing", start, least)
	}
}

// The posterior does not depend on the reference of the proposals: the prior is correct, too, but slower.
func TestSamplesDoNotDependOnTheReference(t *testing.T) {
	task, _ := smooth(t, 0.3)
	task.Chains, task.Steps = 32, 1500
	if testing.Short() {
		task.Steps = 700
	}
	informed := solve(t, task)
	task.Input = func([]float64) {} // without known leading functions
	blind := solve(t, task)
	if !informed.Probable || blind.Probable || informed.Accepted < 0.2 {
		t.Errorf("probable: %t and %t, accepted %g", informed.Probable, blind.Probable, informed.Accepted)
	}
	for x := range points {
		d := informed.Deviation.Data[x]
		if off := math.Abs(informed.Mean.Data[x] - blind.Mean.Data[x]); off > 0.2*d {
			t.Errorf("point %d: means %g and %g, deviation %g", x, informed.Mean.Data[x], blind.Mean.Data[x], d)
		}
		if ratio := blind.Deviation.Data[x] / d; ratio < 0.85 || ratio > 1.15 {
			t.Errorf("point %d: deviations %g and %g", x, d, blind.Deviation.Data[x])
		}
	}
}

// Values with hardly any weight leave the prior unchanged; others pull the samples to them.
func TestLevelSets(t *testing.T) {
	task, input := smooth(t, 100)
	task.Input = func(g []float64) {
		for x, v := range g {
			g[x] = math.Copysign(1, v)
		}
	}
	task.Steps, task.Chains = 400, 32
	found := solve(t, task)
	for x := range points {
		if math.Abs(found.Mean.Data[x]) > 0.15 || math.Abs(found.Deviation.Data[x]-1) > 0.1 {
			t.Errorf("point %d: mean %g, deviation %g, want 0 and 1", x, found.Mean.Data[x], found.Deviation.Data[x])
		}
	}
	task.Input(input.Data)
	u := must(task.Operator.Predict(t.Context(), input, 1, nil))
	task.Values, task.Deviation = Observe(u, task.Places)[0], 0.02*math.Sqrt(grid.Torus.Inner(u.At(0), u.At(0)))
	if found = solve(t, task); found.Probable || found.Status != sampled || found.Misfit > 2*task.Deviation {
		t.Errorf("the best sample misses the values by %g, noise is %g", found.Misfit, task.Deviation)
	}
	for _, v := range found.Samples.Data {
		if v*v != 1 {
			t.Fatalf("a sample has the value %g", v)
		}
	}
}

func TestWorkersDoNotChangeWhatIsFound(t *testing.T) {
	task, _ := smooth(t, 0.1)
	task.Steps, task.Workers = 10, 1
	one := solve(t, task)
	task.Workers = 3
	three := solve(t, task)
	if !slices.Equal(one.Best.Data, three.Best.Data) || !slices.Equal(one.Samples.Data, three.Samples.Data) ||
		!slices.Equal(one.Mean.Data, three.Mean.Data) {
		t.Error("3 workers find something else")
	}
}

func TestNothingToInvert(t *testing.T) {
	task, _ := smooth(t, 0)
	var data *fault.Data
	if _, err := task.Solve(t.Context()); !errors.As(err, &data) {
		t.Errorf("without noise: %v", err)
	}
	task, _ = smooth(t, 0.1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := task.Solve(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Interpolation between points is exact for cubic polynomials.
func TestObservations(t *testing.T) {
	cubic := func(x, y float64) float64 { return 1 - 2*x*x*x + 3*x*y*y - y*y*y }
	for _, d := range []grid.Domain{grid.Interval, grid.Square, {Dims: 2, Cells: true}} {
		f := grid.NewBatch(d, 7, 1)
		rows, columns := d.Axes(7)
		half := 0.0
		if d.Cells {
			half = 0.5
		}
		for x := range f.Data {
			first, second := (float64(x/columns)+half)/float64(d.Intervals(max(2, rows))),
				(float64(x%columns)+half)/float64(d.Intervals(columns))
			if d.Dims == 1 {
				first, second = second, 0
			}
			f.Data[x] = cubic(first, second)
		}
		places := []Place{{0, 0}, {0.13, 0.7}, {0.5, 0.5}, {1, 0.99}}
		if d.Dims == 1 {
			places = []Place{{0}, {0.13}, {0.5}, {1}}
		}
		for i, v := range Observe(f, places)[0] {
			if want := cubic(places[i][0], places[i][1]); math.Abs(v-want) > 1e-12 {
				t.Errorf("%s, place %v: %g, want %g", d.Name(), places[i], v, want)
			}
		}
	}
	f := drawn(1, 1)
	o := newObserver(grid.Torus, points, []Place{{0.98}, {0}, {1}})
	if o.at(1, f.At(0)) != f.Data[0] || o.at(2, f.At(0)) != f.Data[0] {
		t.Error("periodic functions have other values at their ends")
	}
}

// squared is an operator whose derivative vanishes at 0.
type squared struct{ operator.Operator }

func (s squared) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(int)) (grid.Batch, error) {
	u, err := s.Operator.Predict(ctx, inputs, workers, progress)
	for x, v := range u.Data {
		u.Data[x] = v * v
	}
	return u, err
}

// The most probable input is no stationary point from which samples are far more probable: u = a(x + 1/4)^2 has one at
// a = 0, where a search without another start ends after one step.
func TestStationaryPointsAreNotTheMostProbableInput(t *testing.T) {
	o := squared{linear(t)}
	input := drawn(3, 1)
	u := must(o.Predict(t.Context(), input, 1, nil))
	for seed := range uint64(4) {
		task := Task{Operator: o, Prior: law.On(points), Points: points, Deviation: 0.05, Chains: 8, Steps: 100, Seed: seed,
			Workers: 2}
		for i := range 10 {
			task.Places = append(task.Places, Place{(float64(i) + 0.2) / 10})
		}
		task.Values = Observe(u, task.Places)[0]
		found := solve(t, task)
		if found.Status != converged || !found.Probable {
			t.Errorf("seed %d: status %s, most probable %t", seed, found.Status, found.Probable)
		}
		s := &solver{Task: task, observe: newObserver(grid.Torus, points, task.Places)}
		outputs := must(o.Predict(t.Context(), found.Samples, 1, nil))
		for i := range found.Samples.Count {
			if sample := math.Sqrt(s.misfit(outputs.At(i)) / 10); found.Misfit > 2*sample+task.Deviation {
				t.Errorf("seed %d: the most probable input misses by %.3g, sample %d by %.3g", seed, found.Misfit, i, sample)
			}
		}
	}
}

// Deviations are those of the inputs, also where they are far smaller than the mean.
func TestDeviationsOfNarrowPosteriors(t *testing.T) {
	const mean, deviation, steps = 1e6, 1e-3, 1000
	m := newMoments(grid.NewBatch(grid.Torus, 3, 4))
	for step := range steps {
		m.count++
		for chain := range 4 {
			v := mean + deviation*draw.Stream(1, "narrow", step*4+chain).NormFloat64()
			m.add(chain, []float64{v, v, v})
		}
	}
	_, found, reduction := m.summary()
	if got := found.Data[0]; math.Abs(got/deviation-1) > 0.05 || math.Abs(reduction-1) > 0.05 {
		t.Errorf("deviation %g, want %g; potential scale reduction %g, want 1", got, deviation, reduction)
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
