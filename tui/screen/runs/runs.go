// Package runs is the screen of the stored runs: a table to open, resume, follow, compare, annotate and delete them.
package runs

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/run/engine"
	"rfm/model/run/store"
	"rfm/model/show/compare"
	"rfm/model/show/report"
	"rfm/tui/page"
	"rfm/tui/session"
	"rfm/tui/ui"
	"rfm/tui/words"
)

// none is why nothing can be done with a run.
const none = "there are no runs yet"

// Screen is the table of stored runs.
type Screen struct {
	session *session.Session
	dialogs *ui.Dialogs
	order   int // index in store.Orders
	from    session.Listing
	shown   []store.Entry // in their order
	at      *page.List
	words   []string // of the filter of shown
	marked  []string // paths, in the order in which they were marked
	over    over     // a page instead of the table; nil if there is none

	asked  wanted  // the run whose details are read or wanted
	detail *detail // of the last run that was read; nil before the first
	reads  int     // number of details read
	drawn  page.Cache
	errors page.Cache

	on       ui.Canvas    // on which the screen is laid out
	commands []ui.Command // of the table
	back     ui.Command   // from the page over it
}

// over is a page that is shown instead of the table of runs; see ui.Screen.
type over interface {
	Commands() []ui.Command
	Arrange(ui.Canvas)
	View() string
	Page() report.Page
}

// New returns the screen of a session.
func New(s *session.Session, d *ui.Dialogs) *Screen {
	l := &Screen{
		session: s,
		dialogs: d,
	}
	l.at = page.NewList("run", d, func() int { return len(l.shown) })
	l.commands = l.newCommands()
	l.back = l.backToRuns()
	return l
}

// Name returns the name by which a command opens the screen.
func (l *Screen) Name() string { return session.RunsPage }

// Commands returns the commands that choose runs and act on them, or those of the page over them.
func (l *Screen) Commands() []ui.Command {
	if l.over != nil {
		return append(slices.Clip(l.over.Commands()), l.back)
	}
	return l.commands
}

func (l *Screen) newCommands() []ui.Command {
	mark := ui.Command{
		Key:  ui.KeyMark,
		Word: "mark",
		Help: "mark this run; two or more are compared",
		Do:   ui.Now(l.mark),
	}
	undo := ui.Command{
		Key:  ui.KeyUndo,
		Word: "undo",
		Help: "bring back the run that was deleted last",
		Do:   l.session.Runs.Undelete,
	}
	leave := ui.Command{
		Key:  ui.KeyCancel,
		Word: "back",
		Help: "back to the configuration",
		If:   func() bool { return !l.at.Filtered() && !l.session.Runner.Working() },
		Do:   ui.Now(func() { l.session.Show(session.ConfigurePage) }),
	}
	list := []ui.Command{l.enter(), l.lead()}
	list = append(list, l.at.Moves(ui.KeyUp, ui.KeyDown)...)
	list = append(list, mark.When(l.exist, none))
	list = append(list, l.at.Filters()...)
	for _, c := range l.changes() {
		list = append(list, c.When(l.exist, none))
	}
	list = append(list, undo.When(l.session.Runs.CanUndelete, "no run was deleted here"))
	list = append(list, l.at.Moves(ui.KeyPageUp, ui.KeyPageDown, ui.KeyFirst, ui.KeyLast)...)
	return append(list, leave)
}

// exist reports whether there are runs in the table.
func (l *Screen) exist() bool { return len(l.shown) > 0 }

// backToRuns returns the command that shows the table again instead of the page over it.
func (l *Screen) backToRuns() ui.Command {
	back := func() tea.Cmd {
		l.over = nil
		return l.session.Runs.Read()
	}
	return ui.Command{
		Key:  ui.KeyCancel,
		Word: "runs",
		Help: "back to the runs",
		Do:   back,
	}
}

