package stages

import (
	tea "charm.land/bubbletea/v2"

	"rfm/model/report"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// evaluate shows the results: tabs on a trained model, from samples next to their predictions to its cost.
type evaluate struct {
	*selection
	transfer *transfer
	inverse  *inverse
	tabs     page.Tabs
	training func(ui.Canvas) report.Page // stays in view until there are predictions
	waiting  page.View
}

// newEvaluate returns the screen of a session, which shows the page of its training until there are predictions.
func newEvaluate(s *session.Session, training func(ui.Canvas) report.Page) *evaluate {
	c := &selection{stage: stage{s, session.Evaluate}}
	t, b, i := &transfer{selection: c}, &sitting{selection: c}, &inverse{selection: c}
	v := &evaluate{selection: c, transfer: t, inverse: i, training: training}
	complete := func(exists func() bool) func() bool { return func() bool { return v.complete() && exists() } }
	v.tabs = page.NewTabs(
		&page.Tab{Name: "samples", Page: c.samplePage, State: c.state, Commands: c.browsing},
		&page.Tab{Name: "errors", Page: c.errorsPage, State: c.state, Commands: c.browsing, Exists: v.complete},
		&page.Tab{Name: "transfer", Page: t.page, State: t.state, Commands: t.commands, Status: t.status, Exists: v.complete},
		&page.Tab{Name: "cost", Page: c.cost, State: c.state, Exists: v.complete},
		&page.Tab{Name: "inverse", Page: i.page, State: i.state, Commands: i.commands, Status: i.status,
			Exists: complete(i.exists)},
		&page.Tab{Name: "session", Page: b.page, State: b.state, Commands: c.browsing, Exists: complete(b.exists)},
	)
	return v
}

// complete reports whether there is an evaluation.
func (v *evaluate) complete() bool {
	return v.session.Experiment() != nil && v.session.Reached() >= session.Evaluate
}

// Commands returns the commands that change the tab and those of the current tab.
func (v *evaluate) Commands(c ui.Canvas) []ui.Command {
	why := "there is no evaluation yet"
	if v.early() {
		why = "the tabs open when the other methods have been compared"
	}
	if v.complete() {
		why = ""
	}
	if v.of == nil || !v.complete() && !v.early() {
		var list []ui.Command
		for _, command := range v.browsing() {
			list = append(list, command.When(false, why))
		}
		return append(list, v.waiting.Commands(c, 2, v.training(c))...)
	}
	return v.tabs.Commands(c, why)
}

// Update takes over a new evaluation.
func (v *evaluate) Update(tea.Msg, ui.Canvas) tea.Cmd {
	early := v.session.Progress(session.Evaluate).Measured
	switch {
	case v.complete() && v.of != v.session.Experiment().Evaluation():
		e := v.session.Experiment().Evaluation()
		if v.of == nil || v.of != early {
			v.take(e)
		}
		v.of = e
		v.transfer.begin()
	case !v.complete() && early != nil && v.of != early:
		v.take(early)
	}
	return nil
}

// early reports whether the samples can be seen while other methods are still compared.
func (v *evaluate) early() bool {
	return v.of != nil && !v.complete() && v.of == v.session.Progress(session.Evaluate).Measured
}

// View draws the current tab, or the progress and the training before there is an evaluation.
func (v *evaluate) View(c ui.Canvas) string {
	head := v.tabs.Bar(c)
	if !v.complete() {
		head = v.progress(c.Theme, c.Width)
	}
	if !v.complete() && !v.early() {
		return v.waiting.Draw(c, []string{head, ""}, v.training(c), v.session.Experiment())
	}
	return v.tabs.Draw(c, head)
}

// Exhibit returns the page of the current tab.
func (v *evaluate) Exhibit(c ui.Canvas) report.Page {
	if !v.complete() && !v.early() {
		return report.Page{Name: v.Name()}
	}
	return v.tabs.Page(c)
}
