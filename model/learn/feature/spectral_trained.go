// This file contains models of spectral random features.

package feature

import (
	"context"
	"fmt"
	"sync"

	"rfm/model/trained/codec"
	"rfm/solver/num/activation"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

func (f Spectral) Trained(context.Context, []float64, int) (Trained, error) { return f.trained(), nil }

// trained returns the map as a part of model files, which is prepared once for inputs on the same grid. The part keeps
// the completion of the last group where the last bits of features depend on it.
func (f Spectral) trained() *Spectral {
	count := min(f.Theta.Count, completed(f.Domain(), f.M))
	f.Grid = codec.GridOf(f.Domain(), f.Finest(), 1, 1)
	f.Name = f.Activation.Name()
	f.Values = f.Theta.First(count).Data
	f.Bias = f.Bias[:min(len(f.Bias), count)]
	f.ready = new(ready)
	return &f
}

// ready holds the features on the grid of the last predictions.
type ready struct {
	mutex  sync.Mutex
	points int
	on     Evaluator
}

// prepared prepares the features on any grid, and keeps them for the next call unless they are large.
func (f Spectral) prepared(ctx context.Context, points, workers int) (Evaluator, error) {
	const mostKept = 1 << 22 // values
	kept := f.ready
	if kept == nil {
		kept = new(ready)
	}
	kept.mutex.Lock()
	defer kept.mutex.Unlock()
	if kept.on != nil && kept.points == points {
		return kept.on, nil
	}
	theta, err := resample.To(f.Theta, points)
	if err != nil {
		return nil, err
	}
	f.Theta = theta
	e, err := f.On(ctx, points, workers)
	if err != nil {
		return nil, err
	}
	if f.M*f.Domain().Values(points) <= mostKept {
		kept.points = points
		kept.on = e
	}
	return e, nil
}

// Low returns the map on a coarser grid, its functions without modes that alias there. The error is a *fault.Data if no
// such grid exists.
func (f Spectral) Low(points int) (*Spectral, error) {
	theta, err := resample.Low(f.Theta, points)
	if err != nil {
		return nil, err
	}
	f.Theta = theta
	return f.trained(), nil
}

// filtered is the number of waves whose filter Look returns.
const filtered = 300

func (f Spectral) Look(ctx context.Context, j int, input grid.Batch) (Look, error) {
	phi, err := alone(ctx, f, j, input)
	if err != nil {
		return Look{}, err
	}
	domain := f.Domain()
	theta := make([]float64, domain.Values(input.Points))
	domain.Sample(theta, f.Theta.At(j))
	l := Look{Theta: theta, Values: phi}
	if domain.Dims > 1 {
		return l, nil
	}
	for k := range filtered {
		l.Filter = append(l.Filter, f.AtFrequency(float64(k)))
	}
	return l, nil
}

// Label returns the name for messages.
func (f Spectral) Label() string {
	name := "Fourier"
	if !f.Domain().Periodic {
		name = "cosine"
	}
	if f.Domain().Scattered() {
		name = "Laplacian"
	}
	label := fmt.Sprintf("%s features (%s)", name, f.Activation.Name())
	if f.Motions != nil {
		label += fmt.Sprintf(", averaged over %d symmetries,", len(f.Motions))
	}
	return label
}

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

func (p *Spectral) Sizes() (map[string][]int, error) {
	if max(p.In, p.Out) > 1 {
		return nil, codec.Bad("has random features of functions with several channels, want one")
	}
	finite := grid.Finite(p.Delta, p.Beta, p.Gain)
	if !finite || p.Delta < 0 {
		const want = "want finite numbers, delta not negative"
		return nil, codec.Bad("has the filter delta=%g, beta=%g and the gain %g, "+want, p.Delta, p.Beta, p.Gain)
	}
	_, known := activation.ByName(p.Name)
	if !known {
		return nil, codec.Bad("has the unknown activation %q", p.Name)
	}
	d, err := p.Grid.Domain()
	if err != nil {
		return nil, err
	}
	err = codec.CheckMotions(p.Motions, d)
	if err != nil {
		return nil, err
	}
	return p.Grid.Sizes()
}

func (p *Spectral) Restored() error {
	d, _ := p.Grid.Domain() // which exists, see Sizes
	p.Theta = grid.BatchOf(d, p.Points, p.Values)
	p.ready = new(ready)
	p.Activation, _ = activation.ByName(p.Name)
	err := p.laplacian.restored(d)
	if err != nil {
		return err
	}
	if p.M < 1 || p.Theta.Count < p.M {
		return codec.Bad("has %d functions theta for %d features", p.Theta.Count, p.M)
	}
	return nil
}
