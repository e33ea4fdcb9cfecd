// This file lifts functions to the domain and the grid of the outputs: functions with several channels, on different
// grids or of fewer variables.

package dataset

import (
	"cmp"
	"fmt"
	"strings"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// stacked reads the functions in rows of some arrays and lifts and stacks them as channels of one batch.
func (f *found) stacked(parts []array, label string, rows []int) (grid.Batch, error) {
	var all []grid.Batch
	for _, p := range parts {
		channels, err := f.read(p, rows)
		if err != nil {
			return grid.Batch{}, err
		}
		for c, b := range channels {
			what := cmp.Or(p.name, label)
			if len(channels) > 1 {
				what += fmt.Sprintf(", channel %d", c+1)
			}
			where := f.source.File + ", " + what
			if err := b.CheckFinite(where, f.numbers(rows)); err != nil {
				return grid.Batch{}, f.repairable(err)
			}
			if p.dims == 1 && f.line().Periodic {
				if err := checkEnds(f.source, []grid.Batch{b}, []string{what}, f.numbers(rows)); err != nil {
					return grid.Batch{}, err
				}
			}
			lifted, err := f.lift(p, b, where)
			if err != nil {
				return grid.Batch{}, err
			}
			lifted.Domain = f.domain(f.dims, f.rows, f.width)
			all = append(all, lifted)
		}
	}
	return grid.Stack(all...), nil
}

// line returns the domain of functions of one variable.
func (f *found) line() grid.Domain {
	return grid.Domain{Dims: 1, Periodic: f.dims == 1 && !f.source.Closed || f.source.Periodic, Cells: f.source.Cells}
}

// field returns the domain of functions of as many variables as the outputs, on a grid.
func (f *found) field(rows, columns int) grid.Domain {
	d := f.line()
	if f.dims == 2 {
		d.Dims = 2
		d.Aspect = grid.AspectOf(d.Intervals(rows), d.Intervals(columns))
	}
	return d
}

// lift maps functions to the grid: parameters become constant functions, functions of one variable become constant
// along the other axis, others are interpolated.
func (f *found) lift(p array, b grid.Batch, where string) (grid.Batch, error) {
	if p.dims == f.dims {
		b.Domain = f.field(p.points, p.columns)
		if f.dims == 2 && b.Domain != f.field(f.rows, f.width) {
			return b, &fault.Data{Where: where,
				What: fmt.Sprintf("is on %s, the outputs on %d x %d points: the sides are not in "+
					"one ratio", b.Domain.Grid(p.points), f.rows, f.width), Do: "interpolate them to one grid"}
		}
		return resample.To(b, f.points())
	}
	lifted := grid.NewBatch(f.domain(f.dims, f.rows, f.width), f.points(), b.Count)
	if p.dims > 0 {
		b.Domain = f.line()
		target := f.width
		if p.along == 'x' {
			target = f.rows
		}
		var err error
		if b, err = resample.To(b, target); err != nil {
			return b, err
		}
	}
	for i := range b.Count {
		from, to := b.At(i), lifted.At(i)
		for v := range to {
			switch {
			case p.dims == 0:
				to[v] = from[0]
			case p.along == 'x':
				to[v] = from[v/f.width]
			default:
				to[v] = from[v%f.width]
			}
		}
	}
	return lifted, nil
}

// Arrange returns an array of outputs with the axes of the inputs in the file, without sides. It omits a right end that
// the file omits. Several channels of outputs have an axis: the last one, unless the channels of the inputs come before
// the points.
func (i Info) Arrange(outputs grid.Batch) npy.Array {
	f, p := i.found, i.found.in[0]
	rows, columns := outputs.Domain.Axes(outputs.Points)
	whole := columns
	if !f.source.Endpoint {
		rows, columns = max(1, rows-1), columns-1
	}
	lengths := map[byte]int{'n': outputs.Count, 'c': outputs.Domain.Width(), 'x': rows, 'y': columns}
	if f.dims == 1 {
		rows, lengths['x'] = 1, columns
	}
	shape, axes := p.shape, p.Axes
	if f.lifted {
		order := "xy"[:f.dims]
		switch several := outputs.Domain.Width() > 1; {
		case several && p.Channel >= 0 && p.X > p.Channel:
			order = "c" + order
		case several:
			order += "c"
		}
		if order = "n" + order; p.Count > 0 {
			order = strings.TrimPrefix(order, "n") + "n"
		}
		shape, axes = nil, Axes{-1, -1, -1, -1, -1}
		for d := range order {
			*axes.axis(order[d]) = d
			shape = append(shape, lengths[order[d]])
		}
	}
	strides, size := npy.Strides(shape), 1
	along := func(axis int) int {
		if axis < 0 {
			return 0
		}
		return strides[axis]
	}
	for _, n := range shape {
		size *= n
	}
	array := npy.Array{Shape: shape, Data: make([]float64, size)}
	first, second := along(axes.X), along(axes.Y)
	if f.dims == 1 {
		first, second = 0, first
	}
	channels, width := outputs.Split(), outputs.Domain.Width()
	for c := range channels.Count {
		for x := range rows {
			for y := range columns {
				array.Data[c/width*along(axes.Count)+c%width*along(axes.Channel)+x*first+y*second] = channels.At(c)[x*whole+y]
			}
		}
	}
	return array
}
