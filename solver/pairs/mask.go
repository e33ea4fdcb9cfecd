// This file finds the points outside of the domain of functions, where all of them have no value.

package pairs

import (
	"fmt"

	"rfm/solver/dataset/npy"
	"rfm/solver/space/grid"
)

// masking is the number of functions whose values that are not finite in all of them make the mask.
const masking = 8

// cells returns the number of values of one pair in an array.
func (p array) cells() int {
	count, _ := p.pointsOf()
	ofGrid := p.size('x') * p.size('y')
	return p.channels() * ofGrid * max(1, count)
}

// cellAxes returns the axes of an array whose values belong at the sum of the place of their function and of their
// cell: channels or sides, then points in rows.
func (p array) cellAxes(function npy.Axis) []npy.Axis {
	if count, _ := p.pointsOf(); count > 0 {
		return p.placeAxes(function, npy.Along(count)[0])
	}
	points := p.size('x') * p.size('y')
	strides := npy.Along(points, p.size('y'), 1)
	return p.along(map[rune]npy.Axis{
		'n': function,
		'c': strides[0],
		's': strides[0],
		'x': strides[1],
		'y': strides[2],
	})
}

// mask returns for each cell of an array whether the first functions have no finite value there, all of them.
func (f *Functions) mask(p array) ([]bool, error) {
	cells := p.cells()
	count := min(masking, p.size('n'))
	values := make([]float64, count*cells)
	axes := p.cellAxes(npy.Along(cells)[0].Of(0, 1, count))
	if err := p.Read(values, axes, len(values)); err != nil {
		return nil, err
	}
	mask := make([]bool, cells)
	for cell := range mask {
		mask[cell] = true
		for i := range count {
			if isFinite(values[i*cells+cell]) {
				mask[cell] = false
			}
		}
	}
	return mask, nil
}

// clearMasked sets the values of functions that are not finite to 0 at the points of a mask with so many columns, of
// which the functions have every step-th.
func clearMasked(b grid.Batch, mask []bool, columns, step int) {
	if b.Domain.Dims == 1 { // their points are those of one line
		columns = len(mask)
	}
	rows := len(mask) / columns
	_, width := b.Domain.Axes(b.Points)
	for i := range b.Count {
		values := b.At(i)
		for k, v := range values {
			x := k / width * step
			y := k % width * step
			if x >= rows || y >= columns || !mask[x*columns+y] {
				continue
			}
			if !isFinite(v) {
				values[k] = 0
			}
		}
	}
}

// Masked describes the points that the mask leaves out; empty if there are none. The error is that of reading.
func (f *Functions) Masked() (string, error) {
	text := ""
	for _, p := range f.all {
		mask, err := f.mask(p)
		if err != nil {
			return "", err
		}
		outside := 0
		for _, out := range mask {
			if out {
				outside++
			}
		}
		if outside > 0 && outside < len(mask) {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("%d of %d in %s", outside, len(mask), p.Name)
		}
	}
	if text == "" {
		return "", nil
	}
	return "points without a finite value in all pairs lie outside of the domain and are read as 0 (data.mask): " + text, nil
}
