package studies

import (
	"slices"
	"strings"

	"rfm/model/paper"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// Pane shows a study on one page, next to the published values.
type Pane struct {
	Library *Library
	Hint    string // text for a study without result
	view    page.View
}

// Open shows the first picture and the first line.
func (p *Pane) Open() { p.view.Open() }

// Commands returns the commands that turn to other pictures and scroll the text.
func (p *Pane) Commands(c ui.Canvas, st paper.Study) []ui.Command {
	r, shown := p.page(st)
	return p.view.Commands(c, headLines+len(chart.Verdicts(r, c.Theme)), shown, keys.PageUp, keys.PageDown)
}

// page returns the result of a study, or the published values before it has one.
func (p *Pane) page(st paper.Study) (r paper.Result, shown report.Page) {
	r, done := p.Library.Get(st.Name)
	if done {
		return r, r.Page
	}
	shown = st.Published()
	shown.Name, shown.Notes = st.Name, []string{p.Hint}
	return r, shown
}

// headLines is the number of lines above a result and its verdict.
const headLines = 2

// View draws the result of a study, its progress, or its description.
func (p *Pane) View(c ui.Canvas, st paper.Study) string {
	th, width := c.Theme, c.Width
	size := "quick size"
	if p.Library.whole {
		size = "the paper's size"
	}
	title, source := st.Title, st.Source
	if strings.HasPrefix(st.Source, "Figure") || strings.HasPrefix(st.Source, "Table") {
		title, source = title+" ("+source+")", ""
	}
	head := []string{layout.Cut(th.Title.Render(title), width),
		layout.Opposite(width, th.Muted.Render(source), th.Muted.Render(size))}
	r, shown := p.page(st)
	if p.Library.Running() != "" && r.Name == "" {
		return strings.Join(append(append(head, ""), p.Library.now.lines(c.Look, width)...), "\n")
	}
	for _, line := range chart.Verdicts(r, th) {
		head = append(head, layout.Cut(line, width))
	}
	return p.view.Draw(c, head, shown, p.Library.whole, r.Name)
}

// Exhibit returns the page of a study: its numbers next to the published ones, or only the latter without a result.
func (p *Pane) Exhibit(st paper.Study) report.Page {
	r, page := p.page(st)
	if _, judged := r.Tally(); judged > 0 {
		page.Tables = append(slices.Clone(page.Tables), r.Verdicts())
	}
	return page
}
