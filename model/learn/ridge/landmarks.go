package ridge

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"

	"rfm/solver/base/parallel"
	"rfm/solver/num/linalg"
)

// Landmarks is the kernel of some training inputs, the landmarks, and of all of them. Solutions are combinations of the
// landmarks' kernels (the method of Nyström, see Williams & Seeger 2001).
type Landmarks interface {
	Kernel // of the landmarks
	// Cross computes the kernels of a block, of the landmarks, a row each, with some rows of the inputs, a column each.
	Cross(ctx context.Context, block int, rows []int, workers int) (*linalg.Rectangle, error)
	// All returns the targets of a block for all inputs, as Targets does for landmarks.
	All(block int) []float64
	// Inputs returns the row of each landmark among all inputs.
	Inputs() []int
}

// Strip is the number of inputs whose features are known at the same time: so many that copies of factors do not count.
const Strip = 4 * linalg.KC

// SolveLandmarks passes the minimisers C of |K C - U|^2 + lambda tr C'(L + lambda I) C to show, one block after the
// other: L is the matrix of the landmarks, K has a row for each input, U are all targets. A solution has dual
// coefficients of the landmarks and residuals of all inputs: of the solution without the rows of a group, and without
// its landmarks. groups are rows of K. Blocks of n inputs and m landmarks take 3/2 n m^2 + m^3 multiplications and
// 16 m^2 + 32 m Strip bytes. Errors are those of SolveBlocks. The result does not depend on workers.
func SolveLandmarks(ctx context.Context, k Landmarks, lambda float64, groups Groups, workers int,
	show func(block int, s Solution)) error {
	for block := range k.Blocks() {
		s, err := solveLandmarks(ctx, k, block, lambda, groups, workers)
		if err != nil {
			return err
		}
		show(block, s)
	}
	return nil
}

// solveLandmarks solves for a block by regression on features of the inputs, the rows of K R^-1, with coefficients R C:
// R'R = L + lambda I.
func solveLandmarks(ctx context.Context, k Landmarks, block int, lambda float64, groups Groups, workers int) (
	Solution, error) {
	gram, err := k.Gram(ctx, block, 1, workers)
	if err != nil {
		return Solution{}, err
	}
	count := gram[0].Order()
	targets := k.All(block)
	rows := 0
	for _, g := range groups {
		rows += len(g)
	}
	columns := len(targets) / rows
	root, err := linalg.Factor(ctx, gram[0], lambda, workers)
	if err != nil {
		return Solution{}, err
	}
	whitened := func(ctx context.Context, groups Groups, do use) error {
		return groups.strips(func(all, groups Groups, rows []int) error {
			features, err := k.Cross(ctx, block, rows, workers)
			if err != nil {
				return err
			}
			err = root.Forward(ctx, features, workers)
			if err != nil {
				return err
			}
			return do(all, groups, rows, features)
		})
	}
	f, err := newFeatures(ctx, whitened, groups, targets, count, columns, workers)
	if err != nil {
		return Solution{}, err
	}
	landmarkAt := map[int]int{} // an input
	for j, i := range k.Inputs() {
		landmarkAt[i] = j
	}
	project := func(groups Groups, rows []int, features *linalg.Rectangle, factor *linalg.Cholesky) error {
		return withoutLandmarks(ctx, landmarkAt, groups, rows, features, root, factor, workers)
	}
	c, residuals, err := f.solve(ctx, f.sums, lambda, groups, project)
	if err != nil {
		return Solution{}, err
	}
	err = root.Backward(ctx, c, workers)
	if err != nil {
		return Solution{}, err
	}
	s := Solution{
		Coefficients: flat(c),
		Residuals:    residuals,
	}
	return s, nil
}

// strips passes some groups at a time, with at least Strip rows but the last time, with these rows, and the same groups
// as indices of them.
func (g Groups) strips(do func(all, strip Groups, rows []int) error) error {
	first := 0
	for first < len(g) {
		var strip Groups
		var rows []int
		end := first
		for end < len(g) && len(rows) < Strip {
			var own []int
			for _, i := range g[end] {
				own = append(own, len(rows))
				rows = append(rows, i)
			}
			strip = append(strip, own)
			end++
		}
		err := do(g[first:end], strip, rows)
		if err != nil {
			return err
		}
		first = end
	}
	return nil
}

// withoutLandmarks projects whitened features of each group of inputs, so that its landmarks, which landmarkAt gives for
// an input, have no coefficients: with the basis E of these, (F R)'^-1 E spans the complement. It returns ctx.Err() if
// ctx is done.
func withoutLandmarks(ctx context.Context, landmarkAt map[int]int, groups Groups, rows []int,
	features *linalg.Rectangle, root, factor *linalg.Cholesky, workers int) error {
	own := map[int]int{} // column of the basis for a row
	for r, i := range rows {
		if _, ok := landmarkAt[i]; ok {
			own[r] = len(own)
		}
	}
	basis := linalg.NewRectangle(features.General().Rows, len(own))
	for r, c := range own {
		landmark := landmarkAt[rows[r]]
		basis.Row(landmark)[c] = 1
	}
	err := root.Forward(ctx, basis, workers)
	if err != nil {
		return err
	}
	err = factor.Forward(ctx, basis, workers)
	if err != nil {
		return err
	}
	return parallel.For(ctx, workers, len(groups), func(_, g int) error {
		var known []blas64.Vector // orthonormal
		project := func(x blas64.Vector) {
			for _, t := range known {
				blas64.Axpy(-blas64.Dot(t, x), t, x)
			}
		}
		for _, r := range groups[g] {
			c, ok := own[r]
			if !ok {
				continue
			}
			t := column(basis, c)
			project(t)
			blas64.Scal(1/blas64.Nrm2(t), t)
			known = append(known, t)
		}
		for _, r := range groups[g] {
			project(column(features, r))
		}
		return nil
	})
}

// column returns a view of a column of a matrix.
func column(m *linalg.Rectangle, c int) blas64.Vector {
	g := m.General()
	return blas64.Vector{
		N:    g.Rows,
		Inc:  g.Stride,
		Data: g.Data[c:],
	}
}
