package pairs

import (
	"fmt"
	"strings"

	"rfm/solver/dataset/npy"
)

// Layout is the meaning of the arrays of a source: plain data, inferred once. A run stores it in its configuration, as
// data.input, data.output and data.axes.
type Layout struct {
	Inputs  []Array `json:"inputs"`
	Outputs []Array `json:"outputs"`
	Count   int     `json:"pairs"`  // those that are left out not counted
	Grid    []int   `json:"points"` // along the axes of the functions, both ends counted
	Skipped string  `json:"left_out,omitempty"`
}

// Array is an array of a file, or a part of one, and the meaning of its axes, with letters as Source.Axes has them.
type Array struct {
	Name  string    `json:"name"`
	Axes  string    `json:"axes"`
	Shape npy.Shape `json:"shape"`
}

// Coarser returns names of parts of the inputs and of the outputs with at most so many points along each axis.
func (f *Functions) Coarser(most int) (input, output string) {
	var inputs, outputs []string
	for _, p := range f.all {
		words := make([]string, len(p.Shape))
		for d, n := range p.Shape {
			words[d] = ":"
			isPoints := p.axes[d] == 'x' || p.axes[d] == 'y'
			if isPoints && n > most {
				step := (n + most - 1) / most
				words[d] = fmt.Sprintf("::%d", step)
			}
		}
		name := quoted(p.Name) + "[" + strings.Join(words, ", ") + "]"
		if p.output {
			outputs = append(outputs, name)
		} else {
			inputs = append(inputs, name)
		}
	}
	return strings.Join(inputs, ","), strings.Join(outputs, ",")
}

// Layout returns the meaning of the arrays of the functions.
func (f *Functions) Layout() Layout {
	l := Layout{
		Count:   f.Count,
		Grid:    []int{f.Grid},
		Skipped: f.Skipped,
	}
	if f.Domain.Dims == 2 {
		l.Grid = append(l.Grid, f.Columns)
	}
	for _, p := range f.all {
		a := Array{
			Name:  p.Name,
			Axes:  strings.ReplaceAll(p.axes, " ", "1"),
			Shape: p.Shape,
		}
		if !p.output {
			l.Inputs = append(l.Inputs, a)
		}
		if p.output || p.axis('s') >= 0 {
			l.Outputs = append(l.Outputs, a)
		}
	}
	return l
}
