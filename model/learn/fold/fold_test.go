package fold

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"rfm/config"
	"rfm/model/learn/methodtest"
	"rfm/model/learn/operator"
	"rfm/model/learn/shear"
	"rfm/model/learn/translate"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/space/grid"
)

// wave is a function between sides of one parity: sin or cos of k pi x.
func wave(p grid.Parity, k, x float64) float64 {
	if p == grid.Odd {
		return math.Sin(k * math.Pi * x)
	}
	return math.Cos(k * math.Pi * x)
}

// waves returns sums of the first waves, whose coefficients depend on the pair, with those of a law as outputs.
func waves(d grid.Domain, points, count int, p parities, law func(c [5]float64) [5]float64) dataset.Pairs {
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(d, points, count),
		Outputs: grid.NewBatch(d, points, count),
	}
	rows, columns := d.Axes(points)
	place := func(i, points int) float64 {
		if d.Cells {
			return (float64(i) + 0.5) / float64(points)
		}
		return float64(i) / float64(points-1)
	}
	sum := func(f []float64, c [5]float64, p grid.Parity) {
		for x := range f {
			for k := 1; k < len(c); k++ {
				v := c[k] * wave(p, float64(k), place(x%columns, columns))
				if rows > 1 {
					v *= wave(p, 1, place(x/columns, rows))
				}
				f[x] += v
			}
		}
	}
	for i := range count {
		random := draw.Stream(2, "fold-test", i)
		var c [5]float64
		for k := 1; k < len(c); k++ {
			c[k] = random.NormFloat64() / float64(k)
		}
		sum(pairs.Inputs.At(i), c, p.in)
		sum(pairs.Outputs.At(i), law(c), p.out)
	}
	return pairs
}

// smoothing is the law of the heat equation.
func smoothing(c [5]float64) [5]float64 {
	for k := range c {
		c[k] *= math.Exp(-float64(k*k) / 20)
	}
	return c
}

// derivative is the law a -> a_x, which turns odd functions into even ones.
func derivative(c [5]float64) [5]float64 {
	for k := range c {
		c[k] *= float64(k)
	}
	return c
}

var kernel = Of(translate.Method)

// Every pair of parities is learned on every domain with sides. Predictions have the parity of outputs.
func TestFunctionsOfEveryParityAreLearned(t *testing.T) {
	for word, p := range words {
		law := smoothing
		if p.in != p.out {
			law = derivative
		}
		for _, d := range grid.Domains() {
			isField := d.Dims == 2
			if d.Periodic || isField && (p.in != p.out || d.Cells == (p.in == grid.Odd)) {
				continue
			}
			points := 9
			for !d.Exists(points) {
				points++
			}
			pairs := waves(d, points, 16, p, law)
			if got := Seen(pairs); !d.Cells && d.Dims == 1 && p.in == grid.Odd && p.out == grid.Odd && got != word {
				t.Errorf("%s: %s pairs are seen as %q", d.Name(), word, got)
			}
			train, test := pairs.Range(0, 10), pairs.Range(10, 6)
			o := operator.Options{Workers: 2, Seed: 1, Symmetry: word}
			f := methodtest.Must(kernel.Train(t.Context(), train, o))
			if got := methodtest.Relative(t, f, test); got > 0.02 {
				t.Errorf("%s, %s: error %.2g, want at most 0.02", d.Name(), word, got)
			}
			if f.Domain() != d || f.Finest() != points || f.Name() != config.EquivariantKernel {
				t.Errorf("%s: the operator is a %s on %s with %d points", d.Name(), f.Name(), f.Domain().Name(), f.Finest())
			}
		}
	}
}

