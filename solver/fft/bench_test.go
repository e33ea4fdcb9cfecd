// Benchmarks compared with gonum: go test -bench . -benchtime 0.3s. Every time is per real sequence.

package fft

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/dsp/fourier"
)

// benchmarkLengths are powers of two with the lengths of users' grids close to them, and two that are convolutions.
var benchmarkLengths = []int{96, 100, 128, 420, 499, 512, 998, 1000, 1024, 1250}

func perSequence(b *testing.B, sequences int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*sequences), "ns/sequence")
}

func perValue(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*stride*n), "ns/value")
}

func BenchmarkInverseReal(b *testing.B) {
	for _, n := range benchmarkLengths {
		b.Run(fmt.Sprintf("gonum/%d", n), func(b *testing.B) {
			transform := fourier.NewFFT(n)
			coefficients, sequence := make([]complex128, n/2+1), make([]float64, n)
			for b.Loop() {
				transform.Sequence(sequence, coefficients)
			}
			perSequence(b, 1)
		})
		for _, level := range levels() {
			b.Run(fmt.Sprintf("%v/%d", level, n), func(b *testing.B) {
				p := newPlan(n, level)
				re, im := make([]float64, Lanes*n), make([]float64, Lanes*n)
				v, a, work := make([]float64, stride*n), make([]float64, 2*n), make([]float64, stride*n)
				for b.Loop() {
					p.InverseProduct(re, im, v, a, work)
				}
				perSequence(b, stride)
				perValue(b, n)
			})
		}
	}
}

func BenchmarkForwardReal(b *testing.B) {
	for _, n := range benchmarkLengths {
		b.Run(fmt.Sprintf("gonum/%d", n), func(b *testing.B) {
			transform := fourier.NewFFT(n)
			coefficients, sequence := make([]complex128, n/2+1), make([]float64, n)
			for b.Loop() {
				transform.Coefficients(coefficients, sequence)
			}
			perSequence(b, 1)
		})
		for _, level := range levels() {
			b.Run(fmt.Sprintf("%v/%d", level, n), func(b *testing.B) {
				p := newPlan(n, level)
				z := make([]float64, stride*n)
				for b.Loop() {
					p.Forward(z)
				}
				perSequence(b, stride)
				perValue(b, n)
			})
		}
	}
}
