// This file computes the results for the scenes, part by part in the order in which scenes need them.

package tour

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/run/tune"
	"rfm/model/show/paper"
	"rfm/model/show/report"
	"rfm/tui/session"
)

// findings are the results so far.
type findings struct {
	look     *paper.Look
	bridge   *paper.Bridge
	burgers  *engine.Experiment
	likeness []float64
	counts   report.Curve // test errors over the number of features
	grids    report.Curve // and over the grid
	pulls    []paper.Pull
	darcy    *engine.Experiment
	large    improvement    // for the paper's experiment
	took     engine.Seconds // times of the stages of burgers
}

// improvement is an experiment before and after a search for better features.
type improvement struct {
	before, after *engine.Experiment
	search        *tune.Snapshot
}

// part is a unit of computation; parts are computed in order.
type part int

const (
	looking part = iota
	bridging
	learning
	measuring
	flowing
	enlarging
	improving
)

// live reports whether a part is computed in view of the audience, only once a scene waits for it.
func (p part) live() bool { return p == improving }

// find computes a part from the findings so far, and adds its results.
func (d *Screen) find(ctx context.Context, next part, f findings) (findings, error) {
	plan := d.plan
	workers := d.session.Runner.Workers()
	var err error
	switch next {
	case looking:
		f.look, err = plan.Look(ctx, workers)
	case bridging:
		f.bridge, err = plan.Scalar(ctx, workers)
	case learning:
		f.burgers, err = d.run(ctx, plan.Burgers)
		if err == nil {
			f.took = f.burgers.Seconds()
			f.likeness, err = plan.Likeness(ctx, f.burgers, likened, workers)
		}
	case measuring:
		d.working.Store(f.burgers)
		f.counts, err = plan.Fewer(ctx, f.burgers, workers)
		if err == nil {
			f.grids, err = plan.OnGrids(ctx, f.burgers)
		}
		if err == nil {
			f.pulls, err = plan.Pulled(ctx, f.burgers)
		}
	case flowing:
		f.darcy, err = d.run(ctx, plan.Darcy)
	case enlarging:
		f.large.before, err = d.run(ctx, plan.Large)
	case improving:
		f.large, err = d.improve(ctx, f.burgers, f.large.before)
	}
	return f, err
}

// run runs an experiment, whose progress is visible.
func (d *Screen) run(ctx context.Context, c config.Config) (*engine.Experiment, error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: d.session.Runner.Workers()})
	if err != nil {
		return nil, err
	}
	d.working.Store(e)
	return e, e.Run(ctx)
}

// improve searches for better features on the pairs of one experiment, with visible progress, and trains them on the
// pairs of another one.
func (d *Screen) improve(ctx context.Context, on, e *engine.Experiment) (improvement, error) {
	var s *tune.Session
	show := func(begun *tune.Session) {
		s = begun
		d.search.Store(s)
	}
	after, err := d.plan.Improved(ctx, on, e, d.session.Runner.Workers(), show)
	if err != nil {
		return improvement{}, err
	}
	return improvement{before: e, after: after, search: s.Snapshot()}, nil
}

// compute starts the next part if it is needed and the session is free.
func (d *Screen) compute() tea.Cmd {
	next := part(d.done)
	last := d.scenes[len(d.scenes)-1].needs
	isEarly := next.live() && d.scenes[d.at].needs < next
	if next > last || isEarly || d.failure != nil || d.session.Runner.Working() {
		return nil
	}
	f := d.findings
	work := func(ctx context.Context) error {
		var err error
		f, err = d.find(ctx, next, f)
		d.working.Store(nil)
		d.search.Store(nil)
		return err
	}
	return d.session.Runner.Run(session.Job{
		Name:   session.TourPage,
		Beside: true,
		Seen:   d.see,
		Work:   work,
		Done:   func(err error) tea.Cmd { return d.found(f, err) },
	})
}

// see copies the progress of the computation.
func (d *Screen) see() {
	d.seen = sight{}
	e := d.working.Load()
	if e != nil {
		d.seen.progress = e.Progress()
	}
	s := d.search.Load()
	if s != nil {
		d.seen.search = s.Snapshot()
	}
}

// found stores the findings of a finished part and starts the next one.
func (d *Screen) found(f findings, err error) tea.Cmd {
	if err != nil {
		if !session.IsCancelled(err) {
			d.failure = err
		}
		return nil
	}
	d.findings = f
	d.done++
	return d.compute()
}
