package setup

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
)

// group labels the training pairs of own data by data.groups. rows are their numbers in the file. The sentence
// describes the groups, and is empty if all pairs are independent. The error is a *fault.Data or ctx's.
func group(ctx context.Context, c config.Config, pairs *dataset.Pairs, rows []int) (sentence string, err error) {
	if !c.Of().Files || c.Data.Groups == config.NoGroups {
		return "", nil
	}
	how := ""
	switch length, array := c.Data.Blocks(), c.Data.LabelArray(); {
	case length > 0:
		pairs.Groups, how = dataset.Blocks(rows, length), fmt.Sprintf("blocks of %d pairs in the file", length)
	case array != "":
		how = fmt.Sprintf("labels in %q", array)
		if pairs.Groups, err = labels(ctx, c.Data.TrainFile, array, rows); err != nil {
			return "", err
		}
	default:
		pairs.Groups, sentence = dataset.FindGroups(*pairs, rows)
		return sentence, nil
	}
	distinct := map[int]bool{}
	for _, label := range pairs.Groups {
		distinct[label] = true
	}
	if len(distinct) < 2 {
		return "", &fault.Data{Where: c.Data.TrainFile,
			What: "has all training pairs in one group, and nothing to learn from " +
				"without it", Do: "set data.groups to a shorter length, other labels, or none"}
	}
	return fmt.Sprintf("Leave-one-out by %d groups: %s.", len(distinct), how), nil
}

// shared counts the pairs beyond the first n that are in a group of one of these.
func shared(ctx context.Context, c config.Config, pairs dataset.Pairs, rows []int, n int) (count int, err error) {
	if _, err = group(ctx, c, &pairs, rows); err != nil || pairs.Groups == nil {
		return 0, err
	}
	for _, label := range pairs.Groups[n:] {
		if slices.Contains(pairs.Groups[:n], label) {
			count++
		}
	}
	return count, nil
}

// labels returns the integers in an array of a file at the given rows.
func labels(ctx context.Context, name, array string, rows []int) ([]int, error) {
	file, err := exchange.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	a, err := file.Array(array)
	if err != nil {
		return nil, err
	}
	bad := func(what string) error {
		return &fault.Data{Where: name + ", " + array, What: what,
			Do: "data.groups names an array of one whole number for each pair"}
	}
	all := make([]int, len(rows))
	for i, row := range rows {
		if row >= len(a.Data) {
			return nil, bad(fmt.Sprintf("has shape %v, labels of more than %d pairs are expected", a.Shape, row))
		}
		v := a.Data[row]
		if v != math.Trunc(v) || math.Abs(v) > 1<<53 {
			return nil, bad(fmt.Sprintf("has the label %g of pair %d, which is not a whole number", v, row))
		}
		all[i] = int(v)
	}
	for _, size := range a.Shape[1:] {
		if size > 1 {
			return nil, bad(fmt.Sprintf("has shape %v, want one number for each pair", a.Shape))
		}
	}
	return all, nil
}
