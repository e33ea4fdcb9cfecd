// This file solves the systems of local kernels, and chooses their parameters.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"rfm/model/linalg"
	"rfm/model/ridge"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/parallel"
)

const (
	// localPoints is the number of points, drawn, that choose parameters.
	localPoints = 16
	// localPairs is the number of pairs that choose parameters, firstPairs the number for a first look.
	localPairs = 256
	// leastWork and mostWork bound the sum of the cubes of the orders of all systems: half a minute, and a few minutes.
	// Between them lies the work of a system for each point.
	leastWork, mostWork = 1e11, 3e11
	// serialOrder is the order from which on all workers solve one system together.
	serialOrder = 1024
)

// widthLadder and shareLadder are the possible values of these parameters.
var (
	widthLadder = [...]float64{0.02, 0.03, 0.045, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5}
	shareLadder = [...]float64{0, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.97, 1}
)

// stripLengths bounds the lengths of strips, in widths of windows: shorter strips are better, but need more systems.
// The first is below the distance of two points, for functions of one variable.
var stripLengths = [...]float64{1e-3, 1.25, 1.6, 2}

// localKernel fits a Local to the pairs. Its parameters minimise the leave-one-out error, exact in closed form, by a
// descent along each in turn at some points on some of the pairs, drawn if there are more; the fit uses all. A symmetry
// averages predictions. Errors: those of Method.Train; a *fault.Data also if there are too many pairs for so many
// points, or if Options.Looked is far less.
func localKernel(ctx context.Context, pairs dataset.Pairs, o Options) (Operator, error) {
	order := draw.Permutation(o.Seed, purposeSearch, pairs.Count())
	points := draw.Permutation(o.Seed, purposeComponents, pairs.Outputs.Values())
	q := LocalParameters{Width: 0.1, Share: 0.5, Cutoff: 4, Decay: 1, Length: 2, Ridge: 1e-6}
	p, err := newLocalProblem(pairs)
	if err != nil {
		return nil, err
	}
	if _, ok := p.windowsOf(q.Width); !ok {
		return nil, &fault.Data{Where: "training pairs", What: fmt.Sprintf("%d on %s are too many for systems at all points",
			pairs.Count(), pairs.Outputs.Domain.Grid(pairs.Outputs.Points)), Do: "lower data.train or train.grid"}
	}
	q, score, err := p.some(order, firstPairs).choose(ctx, q, points, o.Workers)
	if err == nil {
		err = o.look(score)
	}
	if err != nil {
		return nil, err
	}
	if q, _, err = p.some(order, localPairs).choose(ctx, q, points, o.Workers); err != nil {
		return nil, err
	}
	w, _ := p.windowsOf(q.Width)
	l, err := p.fit(ctx, q, w, o.Workers)
	if err != nil {
		return nil, err
	}
	return averaged(l, o.Symmetry), nil
}

// localProblem holds the pairs described by waves.
type localProblem struct {
	dataset.Pairs
	*kernelProblem
	all int // number of all pairs, of which these are some
}

func newLocalProblem(pairs dataset.Pairs) (*localProblem, error) {
	p, err := newKernelProblem(pairs, newFrequencies)
	return &localProblem{pairs, p, pairs.Count()}, err
}

// some returns the problem with the first pairs of an order only; near keeps its value.
func (p *localProblem) some(order []int, count int) *localProblem {
	if count >= len(order) {
		return p
	}
	return &localProblem{p.Take(order[:count]), p.kernelProblem.some(order, count), p.all}
}

// workBound returns the bound of the sum of the cubes of the orders of all systems.
func workBound(pairs, values int) float64 {
	return min(max(math.Pow(float64(pairs), 3)*float64(values), leastWork), mostWork)
}

// windowsOf returns the windows of a width, with the shortest strips that keep the work with all pairs bounded; ok is
// false if no strips do.
func (p *localProblem) windowsOf(width float64) (w windows, ok bool) {
	bound, lengths := workBound(p.all, p.Outputs.Values()), stripLengths[:]
	if p.domain.Dims == 2 { // a system for each of many points
		lengths = lengths[1:]
	}
	for _, length := range lengths {
		w = newWindows(p.domain, p.place.points, width, length)
		if math.Pow(float64(p.all), 3)*float64(len(w.places())) <= bound {
			return w, true
		}
	}
	return w, false
}

// near returns the mean square difference of two inputs at a point.
func (p *localProblem) near() float64 {
	sum, total := 0.0, 0.0
	for k, root := range p.inputs.root {
		for i := range p.Inputs.Count {
			d := p.Inputs.At(i)[k] - p.inputs.mean[k]
			sum += 2 * root * root * d * d
		}
		total += p.weights[k]
	}
	return sum / total / float64(p.Inputs.Count)
}

