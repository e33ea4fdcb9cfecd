// This file reads pairs of low fidelity: many, of a cheap approximation of the operator.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// leastLow is the least number of pairs of low fidelity from which a method is chosen.
const leastLow = 3

// lowConfig returns the configuration that reads the pairs of low fidelity as those of high fidelity are read, on a grid
// of their own.
func lowConfig(c config.Config) config.Config {
	d := &c.Data
	d.TrainFile = d.Low
	d.TestFile = ""
	d.TestInput = ""
	d.TestOutput = ""
	d.TestAxes = ""
	d.Mask = false
	d.Skip = config.SkipNone
	d.Low = ""
	return c
}

// LowName returns the name of the file of low fidelity without its directory, unless the other file has the same name.
func LowName(c config.Config) string {
	name := exchange.Base(c.Data.Low)
	if name != exchange.Base(c.Data.TrainFile) {
		return name
	}
	return filepath.Join(filepath.Base(filepath.Dir(c.Data.Low)), name)
}

// findLow locates the pairs of low fidelity, whose arrays have the names of the others. Their axes are found in their
// own shapes, which may be those of another grid, or else are those of the others. The error is a *fault.Data, or
// ctx.Err().
func (f *Files) findLow(ctx context.Context, c config.Config) (*pairs.Functions, error) {
	asOthers := TrainSource(lowConfig(c))
	own := asOthers
	own.Axes = ""
	found, err := f.find(ctx, own)
	if err == nil || ctx.Err() != nil {
		return found, err
	}
	if found, failure := f.find(ctx, asOthers); failure == nil {
		return found, nil
	}
	var data *fault.Data
	if !errors.As(err, &data) || !exchange.IsThere(c.Data.Low) {
		return nil, err
	}
	high := exchange.Base(c.Data.TrainFile)
	return nil, &fault.Data{
		Where: c.Data.Low,
		What: fmt.Sprintf("cannot be read as %s is, with inputs %s and outputs %s: %s %s", high, cmp.Or(c.Data.Input, "a"),
			cmp.Or(c.Data.Output, "u"), data.Where, data.What),
		Do: "save its arrays under these names, with the axes of " + high,
	}
}

// completeLow sets the number of pairs of low fidelity, checks that they are functions like those of high fidelity, and
// describes them. The error is a *fault.Data, or ctx.Err().
func (f *Files) completeLow(ctx context.Context, c *config.Config, high *pairs.Functions) (text string, err error) {
	file := c.Data.Low
	if sameFile(file, c.Data.TrainFile) {
		return "", &fault.Data{
			Where: file,
			What:  "is also the file of the pairs of high fidelity",
			Do:    "name another file in data.low, or leave it out",
		}
	}
	low, err := f.findLow(ctx, *c)
	if err != nil {
		return "", err
	}
	err = alike(*c, low, high)
	if err != nil {
		return "", err
	}
	take := c.Data.LowPairs
	if take == 0 {
		take = low.Count
	}
	if take < leastLow || take > low.Count {
		remedy := fmt.Sprintf("set data.low_pairs to %d at most, or to 0", low.Count)
		if low.Count < leastLow {
			remedy = "give more pairs, or leave out data.low"
		}
		return "", &fault.Data{
			Where: file,
			What:  fmt.Sprintf("has %s of low fidelity, want %d, and at least %d", printable.Several(low.Count, "pair"), take, leastLow),
			Do:    remedy,
		}
	}
	c.Data.LowPairs = take
	where := setup.Domain(ownGridOf(*c, low)).Grid(low.Grid)
	if c.Scattered() {
		where = low.Cloud.String()
	}
	return fmt.Sprintf("%s of low fidelity on %s: %s; a model of them is tried as the start of the model of %s, and as a further input",
		printable.Several(take, "pair"), where, low.Arrays, exchange.Base(c.Data.TrainFile)), nil
}

