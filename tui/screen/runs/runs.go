// Package runs is the screen of the stored runs: a table from which they are opened, resumed, followed, compared,
// annotated, renamed and deleted.
package runs

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"rfm/model/report"
	"rfm/model/share"
	"rfm/model/store"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/widget"
)

// Screen is the table of stored runs. It is opened from the configuration screen and returns to it.
type Screen struct {
	session  *session.Session
	room     ui.Canvas
	order    int  // index in store.Orders
	reversed bool // the order is reversed
	from     session.Runs
	shown    []store.Entry // in their order
	at       widget.List
	filtered bool     // shown lacks some runs
	marked   []string // paths, in the order in which they were marked
	question *question
	over     over // lies over the table; nil if nothing does
}

// over is a page that lies over the table of runs.
type over interface {
	commands() []ui.Command
	update(tea.Msg) tea.Cmd
	view(on look.Look, width, height int) string
	ui.Exhibitor
}

// question asks for a text about a run.
type question struct {
	title  string
	input  textinput.Model
	answer func(text string) tea.Cmd
}

// New returns the screen of a session.
func New(s *session.Session) *Screen { return &Screen{session: s} }

// Name returns the name by which a command opens the screen.
func (l *Screen) Name() string { return "runs" }

// Open reports whether runs or sweeps are stored.
func (l *Screen) Open() bool { return len(l.session.Stock().List)+len(l.session.Stock().Sweeps) > 0 }

// Aside returns the screen to return to.
func (l *Screen) Aside() string { return session.None.String() }

// Typing reports whether text is typed.
func (l *Screen) Typing() bool { return l.question != nil || l.over == nil && l.at.Typing() }

// Commands returns the commands that choose runs and act on them.
func (l *Screen) Commands() []ui.Command {
	switch {
	case l.question != nil:
		return []ui.Command{{Key: keys.Enter, Word: "done", Help: l.question.title},
			{Key: keys.Cancel, Word: "cancel", Help: "leave it as it is"}}
	case l.over != nil:
		return append(l.over.commands(), ui.Command{Key: keys.Cancel, Word: "runs", Help: "back to the runs",
			Do: func() tea.Cmd {
				l.over = nil
				return l.session.ListRuns()
			}})
	}
	n := len(l.shown)
	moves := l.at.Commands("run", n, keys.Up, keys.Down, keys.Filter)
	if l.at.Typing() {
		return moves
	}
	list := append(l.enter(), moves...)
	for _, c := range []ui.Command{
		{Key: keys.Mark, Word: "mark", Help: "mark this run; two or more are compared", Do: ui.Now(l.mark)},
		{Key: keys.Left, Word: "sort", Help: "sort by the column before", Do: ui.Now(func() { l.sort(-1) })},
		{Key: keys.Right, Word: "sort", Help: "sort by the next column", Do: ui.Now(func() { l.sort(1) })},
		{Key: keys.View, Word: "reverse", Help: "sort the other way round",
			Do: ui.Now(func() { l.reversed = !l.reversed; l.arrange() })},
		{Key: keys.Note, Word: "note", Help: "note something about this run", Do: ui.Now(l.note)},
		{Key: keys.Rename, Word: "rename", Help: "give this run another name", Do: ui.Now(l.rename)},
		{Key: keys.Delete, Word: "delete", Help: "delete this run; it is kept for a week",
			Do: func() tea.Cmd { return l.session.Delete(l.selected()) }},
	} {
		list = append(list, c.When(n > 0, "there are no runs yet"))
	}
	list = append(list,
		ui.Command{Key: keys.NextTab, Word: "sweeps", Help: "the sweeps: their errors as cells are computed", Do: l.showSweeps}.
			When(len(l.from.Sweeps) > 0, "there are no sweeps: `rfm run PRESET --vary seed=1..20` makes one"),
		ui.Command{Key: keys.Undo, Word: "undo", Help: "bring back the run that was deleted last", Do: l.session.Undelete}.
			When(l.session.CanUndelete(), "no run was deleted here; `rfm show` lists those of other times"))
	for _, c := range l.at.Commands("run", n, keys.PageUp, keys.PageDown, keys.First, keys.Last) {
		if c.Key != keys.Cancel { // already in the list
			list = append(list, c)
		}
	}
	if l.at.Filtered() {
		return list
	}
	return append(list, ui.Command{Key: keys.Cancel, Word: "back", Help: "back to the configuration", Do: ui.Now(l.back)})
}

// enter returns the commands of the enter key for the marked runs, or for the selected one.
func (l *Screen) enter() []ui.Command {
	c := ui.Command{Key: keys.Enter, Word: "open", Help: "look at this run", Why: "there are no runs yet"}
	if len(l.shown) == 0 {
		return []ui.Command{c}
	}
	e := l.selected()
	c.Why, c.Do = "", func() tea.Cmd { return l.session.Open(e) }
	switch {
	case len(l.marked) > 1:
		c.Word, c.Help = "compare", "set the marked runs beside each other"
		c.Do = func() tea.Cmd { return compareRuns(l.marked) }
	case follows(l.session, e):
		c.Word, c.Help = "follow", "watch another process compute this run"
		c.Do = func() tea.Cmd { return l.follow(e) }
	case session.CanContinue(e):
		c.Word, c.Help = "continue", "go on with this run"
	}
	return []ui.Command{c}
}

