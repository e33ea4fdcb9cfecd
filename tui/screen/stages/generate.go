package stages

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/report"
	"rfm/solver/printable"
	"rfm/tui/formula"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// generate shows the newest pairs. Once the data are complete, it steps through the training pairs.
type generate struct {
	stage
	pair    int
	of      *engine.Experiment // the experiment of seen
	seen    engine.Progress    // the progress in the pictures while the step runs
	changed time.Time          // time of seen
	view    page.View
}

// Commands returns the commands that turn to other pictures and, once the data are complete, to other pairs.
func (g *generate) Commands(c ui.Canvas) []ui.Command {
	pair := func(key keys.Key, word, help string, step int) ui.Command {
		return ui.Command{Key: key, Word: word, Help: help, Do: ui.Now(func() {
			train, _ := g.session.Experiment().Pairs()
			n := train.Count()
			g.pair = ((g.pair+step)%n + n) % n
		})}.When(g.session.Reached() >= session.Generate, "the newest pair is shown until all are made")
	}
	list := []ui.Command{pair(keys.Left, "pair", "previous pair", -1), pair(keys.Right, "pair", "next pair", 1),
		pair(keys.PageUp, "10 pairs", "ten pairs back", -10), pair(keys.PageDown, "10 pairs", "ten pairs on", 10)}
	if g.session.Experiment() != nil {
		list = append(list, g.view.Commands(c, len(g.head(c)), g.Exhibit(c))...)
	}
	return list
}

// Update takes over the newest pair once the last one was visible long enough.
func (g *generate) Update(tea.Msg, ui.Canvas) tea.Cmd {
	if g.of != g.session.Experiment() {
		g.of, g.seen, g.changed, g.pair = g.session.Experiment(), engine.Progress{}, time.Time{}, 0
	}
	p := g.session.Progress(session.Generate)
	if g.of == nil || g.session.Reached() >= session.Generate || p.Newest == nil || p.Newest == g.seen.Newest {
		return nil
	}
	if p.Done == p.Total || time.Since(g.changed) >= g.view.Pace(p.Newest.Side > 0) { // the last pair stays
		g.seen, g.changed = p, time.Now()
	}
	return nil
}

// View draws the progress, and below it as many pictures as fit.
func (g *generate) View(c ui.Canvas) string {
	head := g.head(c)
	if g.chosen() == nil {
		return strings.Join(append(head, "", c.Theme.Muted.Render(" no pair is finished yet")), "\n")
	}
	return g.view.Draw(c, head, g.Exhibit(c), g.session.Experiment(), g.pair, g.changed,
		g.session.Reached() >= session.Generate)
}

// head returns the progress, the equation, and the title of a pair of fields, which their maps do not have.
func (g *generate) head(c ui.Canvas) []string {
	th := c.Theme
	head := []string{g.progress(c.Theme, c.Width),
		th.Muted.Render(" " + formula.Equation(g.session.Experiment().Config))}
	for _, text := range g.session.Notices() {
		const most = 3
		lines := layout.Paragraph(th.Warn, "note: "+printable.Line(text), c.Width)
		head = append(head, layout.Head(lines, c.Width, most)...)
	}
	if g.session.Experiment().Config.Dims() == 2 {
		head = append(head, " "+th.Title.Render(g.title()))
	}
	return head
}

// chosen returns the pair to show: a training pair once the data are complete, before that the newest; nil before the
// first.
func (g *generate) chosen() *report.Sample {
	if g.session.Reached() < session.Generate {
		return g.seen.Newest
	}
	e := g.session.Experiment()
	return e.Sample(min(g.pair, e.Config.Data.Train-1))
}

// title names the pair shown, the newest one while the step runs.
func (g *generate) title() string {
	if g.session.Reached() < session.Generate {
		return "newest pair"
	}
	train, _ := g.session.Experiment().Pairs()
	return fmt.Sprintf("training pair %d of %d on %s", min(g.pair+1, train.Count()), train.Count(),
		formula.Grid(g.session.Experiment().Config, train.Inputs.Points))
}

// Exhibit returns the pair shown.
func (g *generate) Exhibit(ui.Canvas) report.Page {
	p := report.Page{Name: "pair"}
	if sample := g.chosen(); sample != nil {
		p.Figures, p.Fields = sample.Pair(g.title())
	}
	return p
}
