package method

import (
	"context"
	"math"
	"slices"

	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/parallel"
	"rfm/solver/resample"
)

// equivariantKernel fits an Equivariant to pairs on a periodic domain. Its parameters minimise the leave-one-out error,
// exact in closed form, by descents along each in turn, in large and then in small steps. The descents use some of the
// pairs, drawn if there are many, on a coarse grid. Errors: those of Method.Train.
func equivariantKernel(ctx context.Context, pairs dataset.Pairs, o Options) (*Equivariant, error) {
	p, err := newCirculant(pairs)
	if err != nil {
		return nil, err
	}
	if like, ok := Unscaled(o.Like).(*Equivariant); ok {
		return p.fit(ctx, like.Shape, o.Workers)
	}
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	search := searches[pairs.Inputs.Domain.Dims-1]
	some, err := p.some(order, search[0])
	if err != nil {
		return nil, err
	}
	chosen, score, err := some.choose(ctx, o)
	if err == nil {
		err = o.look(score)
	}
	if err != nil {
		return nil, err
	}
	if o.rough {
		return p.fit(ctx, chosen, o.Workers)
	}
	fine := search[1]
	fine.pairs = min(fine.pairs, max(search[0].pairs, pairs.Count()/8)) // the search must not take far longer than the fit
	if some, err = p.some(order, fine); err != nil {
		return nil, err
	}
	if chosen, _, err = some.refine(ctx, chosen, o.Workers); err != nil {
		return nil, err
	}
	return p.fit(ctx, chosen, o.Workers)
}

// circulant holds the transformed pairs.
type circulant struct {
	pairs   dataset.Pairs
	waves   *waves
	inputs  [][]float64 // normalised spectra
	outputs [][]float64 // spectra
	sizes   []float64   // L2 norms of the outputs
}

func newCirculant(pairs dataset.Pairs) (*circulant, error) {
	sizes, err := checked(pairs)
	if err != nil {
		return nil, err
	}
	w := newWaves(pairs.Inputs.Domain, pairs.Inputs.Points)
	p := &circulant{pairs, w, normalised(w, pairs.Inputs), w.spectra(pairs.Outputs), sizes}
	if s := p.spread(Shape{Cutoff: 1}.weights(w)); !(s > 0) { // of equal weights
		return nil, sameInputs()
	}
	return p, nil
}

// spread returns the root mean square distance of two inputs with the given weights.
func (p *circulant) spread(weights []float64) float64 {
	n, sum := float64(len(p.inputs)), 0.0
	mean := make([]float64, 2*p.waves.n())
	for _, spectrum := range p.inputs {
		sum += 2 * weighedSquare(weights, spectrum) / n
		for i, v := range spectrum {
			mean[i] += v / n
		}
	}
	return math.Sqrt(max(0, sum-2*weighedSquare(weights, mean)))
}

// sample bounds the pairs that choose parameters, and the points along an axis.
type sample struct{ pairs, points int }

// searches holds the samples of both descents in one and in two dimensions. A grid of 33 points loses as much of
// Burgers' solutions as the error of a good model.
var searches = [...][2]sample{{{64, 33}, {128, 65}}, {{64, 17}, {64, 17}}}

// some returns the problem with some pairs, on a coarse grid.
func (p *circulant) some(order []int, most sample) (*circulant, error) {
	domain, points := p.pairs.Inputs.Domain, p.pairs.Inputs.Points
	if points > most.points {
		for points = most.points; points > 3 && !domain.Exists(points); points-- {
		}
	}
	part := p.pairs.Take(order[:min(len(order), most.pairs)])
	for _, b := range []*grid.Batch{&part.Inputs, &part.Outputs} {
		var err error
		if *b, err = resample.To(*b, points); err != nil {
			return nil, err
		}
	}
	return newCirculant(part)
}

// The possible values of the parameters; lengths are relative to the root mean square distance of two inputs.
var (
	cutoffLadder     = [...]float64{0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 23, 32}
	decayLadder      = [...]float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4}
	spanLadder       = [...]float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24}
	reflectionLadder = [...]int{-1, 0, 1}
	offsetLadder     = [...]bool{false, true}
)

