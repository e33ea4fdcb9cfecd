package share

import (
	"context"
	"fmt"
	"time"

	"rfm/model/engine"
	"rfm/model/rfm"
	"rfm/model/store"
	"rfm/solver/progress"
)

// Worker works on a split run.
type Worker struct {
	Options engine.Options
	// after which the unit of a process without a sign of life is taken over; 0 is store.Patience
	Patience time.Duration
	Report   progress.Func // is told of units that are done; may be nil
	Beat     time.Duration // between signs of life of one's own; 0 is as usual
}

// Work does units of the run in the directory path until all are done: pairs first, then tiles. It takes over what
// others leave behind. Errors: *fault.Data, *config.Error, *engine.Unsound, those of solvers; ctx's, when the unit at
// hand is given back.
func (w Worker) Work(ctx context.Context, path string) error {
	p, plan, err := open(ctx, path, w.Options)
	if err != nil {
		return err
	}
	workers := store.Workers{Shared: true, Patience: w.Patience, Beat: w.Beat, Report: w.Report}
	if err := p.Units().Do(ctx, p.PairUnits(plan.Pairs), workers); err != nil {
		return err
	}
	if done, err := plan.Progress(path); err != nil || done.Left() == 0 { // nothing to sum: spare the features
		return err
	}
	tiles, err := p.TileUnits(ctx, plan.Width)
	if err != nil {
		return err
	}
	return p.Units().Do(ctx, tiles, workers)
}

// Progress is how much of a split run is done.
type Progress struct {
	Pairs, PairsDone int // units
	Tiles, TilesDone int
	Width, Bands     int
	Working          map[string]string // units that somebody is at, and who
	tiles            []rfm.Tile        // row by row
	done             map[rfm.Tile]bool
}

// State is that of the tile of bands i <= j: NotBegun, InUse or Complete.
func (p Progress) State(i, j int) State {
	for _, t := range p.tiles {
		if t.FirstRow == i*p.Width && t.FirstColumn == j*p.Width {
			if _, working := p.Working[tileName(t)]; p.done[t] {
				return Complete
			} else if working {
				return InUse
			}
		}
	}
	return NotBegun
}

// Left is the number of units that are not done.
func (p Progress) Left() int { return p.Pairs - p.PairsDone + p.Tiles - p.TilesDone }

// Progress looks at what there is of the run in the directory path. It changes nothing. Errors are *fault.Data,
// *engine.Unsound, *config.Error.
func (p Plan) Progress(path string) (Progress, error) {
	parts, err := engine.OpenParts(path, engine.Options{})
	if err != nil {
		return Progress{}, err
	}
	c := parts.Config()
	m := max(c.Features.Count, c.Features.Pool)
	out := Progress{Width: p.Width, Bands: (m + p.Width - 1) / p.Width, Working: map[string]string{},
		tiles: rfm.Tiles(m, p.Width), done: map[rfm.Tile]bool{}}
	list, err := parts.Units().List()
	if err != nil {
		return out, err
	}
	have := map[string]bool{}
	for _, s := range list {
		have[s.Name] = true
	}
	look := func(unit string) {
		if name, working := store.Who(path, unit); working {
			out.Working[unit] = name
		}
	}
	for _, u := range parts.PairUnits(p.Pairs) {
		out.Pairs++
		if have[u.Name] {
			out.PairsDone++
		} else {
			look(u.Name)
		}
	}
	found, err := parts.Tiles(p.Width)
	if err != nil {
		return out, err
	}
	for _, t := range out.tiles {
		out.Tiles++
		if _, ok := found[t]; ok {
			out.TilesDone++
			out.done[t] = true
		} else {
			look(tileName(t))
		}
	}
	return out, nil
}

func tileName(t rfm.Tile) string { return store.TileName(t.FirstRow, t.Rows, t.FirstColumn, t.Columns) }

// Finish prepares the run in the directory path to be completed by engine.Open with the options that it returns. Units
// that are missing are done before, unless mergeOnly is set: then the error is a *Missing. Other errors are those of
// Work.
func (w Worker) Finish(ctx context.Context, path string, mergeOnly bool) (engine.Options, error) {
	plan, err := ReadPlan(path)
	if err != nil {
		return w.Options, err
	}
	progress, err := plan.Progress(path)
	if err != nil {
		return w.Options, err
	}
	if progress.Left() > 0 && mergeOnly {
		return w.Options, &Missing{path, progress}
	}
	o := w.Options
	o.Width = plan.Width
	return o, w.Work(ctx, path)
}

// Missing says that units of a run are not done.
type Missing struct {
	Path     string
	Progress Progress
}

func (e *Missing) Error() string {
	return fmt.Sprintf("%d of %d units of pairs and %d of %d tiles of %s are missing",
		e.Progress.Pairs-e.Progress.PairsDone, e.Progress.Pairs,
		e.Progress.Tiles-e.Progress.TilesDone, e.Progress.Tiles, e.Path)
}

// Merge prepares the run in the directory path, of which all units are done, to be completed by engine.Open with the
// options that it returns, as Finish does. Of many workers one does: release, which it calls in the end, is nil for the
// others.
func (w Worker) Merge(ctx context.Context, path string) (o engine.Options, release func(), err error) {
	release, err = store.Claim(ctx, path, "merge", store.Workers{Patience: w.Patience, Beat: w.Beat})
	if release == nil || err != nil {
		return o, nil, err
	}
	if o, err = w.Finish(ctx, path, true); err != nil {
		release()
	}
	return o, release, err
}
