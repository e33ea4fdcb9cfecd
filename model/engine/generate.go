// This file is the first stage: the data and the feature parameters.

package engine

import (
	"context"

	"rfm/config"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/files"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// side is the training or the test pairs.
type side struct {
	pairs   *dataset.Pairs
	name    string // of the run's file
	file    string // that has them; empty if they are generated
	count   int
	purpose draw.Purpose
	whole   bool // the run has them
}

func (e *Experiment) sides() []side {
	c := e.Config.Data
	held := c.TestFile
	if held == "" && e.truth == nil {
		held = c.TrainFile
	}
	return []side{
		{pairs: &e.train, name: TrainFile, file: c.TrainFile, count: c.Train, purpose: draw.InputTrain},
		{pairs: &e.test, name: TestFile, file: held, count: c.Test, purpose: draw.InputTest},
	}
}

// generate makes or reads the data and draws the feature parameters; what the run has of them is not made again.
// Errors: *fault.Data for files, *fault.Numerical from the solver, ctx's.
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
	e.tracker.expects(expectedSpectrum(e.Config, e.truth))
	features, err := e.drawFeatures(ctx)
	if err != nil { // files come first: they fail fast
		return err
	}
	e.features = features
	missing, err := e.readFiles(ctx, sides)
	if err != nil {
		return err
	}
	for _, s := range missing {
		if err := setup.CheckGrids(s.file, s.pairs.Inputs, e.Config); err != nil {
			return err
		}
	}
	var products []files.File
	for _, s := range sides {
		if !s.whole {
			err = e.obtain(ctx, s)
			products = append(products, store.Rows(ctx, s.name, store.Block{s.pairs.Inputs, s.pairs.Outputs}))
		} else if s.file == "" && !e.reused {
			e.tracker.skip(s.count)
		}
		if err != nil {
			return err
		}
	}
	e.seconds.Generate = e.watch()
	if e.store == nil {
		return nil
	}
	if theta, ok := e.store.thetaCopy(e.Config.Features.ThetaFile); ok {
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

// read reads the sides that have files, training pairs first, unless the run has them; it returns what was read.
func (e *Experiment) read(ctx context.Context, sides []side) ([]side, error) {
	var missing []side
	var into [2]*dataset.Pairs
	for i, s := range sides {
		if s.file != "" && !s.whole {
			missing, into[i] = append(missing, s), s.pairs
		}
	}
	grouped, err := setup.ReadPairs(ctx, e.Config, into[0], into[1])
	if into[0] != nil {
		e.grouped = grouped
	}
	return missing, err
}

// obtain makes or takes over the pairs of a side.
func (e *Experiment) obtain(ctx context.Context, s side) error {
	K := e.Config.Data.Grid
	if s.file != "" || e.reused && e.store == nil {
		K = s.pairs.Inputs.Points
	}
	if e.store != nil {
		K = e.keptGrid(K)
	}
	var err error
	if s.file != "" || e.reused {
		*s.pairs, err = s.pairs.Restrict(K)
	} else {
		*s.pairs, err = e.makePairs(ctx, s, K)
	}
	return err
}

// makePairs generates the pairs of a side on a grid, but for those of which the run has units.
func (e *Experiment) makePairs(ctx context.Context, s side, points int) (dataset.Pairs, error) {
	gaps, pairs := []span{{0, s.count}}, dataset.Pairs{}
	if units, err := e.units(s.name); err != nil {
		return pairs, err
	} else if len(units) > 0 {
		pairs = setup.NewPairs(e.Config, points, s.count)
		if gaps, err = readUnits(ctx, e.store.Units(), units, pairs.Inputs, pairs.Outputs); err != nil {
			return pairs, err
		}
	}
	have := s.count
	for i, g := range gaps { // pairs of a block may share their steps
		before := g.first % e.truth.Block()
		gaps[i] = span{g.first - before, g.count + before}
		have -= gaps[i].count
	}
	e.tracker.skip(have)
	ctx, rec := e.record(ctx, s.name)
	for _, g := range gaps {
		made, err := e.generatePairs(ctx, s.purpose, g.first, g.count, points, func(row int, a, u grid.Batch) {
			e.tracker.generated(a, u)
			rec.add(g.first+row, store.Block{a, u})
		})
		if err != nil {
			return pairs, rec.close(err)
		}
		if g.count == s.count {
			pairs = made
			break
		}
		copy(pairs.Inputs.Range(g.first, g.count).Data, made.Inputs.Data)
		copy(pairs.Outputs.Range(g.first, g.count).Data, made.Outputs.Data)
	}
	return pairs, rec.close(nil)
}

// generatePairs makes count pairs from the first on, to be kept on a grid.
func (e *Experiment) generatePairs(ctx context.Context, purpose draw.Purpose, first, count, points int,
	report truth.Report) (dataset.Pairs, error) {
	return dataset.Generate(ctx, e.truth, truth.Wanted{Purpose: purpose, First: first, Count: count, Points: points},
		e.workers, report)
}

// keptGrid is the grid on which pairs are stored that are computed or read on another one.
func (e *Experiment) keptGrid(finest int) int {
	return keptGrid(e.Config, finest, setup.Domain(e.Config))
}

// keptBytes is how much of the disk the pairs of a run may take so that finer grids are there to be tested on. With
// that, and half the numbers that were computed, storing them takes some hundredth of the time of computing them.
const keptBytes = 32e6

// keptGrid is the grid on which a run keeps pairs that are known on a finer or equal one: the finest that contains the
// grids of training and evaluation, has at most half the intervals and keeps the pairs within keptBytes, or else the
// coarsest that contains them.
func keptGrid(c config.Config, finest int, domain grid.Domain) int {
	kept := finest
	in, out := c.Channels()
	grids := c.Grids(finest)
	for i := len(grids) - 1; i >= 0; i-- {
		K := grids[i]
		if !c.Contains(K, c.Train.Grid) || !c.Contains(K, c.TestGrid()) {
			continue
		}
		kept = K
		if 2*c.Intervals(K) <= c.Intervals(finest) &&
			float64(8*(in+out))*float64(domain.Values(K))*float64(c.Data.Train+c.Data.Test) <= keptBytes {
			break
		}
	}
	return kept
}
