// Package evaluate is the screen of the results: tabs with what there is to know about a trained model, from samples
// beside their predictions to what it costs.
package evaluate

import (
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/stages"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen shows one of the tabs.
type Screen struct {
	*selection
	samples  *samples
	transfer *transfer
	gain     *gain
	list     []*tab
	at       *tab // on show
}

// A tab is a view of this experiment.
type tab struct {
	name string
	exhibit
}

// An exhibit is a view whose content is there as data, too, of some experiments.
type exhibit interface {
	exists() bool
	commands() []ui.Command
	render(on look.Look, width, height int) string
	ui.Exhibitor
}

// New is the screen of a session.
func New(s *session.Session) *Screen {
	c := &selection{session: s}
	v := &Screen{selection: c, samples: &samples{selection: c}, transfer: &transfer{selection: c},
		gain: &gain{selection: c}}
	v.list = []*tab{{"samples", v.samples}, {"errors", &errorsTab{selection: c}}, {"transfer", v.transfer},
		{"coefficients", &sheet{selection: c, has: (*selection).random, made: (*selection).coefficients}},
		{"lambda", &sheet{selection: c, has: (*selection).chosen, made: (*selection).lambda}},
		{"cost", &sheet{selection: c, has: (*selection).exists, made: (*selection).cost}},
		{"gain", v.gain}}
	v.at = v.list[0]
	return v
}

// Name is that of the stage.
func (v *Screen) Name() string { return session.Evaluate.String() }

// Open reports whether a model is evaluated, or has been.
func (v *Screen) Open() bool { return v.session.Begun(session.Evaluate) }

// complete reports whether there is an evaluation.
func (v *Screen) complete() bool {
	return v.session.Experiment() != nil && v.session.Reached() >= session.Evaluate
}

// Commands go to other tabs; the others are those of the tab on show.
func (v *Screen) Commands() []ui.Command {
	why := "there is no evaluation yet"
	if v.early() {
		why = "the tabs open when the other methods have been compared"
	}
	tab := func(key keys.Key, help string, direction int) ui.Command {
		return ui.Command{Key: key, Word: "tab", Help: help, Do: ui.Now(func() { v.turn(direction) })}.When(v.complete(), why)
	}
	list := []ui.Command{tab(keys.NextTab, "next tab", 1), tab(keys.PreviousTab, "previous tab", -1)}
	switch {
	case v.complete():
		list = append(list, v.at.commands()...)
	case v.early():
		list = append(list, v.samples.commands()...)
	default:
		for _, c := range v.samples.always() {
			list = append(list, c.When(false, why))
		}
	}
	return stages.With(v.session, v.Name(), list)
}

// turn goes to another tab.
func (v *Screen) turn(direction int) {
	open := v.open()
	v.at = open[(slices.Index(open, v.at)+direction+len(open))%len(open)]
}

// Update takes note of a new evaluation, and of clicks on the tabs.
func (v *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Follow:
		moved := msg.Cursor.Shown && msg.Cursor.Y != v.room.Cursor.Y
		v.room = msg.Canvas
		v.follow()
		if moved && (v.complete() || v.early()) {
			v.samples.cut = int(math.Round(v.room.Cursor.Y * float64(v.of.Side-1)))
		}
	case ui.Click:
		if v.complete() && msg.Y < tabLines {
			v.at = v.open()[v.bar().Click(v.room.Theme, v.room.Width, msg.X)]
		}
	}
	return nil
}

// follow takes note of a new evaluation. Those before become something to compare it with.
func (v *Screen) follow() {
	if !v.complete() {
		v.transfer.stop() // what it computes belongs to an experiment that is gone
		if e := v.session.Progress(session.Evaluate).Measured; e != nil && e != v.of {
			v.begin(e)
		}
		return
	}
	if e := v.session.Experiment().Evaluation(); e != v.of {
		if v.of == nil || v.of != v.session.Progress(session.Evaluate).Measured {
			v.begin(e)
		}
		v.of = e
		v.gain.take(v.session.Experiment().Config, e)
	}
	v.transfer.follow()
	if !slices.Contains(v.open(), v.at) {
		v.at = v.list[0]
	}
}

// begin shows a new evaluation.
func (v *Screen) begin(e *engine.Evaluation) {
	v.take(e)
	v.at = v.list[0] // and stays there when the comparison ends
	v.samples.cut = e.Side / 2
}

// early reports whether the samples can be seen while other methods are still compared.
func (v *Screen) early() bool {
	return v.of != nil && !v.complete() && v.of == v.session.Progress(session.Evaluate).Measured
}

// open lists the tabs that have something to show for this experiment.
func (v *Screen) open() []*tab {
	return slices.DeleteFunc(slices.Clone(v.list), func(t *tab) bool { return !t.exists() })
}

// bar is the names of the tabs.
func (v *Screen) bar() widget.Tabs {
	var names []string
	open := v.open()
	for _, t := range open {
		names = append(names, t.name)
	}
	return widget.Tabs{Names: names, At: slices.Index(open, v.at)}
}

// View draws the tab on show, and before there is an evaluation how far it is.
func (v *Screen) View(c ui.Canvas) string {
	if !v.complete() {
		progress := stages.Progress(c.Look, v.session, session.Evaluate, c.Width)
		if v.early() {
			progress += "\n" + v.samples.render(c.Look, c.Width, c.Height-tabLines)
		}
		return progress
	}
	return v.bar().Draw(c.Theme, c.Width) + "\n" + v.at.render(c.Look, c.Width, c.Height-tabLines)
}

// Exhibit is what the tab on show shows.
func (v *Screen) Exhibit() report.Page {
	if v.early() {
		return v.samples.Exhibit()
	}
	if !v.complete() {
		return report.Page{Name: v.Name()}
	}
	return v.at.Exhibit()
}
