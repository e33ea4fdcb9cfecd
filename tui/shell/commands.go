package shell

import (
	"fmt"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/solver/base/printable"
	"rfm/tui/layout"
	"rfm/tui/session"
	"rfm/tui/ui"
)

// press handles a key: an open dialog takes it, else it is a command.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	key := ui.LookupKey(msg.String())
	if layout.TooSmall(m.width, m.height) {
		return m.pressUnseen(key)
	}
	m.session.Say("")
	switch key {
	case ui.KeyKill:
		return m.quit()
	case ui.KeySuspend: // also below a dialog
		return m.carryOut(key)
	}
	m.session.Runner.Acknowledge(key == ui.KeyCancel)
	top := m.dialogs.Top()
	if top != nil {
		o, _ := ui.Find(top.Commands(), key)
		switch {
		case o.Do == nil:
			return top.Update(msg)
		case o.Why != "":
			return nil
		}
		return o.Do()
	}
	if ui.BeginsNumber(msg.Text) {
		if o, ok := ui.Find(m.below(), ui.KeyDigit); ok {
			return m.typeNumber(o, msg)
		}
	}
	return m.carryOut(key)
}

// typeNumber carries out a command that opens a dialog for a number, and gives it the first character.
func (m *Model) typeNumber(o ui.Offer, first tea.KeyPressMsg) tea.Cmd {
	opened := o.Do()
	top := m.dialogs.Top()
	if top != nil {
		return tea.Batch(opened, top.Update(first))
	}
	return opened
}

// pressUnseen handles a key on a terminal that is too small to show what it would do: only leaving is possible, and that
// without a question.
func (m *Model) pressUnseen(key ui.Key) tea.Cmd {
	if key == ui.KeyKill || key == ui.KeyQuit && !m.atStake() {
		return m.quit()
	}
	return nil
}

// carryOut carries out the command of a key, or reports why it is not available.
func (m *Model) carryOut(key ui.Key) tea.Cmd {
	o, ok := ui.Find(m.below(), key)
	switch {
	case !ok:
		why := printable.Line(key.String()) + " does nothing here: " + m.suggestions()
		m.refused = ui.Offer{Key: key, Why: why}
		m.session.Complain(why)
	case o.Why == "":
		return o.Do()
	case key != ui.KeyCancel: // the most harmless of all keys
		m.refused = o
		m.session.Complain(o.Why)
	}
	return nil
}

// suggestions names the keys that lead on, and the key that lists all.
func (m *Model) suggestions() string {
	text := ""
	for _, key := range []ui.Key{ui.KeyEnter, ui.KeyRun} {
		o, _ := ui.Find(m.below(), key)
		if o.Word != "" && o.Why == "" {
			text += fmt.Sprintf("%s %s, ", key, o.Word)
		}
	}
	return text + "? lists the keys"
}

// Commands returns the commands that count now: of the open dialog, else of the active screen and then of all.
func (m *Model) Commands() []ui.Command {
	top := m.dialogs.Top()
	if top != nil {
		return top.Commands()
	}
	return m.below()
}

// below returns the commands without a dialog: those of the active screen, before them the keys that lead onward unless it
// has them, and then those of every screen.
func (m *Model) below() []ui.Command {
	own := m.visible.Commands()
	var list []ui.Command
	for _, c := range m.leads {
		_, taken := ui.Find(own, c.Key)
		if !taken {
			list = append(list, c)
		}
	}
	return slices.Concat(list, own, m.common)
}

