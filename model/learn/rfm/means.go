package rfm

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/feature"
	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/activation"
	"rfm/solver/num/fft"
	"rfm/solver/num/linalg"
)

// means are the means of features and outputs over the training samples. A model that is fitted to centred features
// and outputs is a model F(a) + c(x) whose function c is fitted as well and not regularised.
type means struct {
	features *linalg.Panels  // points x m
	outputs  []float64       // points
	dots     activation.Func // any one, because all have the same dot products
}

// meansOf computes the means in a pass of its own over the samples. Subtracting them afterwards from sums of squares
// would save the pass, and lose the digits that cancel.
func meansOf(ctx context.Context, e feature.Evaluator, pairs dataset.Pairs, workers int) (*means, error) {
	points := e.Points()
	evaluator := newBlockEvaluator(e, pairs, workers, Rows{}, nil)
	features := evaluator.newMatrix()
	elu, _ := activation.ByName("elu")
	result := &means{
		features: linalg.NewPanels(points, e.Count()),
		outputs:  make([]float64, points),
		dots:     elu,
	}
	for first := 0; first < pairs.Count(); first += evaluator.size {
		block, err := evaluator.evaluate(ctx, features, evaluator.discarded, first)
		if err != nil {
			return nil, err
		}
		err = parallel.For(ctx, workers, feature.Groups(e.Count()), func(_, group int) error {
			begin, end := panelsOfGroup(features, group)
			for p := begin; p < end; p++ {
				panel := features.Panel(p)
				mean := result.features.Panel(p)
				for i := range block.squares {
					sample := panel[fft.Lanes*points*i:]
					updateMean(mean, sample, first+i)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range block.squares {
			updateMean(result.outputs, block.targets[points*i:], first+i)
		}
	}
	return result, nil
}

// updateMean turns the mean of count samples into that of count+1, of which sample is the last. The mean of equal
// samples is exact, because their differences vanish.
func updateMean(mean, sample []float64, count int) {
	share := 1 / float64(count+1)
	for x, before := range mean {
		mean[x] += share * (sample[x] - before)
	}
}

// center subtracts the means from the features of a group at all points of one sample, whose rows begin at row, and
// adds the products of the centred features with the target to rhs (m numbers).
func (m *means) center(features *linalg.Panels, row, group int, target, rhs []float64) {
	begin, end := panelsOfGroup(features, group)
	for p := begin; p < end; p++ {
		mean := m.features.Panel(p)
		panel := features.Panel(p)[fft.Lanes*row:][:len(mean)]
		floats.AddScaled(panel, -1, mean)
		var products [fft.Lanes]float64
		m.dots.Dot(panel, target, products[:])
		firstFeature := fft.Lanes * p
		lastFeature := min(firstFeature+fft.Lanes, len(rhs)) // the last panel can have columns beyond m
		for j := firstFeature; j < lastFeature; j++ {
			rhs[j] += products[j-firstFeature]
		}
	}
}
