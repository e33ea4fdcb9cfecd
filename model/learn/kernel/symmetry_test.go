package kernel

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/learn/expansion"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/solver/base/draw"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// Predictions of a kernel equal those of one dense system; with a symmetry this system has all images of the pairs.
// Leave-one-out errors equal those of training again without a pair and its images. Both hold with landmarks and
// without.
func TestKernelIsItsDefinition(t *testing.T) {
	oblong := grid.Domain{Dims: 2, Cells: true, Aspect: grid.Aspect{First: 2, Second: 3}}
	for _, domain := range []grid.Domain{grid.Interval, {Dims: 1, Cells: true}, grid.Square, {Dims: 2, Cells: true},
		oblong} {
		const n = 7
		points := 6
		pairs := methodtest.Symmetric(domain, points, n+3, 0)
		train, test := pairs.Range(0, n), pairs.Range(n, 3)
		for at := range 2 * (groups(domain) + 1) {
			group, describe, weight, cutoff := at/2-1, expansion.NewFrequencies, 0.0, 2.0
			if group < 0 { // principal components, which have no symmetry
				group, describe, weight, cutoff = noMotion, expansion.NewPrincipal, -0.3, 0
			}
			p := methodtest.Must(newKernelProblem(t.Context(), train, describe, "", 2))
			p.marks = [][]int{nil, {4, 1, 6, 2}}[at%2]
			name := fmt.Sprintf("%s, group %d, landmarks %v", domain.Name(), group, p.marks)
			q := Parameters{Profile: profiles[at/2%3], Modes: len(p.inputs.Variances), Weight: weight, Cutoff: cutoff,
				Decay: 0.5, Length: 1, Ridge: 1e-3, Symmetry: group}
			k := methodtest.Must(p.fit(t.Context(), q, 2))
			want := byDefinition(t, p, q, train)
			got, direct := methodtest.Predict(t, k, test.Inputs), methodtest.Predict(t, want, test.Inputs)
			for x, v := range direct.Data {
				if math.Abs(v-got.Data[x]) > methodtest.Conditioned {
					t.Fatalf("%s: value %d is %g, want %g", name, x, got.Data[x], v)
				}
			}
			brute := methodtest.LeftOut(t, train, func(rest dataset.Pairs) methodtest.Predictor { return byDefinition(t, p, q, rest) })
			if math.Abs(brute-k.Error) > methodtest.Conditioned*brute {
				t.Errorf("%s: leave-one-out %.12g, by retraining %.12g", name, k.Error, brute)
			}
			if group == noMotion {
				continue
			}
			reflection := grid.Motion{Flip: 1}
			image := methodtest.Predict(t, k, test.Inputs.Moved(reflection))
			for x, v := range got.Moved(reflection).Data {
				if math.Abs(v-image.Data[x]) > methodtest.Conditioned {
					t.Fatalf("%s: the prediction for a reflected input is not the reflected one", name)
				}
			}
		}
	}
}

// byDefinition returns kernel ridge regression on all images of pairs, in one dense system, solved with LU. The pairs
// p.marks are landmarks.
func byDefinition(t *testing.T, p *kernelProblem, q Parameters, pairs dataset.Pairs) methodtest.Predictor {
	t.Helper()
	motions := motionsOf(p.Domain(), q.Symmetry)
	all := grid.Batch{Domain: p.Domain(), Points: p.Points}
	outputs := all
	for _, m := range motions {
		all.Data = append(all.Data, pairs.Inputs.Moved(m).Data...)
		outputs.Data = append(outputs.Data, pairs.Outputs.Moved(m).Data...)
		all.Count += pairs.Count()
	}
	points := func(b grid.Batch) *mat.Dense {
		c, scales := methodtest.Must(p.inputs.Coefficients(t.Context(), b, 2)), q.scales(p.inputs)
		z := mat.DenseCopyOf(c.Slice(0, b.Count, 0, q.Modes))
		z.Apply(func(_, k int, v float64) float64 { return scales[k] * v }, z)
		return z
	}
	z := points(all)
	matrix := func(rows, columns *mat.Dense) *mat.Dense {
		n, _ := rows.Dims()
		m, _ := columns.Dims()
		k := mat.NewDense(n, m, nil)
		for i := range n {
			for j := range m {
				k.Set(i, j, kernelAt(q.Profile, floats.Distance(rows.RawRowView(i), columns.RawRowView(j), 2)))
			}
		}
		return k
	}
	system, right := matrix(z, z), mat.NewDense(all.Count, p.Outputs.Values(), outputs.Data)
	ridge := func(m *mat.Dense) {
		for i := range m.RawMatrix().Rows {
			m.Set(i, i, m.At(i, i)+q.Ridge)
		}
	}
	if ridge(system); p.marks != nil {
		var present []int // landmarks among the pairs
		for _, i := range p.marks {
			for j := range pairs.Count() {
				if slices.Equal(p.Inputs.At(i), pairs.Inputs.At(j)) {
					present = append(present, i)
				}
			}
		}
		marks := p.some(present, len(present)).points(q)
		k, l := matrix(z, marks), matrix(marks, marks)
		ridge(l)
		l.Scale(q.Ridge, l)
		system, z = new(mat.Dense), marks
		system.Mul(k.T(), k)
		system.Add(system, l)
		outputs := right
		right = new(mat.Dense)
		right.Mul(k.T(), outputs)
	}
	var c mat.Dense
	if err := c.Solve(system, right); err != nil {
		t.Fatal(err)
	}
	return methodtest.Direct(func(dst, a []float64) {
		one := grid.Batch{Domain: p.Domain(), Points: p.Points, Count: 1, Data: a}
		w := points(one).RawRowView(0)
		clear(dst)
		for i := range c.RawMatrix().Rows {
			value := kernelAt(q.Profile, floats.Distance(z.RawRowView(i), w, 2))
			for x, v := range c.RawRowView(i) {
				dst[x] += value * v
			}
		}
	})
}

