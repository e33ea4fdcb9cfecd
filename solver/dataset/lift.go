// This file lifts functions to the domain and the grid of the outputs: functions with several channels, on different
// grids or of fewer variables.

package dataset

import (
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// lift maps functions to the grid: parameters become constant functions, functions of one variable become constant
// along the other axis, others are interpolated.
func (f *Functions) lift(p array, b grid.Batch, where string) (grid.Batch, error) {
	if f.onGrid(p) {
		return b, nil
	}
	domain := f.domain(f.dims, f.rows, f.width)
	if p.dims == f.dims {
		if b.Domain != domain {
			return b, fault.Bad(where, "interpolate them to one grid", "is on %s, the outputs on %d x %d points: the "+
				"sides are not in one ratio", b.Domain.Grid(p.points), f.rows, f.width)
		}
		return resample.To(b, f.points())
	}
	lifted := grid.NewBatch(domain, f.points(), b.Count)
	if p.dims > 0 {
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
	p, channels := f.in[0], outputs.Domain.Width()
	rows, columns := outputs.Domain.Axes(outputs.Points)
	whole := columns
	if !f.Endpoint {
		rows, columns = max(1, rows-1), columns-1
	}
	// The letters of the axes are n, functions; c, channels; x and y, points. Functions of one variable have y alone.
	points := "xy"[2-f.dims:]
	shape, letters := p.shape, map[int]byte{p.Count: 'n', p.Y: 'y', p.X: points[0]}
	if channels > 1 || len(f.in) > 1 || p.Channel >= 0 || !f.onGrid(p) {
		order := points
		switch {
		case channels > 1 && p.Channel >= 0 && p.X > p.Channel:
			order = "c" + points
		case channels > 1:
			order = points + "c"
		}
		if p.Count > 0 {
			order += "n"
		} else {
			order = "n" + order
		}
		shape = nil
		for d, letter := range []byte(order) {
			letters[d] = letter
			shape = append(shape, map[byte]int{'n': outputs.Count, 'c': channels, 'x': rows, 'y': columns}[letter])
		}
	}
	array, stride := npy.Array{Shape: shape, Data: make([]float64, npy.Count(shape))}, map[byte]int{}
	for d, s := range npy.Strides(shape) {
		stride[letters[d]] = s
	}
	n, c, x, y, all := stride['n'], stride['c'], stride['x'], stride['y'], outputs.Split()
	for k := range all.Count {
		for i := range rows {
			for j := range columns {
				array.Data[k/channels*n+k%channels*c+i*x+j*y] = all.At(k)[i*whole+j]
			}
		}
	}
	return array
}
