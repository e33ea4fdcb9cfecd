package session

import (
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/store"
	"rfm/model/sweep"
)

// Runs are the stored runs as of a time. As a message they replace the list.
type Runs struct {
	List   []store.Entry
	Past   []engine.Taken // durations of the newest runs
	Sweeps []string       // their directories, the newest first
	At     time.Time
	Err    error
}

// ListRuns looks for stored runs; it returns nil if runs are not stored.
func (s *Session) ListRuns() tea.Cmd {
	root := s.options.Runs
	if root == "" {
		return nil
	}
	return func() tea.Msg {
		list, err := store.List(root)
		return Runs{list, engine.Lately(list), sweep.List(root), time.Now(), err}
	}
}

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
	return e.Fault == nil && !e.Manifest.Complete() && e.Holder == nil
}

// deleted is a run that was deleted here.
type deleted struct{ path, kept string }

// movedMsg is the end of a move of a run, with its error.
type movedMsg struct {
	from, to string
	gone     *deleted // it was deleted
	back     bool     // it was brought back
	err      error
}

// moved follows a run to its new place.
func (s *Session) moved(msg movedMsg) tea.Cmd {
	if msg.err != nil {
		s.Complain(msg.err.Error())
		return s.ListRuns()
	}
	if s.stored == msg.from {
		s.stored = msg.to
	}
	switch {
	case msg.gone != nil:
		s.deleted = append(s.deleted, *msg.gone)
		s.Say(filepath.Base(msg.from) + " is deleted; u brings it back")
	case msg.back:
		s.deleted = s.deleted[:len(s.deleted)-1]
		s.Say(filepath.Base(msg.to) + " is back")
	}
	return s.ListRuns()
}

// Rename gives a stored run another name.
func (s *Session) Rename(e store.Entry, name string) tea.Cmd {
	return func() tea.Msg {
		to, err := store.Rename(e.Path, name)
		return movedMsg{from: e.Path, to: to, err: err}
	}
}

// Delete deletes a stored run, which Undelete restores.
func (s *Session) Delete(e store.Entry) tea.Cmd {
	return func() tea.Msg {
		kept, err := store.Delete(e.Path, time.Now())
		return movedMsg{from: e.Path, to: kept, gone: &deleted{e.Path, kept}, err: err}
	}
}

// CanUndelete reports whether a run was deleted here.
func (s *Session) CanUndelete() bool { return len(s.deleted) > 0 }

// Undelete restores the run that was deleted last, if there is one.
func (s *Session) Undelete() tea.Cmd {
	if len(s.deleted) == 0 {
		return nil
	}
	last := s.deleted[len(s.deleted)-1]
	return func() tea.Msg {
		to, err := store.Restore(last.kept, filepath.Base(last.path))
		return movedMsg{from: last.kept, to: to, back: true, err: err}
	}
}

// Annotate writes a note about a stored run.
func (s *Session) Annotate(e store.Entry, text string) tea.Cmd {
	return func() tea.Msg { return movedMsg{err: store.Annotate(e.Path, text)} }
}
