// This file makes or reads the pairs, draws the features, and computes arrays of rows in units.

package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rfm/config"
	"rfm/model/learn/feature"
	"rfm/model/run/reading"
	"rfm/model/run/setup"
	"rfm/model/run/store"
	"rfm/model/trained/codec"
	"rfm/solver/base/draw"
	"rfm/solver/base/fault"
	"rfm/solver/base/files"
	"rfm/solver/dataset"
	"rfm/solver/dataset/exchange"
	"rfm/solver/pde/truth"
	"rfm/solver/space/grid"
)

// side is the training pairs or the test pairs, with their source.
type side struct {
	pairs   *dataset.Pairs
	name    string // of the array in the run
	file    string // source of the pairs; empty if they are generated
	count   int
	purpose draw.Purpose
	whole   bool // all pairs of the side are stored
}

func (w *work) sides() []side {
	c := w.Config.Data
	held := c.TestFile
	if held == "" && w.Config.Of().Files {
		held = c.TrainFile
	}
	training := side{
		pairs:   &w.train,
		name:    store.TrainFile,
		file:    c.TrainFile,
		count:   c.Train,
		purpose: draw.InputTrain,
		whole:   w.store.Has(store.TrainFile),
	}
	test := side{
		pairs:   &w.test,
		name:    store.TestFile,
		file:    held,
		count:   c.Test,
		purpose: draw.InputTest,
		whole:   w.store.Has(store.TestFile),
	}
	return []side{training, test}
}

