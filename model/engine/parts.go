package engine

import (
	"context"
	"fmt"
	"io"

	"rfm/model/feature"
	"rfm/model/machine"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// Join opens a run to compute units of it, possibly along with other processes: it takes no lock and writes only units.
// It serves one goroutine. The error is a *fault.Data or a *config.Error.
func Join(path string, o Options) (*Experiment, error) {
	d, err := store.Look(path)
	if err != nil {
		return nil, err
	}
	c, err := d.Manifest().Config(path)
	if err != nil {
		return nil, err
	}
	e, err := newExperiment(c, o) // a unit takes much less memory than the run
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File(store.ConfigFile), err)
	}
	e.keepIn(d)
	return e, nil
}

// Units returns the stored units of the run.
func (e *Experiment) Units() store.Units { return e.store.Units() }

// Manifest returns the manifest of the run as it was when the run was opened.
func (e *Experiment) Manifest() store.Manifest { return e.store.Manifest() }

// Divide records in the manifest how the run is split among workers. The error is a *fault.Data.
func (e *Experiment) Divide(s store.Split) error {
	return e.store.Put(func(m *store.Manifest) { m.Split, m.Program = &s, machine.Program() })
}

// PairUnits returns the work units that generate pairs, about size pairs in each. It returns none if the pairs are
// stored or come from files. The error of making one is as for Run.
func (e *Experiment) PairUnits(size int) []store.Unit {
	var all []store.Unit
	for _, s := range e.sides() {
		if _, whole := e.store.Manifest().File(s.name); whole || s.file != "" {
			continue
		}
		block := e.truth.Block()
		size := (size + block - 1) / block * block
		for first := 0; first < s.count; first += size {
			count := min(size, s.count-first)
			all = append(all, store.Unit{Name: store.RowsName(s.name, first, count), Make: func(ctx context.Context,
				w io.Writer) error {
				pairs, err := e.generatePairs(ctx, s.purpose, first, count, nil)
				if err != nil {
					return err
				}
				return store.Rows(ctx, s.name, store.Block{pairs.Inputs, pairs.Outputs}).Content(w)
			}})
		}
	}
	return all
}

// TileUnits returns the work units of the tiles of a width. The training pairs must be stored.
func (e *Experiment) TileUnits(ctx context.Context, width int) ([]store.Unit, error) {
	if err := e.readTraining(ctx); err != nil {
		return nil, err
	}
	ev, pairs, err := e.evaluator(ctx, e.train, setup.PoolSize(e.Config))
	if err != nil {
		return nil, err
	}
	return e.tileUnits(ev, pairs, width), nil
}

// Tiles returns the stored tiles of a width. The error is a *fault.Data or an *Unsound.
func (e *Experiment) Tiles(width int) (map[rfm.Tile]store.Stored, error) {
	return storedTiles(e.store.Units(), setup.PoolSize(e.Config), width)
}

// readTraining reads the stored training pairs.
func (e *Experiment) readTraining(ctx context.Context) error {
	s := e.sides()[0]
	if err := e.restore(ctx, &s); err != nil || s.whole {
		return err
	}
	if s.file != "" {
		_, err := setup.ReadPairs(ctx, e.Config, &e.train, nil)
		return err
	}
	*s.pairs = e.none(s)
	missing, err := e.readUnits(ctx, s.name, s.pairs.Inputs, s.pairs.Outputs)
	if err == nil && len(missing) > 0 {
		err = &fault.Data{Where: e.store.File(store.UnitsDirectory), What: "lacks pairs of " + s.name,
			Do: "workers make them: `rfm work`"}
	}
	return err
}

// evaluator calibrates the first count features for the pairs on the training grid, and returns the scaled pairs.
func (e *Experiment) evaluator(ctx context.Context, pairs dataset.Pairs, count int) (feature.Evaluator, dataset.Pairs,
	error) {
	pairs, err := pairs.Restrict(e.Config.Train.Grid)
	if err != nil {
		return nil, pairs, err
	}
	drawn, err := e.drawFeatures(ctx)
	if err != nil {
		return nil, pairs, err
	}
	pairs = method.ScalingOf(pairs).Apply(pairs)
	features, err := drawn.Calibrate(ctx, pairs.Inputs, e.workers)
	if err != nil {
		return nil, pairs, err
	}
	if count < features.Count() {
		features = features.Select(first(count))
	}
	evaluator, err := features.On(ctx, e.Config.Train.Grid, e.workers)
	return evaluator, pairs, err
}

// first returns 0, 1, ..., m-1.
func first(m int) []int {
	indices := make([]int, m)
	for j := range indices {
		indices[j] = j
	}
	return indices
}

// Canary returns numbers that a machine computes for a few pairs: inputs, outputs, a tile. They show whether two
// machines compute the same. The error is one of generating or training.
func (e *Experiment) Canary(ctx context.Context) ([][]float64, error) {
	var pairs dataset.Pairs
	s := e.sides()[0]
	count, err := min(8, s.count), error(nil)
	if s.file == "" {
		pairs, err = e.generatePairs(ctx, s.purpose, 0, count, nil)
	} else if _, err = setup.ReadPairs(ctx, e.Config, &e.train, nil); err == nil {
		pairs = e.train.Range(0, count)
	}
	if err != nil {
		return nil, err
	}
	ev, sample, err := e.evaluator(ctx, pairs, min(rfm.TileUnit, e.Config.Features.Count))
	if err != nil {
		return nil, err
	}
	values, err := e.tile(ctx, rfm.Tile{Rows: ev.Count(), Columns: ev.Count()}, ev, sample)
	return [][]float64{sample.Inputs.Data, sample.Outputs.Data, values}, err
}
