package trig

import (
	"math"
	"testing"

	"rfm/solver/parallel/detector"
	"rfm/solver/simd"
)

// centredOf returns the factor of f_j in the coefficient k of the cosine transform of n cells.
func centredOf(n int) func(j, k int) float64 {
	return func(j, k int) float64 { return math.Cos(math.Pi * float64((2*j+1)*k%(4*n)) / float64(2*n)) }
}

// seriesOf returns the factor of the coefficient k in the value j.
func seriesOf(n int) func(k, j int) float64 {
	return func(k, j int) float64 {
		if k == 0 {
			return 0.5
		}
		return centredOf(n)(j, k)
	}
}

func TestCentredIsTheSumOfItsDefinition(t *testing.T) {
	detector.Skip(t, detector.Numbers)
	forEachGrid(t, 1, func(t *testing.T, rows, columns int, level simd.Level) {
		f, got := random(rows*columns), make([]float64, rows*columns)
		transform := newCentred(rows, columns, level)
		transform.Transform(got, f)
		expectEqual(t, "transform", got, bothAxes(f, rows, columns, centredOf(rows), centredOf(columns)), rounding)
		transform.Sum(got, f)
		expectEqual(t, "sum", got, bothAxes(f, rows, columns, seriesOf(rows), seriesOf(columns)), rounding)
	})
}

func TestSumOfTheCentredTransformIsTheField(t *testing.T) {
	forEachGrid(t, 1, func(t *testing.T, rows, columns int, level simd.Level) {
		f, got := random(rows*columns), make([]float64, rows*columns)
		transform := newCentred(rows, columns, level)
		transform.Transform(got, f)
		transform.Sum(got, got)
		for i := range got {
			got[i] *= 4 / float64(rows*columns)
		}
		expectEqual(t, "field", got, f, rounding)
	})
}

func TestCentredAllocatesNothing(t *testing.T) {
	detector.Skip(t, detector.Allocations)
	for _, level := range levels() {
		transform, f := newCentred(33, 48, level), random(33*48)
		if got := fewestAllocations(func() { transform.Transform(f, f); transform.Sum(f, f) }); got > 0 {
			t.Errorf("transforms with %v kernels allocate %v times", level, got)
		}
	}
}

func TestCentredAxesOfNothingPanic(t *testing.T) {
	for _, operation := range []func(){func() { newCentred(0, 4, simd.Generic) }, func() { NewCentredAxis(0, true) },
		func() { newCentred(4, 4, simd.Generic).Sum(make([]float64, 16), make([]float64, 15)) }} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("accepted")
				}
			}()
			operation()
		}()
	}
}

func BenchmarkCentred(b *testing.B) {
	const r = 256
	for _, level := range levels() {
		f, c := random(r*r), make([]float64, r*r)
		transform := newCentred(r, r, level)
		cosine, g := newCosine(r+1, r+1, level), random((r+1)*(r+1))
		b.Run("cosine/"+level.String(), func(b *testing.B) {
			for b.Loop() {
				cosine.Transform(g, g)
			}
		})
		b.Run("transform/"+level.String(), func(b *testing.B) {
			for b.Loop() {
				transform.Transform(c, f)
			}
		})
		b.Run("sum/"+level.String(), func(b *testing.B) {
			for b.Loop() {
				transform.Sum(f, c)
			}
		})
	}
}
