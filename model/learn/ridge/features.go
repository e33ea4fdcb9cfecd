package ridge

import (
	"context"
	"fmt"
	"slices"

	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
)

// Features is a ridge regression of one or several targets on features, U ~ Phi C with
//
//	C = (Phi'Phi + lambda I)^-1 Phi'U,
//
// for one lambda after another. It is immutable and safe for concurrent use.
type Features struct {
	rows     strips
	targets  []float64 // U, rows x columns, row-major
	columns  int
	sums     *linalg.Symmetric // Phi'Phi
	products []float64         // Phi'U, features x columns, row-major
	workers  int
}

// strips passes the features of whole groups of rows at a time, a row for each feature, which do may change. Errors are
// do's and its own.
type strips func(ctx context.Context, groups Groups, do use) error

// use takes features of some rows. Their groups are given as rows of all, and as columns of the features.
type use func(all, groups Groups, rows []int, features *linalg.Rectangle) error

// NewFeatures takes the values of some features, one feature after the other, at the rows of some targets, which are
// row-major. It keeps both, so they must not change. It takes rows count^2 / 2 multiplications.
func NewFeatures(values, targets []float64, columns int) *Features {
	rows := len(targets) / columns
	count := len(values) / rows
	if len(values) != rows*count {
		panic(fmt.Sprintf("ridge: %d values of features for %d targets", len(values), rows))
	}
	all := func(_ context.Context, groups Groups, do use) error {
		features := linalg.NewRectangle(count, rows)
		for j := range count {
			copy(features.Row(j), values[j*rows:])
		}
		return do(groups, groups, dataset.First(rows), features)
	}
	f, err := newFeatures(context.Background(), all, nil, targets, count, columns, 1)
	if err != nil {
		panic(err) // of a worker
	}
	return f
}

// newFeatures sums products of features of whole groups. The error is that of strips.
func newFeatures(ctx context.Context, all strips, groups Groups, targets []float64, count, columns, workers int) (
	*Features, error) {
	sums := linalg.NewSymmetric(count)
	products := linalg.NewRectangle(count, columns)
	err := all(ctx, groups, func(_, _ Groups, rows []int, features *linalg.Rectangle) error {
		phi := linalg.NewPanels(len(rows), count)
		for j := range count {
			phi.SetColumn(j, features.Row(j))
		}
		u := linalg.NewPanels(len(rows), columns)
		for r, i := range rows {
			target := targets[i*columns:][:columns]
			u.SetRow(r, target)
		}
		err := products.AddProduct(ctx, phi, u, len(rows), workers)
		if err != nil {
			return err
		}
		return sums.RankUpdate(ctx, phi, len(rows), workers)
	})
	f := &Features{
		rows:     all,
		targets:  targets,
		columns:  columns,
		sums:     sums,
		products: flat(products), // because they may be far larger with their padding
		workers:  workers,
	}
	return f, err
}

// Solve returns C and, with groups, the residuals, each row without its group, see leaveOut: the hat matrix is
// Phi (Phi'Phi + lambda I)^-1 Phi'. It takes count^2 (count/6 + rows/2) multiplications and 8 count (count + rows)
// bytes. Errors are those of leaveOut and linalg.Factor.
func (f *Features) Solve(ctx context.Context, lambda float64, groups Groups) (Solution, error) {
	c, residuals, err := f.solve(ctx, f.sums.Clone(), lambda, groups, nil)
	solution := Solution{
		Coefficients: flat(c),
		Residuals:    residuals,
	}
	return solution, err
}

// projection changes whitened features of some rows, whose groups are columns of the features.
type projection func(groups Groups, rows []int, features *linalg.Rectangle, factor *linalg.Cholesky) error

// solve returns a row of C for each feature. It overwrites sums, which are f's or a copy. project, if it is not nil,
// changes whitened features before they are used.
func (f *Features) solve(ctx context.Context, sums *linalg.Symmetric, lambda float64, groups Groups,
	project projection) (c *linalg.Rectangle, residuals []float64, err error) {
	count := sums.Order()
	factor, err := linalg.Factor(ctx, sums, lambda, f.workers)
	if err != nil {
		return nil, nil, err
	}
	c = linalg.NewRectangle(count, f.columns)
	for j := range count {
		copy(c.Row(j), f.products[j*f.columns:])
	}
	err = factor.Forward(ctx, c, f.workers)
	if err != nil {
		return nil, nil, err
	}
	half := linalg.PanelsOf(c.General()) // R'^-1 Phi'U, R'R = Phi'Phi + lambda I
	if err := factor.Backward(ctx, c, f.workers); err != nil {
		return nil, nil, err
	}
	if groups == nil {
		return c, nil, nil
	}
	residuals = slices.Clone(f.targets)
	err = f.rows(ctx, groups, func(all, groups Groups, rows []int, features *linalg.Rectangle) error {
		err := factor.Forward(ctx, features, f.workers) // X: the hat matrix is X'X
		if err != nil {
			return err
		}
		if project != nil {
			err := project(groups, rows, features, factor)
			if err != nil {
				return err
			}
		}
		predictions := linalg.NewRectangle(f.columns, len(rows))
		x := linalg.PanelsOf(features.General())
		err = predictions.AddProduct(ctx, half, x, count, f.workers)
		if err != nil {
			return err
		}
		for d := range f.columns {
			for r, v := range predictions.Row(d) {
				residuals[rows[r]*f.columns+d] -= v
			}
		}
		return leaveOut(ctx, residuals, f.columns, all, unexplained(features, groups), f.workers)
	})
	return c, residuals, err
}

// flat returns a matrix row-major.
func flat(m *linalg.Rectangle) (all []float64) {
	if m == nil {
		return nil
	}
	for i := range m.General().Rows {
		all = append(all, m.Row(i)...)
	}
	return all
}

// unexplained returns blocks of I - X'X for leaveOut, where X has a row for each feature and a column for each row of
// the targets.
func unexplained(x *linalg.Rectangle, groups Groups) func(g int) []float64 {
	features := x.General().Rows
	diagonal := make([]float64, x.General().Cols)
	for j := range features {
		for i, v := range x.Row(j) {
			diagonal[i] += v * v
		}
	}
	return func(g int) []float64 {
		members := groups[g]
		size := len(members)
		if size == 1 {
			return []float64{1 - diagonal[members[0]]}
		}
		m := make([]float64, size*size) // size x size, row-major; the upper half is set
		for a, i := range members {
			fromDiagonal := m[a*size+a:]
			fromDiagonal[0] = 1
			for j := range features {
				row := x.Row(j)
				for b, other := range members[a:] {
					fromDiagonal[b] -= row[i] * row[other]
				}
			}
		}
		return m
	}
}
