package config

import (
	"cmp"
	"strings"
)

// A Problem is an operator that can be learned. It defines the domain of its functions and preset files their initial
// values, rows of the table of keys its settings.
type Problem struct {
	Name     string
	Operator string // input and output of the operator, for display
	Dims     int    // variables of its functions, 1 or 2
	Periodic bool   // whether they are periodic
	Files    bool   // pairs come from files only: no equation is known
	Maps     []string
	// Words are help texts of common keys that mean something else here.
	Words map[string]string
	// Input is the label of inputs in pictures; empty: input a. Jumps reports that inputs are not continuous.
	Input string
	Jumps bool
	// Equation returns the equation for display, and behind it its parameters and conditions, with EquationParts between
	// them; nil if none is known.
	Equation func(c Config) string
}

// EquationParts stands between the parts of an equation for display, the last of which may be left out in a narrow place.
const EquationParts = ",  "

// Problems lists the names of the operators that can be learned.
func Problems() []string {
	var names []string
	for _, p := range problems {
		names = append(names, p.Name)
	}
	return names
}

// Of returns the configured problem; an unknown name has one without keys of its own.
func (c Config) Of() Problem {
	for _, p := range problems {
		if p.Name == c.Problem {
			if p.Name == TextEquation && c.Equation.Dims != 0 {
				p.Dims = c.Equation.Dims
			}
			return p
		}
	}
	return Problem{Name: c.Problem, Dims: 1}
}

// Dims returns the number of variables of inputs and outputs.
func (c Config) Dims() int { return c.Of().Dims }

// GridSymbol returns the paper's symbol for the grid sizes of the problem: K points, or r points along an axis; points of
// any geometry have none.
func (c Config) GridSymbol() string {
	if c.Scattered() {
		return "points"
	}
	if c.Dims() == 2 {
		return "r"
	}
	return "K"
}

// Start returns the preset of the problem's name.
func (p Problem) Start() Config {
	c, _ := PresetByName(p.Name) // every problem has one
	return c
}

// Published returns the paper's experiment with the operator of the configuration; ok is false if the paper has none.
func (c Config) Published() (paper Config, ok bool) {
	if c.Problem == Darcy {
		return c.Of().Start(), true
	}
	paper = Reference()
	return paper, c.Equation.Text == paper.Equation.Text
}

// Paper returns the paper's value of a key of the configuration; empty if the paper has none.
func (k Key) Paper() string {
	if k.in == nil {
		return ""
	}
	c := *k.in
	paper, published := c.Published()
	switch {
	case k.ours:
		return ""
	case published && k.published != nil:
		return k.published(paper)
	case published && c.Features.Kind == paper.Features.Kind:
		return k.Text(paper)
	case strings.HasPrefix(k.Name, "features.") && k.Name != "features.count" && k.Name != "features.kind":
		if from := c.Map().paper; from != nil && k.belongs(from()) {
			return k.Text(from())
		}
	}
	return ""
}

// belongs reports whether a configuration has the key.
func (k Key) belongs(c Config) bool { return k.of == nil || k.of(c) }

// Keys lists the keys of the configuration in the order of display and of files: the keys of all problems, with the
// problem's own section before the features.
func (c Config) Keys() []Key { return c.keysEnding("") }

// keysEnding returns the keys whose names, after a dot, end with the text; it reads the equation only if it must.
func (c Config) keysEnding(last string) (all []Key) {
	p := c.Of()
	whole := strings.TrimPrefix(last, ".")
	group := whole[:strings.LastIndexByte(whole, '.')+1]
	for i := range keys {
		row := &keys[i] // not yet a copy, because keys are looked up often and few of them match
		if row.Name == "features.kind" && strings.Contains("equation.parameters.", group) {
			all = append(all, c.parameterKeys(last)...) // before the features
		}
		named := row.Name == whole || strings.HasSuffix(row.Name, last)
		if !named || !row.belongs(c) {
			continue
		}
		all = append(all, *row)
		k := &all[len(all)-1]
		if k.vary != nil {
			k.vary(p, k)
		}
		k.Help = cmp.Or(p.Words[k.Name], k.Help)
		k.in = &c
	}
	return all
}

// withKind returns the configuration with another feature map and the initial values of that map.
func (c Config) withKind(kind string) Config {
	from := c.Of().Start()
	if from.Features.Kind != kind {
		from = c.Map().start()
	}
	before := c.Features
	c.Features = from.Features
	c.Features.Kind = kind
	c.Features.Count = before.Count
	c.Features.Pool = before.Pool
	c.Features.ThetaFile = before.ThetaFile
	c.Train.Offset = from.Train.Offset // predictor-corrector features contain the common part of outputs, filters do not
	return c
}

// gridKey gives a key of a grid its symbol and bounds, and words for grids of functions and of fields. The last two words
// are those of pairs from files. The paper's symbol is that of the training grid; the grid of the data has a prime.
func gridKey(words ...string) func(p Problem, k *Key) {
	return func(p Problem, k *Key) {
		if p.Dims == 2 {
			k.Symbol = "r"
			k.Max = maxSide
		} else {
			k.Symbol = "K"
			k.Max = maxGrid
		}
		if k.Name == "data.grid" {
			k.Symbol += "'"
		}
		k.Help = words[p.Dims-1]
		if p.Files {
			k.Help = words[len(words)-3+p.Dims]
			k.Min = 0
		}
		if p.Name == Points {
			k.Max = maxPoints
			k.Help = "values of a function at the points, 0 = as in the file"
		}
	}
}

