// This file has what a layer sees around points of any geometry.

package local

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/space/grid"
	"rfm/solver/space/points"
)

// mostAround bounds the points at which layers are learned, so that a comparison of methods takes minutes.
const mostAround = 1 << 12

// seesAround reports whether a layer can see around points: inputs and outputs are at the same points, whose places are
// known and differ.
func seesAround(c points.Cloud) bool {
	if c.Why() != "" || c.Count() > mostAround {
		return false
	}
	const far = 1e12 // sides from the origin, where places would be rounding errors
	places := c.Outputs()
	side := places.Side()
	return side > 0 && !math.IsInf(side, 1) && floats.Norm(places.At, math.Inf(1)) < far*side
}

// atPoints completes the view of functions at points of any geometry.
func (v *View) atPoints(s sight) *View {
	p := v.domain.Cloud.Outputs()
	offsets := offsetsOf(p.Axes, s)
	for _, o := range offsets {
		v.widths = append(v.widths, o.Width)
	}
	v.nearby = points.NewNearby(p, offsets)
	if s.placed {
		side := p.Side()
		for axis := range p.Axes {
			values := make([]float64, p.Count())
			for point := range values {
				values[point] = 2 * math.Pi * p.Place(point)[axis] / side
			}
			v.common = append(v.common, values)
		}
	}
	v.common = append(v.common, slices.Repeat([]float64{1}, p.Count()))
	return v
}

// tapsIn returns the number of taps of a domain.
func tapsIn(domain grid.Domain, s sight) int {
	if domain.Scattered() {
		return len(offsetsOf(domain.Cloud.Outputs().Axes, s))
	}
	return len(tapsOf(domain, s))
}

// inSpace are distances of taps in space, in the unit of distances.
var inSpace = []float64{12, 40}

// offsetsOf returns the taps at points with so many coordinates: the point itself, places around it, and perhaps the mean.
func offsetsOf(axes int, s sight) []points.Offset {
	all := []points.Offset{{}}
	if s.alone {
		return all
	}
	away := inSpace
	if axes < points.MostAxes {
		away = distances[max(0, axes-1)]
	}
	for _, d := range away {
		for _, direction := range directionsOf(axes) {
			o := points.Offset{Width: d / 4 / 256}
			for axis, v := range direction {
				o.To[axis] = d / 256 * v
			}
			all = append(all, o)
		}
	}
	if s.means {
		all = append(all, points.Offset{Width: math.Inf(1)})
	}
	return all
}

// directionsOf returns directions of length one: both of a line, eight in the plane, in space those to the faces and to the
// corners of a cube.
func directionsOf(axes int) (all [][points.MostAxes]float64) {
	steps := []float64{-1, 0, 1}
	for _, x := range steps {
		for _, y := range steps {
			for _, z := range steps {
				d := [points.MostAxes]float64{x, y, z}
				other := slices.ContainsFunc(d[axes:], func(v float64) bool { return v != 0 })
				length := math.Sqrt(x*x + y*y + z*z)
				isEdge := axes == points.MostAxes && math.Abs(length-math.Sqrt2) < 0.1
				if other || length == 0 || isEdge {
					continue
				}
				for axis := range d {
					d[axis] /= length
				}
				all = append(all, d)
			}
		}
	}
	return all
}
