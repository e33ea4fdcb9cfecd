package stages

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/draw"
	"rfm/tui/keys"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// New returns the screens of a session in their order. They open dialogs in d.
func New(s *session.Session, d *ui.Dialogs) []ui.Screen {
	return []ui.Screen{&run{session: s}, newResults(s, d)}
}

// results shows tabs on a trained model, from samples next to their predictions to its cost.
type results struct {
	*selection
	dialogs   *ui.Dialogs
	transfer  *transfer
	predicted *predicted
	tabs      page.Tabs
}

// newResults returns the screen of a session.
func newResults(s *session.Session, d *ui.Dialogs) *results {
	c := &selection{session: s}
	t := &transfer{selection: c}
	b := &sitting{selection: c}
	i := &inverse{selection: c}
	u := &predicted{selection: c, dialogs: d}
	v := &results{
		selection: c,
		dialogs:   d,
		transfer:  t,
		predicted: u,
	}
	evaluated := func() bool { return v.of != nil }
	haveRates := func() bool { return evaluated() && v.of.Convergence != nil }
	haveInverse := func() bool { return evaluated() && i.exists() }
	haveSession := func() bool { return evaluated() && b.exists() }
	rates := func(ui.Canvas) report.Page { return v.of.Convergence.Page() }
	v.tabs = page.NewTabs(
		&page.Tab{
			Name:     "samples",
			Page:     c.samplePage,
			State:    c.state,
			Commands: c.browsing,
		},
		&page.Tab{
			Name:     "errors",
			Page:     c.errorsPage,
			State:    c.state,
			Commands: c.browsing,
			Exists:   evaluated,
		},
		&page.Tab{
			Name:     transferTab,
			Page:     t.page,
			State:    t.state,
			Commands: t.commands,
			Status:   t.status,
			Exists:   evaluated,
		},
		&page.Tab{
			Name:   "rates",
			Page:   rates,
			State:  c.state,
			Exists: haveRates,
		},
		&page.Tab{
			Name:    "cost",
			Page:    c.cost,
			State:   c.state,
			Exists:  evaluated,
			Pending: v.comparing,
		},
		&page.Tab{
			Name:     "inverse",
			Page:     i.page,
			State:    i.state,
			Commands: i.commands,
			Status:   i.status,
			Exists:   haveInverse,
		},
		&page.Tab{
			Name:     "session",
			Page:     b.page,
			State:    b.state,
			Commands: c.browsing,
			Exists:   haveSession,
		},
		&page.Tab{
			Name:     predictedTab,
			Page:     u.page,
			State:    u.state,
			Commands: u.commands,
			Exists:   u.exists,
		},
	)
	return v
}

// transferTab is the name of the tab of other grids.
const transferTab = "transfer"

// Name returns the name of the screen.
func (v *results) Name() string { return session.ResultsPage }

// comparing reports whether the other methods are still to be compared.
func (v *results) comparing() bool {
	return v.of != nil && v.session.Runner.Reached() < session.Evaluate
}

// Commands returns the commands that change the tab and those of the current tab.
func (v *results) Commands(c ui.Canvas) []ui.Command {
	var list []ui.Command
	if v.of != nil {
		list = append([]ui.Command{v.drawing(c)}, v.tabs.Commands(c)...)
	} else {
		for _, command := range v.browsing() {
			list = append(list, command.When(false, "there is no evaluation yet"))
		}
	}
	predict := v.predicted.asking(func() { v.tabs.Show(predictedTab) })
	return append(list, predict, v.bands(), v.copying())
}

// drawing returns the command that draws an input for the model.
func (v *results) drawing(c ui.Canvas) ui.Command {
	return draw.Command(func() tea.Cmd {
		e := v.session.Runner.Experiment()
		of := v.of
		trial := func(ctx context.Context) (*engine.Trial, error) {
			return e.Trial(ctx, of)
		}
		return draw.Open(v.session, v.dialogs, c.Theme.Coarse, trial)
	})
}

// Update takes over a new evaluation, and computes the errors on other grids once their tab is open.
func (v *results) Update(tea.Msg, ui.Canvas) tea.Cmd {
	if e := v.session.Runner.Evaluation(); e != v.of {
		v.take(e)
		v.transfer.begin()
	}
	if v.of != nil && !v.comparing() && v.tabs.Shown() == transferTab {
		return v.transfer.unasked()
	}
	return nil
}

// View draws the current tab below the bar of all.
func (v *results) View(c ui.Canvas) string {
	if v.of == nil {
		return ""
	}
	return v.tabs.Draw(c, v.tabs.Bar(c))
}

// Rule returns the progress while other methods are compared.
func (v *results) Rule(th theme.Theme) string {
	if !v.comparing() || v.session.Runner.RunningStage() != session.Evaluate {
		return ""
	}
	const bar = 8
	p := v.session.Runner.Progress(session.Evaluate)
	text := th.Muted.Render("comparing methods")
	if p.Total > 0 {
		percent := fmt.Sprintf(" %.0f%%", 100*p.Fraction())
		text += " " + plot.Progress(p.Fraction(), bar, th) + th.Muted.Render(percent)
	}
	return text
}

// Hint returns the command that uses the model.
func (v *results) Hint() string {
	if v.of == nil || v.use() == "" {
		return ""
	}
	return "y copies: " + v.use()
}

// Exhibit returns the page of the current tab.
func (v *results) Exhibit(c ui.Canvas) report.Page {
	if v.of == nil {
		return report.Page{Name: v.Name()}
	}
	return v.tabs.Page(c)
}

// bands returns the command that trains the model again with error bands.
func (v *results) bands() ui.Command {
	c := v.session.Runner.Computed()
	word := "bands"
	with := c
	with.Evaluation.Bands = true
	if e, known := v.session.Estimate(with); known {
		word += " (" + report.Duration(e.Train+e.Evaluate) + ")"
	}
	why := v.session.Runner.Occupied()
	switch {
	case v.of == nil:
		why = "there is no model yet"
	case c.Evaluation.Bands:
		why = "this model has error bands"
	}
	return ui.Command{
		Key:  keys.Stay,
		Word: word,
		Help: "train again, with error bands; the pairs are kept",
		Why:  why,
		Do:   v.trainWithBands,
	}
}

// trainWithBands asks for error bands in the configuration, and runs it.
func (v *results) trainWithBands() tea.Cmd {
	k, err := v.session.Draft.Config().Lookup("evaluation.bands")
	if err == nil {
		err = v.session.Draft.Set(k, config.Yes)
	}
	if err != nil {
		v.session.Complain(err.Error())
		return nil
	}
	return v.session.Runner.Begin(true)
}
