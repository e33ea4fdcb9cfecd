// Package ridge contains the common parts of ridge regressions: the solution, exact leave-one-out residuals for single
// rows and for groups of rows that are left out together, and the search for hyperparameters.
package ridge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"rfm/solver/base/parallel"
	"rfm/solver/dataset"
	"rfm/solver/num/linalg"
)

// Groups are disjoint sets of rows that are left out together: the images of a pair under a symmetry, pairs that are
// copies of each other, the states of a trajectory.
type Groups [][]int

// Labelled groups the n rows with the same label, in the order in which labels first occur; without labels each row is a
// group. The label of row i is labels[i].
func Labelled(labels []int, n int) Groups {
	if labels == nil {
		labels = dataset.First(n)
	}
	return dataset.Labelled(labels[:n])
}

// Times returns the groups with each row i replaced by the rows i count to (i+1) count - 1.
func (g Groups) Times(count int) Groups {
	if count == 1 {
		return g
	}
	all := make(Groups, len(g))
	for at, rows := range g {
		for _, i := range rows {
			for q := range count {
				all[at] = append(all[at], i*count+q)
			}
		}
	}
	return all
}

// Parts divides rows into up to count parts of about the same size that hold whole groups. Groups are in the order in
// which their first rows come in order. Parts of single rows are the parts of order.
func (g Groups) Parts(order []int, count int) [][]int {
	n := len(order)
	groupOf := map[int]int{} // of a row
	for group, rows := range g {
		for _, i := range rows {
			groupOf[i] = group
		}
	}
	var parts [][]int
	placed := make([]bool, len(g))
	rows := 0  // in parts
	last := -1 // the part that the last group is in
	for _, i := range order {
		group := groupOf[i]
		if placed[group] {
			continue
		}
		placed[group] = true
		part := 0 // the last part that begins here or before
		for (part+1)*n/count <= rows {
			part++
		}
		if part != last {
			parts = append(parts, nil)
		}
		last = part
		end := len(parts) - 1
		parts[end] = append(parts[end], g[group]...)
		rows += len(g[group])
	}
	return parts
}

// Others returns the rows of n that are not held out, ascending.
func Others(held []int, n int) []int {
	isHeld := make([]bool, n)
	for _, i := range held {
		isHeld[i] = true
	}
	var others []int
	for i := range n {
		if !isHeld[i] {
			others = append(others, i)
		}
	}
	return others
}

// Solution is the solution for n x columns targets U, row-major, and a kernel matrix K of order n, or features.
type Solution struct {
	Coefficients []float64 // (K + lambda I)^-1 U, or a row for each landmark or feature
	Residuals    []float64 // leave-one-out residual of each row of U: of the solution without the rows of its group
}

// solveOne computes the solution on up to workers goroutines, at n^3/3 + n^2 columns multiplications and 8 n^2 bytes
// besides K, which is overwritten, like the targets. Without a group g of rows the residuals of its rows are
//
//	((K + lambda I)^-1)_gg^-1 C_g,  C = (K + lambda I)^-1 U.
//
// The error is a *linalg.NotPositiveDefiniteError, see Unsolved, a *linalg.NonFiniteError, or ctx.Err(). The result
// does not depend on workers.
func solveOne(ctx context.Context, k *linalg.Symmetric, targets []float64, columns int, lambda float64, groups Groups,
	workers int) (Solution, error) {
	if len(targets) != k.Order()*columns {
		panic(fmt.Sprintf("ridge: %d targets in %d columns for a system of order %d",
			len(targets), columns, k.Order()))
	}
	factor, err := linalg.Factor(ctx, k, lambda, workers)
	if err != nil {
		return Solution{}, err
	}
	blocks, err := factor.InverseBlocks(ctx, groups, workers)
	if err != nil {
		return Solution{}, err
	}
	coefficients := targets // overwritten
	if columns == 1 {
		factor.Solve(coefficients)
	} else {
		err := factor.SolveMany(ctx, coefficients, columns, workers)
		if err != nil {
			return Solution{}, err
		}
	}
	residuals := slices.Clone(coefficients)
	block := func(g int) []float64 { return blocks[g] }
	err = leaveOut(ctx, residuals, columns, groups, block, workers)
	s := Solution{
		Coefficients: coefficients,
		Residuals:    residuals,
	}
	return s, err
}

// Unsolved reports whether an error of solveOne or leaveOut means that lambda is too small for rounding errors.
func Unsolved(err error) bool {
	var notPositive *linalg.NotPositiveDefiniteError
	return errors.As(err, &notPositive)
}

// leaveOut replaces the rows of each group by M^-1 times them, for a positive definite matrix M = block(g), row-major and
// overwritten. If rows are residuals of the regression on all rows, with the hat matrix H, and M = I - H_gg, they become
// leave-one-out residuals. If they are dual coefficients, M is the block of the inverse, see solveOne. The error is a
// *linalg.NotPositiveDefiniteError if a group alone determines some coefficient, or ctx.Err().
func leaveOut(ctx context.Context, rows []float64, columns int, groups Groups, block func(g int) []float64,
	workers int) error {
	row := func(i int) []float64 { return rows[i*columns:][:columns] }
	return parallel.For(ctx, workers, len(groups), func(_, g int) error {
		m := block(g)
		members := groups[g]
		if len(members) != 1 {
			return leaveOutGroup(ctx, m, members, columns, row)
		}
		i := members[0]
		if !(m[0] > 0) {
			return &linalg.NotPositiveDefiniteError{Pivot: i, Value: m[0]}
		}
		floats.Scale(1/m[0], row(i))
		return nil
	})
}

// leaveOutGroup does for one group, of several rows, what leaveOut does for all.
func leaveOutGroup(ctx context.Context, m []float64, members []int, columns int, row func(i int) []float64) error {
	size := len(members)
	matrix := linalg.NewSymmetric(size)
	x := make([]float64, 0, size*columns)
	for a, i := range members {
		fromDiagonal := m[a*size+a : (a+1)*size]
		copy(matrix.Row(a), fromDiagonal)
		x = append(x, row(i)...)
	}
	factor, err := linalg.Factor(ctx, matrix, 0, 1)
	if err != nil {
		return err
	}
	err = factor.SolveMany(ctx, x, columns, 1)
	if err != nil {
		return err
	}
	for a, i := range members {
		copy(row(i), x[a*columns:])
	}
	return nil
}
