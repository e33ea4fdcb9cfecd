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
	// rounding is the error of sums of a few hundred terms of order one.
	Rounding = 1e-12
	// ridged is the effect of a relative ridge of 1e-12 at coefficients 1e-3 times the largest.
	Ridged = 1e-5
	// conditioned is the effect of rounding errors on a kernel matrix of condition 1e8.
	Conditioned = 1e-7
)

// Predictor is an operator, or a substitute for one.
type Predictor interface {
	Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error)
}

// Burgers returns pairs of the paper's Burgers operator on K points.
func Burgers(t *testing.T, purpose draw.Purpose, count, K int) dataset.Pairs {
	t.Helper()
	p := equation.Problem{Equation: config.Reference().Equation, Input: config.Reference().Input, Points: 129, Seed: 7}
	p.Tolerance = 1e-6
	pairs := Must(dataset.Generate(t.Context(), p.Operator(), truth.Wanted{Purpose: purpose, Count: count, Points: K}, 2,
		nil))
	return pairs
}

// Smooth returns periodic inputs, with an operator applied to them.
func Smooth(count, K int, operator func(dst, a []float64)) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, K, count), Outputs: grid.NewBatch(grid.Torus, K, count)}
	grf.Measure{Tau: 7, Alpha: 2.5, Space: grid.Torus}.On(K).Draw(pairs.Inputs, 3, draw.InputTrain, 0)
	for i := range count {
		operator(pairs.Outputs.At(i), pairs.Inputs.At(i))
	}
	return pairs
}

func Predict(t *testing.T, b Predictor, inputs grid.Batch) grid.Batch {
	t.Helper()
	return Must(b.Predict(t.Context(), inputs, 2, nil))
}

func Relative(t *testing.T, b Predictor, pairs dataset.Pairs) float64 {
	t.Helper()
	e := Must(score.Measure(Predict(t, b, pairs.Inputs), pairs.Outputs))
	return e.ExpectedRelative
}

// LeftOut returns the mean relative error of predictions of each output by a fit without its pair.
func LeftOut(t *testing.T, pairs dataset.Pairs, fit func(rest dataset.Pairs) Predictor) float64 {
	t.Helper()
	total, n := 0.0, pairs.Count()
	for _, group := range ridge.Labelled(pairs.Groups, n) {
		total += float64(len(group)) * Relative(t, fit(pairs.Take(ridge.Others(group, n))), pairs.Take(group))
	}
	return total / float64(n)
}

