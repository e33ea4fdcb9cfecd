// This file computes work units of a run: ranges of pairs, and tiles of the sums of the normal equations. Any worker,
// on any machine that sees the run's directory, may compute a unit any number of times: the run and the name of a unit
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
	"rfm/model/learn/feature"
	"rfm/model/learn/operator"
	"rfm/model/learn/rfm"
	"rfm/model/run/machine"
	"rfm/model/run/store"
	"rfm/solver/base/fault"
	"rfm/solver/base/progress"
	"rfm/solver/dataset"
	"rfm/solver/dataset/npy"
	"rfm/solver/num/simd"
)

// wholeSums is the number of features up to which one process computes the sums in one pass. Smaller tiles would
// evaluate each feature too often.
const wholeSums = 4096

const (
	narrow     = 1000 // least number of features in a band
	leastBands = 4
)

// width returns the width of a number of bands of m features.
func width(m, bands int) int {
	features := (m + bands - 1) / bands // rounded up
	units := (features + rfm.TileUnit - 1) / rfm.TileUnit
	return units * rfm.TileUnit
}

// defaultWidth returns a width of bands for the given number of workers, 0 if it is unknown. A feature
// is evaluated once for each band that its own meets: there are as many bands of at least 1000 features as keep
// evaluations to a tenth of the sums, but at least four, and enough for two tiles per worker.
func defaultWidth(c config.Config, workers int) int {
	const (
		evaluation = 50  // cost of a feature at a point, in operations of the sums
		share      = 0.1 // of the sums, for evaluations
		most       = 48  // bands
	)
	m := c.Features.Drawn()
	summed := 1.0 // part of the points that are rows of the sums
	if c.Train.Rows > 0 {
		distinct := float64(c.Train.Grid - 1)
		summed = float64(c.Train.Rows) / distinct
	}
	byCost := 1 + int(share*summed*float64(m)/evaluation)
	affordable := min(byCost, m/narrow, most/3)
	side := math.Ceil(2 * math.Sqrt(float64(workers))) // half of side x side tiles are two for each worker
	twoTilesEach := min(most, int(side))
	return width(m, max(leastBands, affordable, twoTilesEach))
}

// Split splits the run in the directory path for the given number of workers, 0 if it is unknown. It keeps an existing
// split, which workers may already use. Errors: *config.Error for runs that cannot be split, *fault.Data, errors of
// solvers, ctx.Err().
func Split(ctx context.Context, path string, workers int, o Options) (store.Split, error) {
	e, err := join(path, o)
	if err != nil {
		return store.Split{}, err
	}
	c := e.Config
	run := e.store
	if run.Complete() {
		return store.Split{}, &fault.Data{
			Where: path,
			What:  "is complete: there is nothing to split",
			Do:    "`rfm show` shows it",
		}
	}
	if err := CheckSplit(c); err != nil {
		return store.Split{}, err
	}
	if run.Split != nil && sameProgram(run.Program) {
		return *run.Split, nil
	}
	pairs := max(64, (c.Data.Train+c.Data.Test)/64)
	return e.divide(ctx, defaultWidth(c, workers), pairs)
}

// CheckSplit refuses a configuration whose runs cannot be split. The error is a *config.Error.
func CheckSplit(c config.Config) error {
	if c.Train.Method == config.RandomFeatures {
		return nil
	}
	return &config.Error{
		Key:        "train.method",
		Value:      c.Train.Method,
		Problem:    "cannot be split: only the sums of features are",
		Suggestion: "set train.method = features",
	}
}

// divide records a split into bands of the given width and units of about so many pairs.
func (w *work) divide(ctx context.Context, width, pairs int) (store.Split, error) {
	canary, err := w.canary(ctx)
	if err != nil {
		return store.Split{}, err
	}
	split := store.Split{
		Width:  width,
		Pairs:  pairs,
		Canary: canary,
	}
	w.store.Split = &split
	w.store.Program = machine.Program()
	return split, w.store.Put()
}

