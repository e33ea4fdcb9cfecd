// This file lifts functions to the domain and the grid of the outputs: functions with several channels, on different
// grids or of fewer variables.

package dataset

import (
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// line returns the domain of functions of one variable.
func (f *Functions) line() grid.Domain {
	return grid.Domain{Dims: 1, Periodic: f.dims == 1 && !f.Closed || f.Periodic, Cells: f.Cells}
}

// field returns the domain of functions of as many variables as the outputs, on a grid.
func (f *Functions) field(rows, columns int) grid.Domain {
	d := f.line()
	if f.dims == 2 {
		d.Dims = 2
		d.Aspect = grid.AspectOf(d.Intervals(rows), d.Intervals(columns))
	}
	return d
}

// lift maps functions to the grid: parameters become constant functions, functions of one variable become constant
// along the other axis, others are interpolated.
func (f *Functions) lift(p array, b grid.Batch, where string) (grid.Batch, error) {
	if f.onGrid(p) {
		return b, nil
	}
	if p.dims == f.dims {
		b.Domain = f.field(p.points, p.columns)
		if f.dims == 2 && b.Domain != f.field(f.rows, f.width) {
			return b, fault.Bad(where, "interpolate them to one grid", "is on %s, the outputs on %d x %d points: the "+
				"sides are not in one ratio", b.Domain.Grid(p.points), f.rows, f.width)
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
func (f *Functions) Arrange(outputs grid.Batch) npy.Array {
	p := f.in[0]
	rows, columns := outputs.Domain.Axes(outputs.Points)
	whole := columns
	if !f.Endpoint {
		rows, columns = max(1, rows-1), columns-1
	}
	shape, axes, channels := p.shape, p.Axes, outputs.Domain.Width()
	if f.dims == 1 {
		rows = 1
	}
	if channels > 1 || len(f.in) > 1 || p.Channel >= 0 || !f.onGrid(p) {
		shape, axes = nil, Axes{-1, -1, -1, -1, -1}
		add := func(axis *int, length int) { *axis, shape = len(shape), append(shape, length) }
		points := func() {
			if add(&axes.X, columns); f.dims == 2 {
				shape[axes.X] = rows
				add(&axes.Y, columns)
			}
		}
		if p.Count <= 0 {
			add(&axes.Count, outputs.Count)
		}
		first := channels > 1 && p.Channel >= 0 && p.X > p.Channel
		if first {
			add(&axes.Channel, channels)
		}
		if points(); channels > 1 && !first {
			add(&axes.Channel, channels)
		}
		if p.Count > 0 {
			add(&axes.Count, outputs.Count)
		}
	}
	strides := npy.Strides(shape)
	along := func(axis int) int {
		if axis < 0 {
			return 0
		}
		return strides[axis]
	}
	array := npy.Array{Shape: shape, Data: make([]float64, npy.Count(shape))}
	first, second := along(axes.X), along(axes.Y)
	if f.dims == 1 {
		first, second = 0, first
	}
	all := outputs.Split()
	for c := range all.Count {
		for x := range rows {
			for y := range columns {
				array.Data[c/channels*along(axes.Count)+c%channels*along(axes.Channel)+x*first+y*second] = all.At(c)[x*whole+y]
			}
		}
	}
	return array
}
