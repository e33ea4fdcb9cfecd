// This file is derivatives of models with respect to their inputs.

package feature

import (
	"context"
	"fmt"

	"rfm/solver/fft"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
)

// Derivative is that of an operator F at an input a, on the grid of the input: the linear map J with
// F(a + t v) = F(a) + t J v + O(t^2), and J* with <J v, w> = <v, J* w> in L2 by the quadrature of the grid
// (grid.Domain.Inner). It is immutable and safe for concurrent use.
type Derivative struct {
	Value             grid.Batch // F(a)
	In                grid.Batch // a
	Forward, Backward Linear     // J and J*
}

// Linear makes the linear map of functions on one grid that one goroutine uses.
type Linear func() func(dst, f []float64)

// Along is J v for every function v, on up to workers goroutines. The error is ctx's.
func (d Derivative) Along(ctx context.Context, v grid.Batch, workers int) (grid.Batch, error) {
	return d.Forward.all(ctx, d.Value, v, workers)
}

// Adjoint is J* w for every function w, on up to workers goroutines. The error is ctx's.
func (d Derivative) Adjoint(ctx context.Context, w grid.Batch, workers int) (grid.Batch, error) {
	return d.Backward.all(ctx, d.In, w, workers)
}

// all are the images, on the grid of a function like them.
func (l Linear) all(ctx context.Context, like, functions grid.Batch, workers int) (grid.Batch, error) {
	images := like.Like(functions.Count)
	err := parallel.With(ctx, workers, functions.Count, l, func(apply func(dst, f []float64), i int) error {
		apply(images.At(i), functions.At(i))
		return nil
	})
	return images, err
}

// Plus is the derivative of the sum of two operators at the same input.
func (d Derivative) Plus(other Derivative) Derivative {
	add := func(a, b Linear) Linear {
		return func() func(dst, f []float64) {
			first, second := a(), b()
			var sum []float64
			return func(dst, f []float64) {
				sum = append(sum[:0], dst...)
				first(sum, f)
				second(dst, f)
				for x, v := range sum {
					dst[x] += v
				}
			}
		}
	}
	d.Value = d.Value.Plus(1, other.Value.Data)
	d.Forward, d.Backward = add(d.Forward, other.Forward), add(d.Backward, other.Backward)
	return d
}

// Low is the map on a coarser grid, its functions without modes that the grid would take for others. The error is a
// *fault.Data if there is no such grid.
func (f Spectral) Low(points int) (Spectral, error) {
	f.ready = new(ready)
	low := func(b grid.Batch) (grid.Batch, error) { return resample.Low(b, points) }
	var err error
	if f.Theta, err = low(f.Theta); err == nil {
		f.Places, err = f.Places.each(low)
	}
	return f, err
}

// anywhere prepares the features on any grid.
func (f Spectral) anywhere(ctx context.Context, points, workers int) (*SpectralEvaluator, error) {
	var err error
	if f.Theta, err = resample.To(f.Theta, points); err != nil {
		return nil, err
	}
	if f.Places, err = f.Places.to(points); err != nil {
		return nil, err
	}
	return f.on(ctx, points, workers)
}

// spectralDerivative is that of a model of spectral features.
type spectralDerivative struct {
	*SpectralEvaluator
	// slopes are alpha_j/m (1 + M_j) sigma'(z_j), z_j the argument at the input, at the distinct points, in two panels of
	// four features for every group
	slopes  [][2][]float64
	weights []float64 // of quadrature at the distinct points
}

// Derivative is one of Trained. With T_j v = gain sum_k chi(k) v_k theta_jk e_k it is
//
//	J v = (1/m) sum_j alpha_j (1 + M_j) sigma'(T_j a + b_j) T_j v,
//
// less its mean if features are centred. T_j is diagonal in an orthogonal basis, with the complex conjugate of the
// coefficients in T_j*: so J* is a sum of products of spectra, with one transform for four features.
func (f Spectral) Derivative(ctx context.Context, alpha []float64, input grid.Batch, workers int) (Derivative, error) {
	if len(alpha) != f.M || input.Count != 1 {
		panic(fmt.Sprintf("feature: %d coefficients for %d features, %d inputs for a derivative", len(alpha), f.M,
			input.Count))
	}
	if f.Motions != nil {
		value, err := f.Predict(ctx, alpha, input, workers, nil)
		if err != nil {
			return Derivative{}, err
		}
		one := f
		one.Symmetry = Symmetry{}
		return f.Symmetry.Derivative(value, input, func(image grid.Batch) (Derivative, error) {
			return one.Derivative(ctx, alpha, image, workers)
		})
	}
	e, err := f.anywhere(ctx, input.Points, workers)
	if err != nil {
		return Derivative{}, err
	}
	value, err := e.Predict(ctx, [][]float64{alpha}, input, workers, nil)
	if err != nil {
		return Derivative{}, err
	}
	prepared, err := e.Prepare(input)
	if err != nil {
		return Derivative{}, err
	}
	d := &spectralDerivative{SpectralEvaluator: e, slopes: make([][2][]float64, e.Groups()),
		weights: make([]float64, e.transform.rows())}
	for x := range d.weights {
		d.weights[x] = e.Weight()
	}
	e.transform.weigh(d.weights, 1, 0.5)
	err = parallel.With(ctx, workers, e.Groups(), e.newScratch, func(s *scratch, g int) error {
		e.synthesise(s.panels, g, prepared, s)
		for half, panel := range s.panels {
			slopes := append([]float64(nil), panel...)
			e.activation.Slope(slopes)
			if e.modulated() {
				e.places[g].modulate(half, slopes)
			}
			for i := range slopes {
				if j := GroupSize*g + half*fft.Lanes + i%fft.Lanes; j < len(alpha) {
					slopes[i] *= alpha[j] / float64(len(alpha))
				} else {
					slopes[i] = 0
				}
			}
			d.slopes[g][half] = slopes
		}
		return nil
	})
	return Derivative{Value: value[0], In: input, Forward: d.forward, Backward: d.backward}, err
}

