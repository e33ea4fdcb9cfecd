package setup

import (
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// group labels the first n of some pairs of own data, those for training, by data.groups. rows are the numbers of all
// in the file. The sentence describes the groups, and is empty if all pairs are independent; shared is the number of the
// other pairs that are in groups of training pairs. The error is a *fault.Data.
func group(c config.Config, f *dataset.Functions, all dataset.Pairs, rows []int, n int) (labels []int, sentence string,
	shared int, err error) {
	if !c.Of().Files || c.Data.Groups == config.NoGroups || n == 0 {
		return nil, "", 0, nil
	}
	var every []int // labels of all rows
	length, array := c.Data.Blocks(), c.Data.LabelArray()
	switch {
	case length > 0:
		every, sentence = dataset.Blocks(rows, length), fmt.Sprintf("blocks of %d pairs in the file", length)
	case array != "":
		sentence = fmt.Sprintf("labels in %q", array)
		if every, err = readLabels(f, array, rows); err != nil {
			return nil, "", 0, err
		}
	default:
		labels, sentence = dataset.FindGroups(all.Range(0, n), rows[:n])
		if every = labels; n < len(rows) {
			every, _ = dataset.FindGroups(all, rows)
		}
	}
	if every == nil {
		return labels, sentence, 0, nil
	}
	distinct := map[int]bool{}
	for _, label := range every[:n] {
		distinct[label] = true
	}
	for _, label := range every[n:] {
		if distinct[label] {
			shared++
		}
	}
	if length > 0 || array != "" {
		labels, sentence = every[:n:n], fmt.Sprintf("Leave-one-out by %d groups: %s.", len(distinct), sentence)
		if len(distinct) < 2 {
			return nil, "", 0, fault.Bad(c.Data.TrainFile, "set data.groups to a shorter length, other labels, or none",
				"has all training pairs in one group, and nothing to learn from without it")
		}
	}
	return labels, sentence, shared, nil
}

// readLabels returns the integers in an array of a file at the given rows.
func readLabels(f *dataset.Functions, array string, rows []int) ([]int, error) {
	a, err := f.Open.Array(array)
	if err != nil {
		return nil, err
	}
	bad := func(what string, values ...any) ([]int, error) {
		return nil, fault.Bad(f.File+", "+array, "data.groups names an array of one whole number for each pair", what,
			values...)
	}
	all := make([]int, len(rows))
	for i, row := range rows {
		if row >= len(a.Data) {
			return bad("has shape %v, labels of more than %d pairs are expected", a.Shape, row)
		}
		v := a.Data[row]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return bad("has the label %g of pair %d, which is not a whole number", v, row)
		}
		all[i] = int(v)
	}
	if len(a.Shape) > 0 && slices.ContainsFunc(a.Shape[1:], func(n int) bool { return n > 1 }) {
		return bad("has shape %v, want one number for each pair", a.Shape)
	}
	return all, nil
}
