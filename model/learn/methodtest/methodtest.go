// Package methodtest has pairs and tests for packages of methods.
package methodtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/operator"
	"rfm/model/learn/ridge"
	"rfm/model/learn/score"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/num/linalg"
	"rfm/solver/pde/equation"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grf"
	"rfm/solver/space/grid"
)

const (
	// Rounding is the error of sums of a few hundred terms of order one.
	Rounding = 1e-12
	// Ridged is the effect of a relative ridge of 1e-12 at coefficients 1e-3 times the largest.
	Ridged = 1e-5
	// Conditioned is the effect of rounding errors on a kernel matrix of condition 1e8.
	Conditioned = 1e-7
)

// Predictor is an operator, or a substitute for one.
type Predictor interface {
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// Burgers returns pairs of the paper's Burgers operator on K points.
func Burgers(t *testing.T, purpose draw.Purpose, count, K int) dataset.Pairs {
	t.Helper()
	reference := config.Reference()
	p := equation.Problem{
		Equation: reference.Equation,
		Input:    reference.Input,
		Points:   129,
		Seed:     7,
	}
	p.Tolerance = 1e-6
	wanted := truth.Wanted{
		Purpose: purpose,
		Count:   count,
		Points:  K,
	}
	const workers = 2
	return Must(dataset.Generate(t.Context(), p.Operator(), wanted, workers, nil))
}

// zeros returns pairs of functions on a domain that are zero everywhere, for a caller to fill.
func zeros(domain grid.Domain, points, count int) dataset.Pairs {
	return dataset.Pairs{
		Inputs:  grid.NewBatch(domain, points, count),
		Outputs: grid.NewBatch(domain, points, count),
	}
}

// Smooth returns periodic inputs, with an operator applied to them.
func Smooth(count, K int, operator func(dst, a []float64)) dataset.Pairs {
	pairs := zeros(grid.Torus, K, count)
	measure := grf.Measure{
		Tau:   7,
		Alpha: 2.5,
		Space: grid.Torus,
	}
	const seed = 3
	measure.On(K).Draw(pairs.Inputs, seed, draw.InputTrain, 0)
	for i := range count {
		operator(pairs.Outputs.At(i), pairs.Inputs.At(i))
	}
	return pairs
}

// Predict returns the predictions of b, by two workers.
func Predict(t *testing.T, b Predictor, inputs grid.Batch) grid.Batch {
	t.Helper()
	return Must(b.Predict(t.Context(), inputs, 2, nil))
}

// Relative returns the mean relative error of b's predictions.
func Relative(t *testing.T, b Predictor, pairs dataset.Pairs) float64 {
	t.Helper()
	predicted := Predict(t, b, pairs.Inputs)
	e := Must(score.Measure(predicted, pairs.Outputs))
	return e.ExpectedRelative
}

// LeftOut returns the mean relative error of predictions of each output by a fit without its pair.
func LeftOut(t *testing.T, pairs dataset.Pairs, fit func(rest dataset.Pairs) Predictor) float64 {
	t.Helper()
	n := pairs.Count()
	total := 0.0
	for _, group := range ridge.Labelled(pairs.Groups, n) {
		rest := pairs.Take(ridge.Others(group, n))
		total += float64(len(group)) * Relative(t, fit(rest), pairs.Take(group))
	}
	return total / float64(n)
}

// InThrees returns groups of three pairs, one of two, and a single pair.
func InThrees(pairs dataset.Pairs) dataset.Pairs {
	n := pairs.Count()
	for i := range n {
		label := i * 7 % n / 3
		pairs.Groups = append(pairs.Groups, label)
	}
	pairs.Groups[0] = -1
	pairs.Groups[1] = -2
	return pairs
}

// WithOffset returns the pairs with a constant added to the outputs.
func WithOffset(pairs dataset.Pairs, offset float64) dataset.Pairs {
	outputs := pairs.Outputs.Like(pairs.Count())
	for i, u := range pairs.Outputs.Data {
		outputs.Data[i] = u + offset
	}
	return pairs.With(outputs)
}

// Must returns the value of a call that cannot fail.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Direct is an operator given by a formula.
type Direct func(dst, a []float64)

// Predict applies the formula to each input.
func (d Direct) Predict(_ context.Context, inputs grid.Batch, _ int, _ func(int)) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	for i := range inputs.Count {
		d(outputs.At(i), inputs.At(i))
	}
	return outputs, nil
}

