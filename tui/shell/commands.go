package shell

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/show/report"
	"rfm/solver/base/printable"
	"rfm/tui/dialog"
	"rfm/tui/keys"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// press handles a key: an open dialog takes it, else it is a command.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	key := keys.Lookup(msg.String())
	if layout.TooSmall(m.width, m.height) {
		return m.pressUnseen(key)
	}
	m.session.Say("")
	switch key {
	case keys.Kill:
		return m.quit()
	case keys.Suspend: // also below a dialog
		return m.carryOut(key)
	}
	m.session.Runner.Acknowledge(key == keys.Cancel)
	top := m.dialogs.Top()
	if top != nil {
		c, _ := ui.Find(top.Commands(), key)
		if c.Do == nil {
			return top.Update(msg)
		}
	}
	if top == nil && keys.Begins(msg.Text) {
		if c, ok := ui.Find(m.own(), keys.Digit); ok {
			return m.typeNumber(c, msg)
		}
	}
	return m.dialogs.Do(key)
}

// typeNumber runs a command that opens a dialog for a number, and gives it the first character.
func (m *Model) typeNumber(c ui.Command, first tea.KeyPressMsg) tea.Cmd {
	opened := c.Do()
	if top := m.dialogs.Top(); top != nil {
		return tea.Batch(opened, top.Update(first))
	}
	return opened
}

// pressUnseen handles a key on a terminal that is too small to show what it would do: only leaving is possible, and that
// without a question.
func (m *Model) pressUnseen(key keys.Key) tea.Cmd {
	if key == keys.Kill || key == keys.Quit && !m.atStake() {
		return m.quit()
	}
	return nil
}

// carryOut runs the command of a key, or reports why it is not available.
func (m *Model) carryOut(key keys.Key) tea.Cmd {
	list := m.below()
	c, ok := ui.Find(list, key)
	switch {
	case !ok:
		m.session.Complain(printable.Line(key.String()) + " does nothing here: " + suggestions(list))
	case c.Why == "":
		return c.Do()
	case key != keys.Cancel: // the most harmless of all keys
		m.refused = c
		m.session.Complain(c.Why)
	}
	return nil
}

// suggestions names the keys that lead on, of a list of commands, and the key that lists all.
func suggestions(list []ui.Command) string {
	text := ""
	for _, key := range []keys.Key{keys.Enter, keys.Run} {
		c, _ := ui.Find(list, key)
		if c.Word != "" && c.Why == "" {
			text += fmt.Sprintf("%s %s, ", key, c.Word)
		}
	}
	return text + "? lists the keys"
}

// tour is the name of the screen of the guided tour, which has no place in the header.
const tour = "demo"

// Commands returns the commands that count now: of the open dialog, else of the active screen and then of all.
func (m *Model) Commands() []ui.Command {
	if top := m.dialogs.Top(); top != nil {
		return top.Commands()
	}
	return m.below()
}

// below returns the commands without a dialog.
func (m *Model) below() []ui.Command { return append(m.own(), m.common()...) }

// own returns the commands of the active screen, before them the keys that lead onward unless it has them.
func (m *Model) own() []ui.Command {
	own := m.visible.Commands(m.room())
	for _, c := range []ui.Command{m.step(), m.onward()} {
		if _, taken := ui.Find(own, c.Key); !taken && c.Word != "" {
			own = slices.Insert(own, 0, c)
		}
	}
	return own
}

// step returns the command that advances the experiment by a stage.
func (m *Model) step() ui.Command {
	s := m.session
	next := s.Runner.Next()
	c := ui.Command{
		Key: keys.Enter,
		Why: s.Runner.Occupied(),
		Do:  func() tea.Cmd { return s.Runner.Begin(false) },
	}
	_, ofExperiment := session.LastOf(m.visible.Name())
	switch {
	case !ofExperiment:
	case next == session.Generate && s.Draft.Fault() != nil:
		c.Word, c.Help = remedy(s.Draft.Fault())
	case next <= session.Evaluate:
		c.Word = next.String()
		c.Help = "start the next step, " + next.String()
	}
	return c
}

