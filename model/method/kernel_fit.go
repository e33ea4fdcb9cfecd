package method

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/config"
	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
)

// purposeSearch names the stream that draws the pairs for choosing parameters.
const purposeSearch draw.Purpose = "method-search"

// look is a result of a search on few pairs.
type look struct {
	problem *kernelProblem
	Parameters
	leaveOneOut float64
}

// Searches are repeated on more pairs for lookBest results of a first look, if their errors are within lookWithin of
// the least.
const (
	lookBest   = 3
	lookWithin = 1.5
)

// kernelRidge fits kernel ridge regression to the pairs. Its parameters minimise the leave-one-out error, exact in
// closed form, by descents along each in turn on firstPairs pairs: with each profile, from principal components with and
// without whitening, and from frequencies. The best descend again on searchPairs pairs; the fit uses all. Errors: those
// of Method.Train; a *fault.Data also if Options.Looked is far less.
func kernelRidge(ctx context.Context, pairs dataset.Pairs, o Options) (*KernelRidge, error) {
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	marks := order[:min(cmp.Or(o.exact, MostExact), len(order))]
	like, known := core(o.Like).(*KernelRidge)
	q := Parameters{Length: 1, Ridge: 1e-8}
	var looks []look
	for _, describe := range []func(grid.Batch) (*basis, error){newPrincipal, newFrequencies} {
		p, err := newKernelProblem(pairs, describe, o.Symmetry)
		if err != nil {
			return nil, err
		}
		p.marks = marks
		switch {
		case !known:
		case (like.Cutoff > 0) == p.waves():
			q = like.Parameters
			q.Modes = min(q.Modes, len(p.inputs.variances))
			return p.fit(ctx, q, o.Workers)
		default:
			continue
		}
		found, err := p.look(ctx, order, q, o.Workers)
		if err != nil {
			return nil, err
		}
		q = found[0].Parameters
		if p.waves() || !config.Commutes(o.Symmetry) { // principal components do not belong to a group
			looks = append(looks, found...)
		}
	}
	looks, err := near(looks, func(l look) float64 { return l.leaveOneOut }, lookWithin, o)
	if err != nil {
		return nil, err
	}
	looks = looks[:min(lookBest, len(looks))]
	for i := range looks {
		if err := looks[i].again(ctx, order, o.Workers); err != nil {
			return nil, err
		}
	}
	best := slices.MinFunc(looks, func(a, b look) int { return cmp.Compare(a.leaveOneOut, b.leaveOneOut) })
	return best.problem.fit(ctx, best.Parameters, o.Workers)
}

// look searches on firstPairs pairs, from a length and a ridge, with one profile after the other from the result of the
// last. The first result is of Matern's. The error is ctx's.
func (p *kernelProblem) look(ctx context.Context, order []int, from Parameters, workers int) (all []look, err error) {
	few := p.some(order, firstPairs)
	start := Parameters{Modes: len(p.inputs.variances), Length: from.Length, Ridge: from.Ridge, Symmetry: p.least}
	starts := []Parameters{start, start}
	if starts[1].Weight = weightLadder[0]; p.waves() {
		start.Cutoff, start.Decay = 2, 0.75
		starts = []Parameters{start}
	}
	for _, q := range starts {
		for _, q.Profile = range profiles {
			found, score, err := few.choose(ctx, q, few.ladders(), workers)
			if err != nil {
				return nil, err
			}
			if all = append(all, look{p, found, score}); !math.IsInf(score, 1) {
				q = found
			}
		}
	}
	return all, nil
}

// again searches from a result of a look on more pairs, up to searchPairs. The error is ctx's.
func (l *look) again(ctx context.Context, order []int, workers int) (err error) {
	some := l.problem.some(order, searchPairs)
	if some.Count() <= firstPairs {
		return nil
	}
	few := some
	if l.Symmetry != noMotion { // systems are larger
		few = l.problem.some(order, searchPairs/2)
	}
	l.Parameters, l.leaveOneOut, err = few.choose(ctx, l.Parameters, few.ladders(), workers)
	if err == nil && few.Count() < some.Count() {
		_, l.leaveOneOut, err = some.choose(ctx, l.Parameters, nil, workers)
	}
	return err
}

