// Package layers learns a function point by point from other functions around each point, with random features whose
// coefficients are numbers. A layer maps channels, functions on one grid, to the function
//
//	r(x) = sum_j c_j sin(w_j . z(x)),
//
// z(x) being values of all channels at places around x, smoother farther away, and 1. A law that holds at all points
// has as many equations as points, so few pairs teach many features. Directions w_j are random in the metric of the
// average gradient outer product of the fit before (Radhakrishnan, Beaglehole, Pandit & Belkin, 2024): they adapt to
// the law without a descent. Coefficients are a ridge regression; parts of the functions that are left
// out in turn give predictions of each function from others.
package layers

import (
	"context"
	"math"

	"rfm/model/linalg"
	"rfm/solver/grid"
)

// View defines the coordinates of z for channels on a grid.
type View struct {
	domain   grid.Domain // of one channel
	points   int
	channels int
	taps     int // of each channel
	distinct [2]int
	// across holds the maps of all taps along the second axis, transposed; down those along the first one, row-major.
	across *linalg.Panels
	down   [][]float64
	places [][]float64 // coordinates of all distinct points, for laws that depend on the place
}

// The distances of taps in 1/256 of the first axis: in both directions along a line, in eight on fields.
var distances = [...][]float64{{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96}, {8, 20, 48, 96}}

// NewView returns the view of a number of channels, with coordinates of the point itself or without.
func NewView(domain grid.Domain, points, channels int, placed bool) *View {
	v := &View{domain: domain.One(), points: points, channels: channels}
	rows, columns := v.domain.Axes(points)
	shifts := [][2]float64{{}}
	for _, d := range distances[v.domain.Dims-1] {
		for direction := 0; direction < 8; direction += [...]int{4, 1}[v.domain.Dims-1] {
			sin, cos := math.Sincos(float64(direction) * math.Pi / 4)
			shifts = append(shifts, [2]float64{d / 256 * sin, d / 256 * cos})
		}
	}
	v.taps, v.distinct = len(shifts), [2]int{v.inner(rows), v.inner(columns)}
	v.across = linalg.NewPanels(columns, v.taps*v.distinct[1])
	for t, s := range shifts {
		width := 0.0
		if t > 0 {
			width = max(math.Hypot(s[0], s[1])/4, 1.0/512)
		}
		for i, weight := range v.tap(columns, s[1], width) {
			at := t*v.distinct[1] + i/columns
			v.across.Panel(at / 4)[4*(i%columns)+at%4] = weight
		}
		if v.domain.Dims == 2 {
			v.down = append(v.down, v.tap(rows, s[0], width))
		}
	}
	for axis := 2 - v.domain.Dims; axis < 2 && placed; axis++ {
		if v.domain.Periodic {
			v.places = append(v.places, v.place(axis, math.Cos), v.place(axis, math.Sin))
		} else {
			v.places = append(v.places, v.place(axis, func(x float64) float64 { return x }))
		}
	}
	return v
}

// place returns a function of the coordinate along an axis, from 0 to 2 pi, at all distinct points.
func (v *View) place(axis int, f func(x float64) float64) []float64 {
	all := make([]float64, v.Points())
	for at := range all {
		k := [2]int{at / v.distinct[1], at % v.distinct[1]}[axis]
		all[at] = f(2 * math.Pi * float64(k) / float64(v.distinct[axis]))
	}
	return all
}

// inner returns the number of distinct points along an axis.
func (v *View) inner(points int) int {
	if v.domain.Periodic && points > 1 {
		return points - 1
	}
	return points
}

// tap returns the matrix from the values along an axis to those of the function shifted and smoothed by a Gaussian of
// some width, both in units of the first axis. Functions are continued as periodic ones, or evenly.
func (v *View) tap(points int, shift, width float64) []float64 {
	unit := float64(v.domain.Intervals(v.points))
	n, mirror := points-1, 0 // values of a period; value j >= points is value mirror - j
	switch {
	case v.domain.Cells:
		n, mirror = 2*points, 2*points-1
	case !v.domain.Periodic:
		n, mirror = 2*(points-1), 2*(points-1)
	}
	m := make([]float64, v.inner(points)*points)
	for d := range n {
		weight := 0.0 // of the value d points behind
		for k := 0; 2*k <= n; k++ {
			w, times := 2*math.Pi*float64(k)/float64(n), 2.0
			if k == 0 || 2*k == n {
				times = 1
			}
			weight += times / float64(n) * math.Cos(w*(float64(d)+shift*unit)) * math.Exp(-math.Pow(w*width*unit, 2)/2)
		}
		for x := range v.inner(points) {
			y := (x - d + n) % n
			if y >= points {
				y = mirror - y
			}
			m[x*points+y] += weight
		}
	}
	return m
}

// Points returns the number of distinct points.
func (v *View) Points() int { return v.distinct[0] * v.distinct[1] }

// Size returns the number of coordinates of z, of which the last is 1.
func (v *View) Size() int { return v.channels*v.taps + len(v.places) + 1 }

// together is the number of functions that are seen together: it fills the tiles of the product.
const together = 12

// each calls body with z of each of some functions: rows are coordinates, columns distinct points. channel returns
// channel c of function i. Errors: ctx's, and those of body.
func (v *View) each(ctx context.Context, functions []int, channel func(i, c int) []float64,
	body func(i int, z *linalg.Panels) error) error {
	rows, columns := v.domain.Axes(v.points)
	for ; len(functions) > 0; functions = functions[min(together, len(functions)):] {
		some := functions[:min(together, len(functions))]
		lines := linalg.NewPanels(columns, len(some)*v.channels*rows)
		for at := range lines.Cols() {
			f := channel(some[at/rows/v.channels], at/rows%v.channels)
			lines.SetColumn(at, f[at%rows*columns:][:columns])
		}
		seen := linalg.NewRectangle(v.taps*v.distinct[1], lines.Cols())
		if err := seen.AddProduct(ctx, v.across, lines, columns, 1); err != nil {
			return err
		}
		for i, function := range some {
			z := linalg.NewPanels(v.Size(), v.Points())
			for at := range v.Points() {
				panel, x, y := z.Panel(at / 4)[at%4:], at%v.distinct[1], at/v.distinct[1]
				for k := range v.channels * v.taps {
					line := seen.Row(k%v.taps*v.distinct[1] + x)[(i*v.channels+k/v.taps)*rows:][:rows]
					if v.down == nil {
						panel[4*k] = line[y]
						continue
					}
					for q, w := range v.down[k%v.taps][y*rows:][:rows] {
						panel[4*k] += w * line[q]
					}
				}
				for k, place := range v.places {
					panel[4*(v.channels*v.taps+k)] = place[at]
				}
				panel[4*(v.Size()-1)] = 1
			}
			if err := body(function, z); err != nil {
				return err
			}
		}
	}
	return nil
}

// value returns the index of the value of a function at a distinct point.
func (v *View) value(at int) int {
	_, columns := v.domain.Axes(v.points)
	return at/v.distinct[1]*columns + at%v.distinct[1]
}
