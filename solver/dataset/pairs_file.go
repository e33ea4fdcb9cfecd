// This file reads functions from files and checks that they are what the program computes with.

package dataset

import (
	"errors"
	"fmt"
	"math"

	"rfm/solver/fault"
	"rfm/solver/grid"
)

// ReadPairs reads the first count pairs of periodic functions, all if count is 0; K is odd, both ends counted. Errors are
// *fault.Data: unreadable, wrong shape, fewer than count pairs, an odd number of intervals, values that are not finite, not
// periodic, or look as if Endpoint should be the other.
func ReadPairs(source Source, count int) (Pairs, error) { return readPairs(source, count, 1) }

// ReadFieldPairs reads the first count pairs of fields on the closed grid of the unit square, all if count is 0. r is odd.
// Errors are *fault.Data, as for ReadPairs.
func ReadFieldPairs(source Source, count int) (Pairs, error) { return readPairs(source, count, 2) }

func readPairs(source Source, count, dims int) (Pairs, error) {
	sides, err := readFunctions(source, count, dims, pairPatterns, []string{"input", "output"})
	if err != nil {
		return Pairs{}, err
	}
	return Pairs{Inputs: sides[0], Outputs: sides[1]}, nil
}

// ReadInputs reads functions without outputs, to which a trained model is applied: an array of shape (n, K) or (K) for
// periodic functions (dims = 1), (n, r, r) or (r, r) for fields (dims = 2), from a .npy file or with the name source.Input.
// Any grid of at least three points will do. Errors are *fault.Data, as for ReadPairs.
func ReadInputs(source Source, dims int) (grid.Batch, error) {
	sides, err := readFunctions(source, 0, dims, inputPatterns, []string{"input"})
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadTheta reads the first count feature parameters of a .npy file of the authors' layout (K, m, 2), from [..., 0]. Errors
// are as for ReadPairs.
func ReadTheta(name string, count int) (grid.Batch, error) {
	sides, err := readFunctions(Source{File: name, Endpoint: true}, count, 1, thetaPatterns, []string{"theta"})
	if err != nil {
		return grid.Batch{}, err
	}
	return sides[0], nil
}

// ReadThetaPairs reads the first count feature parameters (theta_1, theta_2) of a .npy file of the authors' layout
// (r, r, m, 2). Errors are as for ReadPairs.
func ReadThetaPairs(name string, count int) (first, second grid.Batch, err error) {
	sides, err := readFunctions(Source{File: name, Endpoint: true}, count, 2, thetaPatterns, []string{"theta_1", "theta_2"})
	if err != nil {
		return grid.Batch{}, grid.Batch{}, err
	}
	return sides[0], sides[1], nil
}

func readFunctions(source Source, count, dims int, p patterns, labels []string) ([]grid.Batch, error) {
	var batches []grid.Batch
	err := source.open(dims, p, func(s stored) (err error) {
		switch {
		case s.count == 0:
			return &fault.Data{Where: source.File, What: "has no " + p.what}
		case s.count < count:
			return &fault.Data{Where: source.File, What: fmt.Sprintf("has %d %s, %d are wanted", s.count, p.what, count), Do: fmt.Sprintf("ask for at most %d", s.count)}
		case count == 0:
			count = s.count
		}
		batches, err = s.read(count, len(labels))
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, b := range batches {
		if err := b.CheckFinite(source.File + ", " + labels[i]); err != nil {
			return nil, err
		}
	}
	if dims == 1 {
		if err := checkEnds(source, batches, labels); err != nil {
			return nil, err
		}
	}
	return batches, nil
}

// checkEnds compares what the values say about the right end of the grid with what the source says.
func checkEnds(source Source, batches []grid.Batch, labels []string) error {
	if !source.Endpoint {
		for _, b := range batches {
			if !repeats(b) {
				return nil
			}
		}
		return &fault.Data{Where: source.File, What: "is said to leave out the right end of its grid, but in nearly all functions the last value that is there repeats the first",
			Do: "set data.endpoint = included"}
	}
	for i, b := range batches {
		err := b.CheckPeriodic(source.File + ", " + labels[i])
		var data *fault.Data
		if errors.As(err, &data) && lacksEnd(b) {
			data.Do = "the values look like those of a grid that leaves out the right end: set data.endpoint = excluded"
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// repeats says whether the last value before the appended end repeats the first in nearly all functions that are not flat
// there: two values next to each other that happen to agree are no sign.
func repeats(b grid.Batch) bool {
	const tolerance, nearly = 1e-6, 0.95 // of single precision, as for CheckPeriodic
	moving, repeating := 0, 0
	for i := range b.Count {
		f := b.At(i)
		last := b.Values() - 2
		scale := 0.0
		for _, v := range f {
			scale = math.Max(scale, math.Abs(v))
		}
		same := func(u, v float64) bool { return math.Abs(u-v) <= tolerance*scale }
		if same(f[0], f[1]) || same(f[last-1], f[last]) {
			continue
		}
		moving++
		if same(f[0], f[last]) {
			repeating++
		}
	}
	return moving > 0 && float64(repeating) >= nearly*float64(moving)
}

// lacksEnd says whether the ends of functions differ about as much as neighbours do, as on a grid without the right end.
func lacksEnd(b grid.Batch) bool {
	const factor = 4 // smooth functions have about 1
	gap, step := 0.0, 0.0
	for i := range b.Count {
		f := b.At(i)
		first, last, between := f[1]-f[0], f[b.Values()-1]-f[b.Values()-2], f[0]-f[b.Values()-1]
		gap += between * between
		step += (first*first + last*last) / 2
	}
	return gap <= factor*factor*step
}