// obtain reads the sides that are stored or have files, and makes the others unless they are taken over.
func (w *work) obtain(ctx context.Context, sides []side) error {
	err := w.readFiles(ctx, sides)
	err = errors.Join(err, w.files.Close())
	if err != nil {
		return err
	}
	for _, s := range sides {
		var err error
		switch {
		case s.whole:
			err = w.restore(ctx, s)
			if s.file == "" {
				w.tracker.Skip(s.count)
			}
		case s.file == "" && !w.reused:
			err = w.generateSide(ctx, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// generateSide generates the pairs of a side that are not stored.
func (w *work) generateSide(ctx context.Context, s side) error {
	points := w.Config.TestPairsGrid(w.Config.Data.Grid)
	pairs := setup.NewPairs(w.Config, points, s.count)
	*s.pairs = pairs
	fill := func(ctx context.Context, first, count int) error {
		made, err := w.generatePairs(ctx, s.purpose, first, count)
		if err != nil {
			return err
		}
		copy(pairs.Inputs.Range(first, count).Data, made.Inputs.Data)
		copy(pairs.Outputs.Range(first, count).Data, made.Outputs.Data)
		return nil
	}
	return w.rows(ctx, s.name, w.truth().Block, rowsOf(pairs), fill)
}

// generatePairs generates count pairs, starting at index first.
func (w *work) generatePairs(ctx context.Context, purpose draw.Purpose, first, count int) (dataset.Pairs, error) {
	wanted := truth.Wanted{
		Purpose: purpose,
		First:   first,
		Count:   count,
		Points:  w.Config.TestPairsGrid(w.Config.Data.Grid),
	}
	report := func(_ int, a, u grid.Batch) {
		last := a.Count - 1
		newest := w.sample(a.Range(last, 1), u.Range(last, 1))
		w.tracker.Set(func(p *Progress) {
			p.Done += a.Count
			p.Newest = newest
		})
	}
	return dataset.Generate(ctx, w.truth(), wanted, w.workers, report)
}

// readFiles reads the sides that have files and are not stored, in one pass. It returns the errors of readStamped.
func (w *work) readFiles(ctx context.Context, sides []side) error {
	var names []string
	var into [2]*dataset.Pairs
	for i, s := range sides {
		if s.file != "" && !s.whole {
			into[i] = s.pairs
			names = append(names, s.file)
		}
	}
	if names == nil {
		return nil
	}
	err := w.readStamped(names, func() error {
		grouped, err := w.files.Read(ctx, w.Config, into[0], into[1])
		if err == nil && into[0] != nil {
			w.grouped = grouped
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, read := range into {
		if read != nil {
			w.setCloud(read.Inputs.Domain.Cloud)
		}
	}
	return w.store.Put()
}

// readStamped reads files with some names. A stored experiment records their stamps: the error is a *fault.Data if one
// differs from the stamp of an earlier session, or changes meanwhile, or that of read.
func (w *work) readStamped(names []string, read func() error) error {
	sources := w.store.Sources
	for _, name := range names {
		if w.Directory() == "" {
			break
		}
		var err error
		sources, err = stamped(sources, exchange.Paths(name))
		if err != nil {
			return err
		}
	}
	if err := unchanged(sources); err != nil {
		return err
	}
	if err := read(); err != nil {
		return err
	}
	if err := unchanged(sources); err != nil {
		return err
	}
	w.store.Sources = sources
	return nil
}

// stamped returns sources and those of some files that are not among them, with the stamps that they have now.
func stamped(sources []store.Source, paths []string) ([]store.Source, error) {
	for _, path := range paths {
		known := func(s store.Source) bool { return s.Name == path }
		if slices.ContainsFunc(sources, known) {
			continue
		}
		stamp, err := files.TakeStamp(path)
		if err != nil {
			return nil, fault.Unread(path, err)
		}
		sources = append(sources, store.Source{Name: path, Stamp: stamp})
	}
	return sources, nil
}

// unchanged returns a *fault.Data if one of the files has another stamp than it had.
func unchanged(sources []store.Source) error {
	for _, s := range sources {
		if how := s.Differs(s.Name); how != "" {
			return &fault.Data{
				Where: s.Name,
				What:  fmt.Sprintf("%s; this run began to read it before", how),
				Do:    "restore the file, or begin another run",
			}
		}
	}
	return nil
}

// restore reads the pairs of a side, all of which are stored.
func (w *work) restore(ctx context.Context, s side) error {
	if err := w.restoreCloud(ctx); err != nil {
		return err
	}
	err := w.store.ReadArray(ctx, s.name, func(shape []int) (store.Block, error) {
		return w.rowsOf(s.pairs, shape, s.count)
	})
	if err != nil || s.name != store.TrainFile || !w.store.Has(groupsFile) {
		return err
	}
	var g labelled
	err = w.store.ReadJSON(groupsFile, &g)
	if err != nil {
		return err
	}
	if len(g.Labels) != w.train.Count() {
		return &fault.Data{
			Where: w.store.File(groupsFile),
			What:  fmt.Sprintf("has %d labels of %d training pairs", len(g.Labels), w.train.Count()),
		}
	}
	w.train.Groups = g.Labels
	w.grouped = g.Groups
	return nil
}

// restoreCloud reads the points of the functions, if they are those of any geometry.
func (w *work) restoreCloud(ctx context.Context) error {
	if !w.Config.Scattered() || w.cloud.There() {
		return nil
	}
	content, err := w.store.ReadFile(ctx, store.PointsFile)
	if err != nil {
		return err
	}
	cloud, err := codec.ReadCloud(content, w.store.File(store.PointsFile))
	w.setCloud(cloud)
	return err
}

// groupsFile contains the groups of the training pairs of a run. Runs with independent pairs do not have it.
const groupsFile = "groups.json"

// labelled is the content of groupsFile.
type labelled struct {
	reading.Groups
	Labels []int `json:"labels"` // see dataset.Pairs.Groups
}

// rowsOf sets pairs to count pairs of zero functions for an array of a shape, and returns their rows.
func (w *work) rowsOf(pairs *dataset.Pairs, shape []int, count int) (store.Block, error) {
	at := len(shape) - w.Config.Dims()
	if at < 1 {
		return nil, fault.Bad(w.Directory(), "", "has pairs in an array of shape %v", shape)
	}
	*pairs = setup.NewPairsAt(w.Config, w.cloud, shape[at], count)
	return rowsOf(*pairs), nil
}

// rowsOf returns pairs as rows of an array.
func rowsOf(pairs dataset.Pairs) store.Block { return store.Block{pairs.Inputs, pairs.Outputs} }

// TrainingPairs makes or reads the training pairs alone. The error is as for Run.
func (e *Experiment) TrainingPairs(ctx context.Context) (dataset.Pairs, error) {
	e.tracker.begin(Generating, "pairs", e.Config.Data.Train)
	err := e.obtain(ctx, e.sides()[:1])
	return e.train, err
}

// pairsOn returns the pairs on a grid. If the grid of the pairs does not contain it, they are generated or read again,
// except for training pairs on the configured test grid: these stay on the training grid, if theirs is coarser.
func (e *evaluating) pairsOn(ctx context.Context, K int) (train, test dataset.Pairs, err error) {
	train = e.train
	test = e.test
	isOn := func(pairs dataset.Pairs) bool {
		_, err := pairs.Range(0, 1).Restrict(K)
		return err == nil
	}
	trainIsOn := isOn(train)
	testIsOn := isOn(test)
	if K == e.Config.TestGrid() && testIsOn && !trainIsOn {
		return restricted(train, e.Config.Train.Grid, test, K)
	}
	if (!trainIsOn || !testIsOn) && slices.Contains(e.grids(), K) {
		train, test, err = e.finerPairs(ctx, K)
		if err != nil {
			return train, test, err
		}
	}
	return restricted(train, K, test, K)
}

// restricted returns training and test pairs on grids that theirs contain.
func restricted(train dataset.Pairs, trainGrid int, test dataset.Pairs, testGrid int) (_, _ dataset.Pairs, err error) {
	train, err = train.Restrict(trainGrid)
	if err != nil {
		return train, test, err
	}
	test, err = test.Restrict(testGrid)
	return train, test, err
}

// finerPairs generates or reads the pairs again, on a grid that contains K.
func (e *evaluating) finerPairs(ctx context.Context, K int) (train, test dataset.Pairs, err error) {
	if changed := e.store.Changed(); len(changed) > 0 {
		return e.train, e.test, &fault.Data{
			Where: e.Directory(),
			What:  fmt.Sprintf("cannot have its pairs on a finer grid: %s", strings.Join(changed, "; ")),
			Do:    "put back the files",
		}
	}
	c := e.Config
	c.Evaluation.Grid = K
	if c.Of().Files { // else these are on the training grid
		c.Train.Grid = K
	}
	finer := Complete(c, Options{Workers: e.workers})
	err = finer.obtain(ctx, finer.sides())
	if err != nil {
		return e.train, e.test, err
	}
	train = finer.train
	train.Groups = e.train.Groups
	return train, finer.test, nil
}

// drawFeatures draws the features (the whole pool if they are chosen from one), or reads them from their file. Those of
// functions at points of any geometry need the points, which the pairs have.
func (w *work) drawFeatures(ctx context.Context) (feature.Map, error) {
	c := w.Config
	law := setup.Features(c)
	count := c.Features.Drawn()
	if c.Scattered() {
		return feature.Scattered(ctx, law, w.cloud, count, w.workers)
	}
	if law.ThetaFile == "" {
		return feature.New(ctx, law, count, c.Data.Grid, w.workers)
	}
	if w.store.Has(thetaName(c)) {
		law.ThetaFile = w.store.File(thetaName(c))
	}
	features, err := feature.FromFile(ctx, law, count)
	if err != nil {
		return nil, err
	}
	finest := grid.NewBatch(features.Domain(), features.Finest(), 1)
	return features, reading.CheckGrids(law.ThetaFile, finest, c.Train.Grid, c.TestGrid())
}

// thetaName returns the name of the run's copy of the file of feature parameters.
func thetaName(c config.Config) string { return "theta" + filepath.Ext(c.Features.ThetaFile) }

// thetaCopy returns the copy of the file of feature parameters, if there is one to be made.
func (w *work) thetaCopy() []files.File {
	file := w.Config.Features.ThetaFile
	if file == "" || w.store.Has(thetaName(w.Config)) {
		return nil
	}
	content := func(w io.Writer) error {
		f, err := files.Open(file)
		if err != nil {
			return &fault.Data{
				Where: file,
				What:  "cannot be opened",
				Err:   err,
			}
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
	return []files.File{{Name: thetaName(w.Config), Content: content}}
}

// readUnits reads the units of an array, and reports for each row whether it is there.
func (s *sink) readUnits(ctx context.Context, array string, into store.Block) (there []bool, err error) {
	units, err := s.store.Units().Of(array)
	if err != nil {
		return nil, err
	}
	there = make([]bool, into.Count())
	for _, u := range units {
		first, rows := u.Rows()
		end := min(first+rows, len(there))
		if first < end && !slices.Contains(there[first:end], false) {
			continue
		}
		a, err := s.store.Units().Read(ctx, u)
		if err != nil {
			return nil, err
		}
		if first+rows > len(there) || len(a.Data) != rows*into.Values() {
			return nil, &fault.Data{
				Where: u.Name,
				What:  fmt.Sprintf("has shape %v, want rows of %d values", a.Shape, into.Values()),
				Do:    "remove it: it is made again",
			}
		}
		into.Range(first, rows).Put(0, a.Data)
		for i := range rows {
			there[first+i] = true
		}
	}
	return there, nil
}

// unitTime is how long rows are held back: no more work is lost when a run is killed, but for the unit that is being made.
const unitTime = 2 * time.Second

// rows reads the rows of an array that are stored as units, and makes the others as units: fill sets count rows of the
// columns, which begin with the first one of a block. The error is fill's, or a *fault.Data.
func (w *work) rows(ctx context.Context, array string, block int, columns store.Block,
	fill func(ctx context.Context, first, count int) error) error {
	const (
		each = 1  // block of a worker in a unit: where solutions take long, little is lost
		most = 64 // units of an array, if these have no less
	)
	wholeBlocks := (columns.Count()/most + block - 1) / block * block
	size := max(each*block*w.workers, wholeBlocks)
	there, err := w.readUnits(ctx, array, columns)
	if err != nil {
		return err
	}
	fillRange := func(ctx context.Context, first, count int) (store.Block, error) {
		return columns.Range(first, count), fill(ctx, first, count)
	}
	units, missing := rowUnits(array, there, size, fillRange)
	w.tracker.Skip(columns.Count() - missing)
	return w.store.Units().Do(ctx, units, store.Workers{Pause: w.unitTime})
}

// rowUnits returns work units of size rows that have all the rows of an array that are not there, and the number of
// their rows.
func rowUnits(array string, there []bool, size int,
	make func(ctx context.Context, first, count int) (store.Block, error)) (units []store.Unit, rows int) {
	for first := 0; first < len(there); first += size {
		count := min(size, len(there)-first)
		if !slices.Contains(there[first:first+count], false) {
			continue
		}
		rows += count
		makeRows := func(ctx context.Context) (func(io.Writer) error, error) {
			rows, err := make(ctx, first, count)
			return rows.Write, err
		}
		units = append(units, store.Unit{
			Name: store.RowsName(array, first, count),
			Make: makeRows,
		})
	}
	return units, rows
}