// changes returns the commands that change the order of the table or the selected run.
func (l *Screen) changes() []ui.Command {
	return []ui.Command{
		{
			Key:  ui.KeyLeft,
			Word: "sort",
			Help: "sort by the column before",
			Do:   ui.Now(func() { l.sort(-1) }),
		},
		{
			Key:  ui.KeyRight,
			Word: "sort",
			Help: "sort by the next column",
			Do:   ui.Now(func() { l.sort(1) }),
		},
		{
			Key:  ui.KeyNote,
			Word: "note",
			Help: "note something about this run",
			Do:   l.note,
		},
		{
			Key:  ui.KeyDelete,
			Word: "delete",
			Help: "delete this run; it is kept for a week",
			Do:   func() tea.Cmd { return l.session.Runs.Delete(l.selected()) },
		},
	}
}

// enter returns the command of the enter key for the marked runs, or for the selected one.
func (l *Screen) enter() ui.Command {
	enter := ui.Command{
		Key:  ui.KeyEnter,
		Text: l.enterText,
		Do:   l.open,
	}
	return enter.When(l.exist, none)
}

// enterText says what the enter key does.
func (l *Screen) enterText() (word, help string) {
	if l.exist() && len(l.marked) > 1 {
		return "compare", "compare the marked runs"
	}
	return l.openText()
}

// openText says what opening the selected run does.
func (l *Screen) openText() (word, help string) {
	switch {
	case !l.exist():
		return "open", "look at this run"
	case follows(l.session, l.selected()):
		return "follow", "watch another process compute this run"
	}
	return openText(l.selected())
}

// lead returns the command of the key that leads through the program, for the selected run: what it starts here is what one
// sees, not the configuration on another screen. While something runs, and where there are no runs, it does what it does
// everywhere.
func (l *Screen) lead() ui.Command {
	return ui.Command{
		Key:  ui.KeyRun,
		Text: l.openText,
		If:   func() bool { return l.exist() && l.leads() },
		Do:   l.openSelected,
	}
}

// leads reports whether the key that leads through the program is about a run here, because nothing runs that it could show.
func (l *Screen) leads() bool { return !l.session.Runner.Busy() }

// open compares the marked runs, or else watches or opens the selected one.
func (l *Screen) open() tea.Cmd {
	if len(l.marked) > 1 {
		return l.compare()
	}
	return l.openSelected()
}

// openSelected watches or opens the selected run.
func (l *Screen) openSelected() tea.Cmd {
	e := l.selected()
	if follows(l.session, e) {
		return l.watch(e)
	}
	return l.session.Runner.Open(e)
}

// openText says that a key opens a run, or resumes it.
func openText(e store.Entry) (word, help string) {
	if session.CanContinue(e) {
		return "continue", "resume this run"
	}
	return "open", "look at this run"
}

// compare reads the marked runs, and shows them next to each other.
func (l *Screen) compare() tea.Cmd {
	paths := slices.Clone(l.marked)
	return func() tea.Msg {
		c, err := compare.Compare(context.Background(), paths) // the end of the program does not wait for it
		return compared{
			paths: paths,
			of:    c,
			err:   err,
		}
	}
}

// compared shows a comparison, if it is still that of the marked runs.
func (l *Screen) compared(msg compared) {
	switch {
	case msg.err != nil:
		l.session.Complain(msg.err.Error())
	case l.session.Shown() == l.Name() && slices.Equal(msg.paths, l.marked):
		l.over = newComparison(msg.of)
	}
}

// watch shows the progress of a run of other processes.
func (l *Screen) watch(e store.Entry) tea.Cmd {
	w := newWatching(l, e)
	l.over = w
	return l.read(w, 0)
}

// read repeats the reading of a run while it is shown and may change.
func (l *Screen) read(w *watching, after time.Duration) tea.Cmd {
	path := w.now.run.Path
	return tea.Tick(after, func(now time.Time) tea.Msg {
		r := reading{
			run: store.NewEntry(path),
			at:  now,
		}
		if r.run.Fault == nil {
			r.newest = engine.Newest(context.Background(), path)
		}
		return observed{by: w, now: r}
	})
}

