// This file takes the mean over the training inputs off features, so that a model with a function of x alone added to it can
// be fitted.

package rfm

import (
	"context"

	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/fft"
)

// centred is features less their means over the training inputs.
type centred struct {
	feature.Evaluator
	mean *linalg.Panels // rows: those of one sample
}

// Centre is e with phi_j(a) - (1/n) sum_i phi_j(a_i) for phi_j(a), a_i the inputs of the pairs, which are on its grid.
// Trained with outputs less their mean, the model plus the mean of what it misses, a function that does not depend on the
// input, is the least squares solution among all models plus such functions. Errors are ctx's and the evaluator's.
func Centre(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int) (feature.Evaluator, error) {
	n, rows, m := pairs.Count(), e.Points(), e.Count()
	blocks := newBlocks(e, pairs, workers)
	features, mean, ignored := linalg.NewPanels(blocks.size*rows, m), linalg.NewPanels(rows, m), make([]float64, m)
	for first := 0; first < n; first += blocks.size {
		samples, _, err := blocks.evaluate(ctx, features, ignored, first)
		if err != nil {
			return nil, err
		}
		for p := range mean.Count() {
			sum, panel := mean.Panel(p), features.Panel(p)
			for i := range samples {
				for x, v := range panel[fft.Lanes*rows*i : fft.Lanes*rows*(i+1)] {
					sum[x] += v / float64(n)
				}
			}
		}
	}
	return centred{e, mean}, nil
}

// NewTrainer allocates the working memory of one goroutine.
func (c centred) NewTrainer() feature.Trainer { return centredTrainer{c.Evaluator.NewTrainer(), c} }

type centredTrainer struct {
	feature.Trainer
	centred
}

func (t centredTrainer) Train(features *linalg.Panels, row, g int, input, target, rhs []float64) {
	t.Trainer.Train(features, row, g, input, target, rhs)
	rows := t.Points()
	const perGroup = feature.GroupSize / fft.Lanes
	for p := perGroup * g; p < min(perGroup*(g+1), t.mean.Count()); p++ {
		mean, panel := t.mean.Panel(p), features.Panel(p)[fft.Lanes*row:fft.Lanes*(row+rows)]
		var products [fft.Lanes]float64
		for x := range rows {
			for l := range fft.Lanes {
				v := mean[fft.Lanes*x+l]
				panel[fft.Lanes*x+l] -= v
				products[l] += target[x] * v
			}
		}
		for l, product := range products {
			if j := fft.Lanes*p + l; j < len(rhs) {
				rhs[j] -= product
			}
		}
	}
}
