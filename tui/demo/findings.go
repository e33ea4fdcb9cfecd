// This file computes the results for the scenes, part by part in the order in which scenes need them.

package demo

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/paper"
	"rfm/model/tune"
)

// findings are the results so far.
type findings struct {
	look     *paper.Look
	bridge   *paper.Bridge
	burgers  *engine.Experiment
	system   *paper.System
	counts   []paper.SizeError
	grids    []*engine.Evaluation
	composed []paper.Composition
	cause    *paper.Cause
	darcy    *engine.Experiment
	large    improvement                           // for the paper's experiment
	own      improvement                           // for the same with pairs from a file, if one is given
	seconds  map[*engine.Experiment]engine.Seconds // times of its stages
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
	composing
	inverting
	flowing
	enlarging
	improving
	owning
	improvingOwn
)

// live reports whether a part is computed in view of the audience, only once a scene waits for it.
func (p part) live() bool { return p == improving || p == improvingOwn }

// find computes a part from the findings so far, and adds its results.
func (m *Model) find(ctx context.Context, next part, f findings) (findings, error) {
	plan, workers := m.options.Plan, machine.Workers(m.options.Workers)
	var err error
	switch next {
	case looking:
		f.look, err = plan.Look(ctx, workers)
	case bridging:
		f.bridge, err = plan.Scalar(ctx, workers)
	case learning:
		if f.burgers, err = m.run(ctx, plan.Burgers); err == nil {
			f.system, err = plan.System(ctx, f.burgers, workers)
		}
	case measuring:
		m.working.Store(f.burgers)
		f.counts, err = plan.Fewer(ctx, f.burgers, workers)
		if err == nil {
			f.grids, err = plan.OnGrids(ctx, f.burgers)
		}
	case composing:
		f.composed, err = plan.Composed(ctx, workers, m.working.Store)
	case inverting:
		f.cause, err = plan.Cause(ctx, f.burgers, workers)
	case flowing:
		f.darcy, err = m.run(ctx, plan.Darcy)
	case enlarging:
		f.large.before, err = m.run(ctx, plan.Large)
	case improving:
		f.large, err = m.improve(ctx, f.burgers, f.large.before)
	case owning:
		if plan.Own != nil {
			f.own.before, err = m.run(ctx, *plan.Own)
		}
	case improvingOwn:
		f.own, err = m.improve(ctx, f.own.before, f.own.before)
	}
	return f, err
}

// run runs an experiment, whose progress is visible.
func (m *Model) run(ctx context.Context, c config.Config) (*engine.Experiment, error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: m.options.Workers})
	if err != nil {
		return nil, err
	}
	m.working.Store(e)
	return e, e.Run(ctx)
}

// improve searches for better features on the pairs of one experiment, with visible progress, and trains them on the
// pairs of another one.
func (m *Model) improve(ctx context.Context, on, e *engine.Experiment) (improvement, error) {
	var s *tune.Session
	after, err := m.options.Plan.Improved(ctx, on, e, machine.Workers(m.options.Workers), func(begun *tune.Session) {
		s = begun
		m.search.Store(s)
	})
	if err != nil {
		return improvement{}, err
	}
	return improvement{e, after, s.Snapshot()}, nil
}

// foundMsg carries the findings after a part was computed.
type foundMsg struct {
	findings
	err error
}

// compute starts the next part if it is needed and no other is in progress.
func (m *Model) compute() tea.Cmd {
	next, wanted := part(m.parts), m.scenes[m.at].needs
	if next > m.scenes[len(m.scenes)-1].needs || m.computing || m.failure != nil || next.live() && wanted < next {
		return nil
	}
	m.computing = true
	before := m.findings
	return func() tea.Msg {
		f, err := m.find(m.context, next, before)
		m.working.Store(nil)
		m.search.Store(nil)
		return foundMsg{f, err}
	}
}

// found stores the findings of a finished part and starts the next one.
func (m *Model) found(msg foundMsg) tea.Cmd {
	m.computing = false
	if msg.err != nil {
		m.failure = msg.err
		return nil
	}
	m.findings = msg.findings
	m.findings.seconds = map[*engine.Experiment]engine.Seconds{}
	for _, e := range []*engine.Experiment{m.findings.burgers, m.findings.darcy, m.findings.large.before} {
		if e != nil {
			m.findings.seconds[e] = e.Seconds()
		}
	}
	next := part(m.parts)
	m.lived = m.lived || next.live() && m.scenes[m.at].needs == next
	m.parts++
	return m.compute()
}
