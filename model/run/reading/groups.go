// This file divides pairs into those for training and those for testing, between groups if the pairs have some.

package reading

import (
	"fmt"
	"slices"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
)

// split divides the pairs of a single file into training and test pairs.
func split(c config.Config, f *pairs.Functions) (train, test []int, err error) {
	labels, err := givenLabels(c, f)
	if err != nil {
		return nil, nil, err
	}
	return dataset.Split(f.Count, labels, c.SplitSeed(), c.Data.Train, c.Data.Test)
}

// givenLabels returns the labels of all pairs by an array that data.groups names; nil if it names none.
func givenLabels(c config.Config, f *pairs.Functions) ([]int, error) {
	array := c.Data.LabelArray()
	if array == "" || f.Count == 0 {
		return nil, nil
	}
	return readLabels(f, array, f.Numbers(dataset.First(f.Count)))
}

// areLabels reports whether an array has one number for each pair. Otherwise equal rows are those of one group.
func areLabels(shape npy.Shape) bool {
	return len(shape) == 0 || npy.Count(shape) == shape[0]
}

// labelsOfRows numbers some rows of an array of functions so that equal ones have one number.
func labelsOfRows(a npy.Array, rows []int, bad func(what string, values ...any) ([]int, error)) ([]int, error) {
	last := slices.Max(rows)
	if last >= a.Shape[0] {
		return bad("has shape %v, want a row for each of more than %d pairs", a.Shape, last)
	}
	every := pairs.EqualRows(a)
	labels := make([]int, len(rows))
	for i, row := range rows {
		labels[i] = every[row]
	}
	return labels, nil
}

// takeTests sets the number of test pairs from the file of the training pairs: a fifth, if it is open, and as many more as
// are in groups of these. It returns how many pairs are left for training. The error is a *fault.Data if a number of
// training pairs that is set divides a group.
func (d *completion) takeTests() (available int, err error) {
	labels, err := givenLabels(d.Config, d.train)
	if err != nil {
		return 0, err
	}
	count := d.train.Info.Count
	tests := max(1, count/5)
	if labels == nil {
		d.take(&d.Data.Test, "data.test", tests)
		return count - d.Data.Test, nil
	}
	seed := d.SplitSeed()
	d.take(&d.Data.Test, "data.test", count-dataset.Apart(labels, seed, tests))
	_, _, err = dataset.Split(count, labels, seed, max(1, d.Data.Train), d.Data.Test)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", d.Data.TrainFile, err)
	}
	return dataset.Apart(labels, seed, d.Data.Test), nil
}
