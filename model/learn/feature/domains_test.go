package feature

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

// drawnOn returns m features with a bias on a grid of the given intervals or cells.
func drawnOn(t testing.TB, d grid.Domain, m, intervals int) Spectral {
	t.Helper()
	sigma, _ := activation.ByName("tanh")
	measure := grf.Measure{Tau: 5, Alpha: 2.5, Axis: 2, Space: d}
	f := Spectral{Filter: Filter{Delta: 0.02, Beta: 4}, Activation: sigma, Gain: 20, M: m,
		Theta: must(Draw(t.Context(), measure, 1, m, pointsOf(d, intervals), 2))}
	f.Bias = DrawBias(0.5, 1, f.Theta.Count)
	return f
}

func pointsOf(d grid.Domain, intervals int) int { return intervals + 1 - d.Intervals(1) }

// every has m features on each domain, centred and not, with motions and without.
func every(t *testing.T, m int, test func(t *testing.T, f Spectral)) {
	t.Helper()
	for _, d := range grid.Domains() {
		f := drawnOn(t, d, m, 12)
		for name, c := range map[string]Spectral{
			"plain": f, "centred": {Centred: true}, "motions": {Symmetry: Symmetry{motions(d)}},
			"all": {Centred: true, Symmetry: Symmetry{motions(d)[:2]}},
		} {
			g := f
			g.Centred, g.Symmetry = c.Centred, c.Symmetry
			t.Run(fmt.Sprintf("%s, %v, %s", d.Name(), d.Aspect, name), func(t *testing.T) { test(t, g) })
		}
	}
}

// motions returns the largest group of a domain, on periodic ones that of the odd reflection.
func motions(d grid.Domain) []grid.Motion {
	if d.Square() && !d.Periodic {
		return d.Motions()
	}
	return d.Reflections(d.Periodic)
}

// inputsOn returns random functions with a mean.
func inputsOn(d grid.Domain, points, count int) grid.Batch {
	a := grid.NewBatch(d, points, count)
	grf.Measure{Tau: 3, Alpha: 2, Axis: math.Sqrt2, Space: d}.On(points).Draw(a, 1, draw.InputTrain, 0)
	return a.Plus(1, constants(a.Values()))
}

func constants(n int) []float64 { return slices.Repeat([]float64{2}, n) }

// defined returns feature j by its definition: sums over the waves, one by one, of inner products with them.
func defined(f Spectral, j int, a []float64, points int) []float64 {
	d := f.Domain()
	if f.Motions != nil {
		mean, one := make([]float64, len(a)), f
		one.Symmetry = Symmetry{}
		for _, m := range f.Motions {
			phi := grid.BatchOf(d, points, defined(one, j, grid.BatchOf(d, points, a).Moved(m).Data, points))
			for x, v := range phi.Moved(m.Inverse()).Data {
				mean[x] += v / float64(len(f.Motions))
			}
		}
		return mean
	}
	restricted, err := f.Theta.Range(j, 1).Restrict(points)
	if err != nil {
		panic(err)
	}
	theta := restricted.Data
	rows, columns := d.Axes(points)
	half := 0.0
	if d.Cells {
		half = 0.5
	}
	low1, high1, low2, high2 := 0, rows-1, 0, columns-1 // wave numbers
	if d.Periodic {
		low1, high1, low2, high2 = -(rows-1)/2+1-(rows-1)%2, (rows-1)/2, -(columns-1)/2+1-(columns-1)%2, (columns-1)/2
	}
	if d.Dims == 1 {
		low1, high1 = 0, 0
	}
	weights, argument := d.Weights(points), make([]float64, len(a))
	for k1 := low1; k1 <= high1; k1++ {
		for k2 := low2; k2 <= high2; k2++ {
			frequency, count := math.Hypot(float64(k1), d.Frequency(k2)), 1.0
			wave := make([]complex128, len(a))
			for x := range wave {
				t1, t2 := 0.0, (float64(x%columns)+half)/float64(d.Intervals(columns))
				if d.Dims == 2 {
					t1 = (float64(x/columns) + half) / float64(d.Intervals(rows))
				}
				if d.Periodic {
					wave[x] = cmplx.Exp(complex(0, 2*math.Pi*(float64(k1)*t1+float64(k2)*t2)))
				} else {
					wave[x] = complex(math.Cos(math.Pi*float64(k1)*t1)*math.Cos(math.Pi*float64(k2)*t2), 0)
				}
			}
			if !d.Periodic {
				frequency /= 2
				for _, k := range [][2]int{{k1, rows}, {k2, columns}} {
					if k[0] > 0 && (d.Cells || k[0] < k[1]-1) {
						count *= 2
					}
				}
			}
			var ak, tk complex128
			for x, w := range weights {
				ak += complex(w*a[x], 0) * cmplx.Conj(wave[x])
				tk += complex(w*theta[x], 0) * cmplx.Conj(wave[x])
			}
			factor := complex(f.Gain*count*f.AtFrequency(frequency), 0) * ak * tk
			for x := range argument {
				argument[x] += real(factor * wave[x])
			}
		}
	}
	mean := 0.0
	for x := range argument {
		if f.Bias != nil {
			argument[x] += f.Bias[j]
		}
	}
	f.Activation.Apply(argument)
	for x := range argument {
		mean += weights[x] * argument[x]
	}
	for x := range argument {
		if f.Centred {
			argument[x] -= mean
		}
	}
	return argument
}