// newLeads returns the commands that lead onward: one key leads through the program, it runs the configuration, then shows
// the job that runs, the result, and the configuration again; another one advances the experiment by a stage.
func (m *Model) newLeads() []ui.Command {
	s := m.session
	run := ui.Command{
		Key:  ui.KeyRun,
		Text: m.runText,
		If:   func() bool { return m.lead() == toRun },
		Why:  s.Runner.Occupied,
		Do:   func() tea.Cmd { return s.Runner.Begin(true) },
	}
	watch := ui.Command{
		Key:  ui.KeyRun,
		Text: func() (word, help string) { return "watch", "show " + s.Runner.Place() + ", which runs" },
		If:   func() bool { return m.lead() == toJob },
		Do:   func() tea.Cmd { return m.show(s.Runner.Place()) },
	}
	results := ui.Command{
		Key:  ui.KeyRun,
		Word: "results",
		Help: "show the results",
		If:   func() bool { return m.lead() == toResults },
		Do:   func() tea.Cmd { return m.show(session.ResultsPage) },
	}
	change := ui.Command{
		Key:  ui.KeyRun,
		Word: "change",
		Help: "change the configuration, for another run",
		If:   func() bool { return m.lead() == toChange },
		Do:   func() tea.Cmd { return m.show(session.ConfigurePage) },
	}
	step := ui.Command{
		Key:  ui.KeyEnter,
		Text: m.stepText,
		If:   m.hasStep,
		Why:  s.Runner.Occupied,
		Do:   func() tea.Cmd { return s.Runner.Begin(false) },
	}
	return []ui.Command{run, watch, results, change, step}
}

// A lead is what the key that leads through the program does.
type lead int

const (
	toRun     lead = iota // runs the configuration
	toJob                 // shows the job that runs
	toResults             // shows the results
	toChange              // shows the configuration
)

// lead returns what the key that leads through the program does now.
func (m *Model) lead() lead {
	r := m.session.Runner
	at := m.visible.Name()
	isComplete := r.Next() > session.Evaluate
	switch {
	case r.Busy() && r.Preparing() && at == session.ConfigurePage:
		return toRun
	case r.Busy() && !r.Preparing() && at != r.Place():
		return toJob
	case r.Busy():
		return toChange
	case isComplete && at != session.ResultsPage:
		return toResults
	case isComplete:
		return toChange
	}
	return toRun
}

// runText says that a key runs the configuration and what that costs, or that it leads to what is wrong with it.
func (m *Model) runText() (word, help string) {
	s := m.session
	wrong := s.Draft.Fault()
	if wrong != nil {
		return remedy(wrong)
	}
	word = "run"
	if s.Runner.Next() == session.Generate {
		price, known := s.Price()
		if known {
			word = "run (" + price + ")"
		}
	}
	return word, "run all remaining steps"
}

// hasStep reports whether a key of this screen advances the experiment by a stage.
func (m *Model) hasStep() bool {
	at := m.visible.Name()
	_, ofExperiment := session.LastOf(at)
	isForm := at == session.ConfigurePage // where the key acts on the selected line
	return ofExperiment && !isForm && m.session.Runner.Next() <= session.Evaluate
}

// stepText names the next stage, or says that the key leads to what is wrong with the configuration.
func (m *Model) stepText() (word, help string) {
	next := m.session.Runner.Next()
	wrong := m.session.Draft.Fault()
	if next == session.Generate && wrong != nil {
		return remedy(wrong)
	}
	return next.String(), "start the next step, " + next.String()
}

// remedy returns the word and the help of a key that leads to a wrong setting instead of starting something.
func remedy(wrong *config.Error) (word, help string) {
	if wrong.Value == "" {
		return "fill in", "go to the setting that has no value yet"
	}
	return "correct", "go to the invalid setting"
}

