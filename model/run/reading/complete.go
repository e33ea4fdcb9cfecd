package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
// checks the result. Of other configurations it sets data.symmetry at most, see withFold. Headers are read, and some
// values; notes tell in words how the files are read. The files stay open. Errors are *config.Error, *fault.Data and
// ctx.Err().
//
// A configuration is completed when its file is guessed, and again when further settings have been assigned. Located
// functions, the training grid and the fold are kept with the files, so that the second time costs no reading.
func (f *Files) Complete(ctx context.Context, c config.Config) (_ config.Config, notes []string, err error) {
	if !c.Of().Files || c.Data.TrainFile == "" {
		err := setup.Check(c)
		if err != nil {
			return c, nil, err
		}
		c, err = withFold(c)
		return c, nil, err
	}
	d := &completion{Config: c, files: f}
	if err := d.locate(ctx); err != nil {
		return d.Config, nil, err
	}
	if err := d.takeCounts(); err != nil {
		return d.Config, nil, err
	}
	if err := d.takeGrids(ctx); err != nil {
		return d.Config, nil, err
	}
	if err := d.takeInputGrid(); err != nil {
		return d.Config, nil, err
	}
	if err := d.takeFold(); err != nil {
		return d.Config, nil, err
	}
	d.describePairs()
	d.describeTests()
	d.describeGrids()
	if d.Data.HasLow() {
		text, err := f.completeLow(ctx, &d.Config, d.train)
		if err != nil {
			return d.Config, nil, err
		}
		d.notes = append(d.notes, LowName(d.Config)+": "+text)
	}
	return d.Config, f.withSaid(d.notes), d.Validate()
}

// completion is the state of completing a configuration.
type completion struct {
	config.Config
	files   *Files
	train   *pairs.Functions
	test    *pairs.Functions // train if the test pairs are a part of its file
	assumed string           // about the place of the ends
	notes   []string
}

// note adds a note on a file, unless its text is empty.
func (d *completion) note(file, format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	if text != "" {
		d.notes = append(d.notes, exchange.Base(file)+": "+text)
	}
}

// locate finds the pairs in their files, and takes channels, axes and the place of the ends from them.
func (d *completion) locate(ctx context.Context) error {
	train, err := d.files.find(ctx, TrainSource(d.Config))
	if err != nil {
		return withPublicFiles(d.Config, err)
	}
	file := d.Data.TrainFile
	err = channels(&d.Config, train.Info)
	if err != nil {
		return err
	}
	if d.Data.Endpoint == config.AutoPoints {
		d.Data.Endpoint, d.assumed, err = placeOf(d.Config, train)
		if err != nil {
			return err
		}
	}
	d.train, err = d.files.find(ctx, TrainSource(d.Config)) // with the right end, if it is missing
	if err != nil {
		return err
	}
	if d.Data.HasTest() && d.Data.TestFile == "" {
		d.Data.TestFile = file
	}
	d.test = d.train
	if d.Data.TestFile != "" {
		d.test, err = d.files.findTests(ctx, &d.Config)
		if err != nil {
			return err
		}
	}
	d.Data.Axes = d.train.Letters
	d.train.Source.Axes = d.train.Letters // so that the source of the complete configuration is known
	if d.test != d.train {
		d.Data.TestAxes = d.test.Letters
		d.test.Source.Axes = d.test.Letters
	}
	return nil
}

// takeCounts sets the numbers of training pairs and test pairs. Without a file of test pairs these are a fifth. The error is
// a *fault.Data if there are too few.
func (d *completion) takeCounts() error {
	file := d.Data.TrainFile
	count := d.train.Info.Count
	available := count // for training
	if d.Data.TestFile != "" {
		d.take(&d.Data.Test, "data.test", d.test.Count)
	} else {
		var err error
		available, err = d.takeTests()
		if err != nil {
			return err
		}
	}
	d.take(&d.Data.Train, "data.train", available)
	pairs := printable.Several(count, "pair")
	if count == 0 {
		return &fault.Data{
			Where: file,
			What:  "has no pair that can be used: " + cmp.Or(d.train.Info.Skipped, "its arrays are empty"),
			Do:    "give values that are finite, and outputs that are not zero",
		}
	}
	if available < 1 {
		return &fault.Data{
			Where: file,
			What:  fmt.Sprintf("has %s, none of which is left for training: data.test takes %d", pairs, d.Data.Test),
			Do:    "lower data.test, or give a file of test pairs (data.test_file)",
		}
	}
	if d.Data.Train > available {
		const wanted = "has %s, want %d for training and %d for testing"
		return &fault.Data{
			Where: file,
			What:  fmt.Sprintf(wanted, pairs, d.Data.Train, count-available),
			Do:    "lower data.train or data.test, or give a file of test pairs (data.test_file)",
		}
	}
	return nil
}

// take sets a number of pairs that is open to a count, within the range of its key.
func (d *completion) take(number *int, key string, count int) {
	if *number != 0 {
		return
	}
	k, err := d.Lookup(key)
	if err != nil {
		return
	}
	*number = min(count, int(k.Max))
	if count > *number {
		d.note(d.Data.TrainFile, "has %d pairs, of which %s takes %d", d.train.Info.Count, key, *number)
	}
}

