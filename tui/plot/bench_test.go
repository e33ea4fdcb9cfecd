package plot

import (
	"math"
	"testing"

	"rfm/model/report"
	"rfm/tui/theme"
)

// wavy returns n samples of a smooth function with a few oscillations.
func wavy(n int, phase float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		x := float64(i) / float64(n-1)
		y[i] = math.Sin(6*math.Pi*x+phase) + 0.5*math.Cos(14*math.Pi*x)
	}
	return y
}

func BenchmarkLine120x40(b *testing.B) {
	th := theme.New(theme.Options{})
	l := Line{Width: 120, Height: 40, X1: 1, Theme: th, Title: "Sample", Series: []Series{
		{Name: "input", Y: wavy(1025, 0), Style: th.Input},
		{Name: "truth", Y: wavy(1025, 1), Style: th.Truth},
		{Name: "prediction", Y: wavy(1025, 1.1), Style: th.Prediction, Mark: th.Glyphs.PredictionMark, Spacing: 3},
	}}
	for b.Loop() {
		_ = l.Render()
	}
}

func BenchmarkHeatMap120x40(b *testing.B) {
	h := HeatMap{Field: report.Field{Values: onGrid(257, bump), R: 257, Smooth: true}, Width: 120, Height: 40,
		Theme: theme.New(theme.Options{})}
	for b.Loop() {
		_ = h.Render()
	}
}