// scales returns the factors of coefficients.
func (p *localProblem) scales(q LocalParameters) []float64 {
	return Parameters{Modes: len(p.inputs.variances), Cutoff: q.Cutoff, Decay: q.Decay, Length: 1}.scales(p.inputs)
}

// far returns the squared distances of the inputs as wholes: of i and j >= i at Row(i)[j-i].
func (p *localProblem) far(ctx context.Context, q LocalParameters, workers int) (*linalg.Symmetric, error) {
	scales := p.scales(q)
	return distances(ctx, p.Inputs.Count, len(scales), func(i, k int) float64 {
		return scales[k] * p.coefficients.At(i, k)
	}, workers)
}

// seen returns the squared distances of the inputs as seen from a place, in the order of far.
func (p *localProblem) seen(ctx context.Context, w windows, place, workers int) (*linalg.Symmetric, error) {
	down, across := w.down.of(place/len(w.across.strips)), w.across.of(place%len(w.across.strips))
	var points []int
	var roots []float64
	for x := range p.inputs.mean {
		if weight := down[x/len(across)] * across[x%len(across)]; weight > negligible {
			points, roots = append(points, x), append(roots, math.Sqrt(weight))
		}
	}
	return distances(ctx, p.Inputs.Count, len(points), func(i, k int) float64 {
		return roots[k] * (p.Inputs.At(i)[points[k]] - p.inputs.mean[points[k]])
	}, workers)
}

// distances returns the squared distances of count vectors with size numbers.
func distances(ctx context.Context, count, size int, number func(i, k int) float64, workers int) (*linalg.Symmetric,
	error) {
	vectors, all := linalg.NewPanels(size, count), linalg.NewSymmetric(count)
	for i := range count {
		panel := vectors.Panel(i / 4)
		for k := range size {
			panel[4*k+i%4] = number(i, k)
		}
	}
	if err := all.RankUpdateUntil(ctx, vectors, size, workers); err != nil {
		return nil, err
	}
	squares := make([]float64, count)
	for i := range squares {
		squares[i] = all.At(i, i)
	}
	for i := range squares {
		row := all.Row(i)
		for j, product := range row {
			row[j] = max(0, squares[i]+squares[i+j]-2*product)
		}
	}
	return all, nil
}

// local is the kernel at each of some places, for the outputs at some points of each.
type local struct {
	*localProblem
	LocalParameters
	points [][]int
	far    *linalg.Symmetric
	// seen computes the squared distances as seen from a place, which become a part of its matrix.
	seen func(ctx context.Context, place, workers int) (*linalg.Symmetric, error)
}

// Blocks implements ridge.Kernel.
func (k local) Blocks() int { return len(k.points) }

// Together implements ridge.Kernel.
func (k local) Together(workers int) int {
	if k.far.Order() >= serialOrder {
		return 1
	}
	return workers
}

// Gram implements ridge.Kernel.
func (k local) Gram(ctx context.Context, first, count, workers int) ([]*linalg.Symmetric, error) {
	all := make([]*linalg.Symmetric, count)
	near, other := k.shares()
	return all, parallel.For(ctx, min(workers, count), count, func(_, i int) (err error) {
		if all[i], err = k.seen(ctx, first+i, max(1, workers/count)); err != nil {
			return err
		}
		n := all[i].Order()
		return parallel.With(ctx, max(1, workers/count), n, func() []float64 { return make([]float64, n) },
			func(work []float64, j int) error {
				row, whole := all[i].Row(j), k.far.Row(j)
				for at, d := range row {
					row[at] = near*d + other*whole[at]
				}
				matern.apply(row, work, 1)
				return nil
			})
	})
}

// Targets implements ridge.Kernel.
func (k local) Targets(place int) []float64 {
	var u []float64
	for i := range k.far.Order() {
		for _, x := range k.points[place] {
			u = append(u, k.Outputs.At(i)[x])
		}
	}
	return u
}

// solve passes the coefficients of the outputs at the points of each place, and the residuals, to show.
func (k local) solve(ctx context.Context, workers int, show func(place int, s ridge.Solution)) error {
	return ridge.SolveBlocks(ctx, k, k.Ridge, ridge.Labelled(k.Groups, k.far.Order()), workers, show)
}

