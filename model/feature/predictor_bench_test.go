// Benchmarks of predictor-corrector features: go test -bench Predictor ./model/feature

package feature

import (
	"fmt"
	"testing"

	"rfm/model/linalg"
)

func BenchmarkPredictorTrainingGroup(b *testing.B) {
	for _, r := range []int{33, 257} {
		e, a := predictorOn(b, paperPredictor(GroupSize, r), r), permeabilities(1, r)
		features, rhs, s := linalg.NewPanels(e.Points(), GroupSize), make([]float64, GroupSize), e.flow.newScratch()
		input := must(e.Prepare(a))
		target := e.Targets(a)
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.train(features, 0, 0, input, target, rhs, s)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N)/GroupSize, "us/feature")
		})
	}
}

func BenchmarkPredictorPrediction(b *testing.B) {
	for _, r := range []int{33, 257} {
		p, a := paperPredictor(256, r), permeabilities(1, r)
		e := onGrid(b, must(p.Collapse(b.Context(), make([]float64, 256), 2)), r)
		u, s := make([]float64, r*r), e.flow.newScratch()
		b.Run(fmt.Sprintf("r=%d", r), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := e.Predict(u, a.Data, s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