// InThrees returns groups of three pairs, one of two, and a single pair.
func InThrees(pairs dataset.Pairs) dataset.Pairs {
	for i := range pairs.Count() {
		pairs.Groups = append(pairs.Groups, i*7%pairs.Count()/3)
	}
	pairs.Groups[0], pairs.Groups[1] = -1, -2
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

func (d Direct) Predict(_ context.Context, inputs grid.Batch, _ int, _ func(int)) (grid.Batch, error) {
	outputs := inputs.Like(inputs.Count)
	for i := range inputs.Count {
		d(outputs.At(i), inputs.At(i))
	}
	return outputs, nil
}

func Square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// Random returns functions of independent values.
func Random(domain grid.Domain, points, count int) grid.Batch {
	b := grid.NewBatch(domain, points, count)
	for i := range count {
		f, source := b.At(i), draw.Stream(1, "waves-test", i)
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
	distinct := len(domain.Distinct(make([]float64, domain.Values(points))))
	pairs := dataset.Pairs{Inputs: grid.NewBatch(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
	for i := range count {
		random, values, results := draw.Stream(5, "test", i), make([]float64, distinct), make([]float64, distinct)
		for x := range values {
			values[x] = random.NormFloat64()
			results[x] = 2 + values[x]*values[x] + 0.1*float64(x) + random.NormFloat64()
		}
		domain.Complete(pairs.Inputs.At(i), values, 1)
		domain.Complete(pairs.Outputs.At(i), results, 1)
	}
	return pairs
}

// Noisy returns pairs of random numbers.
func Noisy(domain grid.Domain, points, count int) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
	r := draw.Stream(1, "test", 0)
	for i := range pairs.Inputs.Data {
		pairs.Inputs.Data[i], pairs.Outputs.Data[i] = 2+r.Float64(), r.NormFloat64()
	}
	return pairs
}

// Dense returns panels as a matrix.
func Dense(p *linalg.Panels) *mat.Dense { return mat.NewDense(p.Rows(), p.Cols(), p.Dense()) }

// Symmetric returns pairs of rough functions and an operator that commutes with all motions of the domain, or, with
// tilt, with none.
func Symmetric(domain grid.Domain, points, count int, tilt float64) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: Random(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
	rows, columns := domain.Axes(points)
	for i := range count {
		a, u := pairs.Inputs.At(i), pairs.Outputs.At(i)
		for x := range u {
			near := func(row, column int) float64 {
				return a[min(max(row, 0), rows-1)*columns+min(max(column, 0), columns-1)]
			}
			row, column := x/columns, x%columns
			across := near(row, column-1) + near(row, column+1)
			if rows > 1 {
				across += near(row-1, column) + near(row+1, column)
			}
			u[x] = 1 + a[x]*across + tilt*float64(column)*a[0]
		}
	}
	return pairs
}

// memory holds the arrays of a model file that was not written.
type memory []npy.Named

func (m memory) Has(name string) bool {
	return slices.ContainsFunc(m, func(a npy.Named) bool { return a.Name == name })
}

func (m memory) Array(name string) (npy.Array, error) {
	i := slices.IndexFunc(m, func(a npy.Named) bool { return a.Name == name })
	if i < 0 {
		return npy.Array{}, fmt.Errorf("no %s", name)
	}
	return m[i].Array, nil
}

// Closed returns positive functions and their exponentials, on any closed domain.
func Closed(domain grid.Domain, points, count int) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: grid.NewBatch(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
	rows, columns := domain.Axes(points)
	for i := range count {
		random := draw.Stream(4, "test", i)
		p, q, s := random.NormFloat64(), random.NormFloat64(), random.NormFloat64()
		for x := range pairs.Inputs.At(i) {
			down, along := float64(x/columns)/float64(rows), float64(x%columns)/float64(columns)
			a := 1.5 + 0.4*math.Sin(p+3*down) + 0.4*math.Cos(q-2*along+s*down)
			pairs.Inputs.At(i)[x], pairs.Outputs.At(i)[x] = a, math.Exp(-a)+0.1*s
		}
	}
	return pairs
}

func ExpectNear(t *testing.T, what string, got, want grid.Batch) {
	t.Helper()
	for x, v := range want.Data {
		if math.Abs(v-got.Data[x]) > 1e-6 {
			t.Fatalf("%s: value %d of the prediction for a moved input is %g, of the moved prediction %g", what, x, got.Data[x],
				v)
		}
	}
}

// Shift moves periodic functions by two points along the last axis.
func Shift(b grid.Batch) grid.Batch {
	moved := b.Like(b.Count)
	rows, columns := b.Domain.Axes(b.Points)
	for i := range b.Count {
		for x := range moved.At(i) {
			moved.At(i)[x] = b.At(i)[x/columns%max(1, rows-1)*columns+(x%columns+2)%(columns-1)]
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
	a, b := grid.NewBatch(grid.Torus, K, count), grid.NewBatch(grid.Torus, K, count)
	sampler := grf.Measure{Tau: 3, Alpha: 3, Space: grid.Torus}.On(K)
	sampler.Draw(a, 1, draw.InputTrain, 0)
	sampler.Draw(b, 1, draw.InputTest, 0)
	u, v := a.Like(count), a.Like(count)
	for i := range count {
		for x := range K {
			u.At(i)[x] = a.At(i)[(x+(K-1)/4)%(K-1)] + b.At(i)[x]/2
			v.At(i)[x] = 1000 * a.At(i)[x]
		}
	}
	return dataset.Pairs{Inputs: grid.Stack(a, b), Outputs: grid.Stack(u, v)}
}

// PredictsAlike tests that a prediction depends neither on the number of workers, between which few inputs are divided,
// too, nor on other inputs, and that progress counts all inputs.
func PredictsAlike(t *testing.T, name string, o operator.Operator) {
	t.Helper()
	const count = 70
	inputs := Noisy(o.Domain(), o.Finest(), count).Inputs
	want := Must(o.Predict(t.Context(), inputs, 1, nil))
	for _, few := range []int{1, 3, 16, 40, count} {
		for _, workers := range []int{1, 2, 5} {
			got := Must(o.Predict(t.Context(), inputs.Range(count-few, few), workers, nil))
			if !slices.Equal(got.Data, want.Range(count-few, few).Data) {
				t.Errorf("%s: %d predictions by %d workers are other ones", name, few, workers)
			}
		}
		done := 0
		_, err := o.Predict(t.Context(), inputs.Range(0, few), 1, func(added int) { done += added })
		if err != nil || done != few {
			t.Errorf("%s: progress of %d, want %d; %v", name, done, few, err)
		}
	}
}

// BenchmarkPredictions predicts one input and many, on one worker.
func BenchmarkPredictions(b *testing.B, name string, o operator.Operator, inputs grid.Batch) {
	for _, count := range []int{1, 256} {
		b.Run(fmt.Sprintf("%s/%d", name, count), func(b *testing.B) {
			for b.Loop() {
				Must(o.Predict(b.Context(), inputs.Range(0, count), 1, nil))
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
	const fine = 16
	r := rand.New(rand.NewPCG(seed, 5))
	p := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, n+1, count), Outputs: grid.NewBatch(grid.Torus, n+1, count)}
	for i := range count {
		var c, s [3]float64
		for k := range c {
			c[k], s[k] = 0.3*r.NormFloat64()/float64(1+k), 0.3*r.NormFloat64()/float64(1+k)
		}
		value := func(x float64) (a, integral float64) {
			for k := range c {
				w := 2 * math.Pi * float64(k+1)
				a += c[k]*math.Cos(w*x) + s[k]*math.Sin(w*x)
				integral += (c[k]*math.Sin(w*x) - s[k]*math.Cos(w*x)) / w
			}
			return a, integral
		}
		for j := range n + 1 {
			x := float64(j%n) / float64(n)
			p.Inputs.At(i)[j], _ = value(x)
			least := math.Inf(1)
			for l := -n * fine; l <= n*fine; l++ {
				y := x + float64(l)/float64(n*fine)
				_, integral := value(y)
				if v := integral + (x-y)*(x-y)/(2*t); v < least {
					least, p.Outputs.At(i)[j] = v, (x-y)/t
				}
			}
		}
	}
	return p
}
