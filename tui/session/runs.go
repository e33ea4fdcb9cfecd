package session

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/store"
)

// Runs are the stored ones, as of a time. As a message they are taken over.
type Runs struct {
	List []store.Entry
	At   time.Time
	Err  error
}

// ListRuns looks for stored runs; nil if runs are not stored.
func (s *Session) ListRuns() tea.Cmd {
	root := s.options.Runs
	if root == "" {
		return nil
	}
	return func() tea.Msg {
		list, err := store.List(root)
		return Runs{list, time.Now(), err}
	}
}

// Stock is the stored runs as far as they are known.
func (s *Session) Stock() Runs { return s.runs }

// Unfinished is the newest run that can be continued; nil if there is none.
func (s *Session) Unfinished() *store.Entry {
	for i, e := range s.runs.List {
		if CanContinue(e) {
			return &s.runs.List[i]
		}
	}
	return nil
}

// CanContinue reports whether a run is unfinished and nobody works on it.
func CanContinue(e store.Entry) bool {
	return e.Fault == nil && !e.Manifest.Complete() && e.Holder == nil
}

// RunState is how far a run is, in a few words.
func RunState(e store.Entry) string {
	m := e.Manifest
	switch {
	case e.Fault != nil:
		return "cannot be read"
	case m.Complete() && m.TestError != nil:
		return fmt.Sprintf("test error %.4f", *m.TestError)
	case e.Holder != nil:
		return "is running"
	}
	name, stage := m.Next()
	switch {
	case stage.State == store.Complete:
		return "complete"
	case stage.Total > 0:
		return fmt.Sprintf("%s %d%%", name, stage.Percent())
	}
	return "before " + name
}
