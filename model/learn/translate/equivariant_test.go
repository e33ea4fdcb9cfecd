package translate

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/kernel"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// equivariantByDefinition returns the operator with given parameters from one dense system over all pairs and points.
func equivariantByDefinition(t *testing.T, s Shape, pairs dataset.Pairs) methodtest.Predictor {
	g := torusOf(pairs.Inputs)
	n, N := pairs.Count(), g.n()
	seen := func(f []float64, x, sign int, factor float64) []float64 { // f from the place x
		values := make([]float64, N)
		for z := range values {
			values[z] = factor * g.at(f, z, (g.rows-x/g.columns)%g.rows*g.columns+(g.columns-x%g.columns)%g.columns, sign)
		}
		return values
	}
	// The coefficient of pair j at y enters at y, and that of its reflection, the same up to the sign, at -y.
	type source struct {
		own, image []float64
	}
	sources := make([]source, n*N)
	for j := range n {
		for y := range N {
			f := pairs.Inputs.At(j)
			reflected := make([]float64, N) // R a_j from the place -y: at z it is sign a_j(-(z-y))
			for z := range reflected {
				reflected[z] = float64(s.Reflection) * g.at(f, z, y, -1)
			}
			sources[j*N+y] = source{seen(f, y, 1, 1), reflected}
		}
	}
	row := func(f []float64, x int) []float64 {
		values, look := make([]float64, n*N), seen(f, x, 1, 1)
		for column, from := range sources {
			kernel := func(h []float64) float64 {
				return rationalQuadratic(math.Sqrt(g.square(s, look, h))/s.Length) / float64(N)
			}
			values[column] = kernel(from.own)
			if s.Reflection != 0 {
				values[column] += float64(s.Reflection) * kernel(from.image)
			}
			if s.Offset && column%N == x {
				values[column]++
			}
		}
		return values
	}
	system, u := mat.NewDense(n*N, n*N, nil), mat.NewDense(n*N, 1, nil)
	for i := range n {
		for x := range N {
			system.SetRow(i*N+x, row(pairs.Inputs.At(i), x))
			system.Set(i*N+x, i*N+x, system.At(i*N+x, i*N+x)+s.Ridge)
			u.Set(i*N+x, 0, g.at(pairs.Outputs.At(i), x, 0, 1))
		}
	}
	var c mat.Dense
	if err := c.Solve(system, u); err != nil {
		t.Fatal(err)
	}
	return methodtest.Direct(func(dst, a []float64) {
		values := make([]float64, N)
		for x := range values {
			for column, v := range row(a, x) {
				values[x] += v * c.At(column, 0)
			}
		}
		g.domain.Complete(dst, values, 1)
	})
}

// Predictions are those of a dense system, and leave-one-out errors those of retraining, for pairs in groups, too.
func TestEquivariantKernelIsItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	oblong := grid.Domain{Dims: 2, Periodic: true, Aspect: grid.AspectOf(1, 2)}
	for _, test := range []struct {
		domain grid.Domain
		points int
		count  int
	}{{grid.Torus, 9, 8}, {grid.Torus, 8, 4}, {grid.Torus2, 4, 3}, {oblong, 3, 4}} {
		for _, reflection := range []int{-1, 0, 1} {
			for _, offset := range []bool{false, true} {
				t.Run(fmt.Sprint(test, reflection, offset), func(t *testing.T) {
					s := Shape{Cutoff: 1.5, Decay: 0.8, Length: 0.7, Ridge: 1e-2,
						Reflection: reflection, Offset: offset}
					pairs, others := methodtest.Rough(test.domain, test.points, test.count), methodtest.Rough(test.domain, test.points, test.count+3)
					if test.count == 8 {
						pairs = methodtest.InThrees(pairs)
					}
					p := methodtest.Must(newCirculant(pairs))
					e := methodtest.Must(p.fit(t.Context(), s, 2))
					fast, slow := methodtest.Predict(t, e, others.Inputs), methodtest.Predict(t, equivariantByDefinition(t, s, pairs), others.Inputs)
					for x, v := range slow.Data {
						if math.Abs(v-fast.Data[x]) > 1e-10 {
							t.Fatalf("value %d is %g, want %g", x, fast.Data[x], v)
						}
					}
					brute := methodtest.LeftOut(t, pairs, func(rest dataset.Pairs) methodtest.Predictor { return equivariantByDefinition(t, s, rest) })
					if math.Abs(brute-e.Error) > 1e-9*brute {
						t.Errorf("leave-one-out %.12g, by retraining %.12g", e.Error, brute)
					}
				})
			}
		}
	}
}

// With all parameters chosen, Burgers' odd reflection is found, and the error is far below that of a kernel without
// symmetry.
func TestEquivariantKernelFindsTheSymmetryOfBurgers(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	pairs, test := methodtest.Burgers(t, draw.InputTrain, 96, 33), methodtest.Burgers(t, draw.InputTest, 128, 33)
	e := methodtest.Must(Fit(t.Context(), pairs, operator.Options{Workers: 2}, false)).Operator.(*Equivariant)
	if e.Reflection != -1 {
		t.Errorf("reflection %d, want -1", e.Reflection)
	}
	k := methodtest.Must(kernel.Method.Train(t.Context(), pairs, operator.Options{Workers: 2}))
	own, kernel := methodtest.Relative(t, e, test), methodtest.Relative(t, k, test)
	if own > kernel/10 {
		t.Errorf("error %.4f, of kernel ridge regression %.4f: want a tenth of it", own, kernel)
	}
	if ratio := e.Error / own; ratio < 0.5 || ratio > 1.5 {
		t.Errorf("leave-one-out error %.5f, test error %.5f", e.Error, own)
	}
}

