// Package setup makes the generators of data and the random feature pairs that a configuration describes.
package setup

import (
	"context"
	"fmt"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/solver/burgers"
	"rfm/solver/darcy"
	"rfm/solver/dataset"
	"rfm/solver/grf"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// truths are the operators that can be computed, by the problem's name: add yours here.
var truths = map[string]func(config.Config) truth.Operator{
	config.Burgers: func(c config.Config) truth.Operator {
		return burgers.Problem{Input: periodicInput(c), Viscosity: c.Burgers.Viscosity, Time: c.Burgers.Time, Period: c.Burgers.Period,
			Tolerance: c.Burgers.Tolerance, Points: c.Data.Grid, Seed: c.Seed}.Operator()
	},
	config.Darcy: func(c config.Config) truth.Operator {
		equation := darcy.Paper()
		equation.Tolerance, equation.Iterations = c.Darcy.Tolerance, c.Darcy.Iterations
		if c.Darcy.Face == "harmonic" {
			equation.Mean = darcy.Harmonic
		}
		return darcy.Problem{Input: grf.Neumann{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Axis: c.Input.Axis},
			Level: darcy.LevelSet{Plus: c.Darcy.High, Minus: c.Darcy.Low}, Equation: equation, Points: c.Data.Grid, Seed: c.Seed}.Operator()
	},
}

// Truth is the operator of a valid configuration on its data grid; nil if pairs come from files only.
func Truth(c config.Config) truth.Operator {
	if operator, ok := truths[c.Problem]; ok {
		return operator(c)
	}
	return nil
}

// periodicInput is the measure of inputs that are periodic functions of one variable.
func periodicInput(c config.Config) grf.Periodic {
	return grf.Periodic{Tau: c.Input.Tau, Alpha: c.Input.Alpha, Scale: c.Input.Scale}
}

// PoolSize is the number of features that are drawn and trained: the pool, if features are chosen from one, or m.
func PoolSize(c config.Config) int { return max(c.Features.Count, c.Features.Pool) }

// Fourier draws m Fourier space random features with the given seed, their parameters on the closed grid of K points. The
// gain is the configured one: features.rms needs the training inputs, see Gain. The error is ctx's.
func Fourier(ctx context.Context, c config.Config, seed uint64, m, K, workers int) (feature.Fourier, error) {
	theta, err := feature.Draw(ctx, grf.Periodic{Tau: c.Features.Tau, Alpha: c.Features.Alpha}, seed, m, K, workers)
	if err != nil {
		return feature.Fourier{}, err
	}
	feature.Locality{Width: c.Features.Window, Spread: c.Features.Spread}.Apply(theta, seed)
	return FourierWith(c, seed, m, theta), nil
}

// FourierWith is Fourier with given parameters theta, at least m; only biases are drawn. It panics on an activation that
// config.Validate refuses.
func FourierWith(c config.Config, seed uint64, m int, theta grid.Batch) feature.Fourier {
	f := c.Features
	sigma, ok := activation.ByName(f.Activation)
	if !ok {
		panic(fmt.Sprintf("setup: no activation %q", f.Activation))
	}
	return feature.Fourier{Filter: feature.Filter{Delta: f.Delta, Beta: f.Beta}, Activation: sigma, Gain: f.Gain,
		Bias: feature.DrawBias(f.Bias, seed, theta.Count), Centred: f.Mean == config.RemoveMean, Count: m, Theta: theta}
}

// Gains are feature maps whose gain can be given by a root mean square.
type Gains interface {
	GainForRMS(ctx context.Context, inputs grid.Batch, rms float64, workers int) (float64, error)
}

// Gain is the factor inside the activation: as configured, or the one with which f has the configured root mean square
// over the inputs. The error is a *fault.Data if no gain gives that, or ctx's.
func Gain(ctx context.Context, c config.Config, f Gains, inputs grid.Batch, workers int) (float64, error) {
	if c.Features.RMS == 0 {
		return c.Features.Gain, nil
	}
	return f.GainForRMS(ctx, inputs, c.Features.RMS, workers)
}

// DarcyTheta is the measure of the parameters of predictor-corrector features.
func DarcyTheta(c config.Config) grf.Neumann {
	return grf.Neumann{Tau: c.Features.Tau, Alpha: c.Features.Alpha, Axis: c.Features.Axis}
}

// Predictor is the predictor-corrector random feature pair with the given parameters.
func Predictor(c config.Config, theta feature.ThetaPairs) feature.Predictor {
	f := c.Features
	return feature.Predictor{
		Threshold: feature.Threshold{Plus: f.Plus, Minus: f.Minus, Delta: f.Delta},
		Mollifier: feature.Mollifier{Eta: f.Eta, Step: f.Step, Steps: f.Steps},
		Source:    darcy.Paper().Source,
		Sweeps:    c.Features.Sweeps,
		Theta:     theta,
	}
}

// Cosine draws m cosine space random features for fields with the given seed, their parameters on the closed r x r grid.
// The error is ctx's. It panics on an activation that config.Validate refuses.
func Cosine(ctx context.Context, c config.Config, seed uint64, m, r, workers int) (feature.Cosine, error) {
	like := FourierWith(c, seed, m, grid.Batch{Count: m})
	theta, err := feature.DrawSquare(ctx, grf.Neumann{Tau: c.Features.Tau, Alpha: c.Features.Alpha, Axis: c.Features.Axis}, seed, m, r, workers)
	return feature.Cosine{Filter: like.Filter, Activation: like.Activation, Gain: like.Gain, Bias: like.Bias, Centred: like.Centred, Count: m, Theta: theta}, err
}

// Source is a file of the user's pairs.
func Source(c config.Config, file string) dataset.Source {
	return dataset.Source{File: file, Input: c.Data.Input, Output: c.Data.Output, Endpoint: c.Data.Endpoint != config.Excluded, Layout: dataset.Layout(c.Data.Layout)}
}

// Domain is where inputs and outputs live.
func Domain(c config.Config) grid.Domain {
	p := c.Of()
	return grid.Domain{Dims: p.Dims, Periodic: p.Periodic}
}
