// Package screen is the interface: four screens (configure, generate, train, evaluate) around one experiment, one for the
// figures and tables of the paper, and one that adapts the features to the data. The root model owns the header, the footer, the size, and the job that computes; the screens say what they show and what can
// be asked of them.
package screen

import (
	tea "charm.land/bubbletea/v2"

	"rfm/config"
	"rfm/model/machine"
	"rfm/tui/keys"
	"rfm/tui/look"
	"rfm/tui/theme"
)

// Options are what the interface starts with.
type Options struct {
	Config  config.Config
	Workers int    // 0 is one for each core
	Runs    string // directory for stored runs; empty if runs are not stored
	Name    string // name of the first stored run; empty for a name made of date and problem
	Theme   theme.Options

	Load  func(name string) (config.Config, error) // reads a preset or a configuration file; nil if none can be loaded
	Calm  bool                                     // reduced motion: what changes by itself changes twice a second at most
	Mouse bool                                     // take the mouse: the terminal's own selection then needs the shift key
}

// Smallest terminal that can show everything.
const (
	MinWidth  = 60
	MinHeight = 15
)

// A step is one of the screens: the steps of an experiment, in order, the paper, and the search for features.
type step int

const (
	configuring step = iota
	generating
	training
	evaluating
	steps     // of an experiment
	paperStep = steps
	tuneStep  = paperStep + 1
	screens   = tuneStep + 1
	comparing = screens // the job of a tab, which is no screen
)

var stepNames = [screens]string{"configure", "generate", "train", "evaluate", "paper", "tune"}

// A view is one of the screens.
type view interface {
	// actions lists what can be asked of the screen now besides Accept, the most important first.
	actions(s *session) []keys.Action
	// means is what an action does on this screen, in a word for the footer; empty if the table of keys says it well.
	means(s *session, action keys.Action) string
	// do carries out one of them. The root has carried out its own before. Work that takes time goes into the command.
	do(s *session, action keys.Action) tea.Cmd
	// render draws at most height lines of at most width cells.
	render(s *session, width, height int) string
}

// A follower is a screen whose own state depends on the session: follow brings it up to date after every message. Drawing
// changes nothing, so that what is known never depends on what was looked at.
type follower interface{ follow(s *session) }

// A listener is a screen that starts commands of its own: it gets every message that the root does not know.
type listener interface {
	receive(s *session, msg tea.Msg) tea.Cmd
}

// Model is the root of the interface.
type Model struct {
	session       session
	terminal      look.Terminal
	width, height int
	visible       step
	views         [screens]view
	configure     *configure
	evaluate      *evaluate
	studies       *studies
	tuning        *tuning
	auto          bool         // go on to the next step without waiting
	paused        bool         // the step was cancelled to go on with it
	pausedAuto    bool         // auto when it was
	help          bool         // is open
	helpFirst     int          // line of it at the top
	asking        bool         // whether to leave although a step runs
	generation    int          // of the newest job; messages of older ones are dropped
	left          bool         // in the middle of a job: what it still says is for Close
	cutShort      bool         // leaving interrupted a step of a stored run
	cancelled     bool         // leaving ended a step of a run that is not stored
	preparation   *preparation // what gets hold of an experiment; nil if nothing does
}

// New makes the interface; it computes nothing yet.
func New(o Options) *Model {
	l := newLibrary(o)
	c, e, p := newConfigure(), newEvaluate(l), newStudies(l)
	t := newTuning()
	m := &Model{configure: c, evaluate: e, studies: p, tuning: t, views: [screens]view{c, &generate{}, &train{}, e, p, t}}
	m.session = session{options: o, config: o.Config, base: o.Config, source: presetOf(o.Config)}
	m.describeTerminal(func(t *look.Terminal) { t.Asked = o.Theme })
	return m
}

// ratesMsg brings the measured speed of the machine.
type ratesMsg struct{ rates machine.Rates }

// Init asks the terminal for its background and measures the machine.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.session.listRuns(), m.session.findKept(), m.evaluate.library.load(&m.session), func() tea.Msg { return ratesMsg{machine.MeasureRates()} })
}

// Update handles a message. Only here does anything change.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	before := m.visible
	cmd := m.handle(msg)
	m.follow()
	if m.visible == tuneStep && before != tuneStep && m.tuning.search == nil {
		cmd = together(cmd, m.session.findKept())
	}
	return m, cmd
}

// together is two commands as one; either may be nil.
func together(a, b tea.Cmd) tea.Cmd {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return tea.Batch(a, b)
}

// follow brings everything up to date that depends on something else: the size of the body, the last look at what runs, the
// screens' own state.
func (m *Model) follow() {
	s := &m.session
	s.width, s.height = m.width, m.bodyHeight()-m.messageLines()
	s.look()
	for _, v := range m.views {
		if f, ok := v.(follower); ok {
			f.follow(s)
		}
	}
}

// handle carries out what a message asks for.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	s := &m.session
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.EnvMsg:
		m.describeTerminal(func(t *look.Terminal) { t.Remote = msg.Getenv("SSH_TTY") != "" || msg.Getenv("SSH_CONNECTION") != "" })
	case tea.BackgroundColorMsg:
		m.describeTerminal(func(t *look.Terminal) { t.Light = !msg.IsDark() })
	case tea.ColorProfileMsg:
		m.describeTerminal(func(t *look.Terminal) { t.Profile = msg.Profile })
	case ratesMsg:
		s.rates = &msg.rates
	case pollMsg:
		if s.job != nil && msg.generation == m.generation {
			return s.job.poll(s.pollEvery())
		}
	case doneMsg:
		if msg.generation == m.generation && !m.left {
			return m.finish(msg)
		}
	case tea.KeyPressMsg:
		return m.press(msg)
	case preparedMsg:
		if msg.generation == m.generation {
			return m.prepared(msg)
		}
		return msg.putAway
	case closedMsg:
		if msg.err != nil {
			s.notice = notice{msg.err.Error(), true}
		}
	case openRunMsg:
		return m.openStored(msg.run)
	case runsMsg:
		s.runs = msg.runs
	case keptMsg:
		s.kept = keptSearch(msg)
	case exportedMsg:
		s.notice = msg.notice()
	case tea.PasteMsg:
		if m.typing() {
			return m.configure.edit(s, msg)
		}
	case tea.MouseMsg:
		return m.mouse(msg)
	default:
		var all []tea.Cmd
		for _, v := range m.views {
			if l, ok := v.(listener); ok {
				all = append(all, l.receive(s, msg))
			}
		}
		return tea.Batch(all...)
	}
	return nil
}

// describeTerminal takes note of something about the terminal and draws accordingly from now on.
func (m *Model) describeTerminal(note func(*look.Terminal)) {
	note(&m.terminal)
	m.session.Look = m.terminal.Look()
}
