// This file computes what the scenes show, part by part in the order in which they need it.

package demo

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/machine"
	"rfm/model/tour"
)

// findings are what has been computed.
type findings struct {
	look     *tour.Look
	burgers  *engine.Experiment
	system   *tour.System
	grids    []*engine.Evaluation
	composed []tour.Composition
	preview  engine.Preview // of Darcy flow
	darcy    *engine.Experiment
	bridge   *tour.Bridge
	seconds  map[*engine.Experiment]engine.Seconds // that its stages took
}

// part is something that is computed in one go.
type part int

const (
	looking part = iota
	learning
	regridding
	composing
	flowing
	bridging
)

// A work computes a part with the findings so far and returns what adds the new ones.
type work func(ctx context.Context, m *Model, f findings) (add func(*findings), err error)

var works = []work{
	looking: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		l, err := m.options.Plan.Look(ctx, m.workers())
		return func(f *findings) { f.look = l }, err
	},
	learning: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		e, err := m.options.Plan.Experiment(ctx, m.options.Plan.Burgers, m.options.Workers)
		if err != nil {
			return nil, err
		}
		m.working.Store(e)
		if err := e.Run(ctx); err != nil {
			return nil, err
		}
		s, err := m.options.Plan.System(ctx, e, m.workers())
		return func(f *findings) { f.burgers, f.system = e, s }, err
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
	flowing: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		e, err := m.options.Plan.Experiment(ctx, m.options.Plan.Darcy, m.options.Workers)
		if err != nil {
			return nil, err
		}
		m.working.Store(e)
		preview := engine.NewPreview(m.options.Plan.Darcy)
		return func(f *findings) { f.darcy, f.preview = e, preview }, e.Run(ctx)
	},
	bridging: func(ctx context.Context, m *Model, _ findings) (func(*findings), error) {
		b, err := m.options.Plan.Scalar(ctx, m.workers())
		return func(f *findings) { f.bridge = b }, err
	},
}

// workers is the number of goroutines that compute.
func (m *Model) workers() int { return machine.Workers(m.options.Workers) }

// foundMsg brings a finished part.
type foundMsg struct {
	add func(*findings)
	err error
}

// compute works on the next part, if there is one.
func (m *Model) compute() tea.Cmd {
	if m.parts == len(works) {
		return nil
	}
	do, before := works[m.parts], m.findings
	return func() tea.Msg {
		add, err := do(m.context, m, before)
		m.working.Store(nil)
		return foundMsg{add, err}
	}
}

// found takes over a finished part and begins the next one.
func (m *Model) found(msg foundMsg) tea.Cmd {
	if msg.err != nil {
		m.failure = msg.err
		return nil
	}
	msg.add(&m.findings)
	m.findings.seconds = map[*engine.Experiment]engine.Seconds{}
	for _, e := range []*engine.Experiment{m.findings.burgers, m.findings.darcy} {
		if e != nil {
			m.findings.seconds[e] = e.Seconds()
		}
	}
	m.parts++
	return m.compute()
}
