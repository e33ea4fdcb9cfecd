package session

import (
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/store"
)

// Runs are the stored runs as of a time.
type Runs struct {
	List []store.Entry
	At   time.Time
	Err  error
}

// ListRuns looks for stored runs; it returns nil if runs are not stored.
func (s *Session) ListRuns() tea.Cmd {
	root := s.options.Runs
	if root == "" {
		return nil
	}
	return func() tea.Msg {
		list, err := store.List(root)
		return s.Listed(Runs{list, time.Now(), err})
	}
}

// Listed replaces the list of stored runs.
func (s *Session) Listed(now Runs) func() tea.Cmd { return func() tea.Cmd { s.runs = now; return nil } }

// Stock returns the stored runs as far as they are known.
func (s *Session) Stock() Runs { return s.runs }

// Unfinished returns the newest run that can be resumed; nil if there is none.
func (s *Session) Unfinished() *store.Entry {
	for i, e := range s.runs.List {
		if CanContinue(e) {
			return &s.runs.List[i]
		}
	}
	return nil
}

// Elsewhere returns the most recently changed run of another process; nil if there is none.
func (s *Session) Elsewhere() *store.Entry {
	for i, e := range s.runs.List {
		if e.Holder != nil && e.Path != s.stored {
			return &s.runs.List[i]
		}
	}
	return nil
}

// Follow shows the progress of a run of another process.
func (s *Session) Follow(e store.Entry) {
	s.follow = &e
	s.Show("runs")
}

// Followed returns the run that Follow named, once; nil if there is none.
func (s *Session) Followed() *store.Entry {
	e := s.follow
	s.follow = nil
	return e
}

// CanContinue reports whether a run is unfinished and no process works on it.
func CanContinue(e store.Entry) bool {
	return e.Fault == nil && !e.Run.Complete() && e.Holder == nil
}

// deleted is a run that was deleted here.
type deleted struct{ path, kept string }

// move moves a run in the background and then follows it to its new place.
func (s *Session) move(from string, move func() (to string, err error), moved func(to string)) tea.Cmd {
	return func() tea.Msg {
		to, err := move()
		return func() tea.Cmd {
			if err != nil {
				s.Complain(err.Error())
				return s.ListRuns()
			}
			if s.stored == from {
				s.stored = to
			}
			moved(to)
			return s.ListRuns()
		}
	}
}

// Delete deletes a stored run, which Undelete restores.
func (s *Session) Delete(e store.Entry) tea.Cmd {
	return s.move(e.Path, func() (string, error) { return store.Delete(e.Path, time.Now()) }, func(kept string) {
		s.deleted = append(s.deleted, deleted{e.Path, kept})
		s.Say(filepath.Base(e.Path) + " is deleted; u brings it back")
	})
}

// CanUndelete reports whether a run was deleted here.
func (s *Session) CanUndelete() bool { return len(s.deleted) > 0 }

// Undelete restores the run that was deleted last; there must be one.
func (s *Session) Undelete() tea.Cmd {
	last := s.deleted[len(s.deleted)-1]
	return s.move(last.kept, func() (string, error) { return last.path, store.Move(last.kept, last.path) },
		func(to string) {
			s.deleted = slices.DeleteFunc(s.deleted, func(d deleted) bool { return d == last })
			s.Say(filepath.Base(to) + " is back")
		})
}

// Annotate writes a note about a stored run.
func (s *Session) Annotate(e store.Entry, text string) tea.Cmd {
	return s.move(e.Path, func() (string, error) { return e.Path, store.Annotate(e.Path, text) }, func(string) {})
}
