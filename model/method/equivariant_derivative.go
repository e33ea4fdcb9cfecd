// This file is the derivative of kernel ridge regression that commutes with translations.

package method

import (
	"context"

	"rfm/model/feature"
	"rfm/solver/grid"
)

// equivariantDerivative is that of an Equivariant at one input a. With the kernel k_i(s) = k(a, S_s a_i) and the inner
// product <.,.> that belongs to its distance,
//
//	dk_i(s) = -k_i(s)^2/Length^2 (<a, v> - <S_s a_i, v>).
type equivariantDerivative struct {
	*Equivariant
	input   []float64   // spectrum of a, times the weights of the distance
	weights []float64   // of the distance
	slopes  [][]float64 // of each view -k_i(s)^2/Length^2: a block with i = 0 to 3 as real parts, 4 to 7 as imaginary ones
}

// Derivative is one of Operator.
func (e *Equivariant) Derivative(ctx context.Context, input grid.Batch, workers int) (feature.Derivative, error) {
	value, err := e.own(ctx, e, input, workers)
	if err != nil {
		return feature.Derivative{}, err
	}
	w, work := e.waves, e.waves.newScratch()
	d := &equivariantDerivative{Equivariant: e, weights: e.weights(w), input: normalised(w, input)[0]}
	square := weighedSquare(d.weights, d.input)
	for b := range e.views {
		slopes := make([]float64, 2*lanes*w.n())
		e.kernelValues(w, slopes, &e.views[b], d.input, square, work)
		for i, k := range slopes {
			slopes[i] = -k * k / (e.Length * e.Length)
		}
		d.slopes = append(d.slopes, slopes)
	}
	for p, v := range d.weights {
		d.input[2*p] *= v
		d.input[2*p+1] *= v
	}
	return feature.Derivative{Value: value, In: input, Forward: d.forward, Backward: d.backward}, nil
}

func (d *equivariantDerivative) forward() func(dst, v []float64) {
	w, work := d.waves, d.waves.newScratch()
	return func(dst, v []float64) {
		spectrum, along := normalised(w, grid.BatchOf(d.domain, d.points, v))[0], 0.0
		for i, a := range d.input {
			along += a * spectrum[i]
		}
		w.sum(dst, d.views, work, func(b int) {
			w.plan.InverseProduct(work.re, work.im, d.views[b].inputs, spectrum, work.block)
			for x := range w.n() {
				for l := range lanes {
					at := 2*lanes*x + l
					work.z[at] = d.slopes[b][at] * (along - work.re[lanes*x+l])
					work.z[at+lanes] = d.slopes[b][at+lanes] * (along - work.im[lanes*x+l])
				}
			}
			w.plan.Forward(work.z)
		})
	}
}

// backward multiplies with conjugates of blocks. What of such a product does not belong to a real function is that of
// an imaginary one, which is left out at the end.
func (d *equivariantDerivative) backward() func(dst, f []float64) {
	w, work := d.waves, d.waves.newScratch()
	n := w.n()
	return func(dst, f []float64) {
		spectrum := normalised(w, grid.BatchOf(d.domain, d.points, f))[0]
		total, sums, mirrored := 0.0, make([]float64, 2*lanes*n), make([]float64, 2*lanes*n)
		for b := range d.views {
			view := &d.views[b]
			conjugateBlock(mirrored, view.coefficients)
			w.plan.InverseProduct(work.re, work.im, mirrored, spectrum, work.block)
			for x := range n {
				for l := range lanes {
					at := 2*lanes*x + l
					work.z[at] = d.slopes[b][at] * work.re[lanes*x+l]
					work.z[at+lanes] = d.slopes[b][at+lanes] * work.im[lanes*x+l]
					total += work.z[at] + work.z[at+lanes]
				}
			}
			w.plan.Forward(work.z)
			addConjugates(sums, work.z, view.inputs)
		}
		for p := range n {
			sums[2*lanes*p] = total*d.input[2*p] - sums[2*lanes*p]
			sums[2*lanes*p+lanes] = total*d.input[2*p+1] - sums[2*lanes*p+lanes]
		}
		w.plan.Inverse(sums)
		w.complete(dst, sums, 2*lanes)
	}
}

// conjugateBlock sets dst to the conjugates of a block.
func conjugateBlock(dst, block []float64) {
	for p := 0; p < len(dst); p += 2 * lanes {
		for l := range lanes {
			dst[p+l], dst[p+lanes+l] = block[p+l], -block[p+lanes+l]
		}
	}
}

// addConjugates adds the products of the block z with the conjugates of another one, of all lanes, to the first lane of
// sums.
func addConjugates(sums, z, block []float64) {
	for p := 0; p < len(sums); p += 2 * lanes {
		for l := range lanes {
			re, im, c, s := z[p+l], z[p+lanes+l], block[p+l], block[p+lanes+l]
			sums[p] += c*re + s*im
			sums[p+lanes] += c*im - s*re
		}
	}
}
