// This file lists the stored runs: unfinished ones can be continued, finished ones looked at.

package screen

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/store"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/quantity"
	"rfm/tui/widget"
)

// library of runs: what is below the directory for runs, as of a time.
type storedRuns struct {
	list []store.Entry
	at   time.Time
	err  error
}

// runsMsg brings the stored runs.
type runsMsg struct{ runs storedRuns }

// listRuns looks for stored runs; nil if runs are not stored.
func (s *session) listRuns() tea.Cmd {
	root := s.options.Runs
	if root == "" {
		return nil
	}
	return func() tea.Msg {
		list, err := store.List(root)
		return runsMsg{storedRuns{list, time.Now(), err}}
	}
}

// unfinished is the newest run that can be continued; nil if there is none.
func (s *session) unfinished() *store.Entry {
	for i, e := range s.runs.list {
		if canContinue(e) {
			return &s.runs.list[i]
		}
	}
	return nil
}

// canContinue says whether a run is unfinished and nobody works on it.
func canContinue(e store.Entry) bool {
	return e.Fault == nil && !e.Manifest.Complete() && e.Holder == nil
}

// openRunMsg asks for a stored run.
type openRunMsg struct{ run store.Entry }

func openRun(e store.Entry) tea.Cmd { return func() tea.Msg { return openRunMsg{e} } }

// runList is the list of stored runs.
type runList struct {
	configure *configure
	line      int
}

func (l *runList) actions(s *session) []keys.Action {
	if len(s.runs.list) == 0 {
		return []keys.Action{keys.Cancel}
	}
	return []keys.Action{keys.Accept, keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.First, keys.Last, keys.Cancel}
}

func (l *runList) means(s *session, action keys.Action) string {
	switch action {
	case keys.Accept:
		if l.line < len(s.runs.list) && canContinue(s.runs.list[l.line]) {
			return "continue"
		}
		return "open"
	case keys.Up, keys.Down:
		return "run"
	case keys.PageUp, keys.PageDown:
		return "10 runs"
	}
	return ""
}

func (l *runList) do(s *session, action keys.Action) tea.Cmd {
	l.line = widget.Walk(action, l.line, len(s.runs.list))
	switch action {
	case keys.Accept:
		return openRun(s.runs.list[l.line])
	case keys.Cancel:
		l.configure.panel = nil
	}
	return nil
}

func (l *runList) follow(s *session) { l.line = max(0, min(l.line, len(s.runs.list)-1)) }

// click selects the line under the mouse, and opens the run if it is selected.
func (l *runList) click(s *session, _, y int) tea.Cmd {
	switch line := y - 1 + l.first(len(s.runs.list), s.height); {
	case y < 1 || line >= len(s.runs.list):
		return nil
	case line != l.line:
		l.line = line
		return nil
	}
	return l.do(s, keys.Accept)
}

// runDetails is the number of lines below the list.
const runDetails = 4

// first is the first line of the list that is on screen.
func (l *runList) first(count, height int) int {
	room := height - 1 - runDetails
	return max(0, min(l.line-room/2, count-room))
}

func (l *runList) render(s *session, width, height int) string {
	th := s.Theme
	lines := []string{th.Title.Render(layout.Cut(" runs in "+s.options.Runs, width))}
	switch {
	case s.runs.err != nil:
		return strings.Join(append(lines, styled(th.Bad, ansi.Wrap(s.runs.err.Error(), width-1, ""))...), "\n")
	case len(s.runs.list) == 0:
		return strings.Join(append(lines, "", th.Muted.Render(" there are none yet")), "\n")
	}
	name := 0
	for _, e := range s.runs.list {
		name = max(name, lipgloss.Width(e.Name))
	}
	name = min(name, width/2)
	first := l.first(len(s.runs.list), height)
	for i := first; i < min(len(s.runs.list), first+height-1-runDetails); i++ {
		e := s.runs.list[i]
		text := fmt.Sprintf("%c %-*s  %s", runMark(s, e), name, layout.Cut(e.Name, name), runState(e))
		age := ""
		if e.Fault == nil {
			age = quantity.Duration(max(0, s.runs.at.Sub(e.Manifest.Updated).Seconds())) + " ago"
		}
		text = layout.Opposite(width-2, layout.Cut(text, width-2), age)
		if i == l.line {
			lines = append(lines, string(th.Glyphs.FocusLeft)+th.Focus.Render(text)+string(th.Glyphs.FocusRight))
		} else {
			lines = append(lines, " "+text)
		}
	}
	details := styled(th.Muted, ansi.Wrap(runFacts(s.runs.list[l.line]), width-2, ""))
	return strings.Join(append(lines, "", " "+strings.Join(details[:min(len(details), runDetails-1)], "\n ")), "\n")
}

// runMark is a glyph for the state of a run.
func runMark(s *session, e store.Entry) rune {
	g := s.Theme.Glyphs
	switch {
	case e.Fault != nil:
		return g.Cross
	case e.Manifest.Complete():
		return g.Check
	case e.Holder != nil:
		return g.Current
	}
	return g.Todo
}

// runState is how far a run is, in a few words.
func runState(e store.Entry) string {
	m := e.Manifest
	switch {
	case e.Fault != nil:
		return "cannot be read"
	case m.Complete() && m.TestError != nil:
		return fmt.Sprintf("test error %.4f", *m.TestError)
	case e.Holder != nil:
		return "is running"
	}
	name, stage := m.Next()
	switch {
	case stage.State == store.Complete:
		return "complete"
	case stage.Total > 0:
		return fmt.Sprintf("%s %d%%", name, stage.Percent())
	}
	return "before " + name
}

// runFacts is what a run computes, or what is wrong with it.
func runFacts(e store.Entry) string {
	m := e.Manifest
	if e.Fault != nil {
		return e.Fault.Error()
	}
	text := fmt.Sprintf("%s n=%d m=%d %s=%d, %d test pairs, seed %d; %s; begun %s with rfm %s", m.Problem, m.Train, m.Features, config.Config{Problem: m.Problem}.GridSymbol(), m.Grid, m.Test, m.Seed,
		quantity.Bytes(float64(m.Bytes())), m.Created.Format("2006-01-02 15:04"), m.Program.Version)
	if e.Holder != nil {
		text += "; in use by " + e.Holder.String()
	}
	return text
}
