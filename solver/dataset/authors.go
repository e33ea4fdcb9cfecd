// This file reads the arrays of the paper's authors: train.npy and test.npy of shape (K, n, 2) with the inputs in
// [..., 0] and the outputs in [..., 1]; grftheta.npy of shape (K, m, 2) with theta in [..., 0].

package dataset

import (
	"fmt"

	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// ReadPairs reads the first count pairs of a (K, n, 2) file of periodic functions, both ends of the grid included.
// Errors are *fault.Data: unreadable, wrong shape, fewer than count pairs, not finite, not periodic.
func ReadPairs(name string, count int) (Pairs, error) {
	sides, err := readFunctions(name, count, "pairs", []string{"input", "output"})
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

// ReadTheta reads the first count feature parameters of a (K, m, 2) file. Errors are as for ReadPairs.
func ReadTheta(name string, count int) (grid.Batch, error) {
	sides, err := readFunctions(name, count, "feature parameters", []string{"theta"})
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// readFunctions takes function i of side s from [:, i, s].
func readFunctions(name string, count int, what string, sides []string) ([]grid.Batch, error) {
	a, err := npy.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(a.Shape) != 3 || a.Shape[2] != 2 || a.Shape[0] < 3 {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("has shape %v, (K, count, 2) is expected: grid points first, then functions, then the pair", a.Shape),
			Do: "arrange it with numpy.stack([inputs, outputs], axis=-1) on arrays of shape (K, count)"}
	}
	K, n := a.Shape[0], a.Shape[1]
	if n < count {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("has %d %s, %d are wanted", n, what, count), Do: fmt.Sprintf("ask for at most %d", n)}
	}
	if K%2 == 0 {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("is on an even grid, K=%d: K counts both ends of an even number of intervals", K), Do: "append the first grid point at the end, or drop the last one"}
	}
	batches := make([]grid.Batch, len(sides))
	for s, side := range sides {
		b := grid.NewBatch(count, K)
		for x := range K {
			for i := range count {
				b.Data[i*K+x] = a.Data[(x*n+i)*2+s]
			}
		}
		where := name + ", " + side
		if err := b.CheckFinite(where); err != nil {
			return nil, err
		}
		if err := b.CheckPeriodic(where); err != nil {
			return nil, err
		}
		batches[s] = b
	}
	return batches, nil
}