// Square returns |z|^2.
func Square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// Random returns functions of independent values.
func Random(domain grid.Domain, points, count int) grid.Batch {
	b := grid.NewBatch(domain, points, count)
	for i := range count {
		f := b.At(i)
		source := draw.Stream(1, "waves-test", i)
		for x := range f {
			f[x] = source.NormFloat64()
		}
		if domain.Periodic {
			domain.Wrap(f)
		}
	}
	return b
}

// Rough returns pairs of periodic functions or fields without any symmetry.
func Rough(domain grid.Domain, points, count int) dataset.Pairs {
	all := make([]float64, domain.Values(points))
	distinct := len(domain.Distinct(all))
	pairs := zeros(domain, points, count)
	for i := range count {
		random := draw.Stream(5, "test", i)
		values := make([]float64, distinct)
		results := make([]float64, distinct)
		for x := range values {
			v := random.NormFloat64()
			values[x] = v
			results[x] = 2 + v*v + 0.1*float64(x) + random.NormFloat64()
		}
		domain.Complete(pairs.Inputs.At(i), values, 1)
		domain.Complete(pairs.Outputs.At(i), results, 1)
	}
	return pairs
}

// Noisy returns pairs of random numbers.
func Noisy(domain grid.Domain, points, count int) dataset.Pairs {
	pairs := zeros(domain, points, count)
	r := draw.Stream(1, "test", 0)
	for i := range pairs.Inputs.Data {
		pairs.Inputs.Data[i] = 2 + r.Float64()
		pairs.Outputs.Data[i] = r.NormFloat64()
	}
	return pairs
}

// Dense returns panels as a matrix.
func Dense(p *linalg.Panels) *mat.Dense {
	return mat.NewDense(p.Rows(), p.Cols(), p.Dense())
}

// Symmetric returns pairs of rough functions and an operator that commutes with all motions of the domain, or, with
// tilt, with none.
func Symmetric(domain grid.Domain, points, count int, tilt float64) dataset.Pairs {
	inputs := Random(domain, points, count)
	outputs := grid.NewBatch(domain, points, count)
	rows, columns := domain.Axes(points)
	for i := range count {
		a := field{
			values:  inputs.At(i),
			rows:    rows,
			columns: columns,
		}
		u := outputs.At(i)
		for x := range u {
			column := x % columns
			u[x] = 1 + a.values[x]*a.neighbours(x) + tilt*float64(column)*a.values[0]
		}
	}
	return dataset.Pairs{Inputs: inputs, Outputs: outputs}
}

// field is a function on a grid of rows and columns.
type field struct {
	values  []float64 // rows x columns, row-major
	rows    int       // 1 for functions of one variable
	columns int
}

// near returns the value at a row and a column, or, outside the grid, at the nearest point of its boundary.
func (f field) near(row, column int) float64 {
	row = min(max(row, 0), f.rows-1)
	column = min(max(column, 0), f.columns-1)
	return f.values[row*f.columns+column]
}

// neighbours returns the sum of the values at the neighbours of point x: two for a function of one variable, four for
// one of two.
func (f field) neighbours(x int) float64 {
	row := x / f.columns
	column := x % f.columns
	sum := f.near(row, column-1) + f.near(row, column+1)
	if f.rows > 1 {
		sum += f.near(row-1, column) + f.near(row+1, column)
	}
	return sum
}

// memory holds the arrays of a model file that was not written.
type memory []npy.Named

func (m memory) Has(name string) bool {
	return m.index(name) >= 0
}

// index returns the position of the array with a name, or -1.
func (m memory) index(name string) int {
	return slices.IndexFunc(m, func(a npy.Named) bool {
		return a.Name == name
	})
}

