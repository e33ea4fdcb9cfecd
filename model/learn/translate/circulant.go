// This file computes the kernel of an Equivariant, of eight training inputs at a time.

package translate

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/model/learn/ridge"
	"rfm/solver/base/parallel"
	"rfm/solver/num/activation"
	"rfm/solver/num/linalg"
	"rfm/solver/space/grid"
	"rfm/solver/space/modes"
	"rfm/solver/space/waves"
)

// view holds the data of the training pairs for predictions, eight at a time.
type view struct {
	inputs       []float64                // block of the conjugate spectra of the inputs, times -2 and the metric
	squares      [2 * waves.Lanes]float64 // sum_k of the metric and |a_k|^2
	coefficients []float64                // block of (c_l - i c_(4+l))/N^2; nil while training
	crossed      []float64                // the same with real and imaginary parts exchanged
}

// metric returns the weights of d at each position, in units of the length.
func (s Shape) metric(w *waves.Waves) []float64 {
	metric := make([]float64, w.N())
	for p, k := range w.Magnitude {
		if !math.IsInf(k, 1) {
			metric[p] = math.Pow(1+(k/s.Cutoff)*(k/s.Cutoff), -s.Decay) / (s.Length * s.Length)
		}
	}
	return metric
}

// weighedSquare returns the sum of the weights and |a_k|^2 for a normalised spectrum.
func weighedSquare(weights, spectrum []float64) float64 {
	sum := 0.0
	for p, v := range weights {
		sum += v * (spectrum[2*p]*spectrum[2*p] + spectrum[2*p+1]*spectrum[2*p+1])
	}
	return sum
}

// newViews packs inputs with the given normalised spectra, and their coefficients; nil: none.
func newViews(w *waves.Waves, metric []float64, inputs, coefficients [][]float64) (all []view) {
	for l, spectrum := range inputs {
		if l%(2*waves.Lanes) == 0 {
			all = append(all, view{inputs: make([]float64, 2*waves.Lanes*w.N())})
			if coefficients != nil {
				v := &all[len(all)-1]
				v.coefficients = make([]float64, 2*waves.Lanes*w.N())
				v.crossed = make([]float64, 2*waves.Lanes*w.N())
			}
		}
		v := &all[len(all)-1]
		lane := l % (2 * waves.Lanes)
		v.squares[lane] = weighedSquare(metric, spectrum)
		for p, weight := range metric {
			modes.Pack(v.inputs[2*waves.Lanes*p:], lane, -2*weight*spectrum[2*p], 2*weight*spectrum[2*p+1])
			if coefficients == nil {
				continue
			}
			re := coefficients[l][2*p]
			im := coefficients[l][2*p+1]
			if lane >= waves.Lanes { // -i times it
				re = -re
				im = -im
			}
			block := v.coefficients[2*waves.Lanes*p:]
			crossed := v.crossed[2*waves.Lanes*p:]
			modes.Pack(block, lane, re, im)
			copy(crossed[:waves.Lanes], block[waves.Lanes:2*waves.Lanes])
			copy(crossed[waves.Lanes:2*waves.Lanes], block)
		}
	}
	return all
}

// reflected returns the spectra of the functions sign f(-x).
func reflected(spectra [][]float64, sign int) (images [][]float64) {
	for _, spectrum := range spectra {
		image := slices.Clone(spectrum)
		for i := range image {
			image[i] *= float64(sign * (1 - 2*(i%2)))
		}
		images = append(images, image)
	}
	return images
}

// kernelBlock sets z to a block of k(a, S_s a_j) over s for the eight inputs of a view, and transforms it. spectrum
// belongs to a, square is its sum of squares in the metric.
func kernelBlock(w *waves.Waves, z []float64, v *view, spectrum []float64, square float64) {
	w.Plan.InverseOf(z, v.inputs, spectrum)
	shift := v.squares
	floats.AddConst(square, shift[:])
	activation.Rational.Apply(z, &shift)
	w.Plan.Forward(z)
}

// equivariantBlock is the number of inputs that meet the views together, in viewParts parts.
const (
	equivariantBlock = 4
	viewParts        = 8
)

