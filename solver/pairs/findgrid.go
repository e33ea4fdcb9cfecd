// This file finds the grid of the functions in arrays.

package pairs

import (
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/space/grid"
)

// findGrid determines the grid: the grid of the outputs, or of the finest input if they are numbers or not there.
func (f *Functions) findGrid() error {
	hasOutputs := slices.ContainsFunc(f.all, func(p array) bool {
		return p.output && p.dims == f.Domain.Dims
	})
	for _, p := range f.all {
		channels := &f.In
		if p.output {
			channels = &f.Out
		}
		*channels += p.size('c')
		switch {
		case p.dims == 1 && p.points > mostPoints:
			return fault.Bad(
				f.File,
				"take every second or tenth point",
				"has functions on K=%d points, want at most %d", p.points, mostPoints,
			)
		case *channels > grid.MostChannels:
			return fault.Bad(f.File, "name fewer arrays", "has more than %d channels", grid.MostChannels)
		case p.dims != f.Domain.Dims || hasOutputs && !p.output:
		case hasOutputs && f.Grid > 0 && !f.onGrid(p):
			return fault.Bad(
				f.File,
				"interpolate them to one grid",
				"has outputs on different grids: %q has shape %v", p.Name, p.Shape,
			)
		case p.points*p.columns > f.Grid*f.Columns:
			f.Grid = p.points
			f.Columns = p.columns
		}
	}
	f.Out = max(f.Out, 1)
	if f.Grid == 0 && f.Target > 0 {
		f.Grid = f.Target
		f.Columns = f.Domain.Values(f.Target) / f.Target
	}
	if f.Grid == 0 && f.Domain.Dims == 1 && hasNumbersAlone(f.all) {
		f.Grid = PointsOfNumbers
		f.Columns = 1
		f.NumbersAlone = true
	}
	if f.Grid == 0 {
		return fault.Bad(f.File, "give a function of x as well", "has no function on a grid")
	}
	for i := range f.all {
		p := &f.all[i]
		f.Lifted = f.Lifted || !p.output && p.dims < f.Domain.Dims
		isElsewhere := p.dims == f.Domain.Dims && !f.onGrid(*p)
		if isElsewhere && !p.output && f.InGrid == 0 {
			f.InGrid = p.points
		}
		if !f.placed && f.isAlongY(*p) {
			p.axes = strings.Replace(p.axes, "x", "y", 1)
		}
	}
	return nil
}

// hasNumbersAlone reports whether inputs and outputs are numbers.
func hasNumbersAlone(all []array) bool {
	hasOutputs := false
	for _, p := range all {
		if p.dims > 0 {
			return false
		}
		hasOutputs = hasOutputs || p.output
	}
	return hasOutputs
}

// isAlongY reports whether the functions of one variable in an array among fields are along the second axis: behind an
// axis of length one, or else by their number of points.
func (f *Functions) isAlongY(p array) bool {
	if p.dims != 1 || f.Domain.Dims != 2 {
		return false
	}
	one := strings.IndexByte(p.axes, ' ')
	if one >= 0 {
		return one < p.axis('x')
	}
	return p.points != f.Grid || p.points == f.Columns
}

// onGrid reports whether the functions of an array are on the grid.
func (f *Functions) onGrid(p array) bool {
	hasPoints := p.points == f.Grid && p.columns == f.Columns
	return hasPoints && p.dims == f.Domain.Dims
}

// domain returns the domain of functions of dims variables on a grid.
func (f *Functions) domain(dims, points, columns int) grid.Domain {
	d := f.Domain
	d.Dims = max(1, dims)
	d.Aspect = grid.Aspect{}
	if dims == 2 {
		d.Aspect = grid.AspectOf(d.Intervals(points), d.Intervals(columns))
	}
	return d
}

// inform describes the functions.
func (f *Functions) inform() {
	first := f.all[0]
	for _, p := range f.all {
		if p.output {
			first = p
			break
		}
	}
	f.Shape = first.Shape
	f.Arrays = first.words()
	f.Bytes = float64(f.bytes(f.Count))
	f.Letters = f.axesOf()
	words := first.words()
	differ := slices.ContainsFunc(f.all, func(other array) bool { return other.words() != words })
	if f.In > 1 || f.Out > 1 || !f.plain() || differ {
		f.Arrays = f.sidesInWords(f.text)
	}
}

// sidesInWords describes the arrays of inputs and those of outputs.
func (f *Functions) sidesInWords(describe func(array) string) string {
	var inputs, outputs []string
	for _, p := range f.all {
		if p.output {
			outputs = append(outputs, describe(p))
		} else {
			inputs = append(inputs, describe(p))
		}
	}
	text := "inputs " + strings.Join(inputs, " and ")
	if outputs != nil {
		text += ", outputs " + strings.Join(outputs, " and ")
	}
	return text
}

// Repeats reports, by a few values, whether nearly all lines along both axes of fields repeat their first as the last.
func (f *Functions) Repeats() (bool, error) {
	for _, p := range f.all {
		if f.Domain.Dims == 1 || f.Count == 0 || !f.onGrid(p) {
			return false, nil
		}
		s, err := f.sample(p)
		if err != nil {
			return false, err
		}
		isClosed := s.closed(p.axis('x')) && s.closed(p.axis('y'))
		if !isClosed {
			return false, nil
		}
	}
	return true, nil
}
