// Package local learns a function point by point from other functions around each point, with random features whose
// coefficients are numbers. A layer maps channels, functions on one grid, to the function
//
//	r(x) = sum_j c_j sin(w_j . z(x)),
//
// z(x) being values of all channels at places around x, smoother farther away, their means, and 1. A law that holds at all points
// has as many equations as points, so few pairs teach many features. Directions w_j are random in the metric of the
// average gradient outer product of the fit before (Radhakrishnan, Beaglehole, Pandit & Belkin, 2024): they adapt to
// the law without a descent. Coefficients are a ridge regression; parts of the functions that are left
// out in turn give predictions of each function from others.
//
// The file layer.go has the formula, learn.go the fit of one layer, search.go the search for its directions, sums.go the
// sums that both solve with, layered.go a layer on another operator, stacked.go the sum of layers and an operator of whole
// functions, pointwise.go a law of the value at the point plus integrals, pointwise_fit.go its fit, pointwise_search.go the search for its
// parameters, chain.go the method: which layers follow which.
package local

import (
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
	"rfm/solver/space/points"
)

// View defines the coordinates of z for channels on a grid.
type View struct {
	domain   grid.Domain // of one channel
	points   int
	distinct [2]int // points along both axes
	channels int
	widths   []float64      // of the taps: values around a point, smoothed; the first is the point itself, of width 0
	shifts   *modes.Shifts  // the taps on this grid; nil at points of any geometry
	nearby   *points.Nearby // the taps at points of any geometry; nil on grids
	common   [][]float64    // the other coordinates at all distinct points: perhaps the point itself, and 1
}

// The distances of taps in 1/256 of the first axis: in both directions along a line, in eight on fields.
var distances = [...][]float64{
	{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96},
	{8, 20, 48, 96},
}

// sight is what a layer sees besides values around a point.
type sight struct {
	placed bool // the coordinates of the point
	means  bool // the mean of each channel
	alone  bool // values at the point itself only
}

// newView returns the view of a number of channels.
func newView(domain grid.Domain, count, channels int, s sight) *View {
	rows, columns := domain.Axes(count)
	if domain.Periodic { // the last values repeat others
		rows = max(1, rows-1)
		columns--
	}
	v := &View{
		domain:   domain.One(),
		points:   count,
		distinct: [2]int{rows, columns},
		channels: channels,
	}
	if domain.Scattered() {
		return v.atPoints(s)
	}
	taps := tapsOf(domain, s)
	for _, tap := range taps {
		v.widths = append(v.widths, tap.Width)
	}
	v.shifts = modes.NewShifts(v.domain, count, taps)
	if s.placed {
		v.common = v.coordinates()
	}
	v.common = append(v.common, slices.Repeat([]float64{1}, v.Points()))
	return v
}

// tapsOf returns the taps of a domain: the point itself, and places around it, and perhaps the mean.
func tapsOf(domain grid.Domain, s sight) []modes.Shift {
	const directions = 8
	step := 1 // along a line there are two of them
	if domain.Dims == 1 {
		step = directions / 2
	}
	taps := []modes.Shift{{}}
	if s.alone {
		return taps
	}
	for _, d := range distances[domain.Dims-1] {
		for direction := 0; direction < directions; direction += step {
			angle := 2 * math.Pi / directions * float64(direction)
			taps = append(taps, tap(d/256, angle))
		}
	}
	if s.means {
		taps = append(taps, modes.Shift{Width: math.Inf(1)})
	}
	return taps
}

// tap returns the map to values at a distance in some direction, smoothed by a Gaussian that is wider farther away.
func tap(distance, direction float64) modes.Shift {
	down, across := math.Sincos(direction)
	return modes.Shift{
		Down:   distance * down,
		Across: distance * across,
		Width:  max(distance/4, 1.0/512),
	}
}

// coordinates returns the coordinates of all distinct points along each axis: sines and cosines of periodic ones, so that
// they do not jump.
func (v *View) coordinates() (all [][]float64) {
	same := func(angle float64) float64 { return angle }
	functions := []func(angle float64) float64{same}
	if v.domain.Periodic {
		functions = []func(angle float64) float64{math.Cos, math.Sin}
	}
	rows := v.distinct[0]
	columns := v.distinct[1]
	for axis := 2 - v.domain.Dims; axis < 2; axis++ {
		for _, f := range functions {
			values := make([]float64, v.Points())
			for at := range values {
				place := at % columns
				count := columns
				if axis == 0 {
					place = at / columns
					count = rows
				}
				angle := 2 * math.Pi * float64(place) / float64(count)
				values[at] = f(angle)
			}
			all = append(all, values)
		}
	}
	return all
}

// Points returns the number of distinct points.
func (v *View) Points() int { return v.distinct[0] * v.distinct[1] }

// Size returns the number of coordinates of z, of which the last is 1.
func (v *View) Size() int { return v.channels*len(v.widths) + len(v.common) }

