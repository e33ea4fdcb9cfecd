package setup

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"rfm/config"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/fault"
	"rfm/solver/printable"
)

// fewTests is the least number of test pairs whose mean error is an estimate for others.
const fewTests = 4

// Complete sets the numbers of pairs and the grids that a configuration of a problem from files leaves to them. Other
// configurations stay unchanged. Headers are read, and some values; notes are assumptions about the files, in words.
// Errors are *config.Error, *fault.Data and ctx's.
func Complete(ctx context.Context, c config.Config) (_ config.Config, notes []string, err error) {
	if !c.Of().Files || c.Data.TrainFile == "" { // Validate reports the missing name
		return c, nil, checkEquation(c)
	}
	file, err := exchange.Open(ctx, c.Data.TrainFile)
	if err != nil {
		return c, nil, err
	}
	defer file.Close()
	return CompleteFrom(ctx, c, file)
}

// CompleteFrom is Complete for a configuration whose file of training pairs is open.
func CompleteFrom(ctx context.Context, c config.Config, file *exchange.File) (
	_ config.Config, notes []string, err error) {
	stat := func(s dataset.Source) (dataset.Info, error) {
		info, err := dataset.StatPairs(ctx, s, c.Dims())
		if err == nil && !info.Usual {
			notes = append(notes, fmt.Sprintf("%s is read as %s", filepath.Base(s.File), info.Axes))
		}
		if out := info.Skipped.String(); err == nil && out != "" {
			notes = append(notes, fmt.Sprintf("%s: %s", filepath.Base(s.File), out))
		}
		return info, err
	}
	source := TrainSource(c)
	source.Open = file
	info, err := stat(source)
	if err != nil {
		return c, nil, err
	}
	if err := channels(&c, info); err != nil {
		return c, nil, err
	}
	if c.Data.Endpoint == config.AutoPoints {
		note := ""
		if c.Data.Endpoint, note = placeOf(c, info); note != "" {
			notes = append(notes, fmt.Sprintf("%s: %s", filepath.Base(c.Data.TrainFile), note))
		}
		if c.Data.Endpoint == config.Excluded { // count the missing ends
			info.Grid, info.Columns = info.Grid+1, info.Columns+min(info.Columns, 1)
		}
	}
	if c.Data.HasTest() && c.Data.TestFile == "" {
		c.Data.TestFile = c.Data.TrainFile
	}
	if test := testSource(c); sameFile(source.File, test.File) && test.Input == source.Input &&
		test.Output == source.Output {
		notes = append(notes,
			fmt.Sprintf("%s holds the training pairs and the test pairs: the test error is that of pairs the model was "+
				"trained on", filepath.Base(c.Data.TrainFile)))
	}
	if c.Data.Input == c.Data.Output && filepath.Ext(c.Data.TrainFile) != ".npy" { // has no names
		notes = append(notes,
			fmt.Sprintf("%s: inputs and outputs are both the array %s (data.input, data.output): the learned map leaves "+
				"functions as they are", filepath.Base(c.Data.TrainFile), c.Data.Input))
	}
	// few limits a number of pairs to the range of the key.
	few := func(key string, count int) int {
		k, failure := c.Lookup(key)
		if failure == nil && count > int(k.Max) {
			notes = append(notes, fmt.Sprintf("%s has %d pairs, of which %s takes %d", filepath.Base(c.Data.TrainFile),
				info.Count, key, int(k.Max)))
			return int(k.Max)
		}
		return count
	}
	available := info.Count
	if c.Data.TestFile != "" {
		from := testSource(c)
		if from.File == c.Data.TrainFile {
			from.Open = file
		}
		test, err := stat(from)
		if err != nil {
			return c, nil, err
		}
		if c.Data.Test == 0 {
			c.Data.Test = few("data.test", test.Count)
		}
	} else {
		if c.Data.Test == 0 {
			c.Data.Test = few("data.test", max(1, info.Count/5))
		}
		available -= c.Data.Test
	}
	if c.Data.Train == 0 {
		c.Data.Train = few("data.train", available)
	}
	switch has := "has " + printable.Several(info.Count, "pair"); {
	case info.Count == 0:
		return c, nil, &fault.Data{Where: c.Data.TrainFile, What: "has no pair that can be used: " +
			cmp.Or(info.Skipped.String(), "its arrays are empty"), Do: "give outputs that are finite and not zero"}
	case available < 1:
		return c, nil, &fault.Data{Where: c.Data.TrainFile,
			What: fmt.Sprintf("%s, none of which is left for training: data.test takes %d", has, c.Data.Test),
			Do:   "lower data.test, or give a file of test pairs (data.test_file)"}
	case c.Data.Train > available:
		return c, nil, &fault.Data{Where: c.Data.TrainFile,
			What: fmt.Sprintf("%s; %d are wanted for training and %d for testing", has, c.Data.Train, info.Count-available),
			Do:   "lower data.train or data.test, or give a file of test pairs (data.test_file)"}
	}
	if c.Data.Test < fewTests {
		notes = append(notes, fmt.Sprintf("%s: the test error is the mean over %s, which is uncertain: give more test pairs "+
			"(data.test, data.test_file), or judge by the leave-one-out error",
			filepath.Base(cmp.Or(c.Data.TestFile, c.Data.TrainFile)), printable.Several(c.Data.Test, "pair")))
	}
	if c.Dims() == 2 {
		err = fieldGrids(&c, info)
	} else if c.Closed() {
		err = closedGrids(&c, info.Grid)
	} else if err = functionGrids(&c, info.Grid); err == nil && c.Data.Grid != info.Grid {
		notes = append(notes,
			fmt.Sprintf("functions on K=%d are taken to K=%d by trigonometric interpolation, and trained on K=%d", info.Grid,
				c.Data.Grid, c.Train.Grid))
	}
	if err == nil && c.Evaluation.Grid == 0 && c.Train.Grid < min(c.Data.Grid, info.Grid) {
		notes = append(notes, fmt.Sprintf("trained and measured on %d of the file's %d points along an axis (train.grid, "+
			"evaluation.grid)", c.Train.Grid, info.Grid))
	}
	return c, notes, err
}

