// Tests of spectral features for periodic fields.

package feature

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

// fieldOptions returns feature maps for periodic fields with and without bias and mean, theta on R x R points.
func fieldOptions(t testing.TB, m, R int) map[string]Spectral {
	t.Helper()
	elu, _ := activation.ByName("elu")
	plain := Spectral{Filter: Filter{Delta: 0.02, Beta: 4}, Activation: elu, Gain: 300, M: m,
		Theta: must(Draw(t.Context(), grf.Field{Tau: 5, Alpha: 2.5}, 1, m, 1, R, 2))}
	biased, both := plain, plain
	biased.Bias, both.Bias = DrawBias(0.8, 1, m), DrawBias(0.8, 1, m)
	both.Centred = true
	return map[string]Spectral{"plain": plain, "biased": biased, "biased and centred": both}
}

// periodicFields returns random periodic fields with a mean.
func periodicFields(count, r int) grid.Batch {
	a := grid.NewBatch(grid.Torus2, r, count)
	grf.NewFieldSampler(grf.Field{Tau: 3, Alpha: 2}, r).Draw(a, 1, draw.InputTrain, 0)
	for i := range a.Data {
		a.Data[i] += 2
	}
	return a
}

// directField returns the definition of feature j, sum by sum.
func directField(f Spectral, j int, a []float64) []float64 {
	r := grid.Torus2.PointsOf(a)
	N := r - 1
	theta := make([]float64, len(a))
	grid.Torus2.Sample(theta, f.Theta.At(j))
	coefficients := func(u []float64) []complex128 {
		c := make([]complex128, N*N)
		for k := range c {
			for x := range c {
				c[k] += complex(u[x/N*r+x%N]/float64(N*N), 0) * cmplx.Rect(1, -2*math.Pi*float64(k/N*(x/N)+k%N*(x%N))/float64(N))
			}
		}
		return c
	}
	frequency := func(k int) float64 { return float64(min(k, N-k)) }
	product, other := coefficients(a), coefficients(theta)
	for k := range product {
		product[k] *= other[k] * complex(f.AtFrequency(math.Hypot(frequency(k/N), frequency(k%N))), 0)
	}
	bias, phi := 0.0, make([]float64, len(a))
	if f.Bias != nil {
		bias = f.Bias[j]
	}
	for x := range phi {
		sum := 0i
		for k, c := range product {
			sum += c * cmplx.Rect(1, 2*math.Pi*float64(k/N*(x/r)+k%N*(x%r))/float64(N))
		}
		phi[x] = f.Activation.Value(f.Gain*real(sum) + bias)
	}
	if f.Centred {
		mean := grid.Torus2.Inner(phi, ones(len(phi)))
		for x := range phi {
			phi[x] -= mean
		}
	}
	return phi
}

