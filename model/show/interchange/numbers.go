// This file reads inputs of models of equations with random numbers: functions, and a number for each of them.

package interchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rfm/config"
	"rfm/solver/base/fault"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
)

// readWithNumbers reads inputs whose numbers are given, or are arrays with the names of the parameters, or are channels
// of the functions, as in the pairs of a run.
func (r inputReader) readWithNumbers(source pairs.Source) (locatedInputs, error) {
	if len(r.Numbers) > 0 {
		return r.readWithGiven(source)
	}
	names := namesOf(r.trained.Equation.Numbers())
	isMissing := func(name string) bool { return !source.Open.Has(name) }
	hasArrays := !slices.ContainsFunc(names, isMissing)
	if hasArrays && r.Array == "" {
		all := r.trained.InputNames()
		r.trained.Data.Input = all
		r.Array = all
	}
	located, err := r.readOnGrid(source)
	if err == nil || hasArrays || !fault.BlamesInput(err) {
		return located, err
	}
	assigned := strings.Join(names, "=0.01 --set ")
	arrays := strings.Join(names, " and ")
	return located, &fault.Data{
		Where: source.File,
		What:  fmt.Sprintf("has no values of %s, which the model takes beside functions", strings.Join(names, ", ")),
		Do:    fmt.Sprintf("add --set %s=0.01, or arrays called %s with a number for each function", assigned, arrays),
	}
}

// readWithGiven reads functions, to which it adds the numbers that are given.
func (r inputReader) readWithGiven(source pairs.Source) (locatedInputs, error) {
	law := r.trained.Equation
	numbers, err := givenNumbers(law.Numbers(), r.Numbers)
	if err != nil {
		return locatedInputs{}, err
	}
	if !law.HasFunction() {
		return locatedInputs{}, &fault.Data{
			Where: source.File,
			What:  "cannot have functions: the inputs are " + r.trained.InputNames(),
			Do:    "leave out --set: the file has the numbers",
		}
	}
	functions, err := r.readOnGrid(source)
	if err != nil {
		return locatedInputs{}, err
	}
	channels := functions.Domain.With(1 + len(numbers))
	inputs := grid.NewBatch(channels, functions.Points, functions.Count)
	for i := range inputs.Count {
		copy(inputs.Of(i, 0), functions.At(i))
		for k, number := range numbers {
			constant := inputs.Of(i, 1+k)
			for x := range constant {
				constant[x] = number
			}
		}
	}
	return locatedInputs{Batch: inputs, file: functions.file, notes: functions.notes}, nil
}

// namesOf returns the names of parameters.
func namesOf(parameters []config.Parameter) []string {
	var names []string
	for _, p := range parameters {
		names = append(names, p.Name)
	}
	return names
}

// givenNumbers reads a value for each random number, in their order, from assignments such as nu=0.01.
func givenNumbers(drawn []config.Parameter, assignments []string) ([]float64, error) {
	names := namesOf(drawn)
	given := map[string]float64{}
	for _, assignment := range assignments {
		name, text, _ := strings.Cut(assignment, "=")
		name = strings.TrimSpace(name)
		name = strings.TrimPrefix(name, "equation.parameters.")
		if !slices.Contains(names, name) {
			do := "leave it out"
			if len(names) > 0 {
				do = "the inputs of the model that are numbers are " + strings.Join(names, ", ")
			}
			return nil, fault.Bad("--set "+assignment, do, "names no input of the model that is a number")
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !grid.Finite(value) {
			return nil, fault.Bad("--set "+assignment, "write --set "+name+"=0.01", "has no number")
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
