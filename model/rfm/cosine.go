// This file applies trained models of cosine space features.

package rfm

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// CosineModel is a trained random feature model for fields on the closed unit square. It belongs to no grid.
type CosineModel struct {
	Features feature.Cosine
	Alpha    []float64 // one coefficient a feature
}

// Predict evaluates F(a) for all inputs, fields on a closed square grid. The rest is as for Model.Predict.
func (m CosineModel) Predict(ctx context.Context, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	if len(m.Alpha) != m.Features.Count {
		panic(fmt.Sprintf("rfm: %d coefficients for %d features", len(m.Alpha), m.Features.Count))
	}
	e, err := m.Features.On(ctx, inputs.Points, workers)
	if err != nil {
		return grid.Batch{}, err
	}
	return predict(ctx, e, m.Alpha, inputs, workers, progress)
}

// PredictManyCosine is PredictMany for fields on a closed square grid.
func PredictManyCosine(ctx context.Context, features feature.Cosine, alphas [][]float64, inputs grid.Batch, workers int, progress func(added int)) ([]grid.Batch, error) {
	e, err := features.On(ctx, inputs.Points, workers)
	if err != nil {
		return nil, err
	}
	return predictMany(ctx, e, alphas, inputs, workers, progress)
}