func TestFeaturesOfPeriodicFieldsFollowTheDefinitionInAllPaths(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const m = 11
	for _, c := range []struct{ r, R int }{{9, 9}, {6, 11}, {5, 17}, {8, 8}} {
		a := periodicFields(2, c.r)
		for name, f := range fieldOptions(t, m, c.R) {
			e := on(t, f, c.r)
			input := prepare(e, a.Range(0, 1))
			alpha, other := make([]float64, m), make([]float64, m-3)
			want, wantOther := make([]float64, a.Values()), make([]float64, a.Values())
			for j := range m {
				alpha[j] = math.Sin(float64(j + 1))
				phi := directField(f, j, a.At(0))
				expectClose(t, fmt.Sprintf("%s, r=%d, feature %d", name, c.r, j), e.values(j, input), phi, fieldTolerance)
				for x, v := range phi {
					want[x] += alpha[j] * v / m
				}
				if j < len(other) {
					other[j] = float64(j)
					for x, v := range phi {
						wantOther[x] += other[j] * v / float64(len(other))
					}
				}
			}
			one, err := f.Predict(t.Context(), alpha, a, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			expectClose(t, fmt.Sprintf("%s, r=%d, one model", name, c.r), one.At(0), want, fieldTolerance)
			many, err := e.Predict(t.Context(), [][]float64{alpha, other}, a, 2, nil)
			if err != nil {
				t.Fatal(err)
			}
			expectClose(t, fmt.Sprintf("%s, r=%d, first of two models", name, c.r), many[0].At(0), want, fieldTolerance)
			expectClose(t, fmt.Sprintf("%s, r=%d, second of two models", name, c.r), many[1].At(0), wantOther, fieldTolerance)
		}
	}
}

func TestTrainingSumsOfPeriodicFieldsAreInnerProducts(t *testing.T) {
	const m, r = 10, 13
	a, y := periodicFields(3, r), periodicFields(3, r)
	for name, f := range fieldOptions(t, m, r) {
		e := on(t, f, r)
		features, rhs := linalg.NewPanels(a.Count*e.Points(), m), make([]float64, m)
		inputs, targets, train := prepare(e, a), e.Targets(y), e.NewTrainer()
		for i := range a.Count {
			for g := range e.Groups() {
				train(features, i*e.Points(), g, inputs[i*e.InputSize():(i+1)*e.InputSize()],
					targets[i*e.Points():(i+1)*e.Points()], rhs)
			}
		}
		gram := linalg.NewSymmetric(m)
		gram.RankUpdate(features, a.Count*e.Points(), 1)
		gram.Scale(e.Weight())
		wantGram, wantRHS := make([]float64, m*m), make([]float64, m)
		for i := range a.Count {
			for j := range m {
				phi := directField(f, j, a.At(i))
				wantRHS[j] += grid.Torus2.Inner(y.At(i), phi) / e.Weight()
				for l := range m {
					wantGram[j*m+l] += grid.Torus2.Inner(phi, e.values(l, prepare(e, a.Range(i, 1))))
				}
			}
		}
		expectClose(t, name+": Gram matrix", gram.Dense(), wantGram, fieldTolerance)
		expectClose(t, name+": right-hand side", rhs, wantRHS, 10*fieldTolerance) // a sum that cancels
	}
}

func TestGainOfPeriodicFieldsGivesTheRootMeanSquare(t *testing.T) {
	const m, wanted = 5, 1.3
	for _, r := range []int{9, 12, 6} {
		f := fieldOptions(t, m, 2*(r-1)+1)["plain"]
		f.Activation, _ = activation.ByName("relu")
		f.RMS = wanted
		inputs := periodicFields(4, r)
		calibrated, err := f.Calibrate(t.Context(), inputs, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := rootMeanSquare(t, inputs, m, calibrated.(Spectral).Gain, func(gain float64, j int, a grid.Batch) []float64 {
			f.Gain = gain
			e := on(t, f, r)
			return e.values(j, prepare(e, a))
		}, grid.Torus2.Inner)
		expectClose(t, "root mean square", []float64{got}, []float64{wanted}, fieldTolerance)
	}
}

// A field that varies along one axis only has the features of a function of that variable.
func TestFeaturesOfFieldsOfOneVariableAreThoseOfFunctions(t *testing.T) {
	const K = 17
	line := shifted(K)
	theta := must(Draw(t.Context(), grf.Periodic{Tau: 5, Alpha: 2}, 1, 1, 1, K, 1))
	f := paperFeatures(t, theta, 1)
	spread := func(b grid.Batch) grid.Batch {
		fields := grid.NewBatch(grid.Torus2, K, b.Count)
		for i := range b.Count {
			for x := range K * K {
				fields.At(i)[x] = b.At(i)[x%K]
			}
		}
		return fields
	}
	g := f
	g.Theta = spread(theta)
	want := on(t, f, K).values(0, prepare(on(t, f, K), line))
	field := on(t, g, K).values(0, prepare(on(t, g, K), spread(line)))
	for i := range K {
		expectClose(t, fmt.Sprintf("row %d", i), field[i*K:(i+1)*K], want, fieldTolerance)
	}
}

func TestPeriodicFieldsMoreFeaturesKeepTheFirstAndWorkersChangeNothing(t *testing.T) {
	const r = 9
	a := periodicFields(19, r)
	few, many := on(t, fieldOptions(t, 11, r)["biased"], r), on(t, fieldOptions(t, 40, r)["biased"], r)
	for _, j := range []int{0, 9, 10} {
		if !slices.Equal(few.values(j, prepare(few, a.Range(0, 1))), many.values(j, prepare(many, a.Range(0, 1)))) {
			t.Errorf("feature %d of 11 is not feature %d of 40", j, j)
		}
	}
	alpha := [][]float64{make([]float64, 11)}
	for j := range alpha[0] {
		alpha[0][j] = math.Cos(float64(j))
	}
	one, err := few.Predict(t.Context(), alpha, a, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	three, err := few.Predict(t.Context(), alpha, a, 3, nil)
	if err != nil || !slices.Equal(one[0].Data, three[0].Data) {
		t.Errorf("3 workers change predictions, %v", err)
	}
}

func TestWindowOfPeriodicFieldsIsGaussianInThePeriodicDistance(t *testing.T) {
	const r, width = 9, 0.3
	theta := grid.NewBatch(grid.Torus2, r, 1)
	copy(theta.Data, ones(r*r))
	locality{Width: width}.Apply(theta, 1)
	near := func(i int) float64 { return float64(min(i, r-1-i)) / (r - 1) }
	for x := range r * r {
		d := math.Hypot(near(x/r), near(x%r))
		expectClose(t, fmt.Sprintf("window at %d", x), []float64{theta.Data[x]},
			[]float64{math.Exp(-d * d / (2 * width * width))}, fieldTolerance)
	}
}
