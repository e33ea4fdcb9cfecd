// This file is about models of spectral random features.

package feature

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"rfm/model/activation"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// spectralModels are models with the first features of a map.
type spectralModels struct {
	features     Spectral
	coefficients [][]float64
}

// Models is one of Map.
func (f Spectral) Models(_ context.Context, coefficients [][]float64, _ int) (Models, error) {
	f.M = longest(coefficients)
	return spectralModels{f, coefficients}, nil
}

func (m spectralModels) Predict(ctx context.Context, inputs grid.Batch, workers int) ([]grid.Batch, error) {
	e, err := m.features.on(ctx, inputs.Points, workers)
	if err != nil {
		return nil, err
	}
	return e.Predict(ctx, m.coefficients, inputs, workers, nil)
}

// Trained is the map itself, which is prepared once for inputs on the same grid.
func (f Spectral) Trained(context.Context, []float64, int) (Trained, error) {
	f.ready = new(ready)
	return f, nil
}

// ready is the features on the grid of the last predictions.
type ready struct {
	mutex sync.Mutex
	on    *SpectralEvaluator
}

// prepared is anywhere, kept for the next call unless it is large.
func (f Spectral) prepared(ctx context.Context, points, workers int) (*SpectralEvaluator, error) {
	const mostKept = 1 << 22 // values
	if f.ready == nil {
		return f.anywhere(ctx, points, workers)
	}
	f.ready.mutex.Lock()
	defer f.ready.mutex.Unlock()
	if e := f.ready.on; e != nil && e.points == points {
		return e, nil
	}
	e, err := f.anywhere(ctx, points, workers)
	if err == nil && f.M*e.K() <= mostKept {
		f.ready.on = e
	}
	return e, err
}

// Low is the map on a coarser grid, its functions without modes that the grid would take for others. The error is a
// *fault.Data if there is no such grid.
func (f Spectral) Low(points int) (Spectral, error) {
	f.ready = new(ready)
	var err error
	f.Theta, err = resample.Low(f.Theta, points)
	return f, err
}

// anywhere prepares the features on any grid.
func (f Spectral) anywhere(ctx context.Context, points, workers int) (*SpectralEvaluator, error) {
	var err error
	if f.Theta, err = resample.To(f.Theta, points); err != nil {
		return nil, err
	}
	return f.on(ctx, points, workers)
}

// filtered is the number of waves whose filter is shown.
const filtered = 300

// Look is one of Map.
func (f Spectral) Look(ctx context.Context, j int, input grid.Batch) (Look, error) {
	e, err := f.on(ctx, input.Points, 1)
	if err != nil {
		return Look{}, err
	}
	prepared, err := e.Prepare(input)
	if err != nil {
		return Look{}, err
	}
	l := Look{Theta: make([]float64, f.Domain().Values(input.Points)), Values: e.values(j, prepared)}
	f.Domain().Sample(l.Theta, f.Theta.Range(j, 1).Channel(0).Data)
	for k := 0; k < filtered && f.Domain().Dims == 1; k++ {
		l.Filter = append(l.Filter, f.At(k))
	}
	return l, nil
}

// Label is for people.
func (f Spectral) Label() string {
	name := "Fourier"
	if !f.Domain().Periodic {
		name = "cosine"
	}
	label := fmt.Sprintf("%s features (%s)", name, f.Activation.Name())
	if f.Motions != nil {
		label += fmt.Sprintf(", averaged over %d motions,", len(f.Motions))
	}
	return label
}

// Predict is one of Trained.
func (f Spectral) Predict(ctx context.Context, alpha []float64, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	if len(alpha) != f.M {
		panic(fmt.Sprintf("feature: %d coefficients for %d features", len(alpha), f.M))
	}
	e, err := f.prepared(ctx, inputs.Points, workers)
	if err != nil {
		return grid.Batch{}, err
	}
	predictions, err := e.Predict(ctx, [][]float64{alpha}, inputs, workers, progress)
	if err != nil {
		return grid.Batch{}, err
	}
	return predictions[0], nil
}

// spectralFile is the name of spectral features on a domain in model files: those of the first three with one channel and
// no motions, or one for all others.
func spectralFile(d grid.Domain, other bool) string {
	switch {
	case other:
	case d == grid.Torus:
		return "fourier"
	case d == grid.Torus2:
		return "fourier2"
	case d == grid.Square:
		return "cosine"
	}
	return "spectral"
}

// spectralScalars is what model files say of spectral features beside arrays.
type spectralScalars struct {
	Activation string  `json:"activation"`
	Gain       float64 `json:"gain"`
	Delta      float64 `json:"delta"`
	Beta       float64 `json:"beta"`
	Centred    bool    `json:"centred"`
	// The domain, if the name of the features does not tell it; sides of a rectangle are those of theta.
	Dims     int  `json:"dims,omitempty"`
	Periodic bool `json:"periodic,omitempty"`
	Cells    bool `json:"cells,omitempty"`
	// Channels of inputs and outputs, if there are several.
	In  int `json:"in,omitempty"`
	Out int `json:"out,omitempty"`
}

