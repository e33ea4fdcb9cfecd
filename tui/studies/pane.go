package studies

import (
	"slices"
	"strings"

	"rfm/model/paper"
	"rfm/model/report"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/page"
	"rfm/tui/ui"
)

// Pane shows a study on one page, next to the published values.
type Pane struct {
	Library *Library
	Hint    string  // text for a study without result
	now     Overall // latest progress of the job
	view    page.View
}

// Open shows the first picture and the first line.
func (p *Pane) Open() { p.view.Open() }

// Follow updates the progress of the job.
func (p *Pane) Follow() {
	if p.Library.Running() != "" {
		p.now = p.Library.shelf().look()
	}
}

// Commands returns the commands that turn to other pictures and scroll the text.
func (p *Pane) Commands(on look.Look, st paper.Study, width, height int) []ui.Command {
	r, shown := p.page(st)
	return p.view.Commands(on, shown, width, height-headLines-len(chart.Verdicts(r, on.Theme)), keys.PageUp, keys.PageDown)
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
func (p *Pane) View(on look.Look, st paper.Study, width, height int) string {
	th := on.Theme
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
		return strings.Join(append(append(head, ""), p.now.lines(on, width)...), "\n")
	}
	for _, line := range chart.Verdicts(r, th) {
		head = append(head, layout.Cut(line, width))
	}
	return strings.Join(head, "\n") + "\n" + p.view.Draw(on, shown, width, height-len(head), p.Library.whole, r.Name)
}

// Exhibit returns the page of a study: its numbers next to the published ones, or only the latter without a result.
func (p *Pane) Exhibit(st paper.Study) report.Page {
	r, page := p.page(st)
	if _, judged := r.Tally(); judged > 0 {
		page.Tables = append(slices.Clone(page.Tables), r.Verdicts())
	}
	return page
}
