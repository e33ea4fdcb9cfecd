package share

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"rfm/model/engine"
	"rfm/model/feature"
	"rfm/model/rfm"
	"rfm/solver/dataset"
	"rfm/solver/fault"
)

// Worker works on a split run.
type Worker struct {
	Options engine.Options
	// after which the unit of a process without a sign of life is taken over; 0 is Patience
	Patience time.Duration
	Report   func(unit string, done float64) // is told of progress, done from 0 to 1; may be nil
	Beat     time.Duration                   // between signs of life of one's own; 0 is as usual
}

// unit is something that can be done.
type unit struct {
	name string
	make func(ctx context.Context, report func(done float64)) error
}

// Work does units of the run in the directory path until all are done: pairs first, then tiles. It takes over what
// others leave behind. Errors: *fault.Data, *config.Error, *Unsound, those of solvers; ctx's, when the unit at hand is
// given back.
func (w Worker) Work(ctx context.Context, path string) error {
	p, plan, err := open(ctx, path, w.Options)
	if err != nil {
		return err
	}
	if err := w.pairs(ctx, path, p, plan); err != nil {
		return err
	}
	if done, err := plan.Progress(path); err != nil || done.Left() == 0 { // nothing to sum: spare the features
		return err
	}
	e, pairs, err := p.Sums(ctx)
	if err != nil {
		return err
	}
	return w.sums(ctx, path, p, plan, e, pairs)
}

// pairs does the units of pairs.
func (w Worker) pairs(ctx context.Context, path string, p *engine.Parts, plan Plan) error {
	var units []unit
	for _, r := range p.Ranges(plan.Pairs) {
		units = append(units, unit{rangeName(r), func(ctx context.Context,
			_ func(float64)) error {
			return p.Generate(ctx, r)
		}})
	}
	// workers that start together begin in different places
	rand.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
	return w.all(ctx, path, units, func() (map[string]bool, error) {
		have, err := p.Have()
		done := map[string]bool{}
		for r := range have {
			done[rangeName(r)] = true
		}
		return done, err
	})
}

func rangeName(r engine.Range) string {
	return fmt.Sprintf("pairs-%s-%09d-%09d", r.Array, r.First, r.Count)
}

// sums does the units of tiles.
func (w Worker) sums(ctx context.Context, path string, p *engine.Parts, plan Plan, e feature.Evaluator,
	pairs dataset.Pairs) error {
	var units []unit
	for _, t := range rfm.Tiles(e.Count(), plan.Width) {
		units = append(units, unit{stem(t), func(ctx context.Context, report func(float64)) error {
			values, err := p.Tile(ctx, t, e, pairs, func(samples int) {
				if samples < pairs.Count() { // it is done when it is stored
					report(float64(samples) / float64(pairs.Count()))
				}
			})
			if err != nil {
				return err
			}
			if err := writeTile(path, plan.Key, t, values); err != nil {
				return unwritten(path, err)
			}
			return nil
		}})
	}
	return w.all(ctx, path, units, func() (map[string]bool, error) {
		found, err := plan.tiles(path, e.Count())
		done := map[string]bool{}
		for t := range found {
			done[stem(t)] = true
		}
		return done, err
	})
}