// onward returns the command of the key that leads through the program: it runs the configuration, then shows the job
// that runs, the result, and the configuration again.
func (m *Model) onward() ui.Command {
	s := m.session
	at := m.visible.Name()
	complete := s.Runner.Next() > session.Evaluate
	switch {
	case s.Runner.Busy() && s.Runner.Preparing() && at == session.ConfigurePage:
		return m.running()
	case s.Runner.Busy() && !s.Runner.Preparing() && at != s.Runner.Place():
		return m.leadTo(s.Runner.Place(), "watch", "show "+s.Runner.Place()+", which runs")
	case s.Runner.Busy():
		return m.leadToChange()
	case complete && at != session.ResultsPage:
		return m.leadTo(session.ResultsPage, "results", "show the results")
	case complete:
		return m.leadToChange()
	}
	return m.running()
}

// running returns the command that runs the configuration, or leads to what is wrong with it.
func (m *Model) running() ui.Command {
	s := m.session
	run := ui.Command{
		Key:  keys.Run,
		Word: "run",
		Help: "run all remaining steps",
		Why:  s.Runner.Occupied(),
		Do:   func() tea.Cmd { return s.Runner.Begin(true) },
	}
	switch {
	case s.Draft.Fault() != nil:
		run.Word, run.Help = remedy(s.Draft.Fault())
	case s.Runner.Next() == session.Generate:
		seconds, known := s.Price()
		if known {
			run.Word = "run (" + report.Duration(seconds) + ")"
		}
	}
	return run
}

// leadToChange returns the command that leads back to the configuration.
func (m *Model) leadToChange() ui.Command {
	return m.leadTo(session.ConfigurePage, "change", "change the configuration, for another run")
}

// leadTo returns the command of the key that leads through the program, if that is to show a screen.
func (m *Model) leadTo(screen, word, help string) ui.Command {
	return ui.Command{
		Key:  keys.Run,
		Word: word,
		Help: help,
		Do:   func() tea.Cmd { return m.show(screen) },
	}
}

// remedy returns the word and the help of a key that leads to a wrong setting instead of starting something.
func remedy(wrong *config.Error) (word, help string) {
	if wrong.Value == "" {
		return "fill in", "go to the setting that has no value yet"
	}
	return "correct", "go to the invalid setting"
}

// common returns the commands of every screen.
func (m *Model) common() []ui.Command {
	stop := ui.Command{
		Key:  keys.Cancel,
		Word: "stop",
		Help: "stop the running step; finished work is kept",
		Do:   ui.Now(m.session.Runner.Cancel),
	}
	list := []ui.Command{stop.When(m.session.Runner.Working(), "nothing is running")}
	list = append(list, m.drawing()...)
	list = append(list, m.finding()...)
	list = append(list, ui.Command{
		Key:  keys.Quit,
		Word: "quit",
		Help: "leave; asks first while something runs or is not saved",
		Do:   m.leave,
	})
	for i, s := range m.Screens {
		list = append(list, m.showing(i, s.Name()))
	}
	suspend := ui.Command{
		Key:  keys.Suspend,
		Help: "suspend; fg resumes",
		Do:   func() tea.Cmd { return tea.Suspend },
	}
	kill := ui.Command{
		Key:  keys.Kill,
		Word: "leave",
		Help: "leave at once and stop the running step",
		Do:   m.quit,
	}
	return append(list, suspend.When(m.options.Suspends, "no shell waits behind this terminal"), kill)
}

// drawing returns the commands that write the pictures of a screen, or draw them in another way.
func (m *Model) drawing() []ui.Command {
	return []ui.Command{
		{
			Key:  keys.Export,
			Word: "export",
			Help: "write the shown data as CSV and the plots as SVG",
			Do:   m.export,
		},
		{
			Key:  keys.Log,
			Word: "log",
			Help: "logarithmic or linear vertical axis of all plots that allow it",
			Do:   ui.Now(func() { m.theme.Log = !m.theme.Log }),
		},
		{
			Key:  keys.Zoom,
			Word: "zoom",
			Help: "one picture fills the screen, v turns to the next; or all",
			Do:   ui.Now(func() { m.theme.Zoom = !m.theme.Zoom }),
		},
	}
}