// sizeOf returns the Size of the view that newView makes.
func sizeOf(domain grid.Domain, channels int, s sight) int {
	size := channels*tapsIn(domain, s) + 1
	switch {
	case s.placed && domain.Scattered():
		size += domain.Cloud.Outputs().Axes
	case s.placed && domain.Periodic:
		size += 2 * domain.Dims // a cosine and a sine along each axis
	case s.placed:
		size += domain.Dims
	}
	return size
}

// viewBytes returns about the memory, besides functions, of a view of some channels and of its use by some workers: z at
// all points, and features at some of them.
func viewBytes(domain grid.Domain, count, channels, workers int) float64 {
	taps := tapsIn(domain, sight{means: true})
	var maps, work float64
	if domain.Scattered() {
		maps = points.NearbyBytes(count, taps)
	} else {
		maps, work = modes.ShiftsBytes(domain, count, taps)
	}
	values := float64(domain.One().Values(count))
	z := values * float64(channels*taps+4)
	features := 2 * mostFeatures * min(pointsTogether, values)
	return maps + float64(workers)*(work+8*(z+features))
}

// maps returns a function that passes the taps of a function. It has working memory of its own.
func (v *View) maps() func(f []float64, take func(tap int, values []float64)) {
	if v.nearby != nil {
		work := make([]float64, v.Points())
		return func(f []float64, take func(tap int, values []float64)) { v.nearby.Apply(f, work, take) }
	}
	work := v.shifts.NewWork()
	return func(f []float64, take func(tap int, values []float64)) { v.shifts.Apply(f, work, take) }
}

// each calls do with z of some of the inputs: rows are coordinates, columns distinct points. do must not keep z. Errors:
// ctx.Err(), and do's.
func (v *View) each(ctx context.Context, inputs grid.Batch, which []int, do func(i int, z *linalg.Panels) error) error {
	apply := v.maps()
	z := linalg.NewPanels(v.Size(), v.Points())
	taps := len(v.widths)
	for k, values := range v.common {
		z.SetRow(v.channels*taps+k, values)
	}
	for _, i := range which {
		for channel := range v.channels {
			apply(inputs.Of(i, channel), func(tap int, values []float64) {
				z.SetRow(channel*taps+tap, values)
			})
		}
		err := ctx.Err()
		if err != nil {
			return err
		}
		err = do(i, z)
		if err != nil {
			return err
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

// pointsTogether is the number of points whose features are known at the same time. It is a multiple of the 24 columns at
// which panels can be divided.
const pointsTogether = 24 * 40

// features passes sin(w . z) at some points at a time, from a first one on: a row for each point, a column for each
// column of w. do must not keep them. Errors: ctx.Err(), and do's.
func features(ctx context.Context, z, w *linalg.Panels, do func(first int, phi *linalg.Rectangle) error) error {
	for first := 0; first < z.Cols(); first += pointsTogether {
		count := min(pointsTogether, z.Cols()-first)
		some := z.Columns(first, count)
		phi, err := linalg.Product(ctx, some, w, 1)
		if err != nil {
			return err
		}
		for x := range some.Cols() {
			sine.Apply(phi.Row(x))
		}
		err = do(first, phi)
		if err != nil {
			return err
		}
	}
	return nil
}

// functionsTogether is the number of functions after which progress is told.
const functionsTogether = 12

// Add adds the layer's functions of some of the inputs to those of a batch. progress (which may be nil) is called with
// the number of functions finished since its last call. It returns ctx.Err() if ctx is done.
func (l *Layer) Add(ctx context.Context, v *View, to, inputs grid.Batch, functions []int, workers int,
	progress func(added int)) error {
	w := linalg.PanelsOf(l.Weights.RawMatrix())
	channels := to.Domain.Width()
	blocks := slices.Collect(slices.Chunk(functions, functionsTogether))
	return parallel.For(ctx, workers, len(blocks), func(_, block int) error {
		some := blocks[block]
		sums := make([][]float64, channels) // of each channel at all distinct points
		for c := range sums {
			sums[c] = make([]float64, v.Points())
		}
		added := make([]float64, v.domain.Values(v.points))
		err := v.each(ctx, inputs, some, func(i int, z *linalg.Panels) error {
			err := l.sum(ctx, z, w, sums)
			if err != nil {
				return err
			}
			for c, values := range sums {
				v.domain.Complete(added, values, 1)
				floats.Add(to.Of(i, c), added)
			}
			return nil
		})
		if err != nil {
			return err
		}
		if progress != nil {
			progress(len(some))
		}
		return nil
	})
}

// sum sets sums, one for each channel at all distinct points, to the layer's functions of the points with coordinates z.
// w are the weights as panels. It returns ctx.Err() if ctx is done.
func (l *Layer) sum(ctx context.Context, z, w *linalg.Panels, sums [][]float64) error {
	count := len(l.Coefficients) / len(sums) // features of a channel
	return features(ctx, z, w, func(first int, phi *linalg.Rectangle) error {
		for x := range phi.General().Rows {
			row := phi.Row(x)
			for c := range sums {
				from := c * count
				to := from + count
				sums[c][first+x] = floats.Dot(row[from:to], l.Coefficients[from:to])
			}
		}
		return nil
	})
}
