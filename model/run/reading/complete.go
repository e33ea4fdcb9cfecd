package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/solver/base/fault"
	"rfm/solver/base/printable"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pairs"
)

// fewTests is the least number of test pairs whose mean error is an estimate for others.
const fewTests = 4

// Complete sets the numbers of pairs and the grids that a configuration of a problem from files leaves to them, and
// checks the result. Other configurations stay unchanged. Headers are read, and some values; notes tell in words how
// the files are read. The files stay open. Errors are *config.Error, *fault.Data and ctx's.
func (f *Files) Complete(ctx context.Context, c config.Config) (_ config.Config, notes []string, err error) {
	if !c.Of().Files || c.Data.TrainFile == "" {
		return c, nil, setup.Check(c)
	}
	train, err := f.find(ctx, TrainSource(c))
	if err != nil {
		return c, nil, withPublicFiles(c, err)
	}
	file := c.Data.TrainFile
	info := train.Info
	note := func(file, format string, values ...any) {
		text := fmt.Sprintf(format, values...)
		if text != "" {
			notes = append(notes, exchange.Base(file)+": "+text)
		}
	}
	for _, text := range train.Notes() {
		note(file, "%s", text)
	}
	if err := channels(&c, info); err != nil {
		return c, nil, err
	}
	assumed := ""
	if c.Data.Endpoint == config.AutoPoints {
		if c.Data.Endpoint, assumed, err = placeOf(c, train); err != nil {
			return c, nil, err
		}
	}
	if train, err = f.find(ctx, TrainSource(c)); err != nil { // with the right end, if it is missing
		return c, nil, err
	}
	info = train.Info
	if c.Data.HasTest() && c.Data.TestFile == "" {
		c.Data.TestFile = file
	}
	test := train
	if c.Data.TestFile != "" {
		if test, err = f.findTests(ctx, &c); err != nil {
			return c, nil, err
		}
	}
	c.Data.Axes = train.Letters
	train.Source.Axes = train.Letters // so that the source of the complete configuration is known
	if test != train {
		c.Data.TestAxes = test.Letters
		test.Source.Axes = test.Letters
	}
	// take sets a number of pairs that is open, within the range of the key.
	take := func(number *int, key string, count int) {
		k, failure := c.Lookup(key)
		if *number != 0 || failure != nil {
			return
		}
		*number = min(count, int(k.Max))
		if count > *number {
			note(file, "has %d pairs, of which %s takes %d", info.Count, key, *number)
		}
	}
	available := info.Count
	if c.Data.TestFile != "" {
		take(&c.Data.Test, "data.test", test.Count)
	} else {
		take(&c.Data.Test, "data.test", max(1, info.Count/5))
		available -= c.Data.Test
	}
	take(&c.Data.Train, "data.train", available)
	pairs := printable.Several(info.Count, "pair")
	switch {
	case info.Count == 0:
		return c, nil, &fault.Data{
			Where: file,
			What:  fmt.Sprintf("has no pair that can be used: %s", cmp.Or(info.Skipped, "its arrays are empty")),
			Do:    "give outputs that are finite and not zero",
		}
	case available < 1:
		return c, nil, &fault.Data{
			Where: file,
			What:  fmt.Sprintf("has %s, none of which is left for training: data.test takes %d", pairs, c.Data.Test),
			Do:    "lower data.test, or give a file of test pairs (data.test_file)",
		}
	case c.Data.Train > available:
		return c, nil, &fault.Data{
			Where: file,
			What:  fmt.Sprintf("has %s; %d are wanted for training and %d for testing", pairs, c.Data.Train, info.Count-available),
			Do:    "lower data.train or data.test, or give a file of test pairs (data.test_file)",
		}
	}
	openGrid := c.Train.Grid == 0
	switch {
	case c.Scattered():
		err = onlyGrid(&c, info.Grid)
	case c.Dims() == 2:
		err = fieldGrids(&c, train)
	case c.Closed():
		err = ownGrid(&c, train, 129)
	default:
		functionGrids(&c, info.Grid)
	}
	if err != nil {
		return c, nil, err
	}
	if openGrid {
		if f.refined, err = refineTrainGrid(ctx, &c, train); err != nil {
			return c, nil, err
		}
	}
	if c.Evaluation.Grid == 0 { // errors are those of predictions on all points of the file
		c.Evaluation.Grid = c.Data.Grid
	}
	points := c.Data.Grid
	if c.Dims() == 1 {
		points = info.Grid
	}
	domain := setup.Domain(c)
	domain.Cloud = train.Cloud
	if c.Scattered() {
		note(file, "%s, %s: %s", pairs, domain.Cloud, describe(c, train))
		note(file, "%s", train.FoundPlaces)
	} else if train.NumbersAlone {
		note(file, "%s of numbers: %s", pairs, describe(c, train))
	} else {
		note(file, "%s of %s on %s: %s", pairs, domain.Name(), domain.Grid(points), describe(c, train))
	}
	f.place = len(notes)
	note(file, "%s", assumed)
	note(train.File, "%s", train.Skipped)
	hasOwnTests := c.Data.TestFile != "" // in a file of their own, or arrays
	if hasOwnTests {
		note(c.Data.TestFile, "%s for testing: %s", printable.Several(test.Count, "pair"), describe(c, test))
		note(test.File, "%s", test.Skipped)
	}
	areSameArrays := test.Input == train.Input && test.Output == train.Output
	if hasOwnTests && areSameArrays && sameFile(file, test.File) {
		note(file, "holds the training pairs and the test pairs: the test error is that of pairs the model was trained on")
	}
	if c.Data.Input == c.Data.Output && !train.Whole() {
		note(file, "inputs and outputs are both the array %s (data.input, data.output): the learned map leaves functions as "+
			"they are", c.Data.Input)
	}
	if c.Data.Test < fewTests {
		note(cmp.Or(c.Data.TestFile, file), "the test error is the mean over %s, which is uncertain: give more test pairs "+
			"(data.test, data.test_file), or judge by the leave-one-out error", printable.Several(c.Data.Test, "pair"))
	}
	if c.Dims() == 1 && !c.Closed() && c.Data.Grid != info.Grid {
		notes = append(notes, fmt.Sprintf("functions on K=%d are taken to K=%d by trigonometric interpolation, and trained "+
			"on K=%d", info.Grid, c.Data.Grid, c.Train.Grid))
	}
	if f.refined.note != "" && f.refined.points == c.Train.Grid {
		notes = append(notes, f.refined.note)
	}
	if c.Data.HasLow() {
		text, err := f.completeLow(ctx, &c, train)
		if err != nil {
			return c, nil, err
		}
		notes = append(notes, LowName(c)+": "+text)
	}
	return c, f.withSaid(notes), c.Validate()
}