func (m memory) Array(name string) (npy.Array, error) {
	i := m.index(name)
	if i < 0 {
		return npy.Array{}, fmt.Errorf("no %s", name)
	}
	return m[i].Array, nil
}

// Closed returns positive functions and their exponentials, on any closed domain.
func Closed(domain grid.Domain, points, count int) dataset.Pairs {
	pairs := zeros(domain, points, count)
	rows, columns := domain.Axes(points)
	for i := range count {
		random := draw.Stream(4, "test", i)
		p := random.NormFloat64()
		q := random.NormFloat64()
		s := random.NormFloat64()
		a := pairs.Inputs.At(i)
		u := pairs.Outputs.At(i)
		for x := range a {
			down := float64(x/columns) / float64(rows)
			along := float64(x%columns) / float64(columns)
			v := 1.5 + 0.4*math.Sin(p+3*down) + 0.4*math.Cos(q-2*along+s*down)
			a[x] = v
			u[x] = math.Exp(-v) + 0.1*s
		}
	}
	return pairs
}

// ExpectNear tests that the prediction for a moved input is the moved prediction, up to 1e-6.
func ExpectNear(t *testing.T, what string, got, want grid.Batch) {
	t.Helper()
	const (
		tolerance = 1e-6
		message   = "%s: value %d of the prediction for a moved input is %g, of the moved prediction %g"
	)
	for x, v := range want.Data {
		if math.Abs(v-got.Data[x]) > tolerance {
			t.Fatalf(message, what, x, got.Data[x], v)
		}
	}
}

// Shift moves periodic functions by two points along the last axis.
func Shift(b grid.Batch) grid.Batch {
	moved := b.Like(b.Count)
	rows, columns := b.Domain.Axes(b.Points)
	distinctRows := max(1, rows-1) // the last row repeats the first one
	for i := range b.Count {
		f := b.At(i)
		g := moved.At(i)
		for x := range g {
			row := x / columns % distinctRows
			column := (x%columns + 2) % (columns - 1)
			g[x] = f[row*columns+column]
		}
	}
	return moved
}

// ChannelErrors returns the mean relative error of each channel.
func ChannelErrors(t *testing.T, o operator.Operator, test dataset.Pairs) (all []float64) {
	t.Helper()
	u := Predict(t, o, test.Inputs)
	for d := range test.Outputs.Domain.Width() {
		e := Must(score.Measure(u.Channel(d), test.Outputs.Channel(d)))
		all = append(all, e.ExpectedRelative)
	}
	return all
}

// Shifted returns pairs of two input channels (a, b) and the outputs a(x + 1/4) + b/2 and 1000 a: linear, in two units.
func Shifted(count, K int) dataset.Pairs {
	measure := grf.Measure{
		Tau:   3,
		Alpha: 3,
		Space: grid.Torus,
	}
	sampler := measure.On(K)
	a := grid.NewBatch(grid.Torus, K, count)
	b := grid.NewBatch(grid.Torus, K, count)
	sampler.Draw(a, 1, draw.InputTrain, 0)
	sampler.Draw(b, 1, draw.InputTest, 0)
	u := a.Like(count)
	v := a.Like(count)
	period := K - 1
	for i := range count {
		for x := range K {
			quarter := (x + period/4) % period
			u.At(i)[x] = a.At(i)[quarter] + b.At(i)[x]/2
			v.At(i)[x] = 1000 * a.At(i)[x]
		}
	}
	return dataset.Pairs{
		Inputs:  grid.Stack(a, b),
		Outputs: grid.Stack(u, v),
	}
}

