// This file solves the systems of local kernels, and chooses their parameters.

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"rfm/model/linalg"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/parallel"
)

const (
	// localBlock is the number of points whose systems are in memory at once.
	localBlock = 16
	// localPoints is the number of points, drawn, on which parameters are chosen.
	localPoints = 16
	// localPairs is the number of pairs on which they are chosen, firstPairs that for a first look.
	localPairs = 256
	// localWork bounds the multiplications of all factorisations: a few minutes.
	localWork = 3e11
)

// widthLadder and shareLadder are the possible values of these parameters.
var (
	widthLadder = [...]float64{0.02, 0.03, 0.045, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5}
	shareLadder = [...]float64{0, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.97, 1}
)

// LocalKernel fits a Local to the pairs. Its parameters are those with the smallest leave-one-out error, exact in
// closed form, that a descent along each in turn finds at some points on some of the pairs, drawn if there are more;
// the fit uses all. Errors: those of Method.Train; a *fault.Data also if there are too many pairs for so many points.
func LocalKernel(ctx context.Context, pairs dataset.Pairs, o Options) (*Local, error) {
	n, V := pairs.Count(), pairs.Outputs.Values()
	if work := math.Pow(float64(n), 3) * float64(V); work > localWork {
		return nil, &fault.Data{Where: "training pairs", What: fmt.Sprintf("%d on %s are too many for a system at each point",
			n, pairs.Outputs.Domain.Grid(pairs.Outputs.Points)), Do: "lower data.train or train.grid"}
	}
	p, err := newLocalProblem(pairs)
	if err != nil {
		return nil, err
	}
	order := draw.Permutation(o.Seed, purposeSearch, n)
	points := draw.Permutation(o.Seed, purposeComponents, V)
	points = points[:min(V, localPoints)]
	q := LocalParameters{Width: 0.1, Share: 0.5, Cutoff: 4, Decay: 1, Length: 2, Ridge: 1e-6}
	for _, count := range []int{firstPairs, localPairs} {
		if q, err = p.some(order, count).choose(ctx, q, points, o.Workers); err != nil {
			return nil, err
		}
	}
	return p.fit(ctx, q, o.Workers)
}

// localProblem is the pairs, described by waves.
type localProblem struct {
	dataset.Pairs
	*kernelProblem
}

func newLocalProblem(pairs dataset.Pairs) (*localProblem, error) {
	k, err := newKernelProblem(pairs, pairs.Outputs, newFrequencies)
	return &localProblem{pairs, k}, err
}

// some has the first pairs of an order only; what differs in inputs, on the average, stays.
func (p *localProblem) some(order []int, count int) *localProblem {
	if count >= len(order) {
		return p
	}
	return &localProblem{p.Take(order[:count]), p.kernelProblem.some(order, count)}
}

// near is the mean square of what differs in two inputs at a point.
func (p *localProblem) near() float64 {
	sum := 0.0
	for k, root := range p.inputs.root {
		for i := range p.Inputs.Count {
			d := p.Inputs.At(i)[k] - p.inputs.mean[k]
			sum += 2 * root * root * d * d
		}
	}
	return sum / floats.Sum(p.weights) / float64(p.Inputs.Count)
}

// scales are what coefficients are multiplied by.
func (p *localProblem) scales(q LocalParameters) []float64 {
	return Parameters{Modes: len(p.inputs.variances), Cutoff: q.Cutoff, Decay: q.Decay, Length: 1}.scales(p.inputs)
}

// points are the inputs by their coefficients, a row each.
func (p *localProblem) points(scales []float64) *mat.Dense {
	z := mat.NewDense(p.Inputs.Count, len(scales), nil)
	for i := range p.Inputs.Count {
		floats.MulTo(z.RawRowView(i), scales, p.coefficients.RawRowView(i))
	}
	return z
}

// far are the squares of distances of points: of i and j >= i at Row(i)[j-i].
func far(ctx context.Context, z *mat.Dense, workers int) (*linalg.Symmetric, error) {
	n, _ := z.Dims()
	all := linalg.NewSymmetric(n)
	return all, parallel.For(ctx, workers, n, func(_, i int) error {
		for j := i; j < n; j++ {
			d := floats.Distance(z.RawRowView(i), z.RawRowView(j), 2)
			all.Row(i)[j-i] = d * d
		}
		return nil
	})
}

// distances are the near parts of all inputs at some points, for each point as of far.
func (p *localProblem) distances(ctx context.Context, w windows, at []span, workers int) ([]*linalg.Symmetric, error) {
	n, count := p.Inputs.Count, 0
	for _, s := range at {
		count += s.count
	}
	all := make([]*linalg.Symmetric, count)
	for x := range all {
		all[x] = linalg.NewSymmetric(n)
	}
	_, columns := w.across.Dims()
	return all, parallel.For(ctx, workers, n, func(_, i int) error {
		apart, near, line := make([]float64, p.Inputs.Values()), make([]float64, columns), make([]float64, columns)
		for j := i; j < n; j++ {
			squares(apart, p.Inputs.At(i), p.Inputs.At(j))
			x := 0
			for _, s := range at {
				w.means(near[:s.count], apart, s.row, s.first, line)
				for _, v := range near[:s.count] {
					all[x].Row(i)[j-i] = v
					x++
				}
			}
		}
		return nil
	})
}

// span is points next to each other in a row of the grid.
type span struct{ row, first, count int }

