package session

import (
	"cmp"
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/tune"
	"rfm/tui/later"
)

// kept is an interrupted search for features of an earlier session.
type kept struct {
	asked  config.Config // the zero value if there is none
	models int
}

// FindKept looks for an interrupted search from the draft; it returns nil if nothing is stored.
func (s *Session) FindKept() tea.Cmd {
	if s.options.Runs == "" || s.draft.Config.Validate() != nil {
		return nil
	}
	name, asked := s.TunedName(), s.draft.Config
	return func() tea.Msg {
		found, search := kept{}, tune.Session{Asked: asked}
		if search.Check(context.Background()) == nil {
			if models, err := search.KeepAs(name); err == nil && models > 0 {
				found = kept{asked, models}
			}
		}
		return later.Then(func() tea.Cmd { s.kept = found; return nil })
	}
}

// Kept returns the number of models that an interrupted search from the draft has tried; 0 if there is none.
func (s *Session) Kept() int {
	if s.kept.asked != s.draft.Config {
		return 0
	}
	return s.kept.models
}

// ForgetKept forgets the interrupted search: it is resumed, or not wanted.
func (s *Session) ForgetKept() { s.kept = kept{} }

// TunedName returns a name for the file of a tuned configuration: NAME-tuned.toml.
func (s *Session) TunedName() string {
	name := cmp.Or(s.draft.Source, strings.TrimSuffix(s.draft.File, ".toml"), s.draft.Config.Problem)
	return strings.TrimSuffix(name, "-tuned") + "-tuned.toml"
}
