// This file is operators of which nothing is known but pairs in files, the paper's non-intrusive setting.

package config

// Names of the problems.
const (
	Functions = "functions"
	Fields    = "fields"
)

var functions = Problem{
	Name: Functions, Operator: "any operator between functions of one variable, known by pairs in files",
	Dims: 1, Periodic: true, Files: true, Maps: []string{Spectral},
	Words: ownWords("grid of the data, both ends counted, 0 = as in the file or near it",
		"grid for training, 0 = the finest up to 129"),
	Presets: []Preset{{"functions", "your own pairs of functions of one variable, from files", own(Functions), About{}},
		{"benchmark-burgers", "Burgers pairs of the neural-operator benchmark, from its file, with its split",
			benchmarkBurgers(), About{}}},
}

var fields = Problem{
	Name: Fields, Operator: "any operator between fields on a rectangle, known by pairs in files",
	Dims: 2, Files: true, Maps: []string{Spectral},
	Words: ownWords("r x r grid of the data, 0 = as in the file", "r x r grid for training, 0 = the finest up to 33"),
	Presets: []Preset{{"fields", "your own pairs of fields on a rectangle, from files", own(Fields), About{}},
		{"benchmark-darcy", "Darcy pairs of the neural-operator benchmark, from its files, with its split",
			benchmarkDarcy(), About{}}},
	Truth: readFields,
}

// ownWords are the helps of keys that say something else if pairs come from files.
func ownWords(dataGrid, trainGrid string) map[string]string {
	return map[string]string{
		"data.grid": dataGrid, "train.grid": trainGrid, "data.train_file": "training pairs: a file",
		"data.test_file": "test pairs; empty: a random part of the training pairs",
	}
}

// Channels are the numbers of values that inputs and outputs have at each point.
func (c Config) Channels() (in, out int) { return max(1, c.Data.In), max(1, c.Data.Out) }

// own is what one begins with for pairs of functions from files.
func own(problem string) Config {
	c := Config{
		Problem: problem,
		Seed:    1,
		Data: Data{Input: "a", Output: "u", Layout: AutoLayout, Symmetry: AutoSymmetry, Skip: SkipNone,
			Groups: AutoGroups},
		Features: Features{Kind: Spectral, Count: 1024, Activation: "tanh", Gain: 1, RMS: 1, Bias: 0.8, Mean: KeepMean,
			Delta: 0.004, Beta: 5, Tau: 2.5, Alpha: 3.5},
		Train:      Train{Choice: LeaveOneOut, Offset: true, Method: Best, Rcond: MachineRcond},
		Evaluation: Evaluation{Baselines: true},
	}
	if problem == Fields {
		c.Features.Axis = 2
		c.Data.Boundary, c.Data.Endpoint = Closed, AutoPoints
	} else {
		c.Data.Boundary, c.Data.Endpoint = Periodic, Included
	}
	return c
}

// benchmarkBurgers is the setting of Li et al. (2021), "Fourier neural operator for parametric partial differential
// equations", section 5.1: 2048 pairs on 8192 points without the right end, of which every 64th, the first 1000 for
// training, the last 200 for testing.
func benchmarkBurgers() Config {
	c := own(Functions)
	c.Data.TrainFile, c.Data.Endpoint, c.Data.Layout = "burgers_data_R10.mat", Excluded, FunctionsFirst
	c.Data.Input, c.Data.Output = "a[:1000, ::64]", "u[:1000, ::64]"
	c.Data.TestInput, c.Data.TestOutput = "a[-200:, ::64]", "u[-200:, ::64]"
	return c
}

// benchmarkDarcy is that of section 5.2: 1024 pairs a file on 421 x 421 points, of which every fifth, the first 1000 of
// one file for training, the first 200 of the other for testing.
func benchmarkDarcy() Config {
	c := own(Fields)
	c.Data.TrainFile, c.Data.TestFile = "piececonst_r421_N1024_smooth1.mat", "piececonst_r421_N1024_smooth2.mat"
	c.Data.Layout, c.Data.Endpoint = FunctionsFirst, Included
	c.Data.Input, c.Data.Output = "coeff[:1000, ::5, ::5]", "sol[:1000, ::5, ::5]"
	c.Data.TestInput, c.Data.TestOutput = "coeff[:200, ::5, ::5]", "sol[:200, ::5, ::5]"
	c.Train.Grid, c.Evaluation.Grid = 43, 85
	return c
}

// readFields counts the reading of fields, which takes longer than anything else before training.
func readFields(c Config, _ float64, cost *Cost) {
	cost.TruthPoints += 2 * float64(c.Data.Train+c.Data.Test) * float64(c.Data.Grid*c.Data.Grid) * c.stretch() * readSolves
}