// withPublicFiles adds to the error of a file that does not exist which files a public set has, and where they belong.
func withPublicFiles(c config.Config, err error) error {
	about, ok := c.PublicSet()
	var data *fault.Data
	if !ok || !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &data) {
		return err
	}
	first, _, _ := strings.Cut(c.Data.TrainFile, ",")
	return &fault.Data{
		Where: data.Where,
		What:  data.What,
		Err:   data.Err,
		Do:    fmt.Sprintf("put %s, into %s", about.Files, printable.Path(filepath.Dir(exchange.Absolute(first)))),
	}
}

// describe tells how arrays are read: their names, axes and points.
func describe(c config.Config, f *pairs.Functions) string {
	text := f.Arrays
	if !f.Whole() && strings.HasPrefix(text, "(") {
		text = fmt.Sprintf("inputs %s, outputs %s %s", cmp.Or(f.Input, "a"), cmp.Or(f.Output, "u"), text)
	}
	if c.Data.Endpoint == config.Excluded {
		text += "; the right end, where functions repeat, is left out"
	}
	return text
}

// findTests locates the test pairs. If arrays have other names there, those with the likeliest names are taken.
func (f *Files) findTests(ctx context.Context, c *config.Config) (*pairs.Functions, error) {
	source, err := f.testSource(ctx, *c)
	if err != nil {
		return nil, err
	}
	test, err := f.find(ctx, source)
	if err == nil || c.Data.TestInput != "" || c.Data.TestOutput != "" {
		return test, err
	}
	file, failure := f.file(ctx, source.File)
	if failure != nil {
		return nil, failure
	}
	guesses, failure := pairs.Guesses(file, "", "")
	named := file.Has(source.Input) && file.Has(source.Output)
	if failure != nil || named || !guesses[0].Known || guesses[0].Input == "" {
		return nil, err
	}
	likeliest := guesses[0]
	c.Data.TestInput = likeliest.Input
	c.Data.TestOutput = likeliest.Output
	source.Input = likeliest.Input
	source.Output = likeliest.Output
	return f.find(ctx, source)
}

// channels takes the numbers of channels from a file. The error is a *config.Error if the configuration has others.
func channels(c *config.Config, info pairs.Info) error {
	err := checkChannels(*c, "data.in", c.Data.In, info.In)
	if err != nil {
		return err
	}
	if info.In > 1 || info.Lifted { // so that rfm predict lifts inputs, too
		c.Data.In = info.In
	}
	err = checkChannels(*c, "data.out", c.Data.Out, info.Out)
	if err != nil {
		return err
	}
	if info.Out > 1 {
		c.Data.Out = info.Out
	}
	return nil
}

// checkChannels fails if a configuration has another number of channels than the file; 0 takes that of the file.
func checkChannels(c config.Config, key string, configured, inFile int) error {
	if configured == 0 || configured == inFile {
		return nil
	}
	return &config.Error{
		Key:        key,
		Value:      fmt.Sprint(configured),
		Problem:    fmt.Sprintf("is not the number in %s: %d", c.Data.TrainFile, inFile),
		Suggestion: "leave it out",
	}
}

