// This file is about models of cosine space random features.

package trained

import (
	"context"
	"fmt"

	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Cosine is a map of cosine space random features, of two variables. On grids that theta's does not contain, theta is
// replaced by its cosine interpolant (resample.To).
type Cosine feature.Cosine

func (f Cosine) kind() string { return "cosine" }

func (f Cosine) domain() grid.Domain { return grid.Square }

func (f Cosine) finest() int { return f.Theta.Points }

func (f Cosine) label() string { return fmt.Sprintf("cosine features (%s)", f.Activation.Name()) }

func (f Cosine) predict(ctx context.Context, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	var err error
	if f.Theta, err = resample.To(f.Theta, inputs.Points); err != nil {
		return grid.Batch{}, err
	}
	return rfm.CosineModel{Features: feature.Cosine(f), Alpha: alpha}.Predict(ctx, inputs, workers, progress)
}

func (f Cosine) check(m int) error {
	if f.Theta.Domain != grid.Square || f.finest() < 3 {
		return bad(fmt.Sprintf("has theta with %d values, want those of a square grid of at least 3 x 3 points", f.Theta.Values()))
	}
	return checkConvolution(m, f.Count, f.Filter, f.Gain, f.Theta, f.Bias)
}

func (f Cosine) encode() (any, []member) {
	arrays := []member{functions("theta", f.Theta.First(f.Count).Data, f.Count, f.finest(), f.finest())}
	if f.Bias != nil {
		arrays = append(arrays, vector("bias", f.Bias[:f.Count]))
	}
	return convolution{f.Activation.Name(), f.Gain, f.Delta, f.Beta, f.Centred}, arrays
}

func decodeCosine(d *decoder, m int) (Map, error) {
	p, err := d.convolution(3)
	if err != nil {
		return nil, err
	}
	shape := p.theta.Shape
	if shape[1] != shape[2] {
		return nil, bad(fmt.Sprintf("has theta of shape %v, want fields on a square grid", shape))
	}
	return Cosine{Filter: p.filter, Activation: p.activation, Gain: p.Gain, Bias: p.bias, Centred: p.Centred, Count: m,
		Theta: grid.Batch{Domain: grid.Square, Points: shape[1], Count: shape[0], Data: p.theta.Data}}, nil
}