// ifFiles gives a key other words if pairs come from files, which may then leave a number to the file.
func ifFiles(words string) func(p Problem, k *Key) {
	return func(p Problem, k *Key) {
		if p.Files {
			k.Help = words
			k.Min = 0
		}
	}
}

// fromDims sets the least regularity to half the number of variables, below which draws have no norm.
func fromDims(p Problem, k *Key) { k.Min = float64(p.Dims) / 2 }

func files(c Config) bool     { return c.Of().Files }
func generated(c Config) bool { return !c.Of().Files }
func scaled(c Config) bool    { return generated(c) && (periodic(c) || c.Equation.Bounded()) }
func levelled(c Config) bool  { return generated(c) && closed2(c) && c.Problem != TextEquation }
func torus(c Config) bool     { return c.Dims() == 1 && periodic(c) }
func closed2(c Config) bool   { return c.Dims() == 2 && !periodic(c) }
func onSquare(c Config) bool  { return c.Dims() == 2 }
func ownFields(c Config) bool { return files(c) && c.Dims() == 2 }
func onAxes(c Config) bool    { return !c.Scattered() }
func waves(c Config) bool     { return spectral(c) && onAxes(c) }
func ownGrids(c Config) bool  { return files(c) && !c.Scattered() }

// Scattered reports whether functions are known at points of any geometry, which form no grid.
func (c Config) Scattered() bool { return c.Problem == Points }

// periodic reports whether functions are periodic, by the problem or by the user's setting for own data.
func periodic(c Config) bool {
	p := c.Of()
	if p.Files && c.Data.Boundary != "" {
		return c.Data.Boundary == Periodic
	}
	return p.Periodic && !c.Equation.Bounded()
}

// endpoints reports whether files may have their points at different places. Between ends they have both, and only this
// value is accepted.
func endpoints(c Config) bool {
	return ownGrids(c) || generated(c) && (torus(c) || c.Dims() == 1 && c.Equation.Bounded())
}

// ownEndpoints adapts the key of the points' places to own data.
func ownEndpoints(p Problem, k *Key) {
	if p.Files {
		k.Choices = []string{AutoPoints, Included, Excluded, Centres}
		k.Help = "points: with both ends, without the right one, at cell centres; auto asks the file"
	}
}
func spectral(c Config) bool  { return c.Features.Kind == Spectral }
func predictor(c Config) bool { return c.Features.Kind == PredictorCorrector }

// stored reports whether files can give parameters of the features.
func stored(c Config) bool { return generated(c) && (c.Dims() == 1 || predictor(c)) }

// Names of the problems. Pairs of the last three come from files: the paper's non-intrusive setting.
const (
	Darcy     = "darcy"
	Functions = "functions"
	Fields    = "fields"
	Points    = "points"
)

// Flow is -div(a grad u) = 1 on the unit square, u = 0 on its boundary, with a permeability of two values, section 3.2.
type Flow struct {
	High, Low  float64 // values of a
	Face       string  // mean of a between grid points: arithmetic or harmonic
	Tolerance  float64 // residual of the conjugate gradients relative to the right-hand side
	Iterations int     // of the conjugate gradients, at most
}

var darcy = Problem{
	Name:     Darcy,
	Operator: "permeability a -> pressure u of Darcy flow on the unit square",
	Dims:     2,
	Maps:     []string{PredictorCorrector, Spectral},
	Words: map[string]string{
		"input.tau":           "inverse length scale of the level set function",
		"input.alpha":         "regularity of the level set function",
		"features.theta_file": "theta from this .npy (r, r, m, 2), not drawn",
	},
	Input:    "permeability a",
	Jumps:    true,
	Equation: func(Config) string { return "-div(a grad u) = 1" + EquationParts + "u = 0 on the boundary" },
}

var functions = Problem{
	Name:     Functions,
	Operator: "any operator between functions of one variable, known by pairs in files",
	Dims:     1,
	Periodic: true,
	Files:    true,
	Maps:     []string{Spectral},
}

var fields = Problem{
	Name:     Fields,
	Operator: "any operator between fields on a rectangle, known by pairs in files",
	Dims:     2,
	Files:    true,
	Maps:     []string{Spectral},
}

var scattered = Problem{
	Name: Points, Operator: "any operator between values at points of any geometry, known by pairs in files",
	Dims: 1, Files: true, Maps: []string{Spectral},
}

// Channels returns the numbers of values that inputs and outputs have at each point. Random numbers of an equation are
// constant channels.
func (c Config) Channels() (in, out int) {
	if numbers := len(c.Equation.Numbers()); numbers > 0 {
		if c.Equation.HasFunction() {
			numbers++
		}
		return numbers, 1
	}
	return max(1, c.Data.In), max(1, c.Data.Out)
}