// kernelProblem holds the data that do not depend on the parameters.
type kernelProblem struct {
	dataset.Pairs
	place
	inputs      *basis
	least, most int                        // of the groups to choose from
	images      map[grid.Motion]*mat.Dense // coefficients of the inputs, and of their images
	weights     []float64
	sizes       []float64 // L2 norms of the outputs
	marks       []int     // pairs that are landmarks; nil: all
}

// newKernelProblem describes the inputs of pairs, and their images under the groups that a word of data.symmetry
// permits, by coefficients. Principal components have no images.
func newKernelProblem(pairs dataset.Pairs, describe func(grid.Batch) (*basis, error), symmetry string) (*kernelProblem,
	error) {
	sizes, err := checked(pairs)
	if err != nil {
		return nil, err
	}
	p := &kernelProblem{Pairs: pairs, place: placeOf(pairs), images: map[grid.Motion]*mat.Dense{}, sizes: sizes,
		weights: pairs.Outputs.Domain.Weights(pairs.Outputs.Points)}
	if p.inputs, err = describe(pairs.Inputs); err != nil {
		return nil, err
	}
	if p.waves() {
		p.least, p.most = groupsOf(pairs, symmetry)
	}
	for _, m := range motionsOf(p.Domain(), p.most) {
		p.images[m] = p.inputs.coefficients(pairs.Inputs.Moved(m))
	}
	return p, nil
}

// waves reports whether coefficients are those of waves.
func (p *kernelProblem) waves() bool { return p.inputs.frequencies != nil }

// some returns the problem with the first pairs of an order only; the basis stays.
func (p *kernelProblem) some(order []int, pairs int) *kernelProblem {
	if pairs >= p.Count() {
		return p
	}
	part, rows := *p, order[:pairs]
	part.Pairs, part.images, part.sizes, part.marks = p.Take(rows), map[grid.Motion]*mat.Dense{}, nil, nil
	for _, i := range rows {
		part.sizes = append(part.sizes, p.sizes[i])
	}
	for m, all := range p.images {
		part.images[m] = someOf(all, rows)
	}
	return &part
}

// fit solves with the given parameters, and with a larger ridge where solving fails. The error is ctx's, or a
// *fault.Numerical.
func (p *kernelProblem) fit(ctx context.Context, q Parameters, workers int) (*KernelRidge, error) {
	var s solution
	err := ridge.Raise(&q.Ridge, &q.Chosen, "kernel ridge regression", func() (err error) {
		s, err = p.solve(ctx, q, workers)
		return err
	})
	if err != nil {
		return nil, err
	}
	at := p.place
	at.Error = s.leaveOneOut
	at.left = grid.BatchOf(at.outputs(), p.Points, s.left.RawMatrix().Data)
	k := &KernelRidge{Parameters: q, Coordinates: s.points,
		expansion: expansion{place: at, coordinates: p.inputs.coordinates(q.scales(p.inputs)),
			Constant: make([]float64, len(p.weights)), Coefficients: linalg.PanelsOf(s.c.RawMatrix())}}
	if k.Coefficients.Rows() < p.Count() {
		k.Pairs = p.Count()
	}
	return k.prepare(), nil
}

// searchPairs is the number of pairs that choose parameters: the best parameters change little with it, and the cost
// grows with its cube.
const searchPairs = 512

// MostExact is the largest number of pairs that all have kernels in the solution. Of more pairs so many are landmarks.
const MostExact = 8192

// firstPairs is the number of pairs for a first look.
const firstPairs = 128

// modeLadder, weightLadder, lengthLadder and ridgeLadder are the parameters' possible values.
var (
	modeLadder   = [...]int{2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, mostComponents}
	weightLadder = [...]float64{-0.5, -0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3, 0.4, 0.5}
	lengthLadder = [...]float64{0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30}
	ridgeLadder  = [...]float64{1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1}
)