// choose descends from a start, at the first of some points. It also returns the leave-one-out error there.
func (p *localProblem) choose(ctx context.Context, from LocalParameters, points []int, workers int) (LocalParameters,
	float64, error) {
	points = points[:min(len(points), localPoints)]
	unit := p.near()
	parameters := func(at []int) LocalParameters {
		return LocalParameters{Width: widthLadder[at[0]], Share: shareLadder[at[1]], Cutoff: cutoffLadder[at[2]],
			Decay: decayLadder[at[3]], Length: lengthLadder[at[4]], Ridge: ridgeLadder[at[5]], Near: unit}
	}
	type place struct {
		points [][]int
		seen   []*linalg.Symmetric
	}
	near, apart := map[float64]*place{}, map[[2]float64]*linalg.Symmetric{}
	from.Near = unit
	score := func(rungs []int) (float64, error) {
		q := parameters(rungs)
		if near[q.Width] == nil {
			w, ok := p.windowsOf(q.Width)
			if !ok {
				return math.Inf(1), nil
			}
			near[q.Width] = new(place)
			for i, all := range w.places() {
				if all = slices.DeleteFunc(all, func(x int) bool { return !slices.Contains(points, x) }); len(all) == 0 {
					continue
				}
				seen, err := p.seen(ctx, w, i, workers)
				if err != nil {
					return 0, err
				}
				near[q.Width].points, near[q.Width].seen = append(near[q.Width].points, all), append(near[q.Width].seen, seen)
			}
		}
		metric, known := [2]float64{q.Cutoff, q.Decay}, near[q.Width]
		if apart[metric] == nil {
			var err error
			if apart[metric], err = p.far(ctx, q, workers); err != nil {
				return 0, err
			}
		}
		k := local{p, q, known.points, apart[metric], func(_ context.Context, i, _ int) (*linalg.Symmetric, error) {
			return known.seen[i].Clone(), nil
		}}
		total, n := 0.0, p.Count()
		for _, x := range points {
			total += p.weights[x]
		}
		squares := make([]float64, n)
		err := k.solve(ctx, workers, func(i int, s ridge.Solution) {
			here := known.points[i]
			for at, v := range s.Residuals {
				squares[at/len(here)] += p.weights[here[at%len(here)]] / total * v * v
			}
		})
		sum := 0.0
		for pair, square := range squares {
			sum += math.Sqrt(square) / p.sizes[pair] / float64(n)
		}
		return sum, err
	}
	ladders := []ridge.Ladder{ridge.From(widthLadder[:], from.Width), ridge.From(shareLadder[:], from.Share),
		ridge.From(cutoffLadder[:], from.Cutoff), ridge.From(decayLadder[:], from.Decay),
		ridge.From(lengthLadder[:], from.Length), ridge.From(ridgeLadder[:], from.Ridge)}
	found, least, err := ridge.Search(ladders, score)
	if err != nil {
		return LocalParameters{}, 0, err
	}
	return parameters(found), least, nil
}

// fit solves with the given parameters, and with the ridge raised until all systems can be solved. Errors: ctx's, or a
// *fault.Numerical.
func (p *localProblem) fit(ctx context.Context, q LocalParameters, w windows, workers int) (*Local, error) {
	q.Near = p.near()
	far, err := p.far(ctx, q, workers)
	if err != nil {
		return nil, err
	}
	l := &Local{place: p.kernelProblem.place, LocalParameters: q, coordinates: p.inputs.coordinates(p.scales(q)),
		windows: w}
	l.inputs, l.left = p.Inputs, p.Outputs.Like(p.Count())
	l.points, l.coefficients = l.of(l.inputs), mat.NewDense(p.Count(), p.Outputs.Values(), nil)
	l.Ridge = q.Ridge
	var chosen float64 // model files do not contain it
	return l, ridge.Raise(&l.Ridge, &chosen, "local kernel", func() error { return p.solveAll(ctx, l, far, workers) })
}

// solveAll sets coefficients and errors of l. far holds squared distances of its points. Errors: those of ridge.Solve.
func (p *localProblem) solveAll(ctx context.Context, l *Local, far *linalg.Symmetric, workers int) error {
	seen := func(ctx context.Context, place, workers int) (*linalg.Symmetric, error) {
		return p.seen(ctx, l.windows, place, workers)
	}
	k := local{p, l.LocalParameters, l.places(), far, seen}
	err := k.solve(ctx, workers, func(place int, s ridge.Solution) {
		points := k.points[place]
		for at, c := range s.Dual {
			i, x := at/len(points), points[at%len(points)]
			l.coefficients.Set(i, x, c)
			l.left.At(i)[x] = s.Residuals[at]
		}
	})
	if err != nil {
		return err
	}
	l.leaveOneOut = meanRelative(l.left.Data, p.weights, p.sizes)
	return nil
}

// sequence returns 0, 1, ..., n-1.
func sequence(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
