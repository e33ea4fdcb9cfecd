// This file solves for coefficients of random features that are functions, and chooses what has to be chosen.

package method

import (
	"context"
	"math"
	"slices"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
)

// Convolved learns functions as coefficients of these features.
func (r Random) Convolved() Method {
	return Method{Name: config.Convolved, Title: "features with functions", Most: mostCirculant,
		Bytes: circulantBytes, suits: translated,
		train: func(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
			drawn, err := r.Drawn.Calibrate(ctx, pairs.Inputs, o.Workers)
			if err != nil {
				return nil, err
			}
			// Validate refuses other features, and those that know places.
			return trainConvolved(ctx, drawn.(feature.Spectral), pairs, o)
		}}
}

// convolving is pairs with the features of their inputs. With p_j(q) the Fourier coefficients of phi_j(a), alpha solves
//
//	sum_j alpha_j(q) p_j(q)/m = u(q)
//
// for all pairs, with the least ridge |alpha|^2: by the kernel sum_j p_ij(q) p_lj(q)*/m, one for each wavenumber. A
// reflection R adds R alpha_j * R phi_j(R a), of which one sees the mean.
type convolving struct {
	*circulant
	bank       *bank
	count      int // m
	reflection int
}

func newConvolving(ctx context.Context, f feature.Spectral, pairs dataset.Pairs, reflection int) (*convolving, error) {
	p, err := newCirculant(pairs)
	if err != nil {
		return nil, err
	}
	theta, err := resample.To(f.Theta.First(f.M), pairs.Inputs.Points)
	if err != nil {
		return nil, err
	}
	filters := normalised(p.waves, theta)
	for j, spectrum := range filters {
		for q, k := range p.waves.magnitude {
			factor := f.Gain * f.AtFrequency(k)
			spectrum[2*q], spectrum[2*q+1] = factor*spectrum[2*q], factor*spectrum[2*q+1]
			if k == 0 && f.Means != nil { // which filters do not see
				spectrum[2*q] = f.Means[j]
			}
		}
	}
	bias := make([]float64, f.M)
	copy(bias, f.Bias)
	return &convolving{p, newBank(p.waves, f.Activation, filters, bias, f.Centred), f.M, reflection}, ctx.Err()
}

// convolvedRidges are the values of the ridge that are tried, relative to the mean square of a wave of the features.
var convolvedRidges = []float64{1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2}

// convolvedSearches are the pairs, and the bound of points along an axis, on which ridge and reflection are chosen.
var convolvedSearches = [...]sample{{128, 129}, {64, 17}}

func trainConvolved(ctx context.Context, f feature.Spectral, pairs dataset.Pairs, o Options) (Operator, error) {
	whole, err := newConvolving(ctx, f, pairs, 0)
	if err != nil {
		return nil, err
	}
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	some, err := whole.some(order, convolvedSearches[pairs.Inputs.Domain.Dims-1])
	if err != nil {
		return nil, err
	}
	reflections := reflectionLadder[:]
	if given, ok := givenReflection[o.Symmetry]; ok {
		reflections = []int{given}
	}
	least, ridge := math.Inf(1), 0.0
	for _, reflection := range reflections {
		few, err := newConvolving(ctx, f, some.pairs, reflection)
		if err != nil {
			return nil, err
		}
		score, found, err := few.choose(ctx, o.Workers)
		if err != nil {
			return nil, err
		}
		if score < least {
			least, ridge, whole.reflection = score, found, reflection
		}
	}
	return whole.train(ctx, ridge, o.Workers)
}

// train solves with a ridge, raised where it is below the rounding errors of so many pairs. Errors: ctx's, or a
// *fault.Numerical.
func (p *convolving) train(ctx context.Context, ridge float64, workers int) (Operator, error) {
	build := func(some []int) ([]*linalg.Symmetric, error) { return p.systems(ctx, some, workers) }
	c, leaveOneOut, err := p.solveWith(ctx, build, ridge, workers)
	for most := 30; err == nil && !grid.Finite(leaveOneOut); most-- {
		if most == 0 || ridge == 0 {
			return nil, &fault.Numerical{Where: "features with functions as coefficients",
				What: "the systems are not positive definite", Do: "look for inputs that occur twice, or lower features.rms"}
		}
		ridge *= 2
		c, leaveOneOut, err = p.solveWith(ctx, build, ridge, workers)
	}
	if err != nil {
		return nil, err
	}
	found := &Convolved{place: placeOf(p.pairs), activation: p.bank.activation, bias: p.bank.bias[:p.count], ridge: ridge,
		centred: p.bank.constant >= 0}
	found.leaveOneOut = leaveOneOut
	spectra, err := p.primal(ctx, c, workers)
	if err != nil {
		return nil, err
	}
	if found.coefficients, err = p.waves.functions(ctx, spectra, workers); err != nil {
		return nil, err
	}
	for j := range spectra {
		spectra[j] = p.filter(j)
	}
	if found.filters, err = p.waves.functions(ctx, spectra, workers); err != nil {
		return nil, err
	}
	if p.reflection == 0 {
		return found.prepare(), nil
	}
	motions := p.pairs.Inputs.Domain.Reflections(p.reflection < 0)
	return symmetrised{found.prepare(), feature.Symmetry{Motions: motions}}, nil
}

// filter is the spectrum of w_j, not normalised.
func (p *convolving) filter(j int) []float64 {
	spectrum, n := make([]float64, 2*p.waves.n()), float64(p.waves.n())
	l, block := j%(2*lanes), p.bank.views[j/(2*lanes)].inputs
	for q := range p.waves.n() {
		re, im := p.unpack(block, q, l)
		spectrum[2*q], spectrum[2*q+1] = n*n*re, n*n*im
	}
	return spectrum
}

