package session

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/store"
)

// The screens of an experiment, by their names.
const (
	ConfigurePage = "configure"
	RunPage       = "run" // stages in progress, and the training
	ResultsPage   = "results"
)

// The other screens that are asked for by name.
const (
	RunsPage = "runs" // the stored runs
	TourPage = "demo" // the guided tour, which has no place in the header
)

// LastOf returns the last stage that is complete when a screen has all of its content, if it is one of an experiment.
func LastOf(screen string) (Stage, bool) {
	switch screen {
	case ConfigurePage:
		return None, true
	case RunPage:
		return Train, true
	case ResultsPage:
		return Evaluate, true
	}
	return None, false
}

// A Front is what stands in front of the person: the active screen, and the outcome of the last key. Draft, Runner and
// Runs say here what they did; the shell looks here for what to show.
type Front struct {
	notice   Notice
	shown    string    // name of the active screen
	requests []tea.Msg // for screens, since Requests was called last
}

func newFront(first string) *Front {
	return &Front{shown: cmp.Or(first, ConfigurePage)}
}

// Notice is the outcome of a key press, shown until the next one.
type Notice struct {
	Text string
	Bad  bool // something failed
}

// Say shows a notice.
func (f *Front) Say(text string) { f.notice = Notice{Text: text} }

// Complain shows a notice of an error.
func (f *Front) Complain(text string) {
	f.notice = Notice{Text: text, Bad: true}
}

// Notice returns the notice shown; without text if there is none.
func (f *Front) Notice() Notice { return f.notice }

// Show makes the screen of this name active.
func (f *Front) Show(screen string) { f.shown = screen }

// Shown returns the name of the active screen.
func (f *Front) Shown() string { return f.shown }

// Select shows the configuration and selects a parameter; the line of the preset if the name is empty.
func (f *Front) Select(parameter string) {
	f.Show(ConfigurePage)
	f.requests = append(f.requests, Selected{Parameter: parameter})
}

// Follow shows the progress of a run of another process.
func (f *Front) Follow(e store.Entry) {
	f.Show(RunsPage)
	f.requests = append(f.requests, Followed{Run: e})
}

// Requests returns the messages for screens since the last call: Selected and Followed.
func (f *Front) Requests() []tea.Msg {
	list := f.requests
	f.requests = nil
	return list
}