func (d *spectralDerivative) forward() func(dst, v []float64) {
	e, s := d.SpectralEvaluator, d.newScratch()
	in, _ := e.Channels()
	unplaced := *e
	unplaced.places, unplaced.biased = nil, false // of arguments: the slopes know places
	return func(dst, v []float64) {
		prepared, _ := unplaced.Prepare(grid.BatchOf(e.domain.With(in), e.points, v)) // which has no errors
		e.transform.dropConstant(prepared)
		clear(dst)
		for g, slopes := range d.slopes {
			unplaced.synthesise(s.panels, g, prepared, s)
			for half, panel := range s.panels {
				slope := slopes[half]
				for x := range e.Points() {
					p, q := (*[fft.Lanes]float64)(panel[fft.Lanes*x:]), (*[fft.Lanes]float64)(slope[fft.Lanes*x:])
					dst[x] += p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3]
				}
			}
		}
		e.complete(dst)
	}
}

func (d *spectralDerivative) backward() func(dst, w []float64) {
	e, s := d.SpectralEvaluator, d.newScratch()
	in, out := e.Channels()
	rows, size := e.transform.rows(), e.transform.size()
	target, sums := make([]float64, e.Points()), make([]float64, in*size)
	constants, work := make([]float64, in), make([]float64, max(len(s.work), GroupSize*rows))
	return func(dst, w []float64) {
		functions := grid.BatchOf(e.outputs(), e.points, w).Split()
		for o := range out {
			y := target[o*rows : (o+1)*rows]
			copy(y, e.transform.distinct(functions.At(o)))
			e.centre(y)
		}
		clear(sums)
		clear(constants)
		for g, slopes := range d.slopes {
			for half, panel := range s.panels {
				slope := slopes[half]
				for x, v := range target {
					p, q := (*[fft.Lanes]float64)(panel[fft.Lanes*x:]), (*[fft.Lanes]float64)(slope[fft.Lanes*x:])
					p[0], p[1], p[2], p[3] = v*q[0], v*q[1], v*q[2], v*q[3]
				}
			}
			block := len(e.groups[g]) / (in * out)
			for o := range out {
				var from [2][]float64
				for half, panel := range s.panels {
					from[half] = panel[fft.Lanes*o*rows : fft.Lanes*(o+1)*rows]
				}
				for c := range in {
					part := e.groups[g][(o*in+c)*block : (o*in+c+1)*block]
					e.transform.correlate(sums[c*size:(c+1)*size], part, from, work)
				}
				d.means(constants, g, o, from)
			}
		}
		channels := grid.BatchOf(e.domain.With(in), e.points, dst).Split()
		for c := range in {
			u := channels.At(c)
			e.transform.dropConstant(sums[c*size : (c+1)*size])
			e.transform.invert(u, sums[c*size:(c+1)*size], work)
			for x := range rows {
				u[x] += constants[c]
			}
			e.transform.complete(u)
		}
	}
}

// means adds what the means of the inputs, which have weights of their own if there are several channels, have to do
// with channel o of the outputs.
func (d *spectralDerivative) means(constants []float64, g, o int, panels [2][]float64) {
	if !d.several() {
		return
	}
	in, out := d.Channels()
	for l := range GroupSize {
		mean, panel := 0.0, panels[l/fft.Lanes]
		for x, w := range d.weights {
			mean += w * panel[fft.Lanes*x+l%fft.Lanes]
		}
		for c := range constants {
			if at := ((GroupSize*g+l)*out+o)*in + c; at < len(d.Means) {
				constants[c] += d.Means[at] * mean
			}
		}
	}
}
