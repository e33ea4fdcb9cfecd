package local

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
)

// Waves returns functions with a few random waves along each axis.
func Waves(d grid.Domain, points, count int, seed uint64) grid.Batch {
	r := rand.New(rand.NewPCG(seed, 1))
	b := grid.NewBatch(d, points, count)
	rows, columns := d.Axes(points)
	for i := range count {
		for k := range 3 {
			c, p, q := 2*r.Float64()-1, 2*math.Pi*r.Float64(), 2*math.Pi*r.Float64()
			for x := range b.At(i) {
				y, z := float64(x/columns)/float64(max(1, rows-1)), float64(x%columns)/float64(columns-1)
				b.At(i)[x] += c * math.Cos(2*math.Pi*float64(k+1)*z+p) * math.Cos(2*math.Pi*float64(k)*y+q)
			}
		}
		if d.Periodic {
			d.Wrap(b.At(i))
		}
	}
	return b
}

// law is a local law of two channels: a value nearby, the value here, and their product.
func law(a, v []float64, columns int) []float64 {
	u := make([]float64, len(a))
	for x := range u {
		u[x] = math.Sin(a[x]) * v[x]
		if x%columns > 0 {
			u[x] += a[x-1] * 0.3
		} else {
			u[x] += a[x+columns-2] * 0.3
		}
	}
	return u
}

// task returns such a law of some functions.
func task(d grid.Domain, points, count int, seed uint64) Task {
	a, v := Waves(d, points, count, seed), Waves(d, points, count, seed+1)
	_, columns := d.Axes(points)
	t := Task{View: newView(d, points, 2, sight{means: true}), Inputs: grid.Stack(a, v), Targets: a.Like(count),
		Groups: ridge.Labelled(nil, count), Seed: 1, Workers: 2}
	for i := range count {
		copy(t.Targets.At(i), law(a.At(i), v.At(i), columns))
		if d.Periodic {
			d.Wrap(t.Targets.At(i))
		}
	}
	return t
}

// relative returns the root mean square error relative to the targets.
func relative(targets, predicted grid.Batch) float64 {
	missed, all := 0.0, 0.0
	for x, u := range targets.Data {
		missed += (u - predicted.Data[x]) * (u - predicted.Data[x])
		all += u * u
	}
	return math.Sqrt(missed / all)
}

// A layer learns a local law from few functions, and its left-out predictions tell about how well it predicts others.
func TestLayerLearnsALocalLaw(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	for _, domain := range []grid.Domain{grid.Torus, grid.Torus2} {
		points, count := 33, 60
		if domain.Dims == 2 {
			points, count = 9, 20
		}
		train, test := task(domain, points, count, 1), task(domain, points, count, 7)
		d := must(train.Search(t.Context(), count))
		layer, left, err := train.Learn(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		predicted := test.Targets.Like(count)
		if err := layer.Add(t.Context(), test.View, predicted, test.Inputs, ridge.Others(nil, count), 2, nil); err != nil {
			t.Fatal(err)
		}
		e, l := relative(test.Targets, predicted), relative(train.Targets, left)
		if !(e < 0.025) || l < e/5 || l > 5*e {
			t.Errorf("%s: error %.3g, left out %.3g", domain.Name(), e, l)
		}
	}
}

// The left-out prediction of a function is that of a layer with the same features that is trained without its part.
func TestLeftOutPredictionsAreThoseOfRetraining(t *testing.T) {
	for _, domain := range []grid.Domain{grid.Torus, grid.Interval, {Dims: 2, Cells: true}} {
		all := task(domain, 9, 6, 3)
		d := must(all.Search(t.Context(), 6))
		d.lambda = 1e-3
		l, left, err := all.Learn(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 6 {
			others, rest := ridge.Others([]int{i}, 6), all
			rest.Inputs, rest.Targets, rest.Groups = all.Inputs.Take(others), all.Targets.Take(others), ridge.Labelled(nil, 5)
			w := all.weights(d, len(l.Coefficients), rounds+1)
			sums := must(rest.sums(t.Context(), linalg.PanelsOf(w.RawMatrix()), [][]int{{0, 1, 2, 3, 4}}))
			best := math.Inf(1)
			for _, factor := range ladder { // one of them was chosen
				c := must(solved(t.Context(), sums.all, factor*d.lambda, 1))
				u, without := rest.Targets.Like(1), Layer{w, c}
				if err := without.Add(t.Context(), all.View, u, all.Inputs.Range(i, 1), []int{0}, 1, nil); err != nil {
					t.Fatal(err)
				}
				best = min(best, relative(left.Range(i, 1), u))
			}
			if best > 1e-6 {
				t.Errorf("%s: function %d differs by %g from retraining", domain.Name(), i, best)
			}
		}
	}
}

// Any number of workers gives the same layer.
func TestWorkersDoNotChangeALayer(t *testing.T) {
	var all [2]*Layer
	for w := range all {
		train := task(grid.Torus, 17, 12, 1)
		train.Workers = 1 + 2*w
		d, err := train.Search(t.Context(), 12)
		if err != nil {
			t.Fatal(err)
		}
		if all[w], _, err = train.Learn(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	for j, c := range all[0].Coefficients {
		if c != all[1].Coefficients[j] {
			t.Fatalf("coefficient %d: %g and %g", j, c, all[1].Coefficients[j])
		}
	}
}

// The view of a fine grid takes the memory that is promised: dense maps took 229 and 914 MB here.
func TestViewsOfFineGridsAreSmall(t *testing.T) {
	for _, points := range []int{1025, 2049} {
		allocated := func(work func()) float64 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			work()
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		for _, domain := range []grid.Domain{grid.Torus, grid.Interval} {
			inputs := Waves(domain, points, 1, 1)
			promised := viewBytes(domain, points, 1, 1)
			got := allocated(func() {
				v := newView(domain, points, 1, sight{placed: true, means: true})
				err := v.each(t.Context(), inputs, []int{0}, func(int, *linalg.Panels) error { return nil })
				if err != nil {
					t.Fatal(err)
				}
			})
			if got > 1.1*promised {
				t.Errorf("%s, K=%d: %.1f MB taken, %.1f promised", domain.Name(), points, got/1e6, promised/1e6)
			}
		}
	}
}

// must returns the value of a call that cannot fail.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Layers of a chain, and chains of other seeds, have no random number in common: phases are the last row of weights.
func TestLayersAndSeedsAreIndependent(t *testing.T) {
	seen := map[float64]string{}
	orders := map[string]string{}
	for seed := range uint64(3) {
		for layer := range 3 {
			of := task(grid.Torus, 9, 20, 1)
			of.Seed, of.Layer = seed, layer
			name := fmt.Sprintf("layer %d of seed %d", layer, seed)
			weights := of.weights(Directions{base: mat.NewDense(2, 2, nil), length: 1}, 8, 1)
			for _, phase := range weights.RawRowView(2) {
				if other, ok := seen[phase]; ok {
					t.Errorf("%s and %s have the phase %g", name, other, phase)
				}
				seen[phase] = name
			}
			order := fmt.Sprint(of.order(), of.pointsOf(0))
			if other, ok := orders[order]; ok {
				t.Errorf("%s and %s have the same order of functions", name, other)
			}
			orders[order] = name
		}
	}
}
