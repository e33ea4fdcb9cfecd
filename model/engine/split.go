// This file splits a run among many processes, on any machines that see its directory. Ranges of generated pairs and
// tiles of the sums are work units that any worker may compute, any number of times: the run and the name of a unit
// determine its bytes. So workers have no names and no order, they need no coordinator, and the result has the bytes of
// `rfm run`. The run's program.json describes the split. Claims (store.Units.Do) only save work.

package engine

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"sync"

	"rfm/config"
	"rfm/model/feature"
	"rfm/model/machine"
	"rfm/model/method"
	"rfm/model/rfm"
	"rfm/model/setup"
	"rfm/model/store"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// defaultWidth returns a width of bands for the given number of workers, 0 if it is unknown. A feature
// is evaluated once for each band that its own meets: there are as many bands of at least 1000 features as keep
// evaluations to a tenth of the sums, but at least four, and enough for two tiles per worker.
func defaultWidth(c config.Config, workers int) int {
	// cost of a feature at a point, in operations of the sums
	const evaluation, share, narrow, least, most = 50, 0.1, 1000, 4, 48
	m := setup.PoolSize(c)
	summed := 1.0 // for one point
	if c.Train.Rows > 0 {
		summed = float64(c.Train.Rows) / float64(c.Train.Grid-1)
	}
	bands := min(1+int(share*summed*float64(m)/evaluation), m/narrow, most/3)
	bands = max(least, bands, min(most, int(math.Ceil(2*math.Sqrt(float64(workers))))))
	width := (m + bands - 1) / bands
	return (width + rfm.TileUnit - 1) / rfm.TileUnit * rfm.TileUnit
}

// Split splits the run in the directory path for the given number of workers, 0 if it is unknown. It keeps an existing
// split, which workers may already use. Errors: *config.Error for runs that cannot be split, *fault.Data, errors of
// solvers, ctx's.
func Split(ctx context.Context, path string, workers int, o Options) (store.Split, error) {
	e, err := join(path, o)
	if err != nil {
		return store.Split{}, err
	}
	c, m := e.Config, e.store.Manifest()
	switch {
	case m.Complete():
		return store.Split{}, &fault.Data{Where: path, What: "is complete: there is nothing to split",
			Do: "`rfm show` shows it"}
	case CheckSplit(c) != nil:
		return store.Split{}, CheckSplit(c)
	case m.Split != nil && sameProgram(m.Program):
		return *m.Split, nil
	}
	return e.divide(ctx, defaultWidth(c, workers), max(64, (c.Data.Train+c.Data.Test)/64))
}

// CheckSplit refuses a configuration whose runs cannot be split. The error is a *config.Error.
func CheckSplit(c config.Config) error {
	if c.Train.Method == config.RandomFeatures {
		return nil
	}
	return &config.Error{Key: "train.method", Value: c.Train.Method,
		Problem: "cannot be split: only the sums of features are", Suggestion: "set train.method = features"}
}

// divide records a split into bands of the given width and units of about so many pairs.
func (e *Experiment) divide(ctx context.Context, width, pairs int) (s store.Split, err error) {
	s = store.Split{Width: width, Pairs: pairs}
	if s.Canary, err = e.canary(ctx); err != nil {
		return s, err
	}
	return s, e.store.Put(func(m *store.Manifest) { m.Split, m.Program = &s, machine.Program() })
}

// sameProgram reports whether a program is this one, possibly on another processor.
func sameProgram(p store.Program) bool {
	own := machine.Program()
	return p.Version == own.Version && p.Revision == own.Revision
}

// join opens a run to compute units of it along with other processes: it takes no lock and writes only units. The error
// is a *fault.Data or a *config.Error.
func join(path string, o Options) (*Experiment, error) {
	d, err := store.Look(path)
	if err != nil {
		return nil, err
	}
	e, err := newExperiment(d.Manifest().Config, o) // a unit takes much less memory than the run
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.File(store.ConfigFile), err)
	}
	e.keepIn(d)
	return e, nil
}

// Work computes units of the split run in the directory path until all are done: pairs first, then tiles. It takes over
// units of dead workers. w.Shared is ignored. Errors: *fault.Data, also for a run of another program, *config.Error,
// *Unsound if this machine computes other digits, errors of solvers; ctx's, when the current unit is given back.
func Work(ctx context.Context, path string, o Options, w store.Workers) error {
	e, err := join(path, o)
	if err != nil {
		return err
	}
	m, own := e.store.Manifest(), machine.Program()
	switch {
	case m.Complete():
		return &fault.Data{Where: path, What: "is complete: there is nothing to do", Do: "`rfm show` shows it"}
	case m.Split == nil:
		return &fault.Data{Where: path, What: "is not split", Do: "`rfm run RUN --split N` splits a run"}
	case !sameProgram(m.Program):
		return &fault.Data{Where: path, What: fmt.Sprintf("was split by %v, this is %v", m.Program, own),
			Do: "use that program, or split the run again: `rfm run RUN --split N`"}
	}
	found, err := e.canary(ctx)
	if err != nil {
		return err
	}
	if found != m.Split.Canary {
		return &Unsound{Where: path,
			What: fmt.Sprintf("this machine computes other last digits (%v) than the one that split it (%v)", own, m.Program),
			Do:   "leave it out, or set RFM_SIMD as there"}
	}
	w.Shared = true
	units := e.store.Units()
	if err := units.Do(ctx, e.pairUnits(m.Split.Pairs), w); err != nil {
		return err
	}
	return units.Do(ctx, e.splitTiles(ctx, m.Split.Width), w)
}

