package engine

import (
	"context"
	"fmt"
	"io"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// Parts makes parts of a run on which others work, too: it takes no lock, and writes nothing but units. It serves one
// goroutine.
type Parts struct{ e *Experiment }

// OpenParts opens a run. The error is a *fault.Data or a *config.Error.
func OpenParts(path string, o Options) (*Parts, error) {
	d, err := store.Look(path)
	if err != nil {
		return nil, err
	}
	c, err := d.Manifest().Config(path)
	if err != nil {
		return nil, err
	}
	e, err := unchecked(c, o) // what a part takes is much less
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File(store.ConfigFile), err)
	}
	e.store = &kept{d, newPace(o.Checkpoint)}
	if f := e.store.theta(); f != "" {
		e.thetaFile = e.store.File(f)
	}
	return &Parts{e}, nil
}

// Config is the run's configuration.
func (p *Parts) Config() config.Config { return p.e.Config }

// Complete reports whether the run is.
func (p *Parts) Complete() bool { return p.e.store.Manifest().Complete() }

// Units are those of the run.
func (p *Parts) Units() store.Units { return p.e.store.Units() }

// PairUnits are the units of the pairs that have to be generated, about size pairs in each; none if the run has them or
// reads them from files. Errors of making are those of Experiment.Run.
func (p *Parts) PairUnits(size int) []store.Unit {
	var all []store.Unit
	for _, s := range p.e.sides() {
		if _, whole := p.e.store.Manifest().File(s.name); whole || s.file != "" {
			continue
		}
		block := p.e.truth.Block()
		size := (size + block - 1) / block * block
		for first := 0; first < s.count; first += size {
			count := min(size, s.count-first)
			all = append(all, store.Unit{Name: store.RowsName(s.name, first, count), Make: func(ctx context.Context,
				w io.Writer) error {
				pairs, err := p.pairs(ctx, s, first, count)
				if err != nil {
					return err
				}
				return store.Rows(ctx, s.name, store.Block{pairs.Inputs, pairs.Outputs}).Content(w)
			}})
		}
	}
	return all
}

// pairs generates pairs of a side.
func (p *Parts) pairs(ctx context.Context, s side, first, count int) (dataset.Pairs, error) {
	return p.e.generatePairs(ctx, s.purpose, first, count, nil)
}

// TileUnits are the units of the tiles of a width. Their training pairs have to be there.
func (p *Parts) TileUnits(ctx context.Context, width int) ([]store.Unit, error) {
	ev, pairs, err := p.sums(ctx)
	if err != nil {
		return nil, err
	}
	return p.e.tileUnits(ev, pairs, width), nil
}

// Tiles are the tiles of a width that are there. The error is a *fault.Data or an *Unsound.
func (p *Parts) Tiles(width int) (map[rfm.Tile]store.Stored, error) {
	return storedTiles(p.e.store.Units(), setup.PoolSize(p.e.Config), width)
}

// sample is the features, calibrated for a few generated pairs, and these pairs: what shows whether two machines
// compute the same.
func (p *Parts) sample(ctx context.Context) (feature.Evaluator, dataset.Pairs, error) {
	var pairs dataset.Pairs
	s := p.e.sides()[0]
	count, err := min(8, s.count), error(nil)
	if s.file == "" {
		pairs, err = p.pairs(ctx, s, 0, count)
	} else if _, err = setup.ReadPairs(ctx, p.e.Config, &p.e.train, nil); err == nil {
		pairs = p.e.train.Range(0, count)
	}
	if err != nil {
		return nil, dataset.Pairs{}, err
	}
	return p.evaluator(ctx, pairs, min(rfm.TileUnit, p.e.Config.Features.Count))
}

// sums are what tiles are summed of: the features, and the training pairs on the training grid.
func (p *Parts) sums(ctx context.Context) (feature.Evaluator, dataset.Pairs, error) {
	if err := p.read(ctx); err != nil {
		return nil, dataset.Pairs{}, err
	}
	return p.evaluator(ctx, p.e.train, 0)
}

// first is the numbers below m.
func first(m int) []int {
	indices := make([]int, m)
	for j := range indices {
		indices[j] = j
	}
	return indices
}

// read reads the training pairs.
func (p *Parts) read(ctx context.Context) error {
	s := p.e.sides()[0]
	if err := p.e.restore(ctx, &s); err != nil || s.whole {
		return err
	}
	if s.file != "" {
		_, err := setup.ReadPairs(ctx, p.e.Config, &p.e.train, nil)
		return err
	}
	*s.pairs = p.e.none(s)
	units, err := p.e.units(s.name)
	if err != nil {
		return err
	}
	missing, err := readUnits(ctx, p.e.store.Units(), units, s.pairs.Inputs, s.pairs.Outputs)
	if err == nil && len(missing) > 0 {
		err = &fault.Data{Where: p.e.store.File(store.UnitsDirectory), What: "lacks pairs of " + s.name,
			Do: "workers make them: `rfm work`"}
	}
	return err
}

// evaluator is the configured features for training pairs, the first count of them or all, and the pairs on their grid.
func (p *Parts) evaluator(ctx context.Context, pairs dataset.Pairs, count int) (feature.Evaluator, dataset.Pairs,
	error) {
	e, c := p.e, p.e.Config
	pairs, err := pairs.Restrict(c.Train.Grid)
	if err != nil {
		return nil, pairs, err
	}
	features, err := p.features(ctx, pairs)
	if err != nil {
		return nil, pairs, err
	}
	if count > 0 {
		features = features.Select(first(count))
	}
	evaluator, err := features.On(ctx, c.Train.Grid, e.workers)
	return evaluator, method.ScalingOf(pairs).Apply(pairs), err
}

// features is all features, calibrated for the training pairs on their grid.
func (p *Parts) features(ctx context.Context, pairs dataset.Pairs) (feature.Map, error) {
	drawn, err := p.e.drawFeatures(ctx)
	if err != nil {
		return nil, err
	}
	return drawn.Calibrate(ctx, method.ScalingOf(pairs).Apply(pairs).Inputs, p.e.workers)
}

// Canary is what a machine computes for a few pairs: inputs, outputs, a tile. Errors are those of generating and training.
func (p *Parts) Canary(ctx context.Context) ([][]float64, error) {
	ev, pairs, err := p.sample(ctx)
	if err != nil {
		return nil, err
	}
	values, err := p.e.tile(ctx, rfm.Tile{Rows: ev.Count(), Columns: ev.Count()}, ev, pairs)
	return [][]float64{pairs.Inputs.Data, pairs.Outputs.Data, values}, err
}
