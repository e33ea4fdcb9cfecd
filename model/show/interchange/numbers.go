// This file reads inputs of models of equations with random numbers: functions, and a number for each of them.

package interchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/model/trained"
	"rfm/solver/base/fault"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// inputsWithNumbers reads inputs whose numbers are given, or are arrays with the names of the parameters, or are channels
// of the functions, as in the pairs of a run.
func (p Prediction) inputsWithNumbers(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions,
	grid.Batch, error) {
	if len(p.Numbers) > 0 {
		return p.inputsWithGiven(source, model, c)
	}
	var names []string
	for _, drawn := range c.Equation.Numbers() {
		names = append(names, drawn.Name)
	}
	hasArrays := !slices.ContainsFunc(names, func(name string) bool { return !source.Open.Has(name) })
	named := c
	if hasArrays && p.Array == "" {
		named.Data.Input = c.InputNames()
		p.Array = named.Data.Input
	}
	file, inputs, err := p.inputsOf(source, model, named)
	if err != nil && !hasArrays && fault.BlamesInput(err) {
		assigned := strings.Join(names, "=0.01 --set ")
		do := fmt.Sprintf("add --set %s=0.01, or arrays called %s with a number for each function", assigned, strings.Join(names, " and "))
		return nil, inputs, &fault.Data{
			Where: source.File,
			What:  fmt.Sprintf("has no values of %s, which the model takes beside functions", strings.Join(names, ", ")),
			Do:    do,
		}
	}
	return file, inputs, err
}

// inputsWithGiven reads functions, to which it adds the numbers that are given.
func (p Prediction) inputsWithGiven(source pairs.Source, model trained.Model, c config.Config) (*pairs.Functions, grid.Batch,
	error) {
	numbers, err := givenNumbers(c.Equation.Numbers(), p.Numbers)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	if !c.Equation.HasFunction() {
		return nil, grid.Batch{}, &fault.Data{
			Where: source.File,
			What:  fmt.Sprintf("cannot have functions: the inputs are %s", c.InputNames()),
			Do:    "leave out --set: the file has the numbers",
		}
	}
	file, functions, err := p.inputsOf(source, model, c)
	if err != nil {
		return nil, grid.Batch{}, err
	}
	inputs := grid.NewBatch(functions.Domain.With(1+len(numbers)), functions.Points, functions.Count)
	for i := range inputs.Count {
		copy(inputs.Of(i, 0), functions.At(i))
		for k, number := range numbers {
			values := inputs.Of(i, 1+k)
			for x := range values {
				values[x] = number
			}
		}
	}
	return file, inputs, nil
}

// givenNumbers reads a value for each random number.
func givenNumbers(drawn []config.Parameter, assignments []string) ([]float64, error) {
	given := map[string]float64{}
	var names []string
	for _, p := range drawn {
		names = append(names, p.Name)
	}
	for _, a := range assignments {
		name, text, _ := strings.Cut(a, "=")
		name = strings.TrimPrefix(strings.TrimSpace(name), "equation.parameters.")
		value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		switch {
		case !slices.Contains(names, name):
			do := "leave it out"
			if len(names) > 0 {
				do = "the inputs of the model that are numbers are " + strings.Join(names, ", ")
			}
			return nil, fault.Bad("--set "+a, do, "names no input of the model that is a number")
		case err != nil || !grid.Finite(value):
			return nil, fault.Bad("--set "+a, "write --set "+name+"=0.01", "has no number")
		}
		given[name] = value
	}
	var numbers []float64
	for _, name := range names {
		value, ok := given[name]
		if !ok {
			return nil, fault.Bad("--set", "add --set "+name+"=0.01", "gives no value to %s", name)
		}
		numbers = append(numbers, value)
	}
	return numbers, nil
}

// withNumbersOf returns inputs for the next step: states with the numbers of the first inputs, if these have any. Other
// states are returned as they are.
func withNumbersOf(inputs, states grid.Batch) grid.Batch {
	if inputs.Domain.Width() == 1 || states.Domain.Width() > 1 {
		return states
	}
	next := inputs.Like(inputs.Count)
	copy(next.Data, inputs.Data)
	for i := range next.Count {
		copy(next.Of(i, 0), states.At(i))
	}
	return next
}
