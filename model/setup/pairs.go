package setup

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/grid"
	"rfm/solver/resample"
	"rfm/solver/truth"
)

// ReadPairs reads the training pairs of a complete configuration, the test pairs, or both: the arguments that are not
// nil, which need files. From a single file they are random parts of it, read in one pass. The training pairs of own
// data get groups by data.groups; the sentence describes them, and is empty if there are none. Errors are *fault.Data
// and ctx's.
func ReadPairs(ctx context.Context, c config.Config, train, test *dataset.Pairs) (sentence string, err error) {
	if !c.Of().Files || c.Data.TestFile != "" {
		for _, side := range []struct {
			pairs  *dataset.Pairs
			source dataset.Source
			count  int
		}{{train, TrainSource(c), c.Data.Train}, {test, testSource(c), c.Data.Test}} {
			if side.pairs == nil {
				continue
			}
			rows := make([]int, side.count)
			for i := range rows {
				rows[i] = i
			}
			all := func(dataset.Info) ([]int, error) { return rows, nil }
			if *side.pairs, err = readRows(ctx, c, side.source, all); err != nil {
				return "", err
			}
			if side.pairs == train {
				if sentence, err = group(ctx, c, train, rows); err != nil {
					return "", err
				}
			}
		}
		return sentence, nil
	}
	if train == nil && test == nil {
		return "", nil
	}
	source := TrainSource(c)
	var training, held []int
	pairs, err := readRows(ctx, c, source, func(info dataset.Info) (_ []int, err error) {
		training, held, err = dataset.Split(info.Count, c.SplitSeed(), c.Data.Train, c.Data.Test)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.File, err)
		}
		if train == nil {
			training = nil
		}
		if test == nil {
			held = nil
		}
		return slices.Concat(training, held), nil
	})
	if err != nil {
		return "", err
	}
	if train != nil {
		*train = pairs.Range(0, len(training))
		if sentence, err = group(ctx, c, train, training); err != nil {
			return "", err
		}
	}
	if test != nil {
		*test = pairs.Range(len(training), len(held))
	}
	if train == nil || test == nil {
		return sentence, nil
	}
	common, err := shared(ctx, c, pairs, slices.Concat(training, held), len(training))
	if err == nil && common > 0 {
		if train.Groups == nil {
			train.Groups = dataset.Blocks(training, 1) // the sentence is stored with them
		}
		sentence = strings.TrimSpace(fmt.Sprintf("%s %d of %d test pairs are in groups of training pairs: the test error "+
			"is that of copies or neighbours, not of new inputs.", sentence, common, len(held)))
	}
	return sentence, err
}

// readRows reads the pairs whose numbers choose returns, from a file that is opened once. Functions are interpolated to
// the data grid if their grid does not contain those of training and evaluation and interpolation is possible.
func readRows(ctx context.Context, c config.Config, source dataset.Source, choose func(dataset.Info) ([]int, error)) (
	dataset.Pairs, error) {
	file := source.File
	open, err := exchange.Open(ctx, file)
	if err != nil {
		return dataset.Pairs{}, err
	}
	defer open.Close()
	source.Open = open
	info := dataset.Info{}
	if c.Of().Files {
		if info, err = dataset.StatPairs(ctx, source, c.Dims()); err != nil {
			return dataset.Pairs{}, err
		}
		if info.Grid == c.Data.Grid && !c.Cells() { // points are left out; coarse cells are means of fine ones
			source.Points = c.PairsGrid(info.Grid)
		}
	}
	rows, err := choose(info)
	if err != nil {
		return dataset.Pairs{}, err
	}
	pairs, err := dataset.ReadChosen(ctx, source, c.Dims(), rows)
	if err != nil {
		return dataset.Pairs{}, err
	}
	for _, side := range []struct {
		name      string
		functions *grid.Batch
	}{{"input", &pairs.Inputs}, {"output", &pairs.Outputs}} {
		if *side.functions, err = side.functions.On(Domain(c), file+", "+side.name); err != nil {
			return dataset.Pairs{}, err
		}
		if err := side.functions.CheckPeriodic(file+", "+side.name, rows); err != nil {
			return dataset.Pairs{}, err
		}
	}
	if o, ok := Truth(c).(truth.Checker); ok {
		if err := o.Check(file+", input", pairs.Inputs); err != nil { // the first rows show any error
			return pairs, err
		}
	}
	err = CheckGrids(file, pairs.Inputs, c)
	if err != nil && c.Of().Files && pairs.Inputs.Domain.One() == grid.Torus {
		if pairs.Inputs, err = resample.To(pairs.Inputs, c.Data.Grid); err == nil {
			pairs.Outputs, err = resample.To(pairs.Outputs, c.Data.Grid)
		}
	}
	if err != nil {
		return pairs, err
	}
	return pairs.Restrict(c.PairsGrid(pairs.Inputs.Points))
}

// CheckGrids checks, before long computations, that functions from a file can be restricted to all required grids. The
// error is a *fault.Data.
func CheckGrids(file string, functions grid.Batch, c config.Config) error {
	one := functions.Range(0, 1)
	for _, K := range []int{c.Train.Grid, c.TestGrid()} {
		if _, err := one.Restrict(K); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}