// Pairs that are no landmarks lower the error, too, so that more data never make a worse model, and their leave-one-out
// errors are exact.
func TestPairsBesidesLandmarksCount(t *testing.T) {
	const exact, count = 60, 400
	pairs := oscillations(count + 100)
	test := pairs.Range(count, 100)
	marks := draw.Permutation(0, operator.PurposeSearch, 0, count)[:exact]
	few := methodtest.Must(kernelRidge(t.Context(), pairs.Take(marks), operator.Options{Workers: 2}, MostExact)).Operator.(*KernelRidge)
	one := methodtest.Must(kernelRidge(t.Context(), pairs.Range(0, count), operator.Options{Workers: 1}, exact)).Operator.(*KernelRidge)
	two := methodtest.Must(kernelRidge(t.Context(), pairs.Range(0, count), operator.Options{Workers: 2}, exact)).Operator.(*KernelRidge)
	e, before := methodtest.Relative(t, two, test), methodtest.Relative(t, few, test)
	if two.Coefficients.Rows() != exact || e > 0.8*before || math.Abs(e-two.Error) > 0.3*e {
		t.Errorf("%v: test error %.3g, leave-one-out %.3g; of the landmarks alone %.3g", two, e, two.Error, before)
	}
	if !slices.Equal(one.Coefficients.Dense(), two.Coefficients.Dense()) || one.Error != two.Error {
		t.Error("workers change the model")
	}
}

// Symmetries are chosen where the operator has them, and only there.
func TestKernelFindsSymmetries(t *testing.T) {
	cells := grid.Domain{Dims: 2, Cells: true}
	for tilt, want := range map[float64]int{0: wholeSquare, 3: noMotion} {
		pairs := methodtest.Symmetric(cells, 4, 60, tilt)
		k := methodtest.Must(kernelRidge(t.Context(), pairs.Range(0, 40), operator.Options{Workers: 2}, MostExact)).Operator.(*KernelRidge)
		if found := map[int]string{wholeSquare: config.WholeSquare}[want]; k.Found() != found {
			t.Errorf("found %q, want %q", k.Found(), found)
		}
		test := methodtest.Relative(t, k, pairs.Range(40, 20))
		if k.Symmetry != want || k.Error > 2*test || k.Error < test/2 {
			t.Errorf("%v: symmetry %d, want %d; leave-one-out error %.4f, test error %.4f", k, k.Symmetry, want, k.Error,
				test)
		}
	}
}

// A ridge that was chosen on few pairs may be too small for all of them: it is raised until it solves, and reported.
func TestRidgeOfAKernelThatDoesNotSolveIsRaised(t *testing.T) {
	pairs := methodtest.Smooth(40, 17, func(dst, a []float64) {
		for x := range dst {
			dst[x] = 1 + a[x]*a[x]
		}
	})
	const chosen, far = 1e-18, 1e6 // below the rounding errors of a kernel matrix that is singular but for them
	p := methodtest.Must(newKernelProblem(t.Context(), pairs, expansion.NewPrincipal, "", 2))
	k := methodtest.Must(p.fit(t.Context(), Parameters{Modes: 2, Length: far, Ridge: chosen}, 2))
	if k.Ridge <= chosen || k.Ridge > 1e-12 || k.Chosen != chosen {
		t.Errorf("%s: ridge %g from %g, want a raised one", k, k.Ridge, k.Chosen)
	}
	if !strings.Contains(k.String(), "raised from 1e-18") {
		t.Errorf("%s does not tell that its ridge was raised", k)
	}
	if u := methodtest.Predict(t, k, pairs.Inputs.Range(0, 10)); !grid.Finite(u.Data...) {
		t.Errorf("%s predicts %v", k, u.Data)
	}
}
