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

// together is the number of real functions that a block of package fft holds, two in each of its complex lanes: the
// functions l and l + waves.Lanes are real and imaginary part of lane l.
const together = 2 * waves.Lanes

// view holds the data of the training pairs for predictions, eight at a time.
type view struct {
	inputs       []float64         // block of the conjugate spectra of the inputs, times -2 and the metric
	squares      [together]float64 // sum_k of the metric and |a_k|^2
	coefficients []float64         // block of (c_l - i c_(4+l))/N^2; nil while training
	crossed      []float64         // the same with real and imaginary parts exchanged
}

// metric returns the weights of d at each position, in units of the length.
func (s Shape) metric(w *waves.Waves) []float64 {
	metric := make([]float64, w.N())
	for p, k := range w.Magnitude {
		if math.IsInf(k, 1) {
			continue // waves that cannot be told apart do not count
		}
		relative := k / s.Cutoff
		weight := math.Pow(1+relative*relative, -s.Decay)
		metric[p] = weight / (s.Length * s.Length)
	}
	return metric
}

// weighedSquare returns the sum of the weights and |a_k|^2 for a normalised spectrum.
func weighedSquare(weights, spectrum []float64) float64 {
	sum := 0.0
	for p, weight := range weights {
		re := spectrum[2*p]
		im := spectrum[2*p+1]
		sum += weight * (re*re + im*im)
	}
	return sum
}

// newViews packs inputs with the given normalised spectra, and their coefficients; nil: none.
func newViews(w *waves.Waves, metric []float64, inputs, coefficients [][]float64) []view {
	all := make([]view, (len(inputs)+together-1)/together)
	for i := range all {
		all[i].inputs = newBlock(w)
		if coefficients != nil {
			all[i].coefficients = newBlock(w)
			all[i].crossed = newBlock(w)
		}
	}
	for j, spectrum := range inputs {
		v := &all[j/together]
		l := j % together
		v.setInput(l, spectrum, metric)
		if coefficients != nil {
			v.setCoefficients(l, coefficients[j])
		}
	}
	return all
}

// newBlock returns a block of package fft, for functions on the grid of some waves.
func newBlock(w *waves.Waves) []float64 { return make([]float64, together*w.N()) }

// setInput packs the normalised spectrum of input l.
func (v *view) setInput(l int, spectrum, metric []float64) {
	v.squares[l] = weighedSquare(metric, spectrum)
	for p, weight := range metric {
		re := -2 * weight * spectrum[2*p]
		im := 2 * weight * spectrum[2*p+1]
		modes.Pack(v.inputs[together*p:], l, re, im)
	}
}

// setCoefficients packs the spectrum of the coefficients of input l.
func (v *view) setCoefficients(l int, spectrum []float64) {
	sign := 1.0
	if l >= waves.Lanes {
		sign = -1 // packed as an imaginary part it is multiplied by i, and wanted is -i
	}
	for p := range len(spectrum) / 2 {
		block := v.coefficients[together*p:][:together]
		crossed := v.crossed[together*p:][:together]
		modes.Pack(block, l, sign*spectrum[2*p], sign*spectrum[2*p+1])
		copy(crossed[:waves.Lanes], block[waves.Lanes:])
		copy(crossed[waves.Lanes:], block[:waves.Lanes])
	}
}

