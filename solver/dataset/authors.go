// This file reads pairs and feature parameters from .npy files in the layouts of the paper's authors: train.npy and
// test.npy of shape (K, n, 2) with the inputs in [..., 0] and the outputs in [..., 1]; grftheta.npy of shape (K, m, 2) with
// theta in [..., 0]. Fields on the unit square have shape (r, r, n, 2), their feature parameters (r, r, m, 2) with theta_1
// in [..., 0] and theta_2 in [..., 1].

package dataset

import (
	"fmt"

	"rfm/solver/darcy"
	"rfm/solver/dataset/npy"
	"rfm/solver/fault"
	"rfm/solver/grid"
)

// ReadPairs reads the first count pairs of a (K, n, 2) file of periodic functions, both ends of the grid included.
// Errors are *fault.Data: unreadable, wrong shape, fewer than count pairs, not finite, not periodic.
func ReadPairs(name string, count int) (Pairs, error) {
	return readPairs(name, count, periodic)
}

// ReadFieldPairs reads the first count pairs (a, u) of an (r, r, n, 2) file of fields on the closed grid of the unit square.
// Errors are *fault.Data: unreadable, wrong shape, fewer than count pairs, not finite, a not positive.
func ReadFieldPairs(name string, count int) (Pairs, error) {
	pairs, err := readPairs(name, count, square)
	if err == nil {
		err = darcy.CheckPermeabilities(name+", input", pairs.Inputs)
	}
	if err != nil {
		return Pairs{}, err
	}
	return pairs, nil
}

func readPairs(name string, count int, l layout) (Pairs, error) {
	sides, err := readFunctions(name, count, l, "pairs", []string{"input", "output"})
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

// ReadTheta reads the first count feature parameters of a (K, m, 2) file. Errors are as for ReadPairs.
func ReadTheta(name string, count int) (grid.Batch, error) {
	sides, err := readFunctions(name, count, periodic, "feature parameters", []string{"theta"})
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadThetaPairs reads the first count feature parameters (theta_1, theta_2) of an (r, r, m, 2) file. Errors are *fault.Data.
func ReadThetaPairs(name string, count int) (first, second grid.Batch, err error) {
	sides, err := readFunctions(name, count, square, "feature parameters", []string{"theta_1", "theta_2"})
	if err != nil {
		return grid.Batch{}, grid.Batch{}, err
	}
	return sides[0], sides[1], nil
}

// layout is the shape of a file: leading dimensions of the grid, then functions, then the pair.
type layout struct {
	axes  int    // dimensions of the grid
	shape string // for people
	do    string // how to get there
}

var (
	periodic = layout{1, "(K, count, 2)", "arrange it with numpy.stack([inputs, outputs], axis=-1) on arrays of shape (K, count)"}
	square   = layout{2, "(r, r, count, 2)", "arrange it with numpy.stack([inputs, outputs], axis=-1) on arrays of shape (r, r, count)"}
)

// readFunctions takes function i of side s from [..., i, s].
func readFunctions(name string, count int, l layout, what string, sides []string) ([]grid.Batch, error) {
	a, err := npy.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(a.Shape) != l.axes+2 || a.Shape[l.axes+1] != 2 || a.Shape[0] < 3 || a.Shape[l.axes-1] != a.Shape[0] {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("has shape %v, %s is expected: grid points first, then functions, then the pair", a.Shape, l.shape), Do: l.do}
	}
	side, n := a.Shape[0], a.Shape[l.axes]
	if n < count {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("has %d %s, %d are wanted", n, what, count), Do: fmt.Sprintf("ask for at most %d", n)}
	}
	if side%2 == 0 {
		return nil, &fault.Data{Where: name, What: fmt.Sprintf("is on an even grid of %d points: a grid counts both ends of an even number of intervals", side), Do: "append the missing end, or drop one"}
	}
	K := side
	if l.axes == 2 {
		K = side * side
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
		if l.axes == 1 {
			if err := b.CheckPeriodic(where); err != nil {
				return nil, err
			}
		}
		batches[s] = b
	}
	return batches, nil
}