// alike returns a *fault.Data unless pairs of low fidelity are functions of the same kind as those of high fidelity.
func alike(c config.Config, low, high *pairs.Functions) error {
	remedy := "give a file whose inputs and outputs mean the same as those of " + exchange.Base(c.Data.TrainFile)
	bad := func(format string, values ...any) error {
		return fault.Bad(c.Data.Low, remedy, format, values...)
	}
	switch {
	case low.In != high.In || low.Out != high.Out:
		return bad("has inputs of %s and outputs of %d, %s has %d and %d", printable.Several(low.In, "channel"), low.Out,
			exchange.Base(c.Data.TrainFile), high.In, high.Out)
	case low.Lifted != high.Lifted:
		return bad("has inputs %s, %s has %s: numbers in one, functions in the other", low.Arrays,
			exchange.Base(c.Data.TrainFile), high.Arrays)
	case c.Scattered() && low.Cloud != high.Cloud:
		remedy = "give both at the same points, in the same order: what lies between points is not known"
		return bad("has its functions at other points: %v, not %v", low.Cloud, high.Cloud)
	}
	if c.Scattered() {
		return nil
	}
	own := setup.Domain(ownGridOf(c, low))
	if own != setup.Domain(c) {
		return bad("has %s, which are not the rectangle of %s: %s", own.Grid(low.Grid), exchange.Base(c.Data.TrainFile),
			setup.Domain(c).Grid(c.Data.Grid))
	}
	return nil
}

// ownGridOf returns a configuration that reads functions on all points of their own grid.
func ownGridOf(c config.Config, f *pairs.Functions) config.Config {
	c = lowConfig(c)
	c.Data.Grid = f.Grid
	c.Train.Grid = f.Grid
	c.Evaluation.Grid = f.Grid
	c.Data.Columns = 0
	if c.Dims() == 2 && f.Columns != f.Grid {
		c.Data.Columns = f.Columns
	}
	return c
}

// ReadLow reads the pairs of low fidelity of a complete configuration on the grid of its training pairs, also from a
// coarser one: the model on that saw less of fine inputs, and the error on Darcy's equation was 0.029 instead of 0.021.
// Those with an input of pairs of high fidelity, for training or for testing, are left out: a model that had learned from
// them would be better there than at new inputs, and errors too small. Errors: *fault.Data, ctx.Err().
func (f *Files) ReadLow(ctx context.Context, c config.Config, high ...dataset.Pairs) (low dataset.Pairs, err error) {
	found, err := f.findLow(ctx, c)
	if err != nil {
		return low, err
	}
	own := ownGridOf(c, found)
	all, err := read(own, found, dataset.First(c.Data.LowPairs), func(fine int) int {
		return fine
	})
	if err != nil {
		return low, err
	}
	known, err := copies(all.Inputs, high)
	if err != nil {
		return low, err
	}
	var others []int
	for i, isKnown := range known {
		if !isKnown {
			others = append(others, i)
		}
	}
	if len(others) < leastLow {
		return low, &fault.Data{
			Where: c.Data.Low,
			What: fmt.Sprintf("has %d pairs, of which only %d have inputs that no pair of high fidelity has, want at least %d",
				all.Count(), len(others), leastLow),
			Do: "give pairs of low fidelity with other inputs, which are cheap, or leave out data.low",
		}
	}
	low = all.Take(others)
	if c.Scattered() {
		return low, nil
	}
	points := c.TrainPairsGrid(c.Data.Grid)
	low.Inputs, err = resample.To(low.Inputs, points)
	if err != nil {
		return low, err
	}
	low.Outputs, err = resample.To(low.Outputs, points)
	return low, err
}

// copies reports for each input whether it is an input of some pairs, on the coarser of both grids.
func copies(inputs grid.Batch, high []dataset.Pairs) ([]bool, error) {
	known := make([]bool, inputs.Count)
	for _, pairs := range high {
		points := min(inputs.Points, pairs.Inputs.Points)
		one, err := resample.To(inputs, points)
		if err != nil {
			return nil, err
		}
		other, err := resample.To(pairs.Inputs, points)
		if err != nil {
			return nil, err
		}
		for i, isCopy := range dataset.Copies(one, other) {
			known[i] = known[i] || isCopy
		}
	}
	return known, nil
}