// pairUnits returns the work units that generate pairs, about size pairs in each. It returns none if the pairs are
// stored or come from files. The error of making one is as for Run.
func (e *Experiment) pairUnits(size int) []store.Unit {
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
				return store.Rows(ctx, s.name, rowsOf(pairs)).Content(w)
			}})
		}
	}
	return all
}

// splitTiles returns the work units of the tiles of a width. The first that is made reads the stored training pairs.
func (e *Experiment) splitTiles(ctx context.Context, width int) []store.Unit {
	var ev feature.Evaluator
	var pairs dataset.Pairs
	var err error
	var once sync.Once
	count := setup.PoolSize(e.Config)
	return e.tileUnits(func() (feature.Evaluator, dataset.Pairs, error) {
		once.Do(func() {
			if err = e.readTraining(ctx); err == nil {
				ev, pairs, err = e.evaluator(ctx, e.train, count)
			}
		})
		return ev, pairs, err
	}, count, width)
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
	missing, err := e.readUnits(ctx, s.name, rowsOf(*s.pairs))
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
		first := make([]int, count)
		for j := range first {
			first[j] = j
		}
		features = features.Select(first)
	}
	evaluator, err := features.On(ctx, e.Config.Train.Grid, e.workers)
	return evaluator, pairs, err
}

// canary returns the SHA-256 of numbers that a machine computes for a few pairs: inputs, outputs, a tile. It shows
// whether two machines compute the same. The error is one of generating or training.
func (e *Experiment) canary(ctx context.Context) (string, error) {
	var pairs dataset.Pairs
	s := e.sides()[0]
	count, err := min(8, s.count), error(nil)
	if s.file == "" {
		pairs, err = e.generatePairs(ctx, s.purpose, 0, count, nil)
	} else if _, err = setup.ReadPairs(ctx, e.Config, &e.train, nil); err == nil {
		pairs = e.train.Range(0, count)
	}
	if err != nil {
		return "", err
	}
	ev, sample, err := e.evaluator(ctx, pairs, min(rfm.TileUnit, e.Config.Features.Count))
	if err != nil {
		return "", err
	}
	values, err := e.tile(ctx, rfm.Tile{Rows: ev.Count(), Columns: ev.Count()}, ev, sample)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	for _, some := range [][]float64{sample.Inputs.Data, sample.Outputs.Data, values} {
		_ = binary.Write(sum, binary.LittleEndian, some) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Watch reads the progress of the run in the directory path, whichever process computes it. split is nil unless the run
// is split. Watch takes no lock and writes nothing. Errors are *fault.Data, *config.Error.
func Watch(path string) (run store.Entry, split *Shared, err error) {
	run = store.NewEntry(path)
	if run.Fault != nil || run.Manifest.Complete() || run.Manifest.Split == nil {
		return run, nil, run.Fault
	}
	if _, merging := store.Who(path, "merge"); merging { // its units become those of a run by and by
		return run, nil, nil
	}
	e, err := join(path, Options{})
	if err != nil {
		return run, nil, err
	}
	list, err := e.store.Units().List()
	have := map[string]bool{}
	for _, u := range list {
		have[u.Name] = true
	}
	width := run.Manifest.Split.Width
	s := &Shared{Bands: (setup.PoolSize(e.Config) + width - 1) / width, Working: map[string]string{}}
	look := func(units []store.Unit) (states []store.State, done int) {
		for _, u := range units {
			state := store.Pending
			if name, working := store.Who(path, u.Name); have[u.Name] {
				state, done = store.Complete, done+1
			} else if working {
				state, s.Working[u.Name] = store.Partial, name
			}
			states = append(states, state)
		}
		return states, done
	}
	pairs, done := look(e.pairUnits(run.Manifest.Split.Pairs))
	s.Pairs, s.PairsDone = len(pairs), done
	s.Tiles, s.TilesDone = look(e.splitTiles(context.Background(), width))
	return run, s, err
}

// Shared is the progress of a split run.
type Shared struct {
	Pairs, PairsDone int           // numbers of units
	Tiles            []store.State // of bands (0, 0), (0, 1), ..., (1, 1), ...: pending, partial (in use) or complete
	TilesDone, Bands int
	Working          map[string]string // processes by the unit that they compute
}

// Left returns the number of units that are not done.
func (s Shared) Left() int { return s.Pairs - s.PairsDone + len(s.Tiles) - s.TilesDone }

// UnitMemory returns the approximate memory of a worker on one tile of a split run, in bytes.
func UnitMemory(s store.Split, c config.Config) float64 {
	small, m := c, setup.PoolSize(c)
	small.Features.Count, small.Features.Pool = min(2*s.Width, m), 0
	// for all features, from which bands are chosen
	theta := 8 * float64(m) * float64(c.Data.Grid+2*c.Train.Grid)
	if c.Dims() == 2 {
		theta *= float64(c.Train.Grid)
	}
	return small.Cost().Bytes + theta
}

// UnitDisk returns the size of all tiles of a split run, in bytes.
func UnitDisk(s store.Split, c config.Config) float64 {
	m := float64(setup.PoolSize(c))
	return 4 * m * (m + float64(s.Width))
}