// solve computes the coefficients of the outputs at a point, and what is missed when pairs are left out; nil if the
// system cannot be solved. near becomes a part of the solution.
func (p *localProblem) solve(ctx context.Context, q LocalParameters, near, far *linalg.Symmetric, x int) (c,
	left *mat.Dense,
	err error) {
	n := p.Inputs.Count
	for i := range n {
		row, other := near.Row(i), far.Row(i)
		for j := range n - i {
			row[j] = q.value(row[j], other[j])
		}
	}
	u := mat.NewDense(n, 1, nil)
	for i := range n {
		u.Set(i, 0, p.Outputs.At(i)[x])
	}
	c, inverse, err := solveKernel(ctx, near, u, q.Ridge, 1, 1)
	if err != nil || c == nil {
		return nil, nil, err
	}
	return c, missedAlone(c, inverse), nil
}

// choose goes down from a start, at some points.
func (p *localProblem) choose(ctx context.Context, from LocalParameters, points []int, workers int) (LocalParameters,
	error) {
	_, columns := p.domain.Axes(p.place.points)
	at, total, unit := make([]span, len(points)), 0.0, p.near()
	for i, x := range points {
		at[i] = span{x / columns, x % columns, 1}
		total += p.weights[x]
	}
	parameters := func(at []int) LocalParameters {
		return LocalParameters{Width: widthLadder[at[0]], Share: shareLadder[at[1]], Cutoff: cutoffLadder[at[2]],
			Decay: decayLadder[at[3]], Length: lengthLadder[at[4]], Ridge: ridgeLadder[at[5]], Near: unit}
	}
	near, apart := map[float64][]*linalg.Symmetric{}, map[[2]float64]*linalg.Symmetric{}
	score := func(rungs []int) (float64, error) {
		q, err := parameters(rungs), error(nil)
		if near[q.Width] == nil {
			if near[q.Width], err = p.distances(ctx, newWindows(p.domain, p.place.points, q.Width), at, workers); err != nil {
				return 0, err
			}
		}
		metric := [2]float64{q.Cutoff, q.Decay}
		if apart[metric] == nil {
			if apart[metric], err = far(ctx, p.points(p.scales(q)), workers); err != nil {
				return 0, err
			}
		}
		missed := make([]*mat.Dense, len(points))
		err = parallel.For(ctx, workers, len(points), func(_, i int) (err error) {
			_, missed[i], err = p.solve(ctx, q, near[q.Width][i].Clone(), apart[metric], points[i])
			return err
		})
		if err != nil || slices.Contains(missed, nil) {
			return unsolved, err
		}
		sum := 0.0
		for pair, size := range p.sizes {
			square := 0.0
			for i, x := range points {
				v := missed[i].At(pair, 0)
				square += p.weights[x] / total * v * v
			}
			sum += math.Sqrt(square) / size / float64(len(p.sizes))
		}
		return sum, nil
	}
	start := []int{slices.Index(widthLadder[:], from.Width), slices.Index(shareLadder[:], from.Share),
		slices.Index(cutoffLadder[:], from.Cutoff), slices.Index(decayLadder[:], from.Decay),
		slices.Index(lengthLadder[:], from.Length), slices.Index(ridgeLadder[:], from.Ridge)}
	found, _, err := descend([]int{len(widthLadder), len(shareLadder), len(cutoffLadder), len(decayLadder),
		len(lengthLadder), len(ridgeLadder)}, start, score)
	if err != nil {
		return LocalParameters{}, err
	}
	return parameters(found), nil
}

// fit solves with given parameters, and a ridge as much larger as it must be for all systems. The error is ctx's, or a
// *fault.Numerical.
func (p *localProblem) fit(ctx context.Context, q LocalParameters, workers int) (*Local, error) {
	q.Near = p.near()
	scales := p.scales(q)
	points := p.points(scales)
	apart, err := far(ctx, points, workers)
	if err != nil {
		return nil, err
	}
	for _, ridge := range ridgeLadder {
		if ridge < q.Ridge {
			continue
		}
		q.Ridge = ridge
		l := &Local{place: p.place, LocalParameters: q, coordinates: p.inputs.coordinates(scales),
			windows: newWindows(p.domain, p.place.points, q.Width), inputs: p.Inputs, left: p.Outputs.Like(p.Inputs.Count),
			points: points, coefficients: mat.NewDense(p.Inputs.Count, p.Outputs.Values(), nil)}
		solved, err := p.solveAll(ctx, l, apart, workers)
		if err != nil {
			return nil, err
		}
		if solved {
			return l, nil
		}
	}
	return nil, &fault.Numerical{Where: "local kernel", What: fmt.Sprintf("the kernel matrices of %d inputs are not "+
		"positive definite with ridge %g", p.Inputs.Count, q.Ridge), Do: "look for inputs that occur twice"}
}

// solveAll sets coefficients and errors of l, unless a system cannot be solved. far are the distances of its points.
func (p *localProblem) solveAll(ctx context.Context, l *Local, far *linalg.Symmetric, workers int) (bool, error) {
	n := p.Inputs.Count
	rows, columns := p.domain.Axes(p.place.points)
	for row := range rows {
		for first := 0; first < columns; first += localBlock {
			block := span{row, first, min(localBlock, columns-first)}
			near, err := p.distances(ctx, l.windows, []span{block}, workers)
			if err != nil {
				return false, err
			}
			solved := make([]bool, block.count)
			err = parallel.For(ctx, workers, block.count, func(_, i int) error {
				x := row*columns + first + i
				c, left, err := p.solve(ctx, l.LocalParameters, near[i], far, x)
				if err != nil || c == nil {
					return err
				}
				solved[i] = true
				for pair := range n {
					l.coefficients.Set(pair, x, c.At(pair, 0))
					l.left.At(pair)[x] = left.At(pair, 0)
				}
				return nil
			})
			if err != nil || slices.Contains(solved, false) {
				return false, err
			}
		}
	}
	for i, size := range p.sizes {
		l.leaveOneOut += p.norm(l.left.At(i)) / size / float64(n)
	}
	return true, nil
}