// sameProgram reports whether a program is this one, possibly on another processor.
func sameProgram(p machine.Build) bool {
	own := machine.Program()
	return p.Version == own.Version && p.Revision == own.Revision
}

// join opens a run to compute units of it along with other processes: it takes no lock and writes only units. The error
// is a *fault.Data or a *config.Error.
func join(path string, o Options) (*Experiment, error) {
	r, err := store.Read(path)
	if err != nil {
		return nil, err
	}
	err = r.Config.Validate()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.File(store.ConfigFile), err)
	}
	e := Complete(r.Config, o) // a unit takes much less memory than the run
	e.store = &r
	return e, nil
}

// Work computes units of the split run in the directory path until all are done: pairs first, then tiles. It takes over
// units of dead workers. w.Shared is ignored. Errors: *fault.Data, also for a run of another program, *config.Error,
// *fault.Unsound if this machine computes other digits, errors of solvers; ctx.Err(), when the current unit is given
// back.
func Work(ctx context.Context, path string, o Options, w store.Workers) error {
	e, err := join(path, o)
	if err != nil {
		return err
	}
	defer e.files.Close()
	run := e.store
	if err := checkJoined(run, path); err != nil {
		return err
	}
	canary, err := e.canary(ctx)
	if err != nil {
		return err
	}
	if canary != run.Split.Canary {
		const what = "this machine computes other last digits (%v) than the one that split it (%v)"
		return &fault.Unsound{
			Where: path,
			What:  fmt.Sprintf(what, machine.Program(), run.Program),
			Do:    sameDigits(machine.Program(), run.Program),
		}
	}
	w.Shared = true
	var pairs []store.Unit
	for _, s := range e.sides() {
		if !s.whole {
			pairs = append(pairs, e.pairUnits(s, run.Split.Pairs)...)
		}
	}
	err = e.store.Units().Do(ctx, pairs, w)
	if err != nil {
		return err
	}
	return e.store.Units().Do(ctx, e.splitTiles(ctx, run.Split.Width), w)
}

// sameDigits says how a machine joins a run that was split by another one, although it computes other last digits.
func sameDigits(own, other machine.Build) string {
	if own.SIMD == simd.AVX512.String() && other.SIMD == simd.AVX2.String() {
		return "set RFM_SIMD=avx2 here"
	}
	return "leave it out, or split the run again with RFM_SIMD=avx2 and work so on all machines"
}

// checkJoined refuses a run that has no units for this program to compute.
func checkJoined(run *store.Run, path string) error {
	if run.Complete() {
		return fault.Bad(path, "`rfm show` shows it", "is complete: there is nothing to do")
	}
	if run.Split == nil {
		return fault.Bad(path, "`rfm run RUN --split N` splits a run", "is not split")
	}
	if !sameProgram(run.Program) {
		return &fault.Data{
			Where: path,
			What:  fmt.Sprintf("was split by %v, this is %v", run.Program, machine.Program()),
			Do:    "use that program, or split the run again: `rfm run RUN --split N`",
		}
	}
	return nil
}

// pairUnits returns the work units that generate the pairs of a side, about size pairs in each; none if they come from
// a file. The error of making one is as for Run.
func (w *work) pairUnits(s side, size int) []store.Unit {
	if s.file != "" {
		return nil
	}
	block := w.truth().Block // pairs that are solved together
	wholeBlocks := (size + block - 1) / block * block
	generate := func(ctx context.Context, first, count int) (store.Block, error) {
		pairs, err := w.generatePairs(ctx, s.purpose, first, count)
		return rowsOf(pairs), err
	}
	units, _ := rowUnits(s.name, make([]bool, s.count), wholeBlocks, generate)
	return units
}

