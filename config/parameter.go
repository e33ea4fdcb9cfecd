// This file reads the values of parameters of equations: expressions, numbers within a range, and random numbers.

package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Parameter is the value of a parameter of an equation. One of
//
//	0.01                         a number, or an expression in x
//	0.01 in [0.001, 0.1]         a number that stays within a range
//	random                       a random function: the input a
//	random in [0.005, 0.05]      a random number, another one for each pair: an input of the model
//	log random in [0.005, 0.05]  the same, with a logarithm that is uniform
type Parameter struct {
	Name        string
	Expression  string // the number or the expression; random for what is drawn
	Low, High   float64
	Ranged      bool // whether there is a range from Low to High
	Logarithmic bool // whether the logarithm of a random number is uniform, not the number
}

// random is the value of a parameter that is drawn, logRandom that of one whose logarithm is uniform.
const (
	random    = "random"
	logRandom = "log random"
)

// inRange matches a value with a range.
var inRange = regexp.MustCompile(`^\s*(.*?)\s*\bin\s*\[([^\[\],]*),([^\[\],]*)\]\s*$`)

// mayBeRange matches what looks like a range, so that slips are not read as expressions.
var mayBeRange = regexp.MustCompile(`\bin\b|[\[\]]`)

// readParameter reads the value of a parameter. wrong says what is wrong with it and at, the byte where; it is empty if
// nothing is.
func readParameter(name, text string) (p Parameter, wrong string, at int) {
	p = Parameter{Name: name, Expression: strings.TrimSpace(text)}
	slip := mayBeRange.FindStringIndex(text)
	if slip == nil {
		if p.Expression == logRandom {
			return p, fmt.Sprintf("has no range; write %s in [0.005, 0.05]", logRandom), 0
		}
		return p, "", 0
	}
	found := inRange.FindStringSubmatchIndex(text)
	if found == nil {
		return p, "is not a range; write 0.01 in [0.001, 0.1], or random in [0.001, 0.1]", slip[0]
	}
	atExpression := found[2] // bytes of the text at which the groups of the pattern begin
	atLow := found[4]
	atHigh := found[6]
	expression := strings.TrimSpace(text[atExpression:found[3]])
	low := strings.TrimSpace(text[atLow:found[5]])
	high := strings.TrimSpace(text[atHigh:found[7]])
	var isLow, isHigh bool
	p.Expression = expression
	p.Ranged = true
	p.Low, isLow = parseReal(low)
	p.High, isHigh = parseReal(high)
	ascends := p.Low < p.High // NaN does not
	switch {
	case !isLow:
		return p, fmt.Sprintf("has a range from %q, which is not a number", low), atLow
	case !isHigh:
		return p, fmt.Sprintf("has a range to %q, which is not a number", high), atHigh
	case !ascends:
		return p, fmt.Sprintf("has an empty range; write the smaller number first: [%s, %s]", high, low), atLow
	}
	switch expression {
	case random:
		return p, "", 0
	case logRandom:
		p.Expression = random
		p.Logarithmic = true
		if p.Low <= 0 {
			return p, "has no logarithm at the lower end of its range; write a positive one, or random without log", atLow
		}
		return p, "", 0
	}
	value, isNumber := parseReal(expression)
	switch {
	case !isNumber:
		return p, "has a range but is not a number; write a number before it, or random", atExpression
	case value < p.Low || value > p.High:
		wider := fmt.Sprintf("%s in [%s, %s]", expression, formatNumber(min(value, p.Low)), formatNumber(max(value, p.High)))
		wrong := fmt.Sprintf("is outside its range; write a number from %s to %s, or a wider range: %s", low, high, wider)
		return p, wrong, atExpression
	}
	return p, "", 0
}

// Drawn reports whether the parameter is a random number.
func (p Parameter) Drawn() bool { return p.Ranged && p.Expression == random }

// Spans reports whether a positive range is so wide that steps within it are logarithmic.
func (p Parameter) Spans() bool {
	const decade = 10 * (1 - 1e-9) // with rounding errors
	return p.Low > 0 && p.High > decade*p.Low
}

// At returns the number at a share of the range, from 0 to 1: the quantile of a random one.
func (p Parameter) At(share float64) float64 {
	if p.Logarithmic {
		low := math.Log(p.Low)
		high := math.Log(p.High)
		return math.Exp((1-share)*low + share*high)
	}
	return (1-share)*p.Low + share*p.High
}

// Law describes how a random number is distributed.
func (p Parameter) Law() string {
	law := "uniform"
	if p.Logarithmic {
		law = "log-uniform"
	}
	return fmt.Sprintf("%s is %s between %s and %s", p.Name, law, formatNumber(p.Low), formatNumber(p.High))
}

// within returns the text of a value with the range of the parameter, if that has one and the value is a number.
func (p Parameter) within(text string) string {
	value := strings.TrimSpace(text)
	_, isNumber := parseReal(value)
	hasRange := p.Ranged && !p.Drawn() && p.Low < p.High
	if !isNumber || !hasRange {
		return text
	}
	return fmt.Sprintf("%s in [%s, %s]", value, formatNumber(p.Low), formatNumber(p.High))
}

