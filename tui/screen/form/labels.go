package form

import (
	"cmp"
	"strings"

	"rfm/config"
)

// Keys of settings that the form treats apart, and the beginning of the keys of an equation's parameters.
const (
	equationText  = "equation.text"
	outputField   = "equation.output"
	parameterKeys = "equation.parameters."
	trainFile     = "data.train_file"
)

// labels are the form's words for parameters whose names in configuration files are not clear enough.
var labels = map[string]string{
	equationText:      "equation",
	"equation.left":   "left",
	"equation.right":  "right",
	"equation.bottom": "bottom",
	"equation.top":    "top",
	"equation.time":   "T",
	"equation.length": "L",
	trainFile:         "training file",
	"data.test_file":  "test file",
	"data.input":      "input array",
	"data.output":     "output array",
	"data.axes":       "axes",
	"data.train":      "training pairs",
	"data.test":       "test pairs",
	"features.count":  "features",
	"data.grid":       "data grid",
	"train.grid":      "training grid",
	"evaluation.grid": "test grid",
	"train.lambda":    "regularisation",
	"train.method":    "method",
}

// label returns the form's name of a parameter. The grid of data that a solver computes is the solver's.
func label(k config.Key, of config.Config) string {
	if k.Name == "data.grid" && !of.Of().Files {
		return "solver grid"
	}
	return cmp.Or(labels[k.Name], k.Short())
}

// asRows returns a text about a configuration in the words of the form: where it tells a person in a shell to give a
// flag, as in --set data.input=b, it names the row and its value.
func asRows(text string, c config.Config) string {
	const flag = "--set "
	said, rest, has := strings.Cut(text, flag)
	for has {
		var setting, between string
		setting, rest = cutWord(rest)
		name, value, _ := strings.Cut(setting, "=")
		k, err := c.Lookup(name)
		if err != nil {
			return text
		}
		said += label(k, c) + " " + strings.ReplaceAll(value, "'", "") // quotes are for the shell
		between, rest, has = strings.Cut(rest, flag)
		if has && between == " " {
			between = ", "
		}
		said += between
	}
	return said
}

// cutWord cuts a text behind its first word, as a shell reads it; marks of the sentence around it do not belong to it.
func cutWord(text string) (word, rest string) {
	quoted := false
	for i, r := range text {
		switch {
		case r == '\'':
			quoted = !quoted
		case !quoted && strings.ContainsRune(" ;)\n", r):
			return text[:i], text[i:]
		}
	}
	return text, ""
}
