package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/fault"
	"rfm/solver/files"
)

// Parts makes parts of a run on which others work, too: it takes no lock, and writes nothing but shards of pairs to the
// directory for parts. It serves one goroutine.
type Parts struct {
	e      *Experiment
	shards store.Shards // of the directory for parts
}

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
	return &Parts{e: e, shards: d.Shards().In(filepath.Join(path, store.SplitDirectory))}, nil
}

// Config is the run's configuration.
func (p *Parts) Config() config.Config { return p.e.Config }

// Complete reports whether the run is.
func (p *Parts) Complete() bool { return p.e.store.Manifest().Complete() }

// Workers is the number of goroutines that compute.
func (p *Parts) Workers() int { return p.e.workers }

// Range is pairs of an array of the run.
type Range struct {
	Array        string
	First, Count int
}

// Ranges are the pairs that have to be generated, about size at a time; none if the run has them or reads them from
// files.
func (p *Parts) Ranges(size int) []Range {
	var all []Range
	for _, s := range p.e.sides() {
		if _, whole := p.e.store.Array(s.name); whole || s.file != "" {
			continue
		}
		block := p.e.truth.Block()
		size := (size + block - 1) / block * block
		for first := 0; first < s.count; first += size {
			all = append(all, Range{s.name, first, min(size, s.count-first)})
		}
	}
	return all
}

// Generate makes a range of pairs and stores it. Errors are those of Experiment.Generate.
func (p *Parts) Generate(ctx context.Context, r Range) error {
	pairs, err := p.pairs(ctx, r)
	if err != nil {
		return err
	}
	return unwrittenPart(p.e.store.File(store.SplitDirectory),
		p.shards.Write(ctx, r.Array, r.First, store.Block{pairs.Inputs, pairs.Outputs}))
}

func unwrittenPart(path string, err error) error {
	return fault.Unwritten(path, err, "what others have made stays; free some space and start workers again")
}

// pairs generates a range of pairs on the grid on which the run keeps them.
func (p *Parts) pairs(ctx context.Context, r Range) (dataset.Pairs, error) {
	for _, s := range p.e.sides() {
		if s.name == r.Array {
			return p.e.generatePairs(ctx, s.purpose, r.First, r.Count, p.e.keptGrid(p.e.Config.Data.Grid), nil)
		}
	}
	panic("engine: no pairs in " + r.Array)
}

// Have is the ranges of pairs that are stored. The error is a *fault.Data.
func (p *Parts) Have() (map[Range]bool, error) {
	have := map[Range]bool{}
	for _, shards := range []store.Shards{p.shards, p.e.store.Shards()} {
		list, err := shards.List("")
		if err != nil {
			return nil, err
		}
		for _, s := range list {
			have[Range{s.Array, s.First, s.Count}] = true
		}
	}
	return have, nil
}

// Sample is the features, calibrated for a few generated pairs, and these pairs: what shows whether two machines
// compute the same.
func (p *Parts) Sample(ctx context.Context) (feature.Evaluator, dataset.Pairs, error) {
	var pairs dataset.Pairs
	s := p.e.sides()[0]
	count, err := min(8, s.count), error(nil)
	if s.file == "" {
		pairs, err = p.pairs(ctx, Range{s.name, 0, count})
	} else if err = setup.ReadPairs(ctx, p.e.Config, &p.e.train, nil); err == nil {
		pairs = p.e.train.Range(0, count)
	}
	if err != nil {
		return nil, dataset.Pairs{}, err
	}
	return p.evaluator(ctx, pairs, min(rfm.TileUnit, p.e.Config.Features.Count))
}

// Sums are what tiles are summed of: the features, the training pairs on the training grid, which rows of them enter,
// and whether a function of x alone is fitted, too.
func (p *Parts) Sums(ctx context.Context) (feature.Evaluator, dataset.Pairs, error) {
	if err := p.read(ctx, 0, &p.e.train, nil); err != nil {
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

// read reads the pairs of side number i into those that are not nil.
func (p *Parts) read(ctx context.Context, i int, train, test *dataset.Pairs) error {
	sides := p.e.sides()
	s := &sides[i]
	if err := p.e.restore(ctx, s); err != nil || s.whole {
		return err
	}
	if s.file != "" {
		return setup.ReadPairs(ctx, p.e.Config, train, test)
	}
	*s.pairs = setup.NewPairs(p.e.Config, p.e.keptGrid(p.e.Config.Data.Grid), s.count)
	// Rows that the run had before it was split lie in its own directory, all others in that for parts.
	have := make([]bool, s.count)
	for _, shards := range []store.Shards{p.shards, p.e.store.Shards()} {
		list, err := shards.List(s.name)
		if err != nil {
			return err
		}
		for _, shard := range list {
			missing, err := readShards(ctx, shards, []store.Shard{shard}, s.pairs.Inputs, s.pairs.Outputs)
			if err != nil {
				return err
			}
			for i := range shard.Count {
				row := shard.First + i
				outside := func(g span) bool { return row < g.first || row >= g.first+g.count }
				if row < s.count && !slices.ContainsFunc(missing, func(g span) bool { return !outside(g) }) {
					have[row] = true
				}
			}
		}
	}
	if !slices.Contains(have, false) {
		return nil
	}
	return &fault.Data{Where: p.e.store.File(store.SplitDirectory), What: "lacks pairs of " + s.name,
		Do: "workers make them: `rfm work`"}
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

// Tile sums a tile. Errors are those of rfm.Tile.Sum.
func (p *Parts) Tile(ctx context.Context, t rfm.Tile, e feature.Evaluator, pairs dataset.Pairs,
	progress func(samples int)) ([]float64, error) {
	c := p.e.Config
	return t.Sum(ctx, e, pairs, rfm.Rows{Seed: c.Seed, Count: c.Train.Rows}, c.Train.Offset, p.e.workers, progress)
}

// Adopt gives the pairs that workers have made to the run, which goes on from them when it is opened. The error is a
// *fault.Data.
func (p *Parts) Adopt() error {
	directory := p.e.store.File(store.SplitDirectory)
	list, err := p.shards.List("")
	if err != nil {
		return err
	}
	for _, s := range list {
		if _, whole := p.e.store.Array(s.Array); whole {
			continue
		}
		from, to := filepath.Join(directory, s.File()), p.e.store.File(s.File())
		if err := os.Link(from, to); err == nil || os.IsExist(err) {
			continue
		}
		if err := os.Rename(from, to); err != nil { // no hard links here
			return unwrittenPart(to, err)
		}
	}
	if err := files.SyncDirectory(p.e.store.Path()); err != nil {
		return unwrittenPart(p.e.store.Path(), err)
	}
	return nil
}
