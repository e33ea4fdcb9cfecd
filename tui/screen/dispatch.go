// This file carries out what keys ask for: which actions are valid now, and what each of them does.

package screen

import (
	tea "charm.land/bubbletea/v2"

	"rfm/tui/keys"
)

// press handles a key: first the questions that are open, then editing, then the table of keys.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	s := &m.session
	action := keys.Lookup(msg.String())
	if m.asking {
		m.asking = false
		if action == keys.Quit || msg.String() == "y" {
			return m.quit()
		}
		return nil
	}
	if action == keys.Kill {
		return m.quit()
	}
	if m.help {
		m.help = false
		return nil
	}
	if m.visible == configuring && m.configure.editing() {
		m.configure.edit(s, msg)
		return nil
	}
	for _, valid := range m.actions() {
		if valid == action {
			return m.do(action)
		}
	}
	return nil
}

// actions lists what is valid now: the screen's own, then the root's.
func (m *Model) actions() []keys.Action {
	if m.visible == configuring && m.configure.editing() {
		return m.configure.actions(&m.session)
	}
	var list []keys.Action
	running := m.session.job != nil
	if !running && (m.next() < steps || m.visible < evaluating || m.visible == paperStep) {
		list = append(list, keys.Accept)
	}
	list = append(list, m.views[m.visible].actions(&m.session)...)
	if running {
		list = append(list, keys.Cancel)
	} else if m.next() < steps || m.visible == paperStep {
		list = append(list, keys.Auto)
	}
	list = append(list, keys.Help, keys.Quit, keys.NextStep, keys.PreviousStep, keys.Step1)
	for i, action := range []keys.Action{keys.Step2, keys.Step3, keys.Step4} {
		if m.open(generating + step(i)) {
			list = append(list, action)
		}
	}
	return append(list, keys.Step5)
}

// open says whether a step has something to show.
func (m *Model) open(s step) bool {
	if s == configuring || s == paperStep {
		return true
	}
	job := m.session.job
	return m.session.experiment != nil && (s <= m.session.reached || job != nil && job.step < steps && s <= job.step)
}

// next is the step that Accept starts: the one after the last complete one, or the first again if the configuration
// has changed. It is steps if all are complete.
func (m *Model) next() step {
	s := &m.session
	if s.experiment == nil || s.experiment.Config != s.config {
		return generating
	}
	return s.reached + 1
}

func (m *Model) do(action keys.Action) tea.Cmd {
	s := &m.session
	switch action {
	case keys.Help:
		m.help = true
	case keys.Quit:
		if s.job == nil {
			return m.quit()
		}
		m.asking = true
	case keys.Cancel:
		s.job.cancel()
	case keys.Auto:
		if m.visible == paperStep {
			return m.begin(paperStep, m.studies.work(s, true))
		}
		m.auto = true
		return m.start(m.next())
	case keys.NextStep, keys.PreviousStep:
		direction := 1
		if action == keys.PreviousStep {
			direction = int(screens) - 1
		}
		for {
			m.visible = (m.visible + step(direction)) % screens
			if m.open(m.visible) {
				return nil
			}
		}
	case keys.Step1, keys.Step2, keys.Step3, keys.Step4, keys.Step5:
		m.visible = step(action - keys.Step1)
	case keys.Accept:
		if m.visible == paperStep {
			return m.begin(paperStep, m.studies.work(s, false))
		}
		if m.visible == configuring && m.configure.acceptEdits() {
			m.configure.do(s, action)
			return nil
		}
		if next := m.next(); next < steps {
			m.auto = false
			return m.start(next)
		}
		m.visible = min(m.visible+1, evaluating)
	default:
		m.views[m.visible].do(s, action)
	}
	return nil
}

func (m *Model) quit() tea.Cmd {
	if m.session.job != nil {
		m.session.job.cancel()
	}
	return tea.Quit
}