// choose finds the ridge with the least leave-one-out error. The error is ctx's.
func (p *convolving) choose(ctx context.Context, workers int) (least, ridge float64, err error) {
	systems, err := p.systems(ctx, p.waves.half, workers)
	if err != nil {
		return 0, 0, err
	}
	unit := 0.0
	for _, s := range systems {
		mean := 0.0
		for i := range s.Order() {
			mean += s.At(i, i) / float64(s.Order())
		}
		unit = max(unit, mean)
	}
	least = math.Inf(1)
	for _, r := range convolvedRidges {
		_, score, err := p.solveWith(ctx, func(some []int) ([]*linalg.Symmetric, error) {
			var copies []*linalg.Symmetric
			for _, q := range some {
				copies = append(copies, systems[slices.Index(p.waves.half, q)].Clone())
			}
			return copies, nil
		}, r*unit, workers)
		if err != nil {
			return 0, 0, err
		}
		if score < least {
			least, ridge = score, r*unit
		}
	}
	return least, ridge, nil
}

// viewsTogether is the number of views whose features are held at once.
const viewsTogether = 8

// systems are the matrices of the kernel for some positions q. Unknowns are those of circulant.systems.
func (p *convolving) systems(ctx context.Context, some []int, workers int) ([]*linalg.Symmetric, error) {
	n := len(p.inputs)
	systems, factors := make([]*linalg.Symmetric, len(some)), make([]*linalg.Panels, len(some))
	for q := range systems {
		systems[q] = linalg.NewSymmetric(2 * n)
		factors[q] = linalg.NewPanels(viewsTogether*2*lanes*2, 2*n)
	}
	size := 1 / math.Sqrt(float64(p.count))
	for first := 0; first < len(p.bank.views); first += viewsTogether {
		last := min(first+viewsTogether, len(p.bank.views))
		err := parallel.With(ctx, workers, n, p.newScratch, func(s pairScratch, i int) error {
			for v := first; v < last; v++ {
				p.evaluate(v, i, s)
				for q, position := range some {
					panel := factors[q].Panel(2 * i / 4)
					for l := range 2 * lanes {
						row := 4*2*(2*lanes*(v-first)+l) + 2*i%4
						if 2*lanes*v+l >= p.count {
							panel[row], panel[row+1], panel[row+4], panel[row+5] = 0, 0, 0, 0
							continue
						}
						f := p.entries(s, position, l)
						panel[row], panel[row+1], panel[row+4], panel[row+5] = size*f[0], size*f[1], size*f[2], size*f[3]
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		err = parallel.For(ctx, workers, len(some), func(_, q int) error {
			_, err := systems[q].RankUpdateFrom(ctx, factors[q], (last-first)*2*lanes*2, 0, 1)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return systems, nil
}

// pairScratch is the working memory of one goroutine: features of an input, and of its image.
type pairScratch struct {
	*scratch
	image  *scratch
	turned []float64 // spectrum of the image
}

func (p *convolving) newScratch() pairScratch {
	return pairScratch{p.waves.newScratch(), p.waves.newScratch(), make([]float64, 2*p.waves.n())}
}

// evaluate transforms the features of a view for input i, and for its image.
func (p *convolving) evaluate(v, i int, s pairScratch) {
	p.bank.features(v, p.inputs[i], s.scratch)
	if p.reflection == 0 {
		return
	}
	sign := float64(p.reflection)
	for q := range p.waves.n() { // a(-x) has the conjugate spectrum
		s.turned[2*q], s.turned[2*q+1] = sign*p.inputs[i][2*q], -sign*p.inputs[i][2*q+1]
	}
	p.bank.features(v, s.turned, s.image)
}

// entries are what the real and the imaginary part of alpha_j(q) have to do with those of an output: re with re, re
// with im, im with re, im with im.
func (p *convolving) entries(s pairScratch, position, l int) [4]float64 {
	re, im := p.unpack(s.z, position, l)
	if p.reflection == 0 {
		return [4]float64{re, im, -im, re}
	}
	a, b := p.unpack(s.image.z, position, l)
	a, b = float64(p.reflection)*a, float64(p.reflection)*b
	return [4]float64{(re + a) / 2, (im - b) / 2, -(im + b) / 2, (re - a) / 2}
}

// primal are the spectra of alpha_j for the solution c of the systems.
func (p *convolving) primal(ctx context.Context, c [][]float64, workers int) ([][]float64, error) {
	spectra := make([][]float64, p.count)
	err := parallel.With(ctx, workers, len(p.bank.views), p.newScratch, func(s pairScratch, v int) error {
		for l := range min(2*lanes, p.count-2*lanes*v) {
			spectra[2*lanes*v+l] = make([]float64, 2*p.waves.n())
		}
		for i := range p.inputs {
			p.evaluate(v, i, s)
			for l := range min(2*lanes, p.count-2*lanes*v) {
				alpha := spectra[2*lanes*v+l]
				for _, q := range p.waves.half {
					f, re, im := p.entries(s, q, l), c[i][2*q], c[i][2*q+1]
					alpha[2*q] += f[0]*re + f[1]*im
					alpha[2*q+1] += f[2]*re + f[3]*im
				}
			}
		}
		for l := range min(2*lanes, p.count-2*lanes*v) {
			alpha := spectra[2*lanes*v+l]
			for _, q := range p.waves.half {
				if m := p.waves.mirror[q]; m != q {
					alpha[2*m], alpha[2*m+1] = alpha[2*q], -alpha[2*q+1]
				} else {
					alpha[2*q+1] = 0
				}
			}
		}
		return ctx.Err()
	})
	return spectra, err
}
