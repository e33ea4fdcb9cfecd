// Package screen is the interface: four screens (configure, generate, train, evaluate) around one experiment. The root
// model owns the header, the footer, the size, and the job that computes; the screens say what they show and what can
// be asked of them.
package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/model/experiment"
	"rfm/tui/keys"
	"rfm/tui/theme"
)

// Options are what the interface starts with.
type Options struct {
	Config  config.Config
	Workers int    // 0 is one for each core
	Runs    string // directory for stored runs; empty if runs are not stored
	Name    string // name of the first stored run; empty for a name made of date and problem
	Theme   theme.Options
}

// Smallest terminal that can show everything.
const (
	MinWidth  = 60
	MinHeight = 15
)

// A step is one of the four screens.
type step int

const (
	configuring step = iota
	generating
	training
	evaluating
	steps
)

var stepNames = [steps]string{"configure", "generate", "train", "evaluate"}

// session is what the screens share. Only the root's Update changes it.
type session struct {
	options    Options
	theme      theme.Theme
	config     config.Config          // as edited
	base       config.Config          // as the preset or file has it
	source     string                 // name of that preset; empty for another source
	experiment *experiment.Experiment // the one that is computed or shown; nil before the first
	reached    step                   // last step of experiment that is complete; configuring if none is
	job        *job                   // what computes; nil if nothing does
	failure    error                  // how the last job ended, if not well
	stored     string                 // directory of the stored run
	rates      *experiment.Rates      // speed of this machine, once measured
}

// A view is one of the four screens.
type view interface {
	// actions lists what can be asked of the screen now besides Accept, the most important first.
	actions(s *session) []keys.Action
	// do carries out one of them. The root has carried out its own before.
	do(s *session, action keys.Action)
	// render draws at most height lines of at most width cells.
	render(s *session, width, height int) string
}

// Model is the root of the interface.
type Model struct {
	session       session
	width, height int
	visible       step
	views         [steps]view
	configure     *configure
	auto          bool // go on to the next step without waiting
	help          bool
	asking        bool // whether to leave although a step runs
	generation    int  // of the newest job; messages of older ones are dropped
}

// New makes the interface; it computes nothing yet.
func New(o Options) *Model {
	c := newConfigure()
	m := &Model{configure: c, views: [steps]view{c, &generate{}, &train{}, &evaluate{}}}
	m.session = session{options: o, theme: theme.New(o.Theme), config: o.Config, base: o.Config}
	for _, p := range config.Presets() {
		if p.Config == o.Config {
			m.session.source = p.Name
		}
	}
	return m
}

// ratesMsg brings the measured speed of the machine.
type ratesMsg struct{ rates experiment.Rates }

// Init asks the terminal for its background and measures the machine.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, func() tea.Msg { return ratesMsg{experiment.MeasureRates()} })
}

// Update handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	s := &m.session
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.setTheme(func(o *theme.Options) { o.Light = !msg.IsDark() })
	case tea.ColorProfileMsg:
		m.setTheme(func(o *theme.Options) { o.NoColor = o.NoColor || msg.Profile <= colorprofile.ASCII })
	case ratesMsg:
		s.rates = &msg.rates
	case pollMsg:
		if s.job != nil && msg.generation == m.generation {
			return m, s.job.poll()
		}
	case doneMsg:
		if msg.generation == m.generation {
			return m, m.finish(msg)
		}
	case tea.KeyPressMsg:
		return m, m.press(msg)
	case tea.PasteMsg:
		m.configure.edit(s, msg)
	}
	return m, nil
}

func (m *Model) setTheme(change func(*theme.Options)) {
	o := m.session.theme.Options
	change(&o)
	m.session.theme = theme.New(o)
}

// press handles a key: first the questions that are open, then editing, then the table of keys.
func (m *Model) press(msg tea.KeyPressMsg) tea.Cmd {
	s := &m.session
	action := keys.Lookup(msg.String())
	if m.asking {
		m.asking = false
		if action == keys.Quit || msg.String() == "y" {
			return m.quit()
		}
		return nil
	}
	if action == keys.Kill {
		return m.quit()
	}
	if m.help {
		m.help = false
		return nil
	}
	if m.visible == configuring && m.configure.editing() {
		m.configure.edit(s, msg)
		return nil
	}
	for _, valid := range m.actions() {
		if valid == action {
			return m.do(action)
		}
	}
	return nil
}

