// Package evaluate is the screen of the results: tabs on a trained model, from samples next to their predictions to its
// cost.
package evaluate

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/stages"
	"rfm/tui/ui"
)

// Screen shows one of the tabs.
type Screen struct {
	*selection
	transfer *transfer
	gain     *gain
	inverse  *inverse
	tabs     page.Tabs
	training func() report.Page // stays in view until there are predictions
	waiting  page.View
}

// New returns the screen of a session, and shows the page of its training until there are predictions.
func New(s *session.Session, training func() report.Page) *Screen {
	c := &selection{session: s}
	t, g, i := &transfer{selection: c}, &gain{selection: c}, &inverse{selection: c}
	return &Screen{selection: c, transfer: t, gain: g, inverse: i, training: training, tabs: page.NewTabs(
		&page.Tab{Name: "samples", Page: c.samplePage, State: c.state, Commands: c.browsing},
		&page.Tab{Name: "errors", Page: c.errorsPage, State: c.state, Commands: c.browsing},
		&page.Tab{Name: "transfer", Page: t.page, State: t.state, Commands: t.commands, Status: t.status},
		&page.Tab{Name: "lambda", Page: c.lambda, State: c.state, Exists: c.chosen},
		&page.Tab{Name: "cost", Page: c.cost, State: c.state},
		&page.Tab{Name: "inverse", Page: i.page, State: i.state, Commands: i.commands, Status: i.status, Exists: i.exists},
		&page.Tab{Name: "session", Page: c.sitting, State: c.state, Exists: c.several},
		&page.Tab{Name: "gain", Page: g.page, State: g.state, Commands: g.commands, Status: g.status, Exists: g.exists},
	)}
}

// Name returns the name of the stage.
func (v *Screen) Name() string { return session.Evaluate.String() }

// Open reports whether a model is evaluated, or has been.
func (v *Screen) Open() bool { return v.session.Begun(session.Evaluate) }

// complete reports whether there is an evaluation.
func (v *Screen) complete() bool {
	return v.session.Experiment() != nil && v.session.Reached() >= session.Evaluate
}

// Commands returns the commands that change the tab and those of the current tab.
func (v *Screen) Commands() []ui.Command {
	why := "there is no evaluation yet"
	if v.early() {
		why = "the tabs open when the other methods have been compared"
	}
	if v.complete() {
		why = ""
	}
	if v.of == nil || !v.complete() && !v.early() {
		var list []ui.Command
		for _, c := range v.browsing() {
			list = append(list, c.When(false, why))
		}
		list = append(list, v.waiting.Commands(v.room.Look, v.training(), v.room.Width, v.room.Height-2)...)
		return stages.With(v.session, v.Name(), list)
	}
	return stages.With(v.session, v.Name(), v.tabs.Commands(v.room.Look, v.room.Width, v.room.Height, why))
}

// Update handles a new evaluation. The cut of maps follows the cursor.
func (v *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Follow:
		moved := msg.Cursor.Shown && msg.Cursor.Y != v.room.Cursor.Y
		v.room = msg.Canvas
		v.follow()
		if moved && v.of != nil {
			v.cut = int(math.Round(v.room.Cursor.Y * float64(v.of.Side-1)))
		}
	}
	return nil
}

// follow takes over a new evaluation. Earlier ones remain for comparison.
func (v *Screen) follow() {
	if !v.complete() {
		v.transfer.stop() // its computation belongs to an earlier experiment
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
	v.inverse.follow()
	v.tabs.Keep()
}

// begin shows a new evaluation.
func (v *Screen) begin(e *engine.Evaluation) {
	v.take(e)
	v.tabs.First() // and stays there when the comparison ends
}

// early reports whether the samples can be seen while other methods are still compared.
func (v *Screen) early() bool {
	return v.of != nil && !v.complete() && v.of == v.session.Progress(session.Evaluate).Measured
}

// View draws the current tab, or the progress and the training before there is an evaluation.
func (v *Screen) View(c ui.Canvas) string {
	head := v.tabs.Bar(c.Look, c.Width)
	if !v.complete() {
		head = stages.Progress(c.Look, v.session, session.Evaluate, c.Width)
	}
	if !v.complete() && !v.early() {
		return head + "\n\n" + v.waiting.Draw(c.Look, v.training(), c.Width, c.Height-2, v.session.Experiment())
	}
	return head + "\n" + v.tabs.Draw(c.Look, c.Width, c.Height-page.Lines)
}

// Exhibit returns the page of the current tab.
func (v *Screen) Exhibit() report.Page {
	if !v.complete() && !v.early() {
		return report.Page{Name: v.Name()}
	}
	return v.tabs.Page()
}
