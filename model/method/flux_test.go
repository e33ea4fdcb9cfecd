package method

import (
	"errors"
	"math"
	"strings"
	"testing"

	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// flows are permeabilities, of two values or log-normal, with pressures that are computed with arithmetic means on a
// grid that is finer by a factor, or on the same one with harmonic means, and multiplied with 2.
func flows(t *testing.T, count, r, finer int, two bool) dataset.Pairs {
	t.Helper()
	e := darcy.Paper()
	if finer == 1 {
		e.Mean = darcy.Harmonic
	}
	fine := finer*(r-1) + 1
	a := grid.NewBatch(grid.Square, fine, count)
	grf.NewNeumannSampler(grf.Neumann{Tau: 3, Alpha: 3, Axis: 2}, fine).Draw(a, 1, draw.InputTrain, 0)
	if two {
		darcy.LevelSet{Plus: 12, Minus: 3}.Apply(a.Data)
	} else {
		for x, g := range a.Data {
			a.Data[x] = math.Exp(2 * g)
		}
	}
	u := a.Like(count)
	worker := darcy.New(e, fine).NewWorker()
	for i := range count {
		if err := worker.Solve(t.Context(), u.At(i), a.At(i), "test"); err != nil {
			t.Fatal(err)
		}
	}
	for x := range u.Data {
		u.Data[x] *= 2
	}
	pairs, err := dataset.Pairs{Inputs: a, Outputs: u}.Restrict(r)
	if err != nil {
		t.Fatal(err)
	}
	return pairs
}

// A law that is among those that can be fitted is found, and the size of the source.
func TestFluxesFindHarmonicMeans(t *testing.T) {
	pairs := flows(t, 20, 9, 1, true)
	f, err := FitFluxes(t.Context(), pairs.Range(0, 12), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if e := relative(t, f, pairs.Range(12, 8)); e > 3e-4 || f.leaveOneOut > 3e-4 {
		t.Errorf("error %.3g, leave-one-out %.3g", e, f.leaveOneOut)
	}
}

// On a grid that does not resolve the permeability, what is fitted is better than both means.
func TestFluxesAreBetterThanMeans(t *testing.T) {
	const n = 24
	for name, two := range map[string]bool{"two values": true, "log-normal": false} {
		pairs := flows(t, n+16, 9, 4, two)
		f, err := FitFluxes(t.Context(), pairs.Range(0, n), Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		fitted := relative(t, f, pairs.Range(n, 16))
		for _, mean := range []darcy.Mean{darcy.Arithmetic, darcy.Harmonic} {
			e := darcy.Paper()
			e.Mean, e.Source = mean, darcy.Constant(2)
			worker := darcy.New(e, 9).NewWorker()
			solved := relative(t, direct(func(dst, a []float64) {
				if err := worker.Solve(t.Context(), dst, a, "test"); err != nil {
					t.Fatal(err)
				}
			}), pairs.Range(n, 16))
			if fitted > 0.95*solved {
				t.Errorf("%s: error %.4f, with mean %d %.4f", name, fitted, mean, solved)
			}
		}
		if f.leaveOneOut > 2*fitted || f.leaveOneOut < fitted/2 {
			t.Errorf("%s: leave-one-out %.4f, error %.4f", name, f.leaveOneOut, fitted)
		}
	}
}

// The closed form is exact for the equation linearised at the fit.
func TestFluxLeaveOneOutIsRetraining(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs, terms := flows(t, 10, 7, 4, true), orbits(2, 2)
	fit := func(some dataset.Pairs) *Flux {
		sizes, err := norms(some.Outputs)
		if err != nil {
			t.Fatal(err)
		}
		f := &Flux{place: placeOf(some), Closure: Closure{Centre: math.Log(6), Scale: math.Log(2), Tolerance: 1e-10}}
		p := &fluxProblem{some, sizes, 2}
		if err := errors.Join(p.begin(t.Context(), f), p.fit(t.Context(), f, terms)); err != nil {
			t.Fatal(err)
		}
		return f.prepare()
	}
	brute := leftOut(t, pairs, func(rest dataset.Pairs) predictor { return fit(rest) })
	if own := fit(pairs).leaveOneOut; math.Abs(own-brute) > 0.01*brute {
		t.Errorf("leave-one-out %.6g, by fitting again %.6g", own, brute)
	}
}

func TestFluxesCommuteWithTheSquare(t *testing.T) {
	pairs := flows(t, 12, 9, 2, false)
	f, err := FitFluxes(t.Context(), pairs, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	f.Tolerance = 1e-12
	f.prepare()
	one := pairs.Range(3, 1)
	u := predict(t, f, one.Inputs)
	for flip := range 4 {
		for turn := range 2 {
			moved, want := predict(t, f, one.Inputs.Moved(motion(flip, turn))), u.Moved(motion(flip, turn))
			if d := math.Sqrt(grid.Square.Distance2(moved.Data, want.Data)); d > 1e-10 {
				t.Errorf("motion %d %d: %.3g", flip, turn, d)
			}
		}
	}
}

func TestLawsArePolynomials(t *testing.T) {
	for i, want := range []int{3, 9, 24} {
		if got := len(orbits(laws[i].points, laws[i].degree)); got != want {
			t.Errorf("law %d has %d numbers, want %d", i, got, want)
		}
	}
	var law Law
	for s := range law {
		law[s] = math.Sin(float64(s))
	}
	value := func(l [around]float64) float64 {
		sum := 0.0
		for s, c := range law {
			for i, v := range l {
				if s>>i&1 == 1 {
					c *= v
				}
			}
			sum += c
		}
		return sum
	}
	l := [around]float64{0.3, -0.7, 1, -0.2, 0.9, 0.4}
	if got, want := law.at(&l), value(l); math.Abs(got-want) > 1e-13 {
		t.Errorf("value %.15g, want %.15g", got, want)
	}
}

func TestPairsOfOtherEquationsHaveNoFluxes(t *testing.T) {
	good := flows(t, 6, 7, 1, true)
	changed := func(change func(p dataset.Pairs)) dataset.Pairs {
		p := dataset.Pairs{Inputs: good.Inputs.Plus(0, good.Inputs.Mean()), Outputs: good.Outputs.Plus(0,
			good.Outputs.Mean())}
		change(p)
		return p
	}
	for want, pairs := range map[string]dataset.Pairs{
		"positive":        changed(func(p dataset.Pairs) { p.Inputs.At(2)[9] = -1 }),
		"on the boundary": changed(func(p dataset.Pairs) { p.Outputs.At(4)[3] = 0.1 }),
		"not solutions of": changed(func(p dataset.Pairs) {
			for x := range p.Outputs.Data {
				p.Outputs.Data[x] *= -1
			}
		}),
		"too few": good.Range(0, 2),
	} {
		_, err := FitFluxes(t.Context(), pairs, Options{Workers: 1})
		var data *fault.Data
		if !errors.As(err, &data) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	f, err := FitFluxes(t.Context(), good, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var data *fault.Data
	if _, err := f.Predict(t.Context(), good.Outputs.Range(0, 1), 1, nil); !errors.As(err, &data) {
		t.Errorf("an input with zeros: %v", err)
	}
}
