// Package reading finds the pairs of a configuration in files, completes it by them, and reads them.
package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"rfm/config"
	"rfm/model/run/setup"
	"rfm/solver/base/fault"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/dataset/npy"
	"rfm/solver/pairs"
	"rfm/solver/space/grid"
	"rfm/solver/space/resample"
)

// Files are the files of a configuration's pairs. Each is opened once, when it is first needed, and the axes of its
// arrays are inferred once. The zero value has none.
type Files struct {
	open    []*exchange.File
	located []*pairs.Functions
	said    []string // assumptions of the reading, see Find
	place   int      // of these among the notes: after the one on the pairs
	refined refinedGrid
	folded  foldedPairs
}

// withSaid adds the assumptions of the reading to the notes on a file, after the one on its pairs.
func (f *Files) withSaid(notes []string) []string {
	return slices.Insert(notes, min(f.place, len(notes)), f.said...)
}

// Keep adds an open file.
func (f *Files) Keep(file *exchange.File) { f.open = append(f.open, file) }

// Close closes the files.
func (f *Files) Close() (err error) {
	for _, file := range f.open {
		err = errors.Join(err, file.Close())
	}
	*f = Files{}
	return err
}

// file returns an open file, which has not changed since.
func (f *Files) file(ctx context.Context, name string) (*exchange.File, error) {
	for _, file := range f.open {
		if exchange.Absolute(file.Name) == exchange.Absolute(name) {
			file.Until(ctx)
			return file, file.Unchanged()
		}
	}
	file, err := exchange.Open(ctx, name)
	if err == nil {
		f.Keep(file)
	}
	return file, err
}

// find locates pairs, unless they are located.
func (f *Files) find(ctx context.Context, s pairs.Source) (*pairs.Functions, error) {
	open, err := f.file(ctx, s.File)
	if err != nil {
		return nil, err
	}
	s.Open = open
	s.File = s.Open.Name
	for _, known := range f.located {
		if known.Source == s {
			return known, nil
		}
	}
	found, err := pairs.Find(s)
	if err == nil {
		f.located = append(f.located, found)
	}
	return found, err
}

// Groups describe groups of training pairs.
type Groups struct {
	Sentence string `json:"sentence"`         // empty if all pairs are independent
	Shared   int    `json:"shared,omitempty"` // test pairs of the same file that are in groups of training pairs
}

// Read reads the training pairs of a complete configuration, the test pairs, or both: the arguments that are not nil,
// which need files. From a single file they are random parts of it, read in one pass. The training pairs of own data
// get groups by data.groups. Errors: *fault.Data, ctx.Err().
func (f *Files) Read(ctx context.Context, c config.Config, train, test *dataset.Pairs) (groups Groups, err error) {
	isSingle := c.Of().Files && c.Data.TestFile == ""
	if train != nil || isSingle && test != nil {
		groups, err = f.readTraining(ctx, c, isSingle, train, test)
		if err != nil {
			return Groups{}, err
		}
	}
	if isSingle || test == nil {
		return groups, nil
	}
	source, err := f.testSource(ctx, c)
	if err != nil {
		return groups, err
	}
	found, err := f.find(ctx, source)
	if err != nil {
		return groups, err
	}
	*test, err = read(c, found, dataset.First(c.Data.Test), c.TestPairsGrid)
	return groups, err
}

// readTraining reads the training pairs, unless train is nil, and from a single file the test pairs, unless test is nil.
func (f *Files) readTraining(ctx context.Context, c config.Config, isSingle bool, train, test *dataset.Pairs) (
	groups Groups, err error) {
	found, err := f.find(ctx, TrainSource(c))
	if err != nil {
		return groups, err
	}
	training := dataset.First(c.Data.Train)
	var held []int // test pairs in the same file
	if isSingle {
		training, held, err = split(c, found)
		if err != nil {
			return groups, fmt.Errorf("%s: %w", found.File, err)
		}
	}
	if train == nil {
		training = nil
	}
	if test == nil {
		held = nil
	}
	n := len(training)
	rows := slices.Concat(training, held)
	all, err := read(c, found, rows, c.TrainPairsGrid)
	if err != nil {
		return groups, err
	}
	if held != nil {
		*test = all.Range(n, len(held))
		needsOtherGrid := c.TestPairsGrid(c.Data.Grid) != c.TrainPairsGrid(c.Data.Grid)
		if needsOtherGrid {
			*test, err = read(c, found, held, c.TestPairsGrid)
			if err != nil {
				return groups, err
			}
		}
	}
	if train == nil {
		return groups, nil
	}
	*train = all.Range(0, n)
	train.Groups, groups, err = group(c, found, all, rows, n)
	return groups, err
}

