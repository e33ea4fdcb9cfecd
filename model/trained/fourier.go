// This file is about models of Fourier space random features.

package trained

import (
	"context"
	"fmt"

	"rfm/model/activation"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/dataset/npy"
	"rfm/solver/grid"
	"rfm/solver/resample"
)

// Fourier is a map of Fourier space random features, of one variable. On grids that theta's does not contain, theta is
// replaced by its trigonometric interpolant (resample.To).
type Fourier feature.Fourier

// convolution is what meta.json says of features that multiply transforms.
type convolution struct {
	Activation string  `json:"activation"`
	Gain       float64 `json:"gain"`
	Delta      float64 `json:"delta"`
	Beta       float64 `json:"beta"`
	Centred    bool    `json:"centred"`
}

func (f Fourier) kind() string { return "fourier" }

func (f Fourier) domain() grid.Domain { return grid.Torus }

func (f Fourier) finest() int { return f.Theta.Values() }

func (f Fourier) label() string { return fmt.Sprintf("Fourier features (%s)", f.Activation.Name()) }

func (f Fourier) predict(ctx context.Context, alpha []float64, inputs grid.Batch, workers int, progress func(added int)) (grid.Batch, error) {
	var err error
	if f.Theta, err = resample.To(f.Theta, inputs.Values()); err != nil {
		return grid.Batch{}, err
	}
	return rfm.Model{Features: feature.Fourier(f), Alpha: alpha}.Predict(ctx, inputs, workers, progress)
}

func (f Fourier) check(m int) error {
	if f.Theta.Values() < 3 {
		return bad(fmt.Sprintf("has theta on K=%d points, want at least 3", f.Theta.Values()))
	}
	return checkConvolution(m, f.Count, f.Filter, f.Gain, f.Theta, f.Bias)
}

// encode keeps what completes the last group of features: their last bits depend on it.
func (f Fourier) encode() (any, []member) {
	rows := min(f.Theta.Count, (f.Count+feature.GroupSize-1)/feature.GroupSize*feature.GroupSize)
	arrays := []member{functions("theta", f.Theta.First(rows).Data, rows, f.Theta.Values())}
	if f.Bias != nil {
		arrays = append(arrays, vector("bias", f.Bias[:rows]))
	}
	return convolution{f.Activation.Name(), f.Gain, f.Delta, f.Beta, f.Centred}, arrays
}

func decodeFourier(d *decoder, m int) (Map, error) {
	p, err := d.convolution(2)
	if err != nil {
		return nil, err
	}
	return Fourier{Filter: p.filter, Activation: p.activation, Gain: p.Gain, Bias: p.bias, Centred: p.Centred, Count: m,
		Theta: grid.Batch{Domain: grid.Torus, Points: p.theta.Shape[1], Count: p.theta.Shape[0], Data: p.theta.Data}}, nil
}

// convolutionParts is everything that a file has of features that multiply transforms.
type convolutionParts struct {
	convolution
	filter     feature.Filter
	activation activation.Func
	theta      npy.Array
	bias       []float64
}

// convolution reads features that multiply transforms; dimensions are those of theta.
func (d *decoder) convolution(dimensions int) (p convolutionParts, err error) {
	if err = d.scalars(&p.convolution); err != nil {
		return p, err
	}
	p.filter = feature.Filter{Delta: p.Delta, Beta: p.Beta}
	if p.activation, err = d.activation(p.Activation); err != nil {
		return p, err
	}
	if p.theta, err = d.array("theta", dimensions); err != nil {
		return p, err
	}
	p.bias, err = d.bias()
	return p, err
}
