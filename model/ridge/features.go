package ridge

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/model/linalg"
)

// Features is a ridge regression of one or several targets on features, U ~ Phi C with
//
//	C = (Phi'Phi + lambda I)^-1 Phi'U,
//
// for one lambda after another. It is immutable and safe for concurrent use.
type Features struct {
	rows, count, columns int
	transposed           []float64         // Phi', count x rows, row-major
	sums                 *linalg.Symmetric // Phi'Phi
	products             []float64         // Phi'U, one column after the other
	targets              []float64         // U, likewise
}

// NewFeatures takes the values of some features, one feature after the other, at the rows of some targets, one target
// after the other. It keeps both, so they must not change. It takes rows count^2 / 2 multiplications.
func NewFeatures(values, targets []float64, columns int) *Features {
	rows := len(targets) / columns
	count := len(values) / rows
	if len(values) != rows*count {
		panic(fmt.Sprintf("ridge: %d values of features for %d targets", len(values), rows))
	}
	f := &Features{rows: rows, count: count, columns: columns, transposed: values, targets: targets,
		sums: linalg.NewSymmetric(count), products: make([]float64, count*columns)}
	panels := linalg.NewPanels(rows, count)
	for j := range count {
		panel, row := panels.Panel(j/4), f.feature(values, j)
		for i, v := range row {
			panel[4*i+j%4] = v
		}
		for c := range columns {
			f.products[c*count+j] = floats.Dot(row, targets[c*rows:(c+1)*rows])
		}
	}
	f.sums.RankUpdate(panels, rows, 1)
	return f
}

func (f *Features) feature(values []float64, j int) []float64 { return values[j*f.rows : (j+1)*f.rows] }

// Coefficients returns C, one column after the other. Errors are those of linalg.Factor.
func (f *Features) Coefficients(ctx context.Context, lambda float64) ([]float64, error) {
	factor, err := linalg.Factor(ctx, f.sums.Clone(), lambda, 1)
	if err != nil {
		return nil, err
	}
	c := append([]float64(nil), f.products...)
	for column := range f.columns {
		factor.Solve(c[column*f.count : (column+1)*f.count])
	}
	return c, nil
}

// Residuals returns the residuals of the targets, each row without its group, see LeaveOut: the hat matrix is
// Phi (Phi'Phi + lambda I)^-1 Phi'. It takes count^2 (count/6 + rows) multiplications and 8 count (count + rows) bytes. Errors are those of
// LeaveOut and linalg.Factor.
func (f *Features) Residuals(ctx context.Context, lambda float64, groups Groups) ([]float64, error) {
	factor, err := linalg.Factor(ctx, f.sums.Clone(), lambda, 1)
	if err != nil {
		return nil, err
	}
	solved := append([]float64(nil), f.transposed...)
	if err := factor.SolveMany(ctx, solved, f.rows, 1); err != nil {
		return nil, err
	}
	residuals, diagonal := append([]float64(nil), f.targets...), make([]float64, f.rows)
	for j := range f.count {
		y := f.feature(solved, j)
		for c := range f.columns {
			floats.AddScaled(residuals[c*f.rows:(c+1)*f.rows], -f.products[c*f.count+j], y)
		}
		for i, v := range f.feature(f.transposed, j) {
			diagonal[i] += v * y[i]
		}
	}
	block := func(g int) []float64 {
		members := groups[g]
		size := len(members)
		if size == 1 {
			return []float64{1 - diagonal[members[0]]}
		}
		m := make([]float64, size*size)
		for a, i := range members {
			m[a*size+a] = 1
			for b, other := range members[a:] {
				for j := range f.count {
					m[a*size+a+b] -= f.transposed[j*f.rows+i] * solved[j*f.rows+other]
				}
			}
		}
		return m
	}
	for c := range f.columns {
		if err := LeaveOut(ctx, residuals[c*f.rows:(c+1)*f.rows], 1, groups, block, 1); err != nil {
			return nil, err
		}
	}
	return residuals, nil
}