// PredictsAlike tests that a prediction depends neither on the number of workers, between which few inputs are divided,
// too, nor on other inputs, and that progress counts all inputs.
func PredictsAlike(t *testing.T, name string, o operator.Operator) {
	t.Helper()
	const count = 70
	inputs := Noisy(o.Domain(), o.Finest(), count).Inputs
	want := Must(o.Predict(t.Context(), inputs, 1, nil))
	for _, few := range []int{1, 3, 16, 40, count} {
		last := inputs.Range(count-few, few)
		wanted := want.Range(count-few, few)
		for _, workers := range []int{1, 2, 5} {
			got := Must(o.Predict(t.Context(), last, workers, nil))
			if !slices.Equal(got.Data, wanted.Data) {
				t.Errorf("%s: %d predictions by %d workers are other ones", name, few, workers)
			}
		}
		done := 0
		progress := func(added int) { done += added }
		_, err := o.Predict(t.Context(), inputs.Range(0, few), 1, progress)
		if err != nil || done != few {
			t.Errorf("%s: progress of %d, want %d; %v", name, done, few, err)
		}
	}
}

// BenchmarkPredictions predicts one input and many, on one worker.
func BenchmarkPredictions(b *testing.B, name string, o operator.Operator, inputs grid.Batch) {
	for _, count := range []int{1, 256} {
		first := inputs.Range(0, count)
		b.Run(fmt.Sprintf("%s/%d", name, count), func(b *testing.B) {
			for b.Loop() {
				Must(o.Predict(b.Context(), first, 1, nil))
			}
		})
	}
}

// Reread returns an operator of some kinds after writing and reading it.
func Reread(t *testing.T, o operator.Operator, kinds codec.Kinds) operator.Operator {
	t.Helper()
	text, arrays, err := kinds.Encode(o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := kinds.Decode(text, memory(arrays))
	if err != nil {
		t.Fatalf("%s is not read: %v", text, err)
	}
	return read.(operator.Operator)
}

// BurgersFronts returns initial values and entropy solutions of u_t + (u^2/2)_x = 0 at time t, by the formula of Hopf
// and Lax: u = (x-y)/t with the y that minimises A(y) + (x-y)^2/(2t), A an antiderivative of the initial value.
func BurgersFronts(count, n int, t float64, seed uint64) dataset.Pairs {
	r := rand.New(rand.NewPCG(seed, 5))
	pairs := zeros(grid.Torus, n+1, count)
	for i := range count {
		initial := drawWaves(r)
		a := pairs.Inputs.At(i)
		u := pairs.Outputs.At(i)
		for j := range n + 1 {
			x := float64(j%n) / float64(n)
			a[j], _ = initial.at(x)
			u[j] = initial.hopfLax(x, t, n)
		}
	}
	return pairs
}

// waves is the function sum_k cosines[k] cos(2 pi (k+1) x) + sines[k] sin(2 pi (k+1) x).
type waves struct {
	cosines [3]float64
	sines   [3]float64
}

// drawWaves draws the coefficients, whose deviations are 0.3/(k+1).
func drawWaves(r *rand.Rand) waves {
	var w waves
	for k := range w.cosines {
		w.cosines[k] = 0.3 * r.NormFloat64() / float64(1+k)
		w.sines[k] = 0.3 * r.NormFloat64() / float64(1+k)
	}
	return w
}

// at returns the value at x, and that of an antiderivative.
func (w waves) at(x float64) (value, integral float64) {
	for k := range w.cosines {
		frequency := 2 * math.Pi * float64(k+1)
		sin := math.Sin(frequency * x)
		cos := math.Cos(frequency * x)
		value += w.cosines[k]*cos + w.sines[k]*sin
		integral += (w.cosines[k]*sin - w.sines[k]*cos) / frequency
	}
	return value, integral
}

// hopfLax returns the entropy solution at x and time t. It tries 16 points y in each of the n intervals of a period, in
// the period before x and the one behind it.
func (w waves) hopfLax(x, t float64, n int) float64 {
	const fine = 16
	u := 0.0
	least := math.Inf(1)
	for l := -n * fine; l <= n*fine; l++ {
		y := x + float64(l)/float64(n*fine)
		_, integral := w.at(y)
		action := integral + (x-y)*(x-y)/(2*t)
		if action < least {
			least = action
			u = (x - y) / t
		}
	}
	return u
}