// choose begins its search with length 1 and no symmetry besides translations, unless the options ask for one. It also
// returns the leave-one-out error. The error is ctx's.
func (p *circulant) choose(ctx context.Context, o Options) (Shape, float64, error) {
	reflections, offsets := reflectionLadder[:], offsetLadder[:]
	start := Shape{Cutoff: cutoffLadder[4], Decay: decayLadder[4], Length: 1, Ridge: ridgeLadder[4]}
	if given := slices.Index(reflectionWords[:], o.Symmetry); given >= 0 {
		start.Reflection, reflections, offsets = given-1, nil, nil
	}
	return p.descend(ctx, start, append(ladders(cutoffLadder[:], decayLadder[:], spanLadder[:], ridgeLadder[:]),
		ridge.Over(reflections, func(s *Shape) *int { return &s.Reflection }),
		ridge.Over(offsets, func(s *Shape) *bool { return &s.Offset })), o.Workers)
}

// ladders returns those of the numbers of a Shape.
func ladders(cutoffs, decays, lengths, ridges []float64) []ridge.Ladder[Shape] {
	over := ridge.Over[Shape, float64]
	return []ridge.Ladder[Shape]{over(cutoffs, func(s *Shape) *float64 { return &s.Cutoff }),
		over(decays, func(s *Shape) *float64 { return &s.Decay }),
		over(lengths, func(s *Shape) *float64 { return &s.Length }),
		over(ridges, func(s *Shape) *float64 { return &s.Ridge })}
}

// refine descends from given parameters in small steps, to the leave-one-out error that it returns. The error is ctx's.
func (p *circulant) refine(ctx context.Context, from Shape, workers int) (Shape, float64, error) {
	from.Length /= p.spread(from.weights(p.waves))
	var cutoffs, decays, lengths, ridges []float64
	for step := -8.0; step <= 8; step++ {
		cutoffs, decays = append(cutoffs, from.Cutoff*math.Exp2(step/2)), append(decays, max(0, from.Decay+step/10))
		lengths, ridges = append(lengths, from.Length*math.Exp2(step/4)), append(ridges, from.Ridge*math.Exp2(step))
	}
	return p.descend(ctx, from, ladders(cutoffs, slices.Compact(decays), lengths, ridges), workers)
}

// descend returns the shape of the least leave-one-out error, and that error. Lengths of the start and of ladders are
// relative to the distance of two inputs.
func (p *circulant) descend(ctx context.Context, start Shape, ladders []ridge.Ladder[Shape], workers int) (Shape,
	float64, error) {
	absolute := func(s Shape) Shape {
		s.Length *= p.spread(s.weights(p.waves))
		return s
	}
	best, least, err := ridge.Search(start, ladders, func(s Shape) (float64, error) {
		_, _, score, err := p.solve(ctx, absolute(s), workers)
		return score, err
	})
	return absolute(best), least, err
}

// fit solves with the given parameters, and with a larger ridge where solving fails. The error is ctx's, or a
// *fault.Numerical.
func (p *circulant) fit(ctx context.Context, s Shape, workers int) (*Equivariant, error) {
	var c, left [][]float64
	e := &Equivariant{place: placeOf(p.pairs), Inputs: p.pairs.Inputs.Data}
	err := ridge.Raise(&s.Ridge, &s.Chosen, "the equivariant kernel", func() (err error) {
		c, left, e.Error, err = p.solve(ctx, s, workers)
		return err
	})
	if err != nil {
		return nil, err
	}
	e.Shape = s
	coefficients, err := p.waves.functions(ctx, c, workers)
	if err != nil {
		return nil, err
	}
	e.Coefficients = coefficients.Data
	if e.left, err = p.waves.functions(ctx, left, workers); err != nil {
		return nil, err
	}
	return e.prepare(), nil
}

// systemBytes bounds the memory of concurrent systems, unless one for each worker takes more.
const systemBytes = 1 << 28

// systemsTogether returns the number of systems of n pairs that are in memory at the same time.
func systemsTogether(n, workers int) int { return max(workers, systemBytes/(8*4*n*n), 1) }