// parameter returns a parameter with its value, which may be wrong or missing.
func (e Equation) parameter(name string) Parameter {
	p, _, _ := readParameter(name, e.Values()[name])
	return p
}

// expressions returns the values of parameters by name, without ranges.
func expressions(values map[string]string) map[string]string {
	plain := map[string]string{}
	for name, text := range values {
		p, _, _ := readParameter(name, text)
		plain[name] = p.Expression
	}
	return plain
}

// Numbers returns the parameters that are random numbers, in the order of their names.
func (e Equation) Numbers() []Parameter {
	if !strings.Contains(e.Parameters, random) { // as almost always, and this is asked often
		return nil
	}
	var drawn []Parameter
	for name := range e.Values() {
		if p := e.parameter(name); p.Drawn() {
			drawn = append(drawn, p)
		}
	}
	slices.SortFunc(drawn, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
	return drawn
}

// With returns the equation with numbers in place of random ones, in the order of Numbers, and without ranges.
func (e Equation) With(numbers []float64) Equation {
	values := expressions(e.Values())
	for i, p := range e.Numbers() {
		values[p.Name] = strconv.FormatFloat(numbers[i], 'g', -1, 64)
	}
	e.keep(values)
	return e
}

// Middle returns the equation with each random number in the middle of its range, and without ranges.
func (e Equation) Middle() Equation {
	if !mayBeRange.MatchString(e.Parameters) {
		return e
	}
	return e.Share(0.5)
}

// Share returns the equation with each random number at the same share of its range.
func (e Equation) Share(share float64) Equation {
	var numbers []float64
	for _, p := range e.Numbers() {
		numbers = append(numbers, p.At(share))
	}
	return e.With(numbers)
}

// HasFunction reports whether a random function is an input: it is unless there are random numbers and nothing names a.
func (e Equation) HasFunction() bool {
	if len(e.Numbers()) == 0 {
		return true
	}
	for name := range e.Values() {
		p := e.parameter(name)
		if p.Expression == random && !p.Drawn() {
			return true
		}
	}
	texts := []string{e.Initial}
	if e.Steady() {
		texts = []string{e.Text, e.Initial, e.Left, e.Right, e.Bottom, e.Top}
	} else if len(Lines(e.Initial)) == 0 {
		return true // it is the initial value
	}
	isInput := func(text string) bool { return slices.Contains(words.FindAllString(text, -1), steadyInput) }
	return slices.ContainsFunc(texts, isInput)
}

// InputNames returns the names of the channels of inputs in files: that of the function, and those of random numbers.
func (c Config) InputNames() string {
	numbers := c.Equation.Numbers()
	if len(numbers) == 0 {
		return c.Data.Input
	}
	var names []string
	if c.Equation.HasFunction() {
		names = append(names, c.Data.Input)
	}
	for _, p := range numbers {
		names = append(names, p.Name)
	}
	return strings.Join(names, ",")
}

// GivenNumbers returns the flags of a prediction that give each random number one in the middle of its range, because
// functions alone are no inputs of the model; it is empty if there are none, or nothing else.
func (c Config) GivenNumbers() string {
	if !c.Equation.HasFunction() {
		return ""
	}
	flags := ""
	for _, p := range c.Equation.Numbers() {
		const middle = 0.5
		flags += fmt.Sprintf(" --set %s=%.2g", p.Name, p.At(middle))
	}
	return flags
}

// checkNumbers reports settings that inputs with random numbers do not have.
func (c *checker) checkNumbers() {
	numbers := c.Equation.Numbers()
	if len(numbers) > 0 && c.Equation.Steps > 1 {
		name := numbers[0].Name
		c.add("equation.steps", "is for inputs that are states alone, and "+name+" is an input, too",
			"set it to 1, or give "+name+" a number")
	}
}

// withRanges moves lines of the text that give a name a range, or a random number, to the parameters.
func (e Equation) withRanges() Equation {
	if !mayBeRange.MatchString(e.Text) {
		return e
	}
	var lines []string
	for _, line := range Lines(e.Text) {
		name, value, _ := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		isWord := words.FindString(name) == name
		if isWord && inRange.MatchString(value) {
			e.Parameters += "; " + name + " = " + strings.TrimSpace(value)
			continue
		}
		lines = append(lines, line)
	}
	e.Text = strings.Join(lines, "; ")
	return e
}

// step returns the next number within the range of the parameter.
func (p Parameter) step(direction int) (text string, ok bool) {
	const steps = 20 // over a range that is not logarithmic
	value, isNumber := parseReal(p.Expression)
	if !isNumber {
		return "", false
	}
	next := 0.0
	if p.Spans() {
		next = tenth(value, direction)
	} else {
		one := (p.High - p.Low) / steps
		at := (value - p.Low) / one
		const rounding = 1e-9
		if direction > 0 {
			at = math.Floor(at+rounding) + 1
		} else {
			at = math.Ceil(at-rounding) - 1
		}
		next = p.Low + at*one
	}
	next = min(max(next, p.Low), p.High)
	short, _ := strconv.ParseFloat(strconv.FormatFloat(next, 'g', 12, 64), 64) // without the rounding errors of a sum
	short = min(max(short, p.Low), p.High)
	return p.within(formatNumber(short)), short != value
}