// finding returns the commands that list or find commands and terms.
func (m *Model) finding() []ui.Command {
	return []ui.Command{
		{
			Key:  keys.Palette,
			Word: "find",
			Help: "find a command or a term by its words",
			Do:   ui.Now(func() { m.help(true) }),
		},
		{
			Key:  keys.Help,
			Word: "help",
			Help: "all commands with their keys, and the terms on the screen",
			Do:   ui.Now(func() { m.help(false) }),
		},
	}
}

// showing returns the command that shows screen i.
func (m *Model) showing(i int, name string) ui.Command {
	show := ui.Command{
		Key:  keys.Key(strconv.Itoa(i + 1)),
		Help: "show " + name,
		Do:   func() tea.Cmd { return m.show(name) },
	}
	switch {
	case name == session.RunsPage:
		show.Word = "runs"
		show.Help = "stored runs, to look at or to resume"
		return show.When(len(m.session.Runs.Known().List) > 0, "no run is stored yet")
	case name == tour:
		show.Key = keys.Tour
		show.Help = "the demo, a guided tour; then back here"
		show.Why = m.session.Runner.Occupied()
		return show
	case m.session.Runner.Has(name):
		return show
	}
	until := keys.Run.String() + " on configure runs all steps"
	stage := m.session.Runner.RunningStage()
	if stage != session.None {
		until = stage.String() + " is running"
	}
	show.Why = fmt.Sprintf("nothing to show yet on %s: %s", name, until)
	return show
}

// busy reports whether a job runs that leaving would stop.
func (m *Model) busy() bool {
	return m.session.Runner.State() == session.Running && m.session.Runner.Busy()
}

// atStake reports whether leaving would lose something.
func (m *Model) atStake() bool { return m.busy() || m.session.Unsaved() }

// leave quits, or asks first if something would be lost.
func (m *Model) leave() tea.Cmd {
	if m.atStake() {
		m.dialogs.Open(&leaving{
			shell: m,
			busy:  m.busy(),
		})
		return nil
	}
	return m.quit()
}

// leaving is the dialog that asks whether to leave although something would be lost.
type leaving struct {
	shell *Model
	busy  bool // a job runs
}

// resumes reports whether a stage runs that another process can resume.
func (l *leaving) resumes() bool {
	return l.shell.session.Runner.RunningStage() != session.None && l.shell.session.Runner.Resumable()
}

// Commands implements ui.Dialog, as do Update and View.
func (l *leaving) Commands() []ui.Command {
	stay := ui.Command{
		Key:  "any other key",
		Word: "stays",
	}
	leave := l.leave(keys.Quit, "leave", false)
	if l.busy {
		leave.Word = "stop and leave"
	}
	list := []ui.Command{stay, leave, l.leave("y", "", false)}
	if l.resumes() {
		list = append(list, l.leave(keys.Stay, "leave it going", true))
	}
	return list
}

// leave returns a command that leaves, and lets another process continue the run if it is to go on.
func (l *leaving) leave(key keys.Key, word string, goesOn bool) ui.Command {
	do := func() tea.Cmd {
		l.shell.dialogs.Close(l)
		l.shell.background = goesOn
		return l.shell.quit()
	}
	return ui.Command{
		Key:  key,
		Word: word,
		Do:   do,
	}
}

func (l *leaving) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(tea.KeyPressMsg); ok {
		l.shell.dialogs.Close(l)
	}
	return nil
}

func (l *leaving) View(c ui.Canvas) string {
	text := "The configuration is changed and not saved."
	running := l.shell.session.Runner.Doing() + " is running"
	switch {
	case l.resumes():
		text = running + ": stop it, or let another process continue it?"
	case l.busy:
		text = running + ": stop it?"
	}
	width := min(c.Width-6, ansi.StringWidth(text))
	lines := layout.Styled(c.Theme.Warn, layout.Wrap(text, width))
	return dialog.Box(c.Theme, lines, width)
}