// sameFile reports whether two names belong to one existing file.
func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	second, failure := os.Stat(b)
	return err == nil && failure == nil && os.SameFile(first, second)
}

// placeOf returns the place of the points of fields, a value of data.endpoint, and the assumption made, if any: from
// coordinates in the file, or from values and numbers of points. The error is a *fault.Data.
func placeOf(c config.Config, f *pairs.Functions) (endpoint, note string, err error) {
	if !c.Closed() {
		repeats, err := f.Repeats()
		if repeats || c.Dims() == 1 || err != nil {
			return config.Included, "", err
		}
		return config.Excluded, "", nil
	}
	place, by, err := pairs.Coordinates(f)
	if err != nil {
		return "", "", err
	}
	isEven := f.Grid%2 == 0 || f.Columns%2 == 0
	switch {
	case place == config.Centres:
		return place, "points are the centres of cells, according to " + by, nil
	case place == config.Included:
		return place, "points are points that count both ends, according to " + by, nil
	case isEven:
		return config.Centres, "even numbers of points are taken for centres of cells (data.endpoint = centres)", nil
	}
	return config.Included, "", nil
}

// onlyGrid takes the points of any geometry as the only grid. The error is a *config.Error if the configuration has another.
func onlyGrid(c *config.Config, points int) error {
	for _, key := range []string{"data.grid", "train.grid", "evaluation.grid"} {
		k, err := c.Lookup(key)
		if err != nil {
			return err
		}
		value := k.Text(*c)
		if value == "0" || value == fmt.Sprint(points) {
			continue
		}
		return &config.Error{
			Key:        key,
			Value:      value,
			Suggestion: "leave it out",
			Problem: fmt.Sprintf("is not the number of the points of %s, %d, which form no grid, so that there is no coarser one",
				c.Data.TrainFile, points),
		}
	}
	c.Data.Grid = points
	c.Train.Grid = points
	return nil
}

// fieldGrids chooses grids for fields, up to 33 points along the first axis for training.
func fieldGrids(c *config.Config, f *pairs.Functions) error {
	info := f.Info
	if c.Data.Columns != 0 && c.Data.Columns != info.Columns {
		return &config.Error{
			Key:        "data.columns",
			Value:      fmt.Sprint(c.Data.Columns),
			Suggestion: "leave it out",
			Problem: fmt.Sprintf("is not the grid of %s, which has %d points along the second axis",
				c.Data.TrainFile, info.Columns),
		}
	}
	if info.Columns != info.Grid {
		c.Data.Columns = info.Columns
	}
	return ownGrid(c, f, 33)
}

// ownGrid takes a file's grid unchanged, and for training the finest that it contains up to the usual number of points.
// The error is a *config.Error if the configuration has another one, a *fault.Data if there is none for training.
func ownGrid(c *config.Config, f *pairs.Functions, usual int) error {
	const leastIntervals = 8
	r := f.Info.Grid
	key, err := c.Lookup("data.grid")
	if err != nil {
		return err
	}
	most := int(key.Max)
	if r > most {
		remedy := "take fewer of them: " + pairs.Settings(f.Coarser(most))
		return &fault.Data{
			Where: c.Data.TrainFile,
			What:  fmt.Sprintf("has %d points along an axis, at most %d are used", r, most),
			Do:    remedy,
		}
	}
	shorter := min(r, cmp.Or(c.Data.Columns, r)) // the side with fewer points
	intervals := c.Intervals(shorter)
	if intervals < leastIntervals {
		least := shorter - intervals + leastIntervals
		return &fault.Data{
			Where: c.Data.TrainFile,
			What:  fmt.Sprintf("has %d points along an axis, at least %d are needed", shorter, least),
			Do:    "give functions on a finer grid",
		}
	}
	if c.Data.Grid == 0 {
		c.Data.Grid = r
	}
	if c.Data.Grid != r {
		return &config.Error{
			Key:        "data.grid",
			Symbol:     c.GridSymbol(),
			Value:      fmt.Sprint(c.Data.Grid),
			Problem:    fmt.Sprintf("is not the grid of %s, which has r=%d", c.Data.TrainFile, r),
			Suggestion: "leave it out",
		}
	}
	if c.Train.Grid == 0 {
		c.Train.Grid = c.GridUpTo(r, usual)
	}
	return nil
}

// functionGrids chooses grids for functions on the K points of a file. Periodic functions can be interpolated, so any K
// is possible: the file's grid is taken if it contains the training grid, or one between half of the usual one and the
// usual one. Otherwise it is the first with at least as many points that is a power of two times as fine as the
// training grid.
func functionGrids(c *config.Config, K int) {
	const usual, least, most = 129, 9, 1<<16 + 1
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
		c.Train.Grid = c.GridUpTo(c.Data.Grid, usual)
	}
}