// actions lists what is valid now: the screen's own, then the root's.
func (m *Model) actions() []keys.Action {
	if m.visible == configuring && m.configure.editing() {
		return m.configure.actions(&m.session)
	}
	var list []keys.Action
	running := m.session.job != nil
	if !running && (m.next() < steps || m.visible < evaluating) {
		list = append(list, keys.Accept)
	}
	list = append(list, m.views[m.visible].actions(&m.session)...)
	if running {
		list = append(list, keys.Cancel)
	} else if m.next() < steps {
		list = append(list, keys.Auto)
	}
	list = append(list, keys.Help, keys.Quit, keys.NextStep, keys.PreviousStep, keys.Step1)
	for i, action := range []keys.Action{keys.Step2, keys.Step3, keys.Step4} {
		if m.open(generating + step(i)) {
			list = append(list, action)
		}
	}
	return list
}

// open says whether a step has something to show.
func (m *Model) open(s step) bool {
	if s == configuring {
		return true
	}
	return m.session.experiment != nil && (s <= m.session.reached || m.session.job != nil && s <= m.session.job.step)
}

// next is the step that Accept starts: the one after the last complete one, or the first again if the configuration
// has changed. It is steps if all are complete.
func (m *Model) next() step {
	s := &m.session
	if s.experiment == nil || s.experiment.Config != s.config {
		return generating
	}
	return s.reached + 1
}

func (m *Model) do(action keys.Action) tea.Cmd {
	s := &m.session
	switch action {
	case keys.Help:
		m.help = true
	case keys.Quit:
		if s.job == nil {
			return m.quit()
		}
		m.asking = true
	case keys.Cancel:
		s.job.cancel()
	case keys.Auto:
		m.auto = true
		return m.start(m.next())
	case keys.NextStep, keys.PreviousStep:
		direction := 1
		if action == keys.PreviousStep {
			direction = int(steps) - 1
		}
		for {
			m.visible = (m.visible + step(direction)) % steps
			if m.open(m.visible) {
				return nil
			}
		}
	case keys.Step1, keys.Step2, keys.Step3, keys.Step4:
		m.visible = step(action - keys.Step1)
	case keys.Accept:
		if m.visible == configuring && m.configure.acceptEdits() {
			m.configure.do(s, action)
			return nil
		}
		if next := m.next(); next < steps {
			m.auto = false
			return m.start(next)
		}
		m.visible = min(m.visible+1, evaluating)
	default:
		m.views[m.visible].do(s, action)
	}
	return nil
}

// start begins a step and shows it.
func (m *Model) start(next step) tea.Cmd {
	s := &m.session
	if s.job != nil {
		return nil
	}
	if next == generating {
		e, err := experiment.New(s.config, experiment.Options{Workers: s.options.Workers})
		if err != nil {
			m.visible, m.auto = configuring, false // that screen says what is wrong
			return nil
		}
		if s.experiment != nil {
			e.Reuse(s.experiment)
		}
		s.experiment, s.reached, s.stored = e, configuring, ""
	}
	m.visible = next
	s.failure = nil
	m.generation++
	s.job = startJob(m.generation, next, s)
	return tea.Batch(s.job.poll(), s.job.wait())
}

// finish takes note of a job's end and goes on if nobody wants to wait.
func (m *Model) finish(msg doneMsg) tea.Cmd {
	s := &m.session
	done := s.job.step
	s.job = nil
	s.failure = msg.err
	if msg.stored != "" {
		s.stored = msg.stored
		s.options.Name = "" // taken
	}
	if msg.err != nil && !msg.complete {
		m.auto = false
		return nil
	}
	s.reached = done
	if m.auto && done < evaluating {
		return m.start(done + 1)
	}
	m.auto = false
	return nil
}

func (m *Model) quit() tea.Cmd {
	if m.session.job != nil {
		m.session.job.cancel()
	}
	return tea.Quit
}

// Epilogue is what remains to be said on the normal screen after the interface has been left: the result and where it
// is stored, or nothing.
func (m *Model) Epilogue() string {
	s := &m.session
	if s.experiment == nil || s.reached < evaluating {
		return ""
	}
	e := s.experiment
	text := fmt.Sprintf("%s: expected relative test error %.6f, seed %d", describe(e.Config), e.Evaluation().Test.ExpectedRelative, e.Config.Seed)
	if s.stored != "" {
		text += "\nstored in " + s.stored
	}
	return text
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.WindowTitle = "rfm"
	return v
}

func (m *Model) content() string {
	if m.width == 0 || m.height == 0 {
		return ""
	}
	if m.width < MinWidth || m.height < MinHeight {
		return fit(fmt.Sprintf("rfm needs a terminal of at least %dx%d, this one has %dx%d", MinWidth, MinHeight, m.width, m.height), m.width, m.height)
	}
	header, footer := m.header(), m.footer()
	height := m.height - lipgloss.Height(header) - lipgloss.Height(footer)
	var body string
	if m.help {
		body = m.helpPage(m.width, height)
	} else {
		message := m.message()
		if message != "" {
			height -= lipgloss.Height(message)
		}
		body = fit(m.views[m.visible].render(&m.session, m.width, height), m.width, height)
		if message != "" {
			body += "\n" + message
		}
	}
	return header + "\n" + fit(body, m.width, m.height-lipgloss.Height(header)-lipgloss.Height(footer)) + "\n" + footer
}

