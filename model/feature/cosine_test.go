package feature

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"rfm/model/activation"
	"rfm/model/linalg"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/parallel/detector"
)

var paperNeumann = grf.Neumann{Tau: 5, Alpha: 2.5, Axis: grf.AxisNormalised}

// paperCosine has m features with theta on R x R points and everything else as for Burgers.
func paperCosine(t testing.TB, m, R int) Spectral {
	t.Helper()
	elu, ok := activation.ByName("elu")
	if !ok {
		t.Fatal("no elu")
	}
	return Spectral{Filter: Filter{Delta: 0.02, Beta: 4}, Activation: elu, Gain: 300, M: m,
		Theta: must(Draw(context.Background(), paperNeumann, 1, m, 1, R, 2))}
}

// squareInputs returns random fields with a mean.
func squareInputs(count, r int) grid.Batch {
	a := grid.NewBatch(grid.Square, r, count)
	grf.NewNeumannSampler(grf.Neumann{Tau: 3, Alpha: 2, Axis: grf.AxisNormalised}, r).Draw(a, 1, draw.InputTrain, 0)
	for i := range a.Data {
		a.Data[i] += 2
	}
	return a
}

func cosineOn(t testing.TB, f Spectral, r int) *spectralEvaluator {
	t.Helper()
	e, err := f.on(context.Background(), r, 2)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func prepared(t testing.TB, e Evaluator, inputs grid.Batch) []float64 {
	t.Helper()
	p, err := e.Prepare(inputs)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// evenCoefficients returns the discrete Fourier coefficients of the even continuation to a period of 2n points in each
// variable, sum by sum, one variable after the other.
func evenCoefficients(u []float64) []complex128 {
	r := grid.Square.PointsOf(u)
	n, P := r-1, 2*(r-1)
	rows, c := make([]complex128, r*P), make([]complex128, P*P)
	fold := func(x int) int { return min(x, P-x) }
	wave := func(k, x int) complex128 { return cmplx.Rect(1/float64(P), -math.Pi*float64(k*x%P)/float64(n)) }
	for i := range r {
		for k := range P {
			for x := range P {
				rows[i*P+k] += complex(u[i*r+fold(x)], 0) * wave(k, x)
			}
		}
	}
	for k1 := range P {
		for k2 := range P {
			for x := range P {
				c[k1*P+k2] += rows[fold(x)*P+k2] * wave(k1, x)
			}
		}
	}
	return c
}

// directCosine returns the definition of feature j.
func directCosine(f Spectral, j int, a []float64) []float64 {
	r := grid.Square.PointsOf(a)
	n, P := r-1, 2*(r-1)
	theta := make([]float64, len(a))
	grid.Square.Sample(theta, f.Theta.At(j))
	product := evenCoefficients(a)
	frequency := func(k int) float64 { return float64(min(k, P-k)) }
	for k, c := range evenCoefficients(theta) {
		product[k] *= c * complex(f.Filter.AtFrequency(math.Hypot(frequency(k/P), frequency(k%P))/2), 0)
	}
	bias, phi := 0.0, make([]float64, len(a))
	if f.Bias != nil {
		bias = f.Bias[j]
	}
	for x := range phi {
		sum := 0i
		for k, c := range product {
			sum += c * cmplx.Rect(1, math.Pi*float64((k/P*(x/r)+k%P*(x%r))%P)/float64(n))
		}
		phi[x] = f.Activation.Value(f.Gain*real(sum) + bias)
	}
	if f.Centred {
		mean := grid.Square.Inner(phi, ones(len(phi)))
		for x := range phi {
			phi[x] -= mean
		}
	}
	return phi
}

// cosineOptions returns feature maps with and without bias and mean.
func cosineOptions(t testing.TB, m, R int) map[string]Spectral {
	t.Helper()
	plain := paperCosine(t, m, R)
	biased, both := plain, plain
	biased.Bias, both.Bias = DrawBias(0.8, 1, m), DrawBias(0.8, 1, m)
	both.Centred = true
	return map[string]Spectral{"plain": plain, "biased": biased, "biased and centred": both}
}

// cosineMatrix evaluates the feature matrix of some samples through the training path.
func cosineMatrix(t testing.TB, e *spectralEvaluator, inputs, outputs grid.Batch) (features *linalg.Panels,
	rhs []float64) {
	t.Helper()
	K := e.Points()
	features, rhs = linalg.NewPanels(inputs.Count*K, e.Count()), make([]float64, e.Count())
	p, targets, trainer := prepared(t, e, inputs), e.Targets(outputs), e.NewTrainer()
	for i := range inputs.Count {
		for g := range e.Groups() {
			trainer(features, i*K, g, p[i*K:(i+1)*K], targets[i*K:(i+1)*K], rhs)
		}
	}
	return features, rhs
}

func TestCosineFeaturesFollowTheDefinitionInAllPaths(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	const m, vectors = 9, 2
	for _, c := range []struct{ r, R int }{{9, 9}, {6, 11}, {17, 17}, {3, 9}} {
		a := squareInputs(1, c.r)
		for name, f := range cosineOptions(t, m, c.R) {
			e := cosineOn(t, f, c.r)
			input, s, K := prepared(t, e, a), e.newScratch(), e.K()
			weights, many := make([]float64, GroupSize*e.Groups()), make([]float64, GroupSize*e.Groups()*vectors)
			sums, sumsMany, want := make([]float64, 4*K), make([]float64, vectors*K), make([]float64, K)
			for j := range m {
				weights[j] = math.Sin(float64(j + 1))
				for q := range vectors {
					many[j/4*4*vectors+4*q+j%4] = float64(q+1) * weights[j]
				}
				phi := directCosine(f, j, a.At(0))
				for x, v := range phi {
					want[x] += weights[j] * v
				}
				expectClose(t, fmt.Sprintf("%s, r=%d, feature %d", name, c.r, j), e.values(j, input), phi, fieldTolerance)
			}
			for g := range e.Groups() {
				e.accumulate(sums, g, input, weights[GroupSize*g:GroupSize*(g+1)], s)
				e.combine(sumsMany, g, g+1, input, many[GroupSize*vectors*g:GroupSize*vectors*(g+1)], vectors, s)
			}
			u := make([]float64, K)
			for x := range u {
				u[x] = sums[4*x] + sums[4*x+1] + sums[4*x+2] + sums[4*x+3]
			}
			e.complete(u)
			expectClose(t, fmt.Sprintf("%s, r=%d, Predict", name, c.r), u, want, fieldTolerance)
			for q := range vectors {
				linalg.Combined(u[:K], sumsMany, q, vectors)
				e.complete(u)
				for x := range u {
					u[x] /= float64(q + 1)
				}
				expectClose(t, fmt.Sprintf("%s, r=%d, PredictMany %d", name, c.r, q), u, want, fieldTolerance)
			}
		}
	}
}

// The sums over rows are the trapezoid rule's inner products, also at edges and corners.
func TestCosineTrainingSumsAreInnerProducts(t *testing.T) {
	const m, r = 10, 17
	a, y := squareInputs(3, r), squareInputs(3, r)
	for name, f := range cosineOptions(t, m, r) {
		e := cosineOn(t, f, r)
		features, rhs := cosineMatrix(t, e, a, y)
		gram := linalg.NewSymmetric(m)
		gram.RankUpdate(features, a.Count*e.Points(), 1)
		gram.Scale(e.Weight())
		wantGram, wantRHS := make([]float64, m*m), make([]float64, m)
		for i := range a.Count {
			input := prepared(t, e, a.Range(i, 1))
			for j := range m {
				phi := e.values(j, input)
				wantRHS[j] += grid.Square.Inner(y.At(i), phi) / e.Weight()
				for l := range m {
					wantGram[j*m+l] += grid.Square.Inner(phi, e.values(l, input))
				}
			}
		}
		expectClose(t, name+": Gram matrix", gram.Dense(), wantGram, fieldTolerance)
		expectClose(t, name+": right-hand side", rhs, wantRHS, fieldTolerance)
		squares := 0.0
		for _, v := range e.Targets(y) {
			squares += v * v * e.Weight()
		}
		norms := 0.0
		for i := range y.Count {
			norms += grid.Square.Inner(y.At(i), y.At(i))
		}
		expectClose(t, name+": norms of targets", []float64{squares}, []float64{norms}, fieldTolerance)
	}
}

func TestCentredCosineFeaturesHaveMeanZero(t *testing.T) {
	const m, r = 5, 17
	e := cosineOn(t, cosineOptions(t, m, r)["biased and centred"], r)
	for j := range m {
		// rounding of 289 values below 10
		if mean := grid.Square.Inner(e.values(j, prepared(t, e, squareInputs(1, r))), ones(r*r)); math.Abs(mean) > 1e-14 {
			t.Errorf("feature %d has mean %g", j, mean)
		}
	}
}

// A field that varies along one axis only has the features of an even periodic function of that variable: on a torus of
// length 2, where the wave k has k/2 periods in a unit of length.
func TestCosineFeaturesOfOneVariableAreFourierFeatures(t *testing.T) {
	const n = 16
	square, even := grid.NewBatch(grid.Square, n+1, 2), grid.NewBatch(grid.Torus, 2*n+1, 2)
	for l := range 2 {
		for x := range 2*n + 1 {
			i := min(x, 2*n-x)
			even.At(l)[x] = math.Cos(float64(l+1)*float64(i)/3) + float64(i*i)/100
			for j := range n + 1 {
				square.At(l)[i*(n+1)+j] = even.At(l)[x]
			}
		}
	}
	f := paperCosine(t, 1, 3)
	f.Theta = square.Range(1, 1)
	line := paperFeatures(t, even.Range(1, 1), 1)
	line.Filter, line.Gain = Filter{Delta: f.Delta / 2, Beta: f.Beta}, f.Gain
	e, l := cosineOn(t, f, n+1), on(t, line, 2*n+1)
	field, function := e.values(0, prepared(t, e, square.Range(0, 1))), l.values(0, prepare(l, even.Range(0, 1)))
	for j := range n + 1 {
		along := make([]float64, n+1)
		for i := range along {
			along[i] = field[i*(n+1)+j]
		}
		expectClose(t, fmt.Sprintf("column %d", j), along, function[:n+1], fieldTolerance)
	}
}

func TestSelectedCosineFeaturesAreThoseOfThePool(t *testing.T) {
	const m, r = 13, 9
	a, indices := squareInputs(1, r), []int{12, 3, 0, 7, 8}
	for name, f := range cosineOptions(t, m, r) {
		pool, chosen := cosineOn(t, f, r), cosineOn(t, f.selected(indices), r)
		for i, j := range indices {
			expectClose(t, fmt.Sprintf("%s: feature %d of the pool", name, j), chosen.values(i, prepared(t, chosen, a)),
				pool.values(j, prepared(t, pool, a)), fieldTolerance)
		}
	}
}

func TestCosineFeaturesOnAGridThatThetaHasNotAreADataError(t *testing.T) {
	_, err := paperCosine(t, 1, 9).On(context.Background(), 7, 2)
	var data *fault.Data
	if !errors.As(err, &data) {
		t.Errorf("%v is not a *fault.Data", err)
	}
}

func BenchmarkCosineTrainingGroup(b *testing.B) {
	for _, r := range []int{33, 65} {
		e, a := cosineOn(b, paperCosine(b, GroupSize, r), r), squareInputs(1, r)
		p, rhs, input, target, s := linalg.NewPanels(r*r, GroupSize), make([]float64, GroupSize), prepared(b, e, a),
			e.Targets(a), e.newScratch()
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.train(p, 0, 0, input, target, rhs, s)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/GroupSize, "us/feature")
		})
	}
}