// channels takes the numbers of channels from a file. The error is a *config.Error if the configuration has others.
func channels(c *config.Config, info dataset.Info) error {
	for _, side := range []struct {
		key  string
		is   *int
		file int
	}{{"data.in", &c.Data.In, max(1, info.In)}, {"data.out", &c.Data.Out, max(1, info.Out)}} {
		if *side.is != 0 && *side.is != side.file {
			return &config.Error{Key: side.key, Value: fmt.Sprint(*side.is), Problem: fmt.Sprintf("is not the number in %s: %d",
				c.Data.TrainFile, side.file), Suggestion: "leave it out"}
		}
		if side.file > 1 || side.is == &c.Data.In && info.Lifted { // so that rfm predict lifts inputs, too
			*side.is = side.file
		}
	}
	return nil
}

// sameFile reports whether two names belong to one existing file.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, failure := os.Stat(b)
	return err == nil && failure == nil && os.SameFile(first, second)
}

// placeOf returns the place of the points of a file without coordinates, a value of data.endpoint, and the assumption
// made, if any.
func placeOf(c config.Config, info dataset.Info) (endpoint, note string) {
	switch even := info.Grid%2 == 0 || info.Columns > 0 && info.Columns%2 == 0; {
	case !c.Closed() && (info.Repeats || c.Dims() == 1):
		return config.Included, ""
	case !c.Closed():
		return config.Excluded, "the points are taken for those of a grid without the right ends (data.endpoint = excluded)"
	case even:
		return config.Centres,
			"the points are taken for the centres of cells, because there is an even number of them (data.endpoint = " +
				"centres; included: they count both ends)"
	}
	return config.Included, ""
}

// closedGrids chooses grids for functions on an interval, on the K points of a file: the file's own, and for training
// the finest that it contains up to 129 points. The error is that of fieldGrids.
func closedGrids(c *config.Config, K int) error { return ownGrid(c, K, 129) }