// The leave-one-out error, and the residuals between the sides, are those of retraining without each group of pairs.
func TestLeaveOneOutIsRetraining(t *testing.T) {
	p := parities{in: grid.Odd, out: grid.Odd}
	pairs := methodtest.InThrees(waves(grid.Interval, 9, 11, p, func(c [5]float64) [5]float64 {
		c[2] += c[1] * c[1]
		return c
	}))
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	all := methodtest.Must(kernel.Train(t.Context(), pairs, o))
	o.Like = all
	want := methodtest.LeftOut(t, pairs, func(rest dataset.Pairs) methodtest.Predictor {
		return methodtest.Must(kernel.Train(t.Context(), rest, o))
	})
	const conditioned = 1e-3 // effect of rounding errors: coefficients are much larger than outputs
	if got := all.LeaveOneOut(); math.Abs(got-want) > conditioned*want {
		t.Errorf("leave-one-out error %g, retraining has %g", got, want)
	}
	left := operator.ResidualsOf(all)
	if left.Domain != grid.Interval || left.Count != pairs.Count() {
		t.Errorf("%d residuals on %s", left.Count, left.Domain.Name())
	}
}

// Functions on another grid are interpolated as waves of their parity, not as even ones.
func TestOtherGridsAreInterpolatedOnTheTorus(t *testing.T) {
	p := parities{in: grid.Odd, out: grid.Odd}
	coarse := waves(grid.Interval, 17, 12, p, smoothing)
	fine := waves(grid.Interval, 49, 12, p, smoothing)
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	f := methodtest.Must(kernel.Train(t.Context(), coarse, o))
	own := methodtest.Relative(t, f, coarse)
	if got := methodtest.Relative(t, f, fine); got > own+1e-4 {
		t.Errorf("error %.2g between the points, %.2g at them", got, own)
	}
}

// Fronts of odd functions move symmetrically, so that outputs can be sheared on the torus.
func TestFrontsBetweenWallsAreSheared(t *testing.T) {
	steep := waves(grid.Interval, 33, 40, parities{in: grid.Odd, out: grid.Odd}, smoothing)
	for i := range steep.Count() {
		u := steep.Outputs.At(i)
		for x, v := range steep.Inputs.At(i) {
			u[x] = math.Tanh(6 * v)
		}
	}
	o := operator.Options{Workers: 2, Seed: 1, Symmetry: config.OddFold}
	result := methodtest.Must(Of(shear.Method).Try(t.Context(), steep, o))
	if result.Operator == nil {
		t.Fatal(result.Err())
	}
	plain := methodtest.Must(kernel.Train(t.Context(), steep, o))
	if result.Operator.LeaveOneOut() > 0.9*plain.LeaveOneOut() {
		t.Errorf("error %.2g, %.2g without a transform", result.Operator.LeaveOneOut(), plain.LeaveOneOut())
	}
}

func TestParitiesAreSeen(t *testing.T) {
	const points = 65
	both := func(p grid.Parity) parities { return parities{in: p, out: p} }
	odd := waves(grid.Interval, points, 5, both(grid.Odd), smoothing)
	even := waves(grid.Interval, points, 5, both(grid.Even), smoothing)
	cells := grid.Domain{Dims: 1, Cells: true}
	tilted := methodtest.WithOffset(odd, 1)
	for name, test := range map[string]struct {
		pairs dataset.Pairs
		want  string
	}{
		"odd":                 {odd, config.OddFold},
		"even":                {even, config.EvenFold},
		"odd to even":         {dataset.Pairs{Inputs: odd.Inputs, Outputs: even.Outputs}, config.OddToEven},
		"odd on cells":        {waves(cells, points, 5, both(grid.Odd), smoothing), config.OddFold},
		"even on cells":       {waves(cells, points, 5, both(grid.Even), smoothing), config.EvenFold},
		"odd fields":          {waves(grid.Square, 33, 5, both(grid.Odd), smoothing), config.OddFold},
		"even fields":         {waves(grid.Square, 33, 5, both(grid.Even), smoothing), config.EvenFold},
		"odd, then even":      {quarterWaves(grid.Interval, points, 5, mixed[config.OddLeft]), config.OddLeft},
		"even, then odd":      {quarterWaves(grid.Interval, points, 5, mixed[config.OddRight]), config.OddRight},
		"neither":             {tilted, ""},
		"a circle":            {methodtest.Smooth(5, points, func(dst, a []float64) { copy(dst, a) }), ""},
		"neither on a square": {methodtest.Closed(grid.Square, 9, 5), ""},
	} {
		if got := Seen(test.pairs); got != test.want {
			t.Errorf("%s: seen as %q, want %q", name, got, test.want)
		}
	}
}

