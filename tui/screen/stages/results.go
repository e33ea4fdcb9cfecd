package stages

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/model/show/report"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// results shows tabs on a trained model, from samples next to their predictions to its cost.
type results struct {
	*selection
	transfer *transfer
	tabs     page.Tabs
}

// newResults returns the screen of a session.
func newResults(s *session.Session) *results {
	c := &selection{session: s}
	t, b, i := &transfer{selection: c}, &sitting{selection: c}, &inverse{selection: c}
	v := &results{selection: c, transfer: t}
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

// Name returns the name of the screen.
func (v *results) Name() string { return session.ResultsPage }

// complete reports whether other methods have been compared, too.
func (v *results) complete() bool { return v.of != nil && v.session.Reached() >= session.Evaluate }

// Commands returns the commands that change the tab and those of the current tab.
func (v *results) Commands(c ui.Canvas) []ui.Command {
	switch {
	case v.of == nil:
		var list []ui.Command
		for _, command := range v.browsing() {
			list = append(list, command.When(false, "there is no evaluation yet"))
		}
		return list
	case !v.complete():
		return v.tabs.Commands(c, "the tabs open when the other methods have been compared")
	}
	return v.tabs.Commands(c, "")
}

// Update takes over a new evaluation.
func (v *results) Update(tea.Msg, ui.Canvas) tea.Cmd {
	if e := v.session.Evaluation(); e != v.of {
		v.take(e)
		v.transfer.begin()
	}
	return nil
}

// View draws the current tab, below the progress while other methods are compared.
func (v *results) View(c ui.Canvas) string {
	if v.of == nil {
		return ""
	}
	head := v.tabs.Bar(c)
	if !v.complete() {
		head = strings.Join(barOf(v.session, c.Theme, c.Width), "")
	}
	return v.tabs.Draw(c, head)
}

// Exhibit returns the page of the current tab.
func (v *results) Exhibit(c ui.Canvas) report.Page {
	if v.of == nil {
		return report.Page{Name: v.Name()}
	}
	return v.tabs.Page(c)
}