// TrainSource returns the source of the user's training pairs.
func TrainSource(c config.Config) pairs.Source {
	d := c.Data
	s := pairs.Source{
		File:     d.TrainFile,
		Input:    c.InputNames(),
		Output:   d.Output,
		Endpoint: d.Endpoint != config.Excluded,
		Layout:   d.Layout,
		Axes:     d.Axes,
		Mask:     d.Mask,
		Missing:  d.Missing,
		Skip:     d.Skip == config.SkipBoth,
		Domain: grid.Domain{
			Dims:     c.Dims(),
			Periodic: !c.Closed(),
			Cells:    c.Cells(),
		},
	}
	if c.Scattered() {
		s.Points = d.Points
	}
	return s
}

// testSource returns the source of the user's test pairs, if they are not a part of TrainSource.
func (f *Files) testSource(ctx context.Context, c config.Config) (s pairs.Source, err error) {
	s = TrainSource(c)
	if s.File != "" {
		s.Training, err = f.find(ctx, s)
	}
	s.File = c.Data.TestFile
	s.Input = cmp.Or(c.Data.TestInput, s.Input)
	s.Output = cmp.Or(c.Data.TestOutput, s.Output)
	s.Axes = c.Data.TestAxes
	s.Test = true
	return s, err
}

// read reads the pairs with the numbers rows. gridOf returns the grid on which they are needed, of those that a grid
// contains. Functions are interpolated to the data grid if their grid does not contain it and interpolation is possible.
func read(c config.Config, f *pairs.Functions, rows []int, gridOf func(fine int) int) (pairs dataset.Pairs, err error) {
	onDataGrid := c.Of().Files && f.Grid == c.Data.Grid
	if onDataGrid && !c.Cells() { // points are left out, whereas coarse cells are means of fine ones
		coarse := *f
		coarse.Step = (f.Grid - 1) / (gridOf(f.Grid) - 1)
		f = &coarse
	}
	pairs, err = f.Pairs(rows)
	if err != nil {
		return pairs, err
	}
	if !c.Scattered() {
		pairs.Inputs, err = onDomain(c, pairs.Inputs, f.File+", input", rows)
		if err != nil {
			return pairs, err
		}
		pairs.Outputs, err = onDomain(c, pairs.Outputs, f.File+", output", rows)
		if err != nil {
			return pairs, err
		}
	}
	solver := setup.Truth(c)
	if solver != nil && solver.Check != nil {
		err := solver.Check(f.File+", input", pairs.Inputs)
		if err != nil { // the first rows show any error
			return pairs, err
		}
	}
	err = CheckGrids(f.File, pairs.Inputs, gridOf(c.Data.Grid))
	canBeInterpolated := c.Of().Files && pairs.Inputs.Domain.One() == grid.Torus
	if err != nil && canBeInterpolated {
		pairs, err = interpolated(pairs, c.Data.Grid)
	}
	if err != nil {
		return pairs, err
	}
	return pairs.Restrict(gridOf(pairs.Inputs.Points))
}

// onDomain returns functions of a file as those of the domain of a configuration. rows are their numbers in the file, for
// the error: a *fault.Data.
func onDomain(c config.Config, functions grid.Batch, name string, rows []int) (grid.Batch, error) {
	functions, err := functions.On(setup.Domain(c), name)
	if err != nil {
		return functions, err
	}
	return functions, functions.CheckPeriodic(name, rows)
}

// interpolated returns periodic functions of one variable on another grid.
func interpolated(pairs dataset.Pairs, points int) (dataset.Pairs, error) {
	inputs, err := resample.To(pairs.Inputs, points)
	if err != nil {
		return pairs, err
	}
	outputs, err := resample.To(pairs.Outputs, points)
	pairs.Inputs = inputs
	pairs.Outputs = outputs
	return pairs, err
}

