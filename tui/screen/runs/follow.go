package runs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/engine"
	"rfm/model/report"
	"rfm/model/store"
	"rfm/solver/printable"
	"rfm/tui/chart"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/look"
	"rfm/tui/plot"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
)

// following is the progress of a run that another process computes. It locks and writes nothing.
type following struct {
	session *session.Session
	seen    engine.Watched
	at      time.Time // time of the last reading
	err     error     // error of the last reading
}

// follows reports whether a run is followed rather than opened: another process, or many workers, compute it.
func follows(s *session.Session, e store.Entry) bool {
	return e.Fault == nil && !e.Manifest.Complete() && (e.Holder != nil && s.Stored() != e.Path || e.Manifest.Split != nil)
}

// watchedMsg is a reading of a followed run.
type watchedMsg struct {
	of   *following
	seen engine.Watched
	at   time.Time
	err  error
}

// look reads the run's state after a while.
func (f *following) look(after time.Duration) tea.Cmd {
	path := f.seen.Path
	return tea.Tick(after, func(time.Time) tea.Msg {
		seen, err := engine.Watch(path)
		return watchedMsg{f, seen, time.Now(), err}
	})
}

func (f *following) commands() []ui.Command {
	e := f.seen.Entry
	c := ui.Command{Key: keys.Enter, Word: "open", Help: "look at this run",
		Do: func() tea.Cmd { return f.session.Open(e) }}
	switch {
	case f.err != nil:
		c.Why = f.err.Error()
	case e.Manifest.Complete():
	case e.Holder != nil:
		c.Why = "it is not complete: " + e.Holder.String() + " computes it"
	default:
		c.Word, c.Help = "continue", "resume this run"
	}
	return []ui.Command{c}
}

// update repeats the reading while the run is shown.
func (f *following) update(msg tea.Msg) tea.Cmd {
	const pause = time.Second
	seen, ok := msg.(watchedMsg)
	if !ok || seen.of != f {
		return nil
	}
	f.at, f.err = seen.at, seen.err
	if seen.err == nil {
		f.seen = seen.seen
	}
	if f.err == nil && f.seen.Manifest.Complete() {
		return f.session.ListRuns()
	}
	return f.look(pause)
}

func (f *following) view(on look.Look, width, height int) string {
	th, m := on.Theme, f.seen.Manifest
	grid := fmt.Sprintf("%s=%d", config.Config{Problem: m.Problem}.GridSymbol(), m.Grid)
	lines := []string{layout.Opposite(width, th.Title.Render(" "+printable.Line(f.seen.Name)),
		th.Label.Render(fmt.Sprintf("%s n=%d m=%d %s ", m.Problem, m.Train, m.Features, grid))), ""}
	for _, s := range m.Steps() {
		lines = append(lines, layout.Cut(stage(th, s, width), width))
	}
	text := func(style lipgloss.Style, text string) {
		lines = append(lines, layout.Paragraph(style, text, width)...)
	}
	lines = append(lines, "")
	switch {
	case f.err != nil:
		text(th.Bad, f.err.Error())
	case m.Complete() && m.TestError != nil:
		text(th.Good, fmt.Sprintf("%c complete: test error %s; enter opens it", th.Glyphs.Check,
			report.Error(*m.TestError, 6)))
	case f.seen.Holder != nil:
		text(th.Muted, fmt.Sprintf("Read only, esc stops nothing: %s computes it.", f.seen.Holder))
	case f.seen.Split == nil && !f.at.IsZero():
		text(th.Warn, "Nobody works on it now; enter resumes it.")
	}
	if !f.at.IsZero() && !m.Complete() {
		text(th.Muted, "It was stored "+chart.Age(f.at.Sub(m.Updated))+" ago.")
	}
	if p := f.seen.Split; p != nil {
		lines = append(lines, fmt.Sprintf(" pairs %d of %d units, tiles %d of %d, %d at work", p.PairsDone, p.Pairs,
			p.TilesDone, len(p.Tiles), len(p.Working)))
		workers := ""
		for _, unit := range slices.Sorted(maps.Keys(p.Working)) {
			workers += unit + "  " + printable.Line(p.Working[unit]) + "\n"
		}
		tiles := chart.Units(*p, th)
		rest := height - len(lines)
		if p.PairsDone < p.Pairs || len(tiles) == 0 {
			return layout.Fit(strings.Join(lines, "\n")+"\n "+strings.ReplaceAll(workers, "\n", "\n "), width, height)
		}
		return strings.Join(lines, "\n") + "\n" + layout.Beside(rest, "  ", strings.Join(tiles, "\n"), 2*p.Bands+2, workers)
	}
	return layout.Fit(strings.Join(lines, "\n"), width, height)
}

// stage returns a line about a stage of a run.
func stage(th theme.Theme, s store.Step, width int) string {
	name := fmt.Sprintf(" %-9s", s.Name)
	switch s.State {
	case store.Complete:
		return th.Good.Render(fmt.Sprintf(" %c %-9s", th.Glyphs.Check, s.Name)) + th.Muted.Render("in "+
			report.Duration(s.Seconds))
	case store.Pending:
		return th.Muted.Render(fmt.Sprintf(" %c%s", th.Glyphs.Todo, name))
	}
	times := "  " + report.Duration(s.Seconds)
	if s.Left > 0 {
		times += ", " + report.Duration(s.Left) + " left"
	}
	facts := fmt.Sprintf(" %d of %d %s", s.Done, s.Total, s.Unit)
	const around, least = 14, 8 // cells next to the bar, and for it
	if around+least+ansi.StringWidth(facts+times) > width {
		facts = fmt.Sprintf(" %d of %d", s.Done, s.Total)
	}
	facts += times
	bar := max(least, min(40, width-around-ansi.StringWidth(facts)))
	return fmt.Sprintf(" %c%s", th.Glyphs.Current, name) + plot.Progress(float64(s.Done)/float64(max(1, s.Total)), bar,
		th) +
		facts
}

// Exhibit returns the stages as a table.
func (f *following) Exhibit() report.Page {
	t := report.Table{Title: f.seen.Name, Header: []string{"stage", "state", "done", "total", "seconds"}}
	for _, s := range f.seen.Manifest.Steps() {
		t.Rows = append(t.Rows, []string{s.Name, string(s.State), fmt.Sprint(s.Done), fmt.Sprint(s.Total),
			fmt.Sprintf("%.3g", s.Seconds)})
	}
	return report.Page{Name: "followed", Tables: []report.Table{t}}
}
