package share

import (
	"context"

	"rfm/model/engine"
	"rfm/model/rfm"
	"rfm/model/store"
)

// Worker computes units of a split run.
type Worker struct {
	Options engine.Options
	Units   store.Workers // Shared is ignored
}

// Work computes units of the run in the directory path until all are done: pairs first, then tiles. It takes over units
// of dead workers. Errors: *fault.Data, *config.Error, *engine.Unsound, errors of solvers; ctx's, when the current unit
// is given back.
func (w Worker) Work(ctx context.Context, path string) error {
	e, split, err := join(ctx, path, w.Options)
	if err != nil {
		return err
	}
	workers := w.Units
	workers.Shared = true
	if err := e.Units().Do(ctx, e.PairUnits(split.Pairs), workers); err != nil {
		return err
	}
	if done, err := progressOf(e, split, path); err != nil || done.Left() == 0 { // nothing to sum: draw no features
		return err
	}
	tiles, err := e.TileUnits(ctx, split.Width)
	if err != nil {
		return err
	}
	return e.Units().Do(ctx, tiles, workers)
}

// Merge claims the run in the directory path, all of whose units are done, for completion by engine.Open. Only one of
// many workers gets release, to be called at the end; it is nil for the others. Errors are those of store.Claim.
func (w Worker) Merge(ctx context.Context, path string) (release func(), err error) {
	return store.Claim(ctx, path, "merge", w.Units)
}

// Watched is the progress of a run, whichever process computes it.
type Watched struct {
	store.Entry
	Split *Progress // nil unless the run is split
}

// Watch reads the progress of the run in the directory path. It takes no lock and writes nothing. Errors are
// *fault.Data, *engine.Unsound, *config.Error.
func Watch(path string) (Watched, error) {
	w := Watched{Entry: store.NewEntry(path)}
	if w.Fault != nil || w.Manifest.Complete() || w.Manifest.Split == nil {
		return w, w.Fault
	}
	e, err := engine.Join(path, engine.Options{})
	if err != nil {
		return w, err
	}
	p, err := progressOf(e, *w.Manifest.Split, path)
	w.Split = &p
	return w, err
}

// Progress is the progress of a split run.
type Progress struct {
	Pairs, PairsDone int // numbers of units
	Tiles, TilesDone int
	Width, Bands     int
	Working          map[string]string // processes by the unit that they compute
	tiles            map[rfm.Tile]State
}

// State returns the state of the tile of bands i <= j: NotBegun, InUse or Complete.
func (p Progress) State(i, j int) State {
	for t, state := range p.tiles {
		if t.FirstRow == i*p.Width && t.FirstColumn == j*p.Width {
			return state
		}
	}
	return NotBegun
}

// Left returns the number of units that are not done.
func (p Progress) Left() int { return p.Pairs - p.PairsDone + p.Tiles - p.TilesDone }

// progressOf reads the progress of a split run. It changes nothing. Errors are *fault.Data, *engine.Unsound.
func progressOf(e *engine.Experiment, s store.Split, path string) (Progress, error) {
	m := max(e.Config.Features.Count, e.Config.Features.Pool)
	out := Progress{Width: s.Width, Bands: (m + s.Width - 1) / s.Width, Working: map[string]string{},
		tiles: map[rfm.Tile]State{}}
	list, err := e.Units().List()
	if err != nil {
		return out, err
	}
	have := map[string]bool{}
	for _, u := range list {
		have[u.Name] = true
	}
	look := func(unit string, done bool, all, count *int) State {
		*all++
		if done {
			*count++
			return Complete
		}
		name, working := store.Who(path, unit)
		if !working {
			return NotBegun
		}
		out.Working[unit] = name
		return InUse
	}
	for _, u := range e.PairUnits(s.Pairs) {
		look(u.Name, have[u.Name], &out.Pairs, &out.PairsDone)
	}
	found, err := e.Tiles(s.Width)
	if err != nil {
		return out, err
	}
	for _, t := range rfm.Tiles(m, s.Width) {
		_, done := found[t]
		out.tiles[t] = look(tileName(t), done, &out.Tiles, &out.TilesDone)
	}
	return out, nil
}

func tileName(t rfm.Tile) string { return store.TileName(t.FirstRow, t.Rows, t.FirstColumn, t.Columns) }