// CheckGrids checks, before long computations, that functions from a file can be restricted to all required grids. The
// error is a *fault.Data.
func CheckGrids(file string, functions grid.Batch, required ...int) error {
	one := functions.Range(0, 1)
	for _, K := range required {
		if _, err := one.Restrict(K); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	return nil
}

// group labels the first n of some pairs of own data, those for training, by data.groups. rows are the numbers of all
// in the file without those that are left out. The other pairs are for testing. The error is a *fault.Data.
func group(c config.Config, f *pairs.Functions, all dataset.Pairs, rows []int, n int) (labels []int, of Groups,
	err error) {
	if !c.Of().Files || c.Data.Groups == config.NoGroups {
		return nil, of, nil
	}
	var every []int // labels of all rows
	sentence := ""
	length := c.Data.Blocks()
	array := c.Data.LabelArray()
	numbers := f.Numbers(rows)
	switch {
	case length > 0:
		every = dataset.Blocks(numbers, length)
		sentence = fmt.Sprintf("blocks of %d pairs in the file", length)
	case array != "":
		every, err = readLabels(f, array, numbers)
		if err != nil {
			return nil, of, err
		}
		sentence = fmt.Sprintf("labels in %q", array)
		if !areLabels(pairs.Lookup(f.Open, array).Shape) {
			sentence = fmt.Sprintf("equal rows of %q", array)
		}
	default:
		labels, sentence = dataset.FindGroups(all.Range(0, n), numbers[:n])
		every = labels
		if n < len(rows) {
			every, _ = dataset.FindGroups(all, numbers)
		}
	}
	if every == nil {
		return labels, Groups{Sentence: sentence}, nil
	}
	groups, shared := sharedGroups(every[:n], every[n:])
	isGiven := length > 0 || array != ""
	if isGiven && groups < 2 {
		return nil, of, &fault.Data{
			Where: c.Data.TrainFile,
			What:  "has all training pairs in one group, and nothing to learn from without it",
			Do:    "set data.groups to a shorter length, other labels, or none",
		}
	}
	if isGiven {
		labels = every[:n:n]
		sentence = fmt.Sprintf("Leave-one-out by %d groups: %s.", groups, sentence)
	}
	if shared == 0 {
		return labels, Groups{Sentence: sentence}, nil
	}
	if labels == nil {
		labels = dataset.Blocks(rows[:n], 1) // the sentence is stored with them
	}
	const copies = "%s %d of %d test pairs are in groups of training pairs: the test error is that of copies or " +
		"neighbours, not of new inputs."
	sentence = fmt.Sprintf(copies, sentence, shared, len(rows)-n)
	of.Sentence = strings.TrimSpace(sentence)
	of.Shared = shared
	return labels, of, nil
}

// sharedGroups counts the groups of training pairs, and the test pairs that are in them.
func sharedGroups(training, test []int) (groups, shared int) {
	isInTraining := map[int]bool{} // by label
	for _, label := range training {
		isInTraining[label] = true
	}
	for _, label := range test {
		if isInTraining[label] {
			shared++
		}
	}
	return len(isInTraining), shared
}

// readLabels returns the integers in an array of a file at the given rows, or the numbers of the equal rows of an array of
// functions.
func readLabels(f *pairs.Functions, array string, rows []int) ([]int, error) {
	a, err := pairs.Lookup(f.Open, array).Array()
	if err != nil {
		return nil, err
	}
	bad := func(what string, values ...any) ([]int, error) {
		const remedy = "data.groups names an array of one whole number, or one function, for each pair"
		return nil, fault.Bad(npy.Place(f.File, array), remedy, what, values...)
	}
	if !areLabels(a.Shape) {
		return labelsOfRows(a, rows, bad)
	}
	all := make([]int, len(rows))
	for i, row := range rows {
		if row >= len(a.Data) {
			return bad("has shape %v, want labels of more than %d pairs", a.Shape, row)
		}
		v := a.Data[row]
		const mostWhole = 1 << 53 // beyond it doubles skip whole numbers
		if v != math.Trunc(v) || math.Abs(v) > mostWhole {
			return bad("has the label %g of pair %d, which is not a whole number", v, row)
		}
		all[i] = int(v)
	}
	return all, nil
}