// all does units until have says that all are done, whoever does them.
func (w Worker) all(ctx context.Context, path string, units []unit, have func() (map[string]bool, error)) error {
	patience, beat, report := w.Patience, w.Beat, w.Report
	if patience == 0 {
		patience = Patience
	}
	if beat == 0 {
		beat = beatInterval
	}
	if report == nil {
		report = func(string, float64) {}
	}
	claims := newClaims(path, patience)
	for {
		done, err := have()
		if err != nil {
			return err
		}
		left, made := 0, 0
		for _, u := range units {
			if done[u.name] {
				continue
			}
			left++
			own, err := claims.take(u.name, beat)
			if err != nil {
				return unwritten(path, err)
			}
			if own == nil {
				continue
			}
			if now, err := have(); err != nil || now[u.name] { // somebody has made it since
				own.end(err == nil)
				if err != nil {
					return err
				}
				made++
				continue
			}
			err = u.make(ctx, func(done float64) { report(u.name, done) })
			own.end(err == nil)
			if err != nil {
				return err
			}
			report(u.name, 1)
			made++
		}
		if left == 0 {
			return nil
		}
		if made > 0 {
			continue
		}
		select { // others are at what is left
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(time.Second, patience/4)):
		}
	}
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
			if _, working := p.Working[stem(t)]; p.done[t] {
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
// *Unsound, *config.Error.
func (p Plan) Progress(path string) (Progress, error) {
	parts, err := engine.OpenParts(path, engine.Options{})
	if err != nil {
		return Progress{}, err
	}
	c := parts.Config()
	m := max(c.Features.Count, c.Features.Pool)
	out := Progress{Width: p.Width, Bands: (m + p.Width - 1) / p.Width, Working: map[string]string{},
		tiles: rfm.Tiles(m, p.Width), done: map[rfm.Tile]bool{}}
	have, err := parts.Have()
	if err != nil {
		return out, err
	}
	look := func(unit string) {
		if name, working := who(path, unit); working {
			out.Working[unit] = name
		}
	}
	for _, r := range parts.Ranges(p.Pairs) {
		out.Pairs++
		if have[r] {
			out.PairsDone++
		} else {
			look(rangeName(r))
		}
	}
	found, err := p.tiles(path, m)
	if err != nil {
		return out, err
	}
	for _, t := range out.tiles {
		out.Tiles++
		if _, ok := found[t]; ok {
			out.TilesDone++
			out.done[t] = true
		} else {
			look(stem(t))
		}
	}
	return out, nil
}

// Finish prepares the run in the directory path to be completed by engine.Open with the options that it returns: pairs
// become the run's, and the tiles its sums, after they are checked. Units that are missing are done before, unless
// mergeOnly is set: then the error is a *Missing. Other errors are those of Work.
func (w Worker) Finish(ctx context.Context, path string, mergeOnly bool) (engine.Options, error) {
	p, plan, err := open(ctx, path, w.Options)
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
	if err := w.Work(ctx, path); err != nil {
		return w.Options, err
	}
	if err := p.Adopt(); err != nil {
		return w.Options, err
	}
	o := w.Options
	o.Summed = func(_ context.Context, e feature.Evaluator, _ dataset.Pairs, n *rfm.Normal) (bool, error) {
		return true, plan.merge(path, e, n)
	}
	return o, nil
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

// merge fills in the sums from tiles. No entry may be larger than those on the diagonal allow. Errors are *fault.Data,
// *Unsound.
func (p Plan) merge(path string, e feature.Evaluator, n *rfm.Normal) error {
	found, err := p.tiles(path, e.Count())
	if err != nil {
		return err
	}
	for _, t := range rfm.Tiles(e.Count(), p.Width) {
		stored, ok := found[t]
		if !ok {
			return &fault.Data{Where: part(path), What: fmt.Sprintf("lacks %s", stem(t)), Do: "workers make it: `rfm work`"}
		}
		values, err := stored.read(path, p.Key)
		if err != nil {
			return err
		}
		n.Put(t, values)
	}
	if i, j, bad := n.Unsound(); bad {
		return &Unsound{part(path), fmt.Sprintf("the sums cannot be right: entry (%d, %d) is %g", i, j, n.Sums.At(i, j)),
			"remove the tile that has it, find out which machine made it, and go on"}
	}
	return nil
}

// Merge prepares the run in the directory path, of which all units are done, to be completed by engine.Open with the
// options that it returns, as Finish does. Of many workers one does: release, which it calls in the end, is nil for the
// others.
func (w Worker) Merge(ctx context.Context, path string) (o engine.Options, release func(), err error) {
	own, err := newClaims(path, cmp.Or(w.Patience, Patience)).take("merge", cmp.Or(w.Beat, beatInterval))
	if own == nil || err != nil {
		return o, nil, err
	}
	release = func() { own.end(false) }
	if o, err = w.Finish(ctx, path, true); err != nil {
		release()
	}
	return o, release, err
}