// newCommon returns the commands of every screen.
func (m *Model) newCommon() []ui.Command {
	stop := ui.Command{
		Key:  ui.KeyCancel,
		Word: "stop",
		Help: "stop the running step; finished work is kept",
		Do:   ui.Now(m.session.Runner.Cancel),
	}
	quit := ui.Command{
		Key:  ui.KeyQuit,
		Word: "quit",
		Help: "leave; asks first while something runs or is not saved",
		Do:   m.leave,
	}
	suspend := ui.Command{
		Key:  ui.KeySuspend,
		Help: "suspend; fg resumes",
		Do:   func() tea.Cmd { return tea.Suspend },
	}
	kill := ui.Command{
		Key:  ui.KeyKill,
		Word: "leave",
		Help: "leave at once and stop the running step",
		Do:   m.quit,
	}
	suspends := func() bool { return m.options.Suspends }
	list := []ui.Command{stop.When(m.session.Runner.Working, "nothing is running")}
	list = append(list, m.drawing()...)
	list = append(list, m.finding()...)
	list = append(list, quit)
	list = append(list, m.showing()...)
	return append(list, suspend.When(suspends, "no shell waits behind this terminal"), kill)
}

// drawing returns the commands that write the pictures of a screen, or draw them in another way.
func (m *Model) drawing() []ui.Command {
	return []ui.Command{
		{
			Key:  ui.KeyExport,
			Word: "export",
			Help: "write the shown data as CSV and the plots as SVG",
			Do:   m.export,
		},
		{
			Key:  ui.KeyLog,
			Word: "log",
			Help: "logarithmic or linear vertical axis of all plots that allow it",
			Do:   ui.Now(func() { m.theme.Log = !m.theme.Log }),
		},
		{
			Key:  ui.KeyZoom,
			Word: "zoom",
			Help: "show one picture on the whole screen, or all again",
			Do:   ui.Now(func() { m.theme.Zoom = !m.theme.Zoom }),
		},
	}
}

// finding returns the commands that list or find commands and terms.
func (m *Model) finding() []ui.Command {
	return []ui.Command{
		{
			Key:  ui.KeyPalette,
			Word: "find",
			Help: "find a command or a term by its words",
			Do:   ui.Now(func() { m.help(true) }),
		},
		{
			Key:  ui.KeyHelp,
			Word: "help",
			Help: "all commands with their keys, and the terms on the screen",
			Do:   ui.Now(func() { m.help(false) }),
		},
	}
}

// showing returns the commands that show the screens, by the digits of their places in the header.
func (m *Model) showing() []ui.Command {
	var list []ui.Command
	for i, screen := range m.Screens {
		name := screen.Name()
		show := ui.Command{
			Key:  ui.Key(strconv.Itoa(i + 1)),
			Help: "show " + name,
			Why:  func() string { return m.emptiness(name) },
			Do:   func() tea.Cmd { return m.show(name) },
		}
		switch name {
		case session.RunsPage:
			show.Word = "runs"
			show.Help = "stored runs, to look at or to resume"
		case session.TourPage:
			show.Key = ui.KeyTour
			show.Help = "the demo, a guided tour; then back here"
			show.Why = m.session.Runner.Occupied
		}
		list = append(list, show)
	}
	return list
}

// emptiness says why a screen has nothing to show; empty if it has something.
func (m *Model) emptiness(screen string) string {
	r := m.session.Runner
	runs := m.session.Runs.Known()
	isUnread := runs.At.IsZero() && m.session.Options().Runs != ""
	switch {
	case screen == session.RunsPage && isUnread:
		return "the stored runs are still being read"
	case screen == session.RunsPage && len(runs.List) == 0:
		return "no run is stored yet"
	case r.Has(screen):
		return ""
	}
	until := ui.KeyRun.String() + " on configure runs all steps"
	stage := r.RunningStage()
	if stage != session.None {
		until = stage.String() + " is running"
	}
	return fmt.Sprintf("nothing to show yet on %s: %s", screen, until)
}

// busy reports whether a job runs that leaving would stop.
func (m *Model) busy() bool {
	return m.session.Runner.State() == session.Running && m.session.Runner.Busy()
}

// atStake reports whether leaving would lose something.
func (m *Model) atStake() bool {
	return m.busy() || m.session.Unsaved()
}

// leave quits, or asks first if something would be lost.
func (m *Model) leave() tea.Cmd {
	if m.atStake() {
		m.dialogs.Open(newLeaving(m))
		return nil
	}
	return m.quit()
}
