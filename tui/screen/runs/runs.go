// Package runs is the screen of the stored runs: unfinished ones can be continued, finished ones looked at.
package runs

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/store"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/quantity"
	"rfm/tui/session"
	"rfm/tui/theme"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen is the list of stored runs. It lies over the configuration, from which it is opened and to which it goes back.
type Screen struct {
	session *session.Session
	room    ui.Canvas
	at      widget.List
}

// New is the screen of a session.
func New(s *session.Session) *Screen { return &Screen{session: s} }

// Name is what it is opened by.
func (l *Screen) Name() string { return "runs" }

// Open reports whether runs are stored.
func (l *Screen) Open() bool { return len(l.list()) > 0 }

// Aside names the screen that it goes back to.
func (l *Screen) Aside() string { return session.None.String() }

func (l *Screen) list() []store.Entry { return l.session.Stock().List }

// Commands choose a run and open it.
func (l *Screen) Commands() []ui.Command {
	n, open := len(l.list()), ui.Command{Key: keys.Enter, Word: "open", Help: "look at this run",
		Why: "there are no runs yet"}
	if l.at.Line < n {
		e := l.list()[l.at.Line]
		open.Why, open.Do = "", func() tea.Cmd { return l.session.Open(e) }
		if session.CanContinue(e) {
			open.Word, open.Help = "continue", "go on with this run"
		}
	}
	list := append([]ui.Command{open}, l.at.Commands("run", n, keys.Up, keys.Down, keys.PageUp, keys.PageDown, keys.First,
		keys.Last)...)
	return append(list, ui.Command{Key: keys.Cancel, Word: "back", Help: "back to the configuration", Do: ui.Now(l.back)})
}

func (l *Screen) back() { l.session.Post(session.Show(l.Aside())) }

// Update keeps the line in the list, and takes clicks: on the selected run they open it.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Enter:
		l.at = widget.List{}
		return l.session.ListRuns()
	case ui.Follow:
		l.room = msg.Canvas
		l.at.Keep(len(l.list()))
	case ui.Click:
		if l.at.Click(msg.Y-1, len(l.list()), l.rows(l.room.Height)) {
			return l.session.Open(l.list()[l.at.Line])
		}
	}
	return nil
}

// rows is the room for the list: its heading stands above, a blank line and details below.
func (l *Screen) rows(height int) int {
	const details = 3
	return height - 1 - 1 - details
}

// View draws the list and, below it, what the selected run is about.
func (l *Screen) View(c ui.Canvas) string {
	th, stock := c.Theme, l.session.Stock()
	lines := []string{th.Title.Render(layout.Cut(" runs in "+l.session.Directory(), c.Width))}
	switch {
	case stock.Err != nil:
		return strings.Join(append(lines, layout.Styled(th.Bad, ansi.Wrap(stock.Err.Error(), c.Width-1, ""))...), "\n")
	case len(stock.List) == 0:
		return strings.Join(append(lines, "", th.Muted.Render(" there are none yet")), "\n")
	}
	name := 0
	for _, e := range stock.List {
		name = max(name, lipgloss.Width(e.Name))
	}
	name = min(name, c.Width/2)
	rows := l.rows(c.Height)
	lines = append(lines, l.at.Draw(th, len(stock.List), rows, func(i int) string {
		e, age := stock.List[i], ""
		if e.Fault == nil {
			age = quantity.Duration(max(0, stock.At.Sub(e.Manifest.Updated).Seconds())) + " ago"
		}
		text := fmt.Sprintf("%c %-*s  %s", mark(th, e), name, layout.Cut(e.Name, name), session.RunState(e))
		return layout.Opposite(c.Width-2, layout.Cut(text, c.Width-2), age)
	})...)
	details := layout.Styled(th.Muted, ansi.Wrap(facts(stock.List[min(l.at.Line, len(stock.List)-1)]), c.Width-2, ""))
	return strings.Join(append(lines, "", " "+strings.Join(details[:min(len(details), c.Height-2-rows)], "\n ")), "\n")
}

// mark is a glyph for the state of a run.
func mark(th theme.Theme, e store.Entry) rune {
	g := th.Glyphs
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

// facts is what a run computes, or what is wrong with it.
func facts(e store.Entry) string {
	m := e.Manifest
	if e.Fault != nil {
		return e.Fault.Error()
	}
	text := fmt.Sprintf("%s n=%d m=%d %s=%d, %d test pairs, seed %d; %s; begun %s with rfm %s", m.Problem, m.Train,
		m.Features, config.Config{Problem: m.Problem}.GridSymbol(), m.Grid, m.Test, m.Seed,
		quantity.Bytes(float64(m.Bytes())), m.Created.Format("2006-01-02 15:04"), m.Program.Version)
	if e.Holder != nil {
		text += "; in use by " + e.Holder.String()
	}
	return text
}
