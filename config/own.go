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
	Words:   ownWords("grid of the data, both ends counted, 0 = as in the file or near it", "grid for training, 0 = the finest up to 129"),
	Presets: []Preset{{"functions", "your own pairs of functions of one variable, from files", own(Functions)}},
}

var fields = Problem{
	Name: Fields, Operator: "any operator between fields on a rectangle, known by pairs in files",
	Dims: 2, Files: true, Maps: []string{Spectral},
	Words:   ownWords("r x r grid of the data, 0 = as in the file", "r x r grid for training, 0 = the finest up to 33"),
	Presets: []Preset{{"fields", "your own pairs of fields on a rectangle, from files", own(Fields)}},
	Truth:   readFields,
}

// ownWords are the helps of keys that say something else if pairs come from files.
func ownWords(dataGrid, trainGrid string) map[string]string {
	return map[string]string{
		"data.grid": dataGrid, "train.grid": trainGrid, "data.train_file": "training pairs: a file, or a directory of arrays",
		"data.test_file": "test pairs; empty: a random part of the training pairs",
	}
}

// own is what one begins with for pairs of functions from files.
func own(problem string) Config {
	c := Config{
		Problem:    problem,
		Seed:       1,
		Data:       Data{Input: "a", Output: "u", Layout: AutoLayout},
		Features:   Features{Kind: Spectral, Count: 1024, Activation: "tanh", Gain: 1, RMS: 1, Bias: 0.8, Mean: KeepMean, Delta: 0.004, Beta: 5, Tau: 2.5, Alpha: 3.5, Places: 5},
		Train:      Train{Choice: LeaveOneOut, Offset: true, Method: NormalEquations, Rcond: MachineRcond},
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

// readFields counts the reading of fields, which takes longer than anything else before training.
func readFields(c Config, _ float64, cost *Cost) {
	cost.TruthPoints += 2 * float64(c.Data.Train+c.Data.Test) * float64(c.Data.Grid*c.Data.Grid) * readSolves
}
