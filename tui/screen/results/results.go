// Package results is the screen of a trained model: its samples, errors, other grids, rates and cost.
package results

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/run/engine"
	"rfm/model/show/report"
	"rfm/tui/page"
	"rfm/tui/plot"
	"rfm/tui/screen/draw"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// results shows tabs on a trained model, from samples next to their predictions to its cost.
type results struct {
	*selection
	dialogs   *ui.Dialogs
	transfer  *transfer
	predicted *predicted
	tabs      *page.Tabs

	on      ui.Canvas    // on which the screen is laid out
	samples []ui.Command // that choose a sample, before there is an evaluation
	uses    []ui.Command // that use the model
	drawing ui.Command
}

// New returns the screen of a session. It opens dialogs in d.
func New(s *session.Session, d *ui.Dialogs) ui.Screen {
	c := &selection{session: s, runner: s.Runner}
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
			Commands: c.browsing(),
		},
		&page.Tab{
			Name:     "errors",
			Page:     c.errorsPage,
			State:    c.state,
			Commands: c.browsing(),
			Exists:   evaluated,
		},
		&page.Tab{
			Name:     transferTab,
			Page:     t.page,
			State:    t.state,
			Commands: t.commands(),
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
			Commands: i.commands(),
			Status:   i.status,
			Exists:   haveInverse,
		},
		&page.Tab{
			Name:     "session",
			Page:     b.page,
			State:    b.state,
			Commands: c.browsing(),
			Exists:   haveSession,
		},
		&page.Tab{
			Name:     predictedTab,
			Page:     u.page,
			State:    u.state,
			Commands: u.commands(),
			Exists:   u.exists,
		},
	)
	v.samples = c.browsing()
	for i := range v.samples {
		v.samples[i] = v.samples[i].When(evaluated, "there is no evaluation yet")
	}
	showPredicted := func() { v.tabs.Show(predictedTab) }
	v.uses = []ui.Command{u.asking(showPredicted), v.bands(), c.copying()}
	v.drawing = draw.Command(v.draw)
	return v
}

// transferTab is the name of the tab of other grids.
const transferTab = "transfer"

// Name returns the name of the screen.
func (v *results) Name() string { return session.ResultsPage }

// comparing reports whether the other methods are still to be compared.
func (v *results) comparing() bool {
	return v.of != nil && v.runner.Reached() < session.Evaluate
}

// Commands returns the commands that change the tab and those of the current tab.
func (v *results) Commands() []ui.Command {
	if v.of == nil {
		return slices.Concat(v.samples, v.uses)
	}
	first := []ui.Command{v.best(), v.drawing}
	return slices.Concat(first, v.tabs.Commands(), v.uses)
}

// best returns the command that trains all methods on the same pairs and keeps the best of them. The footer offers it where
// the notes advise it.
func (v *results) best() ui.Command {
	text := func() (word, help string) {
		if v.of.AdvisesAll() {
			word = "all methods"
		}
		return word, "train all methods, and keep the best by cross-validation; the pairs are kept"
	}
	return ui.Command{
		Key:  ui.KeyTake,
		Text: text,
		Why:  v.whyNotBest,
		Do:   v.trainBest,
	}
}

// whyNotBest says why the methods cannot be compared; empty if they can.
func (v *results) whyNotBest() string {
	now := v.runner.Computed()
	if now.Train.Method == config.Best {
		return "this model is the best of all methods"
	}
	err := engine.WithBest(now).Validate()
	if err != nil {
		return err.Error()
	}
	return v.runner.Occupied()
}

// trainBest asks for the best method in the configuration, and runs it.
func (v *results) trainBest() tea.Cmd {
	next := v.session.Draft.Version()
	next.Config = engine.WithBest(next.Config)
	v.session.Draft.Edit(next)
	return v.runner.Begin(true)
}

// draw opens the mode in which an input is drawn for the model.
func (v *results) draw() tea.Cmd {
	e := v.runner.Experiment()
	of := v.of
	trial := func(ctx context.Context) (*engine.Trial, error) { return e.Trial(ctx, of) }
	return draw.Open(v.session, v.dialogs, v.on.Theme.Coarse, trial)
}

// Update takes over a new evaluation, and computes the errors on other grids once their tab is open.
func (v *results) Update(tea.Msg) tea.Cmd {
	e := v.runner.Evaluation()
	if e != v.of {
		v.take(e)
		v.transfer.begin()
	}
	if v.of != nil && !v.comparing() && v.tabs.Shown() == transferTab {
		return v.transfer.unasked()
	}
	return nil
}

// Arrange lays out the current tab.
func (v *results) Arrange(c ui.Canvas) {
	v.on = c
	if v.of != nil {
		v.tabs.Arrange(c)
	}
}

// View draws the current tab below the bar of all.
func (v *results) View() string {
	if v.of == nil {
		return ""
	}
	return v.tabs.Draw()
}

// Rule returns the progress while other methods are compared.
func (v *results) Rule(th theme.Theme) string {
	if !v.comparing() || v.runner.RunningStage() != session.Evaluate {
		return ""
	}
	const bar = 8
	p := v.runner.Progress(session.Evaluate)
	what, _, _ := strings.Cut(cmp.Or(p.Unit, "methods"), ",") // without the purpose
	if p.Total < 2 {
		return th.Muted.Render("comparing " + what)
	}
	counted := fmt.Sprintf(" %d of %d %s", p.Done, p.Total, what) // because the bar begins anew for each kind
	return th.Muted.Render("comparing ") + plot.Progress(p.Fraction(), bar, th) + th.Muted.Render(counted)
}

// Hint returns the command that uses the model.
func (v *results) Hint() string {
	if v.of == nil || v.use() == "" {
		return ""
	}
	return "y copies: " + v.use()
}

// Page returns the page of the current tab.
func (v *results) Page() report.Page {
	if v.of == nil {
		return report.Page{Name: v.Name()}
	}
	return v.tabs.Page()
}

// bands returns the command that trains the model again with prediction bands.
func (v *results) bands() ui.Command {
	return ui.Command{
		Key:  ui.KeyStay,
		Text: v.bandsText,
		Why:  v.whyNoBands,
		Do:   v.trainWithBands,
	}
}

// bandsText says what prediction bands cost, as far as that is known.
func (v *results) bandsText() (word, help string) {
	with := v.runner.Computed()
	with.Evaluation.Bands = true
	word = "bands"
	e, known := v.session.Estimate(with)
	if known {
		word += " (" + report.Duration(e.Train+e.Evaluate) + ")"
	}
	return word, "train again, with prediction bands; the pairs are kept"
}

// whyNoBands says why the model cannot be trained again with prediction bands; empty if it can.
func (v *results) whyNoBands() string {
	switch {
	case v.of == nil:
		return "there is no model yet"
	case v.runner.Computed().Evaluation.Bands:
		return "this model has prediction bands"
	}
	return v.runner.Occupied()
}

// trainWithBands asks for prediction bands in the configuration, and runs it.
func (v *results) trainWithBands() tea.Cmd {
	k, err := v.session.Draft.Config().Lookup("evaluation.bands")
	if err == nil {
		err = v.session.Draft.Set(k, config.Yes)
	}
	if err != nil {
		v.session.Complain(err.Error())
		return nil
	}
	return v.runner.Begin(true)
}
