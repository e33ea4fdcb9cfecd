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
	var sides [2][]string
	for _, p := range f.all {
		words := make([]string, len(p.Shape))
		for d, n := range p.Shape {
			words[d] = ":"
			if letter := p.axes[d]; (letter == 'x' || letter == 'y') && n > most {
				words[d] = fmt.Sprintf("::%d", (n+most-1)/most)
			}
		}
		name := quoted(p.Name) + "[" + strings.Join(words, ", ") + "]"
		if p.output {
			sides[1] = append(sides[1], name)
		} else {
			sides[0] = append(sides[0], name)
		}
	}
	return strings.Join(sides[0], ","), strings.Join(sides[1], ",")
}

// Layout returns the meaning of the arrays of the functions.
func (f *Functions) Layout() Layout {
	l := Layout{Count: f.Count, Grid: []int{f.Grid}, Skipped: f.Skipped}
	if f.Domain.Dims == 2 {
		l.Grid = append(l.Grid, f.Columns)
	}
	for _, p := range f.all {
		a := Array{Name: p.Name, Axes: strings.ReplaceAll(p.axes, " ", "1"), Shape: p.Shape}
		if !p.output {
			l.Inputs = append(l.Inputs, a)
		}
		if p.output || p.axis('s') >= 0 {
			l.Outputs = append(l.Outputs, a)
		}
	}
	return l
}
