// This file defines operators known only by pairs in files, the paper's non-intrusive setting.

package config

// Names of the problems with pairs from files.
const (
	Functions = "functions"
	Fields    = "fields"
)

var functions = Problem{
	Name: Functions, Operator: "any operator between functions of one variable, known by pairs in files",
	Dims: 1, Periodic: true, Files: true, Maps: []string{Spectral},
	Words: ownWords("grid of the data, both ends counted, 0 = as in the file or near it",
		"grid for training, 0 = the finest up to 129"),
}

var fields = Problem{
	Name: Fields, Operator: "any operator between fields on a rectangle, known by pairs in files",
	Dims: 2, Files: true, Maps: []string{Spectral},
	Words: ownWords("r x r grid of the data, 0 = as in the file", "r x r grid for training, 0 = the finest up to 33"),
	Truth: readFields,
}

// ownWords returns the help texts of keys that mean something else if pairs come from files.
func ownWords(dataGrid, trainGrid string) map[string]string {
	return map[string]string{
		"data.grid": dataGrid, "train.grid": trainGrid, "data.train_file": "training pairs: a file",
		"data.test_file": "test pairs; empty: a random part of the training pairs",
	}
}

// Channels returns the numbers of values that inputs and outputs have at each point.
func (c Config) Channels() (in, out int) { return max(1, c.Data.In), max(1, c.Data.Out) }

// readFields adds the cost of reading fields, which exceeds all other work before training.
func readFields(c Config, _ float64, cost *Cost) {
	cost.TruthPoints += 2 * float64(c.Data.Train+c.Data.Test) * float64(c.Data.Grid*c.Data.Grid) * c.stretch() * readSolves
}