const definitionTolerance = 1e-11 // of sums over some hundred points, gain 20

func TestFeaturesOnEveryDomainFollowTheDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const m = 9
	every(t, m, func(t *testing.T, f Spectral) {
		d := f.Domain()
		if len(f.Motions) > 4 {
			f.Motions = f.Motions[:4]
		}
		for _, divide := range []int{1, 2} {
			points := 12/divide + 1 - d.Intervals(1)
			a := inputsOn(d, points, 2)
			e := must(f.On(t.Context(), points, 2)).(*spectralEvaluator)
			input := prepare(e, a)
			alpha, want := make([]float64, m), make([]float64, a.Values())
			for _, j := range []int{0, 4, 8} { // the definition is slow
				alpha[j] = float64(j - 3)
				phi := defined(f, j, a.At(1), points)
				values := e.values(j, input[e.input:])
				expectClose(t, fmt.Sprintf("%s, feature %d", d.Grid(points), j), values, phi, definitionTolerance)
				if mean := d.Inner(values, constants(len(values))); f.Centred && math.Abs(mean) > 1e-14 {
					t.Errorf("feature %d has mean %g", j, mean/2)
				}
				for x, v := range phi {
					want[x] += alpha[j] * v / m
				}
			}
			for _, coefficients := range [][][]float64{{alpha}, {alpha[:5], alpha}} {
				u := must(e.Predict(t.Context(), coefficients, a, 2, nil))
				expectClose(t, "prediction on "+d.Grid(points), u[len(u)-1].At(1), want, definitionTolerance)
			}
		}
	})
}

// The sums of training, columns of features and their products with targets, are inner products.
func TestTrainingOnEveryDomainSumsInnerProducts(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const m = 9
	every(t, m, func(t *testing.T, f Spectral) {
		d, points := f.Domain(), 6+1-f.Domain().Intervals(1)
		a, u := inputsOn(d, points, 1), inputsOn(d, points, 2).Range(1, 1)
		e := must(f.On(t.Context(), points, 2)).(*spectralEvaluator)
		input, targets := prepare(e, a), e.Targets(u)
		features, rhs, train := linalg.NewPanels(e.Points(), m), make([]float64, m), e.NewTrainer()
		for g := range Groups(e.count) {
			train(features, 0, g, input, targets, rhs)
		}
		for j := range m {
			phi := e.values(j, input)
			expectClose(t, "right-hand side", []float64{rhs[j] * e.Weight()}, []float64{d.Inner(phi, u.At(0))}, 1e-10)
			for l := range m {
				got, psi := 0.0, e.values(l, input)
				for x := range e.Points() {
					got += features.Panel(j / 4)[4*x+j%4] * features.Panel(l / 4)[4*x+l%4]
				}
				expectClose(t, "product of features", []float64{got * e.Weight()}, []float64{d.Inner(phi, psi)}, 1e-10)
			}
		}
	})
}

// The first features are the same for every m, selected features are among the candidates, and neither the number of
// workers nor a bias of zero changes a bit.
func TestFeaturesDoNotDependOnOthers(t *testing.T) {
	for _, d := range grid.Domains() {
		const m = 11
		few, many := drawnOn(t, d, m, 12), drawnOn(t, d, 40, 12)
		a := inputsOn(d, few.Finest(), 19)
		values := func(f Spectral, j int) []float64 {
			e := on(t, f, a.Points)
			return e.values(j, prepare(e, a.Range(0, 1)))
		}
		indices := []int{17, 3, 20, 0, 4, 11, 8, 9, 1}
		for i, j := range indices {
			expectClose(t, fmt.Sprintf("%s: feature %d of the pool", d.Name(), j), values(many.Select(indices).(Spectral), i),
				values(many, j), fieldTolerance)
		}
		for _, j := range []int{0, 8, 10} {
			if !slices.Equal(values(few, j), values(many, j)) {
				t.Errorf("%s: feature %d of %d is not feature %d of 40", d.Name(), j, m, j)
			}
		}
		alpha := [][]float64{sines(m)}
		one, three := must(on(t, few, a.Points).Predict(t.Context(), alpha, a, 1, nil)),
			must(on(t, few, a.Points).Predict(t.Context(), alpha, a, 3, nil))
		if !slices.Equal(one[0].Data, three[0].Data) {
			t.Errorf("%s: 3 workers change predictions", d.Name())
		}
		without, zero := few, few
		without.Bias, zero.Bias = DrawBias(0, 1, m), make([]float64, few.Theta.Count)
		if !slices.Equal(values(without, 3), values(zero, 3)) {
			t.Errorf("%s: a bias of zero changes features", d.Name())
		}
	}
}

func sines(m int) []float64 {
	alpha := make([]float64, m)
	for j := range alpha {
		alpha[j] = math.Sin(float64(3*j + 1))
	}
	return alpha
}