// reflected returns the spectra of the functions sign f(-x).
func reflected(spectra [][]float64, sign int) (images [][]float64) {
	for _, spectrum := range spectra {
		image := slices.Clone(spectrum)
		floats.Scale(float64(sign), image)
		for im := 1; im < len(image); im += 2 {
			image[im] = -image[im]
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
// k and the conjugate of K P at -k: the output is the real part of the inverse transform. It returns ctx.Err() if ctx
// is done.
func (e *Equivariant) predict(ctx context.Context, outputs, inputs grid.Batch, workers int) error {
	w := e.waves
	metric := e.metric(w)
	spectra := waves.Normalised(w, inputs)
	squares := make([]float64, len(spectra))
	for i, spectrum := range spectra {
		squares[i] = weighedSquare(metric, spectrum)
	}
	var parts [viewParts][]products // of each input
	block := func() []float64 { return newBlock(w) }
	err := parallel.With(ctx, workers, viewParts, block, func(z []float64, part int) error {
		sums := newProducts(w, len(spectra))
		begin := part * len(e.views) / viewParts
		end := (part + 1) * len(e.views) / viewParts
		for b := begin; b < end; b++ {
			v := &e.views[b]
			for i, spectrum := range spectra {
				kernelBlock(w, z, v, spectrum, squares[i])
				w.Plan.Product(sums[i].own, 1, z, 0, v.coefficients, true)
				w.Plan.Product(sums[i].crossed, 1, z, 0, v.crossed, true)
			}
		}
		parts[part] = sums
		return nil
	})
	if err != nil {
		return err
	}
	for i, sum := range parts[0] {
		for _, part := range parts[1:] {
			floats.Add(sum.own, part[i].own)
			floats.Add(sum.crossed, part[i].crossed)
		}
		spectrum := sum.spectrum()
		w.Plan.Inverse(spectrum)
		output := outputs.At(i)
		w.Domain.Complete(output, spectrum, together)
		if e.constant != nil {
			floats.Add(output, e.constant)
		}
	}
	return nil
}

// products are sums of products of the transformed kernel K and the coefficients P of an input, as blocks whose halves
// are the products of real and of imaginary parts.
type products struct {
	own     []float64 // re K re P, im K im P
	crossed []float64 // re K im P, im K re P
}

func newProducts(w *waves.Waves, count int) []products {
	all := make([]products, count)
	for i := range all {
		all[i] = products{own: newBlock(w), crossed: newBlock(w)}
	}
	return all
}

// spectrum sums the complex products of all lanes in the first one, and returns the block, which takes the place of own.
func (p products) spectrum() []float64 {
	for at := 0; at < len(p.own); at += together {
		own := (*[together]float64)(p.own[at:])
		crossed := (*[together]float64)(p.crossed[at:])
		re := 0.0
		im := 0.0
		for l := range waves.Lanes {
			re += own[l] - own[waves.Lanes+l]
			im += crossed[l] + crossed[waves.Lanes+l]
		}
		*own = [together]float64{0: re, waves.Lanes: im}
	}
	return p.own
}

func (p circulant) Blocks() int { return len(p.waves.Half) }

func (p circulant) Together(workers int) int { return ridge.Together(2*len(p.inputs), workers) }

func (p circulant) Targets(block int) []float64 {
	position := p.waves.Half[block]
	targets := make([]float64, 0, 2*len(p.outputs))
	for _, u := range p.outputs {
		targets = append(targets, u[2*position], u[2*position+1])
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
	positions := w.Half[first : first+count]
	systems := make([]*linalg.Symmetric, count)
	for q := range systems {
		systems[q] = linalg.NewSymmetric(2 * n)
	}
	views := newViews(w, metric, p.inputs, nil)
	var images []view // of the reflections, if there are any
	if p.Reflection != 0 {
		images = newViews(w, metric, reflected(p.inputs, p.Reflection), nil)
	}
	newKernels := func() kernels {
		k := kernels{own: newBlock(w)}
		if images != nil {
			k.image = newBlock(w)
		}
		return k
	}
	err := parallel.With(ctx, workers, n, newKernels, func(k kernels, i int) error {
		input := p.inputs[i]
		square := weighedSquare(metric, input)
		for b := i / together; b < len(views); b++ {
			kernelBlock(w, k.own, &views[b], input, square)
			if images != nil {
				kernelBlock(w, k.image, &images[b], input, square)
			}
			for q, position := range positions {
				p.setRows(systems[q], k, position, i, b*together)
			}
		}
		return nil
	})
	return systems, err
}

// kernels are transformed blocks of kernels of one input with eight others.
type kernels struct {
	own   []float64
	image []float64 // with the reflections of the others; nil: there are none
}

// setRows sets the two rows of input i, in the columns of the inputs of a block, of which the first is number first.
func (p circulant) setRows(system *linalg.Symmetric, k kernels, position, i, first int) {
	offset := 0.0
	if p.Offset {
		offset = 1
	}
	sign := float64(p.Reflection)
	real := system.Row(2 * i)
	imaginary := system.Row(2*i + 1) // begins one entry later
	end := min(first+together, len(p.inputs))
	for j := max(i, first); j < end; j++ {
		re, im := p.unpack(k.own, position, j-first)
		var reflected, turned float64
		if k.image != nil {
			a, b := p.unpack(k.image, position, j-first)
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

// unpack returns the coefficient of the real sequence l at a position of a transformed block, divided by the number of
// points.
func (p circulant) unpack(z []float64, position, l int) (re, im float64) {
	n := 2 * float64(p.waves.N())
	lane := l % waves.Lanes
	mirror := p.waves.Mirror[position]
	at := z[together*position+lane:]
	atMirror := z[together*mirror+lane:]
	const imaginary = waves.Lanes
	if l < waves.Lanes {
		re = at[0] + atMirror[0]
		im = at[imaginary] - atMirror[imaginary]
	} else {
		re = at[imaginary] + atMirror[imaginary]
		im = atMirror[0] - at[0]
	}
	return re / n, im / n
}
