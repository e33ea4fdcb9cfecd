// This file defines operators given by equations as text, which the solver's package equation parses.

package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// TextEquation is the name of the problem of equations given as text.
const TextEquation = "equation"

// Equation is a system of equations in t on an interval or square, periodic or with conditions on its sides. Functions
// of x in [0, Length] are stored as functions of x/Length. Texts have semicolons between their lines.
type Equation struct {
	Text       string // a line u_t = ... for each field
	Parameters string // a line name = value for each of them
	Initial    string // values of the fields at t = 0
	Output     string // the field that is the output; empty: the first
	Left       string // conditions at the left end of x
	Right      string // conditions at its right end; without any it is periodic along x
	Bottom     string // the same for y, on the square
	Top        string
	Dims       int     // variables of the fields
	Time       float64 // of the output
	Length     float64 // of an axis
	Steps      int     // inputs are states after 0 ... Steps-1 times Time, in turn
	Tolerance  float64 // relative L2 error of the solution
}

// Bounded reports whether there are conditions on a side.
func (e Equation) Bounded() bool {
	for _, conditions := range []string{e.Left, e.Right, e.Bottom, e.Top} {
		if len(Lines(conditions)) > 0 {
			return true
		}
	}
	return false
}

const (
	maxText  = 2000 // bytes of a text
	maxNames = 64   // parameters of an equation
)

var textEquation = Problem{
	Name:     TextEquation,
	Operator: "initial value or coefficient a -> a field at time T of the equation",
	Dims:     1,
	Periodic: true,
	Maps:     []string{Spectral},
	Equation: Config.equationText,
}

// Lines returns the parts of a text between semicolons, without empty ones.
func Lines(text string) []string {
	lines := strings.Split(text, ";")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return slices.DeleteFunc(lines, func(line string) bool { return line == "" })
}

// Values returns the parameters by name; those without a value are left out.
func (e Equation) Values() map[string]string {
	values := map[string]string{}
	for _, line := range Lines(e.Parameters) {
		name, value, _ := strings.Cut(line, "=")
		values[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return values
}

// keep sets the parameters to those that the equation names and that have a value.
func (e *Equation) keep(values map[string]string) {
	var lines []string
	for _, name := range slices.Sorted(slices.Values(e.names(values))) {
		if values[name] != "" {
			lines = append(lines, name+" = "+values[name])
		}
	}
	e.Parameters = strings.Join(lines, "; ")
}

var (
	words   = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9]*(_[A-Za-z]*)?|[0-9.]+([eE][+-]?[0-9]+)?`) // and numbers
	derived = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9]*)_[xy]*t[a-z]*\b`)
	// Reserved are the words of the language, which are not allowed as names of fields or parameters.
	Reserved = strings.Fields("x y t pi e i random sin cos tan exp log sqrt tanh abs sinh cosh erf sign H max min " +
		"mean dx dy dxx dyy lap ilap laplace laplacian d_dx d_dy d2_dx2 d2_dy2")
)

// steadyField matches names of fields in equations without time: with derivatives in x and y, or behind an operator.
var steadyField = regexp.MustCompile(`\b([A-Za-z][A-Za-z0-9]*)_[xy]+\b|\b(?:lap|laplace|laplacian|dx|dy|dxx|dyy|d_dx|d_dy|d2_dx2|d2_dy2)` +
	`\( *([A-Za-z][A-Za-z0-9]*) *\)`)

// rates matches rates of change in other spellings, which are refused with what to write.
var rates = regexp.MustCompile(`/ *dt\b|\b[dD]t *\(`)

// Steady reports whether the equation has derivatives, but none in t: it is for a steady state.
func (e Equation) Steady() bool {
	return steadyField.MatchString(e.Text) && !derived.MatchString(e.Text) && !rates.MatchString(e.Text)
}