// Models for held-out parts of the pairs have the parameters of the whole, not those found on a sample of the part.
func TestPartsOfPairsHaveTheParametersOfTheWhole(t *testing.T) {
	pairs := methodtest.Burgers(t, draw.InputTrain, 40, 33)
	whole := methodtest.Must(Fit(t.Context(), pairs, operator.Options{Workers: 2}, false)).Operator.(*Equivariant)
	few := pairs.Range(0, 10)
	alone := methodtest.Must(Fit(t.Context(), few, operator.Options{Workers: 2}, false)).Operator.(*Equivariant)
	part := methodtest.Must(Method.Train(t.Context(), few, operator.Options{Workers: 2, Like: whole}))
	if got := part.(*Equivariant); got.Shape != whole.Shape || got.Shape == alone.Shape ||
		len(got.Inputs) != len(few.Inputs.Data) {
		t.Errorf("parameters %+v, those of the whole %+v, found on the part %+v", got.Shape, whole.Shape, alone.Shape)
	}
}

// A ridge that was chosen on few pairs may be too small for all of them: it is raised until it solves, and reported.
func TestRidgeThatDoesNotSolveIsRaised(t *testing.T) {
	pairs := methodtest.Smooth(40, 17, func(dst, a []float64) {
		for x := range dst {
			dst[x] = 1 + a[x]*a[x]
		}
	})
	const chosen, far = 1e-18, 1e6 // below the rounding errors of a kernel matrix that is singular but for them
	p := methodtest.Must(newCirculant(pairs))
	e := methodtest.Must(p.fit(t.Context(), Shape{Cutoff: 2, Decay: 1, Length: far, Ridge: chosen}, 2))
	if e.Ridge <= chosen || e.Ridge > 1e-12 || e.Chosen != chosen {
		t.Errorf("%s: ridge %g from %g, want a raised one", e, e.Ridge, e.Chosen)
	}
	if !strings.Contains(e.String(), "raised from 1e-18") {
		t.Errorf("%s does not tell that its ridge was raised", e)
	}
	if u := methodtest.Predict(t, e, pairs.Inputs.Range(0, 10)); !grid.Finite(u.Data...) {
		t.Errorf("%s predicts %v", e, u.Data)
	}
}

// equivariantOf returns an equivariant kernel whose coefficients are the outputs of pairs.
func equivariantOf(pairs dataset.Pairs) *Equivariant {
	e := &Equivariant{Base: operator.BaseOf(pairs), Shape: Shape{Cutoff: 2, Decay: 1, Length: 1},
		Inputs: pairs.Inputs.Data, Coefficients: pairs.Outputs.Data}
	return methodtest.Must(e, e.Restored())
}

func TestPredictionsOfTheEquivariantKernelDoNotDependOnWorkersOrOtherInputs(t *testing.T) {
	methodtest.PredictsAlike(t, "equivariant kernel", equivariantOf(methodtest.Noisy(grid.Torus, 9, 70)))
}

func BenchmarkEquivariant(b *testing.B) {
	line := methodtest.Noisy(grid.Torus, 257, 512)
	methodtest.BenchmarkPredictions(b, "257", equivariantOf(line), line.Inputs)
	field := methodtest.Noisy(grid.Torus2, 33, 512)
	methodtest.BenchmarkPredictions(b, "33x33", equivariantOf(field), field.Inputs)
}

// rationalQuadratic is the profile of the kernel, by its formula.
func rationalQuadratic(s float64) float64 { return 1 / (1 + s*s/2) }

// torus holds the distinct points of a periodic grid, with sums instead of transforms.
type torus struct {
	domain        grid.Domain
	points        int
	rows, columns int
}

func torusOf(b grid.Batch) torus {
	rows, columns := b.Domain.Axes(b.Points)
	return torus{b.Domain, b.Points, max(1, rows-1), columns - 1}
}

func (g torus) n() int { return g.rows * g.columns }

// at returns a function's value at the distinct point x moved by s; sign -1 takes it at the opposite place.
func (g torus) at(f []float64, x, s, sign int) float64 {
	i, j := sign*(x/g.columns-s/g.columns), sign*(x%g.columns-s%g.columns)
	i, j = (i%g.rows+g.rows)%g.rows, (j%g.columns+g.columns)%g.columns
	return f[i*(g.columns+1)+j]
}

// square returns d(f, g)^2 of the values of two functions at the distinct points.
func (g torus) square(s Shape, f, h []float64) float64 {
	sum := 0.0
	for p := range g.n() {
		k1, k2 := p/g.columns, p%g.columns
		if g.rows > 1 && 2*k1 == g.rows || 2*k2 == g.columns {
			continue
		}
		var c complex128
		for x := range f {
			angle := 2 * math.Pi * (float64(k1*(x/g.columns))/float64(g.rows) + float64(k2*(x%g.columns))/float64(g.columns))
			c += complex(f[x]-h[x], 0) * cmplx.Exp(complex(0, -angle))
		}
		folded := math.Hypot(float64(min(k1, g.rows-k1)), g.domain.Frequency(min(k2, g.columns-k2)))
		if g.domain.Dims == 1 {
			folded = float64(min(k2, g.columns-k2))
		}
		sum += math.Pow(1+folded*folded/(s.Cutoff*s.Cutoff), -s.Decay) * methodtest.Square(c/complex(float64(g.n()), 0))
	}
	return sum
}