// ladders returns the possible values of the parameters of pairs.
func (p *kernelProblem) ladders() []ridge.Ladder[Parameters] {
	over := ridge.Over[Parameters, float64]
	ladders := []ridge.Ladder[Parameters]{over(cutoffLadder[:], func(q *Parameters) *float64 { return &q.Cutoff }),
		over(decayLadder[:], func(q *Parameters) *float64 { return &q.Decay })}
	if !p.waves() {
		modes := slices.Clone(modeLadder[:])
		for i := range modes {
			modes[i] = min(modes[i], len(p.inputs.variances))
		}
		ladders[0] = ridge.Over(slices.Compact(modes), func(q *Parameters) *int { return &q.Modes })
		ladders[1] = over(weightLadder[:], func(q *Parameters) *float64 { return &q.Weight })
	}
	symmetries := []int{noMotion, reflections, wholeSquare}[p.least : p.most+1]
	return append(ladders, over(lengthLadder[:], func(q *Parameters) *float64 { return &q.Length }),
		over(ridgeLadder[:], func(q *Parameters) *float64 { return &q.Ridge }),
		ridge.Over(symmetries, func(q *Parameters) *int { return &q.Symmetry }))
}

// choose descends from a start along ladders, and also returns the leave-one-out error. The error is ctx's.
func (p *kernelProblem) choose(ctx context.Context, from Parameters, ladders []ridge.Ladder[Parameters], workers int) (
	Parameters, float64, error) {
	return ridge.Search(from, ladders, func(q Parameters) (float64, error) {
		s, err := p.solve(ctx, q, workers)
		return s.leaveOneOut, err
	})
}

// solution is the result of solving for a kernel.
type solution struct {
	points      *mat.Dense // the points of the kernel, a row each: of the images of landmarks under each motion
	c           *mat.Dense // coefficients of the landmarks, a row each
	left        *mat.Dense // leave-one-out residuals of the outputs, a row each
	leaveOneOut float64
}

// solve computes c = (k + Ridge)^-1 u and the leave-one-out residuals. The error is ridge.Solve's. All pairs are
// landmarks unless there are too many, see ridge.SolveLandmarks.
//
// With a symmetry the operator learns from the images of all pairs, and a pair is left out with all of its images. A
// function is a sum of parts, g f_p = p(g) f_p with signs p(g), and of those that the exchange of axes mixes, see
// decoupled. Parts of the outputs have kernels K_p(a, a') = sum_g p(g) k(a, g a') of the pairs alone. The coefficient
// of the image g a_i is g c_i, c_i the sum over the parts.
func (p *kernelProblem) solve(ctx context.Context, q Parameters, workers int) (solution, error) {
	marks, n, V := p, p.Count(), len(p.weights)
	if p.marks != nil {
		marks = p.some(p.marks, len(p.marks))
	}
	s := solution{marks.points(q), mat.NewDense(marks.Count(), V, nil), mat.NewDense(n, V, nil), 0}
	labels, sources := p.Groups, sourcesOf(p.Domain(), p.Points, q.Symmetry)
	if labels == nil {
		labels = dataset.First(n)
	}
	add := func(sum *mat.Dense, parts []float64) { // of the pairs, and of their images under the exchange of axes
		n, _ := sum.Dims()
		for row := range len(parts) / (n * V) {
			for i := range n {
				addMoved(sum.RawRowView(i), 1, parts[(row*n+i)*V:][:V], sources[row])
			}
		}
	}
	show := func(_ int, solved ridge.Solution) {
		add(s.left, solved.Residuals)
		add(s.c, solved.Coefficients)
	}
	for _, d := range decouple(p.Domain(), q.Symmetry) {
		groups := ridge.Labelled(slices.Repeat(labels, d.rows), n*d.rows)
		var err error
		if kernel := (parts{marks, d, q.Profile, sources, s.points}); marks == p {
			err = ridge.SolveBlocks(ctx, kernel, q.Ridge, groups, workers, show)
		} else {
			all := parts{p, d, q.Profile, sources, p.points(q)}
			err = ridge.SolveLandmarks(ctx, landmarks{kernel, all}, q.Ridge, groups, workers, show)
		}
		if err != nil {
			return solution{}, err
		}
	}
	s.leaveOneOut = meanRelative(s.left.RawMatrix().Data, p.weights, p.sizes)
	return s, nil
}

// points returns the points of the kernel: of the pairs under each motion of the group.
func (p *kernelProblem) points(q Parameters) *mat.Dense {
	motions, n := motionsOf(p.Domain(), q.Symmetry), p.Count()
	points := mat.NewDense(n*len(motions), q.Modes, nil)
	for g, m := range motions {
		rowsOf(points, g*n, (g+1)*n).Copy(q.points(p.inputs, p.images[m]))
	}
	return points
}
