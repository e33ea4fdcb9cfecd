package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/config"
	"rfm/model/activation"
	"rfm/model/codec"
	"rfm/model/modes"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/grid"
	"rfm/solver/parallel"
)

// equivariantMethod is the entry of Equivariant in methods.
var equivariantMethod = Method{Name: "equivariant", Title: "equivariant kernel", Most: mostCirculant, Reference: true,
	Bytes: circulantBytes, suits: translated,
	train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
		return operator(equivariantKernel(ctx, pairs, o))
	}}

// mostCirculant is the Method.Most of methods that solve a system of the order of the number of pairs for every wave.
const mostCirculant = 2048

// circulantBytes counts the systems in memory at the same time, the inverse of a factor for each worker, and spectra of
// inputs, outputs and coefficients. Inputs and coefficients count again for their blocks of eight.
func circulantBytes(pairs dataset.Pairs, o Options) float64 {
	n, values := pairs.Count(), float64(pairs.Outputs.Values())
	systems := min(float64(systemsTogether(n, o.Workers)), values/2+1)
	return 8 * float64(n) * (4*float64(n)*(systems+float64(o.Workers)) + 16*values)
}

// translated implements Method.suits for translation-equivariant methods.
func translated(in, out grid.Domain, symmetry string) bool {
	return in.Periodic && in.Width() == 1 && out.Width() == 1 && symmetry != config.NoSymmetry
}

// Equivariant is kernel ridge regression on all translations of every pair. On a periodic grid with N distinct points,
// S_s the translation by s of them,
//
//	F(a) = b + sum_i sum_s k(a, S_s a_i) S_s c_i / N,  k(a, a') = p(d(a, a') / Length),  p(s) = 1 / (1 + s^2 / 2),
//	d(a, a')^2 = sum_k (1 + (|k|/Cutoff)^2)^-Decay |a_k - a'_k|^2
//
// with Fourier coefficients a_k. The matrix of k over all pairs and translations is block circulant. The transform over
// s decouples it into one Hermitian system of the order of the number of pairs for each wavenumber q of the outputs:
//
//	sum_j K_ij(q) c_j(q) + Ridge c_i(q) = u_i(q),  K_ij(q) = sum_s k(a_i, S_s a_j) exp(-2 pi i q s/N) / N.
//
// Reflection adds to every pair its image a(-x), u(-x) (Even), or -a(-x), -u(-x) (Odd), whose coefficients are the
// image of c_i: the systems are then as many real ones of twice the order. Offset adds the function b = sum_i c_i,
// which does not commute with translations.
type Equivariant struct {
	place
	Shape
	Inputs       []float64 `json:"inputs" shape:"pairs grid"`       // a_i
	Coefficients []float64 `json:"coefficients" shape:"pairs grid"` // c_i
	waves        *waves
	views        []view
	constant     []float64 // b; nil: 0
}

// Shape holds the parameters of an Equivariant.
type Shape struct {
	Cutoff     float64 `json:"cutoff"` // wavenumber from which on differences count less
	Decay      float64 `json:"decay"`
	Length     float64 `json:"length"` // in the units of d
	Ridge      float64 `json:"ridge"`
	Chosen     float64 `json:"chosen_ridge,omitempty"` // ridge of the search, if it was too small for all pairs
	Reflection int     `json:"reflection"`             // 0: none, 1: even, -1: odd
	Offset     bool    `json:"offset"`
}

func (*Equivariant) Name() string { return equivariantMethod.Name }

func (e *Equivariant) String() string {
	symmetry := [...]string{"translations and odd reflection", "translations",
		"translations and reflection"}[e.Reflection+1]
	return fmt.Sprintf("kernel ridge regression on %d pairs that commutes with %s, %v kernel, %s",
		len(e.Inputs)/e.values(), symmetry, rational, ridge.InWords(e.Ridge, e.Chosen))
}

// view holds the data of the training pairs for predictions, eight at a time.
type view struct {
	inputs       []float64          // block of the conjugate spectra of the inputs, times -2 and the metric
	squares      [2 * lanes]float64 // sum_k of the metric and |a_k|^2
	coefficients []float64          // block of (c_l - i c_(4+l))/N^2; nil while training
	crossed      []float64          // the same with real and imaginary parts exchanged
}

// lanes is the number of complex sequences in a block of package fft.
const lanes = 4