// predict evaluates the operator for some inputs. With K = K_l + i K_(4+l) at frequency k in a lane of the transformed
// block and P = C_l - i C_(4+l) in the same lane of the coefficients, twice the sum K_l C_l + K_(4+l) C_(4+l) is K P at
// k and the conjugate of K P at -k: the output is the real part of the inverse transform. The error is ctx's.
func (e *Equivariant) predict(ctx context.Context, outputs, inputs grid.Batch, workers int) error {
	w := e.waves
	metric := e.metric(w)
	spectra := waves.Normalised(w, inputs)
	size := 2 * waves.Lanes * w.N()
	squares := make([]float64, len(spectra))
	for i, spectrum := range spectra {
		squares[i] = weighedSquare(metric, spectrum)
	}
	var sums [viewParts][]float64 // of each input and part: re K re P, im K im P; re K im P, im K re P
	newBlock := func() []float64 { return make([]float64, size) }
	err := parallel.With(ctx, workers, viewParts, newBlock, func(z []float64, part int) error {
		sums[part] = make([]float64, 2*size*len(spectra))
		end := (part + 1) * len(e.views) / viewParts
		for b := part * len(e.views) / viewParts; b < end; b++ {
			v := &e.views[b]
			for i, spectrum := range spectra {
				kernelBlock(w, z, v, spectrum, squares[i])
				own := sums[part][2*i*size:][:size]
				crossed := sums[part][(2*i+1)*size:][:size]
				w.Plan.Product(own, 1, z, 0, v.coefficients, true)
				w.Plan.Product(crossed, 1, z, 0, v.crossed, true)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, part := range sums[1:] {
		floats.Add(sums[0], part)
	}
	for i := range spectra {
		own := sums[0][2*i*size:][:size]
		crossed := sums[0][(2*i+1)*size:][:size]
		for p := 0; p < size; p += 2 * waves.Lanes {
			at := (*[2 * waves.Lanes]float64)(own[p:])
			c := (*[2 * waves.Lanes]float64)(crossed[p:])
			re := 0.0
			im := 0.0
			for l := range waves.Lanes {
				re += at[l] - at[waves.Lanes+l]
				im += c[l] + c[waves.Lanes+l]
			}
			*at = [2 * waves.Lanes]float64{0: re, waves.Lanes: im}
		}
		w.Plan.Inverse(own)
		w.Domain.Complete(outputs.At(i), own, 2*waves.Lanes)
		if e.constant != nil {
			floats.Add(outputs.At(i), e.constant)
		}
	}
	return nil
}

func (p circulant) Blocks() int { return len(p.waves.Half) }

func (p circulant) Together(workers int) int { return ridge.Together(2*len(p.inputs), workers) }

func (p circulant) Targets(block int) []float64 {
	position := p.waves.Half[block]
	targets := make([]float64, 0, 2*len(p.outputs))
	for _, u := range p.outputs {
		targets = append(targets, u[2*position:2*position+2]...)
	}
	return targets
}

// Gram implements ridge.Kernel. Unknowns are the real and the imaginary part of c_i(q) at a position q in turn. With
// K = A + i B for the pairs and K' = A' + i B' for their reflections, times the reflection's sign, the rows of the real
// and of the imaginary part are
//
//	(A + A') re c - (B - B') im c,  (B + B') re c + (A - A') im c.
func (p circulant) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	w := p.waves
	n := len(p.inputs)
	metric := p.metric(w)
	offset := 0.0
	if p.Offset {
		offset = 1
	}
	some := w.Half[first : first+count]
	systems := make([]*linalg.Symmetric, len(some))
	for q := range systems {
		systems[q] = linalg.NewSymmetric(2 * n)
	}
	views := newViews(w, metric, p.inputs, nil)
	var images []view // of the reflections, if there are any
	sign := float64(p.Reflection)
	if p.Reflection != 0 {
		images = newViews(w, metric, reflected(p.inputs, p.Reflection), nil)
	}
	newBlock := func() []float64 { return make([]float64, 2*2*waves.Lanes*w.N()) }
	return systems, parallel.With(ctx, workers, n, newBlock, func(work []float64, i int) error {
		square := weighedSquare(metric, p.inputs[i])
		z := work[:len(work)/2]
		image := work[len(work)/2:]
		for b := i / (2 * waves.Lanes); b < len(views); b++ {
			kernelBlock(w, z, &views[b], p.inputs[i], square)
			if images != nil {
				kernelBlock(w, image, &images[b], p.inputs[i], square)
			}
			for q, position := range some {
				real := systems[q].Row(2 * i)
				imaginary := systems[q].Row(2*i + 1) // begins one entry later
				for j := max(i, 2*waves.Lanes*b); j < min(2*waves.Lanes*(b+1), n); j++ {
					re, im := p.unpack(z, position, j%(2*waves.Lanes))
					var reflected, turned float64
					if images != nil {
						a, b := p.unpack(image, position, j%(2*waves.Lanes))
						reflected = sign * a
						turned = sign * b
					}
					at := 2 * (j - i)
					real[at] = re + reflected + offset
					real[at+1] = turned - im
					imaginary[at] = re - reflected + offset
					if j > i {
						imaginary[at-1] = im + turned
					}
				}
			}
		}
		return nil
	})
}

// unpack returns the coefficient of the real sequence l at a position of a transformed block, divided by the number of
// points.
func (p circulant) unpack(z []float64, position, l int) (re, im float64) {
	n := 2 * float64(p.waves.N())
	lane := l % waves.Lanes
	a := z[2*waves.Lanes*position+lane:]
	b := z[2*waves.Lanes*p.waves.Mirror[position]+lane:]
	if l < waves.Lanes {
		return (a[0] + b[0]) / n, (a[waves.Lanes] - b[waves.Lanes]) / n
	}
	return (a[waves.Lanes] + b[waves.Lanes]) / n, (b[0] - a[0]) / n
}
