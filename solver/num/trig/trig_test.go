// Tests of the transforms. Every test runs on the pure Go and on the assembly kernels.

package trig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"rfm/solver/base/parallel/detector"
	"rfm/solver/num/simd"
)

func TestCosineIsTheDirectSum(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachGrid(t, 2, func(t *testing.T, rows, columns int, level simd.Level) {
		f, got := random(rows*columns), make([]float64, rows*columns)
		newSeries(rows, columns, false, level).Transform(got, f)
		expectEqual(t, "transform", got, bothAxes(f, rows, columns, cosineOf(rows), cosineOf(columns)), rounding)
	})
}

func TestSineIsTheDirectSum(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachGrid(t, 3, func(t *testing.T, rows, columns int, level simd.Level) {
		a, b := rows-2, columns-2
		f, got := random(a*b), make([]float64, a*b)
		newSine(rows, columns, level).Transform(packed(got, a, b), packed(f, a, b), nil)
		expectEqual(t, "transform", got, bothAxes(f, a, b, sineOf(a), sineOf(b)), rounding)
	})
}

func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

func TestSineMultipliesByFactors(t *testing.T) {
	forEachGrid(t, 3, func(t *testing.T, rows, columns int, level simd.Level) {
		a, b := rows-2, columns-2
		f, factors, want, got := random(a*b), random(a*b + 1)[1:], make([]float64, a*b), make([]float64, a*b)
		transform := newSine(rows, columns, level)
		transform.Transform(packed(want, a, b), packed(f, a, b), nil)
		for i, factor := range factors {
			want[i] *= factor
		}
		transform.Transform(packed(got, a, b), packed(f, a, b), factors)
		expectEqual(t, "transform times factors", got, want, 0)
	})
}

// TestFieldsMayBeViews puts a field inside a larger one, whose other numbers must be neither read nor written.
func TestFieldsMayBeViews(t *testing.T) {
	forEachGrid(t, 3, func(t *testing.T, rows, columns int, level simd.Level) {
		a, b := rows-2, columns-2
		f, want := random(a*b), make([]float64, a*b)
		transform := newSine(rows, columns, level)
		transform.Transform(packed(want, a, b), packed(f, a, b), nil)
		whole := make([]float64, rows*columns)
		for i := range whole {
			whole[i] = math.NaN()
		}
		view := Field{whole[columns+1:], columns, a, b}
		for i := range a {
			copy(view.Row(i), f[i*b:(i+1)*b])
		}
		transform.Transform(view, view, nil)
		for i := range a {
			expectEqual(t, "row of the view", view.Row(i), want[i*b:(i+1)*b], 0)
			if row := whole[(i+1)*columns:]; !math.IsNaN(row[0]) || !math.IsNaN(row[columns-1]) {
				t.Fatalf("what is beside row %d was written", i)
			}
		}
	})
}

// TestErrorsOfRunningSums measures the errors in the package documentation, against compensated sums, for one axis of
// every kind of length.
func TestErrorsOfRunningSums(t *testing.T) {
	for _, n := range []int{128, 499, 1000} {
		for _, level := range levels() {
			source := rand.New(rand.NewPCG(7, uint64(n)))
			rows := make([]float64, Columns*(n+1))
			for i := range rows {
				rows[i] = source.NormFloat64()
			}
			axis := newCosineAxis(n+1, level)
			got, work := make([]float64, len(rows)), make([]float64, axis.Work)
			axis.Transform(Block(got), Block(rows), work)
			table := make([]float64, 2*n)
			for j := range table {
				table[j] = math.Cos(math.Pi * float64(j) / float64(n))
			}
			var even, odd, scale float64
			for k := 0; k <= n; k++ {
				var sum, lost float64
				for j := 0; j <= n; j++ {
					f := rows[Columns*j]
					if j == 0 || j == n {
						f /= 2
					}
					p := f * table[j*k%(2*n)]
					next := sum + p
					part := next - sum
					lost += math.FMA(f, table[j*k%(2*n)], -p) + ((sum - (next - part)) + (p - part))
					sum = next
				}
				want := sum + lost
				scale += want * want
				e := (got[Columns*k] - want) * (got[Columns*k] - want)
				if k%2 == 0 {
					even += e
				} else {
					odd += e
				}
			}
			rms := math.Sqrt(scale / float64(n+1))
			evenError, oddError := math.Sqrt(even/float64(n/2))/rms, math.Sqrt(odd/float64(n/2))/rms
			t.Logf("n = %d, %v: even %.2g, odd %.2g", n, level, evenError, oddError)
			if evenError > 1e-15 || oddError > 5e-16*math.Sqrt(float64(n)) {
				t.Errorf("n = %d with %v kernels: error of even coefficients %.2g, of odd ones %.2g", n, level, evenError, oddError)
			}
		}
	}
}