// follow shows the progress of a run that other processes compute.
func (l *Screen) follow(e store.Entry) tea.Cmd {
	f := &following{session: l.session, seen: share.Watched{Entry: e}}
	l.over = f
	return f.look(0)
}

// showSweeps opens the grid of the newest sweep.
func (l *Screen) showSweeps() tea.Cmd {
	v := &sweeps{directories: l.from.Sweeps}
	l.over = v
	return v.look(0)
}

// open runs the enter key's command for the selected run.
func (l *Screen) open() tea.Cmd { return l.enter()[0].Do() }

// selected returns the selected run; there must be one.
func (l *Screen) selected() store.Entry { return l.shown[min(l.at.Line, len(l.shown)-1)] }

func (l *Screen) back() { l.session.Post(session.Show(l.Aside())) }

// mark toggles the mark of the selected run and selects the next one.
func (l *Screen) mark() {
	path := l.selected().Path
	if i := slices.Index(l.marked, path); i >= 0 {
		l.marked = slices.Delete(l.marked, i, i+1)
	} else {
		l.marked = append(l.marked, path)
	}
	l.at.Line = min(l.at.Line+1, len(l.shown)-1)
}

// sort sorts by another column.
func (l *Screen) sort(direction int) {
	n := len(store.Orders())
	l.order = (l.order + direction + n) % n
	l.arrange()
}

// arrange sorts the runs and keeps the selected one selected.
func (l *Screen) arrange() {
	path := ""
	if len(l.shown) > 0 {
		path = l.selected().Path
	}
	l.shown = widget.Chosen(&l.at, l.from.List, func(e store.Entry) string {
		l := e.Listed()
		return strings.Join([]string{l.Name, l.Problem, l.Method, l.State, l.Note}, " ")
	})
	store.Sort(l.shown, store.Orders()[l.order], l.reversed)
	if i := slices.IndexFunc(l.shown, func(e store.Entry) bool { return e.Path == path }); i >= 0 {
		l.at.Line = i
	}
	l.at.Keep(len(l.shown))
	l.marked = slices.DeleteFunc(l.marked, func(path string) bool { // deleted runs
		return !slices.ContainsFunc(l.from.List, func(e store.Entry) bool { return e.Path == path })
	})
}

// note asks for a note.
func (l *Screen) note() {
	e := l.selected()
	l.ask("note about "+e.Name, e.Note, func(text string) tea.Cmd { return l.session.Annotate(e, text) })
}

// rename asks for another name.
func (l *Screen) rename() {
	e := l.selected()
	l.ask("another name for "+e.Name, e.Name, func(text string) tea.Cmd { return l.session.Rename(e, text) })
}

// ask asks for a text.
func (l *Screen) ask(title, text string, answer func(string) tea.Cmd) {
	l.question = &question{title, widget.NewInput(text), answer}
}

// answer handles a key or a paste in the answer.
func (l *Screen) answer(msg tea.Msg) tea.Cmd {
	q := l.question
	switch widget.Type(&q.input, msg) {
	case keys.Cancel:
		l.question = nil
	case keys.Enter:
		l.question = nil
		return q.answer(strings.TrimSpace(q.input.Value()))
	}
	return nil
}

// Update follows the stored runs, and handles typed text and clicks: on the selected run they open it.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ui.Enter:
		l.over, l.question = nil, nil
		l.at.All()
		return l.session.ListRuns()
	case ui.Leave: // it is not shown any more
		l.over = nil
		return nil
	case ui.Follow:
		l.room = msg.Canvas
		now := l.session.Stock()
		if filtered := l.at.Filtered(); !now.At.Equal(l.from.At) || filtered != l.filtered {
			l.from, l.filtered = now, filtered
			l.arrange()
		}
	case tea.KeyPressMsg, tea.PasteMsg:
		if l.question != nil {
			return l.answer(msg)
		}
		l.at.Type(msg, len(l.shown))
		l.arrange()
	case comparedMsg:
		if msg.err != nil {
			l.session.Complain(msg.err.Error())
			return nil
		}
		l.over = newComparison(msg.Comparison, l.session.Workers())
	case ui.Click:
		if l.over == nil && l.at.Click(msg.Y-headLines, len(l.shown), l.rows(l.room.Height)) {
			return l.open()
		}
	}
	if l.over != nil {
		return l.over.update(msg)
	}
	return nil
}

// Exhibit returns the table, or the page over it.
func (l *Screen) Exhibit() report.Page {
	if l.over != nil {
		return l.over.Exhibit()
	}
	return l.exhibit()
}
