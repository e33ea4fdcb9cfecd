// This file finds the axis of a square along which a function of one variable lies.

package pairs

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
)

// along tells for a function of one variable among fields on a square, as many points along both axes, whether it lies
// along the first (x) or the second axis (y): the one along which it is correlated more with the edges and the means of
// the fields. sure is false if the values are not.
func (f *Functions) along(p array) (letter byte, sure bool, err error) {
	const few, clear = 64, 0.05
	rows := dataset.First(min(few, f.Count))
	edge, err := f.functions(p, rows, 1)
	if err != nil {
		return 'y', false, err
	}
	best := [2]float64{} // squared correlations with the first and the second axis
	for _, q := range f.all {
		if q.dims != 2 || q.points != p.points || q.columns != p.points {
			continue
		}
		fields, err := f.functions(q, rows, 1)
		if err != nil {
			return 'y', false, err
		}
		for _, g := range edge {
			for _, field := range fields {
				for axis := range best {
					for _, line := range summaries(field.Data, len(rows), p.points, axis) {
						best[axis] = max(best[axis], correlation(g.Data, line, p.points))
					}
				}
			}
		}
	}
	if best[0] > best[1] {
		return 'x', best[0] > best[1]+clear, nil
	}
	return 'y', best[1] > best[0]+clear, nil
}

// summaries returns functions along an axis of count fields on r x r points: the first and the last line of points
// beside it, the means over the other axis, and those of squares; count x r numbers each.
func summaries(fields []float64, count, r, axis int) [][]float64 {
	var first, last, mean, square []float64
	for i := range count {
		field := fields[i*r*r : (i+1)*r*r]
		for j := range r {
			at := func(k int) float64 {
				if axis == 0 {
					return field[j*r+k]
				}
				return field[k*r+j]
			}
			sum := 0.0
			squares := 0.0
			for k := range r {
				v := at(k)
				sum += v / float64(r)
				squares += v * v / float64(r)
			}
			first = append(first, at(0))
			last = append(last, at(r-1))
			mean = append(mean, sum)
			square = append(square, squares)
		}
	}
	return [][]float64{first, last, mean, square}
}

// correlation returns the squared correlation of two sets of functions on r points, each point's mean taken off; 0 where
// one of them does not vary.
func correlation(a, b []float64, r int) float64 {
	a = centred(a, r)
	b = centred(b, r)
	ab := 0.0
	aa := 0.0
	bb := 0.0
	for i, v := range a {
		ab += v * b[i]
		aa += v * v
		bb += b[i] * b[i]
	}
	c := ab * ab / (aa * bb)
	if math.IsNaN(c) {
		return 0
	}
	return c
}

// centred returns functions on r points without the mean at each point.
func centred(all []float64, r int) []float64 {
	all = slices.Clone(all)
	count := len(all) / r
	for x := range r {
		mean := 0.0
		for i := range count {
			mean += all[i*r+x] / float64(count)
		}
		for i := range count {
			all[i*r+x] -= mean
		}
	}
	return all
}

// mostSmooth is the largest roughness of functions of x that tell an axis of channels beside theirs.
const mostSmooth = 0.1

// tooManyChannels returns the error of fields that are smooth along the axis of the functions of one variable on the
// other side alone: their other axis counts more channels than are read.
func (f *Functions) tooManyChannels() error {
	for _, p := range f.all {
		if p.dims != 2 || f.Alone {
			continue
		}
		for _, other := range f.all {
			if other.output == p.output || other.dims != 1 {
				continue
			}
			x := p.axis('x')
			y := p.axis('y')
			if other.axis('y') >= 0 {
				x, y = y, x
			}
			s, err := f.sample(p)
			if err != nil {
				return err
			}
			if p.Shape[x] == p.Shape[y] {
				continue
			}
			isSmooth := s.roughness(x) < mostSmooth
			isRough := s.roughness(y) > roughValues
			if !isSmooth || !isRough {
				continue
			}
			setting := f.settings().input
			if p.output {
				setting = f.settings().output
			}
			first := fmt.Sprintf(":%d", mostParameters)
			part := quoted(p.Name) + Entry(len(p.Shape), y, first)
			return fault.Bad(
				npy.Place(f.File, p.Name),
				fmt.Sprintf("name at most %d, for example the first: --set %s=%s",
					mostParameters, setting, printable.Quote(part)),
				"has shape %v, which is %d functions for each pair: axis %d is not smooth as that of a field is, and at most %d "+
					"channels are read",
				p.Shape, p.Shape[y], y, mostParameters,
			)
		}
	}
	return nil
}

// place gives functions of one variable among fields on a square the axis along which they lie, by the values. The first
// of them lies along y: where that is the first axis of the fields, x is their second one, so that fields and their
// mirror images are the same to every method. The error is that of reading.
func (f *Functions) place() error {
	isSquare := f.Domain.Dims == 2 && f.Grid == f.Columns
	if !isSquare || f.placed || f.Count == 0 {
		return nil
	}
	first := true
	for i := range f.all {
		p := &f.all[i]
		at := p.axis('y')
		if p.dims != 1 || at < 0 || p.points != f.Grid {
			continue
		}
		letter, sure, err := f.along(*p)
		if err != nil {
			return err
		}
		if letter == 'x' && first {
			f.mirror()
			letter = 'y'
		}
		first = false
		axes := []byte(p.axes)
		axes[at] = letter
		p.axes = string(axes)
		reason := "by its correlation with edges and means of the fields"
		if !sure {
			reason = "a guess, since values do not tell"
		}
		f.Placed = append(f.Placed, fmt.Sprintf("%s lies along the %s axis of the square, %s (data.axes)",
			p.Name, f.side(letter), reason))
	}
	return nil
}

// mirror exchanges x and y in all fields.
func (f *Functions) mirror() {
	for i := range f.all {
		if p := &f.all[i]; p.dims == 2 {
			p.axes = strings.NewReplacer("x", "y", "y", "x").Replace(p.axes)
		}
	}
}

// side names the axis of fields in the file that has a letter: first or second.
func (f *Functions) side(letter byte) string {
	first := byte('x')
	for _, p := range f.all {
		if p.dims != 2 {
			continue
		}
		if p.axis('y') < p.axis('x') {
			first = 'y'
		}
		break
	}
	if letter == first {
		return "first"
	}
	return "second"
}