// Check is one of Trained.
func (f Spectral) Check(m int) error {
	switch {
	case f.Domain().Dims < 1 || f.Domain().Dims > 2 || f.Domain().Periodic && f.Domain().Cells || f.Finest() < 3 ||
		f.narrow():
		return Unusable(fmt.Sprintf("has theta on %s, want at least 3 points along an axis", f.Domain().Grid(f.Finest())))
	case f.M != m:
		return Unusable(fmt.Sprintf("has %d features, but %d coefficients", f.M, m))
	case f.Theta.Count < m:
		return Unusable(fmt.Sprintf("has %d functions theta for %d features", f.Theta.Count, m))
	case f.Bias != nil && len(f.Bias) < f.Theta.Count:
		return Unusable(fmt.Sprintf("has %d biases for %d functions theta", len(f.Bias), f.Theta.Count))
	case !(f.Delta >= 0) || !grid.Finite(f.Delta, f.Beta, f.Gain):
		return Unusable(fmt.Sprintf("has the filter %+v and the gain %g, want finite numbers, delta not negative", f.Filter,
			f.Gain))
	}
	return nil
}

// narrow reports whether a field's second axis has fewer than 3 points.
func (f Spectral) narrow() bool {
	_, columns := f.Domain().Axes(f.Finest())
	return columns < 3
}

// Encode keeps what completes the last group of features where their last bits depend on it.
func (f Spectral) Encode() (string, any, []npy.Named) {
	theta := f.Theta.First(min(f.Theta.Count, completed(f.Domain(), f.M)))
	arrays := []npy.Named{{Name: "theta", Array: npy.Array{Shape: theta.Shape(), Data: theta.Data}}}
	if f.Bias != nil {
		arrays = append(arrays, npy.Named{Name: "bias", Array: npy.Array{Shape: []int{theta.Count},
			Data: f.Bias[:theta.Count]}})
	}
	scalars := spectralScalars{Activation: f.Activation.Name(), Gain: f.Gain, Delta: f.Delta, Beta: f.Beta,
		Centred: f.Centred}
	d := f.Domain()
	arrays = append(arrays, f.Symmetry.Encode()...)
	file := spectralFile(d, f.several() || f.Motions != nil)
	if file == spectralFile(grid.Interval, false) {
		scalars.Dims, scalars.Periodic, scalars.Cells = d.Dims, d.Periodic, d.Cells
	}
	if in, out := f.Channels(); f.several() {
		scalars.In, scalars.Out = in, out
		arrays = append(arrays, npy.Named{Name: meansArray, Array: npy.Array{Shape: []int{theta.Count, out, in},
			Data: f.Means[:theta.Count*in*out]}})
	}
	return file, scalars, arrays
}

// meansArray is the name of Wide.Means in model files.
const meansArray = "means"

func decodeSpectral(domain grid.Domain) decoder {
	return func(s Stored, m int) (Trained, error) {
		var p spectralScalars
		if err := s.Scalars(&p); err != nil {
			return nil, err
		}
		f := Spectral{Filter: Filter{Delta: p.Delta, Beta: p.Beta}, Gain: p.Gain, Centred: p.Centred, M: m,
			ready: new(ready)}
		var known bool
		if f.Activation, known = activation.ByName(p.Activation); !known {
			return nil, Unusable(fmt.Sprintf("has the unknown activation %q", p.Activation))
		}
		domain := domain
		if domain.Dims == 0 {
			domain = grid.Domain{Dims: p.Dims, Periodic: p.Periodic, Cells: p.Cells}
			if p.Dims < 1 || p.Dims > 2 || p.Periodic && p.Cells {
				return nil, Unusable(fmt.Sprintf("has functions of %d variables, periodic %v, at cell centres %v", p.Dims,
					p.Periodic, p.Cells))
			}
		}
		f.In, f.Out = p.In, p.Out
		in, out := f.Channels()
		if min(p.In, p.Out) < 0 || max(in, out) > grid.MostChannels {
			return nil, Unusable(fmt.Sprintf("has %d and %d channels, at most %d are possible", p.In, p.Out, grid.MostChannels))
		}
		extra := 0 // axes
		if in*out > 1 {
			extra = 1
		}
		theta, err := s.Array("theta", 1+extra+domain.Dims)
		if err != nil {
			return nil, err
		}
		if extra == 1 && theta.Shape[1] != in*out {
			return nil, Unusable(fmt.Sprintf("has theta of shape %v, want %d channels", theta.Shape, in*out))
		}
		points := theta.Shape[1+extra]
		if domain.Dims == 2 {
			rows, columns := domain.Intervals(points), domain.Intervals(theta.Shape[2+extra])
			if rows < 1 || columns < 1 || domain == grid.Square && p.Dims == 0 && rows != columns {
				return nil, Unusable(fmt.Sprintf("has theta of shape %v, want fields", theta.Shape))
			}
			domain.Aspect = grid.AspectOf(rows, columns)
		}
		f.Theta = grid.Batch{Domain: domain.With(in * out), Points: points, Count: theta.Shape[0], Data: theta.Data}
		if f.several() || s.Has(meansArray) {
			means, err := s.Array(meansArray, 3)
			if err != nil {
				return nil, err
			}
			if !slices.Equal(means.Shape, []int{theta.Shape[0], out, in}) {
				return nil, Unusable(fmt.Sprintf("has means of shape %v, theta of %v", means.Shape, theta.Shape))
			}
			f.Means = means.Data
		}
		if f.Symmetry, err = ReadSymmetry(s, domain); err != nil {
			return nil, err
		}
		if f.Motions != nil && in*out > 1 {
			return nil, Unusable("has motions of functions with several channels")
		}
		if s.Has("bias") {
			bias, err := s.Array("bias", 1)
			if err != nil {
				return nil, err
			}
			f.Bias = bias.Data
		}
		return f, nil
	}
}