// metric returns the weights of d at each position, in units of the length.
func (s Shape) metric(w *waves) []float64 {
	metric := make([]float64, w.n())
	for p, k := range w.magnitude {
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
func newViews(w *waves, metric []float64, inputs, coefficients [][]float64) (all []view) {
	for l, spectrum := range inputs {
		if l%(2*lanes) == 0 {
			all = append(all, view{inputs: make([]float64, 2*lanes*w.n())})
			if v := &all[len(all)-1]; coefficients != nil {
				v.coefficients, v.crossed = make([]float64, 2*lanes*w.n()), make([]float64, 2*lanes*w.n())
			}
		}
		v, lane := &all[len(all)-1], l%(2*lanes)
		v.squares[lane] = weighedSquare(metric, spectrum)
		for p, weight := range metric {
			modes.Pack(v.inputs[2*lanes*p:], lane, -2*weight*spectrum[2*p], 2*weight*spectrum[2*p+1])
			if coefficients == nil {
				continue
			}
			re, im := coefficients[l][2*p], coefficients[l][2*p+1]
			if lane >= lanes { // -i times it
				re, im = -re, -im
			}
			block, crossed := v.coefficients[2*lanes*p:], v.crossed[2*lanes*p:]
			modes.Pack(block, lane, re, im)
			copy(crossed[:lanes], block[lanes:2*lanes])
			copy(crossed[lanes:2*lanes], block)
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
func kernelBlock(w *waves, z []float64, v *view, spectrum []float64, square float64) {
	w.plan.InverseOf(z, v.inputs, spectrum)
	shift := v.squares
	floats.AddConst(square, shift[:])
	activation.Rational.Apply(z, &shift)
	w.plan.Forward(z)
}

// normalised returns spectra divided by the number of points.
func normalised(w *waves, functions grid.Batch) [][]float64 {
	all := w.spectra(functions)
	for _, spectrum := range all {
		floats.Scale(1/float64(w.n()), spectrum)
	}
	return all
}

// prepare computes the fields that are not stored.
func (e *Equivariant) prepare() *Equivariant {
	e.waves = newWaves(e.Domain(), e.Points)
	w, c := e.waves, grid.BatchOf(e.Domain(), e.Points, e.Coefficients)
	inputs, coefficients := normalised(w, grid.BatchOf(e.Domain(), e.Points, e.Inputs)), normalised(w, c)
	for _, spectrum := range coefficients {
		floats.Scale(1/float64(w.n()), spectrum)
	}
	if sign := e.Reflection; sign != 0 {
		inputs = append(inputs, reflected(inputs, sign)...)
		coefficients = append(coefficients, reflected(coefficients, sign)...)
	}
	e.views = newViews(w, e.metric(w), inputs, coefficients)
	if e.Offset {
		e.constant = c.Mean()
		floats.Scale(float64(c.Count), e.constant)
	}
	return e
}

func (e *Equivariant) Predict(ctx context.Context, inputs grid.Batch, workers int,
	progress func(added int)) (grid.Batch, error) {
	return e.apply(ctx, inputs, progress, func(inputs grid.Batch, progress func(added int)) (grid.Batch, error) {
		outputs := inputs.Like(inputs.Count)
		return outputs, inBlocks(ctx, inputs.Count, workers, 1, equivariantBlock, func(first, count, workers int) error {
			defer progress(count)
			return e.predict(ctx, outputs.Range(first, count), inputs.Range(first, count), workers)
		})
	})
}

// equivariantBlock is the number of inputs that meet the views together, in viewParts parts.
const equivariantBlock, viewParts = 4, 8

// predict evaluates the operator for some inputs. With K = K_l + i K_(4+l) at frequency k in a lane of the transformed
// block and P = C_l - i C_(4+l) in the same lane of the coefficients, twice the sum K_l C_l + K_(4+l) C_(4+l) is K P at
// k and the conjugate of K P at -k: the output is the real part of the inverse transform. The error is ctx's.
func (e *Equivariant) predict(ctx context.Context, outputs, inputs grid.Batch, workers int) error {
	w, metric := e.waves, e.metric(e.waves)
	spectra, size := normalised(w, inputs), 2*lanes*w.n()
	squares := make([]float64, len(spectra))
	for i, spectrum := range spectra {
		squares[i] = weighedSquare(metric, spectrum)
	}
	var sums [viewParts][]float64 // of each input and part: re K re P, im K im P; re K im P, im K re P
	newBlock := func() []float64 { return make([]float64, size) }
	err := parallel.With(ctx, workers, viewParts, newBlock, func(z []float64, part int) error {
		sums[part] = make([]float64, 2*size*len(spectra))
		for b := part * len(e.views) / viewParts; b < (part+1)*len(e.views)/viewParts; b++ {
			v := &e.views[b]
			for i, spectrum := range spectra {
				kernelBlock(w, z, v, spectrum, squares[i])
				own, crossed := sums[part][2*i*size:][:size], sums[part][(2*i+1)*size:][:size]
				w.plan.Product(own, 1, z, 0, v.coefficients, true)
				w.plan.Product(crossed, 1, z, 0, v.crossed, true)
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
		own, crossed := sums[0][2*i*size:][:size], sums[0][(2*i+1)*size:][:size]
		for p := 0; p < size; p += 2 * lanes {
			at, c := (*[2 * lanes]float64)(own[p:]), (*[2 * lanes]float64)(crossed[p:])
			re, im := 0.0, 0.0
			for l := range lanes {
				re += at[l] - at[lanes+l]
				im += c[l] + c[lanes+l]
			}
			*at = [2 * lanes]float64{0: re, lanes: im}
		}
		w.plan.Inverse(own)
		w.domain.Complete(outputs.At(i), own, 2*lanes)
		if e.constant != nil {
			floats.Add(outputs.At(i), e.constant)
		}
	}
	return nil
}

// Cost implements Operator: two transforms and a kernel for every block of eight pairs.
func (e *Equivariant) Cost(int) float64 {
	n := float64(e.values())
	return float64(len(e.views)) * n * (2*5*lanes*math.Log2(n) + 2*lanes*division + 8*lanes)
}

// division is about the number of multiplications that take as long as a division.
const division = 4

func (*Equivariant) Kind() string { return config.EquivariantKernel }

func (e *Equivariant) Sizes() (map[string][]int, error) {
	all, err := e.place.Sizes()
	switch {
	case err != nil:
	case !e.Periodic || e.in()*e.out() > 1:
		err = codec.Bad("is equivariant under translations of %s, a domain that is not periodic, or has several channels",
			e.Domain().Name())
	case !(e.Cutoff > 0 && e.Length > 0 && e.Ridge >= 0 && e.Decay >= 0) || e.Reflection*e.Reflection > 1:
		err = codec.Bad("has the kernel %+v", e.Shape)
	}
	return all, err
}

func (e *Equivariant) Restored() (any, error) { return e.prepare(), nil }
