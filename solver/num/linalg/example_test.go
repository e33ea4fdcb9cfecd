package linalg_test

import (
	"context"
	"fmt"

	"rfm/solver/num/linalg"
)

// A regularised least squares problem: features in panels, their Gram matrix, and one solution.
func Example() {
	ctx := context.Background()
	features := linalg.NewPanels(3, 2) // three rows of two features
	features.SetRow(0, []float64{1, 0})
	features.SetRow(1, []float64{1, 1})
	features.SetRow(2, []float64{1, 2})
	gram := linalg.NewSymmetric(2)
	if err := gram.RankUpdate(ctx, features, 3, 1); err != nil {
		fmt.Println(err)
		return
	}
	const lambda = 0
	factor, err := linalg.Factor(ctx, gram, lambda, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{6, 8} // products of the features with the targets 1, 2, 3
	factor.Solve(x)
	fmt.Printf("%.3f\n", x)
	// Output:
	// [1.000 1.000]
}

// One decomposition serves every regularisation.
func ExampleDecompose() {
	s := linalg.NewSymmetric(2)
	s.Set(0, 0, 2)
	s.Set(0, 1, 1)
	s.Set(1, 1, 2)
	d, err := linalg.Decompose(context.Background(), s, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", d.Eigenvalues())
	x := make([]float64, 2)
	rank, err := d.SolveTruncated(x, []float64{3, 3}, 1e-12)
	fmt.Printf("rank %d, %.3f, %v\n", rank, x, err)
	// Output:
	// [3.000 1.000]
	// rank 2, [1.000 1.000], <nil>
}
