// Time per value, compared with a plain loop over package math.

package activation

import (
	"math"
	"math/rand/v2"
	"testing"
)

const benchmarkRows = 1024 // one panel of 1024 rows is 32 KiB

func panelOf(rows int) []float64 {
	rng := rand.New(rand.NewPCG(7, 11))
	p := make([]float64, 4*rows)
	for i := range p {
		p[i] = 2 * rng.NormFloat64()
	}
	return p
}

func reportPerValue(b *testing.B, values int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(values), "ns/value")
}

// restored runs f on a fresh copy of x each time; the copy costs about 0.1 ns per value.
func restored(b *testing.B, x []float64, f func([]float64)) {
	y := make([]float64, len(x))
	b.ReportAllocs()
	for b.Loop() {
		copy(y, x)
		f(y)
	}
	reportPerValue(b, len(x))
}

func BenchmarkApply(b *testing.B) {
	x := panelOf(benchmarkRows)
	b.Run("elu/math.Expm1", func(b *testing.B) {
		restored(b, x, func(y []float64) {
			for i, v := range y {
				if v < 0 {
					y[i] = math.Expm1(v)
				}
			}
		})
	})
	for k := range functions {
		for _, level := range levels() {
			f := Func{kind: kind(k), level: level}
			b.Run(f.Name()+"/"+level.String(), func(b *testing.B) { restored(b, x, f.Apply) })
		}
	}
}

func BenchmarkPanels(b *testing.B) {
	x, second, out := panelOf(benchmarkRows), panelOf(benchmarkRows), make([]float64, 4*benchmarkRows)
	y, acc, alpha := make([]float64, benchmarkRows), make([]float64, 4), make([]float64, 8)
	for _, level := range levels() {
		f := Func{kind: elu, level: level}
		b.Run("ApplyDot/"+level.String(), func(b *testing.B) {
			restored(b, x, func(p []float64) { f.ApplyDot(p, y, acc) })
		})
		b.Run("Accumulate/"+level.String(), func(b *testing.B) {
			restored(b, x, func(p []float64) { f.Accumulate(out, p, second, alpha) })
		})
	}
}
