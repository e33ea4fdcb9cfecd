// This file is the first stage: the data and the feature parameters.

package engine

import (
	"context"
	"errors"
	"slices"

	"rfm/config"
	"rfm/model/setup"
	"rfm/solver/dataset"
	"rfm/solver/draw"
	"rfm/solver/grid"
	"rfm/solver/truth"
)

// side is the training or the test pairs.
type side struct {
	part    part
	pairs   *dataset.Pairs
	name    string // of the run's file
	file    string // that has them; empty if they are generated
	count   int
	purpose draw.Purpose
	kept    int // of the pairs, how many the run has already
}

func (e *Experiment) sides() []side {
	c := e.Config.Data
	held := c.TestFile
	if held == "" && e.truth == nil {
		held = c.TrainFile
	}
	return []side{
		{part: trainPart, pairs: &e.train, name: trainFile, file: c.TrainFile, count: c.Train, purpose: draw.InputTrain},
		{part: testPart, pairs: &e.test, name: testFile, file: held, count: c.Test, purpose: draw.InputTest},
	}
}

// Generate makes or reads the data and draws the feature parameters; what the run has of them is not made again. Errors:
// *fault.Data for files, *fault.Numerical from the solver, ctx's, which is an *Interrupted if the run is stored.
func (e *Experiment) Generate(ctx context.Context) error {
	if e.reached >= Generating {
		return e.interrupted(ctx.Err())
	}
	watch := stopwatch(e.seconds.Generate)
	if err := e.generate(ctx, watch); err != nil {
		e.seconds.Generate = watch()
		return e.interrupted(err)
	}
	e.reached = Generating
	e.tracker.finish()
	return nil
}

func (e *Experiment) generate(ctx context.Context, watch func() float64) error {
	sides := e.sides()
	generated, have := 0, 0
	for i := range sides {
		s := &sides[i]
		if err := e.restore(ctx, s); err != nil {
			return err
		}
		if s.file == "" && !e.reused {
			generated += s.count
			have += s.kept
		}
	}
	e.tracker.begin(Generating, "pairs", generated)
	e.tracker.expects(expectedSpectrum(e.Config, e.truth))
	e.tracker.skip(have)
	features, err := e.drawFeatures(ctx)
	if err != nil { // files come first: they fail fast
		return err
	}
	e.features = features
	missing := slices.DeleteFunc(slices.Clone(sides), func(s side) bool { return s.file == "" || s.kept == s.count })
	if err := readSides(ctx, e.Config, missing); err != nil {
		return err
	}
	for _, s := range missing {
		if err := fits(s.file, s.pairs.Inputs, e.Config); err != nil {
			return err
		}
	}
	if e.store != nil {
		if err := e.store.keepTheta(e.Config.Features.ThetaFile); err != nil {
			return err
		}
	}
	for _, s := range sides {
		if s.kept == s.count {
			continue
		}
		if err := e.obtain(ctx, s, watch); err != nil {
			return err
		}
	}
	e.seconds.Generate = watch()
	if e.store == nil {
		return nil
	}
	return e.store.complete(generateStage, e.Config.Data.Train+e.Config.Data.Test, e.seconds.Generate)
}

// obtain makes or takes over the pairs of a side that the run does not have, and keeps them.
func (e *Experiment) obtain(ctx context.Context, s side, watch func() float64) error {
	known := s.file != "" || e.reused
	K := e.Config.Data.Grid
	if s.file != "" || e.reused && e.store == nil {
		K = s.pairs.Inputs.Points
	}
	if e.store != nil {
		K = e.store.gridOf(s.name, e.keptGrid(K))
	}
	ctx, rec, err := e.recordPairs(ctx, s, K, watch)
	if err != nil {
		return err
	}
	if known {
		pairs, err := s.pairs.Restrict(K)
		if err == nil {
			*s.pairs = pairs
			rest := pairs.Range(s.kept, s.count-s.kept)
			rec.add(s.kept, rest.Inputs, rest.Outputs)
		}
		return errors.Join(rec.close(), err)
	}
	first := s.kept - s.kept%e.truth.Block()
	made, err := e.generatePairs(ctx, s.purpose, first, s.count-first, K, func(row int, a, u grid.Batch) {
		e.tracker.generated(a, u)
		again := min(max(0, s.kept-first-row), a.Count) // of these the run has
		rec.add(first+row+again, a.Range(again, a.Count-again), u.Range(again, u.Count-again))
	})
	if failure := rec.close(); failure != nil {
		return failure
	}
	if err != nil {
		return err
	}
	*s.pairs = joined(*s.pairs, made, first)
	return nil
}

// generatePairs makes count pairs from the first on, to be kept on a grid.
func (e *Experiment) generatePairs(ctx context.Context, purpose draw.Purpose, first, count, points int, report truth.Report) (dataset.Pairs, error) {
	return dataset.Generate(ctx, e.truth, truth.Wanted{Purpose: purpose, First: first, Count: count, Points: points}, e.workers, report)
}

// joined is the first count pairs of kept, then those of made.
func joined(kept, made dataset.Pairs, count int) dataset.Pairs {
	if count == 0 {
		return made
	}
	join := func(kept, made grid.Batch) grid.Batch {
		b := made.Like(count + made.Count)
		copy(b.Data[copy(b.Data, kept.First(count).Data):], made.Data)
		return b
	}
	return dataset.Pairs{Inputs: join(kept.Inputs, made.Inputs), Outputs: join(kept.Outputs, made.Outputs)}
}

// keptGrid is the grid on which pairs are stored that are computed or read on another one.
func (e *Experiment) keptGrid(finest int) int {
	return keptGrid(e.Config, finest, setup.Domain(e.Config))
}

// keptBytes is how much of the disk the pairs of a run may take so that finer grids are there to be tested on. With that, and
// half the numbers that were computed, storing them takes some hundredth of the time of computing them.
const keptBytes = 32e6

// keptGrid is the grid on which a run keeps pairs that are known on a finer or equal one: the finest that contains the grids
// of training and evaluation, has at most half the intervals and keeps the pairs within keptBytes, or else the coarsest that
// contains them.
func keptGrid(c config.Config, finest int, domain grid.Domain) int {
	kept := finest
	grids := config.Grids(finest)
	for i := len(grids) - 1; i >= 0; i-- {
		K := grids[i]
		if (K-1)%(c.Train.Grid-1) != 0 || (K-1)%(c.TestGrid()-1) != 0 {
			continue
		}
		kept = K
		if 2*(K-1) <= finest-1 && 16*float64(domain.Values(K))*float64(c.Data.Train+c.Data.Test) <= keptBytes {
			break
		}
	}
	return kept
}