func TestValuesAtSidesOfOddFunctionsAreRefused(t *testing.T) {
	pairs := waves(grid.Interval, 17, 12, parities{in: grid.Odd, out: grid.Odd}, smoothing)
	pairs.Outputs.At(7)[16] = 0.3
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	_, err := kernel.Train(t.Context(), pairs, o)
	var data *fault.Data
	if !errors.As(err, &data) || !strings.Contains(err.Error(), "output 7 has the value 0.3 at a side") {
		t.Errorf("error %v", err)
	}
	o.Symmetry = config.EvenFold
	if _, err := kernel.Train(t.Context(), pairs, o); err != nil {
		t.Errorf("even functions may have values at sides: %v", err)
	}
}

func TestWithoutAWordNothingIsFolded(t *testing.T) {
	for _, symmetry := range []string{config.AutoSymmetry, config.NoSymmetry, config.Reflection} {
		if kernel.Suits(grid.Interval, grid.Interval, symmetry) {
			t.Errorf("learns functions on an interval with data.symmetry = %s", symmetry)
		}
	}
	if kernel.Suits(grid.Interval.With(2), grid.Interval, config.OddFold) {
		t.Error("learns functions with several channels")
	}
	if Of(shear.Method).Suits(grid.Square, grid.Square, config.OddFold) {
		t.Error("shears fields")
	}
}

// Files that no training writes are refused.
func TestWrongParitiesAreRefused(t *testing.T) {
	pairs := waves(grid.Interval, 9, 8, parities{in: grid.Odd, out: grid.Odd}, smoothing)
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	f := methodtest.Must(kernel.Train(t.Context(), pairs, o)).(*Folded)
	if _, err := f.Sizes(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Folded){
		"parity":   func(f *Folded) { f.In = 0 },
		"periodic": func(f *Folded) { f.Periodic = true },
		"axes":     func(f *Folded) { f.Dims = 2 },
		"error":    func(f *Folded) { f.Error = math.Inf(1) },
	} {
		other := *f
		change(&other)
		if _, err := other.Sizes(); err == nil {
			t.Errorf("another %s is not refused", name)
		}
	}
}

// Memory is that of functions on the torus.
func TestBytesAreThoseOfTheTorus(t *testing.T) {
	interval := dataset.Pairs{Inputs: grid.NewBatch(grid.Interval, 17, 9), Outputs: grid.NewBatch(grid.Interval, 17, 9)}
	torus := dataset.Pairs{Inputs: grid.NewBatch(grid.Torus, 33, 9), Outputs: grid.NewBatch(grid.Torus, 33, 9)}
	o := operator.Options{Workers: 1, Symmetry: config.OddFold}
	got := kernel.Bytes(interval, o)
	if want := translate.Method.Bytes(torus, operator.Options{Workers: 1}); got != want {
		t.Errorf("%g bytes, want %g", got, want)
	}
	all := slices.Repeat([]grid.Parity{grid.Even, grid.Odd}, 2)
	if wordOf(all[0], all[1]) != config.EvenToOdd || wordOf(0, grid.Odd) != "" {
		t.Error("wrong words for parities")
	}
}

// Inputs that an odd continuation would change are refused, those that it keeps are not.
func TestInputsOfAnotherParityAreRefused(t *testing.T) {
	odd := parities{in: grid.Odd, out: grid.Odd}
	train := waves(grid.Interval, 9, 10, odd, smoothing)
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddFold}
	f := methodtest.Must(kernel.Train(t.Context(), train, o))
	if err := CheckInputs(f, train.Inputs, "new.npy"); err != nil {
		t.Error(err)
	}
	other := train.Inputs.Like(train.Count())
	copy(other.Data, train.Inputs.Data)
	other.At(3)[8] = 0.5
	var data *fault.Data
	err := CheckInputs(f, other, "new.npy")
	if !errors.As(err, &data) || data.Where != "new.npy" || !strings.HasPrefix(data.What, "function 3 has the value 0.5") {
		t.Errorf("got %v", err)
	}
}