// splitTiles returns the work units of the tiles of a width. The first that is made reads the stored training pairs.
func (w *work) splitTiles(ctx context.Context, width int) []store.Unit {
	read := sync.OnceValues(func() (summands, error) {
		training := w.sides()[0]
		if training.file == "" || training.whole { // others are there since canary has read them
			err := w.obtain(ctx, []side{training})
			if err != nil {
				return summands{}, err
			}
		}
		return w.summandsOf(ctx, w.train)
	})
	return w.tileUnits(read, w.Config.Features.Drawn(), width)
}

// summands are what the sums of the normal equations are made of: features on the training grid, and scaled pairs there.
type summands struct {
	features feature.Evaluator
	pairs    dataset.Pairs
}

// summandsOf calibrates the features for pairs.
func (w *work) summandsOf(ctx context.Context, pairs dataset.Pairs) (summands, error) {
	pairs, err := pairs.Restrict(w.Config.Train.Grid)
	if err != nil {
		return summands{}, err
	}
	w.setCloud(pairs.Inputs.Domain.Cloud)
	drawn, err := w.drawFeatures(ctx)
	if err != nil {
		return summands{}, err
	}
	pairs = operator.ScalingOf(pairs).Apply(pairs)
	calibrated, err := drawn.Calibrate(ctx, pairs.Inputs, w.workers)
	if err != nil {
		return summands{}, err
	}
	features, err := calibrated.On(ctx, w.Config.Train.Grid, w.workers)
	return summands{features, pairs}, err
}

