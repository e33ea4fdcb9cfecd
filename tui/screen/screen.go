// Package screen is the interface: four screens (configure, generate, train, evaluate) around one experiment, and one for
// the figures and tables of the paper. The root
// model owns the header, the footer, the size, and the job that computes; the screens say what they show and what can
// be asked of them.
package screen

import (
	tea "charm.land/bubbletea/v2"

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

// A step is one of the screens: the steps of an experiment, in order, and the paper.
type step int

const (
	configuring step = iota
	generating
	training
	evaluating
	steps     // of an experiment
	paperStep = steps
	screens   = paperStep + 1
)

var stepNames = [screens]string{"configure", "generate", "train", "evaluate", "paper"}

// A view is one of the screens.
type view interface {
	// actions lists what can be asked of the screen now besides Accept, the most important first.
	actions(s *session) []keys.Action
	// means is what an action does on this screen, in a word for the footer; empty if the table of keys says it well.
	means(s *session, action keys.Action) string
	// do carries out one of them. The root has carried out its own before.
	do(s *session, action keys.Action)
	// render draws at most height lines of at most width cells.
	render(s *session, width, height int) string
}

// Model is the root of the interface.
type Model struct {
	session       session
	terminal      terminal
	width, height int
	visible       step
	views         [screens]view
	configure     *configure
	studies       *studies
	auto          bool // go on to the next step without waiting
	help          bool
	asking        bool // whether to leave although a step runs
	generation    int  // of the newest job; messages of older ones are dropped
}

// New makes the interface; it computes nothing yet.
func New(o Options) *Model {
	c, p := &configure{}, newStudies()
	m := &Model{configure: c, studies: p, views: [screens]view{c, &generate{}, &train{}, &evaluate{}, p}}
	m.session = session{options: o, config: o.Config, base: o.Config}
	m.describeTerminal(func(t *terminal) { t.asked = o.Theme })
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
		s.width, s.height = m.width, m.bodyHeight()
	case tea.EnvMsg:
		m.describeTerminal(func(t *terminal) { t.remote = msg.Getenv("SSH_TTY") != "" || msg.Getenv("SSH_CONNECTION") != "" })
	case tea.BackgroundColorMsg:
		m.describeTerminal(func(t *terminal) { t.light = !msg.IsDark() })
	case tea.ColorProfileMsg:
		m.describeTerminal(func(t *terminal) { t.profile = msg.Profile })
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

// describeTerminal takes note of something about the terminal and draws accordingly from now on.
func (m *Model) describeTerminal(note func(*terminal)) {
	note(&m.terminal)
	m.session.look = m.terminal.look()
}
