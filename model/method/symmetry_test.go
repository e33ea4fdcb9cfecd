package method

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/grid"
)

// symmetric returns pairs of rough functions and an operator that commutes with all motions of the domain, or, with
// tilt, with none.
func symmetric(domain grid.Domain, points, count int, tilt float64) dataset.Pairs {
	pairs := dataset.Pairs{Inputs: random(domain, points, count), Outputs: grid.NewBatch(domain, points, count)}
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

// A kernel with a symmetry equals the kernel without one on all images of the pairs: in its predictions, and in
// leave-one-out errors, which equal retraining without a pair and its images.
func TestSymmetryIsTrainingOnAllImages(t *testing.T) {
	oblong := grid.Domain{Dims: 2, Cells: true, Aspect: grid.Aspect{First: 2, Second: 3}}
	for _, domain := range []grid.Domain{grid.Interval, {Dims: 1, Cells: true}, grid.Square, {Dims: 2, Cells: true},
		oblong} {
		const n = 7
		points := 6
		pairs := symmetric(domain, points, n+3, 0)
		train, test := pairs.Range(0, n), pairs.Range(n, 3)
		p := must(newKernelProblem(train, newFrequencies))
		p.addImages()
		for group := reflections; group < groups(domain); group++ {
			q := Parameters{Modes: len(p.inputs.variances), Cutoff: 2, Decay: 0.5, Length: 1, Ridge: 1e-3, Symmetry: group}
			k := must(p.fit(t.Context(), q, 2))
			want := byDefinition(t, p, q, train)
			got, direct := predict(t, k, test.Inputs), predict(t, want, test.Inputs)
			for x, v := range direct.Data {
				if math.Abs(v-got.Data[x]) > conditioned {
					t.Fatalf("%s, group %d: value %d is %g, want %g", domain.Name(), group, x, got.Data[x], v)
				}
			}
			brute := leftOut(t, train, func(rest dataset.Pairs) predictor { return byDefinition(t, p, q, rest) })
			if math.Abs(brute-k.Error) > conditioned*brute {
				t.Errorf("%s, group %d: leave-one-out %.12g, by retraining %.12g", domain.Name(), group, k.Error, brute)
			}
			reflection := grid.Motion{Flip: 1}
			image := predict(t, k, test.Inputs.Moved(reflection))
			for x, v := range got.Moved(reflection).Data {
				if math.Abs(v-image.Data[x]) > conditioned {
					t.Fatalf("%s, group %d: the prediction for a reflected input is not the reflected one", domain.Name(), group)
				}
			}
		}
	}
}

// byDefinition returns kernel ridge regression on all images of pairs, in one dense system, solved with LU.
func byDefinition(t *testing.T, p *kernelProblem, q Parameters, pairs dataset.Pairs) predictor {
	t.Helper()
	motions := motionsOf(p.Domain(), q.Symmetry)
	all := grid.Batch{Domain: p.Domain(), Points: p.Points}
	outputs := all
	for _, m := range motions {
		all.Data = append(all.Data, pairs.Inputs.Moved(m).Data...)
		outputs.Data = append(outputs.Data, pairs.Outputs.Moved(m).Data...)
		all.Count += pairs.Count()
	}
	z := q.points(p.inputs, p.inputs.coefficients(all))
	n := all.Count
	system := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			system.Set(i, j, kernelAt(q.Profile, floats.Distance(z.RawRowView(i), z.RawRowView(j), 2)))
		}
		system.Set(i, i, system.At(i, i)+q.Ridge)
	}
	var c mat.Dense
	if err := c.Solve(system, mat.NewDense(n, len(p.weights), outputs.Data)); err != nil {
		t.Fatal(err)
	}
	return direct(func(dst, a []float64) {
		one := grid.Batch{Domain: p.Domain(), Points: p.Points, Count: 1, Data: a}
		w := q.points(p.inputs, p.inputs.coefficients(one)).RawRowView(0)
		clear(dst)
		for i := range n {
			value := kernelAt(q.Profile, floats.Distance(z.RawRowView(i), w, 2))
			for x, v := range c.RawRowView(i) {
				dst[x] += value * v
			}
		}
	})
}

// Symmetries are chosen where the operator has them, and only there.
func TestKernelFindsSymmetries(t *testing.T) {
	cells := grid.Domain{Dims: 2, Cells: true}
	for tilt, want := range map[float64]int{0: wholeSquare, 3: noMotion} {
		pairs := symmetric(cells, 4, 60, tilt)
		k := must(kernelRidge(t.Context(), pairs.Range(0, 40), Options{Workers: 2}))
		if found := map[int]string{wholeSquare: config.WholeSquare}[want]; Found(k) != found {
			t.Errorf("found %q, want %q", Found(k), found)
		}
		test := relative(t, k, pairs.Range(40, 20))
		if k.Symmetry != want || k.Error > 2*test || k.Error < test/2 {
			t.Errorf("%v: symmetry %d, want %d; leave-one-out error %.4f, test error %.4f", k, k.Symmetry, want, k.Error,
				test)
		}
	}
}
