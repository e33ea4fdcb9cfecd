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
		return Listed(Runs{list, time.Now(), err})
	}
}

// Listed returns the message that replaces the list of stored runs.
func Listed(now Runs) tea.Msg { return runsListed{now} }

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

// A change is what a person does to a stored run.
type change int

// The changes.
const (
	deletion change = iota
	restoration
	annotation
)

// Delete deletes a stored run, which Undelete restores.
func (s *Session) Delete(e store.Entry) tea.Cmd {
	return func() tea.Msg {
		kept, err := store.Delete(e.Path, time.Now())
		return runChanged{change: deletion, from: e.Path, to: kept, err: err}
	}
}

// CanUndelete reports whether a run was deleted here.
func (s *Session) CanUndelete() bool { return len(s.deleted) > 0 }

// Undelete restores the run that was deleted last; there must be one.
func (s *Session) Undelete() tea.Cmd {
	last := s.deleted[len(s.deleted)-1]
	return func() tea.Msg {
		return runChanged{change: restoration, from: last.kept, to: last.path, err: store.Move(last.kept, last.path)}
	}
}

// Annotate writes a note about a stored run.
func (s *Session) Annotate(e store.Entry, text string) tea.Cmd {
	return func() tea.Msg {
		return runChanged{change: annotation, from: e.Path, to: e.Path, err: store.Annotate(e.Path, text)}
	}
}

// runChanged follows a run to its new place and tells what has become of it.
func (s *Session) runChanged(now runChanged) tea.Cmd {
	if now.err != nil {
		s.Complain(now.err.Error())
		return s.ListRuns()
	}
	if s.stored == now.from {
		s.stored = now.to
	}
	switch now.change {
	case deletion:
		s.deleted = append(s.deleted, deleted{path: now.from, kept: now.to})
		s.Say(filepath.Base(now.from) + " is deleted; u brings it back")
	case restoration:
		s.deleted = slices.DeleteFunc(s.deleted, func(d deleted) bool { return d.kept == now.from })
		s.Say(filepath.Base(now.to) + " is back")
	}
	return s.ListRuns()
}