// canary returns the SHA-256 of numbers that a machine computes for a few pairs: inputs, outputs, a tile. It shows
// whether two machines compute the same. The error is one of generating or training.
func (w *work) canary(ctx context.Context) (string, error) {
	pairs, err := w.firstPairs(ctx, 8)
	if err != nil {
		return "", err
	}
	of, err := w.summandsOf(ctx, pairs)
	if err != nil {
		return "", err
	}
	side := min(rfm.TileUnit, of.features.Count())
	first := rfm.Tile{Rows: side, Columns: side}
	values, err := w.tile(ctx, first, of)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	all := [][]float64{of.pairs.Inputs.Data, of.pairs.Outputs.Data, values}
	for _, some := range all {
		_ = binary.Write(sum, binary.LittleEndian, some) // a hash never fails
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// firstPairs returns the first training pairs, at most so many.
func (w *work) firstPairs(ctx context.Context, most int) (dataset.Pairs, error) {
	training := w.sides()[0]
	count := min(most, training.count)
	if training.file == "" {
		return w.generatePairs(ctx, training.purpose, 0, count)
	}
	if _, err := w.files.Read(ctx, w.Config, &w.train, nil); err != nil {
		return dataset.Pairs{}, err
	}
	return w.train.Range(0, count), nil
}

// tileName returns the name of the unit of a tile.
func tileName(t rfm.Tile) string {
	return store.TileName(t.FirstRow, t.Rows, t.FirstColumn, t.Columns)
}

// tileUnits returns the work units of the tiles of a width of m features. read is called if a tile is missing.
func (p plan) tileUnits(read func() (summands, error), m, width int) (units []store.Unit) {
	for _, t := range rfm.Tiles(m, width) {
		makeTile := func(ctx context.Context) (func(io.Writer) error, error) {
			of, err := read()
			if err != nil {
				return nil, err
			}
			values, err := p.tile(ctx, t, of)
			if err != nil {
				return nil, err
			}
			rows, columns := t.Shape()
			array := npy.Array{Shape: []int{rows, columns}, Data: values}
			return func(w io.Writer) error { return npy.Write(w, array) }, nil
		}
		units = append(units, store.Unit{Name: tileName(t), Make: makeTile})
	}
	return units
}

// tile computes the sums of a tile. The error is one of rfm.Tile.Sum.
func (p plan) tile(ctx context.Context, t rfm.Tile, of summands) ([]float64, error) {
	c := p.Config
	rows := rfm.Rows{Seed: c.Seed, Count: c.Train.Rows}
	return t.Sum(ctx, of.features, of.pairs, rows, c.Train.Offset, p.workers)
}

// sumTiles computes the sums from tiles, and makes missing tiles; done is false if one pass computes the sums instead.
// Errors are *fault.Data, *fault.Unsound, ctx.Err().
func (w *work) sumTiles(ctx context.Context, ev feature.Evaluator, pairs dataset.Pairs, n *rfm.Normal) (done bool,
	err error) {
	m := ev.Count()
	split := w.store.Split
	onePass := m <= wholeSums || w.Directory() == ""
	if split == nil && onePass {
		return false, nil
	}
	bands := width(m, max(leastBands, m/narrow))
	if split != nil {
		bands = split.Width
	}
	units := w.store.Units()
	tiles := rfm.Tiles(m, bands)
	w.tracker.begin(Training, "tiles", len(tiles))
	report := func(p progress.Progress) {
		w.tracker.Set(func(q *Progress) {
			q.Done = p.Done
			q.Before = p.Before
		})
	}
	known := func() (summands, error) {
		return summands{ev, pairs}, nil
	}
	err = units.Do(ctx, w.tileUnits(known, m, bands), store.Workers{Report: report})
	if err != nil {
		return false, err
	}
	err = putTiles(ctx, n, tiles, units)
	if err != nil {
		return false, err
	}
	i, j, bad := n.Unsound()
	if bad {
		return false, &fault.Unsound{
			Where: w.store.File(store.UnitsDirectory),
			What:  fmt.Sprintf("the sums cannot be right: entry (%d, %d) is %g", i, j, n.Sums.At(i, j)),
			Do:    "remove the tile that has it, find out which machine made it, and resume",
		}
	}
	return true, nil
}

// putTiles reads tiles from their units into the sums.
func putTiles(ctx context.Context, n *rfm.Normal, tiles []rfm.Tile, units store.Units) error {
	list, err := units.Of(store.TilesArray)
	if err != nil {
		return err
	}
	stored := map[string]store.Stored{}
	for _, unit := range list {
		stored[unit.Name] = unit
	}
	for _, t := range tiles {
		name := tileName(t)
		a, err := units.Read(ctx, stored[name])
		if err != nil {
			return err
		}
		rows, columns := t.Shape()
		if len(a.Data) != rows*columns {
			return fault.Bad(name, "remove it: it is made again", "has shape %v", a.Shape)
		}
		n.Put(t, a.Data)
	}
	return nil
}

// UnitsOf returns the numbers of work units of a split run, which are parts of generated pairs, and tiles, and the size
// of all tiles in bytes.
func UnitsOf(s store.Split, c config.Config) (pairs, tiles int, bytes float64) {
	e := Complete(c, Options{})
	for _, side := range e.sides() {
		pairs += len(e.pairUnits(side, s.Pairs))
	}
	drawn := c.Features.Drawn()
	tiles = len(rfm.Tiles(drawn, s.Width))
	m := float64(drawn)
	const number = 8                         // bytes
	values := m * (m + float64(s.Width)) / 2 // half of the matrix, and of the diagonal tiles the other half
	bytes = number * values
	return pairs, tiles, bytes
}

// UnitMemory returns the approximate memory of a worker on one tile of a split run, in bytes.
func UnitMemory(s store.Split, c config.Config) float64 {
	const number = 8 // bytes
	m := c.Features.Drawn()
	small := c
	small.Features.Count = min(2*s.Width, m) // of the two bands that meet in a tile
	small.Features.Pool = 0
	perFeature := float64(c.Data.Grid + 2*c.Train.Grid)
	theta := number * float64(m) * perFeature // of all features, from which bands are chosen
	if c.Dims() == 2 {
		theta *= float64(c.Train.Grid)
	}
	return small.Cost().Bytes + theta
}
