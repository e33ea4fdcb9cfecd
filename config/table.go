// This file is the table of the settings, the only source of their names, symbols,
// meanings and ranges for TOML, --set, validation, help and the configuration screen. Presets hold the paper's values.

package config

import (
	"fmt"
	"math"
)

// activations are the values of features.activation.
var activations = []string{"elu", "relu", "tanh", "sigmoid", "sin", "softplus"}

const (
	maxGrid      = 1<<16 + 1
	mostChannels = 64
	maxSide      = 1<<11 + 1
	maxPoints    = 1 << 20
	maxCount     = 1 << 20
	maxM         = 1 << 17
)

// keys lists the entries of a configuration in the order of files. Each says its name and symbol, the configurations
// that have it, its meaning, its values, and the range of a search.
var keys = []Key{
	{
		Name: "problem",
		Help: "operator to learn",
		Kind: Choice, Choices: Problems(),
		ours: true,
	},
	{
		Name: "seed",
		Help: "root of every random stream",
		Max:  math.MaxUint64,
		Step: ones,
		ours: true,
	},

	{
		Name: "data.train", Symbol: "n",
		Help: "number of training pairs",
		vary: ifFiles("number of training pairs, 0 = all that are not for testing"),
		Min:  1, Max: maxCount,
	},
	{
		Name: "data.test", Symbol: "n'",
		Help: "number of test pairs",
		vary: ifFiles("number of test pairs, 0 = a fifth, or all of the test file"),
		Min:  1, Max: maxCount,
	},
	{
		Name: "data.grid",
		vary: gridKey(
			"grid the data are generated on, both ends counted",
			"r x r grid the data are generated on",
			"grid of the data, both ends counted, 0 = as in the file or near it",
			"r x r grid of the data, 0 = as in the file",
		),
		Min:  9,
		Step: intervalsDouble,
	},
	{
		Name: "data.train_file",
		Help: "training pairs from this file, not generated",
		vary: ifFiles("training pairs: a file"),
		Kind: Path,
		ours: true,
	},
	{
		Name: "data.test_file",
		Help: "test pairs from this file, not generated",
		vary: ifFiles("test pairs; empty: a random part of the training pairs"),
		Kind: Path,
		ours: true,
	},
	{
		Name: "data.low", of: files,
		Help: "many cheap pairs of low fidelity, whose model is the start",
		Kind: Path,
		ours: true,
	},
	{
		Name: "data.low_pairs", of: files,
		Help: "number of pairs of low fidelity, 0 = all in the file",
		Max:  maxCount,
		ours: true,
	},
	{
		Name: "data.split", of: files,
		Help: "seed of the split into training and test pairs, 0 = seed",
		Max:  math.MaxUint64,
		Step: ones,
		ours: true,
	},
	{
		Name: "data.input",
		Help: "name of the array of inputs, or a part of it: a[:1000]",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.output",
		Help: "name of the array of outputs, or a part of it",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.test_input", of: files,
		Help: "name of the inputs of test pairs, empty = as in data.input",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.test_output", of: files,
		Help: "name of the outputs of test pairs, empty = as in data.output",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.points", of: files,
		Help: "places of points of any geometry: names of arrays, none, axes, or grid; empty: as in the file",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.boundary", of: ownGrids,
		Help: "whether functions are periodic or end at a boundary",
		Kind: Choice, Choices: []string{Periodic, Closed},
		ours: true,
	},
	{
		Name: "data.endpoint", of: endpoints,
		Help: "files: whether the last point repeats the first",
		vary: ownEndpoints,
		Kind: Choice, Choices: []string{Included, Excluded},
		ours: true,
	},
	{
		Name: "data.columns", of: ownFields,
		Help: "points along the second axis of a rectangle, 0 = as in the file",
		Max:  maxSide,
		ours: true,
	},
	{
		Name: "data.in", of: files,
		Help: "channels of the inputs, 0 = as in the file",
		Max:  mostChannels,
		ours: true,
	},
	{
		Name: "data.out", of: files,
		Help: "channels of the outputs, 0 = as in the file",
		Max:  mostChannels,
		ours: true,
	},
	{
		Name: "data.input_grid", of: files,
		Help: "points of the inputs along an axis, if the outputs have others; 0 = as in the file",
		Max:  maxCount,
		ours: true,
	},
	{
		Name: "data.symmetry", of: onAxes,
		Help: "symmetries of the law; auto: kernels find theirs",
		vary: symmetriesOf,
		Kind: Choice,
		ours: true, Tuned: true,
		search: map[string]Search{
			Spectral: {Values: []string{AutoSymmetry, WholeSquare}, square: true},
		},
	},
	{
		Name: "data.groups", of: files,
		Help: "pairs left out together: auto, none, a length of blocks, or an array of labels or functions",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.suspects", of: files,
		Help: "training pairs that may be wrong: report them, or leave them out and train once more",
		Kind: Choice, Choices: []string{ReportSuspects, LeaveOut},
		ours: true,
	},
	{
		Name: "data.layout", of: onAxes,
		Help: "files: axes in the order (n, K), functions-first, or (K, n), points-first",
		Kind: Choice, Choices: []string{AutoLayout, FunctionsFirst, PointsFirst},
		ours: true,
	},
	{
		Name: "data.axes", of: files,
		Help: "axes of the arrays, as in \"nx,nc->nx\": n pairs, x y points, p places, c channels, s sides, 1",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.test_axes", of: files,
		Help: "axes of the arrays of test pairs, empty = as in data.axes",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.missing", of: files,
		Help: "number that stands for missing values, such as -9999, or none; empty = found in the file",
		Kind: Name,
		ours: true,
	},
	{
		Name: "data.mask", of: ownGrids,
		Help: "points at which no pair has a finite value are read as 0",
		ours: true,
	},
	{
		Name: "data.skip",
		Help: "files: leave out pairs whose values are not finite, or whose outputs are zero",
		Kind: Choice, Choices: []string{SkipNone, SkipBoth},
		ours: true,
	},

	{
		Name: "input.tau", Symbol: "tau", of: generated,
		Help: "inverse length scale of the inputs",
		Max:  1e4, Above: true,
	},
	{
		Name: "input.alpha", Symbol: "alpha", of: generated,
		Help: "regularity of the inputs",
		vary: fromDims,
		Max:  20, Above: true,
	},
	{
		Name: "input.scale", of: scaled,
		Help: "factor of the inputs",
		Max:  1e6, Above: true,
	},
	{
		Name: "input.axis", of: levelled,
		Help: "weight of modes along one axis: 2 in the authors' program, 1.414 in the paper",
		Max:  10,
	},

	{
		Name: "darcy.high", Symbol: "a+",
		Help: "permeability where the level set function is positive",
		Max:  1e12, Above: true,
	},
	{
		Name: "darcy.low", Symbol: "a-",
		Help: "permeability elsewhere",
		Max:  1e12, Above: true,
	},
	{
		Name: "darcy.face",
		Help: "mean of a between grid points",
		Kind: Choice, Choices: []string{"arithmetic", "harmonic"},
	},
	{
		Name: "darcy.tolerance",
		Help: "relative residual of the conjugate gradients",
		Min:  1e-13, Max: 1e-2,
		ours: true,
	},
	{
		Name: "darcy.iterations",
		Help: "limit to the number of iterations of the conjugate gradients",
		Min:  1, Max: 1e6,
		ours: true,
	},

	{
		Name: "equation.text",
		Help: "u_t = ..., a line for each field, ; between lines",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.initial",
		Help: "values of the fields at t = 0: functions of the input a and x, ; between them",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.left",
		Help: "conditions at the left end: u = 0, u_x = 0, u_x + 2*u = 1; both empty: periodic",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.right",
		Help: "conditions at the right end, ; between them",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.bottom",
		of:   onSquare,
		Help: "conditions at the lower side of the square: u = 0, u_y = 0; both empty: periodic",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.top",
		of:   onSquare,
		Help: "conditions at the upper side, ; between them",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.output",
		Help: "the field that is the output; empty: the first",
		Kind: Text,
		ours: true,
	},
	{
		Name: "equation.dims",
		Help: "number of coordinates: 1 for x, 2 for x and y",
		Min:  1, Max: 2,
		Step: ones,
		ours: true,
	},
	{
		Name: "equation.time", Symbol: "T",
		Help: "time of the output",
		Max:  1e6, Above: true,
		Step: tenths,
	},
	{
		Name: "equation.length", Symbol: "L",
		Help: "length of the domain along an axis",
		Max:  1e6, Above: true,
		Step: tenths,
	},
	{
		Name: "equation.steps",
		Help: "number of times 0, T, 2T, ... at which states are inputs, in turn; 1 = as drawn",
		Min:  1, Max: 10000,
		Step: ones,
		ours: true,
	},
	{
		Name: "equation.tolerance",
		Help: "relative L2 error allowed in the solution",
		Min:  1e-12, Max: 1e-2,
		ours: true,
	},

	{
		Name: "features.kind",
		Help: "feature map",
		vary: func(p Problem, k *Key) { k.Choices = p.Maps },
		Kind: Choice,
		ours: true, Tuned: true,
	},
	{
		Name: "features.count", Symbol: "m",
		Help: "number of random features",
		Min:  1, Max: maxM,
	},
	{
		Name: "features.pool",
		Help: "candidates from which the features are chosen greedily, 0 = no choice",
		Max:  maxM,
	},
	{
		Name: "features.activation", Symbol: "sigma", of: spectral,
		Help: "activation",
		Kind: Choice, Choices: activations,
		Tuned:  true,
		search: map[string]Search{Spectral: {}},
	},
	{
		Name: "features.gain", Symbol: "gain", of: spectral,
		Help: "factor inside the activation; not used if rms > 0",
		Max:  1e9, Above: true,
		Tuned: true,
	},
	{
		Name: "features.rms", of: spectral,
		Help:   "rms inside the activation, which sets the gain; 0 = gain as given",
		Max:    1e6,
		Tuned:  true,
		search: map[string]Search{Spectral: {Low: 0.1, High: 10, Log: true}},
	},
	{
		Name: "features.bias", Symbol: "s", of: spectral,
		Help:   "standard deviation of the random bias inside the activation",
		Max:    1e6,
		Tuned:  true,
		search: map[string]Search{Spectral: {Low: 0.05, High: 5, Log: true}},
	},
	{
		Name: "features.mean", of: waves,
		Help: "spatial mean of each feature: keep or remove",
		Kind: Choice, Choices: []string{KeepMean, RemoveMean},
		Tuned:  true,
		search: map[string]Search{Spectral: {}},
	},
	{
		Name: "features.plus", Symbol: "s+", of: predictor,
		Help: "limit of sigma at +infinity, 1/12 in the paper",
		Min:  -1e6, Max: 1e6,
		Tuned:  true,
		search: map[string]Search{PredictorCorrector: {Low: -1, High: 1}},
	},
	{
		Name: "features.minus", Symbol: "s-", of: predictor,
		Help: "limit of sigma at -infinity, -1/3 in the paper",
		Min:  -1e6, Max: 1e6,
		Tuned:  true,
		search: map[string]Search{PredictorCorrector: {Low: -1, High: 1}},
	},
	{
		Name: "features.delta", Symbol: "delta", of: spectral,
		Help: "scale of the filter chi",
		Max:  10, Above: true,
		Tuned:  true,
		search: map[string]Search{Spectral: {Low: 3e-4, High: 0.1, Log: true}},
	},
	{
		Name: "features.delta", Symbol: "delta", of: predictor,
		Help: "width of sigma's step",
		Max:  1e3, Above: true,
		Tuned:  true,
		search: map[string]Search{PredictorCorrector: {Low: 0.01, High: 3, Log: true}},
	},
	{
		Name: "features.beta", Symbol: "beta", of: spectral,
		Help: "decay of the filter chi",
		Max:  100, Above: true,
		Tuned:  true,
		search: map[string]Search{Spectral: {Low: 0.5, High: 12}},
	},
	{
		Name: "features.eta", Symbol: "eta", of: predictor,
		Help:  "diffusivity of the mollifier of a",
		Max:   1,
		Tuned: true,
	},
	{
		Name: "features.step", Symbol: "dt", of: predictor,
		Help:  "time step of the mollifier",
		Max:   1,
		Tuned: true,
	},
	{
		Name: "features.steps", of: predictor,
		Help:  "number of the mollifier's steps, 0 = no mollifier",
		Max:   1e6,
		Tuned: true,
		search: map[string]Search{ // none, the paper's 33, and values between and beyond
			PredictorCorrector: {Values: []string{"0", "4", "12", "33", "66"}},
		},
	},
	{
		Name: "features.sweeps", of: predictor,
		Help: "corrector iterations of a feature",
		Min:  1, Max: 16,
		Step:  ones,
		Tuned: true,
		search: map[string]Search{
			PredictorCorrector: {Values: []string{"1", "2", "3", "4", "5"}},
		},
	},
	{
		Name: "features.tau", Symbol: "tau'",
		Help: "inverse length scale of theta",
		Max:  1e4, Above: true,
		Tuned: true,
		search: map[string]Search{
			Spectral:           {Low: 0.3, High: 30, Log: true},
			PredictorCorrector: {Low: 0.5, High: 50, Log: true},
		},
	},
	{
		Name: "features.alpha", Symbol: "alpha'",
		Help: "regularity of theta",
		vary: fromDims,
		Max:  20, Above: true,
		Tuned: true,
		search: map[string]Search{
			Spectral:           {Low: 1.05, High: 8},
			PredictorCorrector: {Low: 1.05, High: 6},
		},
	},
	{
		Name: "features.axis", of: closed2,
		Help:  "weight of theta's modes along one axis",
		Max:   10,
		Tuned: true,
	},
	{
		Name: "features.window", of: waves,
		Help:  "width of a Gaussian window on theta, 0 = none",
		Max:   100,
		Tuned: true,
		search: map[string]Search{ // on the unit torus a window of width 3 has no effect
			Spectral: {Low: 0.05, High: 3, Log: true, line: true},
		},
	},
	{
		Name: "features.spread", of: waves,
		Help:   "spread of the logarithms of theta's random amplitudes",
		Max:    10,
		Tuned:  true,
		search: map[string]Search{Spectral: {High: 1, line: true}},
	},
	{
		Name: "features.theta_file", of: stored,
		Help: "theta from this .npy (K, m, 2), not drawn",
		Kind: Path,
		ours: true,
	},

	{
		Name: "train.grid",
		vary: gridKey(
			"grid for training",
			"r x r grid for training",
			"grid for training, 0 = the finest up to 129, where outputs need it 513",
			"r x r grid for training, 0 = the finest up to 33, where outputs need it 65",
		),
		Min:  9,
		Step: divisors,
	},
	{
		Name: "train.rows", of: waves,
		Help: "points of each pair that enter the sums, equally spaced, 0 = all",
		Max:  maxCount,
		ours: true,
	},
	{
		Name: "train.lambda", Symbol: "lambda",
		Help:  "regularisation, 0 = minimum norm solution",
		Max:   1e6,
		Tuned: true,
	},
	{
		Name:  "train.relative",
		Help:  "lambda as a fraction of the largest eigenvalue, 0 = train.lambda",
		Max:   1,
		Tuned: true,
	},
	{
		Name: "train.choice",
		Help: "lambda as given, or loo = by cross-validation, as for method best",
		Kind: Choice, Choices: []string{Given, LeaveOneOut},
		Tuned: true,
	},
	{
		Name: "train.offset",
		Help: "fit a function of x alone beside the features",
	},
	{
		Name: "train.method",
		Help: "the method; best = smallest cross-validation error",
		vary: methodsOf,
		Kind: Choice,
	},
	{
		Name: "train.noise",
		Help: "add copies with inputs as wrong as predictions, which keeps rollouts stable",
		ours: true,
	},
	{
		Name: "train.searched",
		Help: "seconds of one core that the search for these features took, a cost of the model",
		Max:  1e12,
		ours: true,
	},
	{
		Name: "train.coarsen", of: onAxes,
		Help: "predict on the coarsest grid that changes predictions by this part of the error at most, 0 = never",
		Max:  1,
		ours: true,
	},
	{
		Name:      "train.rcond",
		Help:      "lambda = 0: relative cut-off for eigenvalues",
		Max:       0.5,
		published: func(c Config) string { return fmt.Sprintf("%.2g", c.Train.Rcond) },
	},
	{
		Name: "train.patience", of: onAxes,
		Help:    "seconds of one core for a neural operator; 0 = 60 for method fno, none for best",
		Max:     1e6,
		ours:    true,
		seconds: true,
	},
	{
		Name: "network.width", of: onAxes,
		Help: "channels between the layers of a neural operator, 0 = 32",
		Max:  1024,
		ours: true,
	},
	{
		Name: "network.modes", of: onAxes,
		Help: "frequencies along an axis in a neural operator, 0 = 16, or 8 for fields",
		Max:  1024,
		ours: true,
	},
	{
		Name: "network.layers", of: onAxes,
		Help: "Fourier layers of a neural operator, 0 = 4",
		Max:  64,
		Step: ones,
		ours: true,
	},

	{
		Name: "evaluation.grid",
		vary: gridKey(
			"grid for testing, 0 = the training grid",
			"r x r grid for testing, 0 = the training grid",
			"grid for testing, 0 = that of the data",
			"r x r grid for testing, 0 = that of the data",
		),
		Step:      divisors,
		published: func(c Config) string { return fmt.Sprint(c.TestGrid()) },
	},
	{
		Name: "evaluation.baselines",
		Help: "compare with other methods trained on the same pairs",
		ours: true,
	},
	{
		Name: "evaluation.curve",
		Help: "measure how the error falls with more pairs, by training again on parts of them",
		ours: true,
	},
	{
		Name: "evaluation.bands",
		Help: "compute prediction bands, by training again without parts of the pairs",
		ours: true,
	},
}
