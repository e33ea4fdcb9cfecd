// This file computes what the scenes show, part by part in the order in which they need it.

package demo

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/study"
	"rfm/model/tune"
)

// findings are what has been computed.
type findings struct {
	look     *study.Look
	burgers  *engine.Experiment
	counts   []study.SizeError
	system   *study.System
	grids    []*engine.Evaluation
	composed []study.Composition
	cause    *study.Cause
	preview  engine.Preview // of Darcy flow
	darcy    *engine.Experiment
	bridge   *study.Bridge
	large    improvement                           // of the paper's experiment
	own      improvement                           // of that with pairs from a file, if there is one
	seconds  map[*engine.Experiment]engine.Seconds // that its stages took
}

// improvement is an experiment, and what a search made of its features.
type improvement struct {
	before, after *engine.Experiment
	search        *tune.Snapshot
}

// part is something that is computed in one go.
type part int

const (
	looking part = iota
	learning
	counting
	regridding
	composing
	inverting
	bridging
	flowing
	enlarging
	improving
	owning
	improvingOwn
)

// live reports whether a part is computed before the eyes of those who watch: not before a scene waits for it.
func (p part) live() bool { return p == improving || p == improvingOwn }

// A work computes a part with the findings so far and returns what adds the new ones.
type work func(ctx context.Context, m *Model, f findings) (add func(*findings), err error)

var works = []work{
	looking: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		l, err := m.options.Plan.Look(ctx, m.workers())
		return func(f *findings) { f.look = l }, err
	},
	learning: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		e, err := m.run(ctx, m.options.Plan.Burgers)
		if err != nil {
			return nil, err
		}
		s, err := m.options.Plan.System(ctx, e, m.workers())
		return func(f *findings) { f.burgers, f.system = e, s }, err
	},
	counting: func(ctx context.Context, m *Model, f findings) (func(*findings), error) {
		list, err := m.options.Plan.Fewer(ctx, f.burgers, m.workers())
		return func(f *findings) { f.counts = list }, err
	},
	regridding: func(ctx context.Context, m *Model, f findings) (func(*findings), error) {
		m.working.Store(f.burgers)
		list, err := m.options.Plan.OnGrids(ctx, f.burgers)
		return func(f *findings) { f.grids = list }, err
	},
	composing: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		list, err := m.options.Plan.Composed(ctx, m.workers(), m.working.Store)
		return func(f *findings) { f.composed = list }, err
	},
	inverting: func(ctx context.Context, m *Model, f findings) (func(*findings), error) {
		c, err := m.options.Plan.Cause(ctx, f.burgers, m.workers())
		return func(f *findings) { f.cause = c }, err
	},
	flowing: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		e, err := m.run(ctx, m.options.Plan.Darcy)
		preview := engine.NewPreview(m.options.Plan.Darcy)
		return func(f *findings) { f.darcy, f.preview = e, preview }, err
	},
	bridging: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		b, err := m.options.Plan.Scalar(ctx, m.workers())
		return func(f *findings) { f.bridge = b }, err
	},
	enlarging: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		e, err := m.run(ctx, m.options.Plan.Large)
		return func(f *findings) { f.large.before = e }, err
	},
	improving: func(ctx context.Context, m *Model, f findings) (func(*findings), error) {
		i, err := m.improve(ctx, f.burgers, f.large.before)
		return func(f *findings) { f.large = i }, err
	},
	owning: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		if m.options.Plan.Own == nil {
			return func(*findings) {}, nil
		}
		e, err := m.run(ctx, *m.options.Plan.Own)
		return func(f *findings) { f.own.before = e }, err
	},
	improvingOwn: func(ctx context.Context, m *Model, f findings) (func(*findings), error) {
		i, err := m.improve(ctx, f.own.before, f.own.before)
		return func(f *findings) { f.own = i }, err
	},
}

// run runs an experiment, which is seen at work.
func (m *Model) run(ctx context.Context, c config.Config) (*engine.Experiment, error) {
	e, err := engine.New(ctx, c, engine.Options{Workers: m.options.Workers})
	if err != nil {
		return nil, err
	}
	m.working.Store(e)
	return e, e.Run(ctx)
}

// improve searches for better features on the pairs of one experiment, which is seen at work, and trains them on those
// of another one.
func (m *Model) improve(ctx context.Context, on, e *engine.Experiment) (improvement, error) {
	var s *tune.Session
	after, err := m.options.Plan.Improved(ctx, on, e, m.workers(), func(begun *tune.Session) {
		s = begun
		m.search.Store(s)
	})
	if err != nil {
		return improvement{}, err
	}
	return improvement{e, after, s.Snapshot()}, nil
}

// workers is the number of goroutines that compute.
func (m *Model) workers() int { return machine.Workers(m.options.Workers) }

// foundMsg brings a finished part.
type foundMsg struct {
	add func(*findings)
	err error
}

// compute works on the next part, if there is one that is wanted and none is being computed.
func (m *Model) compute() tea.Cmd {
	next, wanted := part(m.parts), m.scenes[m.at].needs
	if m.parts > int(m.scenes[len(m.scenes)-1].needs) || m.computing || m.failure != nil || next.live() && wanted < next {
		return nil
	}
	m.computing = true
	do, before := works[m.parts], m.findings
	return func() tea.Msg {
		add, err := do(m.context, m, before)
		m.working.Store(nil)
		m.search.Store(nil)
		return foundMsg{add, err}
	}
}

// found takes over a finished part and begins the next one.
func (m *Model) found(msg foundMsg) tea.Cmd {
	m.computing = false
	if msg.err != nil {
		m.failure = msg.err
		return nil
	}
	msg.add(&m.findings)
	m.findings.seconds = map[*engine.Experiment]engine.Seconds{}
	for _, e := range []*engine.Experiment{m.findings.burgers, m.findings.darcy, m.findings.large.before} {
		if e != nil {
			m.findings.seconds[e] = e.Seconds()
		}
	}
	if part(m.parts).live() && m.scenes[m.at].needs == part(m.parts) {
		m.lived = true
	}
	m.parts++
	return m.compute()
}
