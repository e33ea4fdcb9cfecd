package session

import (
	"cmp"
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/tune"
)

// kept is a search for features that was interrupted when the program ended.
type kept struct {
	asked  config.Config // the zero value: there is none
	models int
}

// keptMsg brings what is kept of a search for a configuration.
type keptMsg kept

// FindKept looks for a search from the draft that was interrupted; nil if nothing is stored.
func (s *Session) FindKept() tea.Cmd {
	if s.options.Runs == "" || s.draft.Config.Validate() != nil {
		return nil
	}
	name, asked := s.TunedName(), s.draft.Config
	return func() tea.Msg {
		search := tune.Session{Asked: asked}
		if search.Check(context.Background()) != nil {
			return keptMsg{}
		}
		_, state, err := tune.FindJournal(name, search.Complete)
		if err != nil || len(state.Evaluations) == 0 {
			return keptMsg{}
		}
		return keptMsg{asked, len(state.Evaluations)}
	}
}

// Kept returns how many models a search from the draft had tried when it was interrupted; 0 if there is none.
func (s *Session) Kept() int {
	if s.kept.asked != s.draft.Config {
		return 0
	}
	return s.kept.models
}

// ForgetKept forgets the interrupted search: it is gone on with, or not what is wanted now.
func (s *Session) ForgetKept() { s.kept = kept{} }

// TunedName returns a name for the file of a tuned configuration: NAME-tuned.toml.
func (s *Session) TunedName() string {
	name := cmp.Or(s.draft.Source, strings.TrimSuffix(s.draft.File, ".toml"), s.draft.Config.Problem)
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}