// observed shows the state of a run that is watched, and looks at it again until it is complete.
func (l *Screen) observed(msg observed) tea.Cmd {
	if l.over != msg.by {
		return nil
	}
	msg.by.take(msg.now)
	run := msg.now.run
	if run.Fault == nil && run.Run.Complete() {
		return l.session.Runs.Read()
	}
	return l.read(msg.by, time.Second)
}

// selected returns the selected run; there must be one.
func (l *Screen) selected() store.Entry {
	return l.shown[min(l.at.Line, len(l.shown)-1)]
}

// mark toggles the mark of the selected run and selects the next one.
func (l *Screen) mark() {
	path := l.selected().Path
	i := slices.Index(l.marked, path)
	if i >= 0 {
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
	words := func(e store.Entry) string {
		return strings.Join([]string{e.Name, e.From, e.Method, e.State, e.Note}, " ")
	}
	l.shown = page.Chosen(l.at, l.from.List, words)
	store.Sort(l.shown, store.Orders()[l.order])
	if l.order == 0 { // unless another order is asked for
		slices.SortStableFunc(l.shown, byAttention)
	}
	selected := indexOf(l.shown, path)
	if selected >= 0 {
		l.at.Line = selected
	}
	l.at.Keep(len(l.shown))
	isDeleted := func(path string) bool { return indexOf(l.from.List, path) < 0 }
	l.marked = slices.DeleteFunc(l.marked, isDeleted)
}

// indexOf returns the index of the run of a path; negative if there is none.
func indexOf(list []store.Entry, path string) int {
	return slices.IndexFunc(list, func(e store.Entry) bool { return e.Path == path })
}

// byAttention orders runs by how much they want attention: those that go on, those that were interrupted, the others.
func byAttention(a, b store.Entry) int {
	rank := func(e store.Entry) int {
		switch {
		case e.Fault != nil || e.Run.Complete():
			return 2
		case e.Holder != nil:
			return 0
		}
		return 1
	}
	return rank(a) - rank(b)
}

// note asks for a note.
func (l *Screen) note() tea.Cmd {
	e := l.selected()
	try := func(_ context.Context, text string, _ bool) (func() tea.Cmd, error) {
		return func() tea.Cmd { return l.session.Runs.Annotate(e, text) }, nil
	}
	line := ui.Line{
		Title: "note about " + e.Name,
		Verb:  "done",
		Try:   try,
	}
	return line.Ask(l.dialogs, e.Note)
}

// Hear handles the messages of this screen, and what a session asks it for.
func (l *Screen) Hear(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Followed:
		return l.watch(msg.Run)
	case lingered:
		return l.lingered(msg)
	case looked:
		l.looked(msg)
	case compared:
		l.compared(msg)
	case observed:
		return l.observed(msg)
	}
	return nil
}

// Update follows the stored runs.
func (l *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case ui.Enter:
		l.over = nil
		l.at.All()
		return l.session.Runs.Read()
	case ui.Leave: // it is not shown any more
		l.over = nil
	}
	now := l.session.Runs.Known()
	words := l.at.Words()
	isNew := !now.At.Equal(l.from.At)
	if isNew || !slices.Equal(words, l.words) {
		l.from = now
		l.words = words
		l.arrange()
	}
	return l.look()
}

// Arrange lays out the page over the table, if there is one. The table has no layout of its own.
func (l *Screen) Arrange(c ui.Canvas) {
	l.on = c
	if l.over != nil {
		l.over.Arrange(c)
	}
}

// Page returns the table with all columns, or the page over it.
func (l *Screen) Page() report.Page {
	if l.over != nil {
		return l.over.Page()
	}
	rows := words.RunRows(words.RunColumns, l.shown, l.from.At)
	table := report.Table{
		Title:  "runs",
		Header: rows[0],
		Rows:   rows[1:],
	}
	return report.Page{
		Name:   l.Name(),
		Tables: []report.Table{table},
	}
}
