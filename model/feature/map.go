// Package feature implements random feature maps: functions phi(a; theta) of an input function a and a random parameter
// theta, evaluated for many theta at once.
//
// A Map is the features of a configuration (New), on no particular grid. An Evaluator is a map on one grid, for
// training and prediction. Trained is the form of a map in a trained model, and in its file. A new map is a file, a
// case of New, and its name in the Maps of the problems that support it (package config).
package feature

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/codec"
	"rfm/solver/dataset"
	"rfm/solver/grf"
	"rfm/solver/grid"
)

// Map is m random features. Maps are immutable and safe for concurrent use.
type Map interface {
	Domain() grid.Domain // of inputs and outputs, with one channel
	Finest() int         // points along an axis of the grid of the parameters
	Count() int          // m
	// Calibrate returns the map with the parameters that depend on the training inputs, which are on the training grid.
	// Errors: a *fault.Data if it cannot be calibrated, ctx's.
	Calibrate(ctx context.Context, inputs grid.Batch, workers int) (Map, error)
	// Select returns the map with the features of the given indices only, in that order.
	Select(indices []int) Map
	// On prepares the features on the grid with the given points along an axis, on up to workers goroutines. Errors: a
	// *fault.Data if the parameters' grid does not contain it, ctx's.
	On(ctx context.Context, points, workers int) (Evaluator, error)
	// Trained returns the form of the map in a model with the given coefficients. The error is ctx's.
	Trained(ctx context.Context, coefficients []float64, workers int) (Trained, error)
	// Look evaluates feature j for one input, for display. Errors are those of On and of Evaluator.Prepare.
	Look(ctx context.Context, j int, input grid.Batch) (Look, error)
}

// Look is one feature on the grid of an input.
type Look struct {
	Theta  []float64 // its parameter, or the first of two
	Values []float64
	Filter []float64 // of functions of one variable: chi(k), k = 0, 1, ...; nil if there is none
}

// alone evaluates feature j for one input, as a model with this feature only.
func alone(ctx context.Context, m Map, j int, input grid.Batch) ([]float64, error) {
	e, err := m.Select([]int{j}).On(ctx, input.Points, 1)
	if err != nil {
		return nil, err
	}
	phi, err := e.Predict(ctx, [][]float64{{1}}, input, 1, nil)
	if err != nil {
		return nil, err
	}
	return phi[0].Data, nil
}

// Trained is the form of a feature map that models store and evaluate. It is immutable and safe for concurrent use.
type Trained interface {
	Domain() grid.Domain     // of inputs and outputs, with one channel
	Channels() (in, out int) // of inputs and outputs
	Finest() int             // points along an axis of the grid of its functions
	Label() string           // name for messages
	// Predict evaluates the model with the coefficients that Trained had, on any grid: functions of the map are
	// interpolated (resample.To) where their grid does not contain it. progress is as for Evaluator.Predict. Errors: a
	// *fault.Data if the grid or an input does not fit, a *fault.Numerical, ctx's.
	Predict(ctx context.Context, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch,
		error)
	Stored() Stored // in the form of model files
}

// Stored is a map in a model file.
type Stored interface {
	codec.Part
	Domain() (grid.Domain, error) // of one channel
	Channels() (in, out int)
	Trained(m int) (Trained, error) // for m coefficients; the error is a *fault.Data
}

// Kinds returns the maps of model files.
func Kinds() codec.Kinds {
	return codec.Kinds{
		new(spectralFile).Kind():  func() codec.Part { return new(spectralFile) },
		new(collapsedFile).Kind(): func() codec.Part { return new(collapsedFile) },
	}
}

// New draws m features of the configuration's kind from the seed, with parameters on the grid with the given points
// along an axis. The first m are the same for every m. They are still to be calibrated, see Map.Calibrate. The error is
// ctx's. The result does not depend on workers.
func New(ctx context.Context, c config.Config, seed uint64, m, points, workers int) (Map, error) {
	switch f := c.Features; f.Kind {
	case config.Spectral:
		return drawSpectral(ctx, c, seed, m, points, workers)
	case config.PredictorCorrector: // draws are repeated whenever they are needed, which is cheaper than keeping them
		measure := grf.Neumann{Tau: f.Tau, Alpha: f.Alpha, Axis: f.Axis}
		return PredictorCorrectorOf(c, drawPairs(measure, seed, m, points)), nil
	}
	panic(fmt.Sprintf("feature: no feature map %q", c.Features.Kind)) // config.Validate refuses it
}

// FromFile does the same as New with parameters from the configured file. Errors are *fault.Data and ctx's.
func FromFile(ctx context.Context, c config.Config, m int) (Map, error) {
	if c.Features.Kind == config.PredictorCorrector {
		theta, err := dataset.ReadTheta(ctx, c.Features.ThetaFile, m, 2)
		return PredictorCorrectorOf(c, StoredPairs{Predictor: theta[0], Corrector: theta[1]}), err
	}
	theta, err := dataset.ReadTheta(ctx, c.Features.ThetaFile, m, 1)
	if err != nil {
		return nil, err
	}
	f := spectralWith(c, c.Seed, m, theta[0])
	f.Symmetry = symmetryOf(c, true)
	return f, nil
}
