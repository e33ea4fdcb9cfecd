package session

import (
	"path/filepath"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/store"
)

// Runs are what is stored: the runs of this and earlier sessions, as far as they are known.
type Runs struct {
	front   *Front
	root    string // their directory; empty if runs are not stored
	known   Listing
	deleted []deleted // runs that were deleted here, in order
}

// A Listing is the stored runs as of a time.
type Listing struct {
	List []store.Entry
	At   time.Time
	Err  error
}

// Read looks for stored runs; it returns nil if runs are not stored.
func (r *Runs) Read() tea.Cmd {
	root := r.root
	if root == "" {
		return nil
	}
	return func() tea.Msg {
		list, err := store.List(root)
		return Listed(Listing{
			List: list,
			At:   time.Now(),
			Err:  err,
		})
	}
}

// Listed returns the message that replaces the list of stored runs.
func Listed(now Listing) tea.Msg { return runsListed{now} }

// Known returns the stored runs as far as they are known.
func (r *Runs) Known() Listing { return r.known }

// Unfinished returns the newest run that can be resumed; nil if there is none.
func (r *Runs) Unfinished() *store.Entry {
	for i, e := range r.known.List {
		if CanContinue(e) {
			return &r.known.List[i]
		}
	}
	return nil
}

// Elsewhere returns the most recently changed run that another process has open; nil if there is none. This process has
// the run in the directory own open.
func (r *Runs) Elsewhere(own string) *store.Entry {
	for i, e := range r.known.List {
		if e.Holder != nil && e.Path != own {
			return &r.known.List[i]
		}
	}
	return nil
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
func (r *Runs) Delete(e store.Entry) tea.Cmd {
	return func() tea.Msg {
		kept, err := store.Delete(e.Path, time.Now())
		return runChanged{
			change: deletion,
			from:   e.Path,
			to:     kept,
			err:    err,
		}
	}
}

// CanUndelete reports whether a run was deleted here.
func (r *Runs) CanUndelete() bool { return len(r.deleted) > 0 }

// Undelete restores the run that was deleted last; there must be one.
func (r *Runs) Undelete() tea.Cmd {
	last := r.deleted[len(r.deleted)-1]
	return func() tea.Msg {
		return runChanged{
			change: restoration,
			from:   last.kept,
			to:     last.path,
			err:    store.Move(last.kept, last.path),
		}
	}
}

// Annotate writes a note about a stored run.
func (r *Runs) Annotate(e store.Entry, text string) tea.Cmd {
	return func() tea.Msg {
		return runChanged{
			change: annotation,
			from:   e.Path,
			to:     e.Path,
			err:    store.Annotate(e.Path, text),
		}
	}
}

// changed tells what has become of a run, and reads the list again.
func (r *Runs) changed(now runChanged) tea.Cmd {
	if now.err != nil {
		r.front.Complain(now.err.Error())
		return r.Read()
	}
	switch now.change {
	case deletion:
		r.deleted = append(r.deleted, deleted{path: now.from, kept: now.to})
		r.front.Say(filepath.Base(now.from) + " is deleted; u brings it back")
	case restoration:
		r.deleted = slices.DeleteFunc(r.deleted, func(d deleted) bool { return d.kept == now.from })
		r.front.Say(filepath.Base(now.to) + " is back")
	}
	return r.Read()
}
