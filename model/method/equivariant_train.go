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
	if like, ok := core(o.Like).(*Equivariant); ok {
		return p.fit(ctx, like.Shape, o.Workers)
	}
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	samples := searches[pairs.Inputs.Domain.Dims-1]
	some, err := p.some(order, samples[0])
	if err != nil {
		return nil, err
	}
	s, score, err := some.search(ctx, o, nil)
	if err == nil {
		err = o.look(score)
	}
	if err == nil && !o.rough {
		fine := samples[1]
		// the search must not take far longer than the fit
		fine.pairs = min(fine.pairs, max(samples[0].pairs, pairs.Count()/8))
		if some, err = p.some(order, fine); err == nil {
			s, _, err = some.search(ctx, o, &s)
		}
	}
	if err != nil {
		return nil, err
	}
	return p.fit(ctx, s, o.Workers)
}

// circulant holds the transformed pairs. It is the kernel with the parameters of its Shape, at each wavenumber, one of
// k and -k.
type circulant struct {
	Shape
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
	p := &circulant{pairs: pairs, waves: w, inputs: normalised(w, pairs.Inputs), outputs: w.spectra(pairs.Outputs),
		sizes: sizes}
	if s := p.spread(Shape{Cutoff: 1}); !(s > 0) { // of equal weights
		return nil, sameInputs()
	}
	return p, nil
}

// spread returns the root mean square distance of two inputs, not in units of the length.
func (p *circulant) spread(s Shape) float64 {
	s.Length = 1
	weights, n, sum := s.metric(p.waves), float64(len(p.inputs)), 0.0
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
	cutoffLadder = [...]float64{0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8, 11, 16, 23, 32}
	decayLadder  = [...]float64{0, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 4}
	spanLadder   = [...]float64{0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1, 1.4, 2, 3, 4, 6, 8, 12, 16, 24}
)

// search returns the shape with the least leave-one-out error, and that error. Without a shape to begin with it
// searches in large steps, from length 1 and no symmetry besides translations, unless the options ask for one; else in
// small steps. Lengths are relative to the distance of two inputs meanwhile. The error is ctx's.
func (p *circulant) search(ctx context.Context, o Options, from *Shape) (Shape, float64, error) {
	cutoffs, decays, lengths, ridges := cutoffLadder[:], decayLadder[:], spanLadder[:], ridgeLadder[:]
	start := Shape{Cutoff: cutoffs[4], Decay: decays[4], Length: 1, Ridge: ridges[4]}
	given := slices.Index(reflectionWords[:], o.Symmetry)
	if given >= 0 {
		start.Reflection = given - 1
	}
	if from != nil {
		start = *from
		start.Length /= p.spread(start)
		cutoffs, decays, lengths, ridges = nil, nil, nil, nil
		for step := -8.0; step <= 8; step++ {
			cutoffs, decays = append(cutoffs, start.Cutoff*math.Exp2(step/2)), append(decays, max(0, start.Decay+step/10))
			lengths, ridges = append(lengths, start.Length*math.Exp2(step/4)), append(ridges, start.Ridge*math.Exp2(step))
		}
		decays = slices.Compact(decays)
	}
	over := ridge.Over[Shape, float64]
	ladders := []ridge.Ladder[Shape]{over(cutoffs, func(s *Shape) *float64 { return &s.Cutoff }),
		over(decays, func(s *Shape) *float64 { return &s.Decay }),
		over(lengths, func(s *Shape) *float64 { return &s.Length }),
		over(ridges, func(s *Shape) *float64 { return &s.Ridge })}
	if from == nil && given < 0 {
		ladders = append(ladders, ridge.Over([]int{-1, 0, 1}, func(s *Shape) *int { return &s.Reflection }),
			ridge.Over([]bool{false, true}, func(s *Shape) *bool { return &s.Offset }))
	}
	absolute := func(s Shape) Shape {
		s.Length *= p.spread(s)
		return s
	}
	best, least, err := ridge.Search(start, ladders, func(s Shape) (float64, error) {
		_, _, score, err := p.solve(ctx, absolute(s), o.Workers)
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
func (p circulant) solve(ctx context.Context, s Shape, workers int) (c, left [][]float64, leaveOneOut float64,
	err error) {
	n, w := len(p.inputs), p.waves
	missed := make([]float64, n)
	for range n {
		c, left = append(c, make([]float64, 2*w.n())), append(left, make([]float64, 2*w.n()))
	}
	groups := ridge.Labelled(p.pairs.Groups, n).Times(2)
	p.Shape = s
	err = ridge.SolveBlocks(ctx, p, s.Ridge, groups, workers, func(block int, solved ridge.Solution) {
		position := w.half[block]
		for i := range n {
			w.set(c[i], position, solved.Coefficients[2*i], solved.Coefficients[2*i+1])
			re, im := solved.Residuals[2*i], solved.Residuals[2*i+1]
			w.set(left[i], position, re, im)
			missed[i] += w.multiplicity(position) * (re*re + im*im)
		}
	})
	for i, v := range missed {
		leaveOneOut += math.Sqrt(v) / float64(w.n()) / p.sizes[i] / float64(n)
	}
	return c, left, leaveOneOut, err
}

func (p circulant) Blocks() int { return len(p.waves.half) }

func (p circulant) Together(workers int) int { return systemsTogether(len(p.inputs), workers) }

func (p circulant) Targets(block int) []float64 {
	position, targets := p.waves.half[block], make([]float64, 0, 2*len(p.outputs))
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
	w, some, n, metric := p.waves, p.waves.half[first:first+count], len(p.inputs), p.metric(p.waves)
	sign, offset, systems := float64(p.Reflection), 0.0, make([]*linalg.Symmetric, len(some))
	if p.Offset {
		offset = 1
	}
	for q := range systems {
		systems[q] = linalg.NewSymmetric(2 * n)
	}
	views, images := newViews(w, metric, p.inputs, nil), []view(nil)
	if p.Reflection != 0 {
		images = newViews(w, metric, reflected(p.inputs, p.Reflection), nil)
	}
	newBlock := func() []float64 { return make([]float64, 2*2*lanes*w.n()) }
	return systems, parallel.With(ctx, workers, n, newBlock, func(work []float64, i int) error {
		square := weighedSquare(metric, p.inputs[i])
		z, image := work[:len(work)/2], work[len(work)/2:]
		for b := i / (2 * lanes); b < len(views); b++ {
			kernelBlock(w, z, &views[b], p.inputs[i], square)
			if images != nil {
				kernelBlock(w, image, &images[b], p.inputs[i], square)
			}
			for q, position := range some {
				real, imaginary := systems[q].Row(2*i), systems[q].Row(2*i+1)
				for j := max(i, 2*lanes*b); j < min(2*lanes*(b+1), n); j++ {
					re, im := p.unpack(z, position, j%(2*lanes))
					reflected, turned := 0.0, 0.0
					if images != nil {
						reflected, turned = p.unpack(image, position, j%(2*lanes))
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
}

// unpack returns the coefficient of the real sequence l at a position of a transformed block, divided by the number of
// points.
func (p circulant) unpack(z []float64, position, l int) (re, im float64) {
	lane, n := l%lanes, 2*float64(p.waves.n())
	a, b := z[2*lanes*position+lane:], z[2*lanes*p.waves.mirror[position]+lane:]
	if l < lanes {
		return (a[0] + b[0]) / n, (a[lanes] - b[lanes]) / n
	}
	return (a[lanes] + b[lanes]) / n, (b[0] - a[0]) / n
}
