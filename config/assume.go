// This file gives parameters of equations a value that nobody has given them.

package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// AssumedValue is the value of a parameter of an equation that nobody has given one.
const AssumedValue = "1"

// Assume gives the parameters without a value AssumedValue, and returns their keys. Misspelt derivatives and functions are
// not parameters: the solver says what to write.
func (c *Config) Assume() (names []string) {
	if c.Problem != TextEquation {
		return nil
	}
	for _, k := range c.parameterKeys("") {
		if k.Text(*c) != "" || c.Equation.misspelt(k.Short()) {
			continue
		}
		if k.Set(c, AssumedValue) == nil {
			names = append(names, k.Name)
		}
	}
	return names
}

// AssumedInitial returns the initial values of an equation in time that has none: the first field begins with the input,
// others with 0. It is empty if they are given, or if a coefficient is the input.
func (e Equation) AssumedInitial() string {
	isCoefficient := func(text string) bool { return text == random }
	fields := e.Fields()
	given := len(Lines(e.Initial)) > 0 || slices.ContainsFunc(slices.Collect(maps.Values(e.Values())), isCoefficient)
	if given || e.Steady() || len(fields) == 0 {
		return ""
	}
	return "a" + strings.Repeat("; 0", len(fields)-1)
}

// misspelt reports whether a name looks like a function, as foo in foo(u), like a derivative, as uxx, dudx or du, or like noise,
// which is no number.
func (e Equation) misspelt(name string) bool {
	if slices.Contains(noiseNames, name) {
		return true
	}
	if strings.Contains(e.Text, name+"(") || strings.Contains(e.Text, name+" (") {
		return true
	}
	for _, found := range fieldDerivative.FindAllStringSubmatch(e.Text, -1) {
		rest, begins := strings.CutPrefix(strings.TrimPrefix(name, "d"), found[1])
		if begins && strings.Trim(rest, "dxyt23") == "" {
			return true
		}
	}
	return false
}

// noiseNames are what noise is called where it is a term.
var noiseNames = []string{"noise", "dW", "dw"}

// fieldDerivative matches a derivative of a field.
var fieldDerivative = regexp.MustCompile(`([A-Za-z][A-Za-z0-9]*)_[xyt]`)
