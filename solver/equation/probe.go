// This file probes the rest near given functions. Its response to a short wave is its diffusion. A negative diffusion
// makes the equation ill-posed; a large one must be moved to the symbol.

package equation

import (
	"fmt"
	"math"
	"slices"
)

const (
	splitShare  = 0.7 // of the largest diffusion moves to the symbol: the scheme is stable from one half
	maxContrast = 100 // of the largest to the smallest diffusion; larger contrasts leave errors undetected
	amplitude   = 1e-6
)

// setSplit moves diffusion from the rest to the symbol for the block, in steps of 2^(1/4). The error is a
// *fault.Numerical if diffusion is negative or too uneven.
func (w *worker) setSplit() error {
	for i, r := range w.rows {
		if r.quasi == 0 {
			continue
		}
		before := w.split[i]
		w.split[i], w.plan.split[i] = 0, nil
		low, high, own, at := w.probe(i)
		place := fmt.Sprintf("%s_t: the term in column %d", r.field, r.quasi)
		switch {
		case low < -1e-9*math.Abs(high):
			return w.fail(0, fmt.Sprintf("has backward diffusion, %.3g at x=%.3g (%s): the equation is ill-posed there", low, at,
				place), "change its sign, or the inputs' scale")
		case high > maxContrast*low && high > 0:
			return w.fail(0, fmt.Sprintf("has diffusion from %.3g to %.3g (%s), a ratio above %d, where errors go unnoticed",
				low, high, place, maxContrast), "add linear diffusion, or lower the inputs' scale")
		}
		if extra := splitShare*high - own; extra > 0 {
			w.split[i] = math.Exp2(math.Ceil(4*math.Log2(extra)) / 4)
			w.plan.split[i] = make([]float64, 2*w.n)
			for p := range w.n {
				w.plan.split[i][2*p+1] = -w.split[i] * w.square(p)
			}
		}
		if w.split[i] != before {
			w.cache = nil
		}
	}
	return nil
}

// probe returns the smallest and the largest diffusion of a field, that of the symbol alone, and the position of the
// smallest, over all points and functions. Diffusion is -Re sigma(x, k)/k^2: symbol and rest map a small wave e^(ikx),
// in the middle of the retained ones, to sigma e^(ikx).
func (w *worker) probe(field int) (low, high, own, at float64) {
	k := 2 * math.Pi * float64(w.limit/2) / w.Length
	if v := w.rows[field].symbol[field]; v != nil {
		middle := slices.IndexFunc(w.waves, func(v [2]float64) bool { return math.Abs(v[0]-k) <= 1e-9*k && v[1] == 0 })
		own = -v[2*middle] / k / k
	}
	w.plan.rest(w.image, w.u)
	turn := w.symbol(operator{}, 1i, nil) // images are -i times spectra
	response := func(wave func(float64) float64) []float64 {
		b := make([]float64, block*w.n)
		for i, x := range w.points {
			for l := range block {
				b[block*i+l] = amplitude * wave(k*x[0]) / float64(w.n)
			}
		}
		w.transform.Forward(b)
		for f := range w.stage {
			copy(w.stage[f], w.u[f])
		}
		add(w.stage[field], b)
		w.plan.rest(w.s2, w.stage)
		for j, v := range w.image[field] {
			b[j] = w.s2[field][j] - v
		}
		w.transform.InverseOf(b, b, turn)
		return b
	}
	c, sn := response(math.Cos), response(math.Sin)
	low, high = math.Inf(1), math.Inf(-1)
	for i, x := range w.points {
		sin, cos := math.Sincos(k * x[0])
		for l := range block {
			d := own - (c[block*i+l]*cos+sn[block*i+l]*sin)/amplitude/(k*k)
			if d < low {
				low, at = d, x[0]
			}
			high = math.Max(high, d)
		}
	}
	return low, high, own, at
}