// Functions that continue in another way at each end are learned on four times the interval, and asked to be 0 at one end alone.
func TestFunctionsWithTwoKindsOfEndsAreLearned(t *testing.T) {
	for word, e := range mixed {
		for _, d := range []grid.Domain{grid.Interval, {Dims: 1, Cells: true}} {
			t.Run(word+" "+d.Name(), func(t *testing.T) { testMixed(t, word, e, d) })
		}
	}
}

func testMixed(t *testing.T, word string, e grid.Ends, d grid.Domain) {
	const points = 17
	pairs := quarterWaves(d, points, 16, e)
	train := pairs.Range(0, 10)
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: word}
	f := methodtest.Must(kernel.Train(t.Context(), train, o))
	if got := methodtest.Relative(t, f, pairs.Range(10, 6)); got > 0.02 {
		t.Errorf("error %.2g, want at most 0.02", got)
	}
	if f.Domain() != d || f.Finest() != points || f.Name() != config.EquivariantKernel {
		t.Errorf("the operator is a %s on %s with %d points", f.Name(), f.Domain().Name(), f.Finest())
	}
	if left := operator.ResidualsOf(f); left.Count != train.Count() || left.Points != points {
		t.Errorf("%d residuals on %d points, want %d on %d", left.Count, left.Points, train.Count(), points)
	}
	if _, err := f.(*Widened).Sizes(); err != nil {
		t.Error(err)
	}
	if d.Cells {
		return
	}
	heldAt := 0
	if e.Far == grid.Odd {
		heldAt = points - 1
	}
	freeAt := points - 1 - heldAt
	other := train.Inputs.Clone()
	other.At(2)[freeAt] += 0.5
	if err := CheckInputs(f, other, "new.npy"); err != nil {
		t.Errorf("a value at the free end: %v", err)
	}
	other.At(3)[heldAt] = 0.5
	if err := CheckInputs(f, other, "new.npy"); err == nil || !strings.Contains(err.Error(), "function 3 has the value 0.5") {
		t.Errorf("a value at the held end: %v", err)
	}
	train.Outputs = train.Outputs.Clone()
	train.Outputs.At(4)[heldAt] = 0.3
	if _, err := kernel.Train(t.Context(), train, o); err == nil || !strings.Contains(err.Error(), "data.symmetry = "+word) {
		t.Errorf("an output that is not held: %v", err)
	}
}

// quarterWaves returns sums of waves that are 0 at one end and have no slope at the other, and what the heat equation makes of them.
func quarterWaves(d grid.Domain, points, count int, e grid.Ends) dataset.Pairs {
	pairs := dataset.Pairs{
		Inputs:  grid.NewBatch(d, points, count),
		Outputs: grid.NewBatch(d, points, count),
	}
	for i := range count {
		random := draw.Stream(3, "fold-test", i)
		for k := range 4 {
			wavenumber := float64(k) + 0.5
			c := random.NormFloat64() / wavenumber
			for j := range points {
				x := float64(j) / float64(points-1)
				if d.Cells {
					x = (float64(j) + 0.5) / float64(points)
				}
				v := c * wave(e.Near, wavenumber, x)
				pairs.Inputs.At(i)[j] += v
				pairs.Outputs.At(i)[j] += v * math.Exp(-wavenumber*wavenumber/20)
			}
		}
	}
	return pairs
}

// Files of functions with two kinds of ends that no training writes are refused.
func TestWrongWidenedOperatorsAreRefused(t *testing.T) {
	pairs := quarterWaves(grid.Interval, 9, 8, mixed[config.OddLeft])
	o := operator.Options{Workers: 1, Seed: 1, Symmetry: config.OddLeft}
	f := methodtest.Must(kernel.Train(t.Context(), pairs, o)).(*Widened)
	for name, change := range map[string]func(*Widened){
		"parity":       func(w *Widened) { w.Far = 0 },
		"other parity": func(w *Widened) { w.Far = grid.Odd },
		"periodic":     func(w *Widened) { w.Periodic = true },
		"axes":         func(w *Widened) { w.Dims = 2 },
		"error":        func(w *Widened) { w.Error = math.NaN() },
		"operator":     func(w *Widened) { w.Operator = w.Operator.(*Folded).Operator },
	} {
		other := *f
		change(&other)
		if _, err := other.Sizes(); err == nil {
			t.Errorf("another %s is not refused", name)
		}
	}
}
