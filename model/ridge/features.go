package ridge

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"rfm/model/linalg"
)

// Features is a ridge regression of one target on features, u ~ Phi c with
//
//	c = (Phi'Phi + lambda I)^-1 Phi'u,
//
// for one lambda after another. It is immutable and safe for concurrent use.
type Features struct {
	rows, count int
	transposed  []float64         // Phi', count x rows, row-major
	sums        *linalg.Symmetric // Phi'Phi
	products    []float64         // Phi'u
	targets     []float64
}

// NewFeatures takes the values of some features, one feature after the other, at the rows of the targets. It keeps
// both, so they must not change. It takes rows count^2 / 2 multiplications.
func NewFeatures(values, targets []float64) *Features {
	rows := len(targets)
	count := len(values) / rows
	if len(values) != rows*count {
		panic(fmt.Sprintf("ridge: %d values of features for %d targets", len(values), rows))
	}
	f := &Features{rows: rows, count: count, transposed: values, targets: targets, sums: linalg.NewSymmetric(count)}
	panels := linalg.NewPanels(rows, count)
	for j := range count {
		panel, row := panels.Panel(j/4), f.feature(values, j)
		for i, v := range row {
			panel[4*i+j%4] = v
		}
		f.products = append(f.products, floats.Dot(row, targets))
	}
	f.sums.RankUpdate(panels, rows, 1)
	return f
}

func (f *Features) feature(values []float64, j int) []float64 { return values[j*f.rows : (j+1)*f.rows] }

// Coefficients returns c. Errors are those of linalg.Factor.
func (f *Features) Coefficients(ctx context.Context, lambda float64) ([]float64, error) {
	factor, err := linalg.Factor(ctx, f.sums.Clone(), lambda, 1)
	if err != nil {
		return nil, err
	}
	c := append([]float64(nil), f.products...)
	factor.Solve(c)
	return c, nil
}

// Residuals returns the residual of each row without its group, see LeaveOut: the hat matrix is Phi (Phi'Phi + lambda
// I)^-1 Phi'. It takes count^2 (count/6 + rows) multiplications and 8 count (count + rows) bytes. Errors are those of
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
	for j, product := range f.products {
		y := f.feature(solved, j)
		floats.AddScaled(residuals, -product, y)
		for i, v := range f.feature(f.transposed, j) {
			diagonal[i] += v * y[i]
		}
	}
	return residuals, LeaveOut(ctx, residuals, 1, groups, func(g int) []float64 {
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
	}, 1)
}
