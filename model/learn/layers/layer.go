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
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/solver/base/parallel"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
)

// View defines the coordinates of z for channels on a grid.
type View struct {
	domain   grid.Domain // of one channel
	points   int
	distinct [2]int // points along both axes
	channels int
	taps     []modes.Map // from a channel to values at all distinct points
	common   [][]float64 // the other coordinates at all distinct points: perhaps the point itself, and 1
}

// The distances of taps in 1/256 of the first axis: in both directions along a line, in eight on fields.
var distances = [...][]float64{{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96}, {8, 20, 48, 96}}

// NewView returns the view of a number of channels, with coordinates of the point itself or without.
func NewView(domain grid.Domain, points, channels int, placed bool) *View {
	rows, columns := domain.Axes(points)
	if domain.Periodic { // the last values repeat others
		rows, columns = max(1, rows-1), columns-1
	}
	v := &View{domain: domain.One(), points: points, distinct: [2]int{rows, columns}, channels: channels}
	v.tap(0, 0)
	for _, d := range distances[domain.Dims-1] {
		for direction := 0; direction < 8; direction += [...]int{4, 1}[domain.Dims-1] {
			v.tap(d/256, float64(direction)*math.Pi/4)
		}
	}
	coordinate := []func(x float64) float64{func(x float64) float64 { return x }}
	if domain.Periodic {
		coordinate = []func(x float64) float64{math.Cos, math.Sin}
	}
	for axis := 2 - domain.Dims; axis < 2 && placed; axis++ {
		for _, f := range coordinate {
			all := make([]float64, v.Points())
			for at := range all {
				k := [2]int{at / columns, at % columns}[axis]
				all[at] = f(2 * math.Pi * float64(k) / float64(v.distinct[axis]))
			}
			v.common = append(v.common, all)
		}
	}
	v.common = append(v.common, slices.Repeat([]float64{1}, v.Points()))
	return v
}

// tap adds the map to values at a distance in some direction, smoothed by a Gaussian that is wider farther away.
func (v *View) tap(distance, direction float64) {
	width := 0.0
	if distance > 0 {
		width = max(distance/4, 1.0/512)
	}
	down, across := math.Sincos(direction)
	m := modes.Map{nil, v.along(1, distance*across, width)}
	if v.domain.Dims == 2 {
		m[0] = v.along(0, distance*down, width)
	}
	v.taps = append(v.taps, m)
}

// along returns the transposed matrix from the values along an axis to those of the function shifted and smoothed by a
// Gaussian of some width, both in units of the first axis. Functions are continued as periodic ones, or evenly.
func (v *View) along(axis int, shift, width float64) *linalg.Panels {
	rows, columns := v.domain.Axes(v.points)
	unit, points := float64(v.domain.Intervals(v.points)), [2]int{rows, columns}[axis]
	n, mirror := points-1, 0 // values of a period; value j >= points is value mirror - j
	switch {
	case v.domain.Cells:
		n, mirror = 2*points, 2*points-1
	case !v.domain.Periodic:
		n, mirror = 2*(points-1), 2*(points-1)
	}
	weights := make([]float64, n) // of the value d points behind
	for d := range weights {
		for k := 0; 2*k <= n; k++ {
			w, times := 2*math.Pi*float64(k)/float64(n), 2.0
			if k == 0 || 2*k == n {
				times = 1
			}
			weights[d] += times / float64(n) * math.Cos(w*(float64(d)+shift*unit)) * math.Exp(-math.Pow(w*width*unit, 2)/2)
		}
	}
	m := linalg.NewPanels(points, v.distinct[axis])
	for x := range m.Cols() {
		column := make([]float64, points)
		for d, weight := range weights {
			y := (x - d + n) % n
			if y >= points {
				y = mirror - y
			}
			column[y] += weight
		}
		m.SetColumn(x, column)
	}
	return m
}

// Points returns the number of distinct points.
func (v *View) Points() int { return v.distinct[0] * v.distinct[1] }

// Size returns the number of coordinates of z, of which the last is 1.
func (v *View) Size() int { return v.channels*len(v.taps) + len(v.common) }

// together is the number of functions that are seen together: it fills the tiles of the product.
const together = 12

// each calls do with z of some of the inputs: rows are coordinates, columns distinct points. Errors: ctx's, and do's.
func (v *View) each(ctx context.Context, inputs grid.Batch, which []int, do func(i int, z *linalg.Panels) error) error {
	bench, P := modes.NewBench(), v.Points()
	for some := range slices.Chunk(which, together) {
		var fields []float64
		z := make([]*linalg.Panels, len(some))
		for at, i := range some {
			z[at] = linalg.NewPanels(v.Size(), P)
			fields = append(fields, inputs.At(i)...)
			for k, values := range v.common {
				z[at].SetRow(v.channels*len(v.taps)+k, values)
			}
		}
		for t, tap := range v.taps {
			seen := bench.Apply(fields, tap)
			for at := range len(some) * v.channels {
				z[at/v.channels].SetRow(at%v.channels*len(v.taps)+t, seen[at*P:(at+1)*P])
			}
			bench.Release(0)
		}
		for at, i := range some {
			if err := cmp.Or(ctx.Err(), do(i, z[at])); err != nil {
				return err
			}
		}
	}
	return nil
}

// Layer is a trained layer, or several for functions with as many channels. Their features are one after the other.
type Layer struct {
	Weights      *mat.Dense `json:"layer_weights" shape:"seen features"` // a row for each coordinate of z
	Coefficients []float64  `json:"layer_coefficients" shape:"features"`
}

var sine, _ = activation.ByName("sin")

// features returns sin(w . z), a row for each point. The error is ctx's.
func features(ctx context.Context, z, w *linalg.Panels) (*linalg.Rectangle, error) {
	r := linalg.NewRectangle(z.Cols(), w.Cols())
	err := r.AddProduct(ctx, z, w, z.Rows(), 1)
	for x := range z.Cols() {
		sine.Apply(r.Row(x))
	}
	return r, err
}

// Add adds the layer's functions of some of the inputs to those of a batch. progress (which may be nil) is called with
// the number of functions finished since its last call. The error is ctx's.
func (l *Layer) Add(ctx context.Context, v *View, to, inputs grid.Batch, functions []int, workers int,
	progress func(added int)) error {
	w, count := linalg.PanelsOf(l.Weights.RawMatrix()), len(l.Coefficients)/to.Domain.Width()
	blocks := slices.Collect(slices.Chunk(functions, together))
	return parallel.For(ctx, workers, len(blocks), func(_, block int) error {
		some := blocks[block]
		err := v.each(ctx, inputs, some, func(i int, z *linalg.Panels) error {
			phi, err := features(ctx, z, w)
			for first := 0; err == nil && first < w.Cols(); first += count { // of each channel
				sums, added := make([]float64, v.Points()), make([]float64, v.domain.Values(v.points))
				for at := range sums {
					sums[at] = floats.Dot(phi.Row(at)[first:first+count], l.Coefficients[first:first+count])
				}
				v.domain.Complete(added, sums, 1)
				floats.Add(to.Of(i, first/count), added)
			}
			return err
		})
		if err == nil && progress != nil {
			progress(len(some))
		}
		return err
	})
}
