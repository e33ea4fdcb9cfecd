// This file is the first stage: it generates the data and the feature parameters.

package engine

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/fault"
	"rfm/solver/files"
	"rfm/solver/grid"
	"rfm/solver/progress"
	"rfm/solver/truth"
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

func (e *Experiment) sides() []side {
	c := e.Config.Data
	held := c.TestFile
	if held == "" && e.truth == nil {
		held = c.TrainFile
	}
	return []side{
		{pairs: &e.train, name: store.TrainFile, file: c.TrainFile, count: c.Train, purpose: draw.InputTrain},
		{pairs: &e.test, name: store.TestFile, file: held, count: c.Test, purpose: draw.InputTest},
	}
}

// generate makes or reads the data and draws the feature parameters, except for those already stored. Errors:
// *fault.Data for files, *fault.Numerical from the solver, ctx's.
func (e *Experiment) generate(ctx context.Context) error {
	sides := e.sides()
	generated := 0
	for i := range sides {
		s := &sides[i]
		if err := e.restore(ctx, s); err != nil {
			return err
		}
		if s.file == "" && !e.reused {
			generated += s.count
		}
	}
	e.tracker.begin(Generating, "pairs", generated)
	features, err := e.drawFeatures(ctx)
	if err != nil { // files come first because they fail fast
		return err
	}
	e.features = features
	if err := e.readFiles(ctx, sides); err != nil {
		return err
	}
	var products []files.File
	for _, s := range sides {
		if !s.whole {
			err = e.obtain(ctx, s)
			products = append(products, store.Rows(ctx, s.name, rowsOf(*s.pairs)))
		} else if s.file == "" && !e.reused {
			e.tracker.Skip(s.count)
		}
		if err != nil {
			return err
		}
	}
	e.stop()
	if e.store == nil {
		return nil
	}
	if theta, ok := e.thetaCopy(e.Config.Features.ThetaFile); ok {
		products = append(products, theta)
	}
	if e.train.Groups != nil {
		labels, err := e.groups()
		if err != nil {
			return err
		}
		products = append(products, labels)
	}
	return e.put(products...)
}

// read reads the sides that have files and are not stored, in one pass. It reports whether any side has a file.
func (e *Experiment) read(ctx context.Context, sides []side) (any bool, err error) {
	var into [2]*dataset.Pairs
	for i, s := range sides {
		if s.file != "" && !s.whole {
			into[i], any = s.pairs, true
		}
	}
	grouped, err := setup.ReadPairs(ctx, e.Config, into[0], into[1])
	if into[0] != nil {
		e.grouped = grouped
	}
	return any, err
}

// obtain generates the pairs of a side, unless they were read or taken over.
func (e *Experiment) obtain(ctx context.Context, s side) (err error) {
	switch {
	case e.reused:
		*s.pairs, err = s.pairs.Restrict(e.Config.PairsGrid(s.pairs.Inputs.Points))
	case s.file == "":
		*s.pairs, err = e.makePairs(ctx, s)
	}
	return err
}

// makePairs generates the pairs of a side, except for those of stored units.
func (e *Experiment) makePairs(ctx context.Context, s side) (pairs dataset.Pairs, err error) {
	generated := func(first, count int) (dataset.Pairs, error) {
		return e.generatePairs(ctx, s.purpose, first, count, func(_ int, a, u grid.Batch) { e.tracker.generated(a, u) })
	}
	if e.store == nil {
		return generated(0, s.count)
	}
	pairs = e.none(s)
	err = e.inUnits(ctx, s.name, e.truth.Block(), rowsOf(pairs), func(first, count int) error {
		made, err := generated(first, count)
		copy(pairs.Inputs.Range(first, count).Data, made.Inputs.Data)
		copy(pairs.Outputs.Range(first, count).Data, made.Outputs.Data)
		return err
	})
	return pairs, err
}

// none returns zero functions of the shape of a generated side.
func (e *Experiment) none(s side) dataset.Pairs {
	return setup.NewPairs(e.Config, e.Config.PairsGrid(e.Config.Data.Grid), s.count)
}

// generatePairs generates count pairs, starting at index first.
func (e *Experiment) generatePairs(ctx context.Context, purpose draw.Purpose, first, count int, report truth.Report) (
	dataset.Pairs, error) {
	return dataset.Generate(ctx, e.truth, truth.Wanted{Purpose: purpose, First: first, Count: count,
		Points: e.Config.PairsGrid(e.Config.Data.Grid)}, e.workers, report)
}

// TrainingPairs makes or reads the training pairs of a complete configuration. It neither generates test pairs nor
// keeps any from a file. report may be nil. The error is one of New or Experiment.Run.
func TrainingPairs(ctx context.Context, c config.Config, workers int, report progress.Func) (dataset.Pairs, error) {
	train, _, err := remade(ctx, c, workers, 1, report)
	return train, err
}

// remade makes or reads the pairs of the first sides of a complete configuration.
func remade(ctx context.Context, c config.Config, workers, sides int, report progress.Func) (train, test dataset.Pairs,
	err error) {
	e, err := newExperiment(c, Options{Workers: workers})
	if err == nil {
		err = e.remake(ctx, e.sides()[:sides], report)
	}
	if err != nil {
		return train, test, err
	}
	return e.train, e.test, nil
}

// remake reads the sides that have files and generates the others, without storing them.
func (e *Experiment) remake(ctx context.Context, sides []side, report progress.Func) error {
	_, err := e.read(ctx, sides)
	for _, s := range sides {
		if s.file != "" || err != nil {
			continue
		}
		made, began := atomic.Int64{}, time.Now()
		*s.pairs, err = e.generatePairs(ctx, s.purpose, 0, s.count, func(_ int, a, _ grid.Batch) {
			done := made.Add(int64(a.Count))
			if report != nil {
				report(progress.Progress{Stage: Generating.String(), Unit: "pairs", Done: int(done), Total: s.count, Began: began,
					Now: time.Now()})
			}
		})
	}
	return err
}

// pairsOn returns the pairs on a grid. If the grid of the pairs does not contain it, they are generated or read again.
func (e *Experiment) pairsOn(ctx context.Context, K int) (train, test dataset.Pairs, err error) {
	if train, err = e.train.Restrict(K); err == nil {
		test, err = e.test.Restrict(K)
		return train, test, err
	}
	if !slices.Contains(e.grids(), K) {
		return train, test, err
	}
	if len(e.changed) > 0 {
		return train, test, &fault.Data{Where: e.Directory(), What: "cannot have its pairs on a finer grid: " +
			strings.Join(e.changed, "; "), Do: "put back the files"}
	}
	c := e.Config
	c.Evaluation.Grid = K
	if train, test, err = remade(ctx, c, e.workers, 2, nil); err != nil {
		return train, test, err
	}
	if train, err = train.Restrict(K); err == nil {
		test, err = test.Restrict(K)
	}
	train.Groups = e.train.Groups
	return train, test, err
}