// solve computes the spectra of the coefficients and of the leave-one-out residuals, and the leave-one-out error: a
// pair is left out with all its images and with the pairs of its group, at every wavenumber. The error is that of
// ridge.SolveBlocks.
func (p *circulant) solve(ctx context.Context, s Shape, workers int) (c, left [][]float64, leaveOneOut float64,
	err error) {
	n, w := len(p.inputs), p.waves
	missed := make([]float64, n)
	for range n {
		c, left = append(c, make([]float64, 2*w.n())), append(left, make([]float64, 2*w.n()))
	}
	groups := ridge.Labelled(p.pairs.Groups, n).Times(2)
	err = ridge.SolveBlocks(ctx, wavenumbers{p, s}, s.Ridge, groups, workers, func(block int, solved ridge.Solution) {
		position := w.half[block]
		mirror, multiplicity := w.mirror[position], w.multiplicity(position)
		set := func(spectrum []float64, re, im float64) {
			spectrum[2*mirror], spectrum[2*mirror+1] = re, -im
			spectrum[2*position], spectrum[2*position+1] = re, im // last, because the mirror may be the position
		}
		for i := range c {
			set(c[i], solved.Dual[2*i], solved.Dual[2*i+1])
			re, im := solved.Residuals[2*i], solved.Residuals[2*i+1]
			set(left[i], re, im)
			missed[i] += multiplicity * (re*re + im*im)
		}
	})
	for i, v := range missed {
		leaveOneOut += math.Sqrt(v) / float64(w.n()) / p.sizes[i] / float64(n)
	}
	return c, left, leaveOneOut, err
}

// wavenumbers is the kernel with the given parameters at each wavenumber, one of k and -k.
type wavenumbers struct {
	*circulant
	shape Shape
}

func (k wavenumbers) Blocks() int { return len(k.waves.half) }

func (k wavenumbers) Together(workers int) int {
	return systemsTogether(len(k.circulant.inputs), workers)
}

func (k wavenumbers) Targets(block int) []float64 {
	position := k.waves.half[block]
	targets := make([]float64, 2*len(k.outputs))
	for i, u := range k.outputs {
		targets[2*i], targets[2*i+1] = u[2*position], u[2*position+1]
	}
	return targets
}

// Gram implements ridge.Kernel. Unknowns are the real and the imaginary part of c_i(q) at a position q in turn. With
// K = A + i B for the pairs and K' = A' + i B' for their reflections, times the reflection's sign, the rows of the real
// and of the imaginary part are
//
//	(A + A') re c - (B - B') im c,  (B + B') re c + (A - A') im c.
func (k wavenumbers) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	p, s, w, some := k.circulant, k.shape, k.waves, k.waves.half[first:first+count]
	n, metric, sign, offset := len(p.inputs), s.metric(w), float64(s.Reflection), 0.0
	if s.Offset {
		offset = 1
	}
	systems := make([]*linalg.Symmetric, len(some))
	for q := range systems {
		systems[q] = linalg.NewSymmetric(2 * n)
	}
	var views, images []view
	for first := 0; first < n; first += 2 * lanes {
		spectra := p.inputs[first:min(first+2*lanes, n)]
		views = append(views, newView(w, metric, spectra, 0))
		if s.Reflection != 0 {
			images = append(images, newView(w, metric, spectra, s.Reflection))
		}
	}
	newBlock := func() []float64 { return make([]float64, 2*2*lanes*w.n()) }
	err := parallel.With(ctx, workers, n, newBlock, func(work []float64, i int) error {
		square := weighedSquare(metric, p.inputs[i])
		z, image := work[:len(work)/2], work[len(work)/2:]
		for b := i / (2 * lanes); b < len(views); b++ {
			s.kernelBlock(w, z, &views[b], p.inputs[i], square)
			if s.Reflection != 0 {
				s.kernelBlock(w, image, &images[b], p.inputs[i], square)
			}
			for q, position := range some {
				real, imaginary := systems[q].Row(2*i), systems[q].Row(2*i+1)
				for l := range 2 * lanes {
					j := 2*lanes*b + l
					if j < i || j >= n {
						continue
					}
					re, im := p.unpack(z, position, l)
					reflected, turned := 0.0, 0.0
					if s.Reflection != 0 {
						reflected, turned = p.unpack(image, position, l)
						reflected, turned = sign*reflected, sign*turned
					}
					at := 2 * (j - i)
					real[at], real[at+1] = re+reflected+offset, turned-im
					imaginary[at] = re - reflected + offset // the row begins one entry later
					if j > i {
						imaginary[at-1] = im + turned
					}
				}
			}
		}
		return nil
	})
	return systems, err
}

// unpack returns the coefficient of the real sequence l at a position of a transformed block, divided by the number of
// points.
func (p *circulant) unpack(z []float64, position, l int) (re, im float64) {
	lane, n := l%lanes, 2*float64(p.waves.n())
	a, b := z[2*lanes*position+lane:], z[2*lanes*p.waves.mirror[position]+lane:]
	if l < lanes {
		return (a[0] + b[0]) / n, (a[lanes] - b[lanes]) / n
	}
	return (a[lanes] + b[lanes]) / n, (b[0] - a[0]) / n
}
