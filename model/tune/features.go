// This file draws the features of a trial.

package tune

import (
	"context"

	"rfm/config"
	"rfm/model/feature"
	"rfm/solver/grid"
)

// draw draws the features of a configuration, on the grid of the trial. Errors: *fault.Data if no gain gives the
// configured root mean square, or ctx's error.
func (t trial) draw(ctx context.Context, c config.Config, workers int) (feature.Evaluator, error) {
	features, err := feature.New(ctx, c, t.seed, t.features, t.theta, workers)
	if err != nil {
		return nil, err
	}
	if features, err = features.Calibrate(ctx, t.fit.Inputs, workers); err != nil {
		return nil, err
	}
	return features.On(ctx, t.fit.Inputs.Points, workers)
}

// A scaled feature map has a gain.
type scaled interface {
	GainForRMS(ctx context.Context, inputs grid.Batch, rms float64, workers int) (float64, error)
}

// rms returns the root mean square of the argument of the activation under a configuration's gain; 0 for features
// without an activation.
func (t trial) rms(ctx context.Context, c config.Config, workers int) (float64, error) {
	if c.Features.RMS > 0 {
		return c.Features.RMS, nil
	}
	features, err := feature.New(ctx, c, t.seed, t.features, t.theta, workers)
	if err != nil {
		return 0, err
	}
	s, ok := features.(scaled)
	if !ok {
		return 0, nil
	}
	unit, err := s.GainForRMS(ctx, t.fit.Inputs, 1, workers)
	if err != nil {
		return 0, err
	}
	return c.Features.Gain / unit, nil
}
