package linalg_test

import (
	"context"
	"fmt"

	"rfm/model/linalg"
)

// Three features at four points, the third the sum of the other two: the Gram matrix is
// singular, and the solution of minimum norm is found by truncation.
func Example() {
	features := [][]float64{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}, {2, 0, 2}}
	panels := linalg.NewPanels(4, 3)
	for r, row := range features {
		for j, v := range row {
			panels.Panel(j / 4)[4*r+j%4] = v
		}
	}
	gram := linalg.NewSymmetric(3)
	gram.RankUpdate(panels, 4, 1)

	decomposition, err := linalg.Decompose(context.Background(), gram, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	alpha := make([]float64, 3)
	rank, err := decomposition.SolveTruncated(alpha, []float64{29, 14, 43}, 2.2e-10)
	fmt.Printf("rank %d, alpha %.4f, error %v\n", rank, alpha, err)
	// Output:
	// rank 2, alpha [1.0000 2.0000 3.0000], error <nil>
}