func TestNothingAllocates(t *testing.T) {
	detector.Skip(t, detector.Allocations)
	for _, level := range levels() {
		for _, r := range []int{33, 101} {
			cosine, sine, f := newSeries(r, r, false, level), newSine(r, r, level), random(r*r)
			inside := Field{f[r+1:], r, r - 2, r - 2}
			centred := newSeries(r, r, true, level)
			if got := fewestAllocations(func() {
				cosine.Transform(f, f)
				sine.Transform(inside, inside, nil)
				centred.Transform(f, f)
				centred.Sum(f, f)
			}); got > 0 {
				t.Errorf("transforms with %v kernels allocate %v times", level, got)
			}
		}
	}
}

func TestOneTransformServesManyGoroutines(t *testing.T) {
	transform, f := NewSeries(20, 35, false), random(700)
	want := make([]float64, 700)
	transform.Transform(want, f)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			got := make([]float64, 700)
			for range 4 {
				transform.Transform(got, f)
				if squares(got) != squares(want) {
					t.Error("transforms differ between goroutines")
				}
			}
		})
	}
	group.Wait()
}

func TestWrongSizesPanic(t *testing.T) {
	for name, operation := range map[string]func(){
		"cosine of a short field": func() { NewSeries(17, 17, false).Transform(make([]float64, 289), make([]float64, 288)) },
		"sine of the whole grid": func() {
			NewSine(5, 5).Transform(packed(random(25), 5, 5), packed(random(25), 5, 5),
				nil)
		},
		"sine with few factors": func() {
			NewSine(5, 5).Transform(packed(random(9), 3, 3), packed(random(9), 3, 3),
				random(3))
		},
		"sine without an interior": func() { NewSine(5, 2) },
		"axis of a single point":   func() { NewCosineAxis(1) },
		"axis without an interior": func() { NewSineAxis(2, 1) },
		"no cells":                 func() { NewSeries(0, 4, true) },
		"axis without cells":       func() { NewCentredAxis(0, true) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was accepted", name)
				}
			}()
			operation()
		}()
	}
}

// TestAxesTransformFunctions transforms eight functions on the interval, interleaved and in place.
func TestAxesTransformFunctions(t *testing.T) {
	for _, r := range []int{3, 4, 17, 24, 101} {
		cosine, sine := NewCosineAxis(r), NewSineAxis(r, 2)
		f := random(Columns * r)
		want, got := bothAxes(f, r, Columns, cosineOf(r), identity), append([]float64(nil), f...)
		cosine.Transform(Block(got), Block(got), make([]float64, cosine.Work))
		expectEqual(t, fmt.Sprintf("cosine transforms of %d points", r), got, want, rounding)

		inside, scale := f[:Columns*(r-2)], math.Sqrt(2*float64(r-1)) // 2 instead of sqrt(2/n)
		want, got = bothAxes(inside, r-2, Columns, sineOf(r-2), identity), append([]float64(nil), inside...)
		for i := range want {
			want[i] *= scale
		}
		sine.Transform(Block(got), Block(got), make([]float64, sine.Work))
		expectEqual(t, fmt.Sprintf("sine transforms of %d points", r), got, want, rounding)
	}
}

func identity(i, k int) float64 {
	if i == k {
		return 1
	}
	return 0
}
