// This file is the table of configuration keys: the one place that knows their names, symbols, meanings, ranges
// and the paper's values. TOML, --set, validation, help and the configuration screen all read it.

package config

import "math"

// Activations are the names that features.activation takes.
var activations = []string{"elu", "relu", "tanh", "sigmoid", "sin", "selu", "softplus", "gelu"}

// Sets of problems that a key can belong to.
var (
	onlyBurgers   = []string{Burgers}
	onlyDarcy     = []string{Darcy}
	onlyFunctions = []string{Functions}
	onlyFields    = []string{Fields}
	generated     = []string{Burgers, Darcy}             // pairs come from a solver
	fromFiles     = []string{Functions, Fields}          // pairs come from files only
	spectral      = []string{Burgers, Functions, Fields} // features filter spectra
	periodicData  = []string{Burgers, Functions}         // periodic functions of one variable
	planar        = []string{Darcy, Fields}              // fields on the unit square
)

const (
	maxGrid  = 1<<16 + 1
	maxSide  = 1<<11 + 1
	maxCount = 1 << 20
	maxM     = 1 << 15
)

var keys = []Key{
	{Name: "problem", Help: "operator to learn", Kind: Choice, Choices: Problems(),
		pointer: func(c *Config) any { return &c.Problem }},
	{Name: "seed", Help: "root of every random stream", Kind: Integer, Min: 0, Max: math.MaxUint64,
		pointer: func(c *Config) any { return &c.Seed }},

	{Name: "data.train", Problems: onlyBurgers, Symbol: "n", Help: "number of training pairs", Paper: "512", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.train", Problems: onlyDarcy, Symbol: "n", Help: "number of training pairs", Paper: "128", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.train", Problems: fromFiles, Symbol: "n", Help: "number of training pairs, 0 = all that are not for testing", Kind: Integer, Min: 0, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Train }},
	{Name: "data.test", Problems: onlyBurgers, Symbol: "n'", Help: "number of test pairs", Paper: "4000", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.test", Problems: onlyDarcy, Symbol: "n'", Help: "number of test pairs", Paper: "1000", Kind: Integer, Min: 1, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.test", Problems: fromFiles, Symbol: "n'", Help: "number of test pairs, 0 = a fifth, or all of the test file", Kind: Integer, Min: 0, Max: maxCount,
		pointer: func(c *Config) any { return &c.Data.Test }},
	{Name: "data.grid", Problems: onlyBurgers, Symbol: "K", Help: "grid the data are generated on, both ends counted", Paper: "1025", Kind: Integer, Min: 9, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.grid", Problems: onlyDarcy, Symbol: "r", Help: "r x r grid the data are generated on", Paper: "257", Kind: Integer, Min: 9, Max: maxSide,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.grid", Problems: onlyFunctions, Symbol: "K", Help: "grid of the data, both ends counted, 0 = as in the file or near it", Kind: Integer, Min: 0, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.grid", Problems: onlyFields, Symbol: "r", Help: "r x r grid of the data, 0 = as in the file", Kind: Integer, Min: 0, Max: maxSide,
		pointer: func(c *Config) any { return &c.Data.Grid }},
	{Name: "data.train_file", Problems: generated, Help: "training pairs from this .npy, .npz or .mat, not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TrainFile }},
	{Name: "data.train_file", Problems: fromFiles, Help: "training pairs: .npy, .npz or .mat", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TrainFile }},
	{Name: "data.test_file", Problems: generated, Help: "test pairs from this .npy, .npz or .mat, not generated", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TestFile }},
	{Name: "data.test_file", Problems: fromFiles, Help: "test pairs: .npy, .npz or .mat; empty: a random part of the training file", Kind: Path,
		pointer: func(c *Config) any { return &c.Data.TestFile }},
	{Name: "data.split", Problems: fromFiles, Help: "seed of the split into training and test pairs, 0 = seed", Kind: Integer, Min: 0, Max: math.MaxUint64,
		pointer: func(c *Config) any { return &c.Data.Split }},
	{Name: "data.input", Help: "name of the inputs in .npz and .mat files", Kind: Name,
		pointer: func(c *Config) any { return &c.Data.Input }},
	{Name: "data.output", Help: "name of the outputs in .npz and .mat files", Kind: Name,
		pointer: func(c *Config) any { return &c.Data.Output }},
	{Name: "data.endpoint", Problems: periodicData, Help: "files: whether the last point repeats the first", Kind: Choice, Choices: []string{Included, Excluded},
		pointer: func(c *Config) any { return &c.Data.Endpoint }},
	{Name: "data.layout", Help: "files: axes in the order (n, K), functions-first, or (K, n), points-first", Kind: Choice, Choices: []string{AutoLayout, FunctionsFirst, PointsFirst},
		pointer: func(c *Config) any { return &c.Data.Layout }},

	{Name: "input.tau", Problems: onlyBurgers, Symbol: "tau", Help: "inverse length scale of the inputs", Paper: "7", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Input.Tau }},
	{Name: "input.tau", Problems: onlyDarcy, Symbol: "tau", Help: "inverse length scale of the level set function", Paper: "3", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Input.Tau }},
	{Name: "input.alpha", Problems: onlyBurgers, Symbol: "alpha", Help: "regularity of the inputs", Paper: "2.5", Kind: Real, Min: 0.5, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Input.Alpha }},
	{Name: "input.alpha", Problems: onlyDarcy, Symbol: "alpha", Help: "regularity of the level set function", Paper: "2", Kind: Real, Min: 1, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Input.Alpha }},
	{Name: "input.scale", Problems: onlyBurgers, Help: "factor to the inputs", Paper: "1", Kind: Real, Min: 0, Max: 1e6, Above: true,
		pointer: func(c *Config) any { return &c.Input.Scale }},
	{Name: "input.axis", Problems: onlyDarcy, Help: "weight of modes along one axis: 2 as computed, 1.414 as printed", Paper: "2", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Input.Axis }},

	{Name: "burgers.viscosity", Problems: onlyBurgers, Symbol: "nu", Help: "viscosity", Paper: "0.01", Kind: Real, Min: 0, Max: 100, Above: true,
		pointer: func(c *Config) any { return &c.Burgers.Viscosity }},
	{Name: "burgers.time", Problems: onlyBurgers, Symbol: "T", Help: "time of the output", Paper: "1", Kind: Real, Min: 0, Max: 1000, Above: true,
		pointer: func(c *Config) any { return &c.Burgers.Time }},
	{Name: "burgers.period", Problems: onlyBurgers, Symbol: "L", Help: "length of the torus: 1, or 6.283185307179586", Paper: "1", Kind: Real, Min: 0, Max: 1e6, Above: true,
		pointer: func(c *Config) any { return &c.Burgers.Period }},
	{Name: "burgers.tolerance", Problems: onlyBurgers, Help: "relative L2 error allowed in the truth", Kind: Real, Min: 1e-12, Max: 1e-2,
		pointer: func(c *Config) any { return &c.Burgers.Tolerance }},

	{Name: "darcy.high", Problems: onlyDarcy, Symbol: "a+", Help: "permeability where the level set function is positive", Paper: "12", Kind: Real, Min: 0, Max: 1e12, Above: true,
		pointer: func(c *Config) any { return &c.Darcy.High }},
	{Name: "darcy.low", Problems: onlyDarcy, Symbol: "a-", Help: "permeability elsewhere", Paper: "3", Kind: Real, Min: 0, Max: 1e12, Above: true,
		pointer: func(c *Config) any { return &c.Darcy.Low }},
	{Name: "darcy.face", Problems: onlyDarcy, Help: "mean of a between grid points", Paper: "arithmetic", Kind: Choice, Choices: []string{"arithmetic", "harmonic"},
		pointer: func(c *Config) any { return &c.Darcy.Face }},
	{Name: "darcy.tolerance", Problems: onlyDarcy, Help: "relative residual of the conjugate gradients", Kind: Real, Min: 1e-13, Max: 1e-2,
		pointer: func(c *Config) any { return &c.Darcy.Tolerance }},
	{Name: "darcy.iterations", Problems: onlyDarcy, Help: "limit to their number", Kind: Integer, Min: 1, Max: 1e6,
		pointer: func(c *Config) any { return &c.Darcy.Iterations }},

	{Name: "features.count", Problems: onlyBurgers, Symbol: "m", Help: "number of random features", Paper: "1024", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.count", Problems: onlyDarcy, Symbol: "m", Help: "number of random features", Paper: "256", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.count", Problems: fromFiles, Symbol: "m", Help: "number of random features", Kind: Integer, Min: 1, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Count }},
	{Name: "features.pool", Help: "draws among which the features are chosen greedily, 0 = no choice", Paper: "0", Kind: Integer, Min: 0, Max: maxM,
		pointer: func(c *Config) any { return &c.Features.Pool }},
	{Name: "features.activation", Problems: spectral, Symbol: "sigma", Help: "activation", Paper: "elu", Kind: Choice, Choices: activations,
		pointer: func(c *Config) any { return &c.Features.Activation }},
	{Name: "features.gain", Problems: spectral, Symbol: "gain", Help: "factor inside the activation; not used if rms > 0", Paper: "1024", Kind: Real, Min: 0, Max: 1e9, Above: true,
		pointer: func(c *Config) any { return &c.Features.Gain }},
	{Name: "features.rms", Problems: spectral, Help: "gain by the rms inside the activation over the training inputs, 0 = as given", Paper: "0", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.RMS }},
	{Name: "features.bias", Problems: spectral, Symbol: "s", Help: "standard deviation of the random bias inside the activation", Paper: "0", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Bias }},
	{Name: "features.mean", Problems: spectral, Help: "spatial mean of each feature: keep or remove", Paper: KeepMean, Kind: Choice, Choices: []string{KeepMean, RemoveMean},
		pointer: func(c *Config) any { return &c.Features.Mean }},
	{Name: "features.delta", Problems: spectral, Symbol: "delta", Help: "scale of the filter chi", Paper: "0.0025", Kind: Real, Min: 0, Max: 10, Above: true,
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.delta", Problems: onlyDarcy, Symbol: "delta", Help: "width of sigma's step", Paper: "0.15", Kind: Real, Min: 0, Max: 1e3, Above: true,
		pointer: func(c *Config) any { return &c.Features.Delta }},
	{Name: "features.beta", Problems: spectral, Symbol: "beta", Help: "decay of the filter chi", Paper: "4", Kind: Real, Min: 0, Max: 100, Above: true,
		pointer: func(c *Config) any { return &c.Features.Beta }},
	{Name: "features.plus", Problems: onlyDarcy, Symbol: "s+", Help: "limit of sigma at +infinity, 1/12", Paper: "0.08333333333333333", Kind: Real, Min: -1e6, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Plus }},
	{Name: "features.minus", Problems: onlyDarcy, Symbol: "s-", Help: "limit of sigma at -infinity, -1/3", Paper: "-0.3333333333333333", Kind: Real, Min: -1e6, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Minus }},
	{Name: "features.eta", Problems: onlyDarcy, Symbol: "eta", Help: "diffusivity of the mollifier of a", Paper: "0.0001", Kind: Real, Min: 0, Max: 1,
		pointer: func(c *Config) any { return &c.Features.Eta }},
	{Name: "features.step", Problems: onlyDarcy, Symbol: "dt", Help: "time step of the mollifier", Paper: "0.03", Kind: Real, Min: 0, Max: 1,
		pointer: func(c *Config) any { return &c.Features.Step }},
	{Name: "features.steps", Problems: onlyDarcy, Help: "number of the mollifier's steps", Paper: "33", Kind: Integer, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Features.Steps }},
	{Name: "features.sweeps", Problems: onlyDarcy, Help: "corrector sweeps of a feature", Paper: "1", Kind: Integer, Min: 1, Max: 16,
		pointer: func(c *Config) any { return &c.Features.Sweeps }},
	{Name: "features.tau", Problems: spectral, Symbol: "tau'", Help: "inverse length scale of theta", Paper: "5", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Features.Tau }},
	{Name: "features.tau", Problems: onlyDarcy, Symbol: "tau'", Help: "inverse length scale of theta", Paper: "7.5", Kind: Real, Min: 0, Max: 1e4, Above: true,
		pointer: func(c *Config) any { return &c.Features.Tau }},
	{Name: "features.alpha", Problems: periodicData, Symbol: "alpha'", Help: "regularity of theta", Paper: "2", Kind: Real, Min: 0.5, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Features.Alpha }},
	{Name: "features.alpha", Problems: planar, Symbol: "alpha'", Help: "regularity of theta", Paper: "2", Kind: Real, Min: 1, Max: 20, Above: true,
		pointer: func(c *Config) any { return &c.Features.Alpha }},
	{Name: "features.axis", Problems: planar, Help: "weight of theta's modes along one axis", Paper: "2", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Features.Axis }},
	{Name: "features.window", Problems: periodicData, Help: "width of a Gaussian window on theta, 0 = none", Paper: "0", Kind: Real, Min: 0, Max: 100,
		pointer: func(c *Config) any { return &c.Features.Window }},
	{Name: "features.spread", Problems: periodicData, Help: "spread of random log-normal amplitudes of theta", Paper: "0", Kind: Real, Min: 0, Max: 10,
		pointer: func(c *Config) any { return &c.Features.Spread }},
	{Name: "features.theta_file", Problems: onlyBurgers, Help: "theta from this .npy (K, m, 2), not drawn", Kind: Path,
		pointer: func(c *Config) any { return &c.Features.ThetaFile }},
	{Name: "features.theta_file", Problems: onlyDarcy, Help: "theta from this .npy (r, r, m, 2), not drawn", Kind: Path,
		pointer: func(c *Config) any { return &c.Features.ThetaFile }},

	{Name: "train.grid", Problems: onlyBurgers, Symbol: "K", Help: "grid for training", Paper: "129", Kind: Integer, Min: 9, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.grid", Problems: onlyDarcy, Symbol: "r", Help: "r x r grid for training", Paper: "33", Kind: Integer, Min: 9, Max: maxSide,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.grid", Problems: onlyFunctions, Symbol: "K", Help: "grid for training, 0 = the finest up to 129", Kind: Integer, Min: 0, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.grid", Problems: onlyFields, Symbol: "r", Help: "r x r grid for training, 0 = the finest up to 33", Kind: Integer, Min: 0, Max: maxSide,
		pointer: func(c *Config) any { return &c.Train.Grid }},
	{Name: "train.lambda", Problems: onlyBurgers, Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Paper: "0", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.lambda", Problems: onlyDarcy, Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Paper: "1e-08", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.lambda", Problems: fromFiles, Symbol: "lambda", Help: "regularisation, 0 = minimum norm solution", Kind: Real, Min: 0, Max: 1e6,
		pointer: func(c *Config) any { return &c.Train.Lambda }},
	{Name: "train.relative", Help: "lambda as a fraction of the largest eigenvalue, 0 = as given above", Paper: "0", Kind: Real, Min: 0, Max: 1,
		pointer: func(c *Config) any { return &c.Train.Relative }},
	{Name: "train.choice", Help: "lambda: given, or loo = smallest leave-one-function-out error", Paper: Given, Kind: Choice, Choices: []string{Given, LeaveOneOut},
		pointer: func(c *Config) any { return &c.Train.Choice }},
	{Name: "train.method", Help: "normal = normal equations, qr = least squares without them", Paper: NormalEquations, Kind: Choice, Choices: []string{NormalEquations, QR},
		pointer: func(c *Config) any { return &c.Train.Method }},
	{Name: "train.rcond", Help: "lambda = 0: relative cut-off for eigenvalues", Paper: "2.2e-10", Kind: Real, Min: 0, Max: 0.5,
		pointer: func(c *Config) any { return &c.Train.Rcond }},

	{Name: "evaluation.grid", Problems: onlyBurgers, Symbol: "K", Help: "grid for testing, 0 = the training grid", Paper: "129", Kind: Integer, Min: 0, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.grid", Problems: onlyDarcy, Symbol: "r", Help: "r x r grid for testing, 0 = the training grid", Paper: "33", Kind: Integer, Min: 0, Max: maxSide,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.grid", Problems: onlyFunctions, Symbol: "K", Help: "grid for testing, 0 = the training grid", Kind: Integer, Min: 0, Max: maxGrid,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.grid", Problems: onlyFields, Symbol: "r", Help: "r x r grid for testing, 0 = the training grid", Kind: Integer, Min: 0, Max: maxSide,
		pointer: func(c *Config) any { return &c.Evaluation.Grid }},
	{Name: "evaluation.baselines", Help: "compare with other methods trained on the same pairs", Kind: Choice, Choices: []string{Yes, No},
		pointer: func(c *Config) any { return &c.Evaluation.Baselines }},
}