// Fields returns the names of the fields that have an equation. Without derivatives in t, these are the names with
// derivatives in x or y that are no parameters.
func (e Equation) Fields() []string {
	var names []string
	pattern := derived
	known := []string{}
	if e.Steady() {
		pattern = steadyField
		known = slices.AppendSeq(slices.Clone(Reserved), maps.Keys(e.Values()))
		known = append(known, steadyInput)
	}
	for _, found := range pattern.FindAllStringSubmatch(e.Text, -1) {
		name := found[1]
		if name == "" {
			name = found[2]
		}
		if !slices.Contains(names, name) && !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	return names
}

// steadyInput is the input of a steady state if no parameter is random.
const steadyInput = "a"

// OutputField returns the name of the field that is the output.
func (e Equation) OutputField() string {
	fields := e.Fields()
	switch {
	case e.Output != "":
		return e.Output
	case len(fields) > 0:
		return fields[0]
	}
	return "u"
}

// names returns the words of the equation, of its initial values, and of values of parameters that the language and the
// definitions do not contain, in order: the names of the parameters.
func (e Equation) names(values map[string]string) []string {
	defined := slices.Concat(Reserved, e.Fields())
	for _, line := range Lines(e.Text) {
		name, _, _ := strings.Cut(line, "=")
		defined = append(defined, strings.TrimSpace(name))
	}
	if e.Steady() && values[steadyInput] == "" {
		defined = append(defined, steadyInput)
	}
	values = expressions(values)
	texts := []string{e.Text, e.Initial, e.Left, e.Right, e.Bottom, e.Top} // and then the values of the parameters that they name
	var names []string
	for i := 0; i < len(texts); i++ {
		for _, word := range words.FindAllString(texts[i], -1) {
			base, _, derived := strings.Cut(word, "_")
			isName := word[0] >= 'A' && (!derived || values[base] == random)
			if !isName || len(names) == maxNames || slices.Contains(defined, base) {
				continue
			}
			defined = append(defined, base)
			names = append(names, base)
			texts = append(texts, values[base])
		}
		if i == 0 {
			defined = append(defined, "a") // the input, where initial values are given
		}
	}
	return names
}

// parameterKeys returns the keys of the parameters whose names, after a dot, end with the text.
func (c Config) parameterKeys(last string) []Key {
	var keys []Key
	for _, name := range c.Equation.names(c.Equation.Values()) {
		full := "equation.parameters." + name
		if !strings.HasSuffix("."+full, last) {
			continue
		}
		keys = append(keys, Key{
			Name:      full,
			Help:      "a number, or 0.01 in [0.001, 0.1] for keys that stay in a range; an expression in x; random in [0.005, 0.05] for a number of each pair",
			Kind:      Text,
			parameter: name,
			in:        &c,
		})
	}
	return keys
}

// equationText returns the equation for display, with the values of its parameters.
func (c Config) equationText() string {
	e := c.Equation
	lines := slices.Concat(Lines(e.Text), Lines(e.Parameters))
	output := "steady"
	if !e.Steady() {
		output = fmt.Sprintf("u = %s(%g)", e.OutputField(), e.Time)
	}
	return strings.Join(append(lines, output), EquationParts)
}

// checkText refuses texts that do not fit one line in a file, and parameters without a value.
func (k Key) checkText(value string) error {
	switch {
	case k.Name == "equation.text" && len(Lines(value)) == 0:
		return &Error{
			Key:        k.Name,
			Problem:    "is empty",
			Suggestion: "write u_t = nu*u_xx - u*u_x",
		}
	case k.parameter != "" && value == "":
		return &Error{
			Key:        k.Name,
			Problem:    "has no value",
			Suggestion: "add --set " + k.parameter + "=0.01",
		}
	case len(value) > maxText || k.parameter != "" && strings.ContainsAny(value, ";="):
		return &Error{
			Key:        k.Name,
			Value:      fmt.Sprintf("%.40q", value),
			Problem:    fmt.Sprintf("must have at most %d characters", maxText),
			Suggestion: "a parameter has no ; and no =",
		}
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return &Error{
			Key:        k.Name,
			Value:      fmt.Sprintf("%.40q", value),
			Problem:    "has control characters",
			Suggestion: "write ; between lines",
		}
	case k.parameter != "":
		return k.checkParameter(value)
	}
	return nil
}

// checkParameter refuses a range that is not one, and a number outside it. The message has the place, in lines as those
// of the solver about other texts.
func (k Key) checkParameter(value string) error {
	_, wrong, at := readParameter(k.parameter, value)
	if wrong == "" {
		return nil
	}
	name := k.parameter + " = "
	column := utf8.RuneCountInString(name + value[:at])
	what := fmt.Sprintf("is wrong: parameter %q, column %d: %s %s", k.parameter, column+1, k.parameter, wrong)
	mark := strings.Repeat(" ", column) + "^"
	return &Error{
		Key:     k.Name,
		Problem: what + "\n  " + name + value + "\n  " + mark,
	}
}

// withText returns the configuration with the parameters of its new text. A gain that is not set by the rms suits the
// inputs of one equation: another text then brings the features, grids and training of the preset of equations.
func (c Config) withText(before Config) Config {
	features := before.Features
	if features.Kind == Spectral && features.RMS == 0 && before.Equation.Text != "" {
		train, test := c.Data.Train, c.Data.Test
		start := c.Of().Start()
		c.Features = start.Features
		c.Features.Count = features.Count
		c.Features.Pool = features.Pool
		c.Train = start.Train
		c.Equation.Tolerance = start.Equation.Tolerance
		c = c.withDims()
		c.Data.Train = train
		c.Data.Test = test
	}
	c.Equation.keep(c.Equation.Values())
	return c
}

// withDims returns the configuration with grids that suit its number of dimensions.
func (c Config) withDims() Config {
	c.Data.Train = 256
	if c.Equation.Dims == 2 {
		c.Data.Grid = 65
		c.Data.Endpoint = ""
		c.Data.Test = 64
		c.Train.Grid = 33
	} else {
		c.Data.Grid = 257
		c.Data.Endpoint = Included
		c.Data.Test = 512
		c.Train.Grid = 129
	}
	c.Evaluation.Grid = 0
	return c
}
