// This file draws the features of a trial, for every problem.

package tune

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// A featureMap is a feature map on the grid of a trial.
type featureMap struct {
	evaluator feature.Evaluator
	// predict evaluates the models with the given coefficient vectors.
	predict func(ctx context.Context, alphas [][]float64, inputs grid.Batch, workers int) ([]grid.Batch, error)
}

// draw draws the features of a configuration. Errors: *fault.Data if no gain gives the configured root mean square, ctx's.
func (t trial) draw(ctx context.Context, c config.Config, workers int) (featureMap, error) {
	switch {
	case c.Features.Kind == config.PredictorCorrector:
		p := setup.Predictor(c, feature.DrawPairs(setup.DarcyTheta(c), t.seed, t.features, t.theta))
		e, err := p.On(ctx, t.fit.Inputs.Points, workers)
		return featureMap{e, func(ctx context.Context, alphas [][]float64, inputs grid.Batch, workers int) ([]grid.Batch, error) {
			return predictFlow(ctx, e, alphas, inputs, workers)
		}}, err
	case c.Dims() == 1:
		f, err := setup.Fourier(ctx, c, t.seed, t.features, t.theta, workers)
		if err != nil {
			return featureMap{}, err
		}
		if f.Gain, err = setup.Gain(ctx, c, f, t.fit.Inputs, workers); err != nil {
			return featureMap{}, err
		}
		e, err := f.On(ctx, t.fit.Inputs.Points, workers)
		return featureMap{e, func(ctx context.Context, alphas [][]float64, inputs grid.Batch, workers int) ([]grid.Batch, error) {
			return rfm.PredictMany(ctx, f, alphas, inputs, workers, nil)
		}}, err
	default:
		f, err := setup.Cosine(ctx, c, t.seed, t.features, t.theta, workers)
		if err != nil {
			return featureMap{}, err
		}
		if f.Gain, err = setup.Gain(ctx, c, f, t.fit.Inputs, workers); err != nil {
			return featureMap{}, err
		}
		e, err := f.On(ctx, t.fit.Inputs.Points, workers)
		return featureMap{e, func(ctx context.Context, alphas [][]float64, inputs grid.Batch, workers int) ([]grid.Batch, error) {
			return rfm.PredictManyCosine(ctx, f, alphas, inputs, workers, nil)
		}}, err
	}
}

// rms is the root mean square that a configuration's gain gives to the argument of the activation; 0 for features that
// have none.
func (t trial) rms(ctx context.Context, c config.Config, workers int) (rms float64, err error) {
	var f setup.Gains
	switch {
	case c.Features.Kind == config.PredictorCorrector || c.Features.RMS > 0:
		return c.Features.RMS, nil
	case c.Dims() == 2:
		f, err = setup.Cosine(ctx, c, t.seed, t.features, t.theta, workers)
	default:
		f, err = setup.Fourier(ctx, c, t.seed, t.features, t.theta, workers)
	}
	if err != nil {
		return 0, err
	}
	unit, err := f.GainForRMS(ctx, t.fit.Inputs, 1, workers)
	if err != nil {
		return 0, err
	}
	return c.Features.Gain / unit, nil
}

// predictFlow evaluates models of predictor-corrector features on the evaluator's grid.
func predictFlow(ctx context.Context, e *feature.PredictorEvaluator, alphas [][]float64, inputs grid.Batch, workers int) ([]grid.Batch, error) {
	all := make([]grid.Batch, len(alphas))
	for q := range all {
		all[q] = inputs.Like(inputs.Count)
	}
	err := parallel.For(ctx, workers, len(alphas), func(_, q int) error {
		model := e.Collapse(alphas[q])
		s := model.NewScratch()
		for i := range inputs.Count {
			if err := model.Predict(all[q].At(i), inputs.At(i), s); err != nil {
				return fmt.Errorf("input %d: %w", i, err)
			}
		}
		return nil
	})
	return all, err
}
