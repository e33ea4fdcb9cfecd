package config

import (
	"strings"
)

// A Problem is an operator that can be learned, as it is written down in a file of its own: where its functions live,
// which keys it has beside those of all problems, with which values one begins.
type Problem struct {
	Name     string
	Operator string // what is mapped to what, for people
	Dims     int    // variables of its functions, 1 or 2
	Periodic bool   // whether they are periodic
	Files    bool   // pairs come from files only: no equation is known
	Maps     []string
	Paper    bool  // the preset of the problem's name is an experiment of the paper
	Keys     []Key // of its own section
	Presets  []Preset
	Defaults Config // of the problem's preset files
	// Words are helps of keys of all problems that say something else here.
	Words map[string]string
	// Input is what inputs are called in pictures; empty: input a. Jumps says that they are not continuous.
	Input string
	Jumps bool
	// Equation writes the equation for people; nil if none is known.
	Equation func(c Config) string
	// Check adds what is wrong with a configuration beyond the ranges of its keys; may be nil.
	Check func(c Config, add func(key, problem, suggestion string))
	// Truth counts the work to solve for so many outputs; nil if there is nothing to solve.
	Truth func(c Config, outputs float64, cost *Cost)
}

// Problems lists the names of the operators that can be learned.
func Problems() []string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Name)
	}
	return names
}

// problemNamed is the problem of a name; unknown names have one without keys of its own.
func problemNamed(name string) Problem {
	for _, p := range problems {
		if p.Name == name {
			return p
		}
	}
	return Problem{Name: name, Dims: 1}
}

// Of is what the configured problem says about itself.
func (c Config) Of() Problem {
	p := problemNamed(c.Problem)
	if p.textual() && c.Equation.Dims != 0 {
		p.Dims = c.Equation.Dims
	}
	return p
}

// Dims is the number of variables of inputs and outputs.
func (c Config) Dims() int { return c.Of().Dims }

// GridSymbol is the paper's symbol for the grid sizes of the problem: K points, or r points along an axis.
func (c Config) GridSymbol() string {
	if c.Dims() == 2 {
		return "r"
	}
	return "K"
}

// Start is the preset of the problem's name.
func (p Problem) Start() Config {
	for _, preset := range p.presets() {
		if preset.Name == p.Name {
			return preset.Config
		}
	}
	panic("config: no preset " + p.Name)
}

// Paper is the paper's value of a key of the configuration; empty if the paper has none.
func (k Key) Paper() string {
	if k.in == nil {
		return ""
	}
	c := *k.in
	p := c.Of()
	switch {
	case k.ours:
		return ""
	case p.Paper && k.published != nil:
		return k.published(p.Start())
	case p.Paper && c.Features.Kind == p.Start().Features.Kind:
		return k.Text(p.Start())
	case strings.HasPrefix(k.Name, "features.") && k.Name != "features.count" && k.Name != "features.kind":
		if from := c.Map().paper; from != nil && k.belongs(from()) {
			return k.Text(from())
		}
	}
	return ""
}

// belongs reports whether a configuration has the key.
func (k Key) belongs(c Config) bool { return k.of == nil || k.of(c) }

// Keys lists the keys of the configuration in the order in which they are shown and written: those of all problems,
// with the problem's own section before the features.
func (c Config) Keys() []Key {
	p := c.Of()
	all := make([]Key, 0, len(keys)+len(p.Keys))
	for _, some := range [][]Key{keys[:firstFeature], p.Keys, c.parameterKeys(), keys[firstFeature:]} {
		for i := range some {
			if !some[i].belongs(c) {
				continue
			}
			all = append(all, some[i])
			k := &all[len(all)-1]
			if k.vary != nil {
				k.vary(p, k)
			}
			if words, ok := p.Words[k.Name]; ok {
				k.Help = words
			}
			k.in = &c
		}
	}
	return all
}

// withKind is the configuration with another feature map, with the values that one begins with.
func (c Config) withKind(kind string) Config {
	from := c.Of().Start()
	if from.Features.Kind != kind {
		from = c.Map().start()
	}
	f := from.Features
	f.Kind, f.Count, f.Pool, f.ThetaFile = kind, c.Features.Count, c.Features.Pool, c.Features.ThetaFile
	c.Features = f
	c.Train.Offset = from.Train.Offset // predictor-corrector features have what outputs have in common, filters have not
	return c
}

// gridKey gives a key of a grid its symbol, words for grids of the problem, and bounds.
func gridKey(functions, fields string) func(p Problem, k *Key) {
	return func(p Problem, k *Key) {
		k.Symbol, k.Max = "K", maxGrid
		if k.Help = functions; p.Dims == 2 {
			k.Symbol, k.Max, k.Help = "r", maxSide, fields
		}
		if p.Files {
			k.Min = 0
		}
	}
}

// fileCount lets problems from files leave a number of pairs to the file.
func fileCount(words string) func(p Problem, k *Key) {
	return func(p Problem, k *Key) {
		if p.Files {
			k.Min, k.Help = 0, words
		}
	}
}

// fromDims lets a regularity begin at half the number of variables, below which draws have no norm.
func fromDims(p Problem, k *Key) { k.Min = float64(p.Dims) / 2 }

func files(c Config) bool     { return c.Of().Files }
func generated(c Config) bool { return !c.Of().Files }
func torus(c Config) bool     { return c.Dims() == 1 && periodic(c) }
func closed2(c Config) bool   { return c.Dims() == 2 && !periodic(c) }
func ownFields(c Config) bool { return files(c) && c.Dims() == 2 }

// periodic reports whether functions are: the problem says it, or the user of his own.
func periodic(c Config) bool {
	p := c.Of()
	if p.Files && c.Data.Boundary != "" {
		return c.Data.Boundary == Periodic
	}
	return p.Periodic
}

// endpoints reports whether files may have points in several ways.
func endpoints(c Config) bool { return files(c) || torus(c) }

// ownEndpoints makes the key of the points' places what it is for own data.
func ownEndpoints(p Problem, k *Key) {
	if p.Files {
		k.Choices = []string{AutoPoints, Included, Excluded, Centres}
		k.Help = "points: with both ends, without the right one, at cell centres; auto asks the file"
	}
}
func spectral(c Config) bool  { return c.Features.Kind == Spectral }
func predictor(c Config) bool { return c.Features.Kind == PredictorCorrector }

// stored reports whether there are files with parameters of the features.
func stored(c Config) bool { return generated(c) && (c.Dims() == 1 || predictor(c)) }

// both is the conjunction of two conditions.
func both(a, b func(Config) bool) func(Config) bool {
	return func(c Config) bool { return a(c) && b(c) }
}