// header names the steps, the current one marked, and the experiment.
func (m *Model) header() string {
	s, th := &m.session, m.session.theme
	var parts []string
	for i := range steps {
		label := fmt.Sprintf("%d %s", i+1, stepNames[i])
		done := s.experiment != nil && s.experiment.Config == s.config && i <= s.reached && i > configuring
		switch {
		case i == m.visible:
			parts = append(parts, th.StepCurrent.Render(string(th.Glyphs.Current)+" "+label))
		case done || i == configuring && s.reached > configuring:
			parts = append(parts, th.StepDone.Render(string(th.Glyphs.Done)+" "+label))
		default:
			parts = append(parts, th.StepTodo.Render(string(th.Glyphs.Todo)+" "+label))
		}
	}
	left := " " + strings.Join(parts, "  ")
	name := describe(s.config)
	if m.visible != configuring && s.experiment != nil {
		name = describe(s.experiment.Config)
	}
	right := th.Muted.Render(name) + " "
	line := left
	if gap := m.width - lipgloss.Width(left) - lipgloss.Width(right); gap >= 2 {
		line += strings.Repeat(" ", gap) + right
	}
	line = ansi.Truncate(line, m.width, "")
	if m.height < roomy {
		return line
	}
	return line + "\n" + th.Border.Render(strings.Repeat(string(th.Glyphs.Horizontal), m.width))
}

// roomy is the height from which decoration is affordable.
const roomy = 20

// describe is a configuration in a few words.
func describe(c config.Config) string {
	return fmt.Sprintf("%s n=%d m=%d K=%d", c.Problem, c.Data.Train, c.Features.Count, c.Train.Grid)
}

// message is what has to be said now: a question, an error, a hint.
func (m *Model) message() string {
	s, th := &m.session, m.session.theme
	switch {
	case m.asking:
		return ansi.Truncate(th.Warn.Render(" A step is running. Press q again to cancel it and leave, any other key to stay."), m.width, "")
	case s.failure != nil:
		text := strings.ReplaceAll(s.failure.Error(), "\n", "; ")
		style, mark := th.Bad, th.Glyphs.Cross
		if isCancelled(s.failure) {
			text, style = "cancelled; enter starts this step again", th.Warn
		}
		lines := strings.Split(ansi.Wrap(string(mark)+" "+text, m.width-2, ""), "\n")
		for i := range lines {
			lines[i] = " " + style.Render(lines[i])
		}
		return strings.Join(lines[:min(len(lines), 4)], "\n")
	}
	return ""
}

// footer shows the keys that are valid now, as many as fit.
func (m *Model) footer() string {
	th := m.session.theme
	line := ""
	for _, action := range m.actions() {
		if action >= keys.NextStep && action <= keys.Step4 {
			continue // the header shows the digits
		}
		b := keys.Of(action)
		desc := b.Desc
		if action == keys.Accept {
			desc = m.acceptDesc()
		}
		item := " " + th.Key.Render(b.Show) + " " + th.Desc.Render(desc) + " "
		if lipgloss.Width(line)+lipgloss.Width(item) > m.width {
			break
		}
		line += item
	}
	return line
}

// acceptDesc says what the enter key does now.
func (m *Model) acceptDesc() string {
	switch {
	case m.visible == configuring && m.configure.editing():
		return "keep"
	case m.visible == configuring && m.configure.acceptEdits():
		return "edit"
	case m.next() < steps:
		return stepNames[m.next()]
	}
	return "next step"
}

// fit cuts and pads text to at most width cells and exactly height lines.
func fit(text string, width, height int) string {
	lines := strings.Split(text, "\n")
	if len(lines) > height {
		lines = lines[:height]
	}
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "")
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return strings.Join(lines, "\n")
}

// beside puts blocks next to each other, the first ones padded to their widths, with a gap.
func beside(height int, gap string, left string, leftWidth int, right string) string {
	a, b := strings.Split(left, "\n"), strings.Split(right, "\n")
	lines := make([]string, height)
	for i := range lines {
		l, r := "", ""
		if i < len(a) {
			l = ansi.Truncate(a[i], leftWidth, "")
		}
		if i < len(b) {
			r = b[i]
		}
		lines[i] = l + strings.Repeat(" ", max(0, leftWidth-lipgloss.Width(l))) + gap + r
	}
	return strings.Join(lines, "\n")
}
