// This file is the table of the configuration keys that problems share: the one place that knows their names, symbols,
// meanings and ranges. TOML, --set, validation, help and the configuration screen all read it. The paper's values are those
// of the presets.

package config

import (
	"fmt"
	"math"
)

// Activations are the names that features.activation takes.
var activations = []string{"elu", "relu", "tanh", "sigmoid", "sin", "selu", "softplus", "gelu"}

const (
	maxGrid  = 1<<16 + 1
	maxSide  = 1<<11 + 1
	maxCount = 1 << 20
	maxM     = 1 << 17
)

// firstFeature is the place of features.kind, before which the section of a problem stands.
var firstFeature = func() int {
	for i, k := range keys {
		if k.Name == "features.kind" {
			return i
		}
	}
	panic("config: no features.kind")
}()

var keys = []Key{
	{Name: "problem", Help: "operator to learn", Kind: Choice, Choices: Problems(), ours: true,
		pointer: func(c *Config) any { return &c.Problem }},
	{Name: "seed", Help: "root of every random stream", Kind: Integer, Min: 0, Max: math.MaxUint64, ours: true,
		Step:    Ones,
		pointer: func(c *Config) any { return &c.Seed }},

	{Name: "data.train", Symbol: "n", Help: "number of training pairs", Kind: Integer, Min: 1, Max: maxCount,
		vary:    fileCount("number of training pairs, 0 = all that are not for testing"),
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.test", Symbol: "n'", Help: "number of test pairs", Kind: Integer, Min: 1, Max: maxCount,
		vary:    fileCount("number of test pairs, 0 = a fifth, or all of the test file"),
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.grid", Kind: Integer, Min: 9,
		vary:    gridKey("grid the data are generated on, both ends counted", "r x r grid the data are generated on"),
		Step:    Intervals,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.train_file", Help: "training pairs from this file, not generated", Kind: Path, ours: true,
		pointer: func(c *Config) any { return &c.Data.TrainFile }},
	{Name: "data.test_file", Help: "test pairs from this file, not generated", Kind: Path, ours: true,
		pointer: func(c *Config) any { return &c.Data.TestFile }},
	{Name: "data.split", of: files, Help: "seed of the split into training and test pairs, 0 = seed", Kind: Integer, Min: 0, Max: math.MaxUint64, ours: true,
		Step:    Ones,
		pointer: func(c *Config) any { return &c.Data.Split }},
	{Name: "data.input", Help: "name of the array of inputs, or a part of it: a[:1000]", Kind: Name, ours: true,
		pointer: func(c *Config) any { return &c.Data.Input }},
	{Name: "data.output", Help: "name of the array of outputs, or a part of it", Kind: Name, ours: true,
		pointer: func(c *Config) any { return &c.Data.Output }},
	{Name: "data.test_input", of: files, Help: "name of the inputs of test pairs, empty = as in data.input", Kind: Name, ours: true,
		pointer: func(c *Config) any { return &c.Data.TestInput }},
	{Name: "data.test_output", of: files, Help: "name of the outputs of test pairs, empty = as in data.output", Kind: Name, ours: true,
		pointer: func(c *Config) any { return &c.Data.TestOutput }},
	{Name: "data.boundary", of: files, Help: "whether functions are periodic or end at a boundary", Kind: Choice, Choices: []string{Periodic, Closed}, ours: true,
		pointer: func(c *Config) any { return &c.Data.Boundary }},
	{Name: "data.endpoint", of: endpoints, Help: "files: whether the last point repeats the first", Kind: Choice, Choices: []string{Included, Excluded}, ours: true,
		vary:    ownEndpoints,
		pointer: func(c *Config) any { return &c.Data.Endpoint }},
	{Name: "data.columns", of: ownFields, Help: "points along the second axis of a rectangle, 0 = as in the file", Kind: Integer, Max: maxSide, ours: true,
		pointer: func(c *Config) any { return &c.Data.Columns }},
	{Name: "data.layout", Help: "files: axes in the order (n, K), functions-first, or (K, n), points-first", Kind: Choice,
		Choices: []string{AutoLayout, FunctionsFirst, PointsFirst}, ours: true,
		pointer: func(c *Config) any { return &c.Data.Layout }},

	{Name: "input.tau", of: generated, Symbol: "tau", Help: "inverse length scale of the inputs", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Input.Tau }},
	{Name: "input.alpha", of: generated, Symbol: "alpha", Help: "regularity of the inputs", Kind: Real, Max: 20, Above: true, vary: fromDims,
		pointer: func(c *Config) any { return &c.Input.Alpha }},
	{Name: "input.scale", of: both(generated, periodic), Help: "factor to the inputs", Kind: Real, Min: 0, Max: 1e6, Above: true,
		pointer: func(c *Config) any { return &c.Input.Scale }},
	{Name: "input.axis", of: both(generated, closed2), Help: "weight of modes along one axis: 2 as computed, 1.414 as printed", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Input.Axis }},

	{Name: "features.kind", Help: "feature map", Kind: Choice, ours: true,
		vary:    func(p Problem, k *Key) { k.Choices = p.Maps },
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Features.Kind }},
	{Name: "features.count", Symbol: "m", Help: "number of random features", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.pool", Help: "draws among which the features are chosen greedily, 0 = no choice", Kind: Integer, Min: 0, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Pool }},
	{Name: "features.activation", of: spectral, Symbol: "sigma", Help: "activation", Kind: Choice, Choices: activations,
		Tuned: true, search: map[string]Search{Spectral: {Apart: true}},
		pointer: func(c *Config) any { return &c.Features.Activation }},
	{Name: "features.gain", of: spectral, Symbol: "gain", Help: "factor inside the activation; not used if rms > 0", Kind: Real, Min: 0, Max: 1e9, Above: true,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Features.Gain }},
	{Name: "features.rms", of: spectral, Help: "gain by the rms inside the activation over the training inputs, 0 = as given", Kind: Real, Min: 0, Max: 1e6,
		Tuned: true, search: map[string]Search{Spectral: {Low: 0.1, High: 10, Log: true}},
		pointer: func(c *Config) any { return &c.Features.RMS }},
	{Name: "features.bias", of: spectral, Symbol: "s", Help: "standard deviation of the random bias inside the activation", Kind: Real, Min: 0, Max: 1e6,
		Tuned: true, search: map[string]Search{Spectral: {Low: 0.05, High: 5, Log: true, Late: true}},
		pointer: func(c *Config) any { return &c.Features.Bias }},
	{Name: "features.mean", of: spectral, Help: "spatial mean of each feature: keep or remove", Kind: Choice, Choices: []string{KeepMean, RemoveMean},
		Tuned: true, search: map[string]Search{Spectral: {}},
		pointer: func(c *Config) any { return &c.Features.Mean }},
	{Name: "features.plus", of: predictor, Symbol: "s+", Help: "limit of sigma at +infinity, 1/12", Kind: Real, Min: -1e6, Max: 1e6,
		Tuned: true, search: map[string]Search{PredictorCorrector: {Low: -1, High: 1}},
		pointer: func(c *Config) any { return &c.Features.Plus }},
	{Name: "features.minus", of: predictor, Symbol: "s-", Help: "limit of sigma at -infinity, -1/3", Kind: Real, Min: -1e6, Max: 1e6,
		Tuned: true, search: map[string]Search{PredictorCorrector: {Low: -1, High: 1}},
		pointer: func(c *Config) any { return &c.Features.Minus }},
	{Name: "features.delta", of: spectral, Symbol: "delta", Help: "scale of the filter chi", Kind: Real, Min: 0, Max: 10, Above: true,
		Tuned: true, search: map[string]Search{Spectral: {Low: 3e-4, High: 0.1, Log: true}},
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.delta", of: predictor, Symbol: "delta", Help: "width of sigma's step", Kind: Real, Min: 0, Max: 1e3, Above: true,
		Tuned: true, search: map[string]Search{PredictorCorrector: {Low: 0.01, High: 3, Log: true}},
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.beta", of: spectral, Symbol: "beta", Help: "decay of the filter chi", Kind: Real, Min: 0, Max: 100, Above: true,
		Tuned: true, search: map[string]Search{Spectral: {Low: 0.5, High: 12}},
		pointer: func(c *Config) any { return &c.Features.Beta }},
	{Name: "features.eta", of: predictor, Symbol: "eta", Help: "diffusivity of the mollifier of a", Kind: Real, Min: 0, Max: 1,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Features.Eta }},
	{Name: "features.step", of: predictor, Symbol: "dt", Help: "time step of the mollifier", Kind: Real, Min: 0, Max: 1,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Features.Step }},
	{Name: "features.steps", of: predictor, Help: "number of the mollifier's steps, 0 = no mollifier", Kind: Integer, Min: 0, Max: 1e6,
		Tuned:   true, // none, the paper's 33, and some between and beyond
		search:  map[string]Search{PredictorCorrector: {Values: []string{"0", "4", "12", "33", "66"}, Late: true}},
		pointer: func(c *Config) any { return &c.Features.Steps }},
	{Name: "features.sweeps", of: predictor, Help: "corrector sweeps of a feature", Kind: Integer, Min: 1, Max: 16,
		Step: Ones, Tuned: true, search: map[string]Search{PredictorCorrector: {Values: []string{"1", "2", "3", "4", "5"}}},
		pointer: func(c *Config) any { return &c.Features.Sweeps }},
	{Name: "features.tau", Symbol: "tau'", Help: "inverse length scale of theta", Kind: Real, Min: 0, Max: 1e4, Above: true,
		Tuned:   true,
		search:  map[string]Search{Spectral: {Low: 0.3, High: 30, Log: true}, PredictorCorrector: {Low: 0.5, High: 50, Log: true}},
		pointer: func(c *Config) any { return &c.Features.Tau }},
	{Name: "features.alpha", Symbol: "alpha'", Help: "regularity of theta", Kind: Real, Max: 20, Above: true, vary: fromDims,
		Tuned: true, search: map[string]Search{Spectral: {Low: 1.05, High: 8}, PredictorCorrector: {Low: 1.05, High: 6}},
		pointer: func(c *Config) any { return &c.Features.Alpha }},
	{Name: "features.axis", of: closed2, Help: "weight of theta's modes along one axis", Kind: Real, Min: 0, Max: 10,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Features.Axis }},
	{Name: "features.window", of: spectral, Help: "width of a Gaussian window on theta, 0 = none", Kind: Real, Min: 0, Max: 100,
		Tuned:   true, // a window of width 3 is none on the unit torus
		search:  map[string]Search{Spectral: {Low: 0.05, High: 3, Log: true, Late: true, line: true}},
		pointer: func(c *Config) any { return &c.Features.Window }},
	{Name: "features.spread", of: spectral, Help: "spread of random log-normal amplitudes of theta", Kind: Real, Min: 0, Max: 10,
		Tuned: true, search: map[string]Search{Spectral: {High: 1, Late: true, line: true}},
		pointer: func(c *Config) any { return &c.Features.Spread }},
	{Name: "features.profile", of: spectral, Help: "size of a random function of x inside sigma, 0 = none", Kind: Real, Min: 0, Max: 100, ours: true,
		Tuned: true, search: map[string]Search{Spectral: {Values: []string{"0", "0.5", "1", "2"}, boundary: true}},
		pointer: func(c *Config) any { return &c.Features.Profile }},
	{Name: "features.modulation", of: spectral, Help: "size of a random function of x times sigma, 0 = none", Kind: Real, Min: 0, Max: 100, ours: true,
		Tuned: true, search: map[string]Search{Spectral: {Values: []string{"0", "0.5", "1", "2"}, boundary: true}},
		pointer: func(c *Config) any { return &c.Features.Modulation }},
	{Name: "features.places", of: spectral, Help: "inverse length scale of the functions of x", Kind: Real, Min: 0, Max: 1e4, ours: true,
		Tuned: true, search: map[string]Search{Spectral: {Values: []string{"2", "5", "12"}, boundary: true}},
		pointer: func(c *Config) any { return &c.Features.Places }},
	{Name: "features.theta_file", of: stored, Help: "theta from this .npy (K, m, 2), not drawn", Kind: Path, ours: true,
		pointer: func(c *Config) any { return &c.Features.ThetaFile }},

	{Name: "train.grid", Kind: Integer, Min: 9, vary: gridKey("grid for training", "r x r grid for training"),
		Step:    Divisors,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.rows", of: spectral, Help: "points of each pair that enter the sums, drawn at random, 0 = all", Kind: Integer, Min: 0, Max: maxCount, ours: true,
		pointer: func(c *Config) any { return &c.Train.Rows }},
	{Name: "train.lambda", Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Kind: Real, Min: 0, Max: 1e6,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.relative", Help: "lambda as a fraction of the largest eigenvalue, 0 = as given above", Kind: Real, Min: 0, Max: 1,
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Train.Relative }},
	{Name: "train.choice", Help: "lambda: given, or loo = smallest leave-one-function-out error", Kind: Choice, Choices: []string{Given, LeaveOneOut},
		Tuned:   true,
		pointer: func(c *Config) any { return &c.Train.Choice }},
	{Name: "train.offset", Help: "fit a function of x alone with the features: yes or no", Kind: YesNo, Choices: []string{Yes, No},
		pointer: func(c *Config) any { return &c.Train.Offset }},
	{Name: "train.method", Help: "what is trained; best = least leave-one-out error of all", Kind: Choice, vary: methodsOf,
		pointer: func(c *Config) any { return &c.Train.Method }},
	{Name: "train.solver", Help: "features: normal = normal equations, qr = least squares without them", Kind: Choice, Choices: []string{NormalEquations, QR},
		pointer: func(c *Config) any { return &c.Train.Solver }},
	{Name: "train.rcond", Help: "lambda = 0: relative cut-off for eigenvalues", Kind: Real, Min: 0, Max: 0.5,
		published: func(c Config) string { return fmt.Sprintf("%.2g", c.Train.Rcond) },
		pointer:   func(c *Config) any { return &c.Train.Rcond }},

	{Name: "evaluation.grid", Kind: Integer,
		vary: func(p Problem, k *Key) {
			gridKey("grid for testing, 0 = the training grid", "r x r grid for testing, 0 = the training grid")(p, k)
		},
		published: func(c Config) string { return fmt.Sprint(c.TestGrid()) },
		Step:      Divisors,
		pointer:   func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.baselines", Help: "compare with other methods trained on the same pairs", Kind: YesNo, Choices: []string{Yes, No}, ours: true,
		pointer: func(c *Config) any { return &c.Evaluation.Baselines }},
}