// fieldGrids chooses grids for fields, up to 33 points along the first axis for training.
func fieldGrids(c *config.Config, info dataset.Info) error {
	if c.Data.Columns != 0 && c.Data.Columns != info.Columns {
		return &config.Error{Key: "data.columns", Value: fmt.Sprint(c.Data.Columns),
			Problem: fmt.Sprintf("is not the grid of %s, which has %d points along the second axis", c.Data.TrainFile,
				info.Columns), Suggestion: "leave it out"}
	}
	if info.Columns != info.Grid {
		c.Data.Columns = info.Columns
	}
	return ownGrid(c, info.Grid, 33)
}

// ownGrid takes a file's grid unchanged, and for training the finest that it contains up to the usual number of points.
// The error is a *config.Error if the configuration has another one, a *fault.Data if there is none for training.
func ownGrid(c *config.Config, r, usual int) error {
	const least = 8
	key, err := c.Lookup("data.grid")
	if err != nil {
		return err
	}
	if most := int(key.Max); r > most {
		return &fault.Data{Where: c.Data.TrainFile, What: fmt.Sprintf("has %d points along an axis, at most %d are used", r,
			most), Do: coarser(r, most)}
	}
	if few := min(r, cmp.Or(c.Data.Columns, r)); c.Intervals(few) < least {
		return &fault.Data{Where: c.Data.TrainFile, What: fmt.Sprintf("has %d points along an axis, at least %d are needed",
			few, few-c.Intervals(few)+least), Do: "give functions on a finer grid"}
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = r
	}
	if c.Data.Grid != r {
		return &config.Error{Key: "data.grid", Symbol: c.GridSymbol(), Value: fmt.Sprint(c.Data.Grid),
			Problem: fmt.Sprintf("is not the grid of %s, which has r=%d", c.Data.TrainFile, r), Suggestion: "leave it out"}
	}
	if c.Train.Grid == 0 {
		for _, K := range c.Grids(r) {
			if K <= usual || c.Train.Grid == 0 {
				c.Train.Grid = K
			}
		}
	}
	return nil
}

// coarser returns advice to bring fields on r x r points to a grid with at most most points along an axis and an even
// number of intervals.
func coarser(r, most int) string {
	for step := 2; (r-1)/step >= most/4; step++ {
		if (r-1)%(2*step) == 0 && (r-1)/step < most {
			return fmt.Sprintf("take every point of %d in both directions, in Python a[..., ::%[1]d, ::%[1]d]: the grid is "+
				"then r=%d", step, (r-1)/step+1)
		}
	}
	return fmt.Sprintf("interpolate the fields, in Python scipy.ndimage.zoom(a, (1, %d/%d, %[1]d/%[2]d), order=1)", most,
		r)
}

// functionGrids chooses grids for functions on the K points of a file. Periodic functions can be interpolated, so any K
// is possible: the file's grid is taken if it contains the training grid, or one between half of the usual one and the
// usual one. Otherwise it is the first with at least as many points that is a power of two times as fine as the
// training grid. The error is a *fault.Data if K is beyond the limit.
func functionGrids(c *config.Config, K int) error {
	const usual, least, most = 129, 9, 1<<16 + 1
	if K > dataset.MostPoints {
		return &fault.Data{Where: c.Data.TrainFile, What: fmt.Sprintf("has functions on K=%d points, at most %d are read", K,
			dataset.MostPoints), Do: "take every second or tenth point"}
	}
	wanted := c.Train.Grid
	if wanted < least || wanted%2 == 0 { // unset, or refused by Validate
		wanted = 0
	}
	contained := 0 // the best training grid of the file's
	for _, k := range c.Grids(K) {
		if wanted == 0 && k <= usual || k == wanted {
			contained = k
		}
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = K
		if K%2 == 0 || K > most || contained < min(K, (usual+1)/2) && wanted == 0 || contained == 0 {
			intervals := wanted - 1
			if wanted == 0 {
				intervals = least - 1
			}
			for intervals < K-1 && 2*intervals < most {
				intervals *= 2
			}
			c.Data.Grid = intervals + 1
		}
	}
	if c.Train.Grid == 0 {
		for _, k := range c.Grids(c.Data.Grid) {
			if k <= usual || c.Train.Grid == 0 {
				c.Train.Grid = k
			}
		}
	}
	return nil
}