// takeGrids sets the grids of data, training and evaluation.
func (d *completion) takeGrids(ctx context.Context) (err error) {
	isOpen := d.Config.Train.Grid == 0
	switch {
	case d.Scattered():
		err = onlyGrid(&d.Config, d.train.Info.Grid)
	case d.Dims() == 2:
		err = fieldGrids(&d.Config, d.train)
	case d.Closed():
		err = ownGrid(&d.Config, d.train, 129)
	default:
		functionGrids(&d.Config, d.train.Info.Grid)
	}
	if err != nil {
		return err
	}
	if isOpen {
		d.files.refined, err = refineTrainGrid(ctx, &d.Config, d.train)
		if err != nil {
			return err
		}
	}
	if d.Evaluation.Grid == 0 { // errors are those of predictions on all points of the file
		d.Evaluation.Grid = d.Data.Grid
	}
	return nil
}

// describePairs notes what the pairs are.
func (d *completion) describePairs() {
	file := d.Data.TrainFile
	train := d.train
	points := d.Data.Grid
	if d.Dims() == 1 {
		points = train.Info.Grid
	}
	pairs := printable.Several(train.Info.Count, "pair")
	arrays := describe(d.Config, train)
	domain := setup.Domain(d.Config)
	domain.Cloud = train.Cloud
	switch {
	case d.Scattered():
		d.note(file, "%s, %s: %s", pairs, domain.Cloud, arrays)
		d.note(file, "%s", train.FoundPlaces)
	case train.NumbersAlone:
		d.note(file, "%s of numbers: %s", pairs, arrays)
	default:
		d.note(file, "%s of %s on %s: %s", pairs, domain.Name(), domain.Grid(points), arrays)
	}
	d.files.place = len(d.notes)
	if d.Data.Symmetry == d.files.folded.word {
		d.note(file, "%s", d.files.folded.note)
	}
	d.note(file, "%s", d.assumed)
	d.note(train.File, "%s", train.Skipped)
	for _, text := range train.Notes() { // last, because they are about single arrays
		d.note(file, "%s", text)
	}
}

// describeTests notes what the test pairs are, and what is doubtful about them.
func (d *completion) describeTests() {
	file := d.Data.TrainFile
	tests := printable.Several(d.test.Count, "pair")
	hasOwnTests := d.Data.TestFile != "" // in a file of their own, or arrays
	if hasOwnTests {
		d.note(d.Data.TestFile, "%s for testing: %s", tests, describe(d.Config, d.test))
		d.note(d.test.File, "%s", d.test.Skipped)
	}
	areSameArrays := d.test.Input == d.train.Input && d.test.Output == d.train.Output
	if hasOwnTests && areSameArrays && sameFile(file, d.test.File) {
		d.note(file, "holds the training pairs and the test pairs: the test error is that of pairs the model was trained on")
	}
	if d.Data.Input == d.Data.Output && !d.train.Whole() {
		const identity = "inputs and outputs are both the array %s (data.input, data.output): the learned map leaves " +
			"functions as they are"
		d.note(file, identity, d.Data.Input)
	}
	if d.Data.Test < fewTests {
		const uncertain = "the test error is the mean over %s, which is uncertain: give more test pairs (data.test, " +
			"data.test_file), or judge by the leave-one-out error"
		d.note(cmp.Or(d.Data.TestFile, file), uncertain, printable.Several(d.Data.Test, "pair"))
	}
}

// describeGrids notes that functions are interpolated, and why methods learn on a coarser grid.
func (d *completion) describeGrids() {
	K := d.train.Info.Grid
	isInterpolated := d.Dims() == 1 && !d.Closed() && d.Data.Grid != K
	if isInterpolated {
		const interpolated = "functions on K=%d are taken to K=%d by trigonometric interpolation, and trained on K=%d"
		d.notes = append(d.notes, fmt.Sprintf(interpolated, K, d.Data.Grid, d.Config.Train.Grid))
	}
	refined := d.files.refined
	if refined.note != "" && refined.points == d.Config.Train.Grid {
		d.notes = append(d.notes, refined.note)
	}
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

// findTests locates the test pairs. If arrays have other names there, those that belong to the training arrays are taken,
// or else those with the likeliest names.
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
	training, failure := f.file(ctx, TrainSource(*c).File)
	if failure != nil {
		return nil, failure
	}
	input := pairs.Counterpart(training, file, source.Input)
	output := pairs.Counterpart(training, file, source.Output)
	if input != "" && output != "" {
		c.Data.TestInput = input
		c.Data.TestOutput = output
		source.Input = input
		source.Output = output
		return f.find(ctx, source)
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

// takeInputGrid notes the grid of inputs that are not on that of the outputs, so that predictions for others are on the
// grid of the outputs, too. The error is a *config.Error if the configuration has another.
func (d *completion) takeInputGrid() error {
	found := d.train.Info.InGrid
	given := d.Data.InputGrid
	if given == 0 || given == found {
		d.Data.InputGrid = found
		return nil
	}
	problem := "is not the grid of the inputs: they are on that of the outputs"
	if found > 0 {
		problem = fmt.Sprintf("is not the grid of the inputs: %d", found)
	}
	return &config.Error{
		Key:        "data.input_grid",
		Value:      fmt.Sprint(given),
		Problem:    problem,
		Suggestion: "leave it out",
	}
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

// ShareFile reports whether an existing file belongs to both of two sources, each of which may be of several files.
func ShareFile(a, b string) bool {
	return slices.ContainsFunc(exchange.Paths(a), func(one string) bool {
		return slices.ContainsFunc(exchange.Paths(b), func(other string) bool { return sameFile(one, other) })
	})
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
	switch place {
	case config.Centres:
		return place, "points are the centres of cells, according to " + by, nil
	case config.Included:
		return place, "points are points that count both ends, according to " + by, nil
	}
	isEven := f.Grid%2 == 0 || f.Columns%2 == 0
	if isEven {
		return config.Centres, "even numbers of points are taken for centres of cells (data.endpoint = centres)", nil
	}
	return config.Included, "", nil
}
