// This file carries out what keys ask for: which actions are valid now, and what each of them does.

package screen

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/keys"
)

// press handles a key: first the questions that are open, then editing, then the table of keys.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	s := &m.session
	action := keys.Lookup(msg.String())
	s.notice = notice{}
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
	if action == keys.Cancel && m.preparation != nil {
		m.giveUp()
		return nil
	}
	if m.help {
		m.scrollHelp(action)
		return nil
	}
	if m.typing() {
		return m.configure.edit(s, msg)
	}
	if m.begins(msg.Text) {
		m.configure.accept(s)
		m.configure.editValue(s, msg)
		return nil
	}
	if m.valid(action) {
		return m.do(action)
	}
	if at := step(action - keys.Step1); action >= keys.Step2 && action <= keys.Step4 && !m.panel() {
		s.notice = notice{text: fmt.Sprintf("%s has nothing to show yet: a on configure runs all steps", stepNames[at]), bad: true}
	}
	return nil
}

// parameter is the parameter that is selected on the configuration screen, if that is open.
func (m *Model) parameter() *config.Key {
	if m.visible != configuring || m.panel() || m.typing() {
		return nil
	}
	return m.configure.selected(&m.session).key
}

// takesText says whether any letter is the beginning of a value of the selected parameter.
func (m *Model) takesText() bool {
	k := m.parameter()
	return k != nil && (k.Kind == config.Path || k.Kind == config.Name)
}

// begins says whether a text that is typed is the beginning of a value of the selected parameter, not a command.
func (m *Model) begins(text string) bool {
	k := m.parameter()
	switch {
	case k == nil || ansi.StringWidth(text) == 0 || text == " ":
		return false
	case k.Kind == config.Integer || k.Kind == config.Real:
		return strings.ContainsAny(text, "0123456789.-")
	}
	return m.takesText()
}

// typing says whether keys are text.
func (m *Model) typing() bool { return m.visible == configuring && m.configure.editing() }

// panel says whether something lies over the configuration.
func (m *Model) panel() bool { return m.visible == configuring && m.configure.panel != nil }

// valid says whether an action can be asked for now.
func (m *Model) valid(action keys.Action) bool { return slices.Contains(m.actions(), action) }

// actions lists what is valid now and has a key that is not the beginning of a value: the screen's own, then the root's.
func (m *Model) actions() []keys.Action {
	list := slices.DeleteFunc(m.allActions(), func(a keys.Action) bool {
		return !slices.ContainsFunc(keys.Of(a).Keys, func(key string) bool { return utf8.RuneCountInString(key) > 1 || !m.begins(key) })
	})
	if m.takesText() {
		list = append(list, keys.Kill)
	}
	return list
}

// allActions lists what is valid now.
func (m *Model) allActions() []keys.Action {
	switch {
	case m.typing():
		return m.configure.actions(&m.session)
	case m.panel():
		return append(m.configure.actions(&m.session), keys.Help, keys.Quit)
	}
	var list []keys.Action
	running := m.session.job != nil || m.preparation != nil
	own := m.views[m.visible].actions(&m.session)
	if !running && !slices.Contains(own, keys.Accept) && (m.next() < steps || m.visible < evaluating || m.visible == paperStep) {
		list = append(list, keys.Accept)
	}
	list = append(list, own...)
	if m.pauses() {
		list = append(list, keys.Pause)
	}
	if running {
		list = append(list, keys.Cancel)
	} else if m.next() < steps || m.visible == paperStep {
		list = append(list, keys.Auto)
	}
	list = append(list, keys.Export, keys.Copy)
	list = append(list, keys.Help, keys.Quit, keys.NextStep, keys.PreviousStep, keys.Step1)
	for i, action := range []keys.Action{keys.Step2, keys.Step3, keys.Step4} {
		if m.open(generating + step(i)) {
			list = append(list, action)
		}
	}
	return append(list, keys.Step5, keys.Step6)
}

// pauses says whether a step runs that can go on from where it is stopped, or has been stopped like that.
func (m *Model) pauses() bool {
	s := &m.session
	if s.job == nil {
		return m.paused && s.asked == s.config
	}
	return s.job.step < steps && s.stored != ""
}

// pause stops the running step, or goes on with it.
func (m *Model) pause() tea.Cmd {
	s := &m.session
	if s.job != nil {
		m.paused, m.pausedAuto = true, m.auto
		s.job.cancel()
		return nil
	}
	m.auto = m.pausedAuto
	return m.start(m.next())
}

// open says whether a step has something to show.
func (m *Model) open(s step) bool {
	if s == configuring || s >= steps {
		return true
	}
	job := m.session.job
	return m.session.experiment != nil && (s <= m.session.reached || job != nil && job.step < steps && s <= job.step)
}

// next is the step that Accept starts: the one after the last complete one, or the first again if the configuration
// has changed. It is steps if all are complete.
func (m *Model) next() step {
	s := &m.session
	if s.experiment == nil || s.asked != s.config {
		return generating
	}
	return s.reached + 1
}

// unsaved says whether the configuration was changed here and neither saved nor run.
func (m *Model) unsaved() bool {
	s := &m.session
	return s.config != s.base && len(m.configure.history) > 0 && (s.experiment == nil || s.asked != s.config)
}

func (m *Model) do(action keys.Action) tea.Cmd {
	s := &m.session
	if m.panel() && action != keys.Help {
		if action == keys.Quit { // back
			action = keys.Cancel
		}
		return m.configure.do(s, action)
	}
	switch action {
	case keys.Help:
		m.help, m.helpFirst = true, 0
	case keys.Quit:
		if s.job == nil && !m.unsaved() {
			return m.quit()
		}
		m.asking = true
	case keys.Export:
		return m.export()
	case keys.Copy:
		return m.copyScreen()
	case keys.Pause:
		return m.pause()
	case keys.Cancel:
		if s.job == nil { // the screen computes by itself
			return m.views[m.visible].do(s, action)
		}
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
	case keys.Step1, keys.Step2, keys.Step3, keys.Step4, keys.Step5, keys.Step6:
		m.visible = step(action - keys.Step1)
	case keys.Accept:
		if m.visible == paperStep {
			return m.begin(paperStep, m.studies.work(s, false))
		}
		if m.visible == tuneStep {
			return m.tune()
		}
		if m.visible == configuring && m.configure.accepts() {
			return m.configure.do(s, action)
		}
		if m.visible == evaluating && slices.Contains(m.evaluate.actions(s), keys.Accept) {
			if wanted := m.evaluate.wanted(s); wanted != nil {
				return m.begin(paperStep, m.evaluate.library.work(s, wanted))
			}
			if m.evaluate.comparable(s) {
				return m.compare()
			}
			return m.evaluate.do(s, action)
		}
		if next := m.next(); next < steps {
			m.auto = false
			return m.start(next)
		}
		m.visible = min(m.visible+1, evaluating)
	case keys.Take:
		m.take()
	case keys.Save:
		return m.save()
	default:
		return m.views[m.visible].do(s, action)
	}
	return nil
}
