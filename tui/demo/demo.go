// Package demo is a guided tour of the random feature model on autopilot: scenes with a few plain words, one equation
// and a picture each. What they show is computed while the tour runs, nothing is stored.
package demo

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/study"
	"rfm/model/tune"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/widget"
)

// Options are what the tour starts with.
type Options struct {
	Plan     study.Tour
	Workers  int // goroutines that compute; 0 is one for each core
	Theme    theme.Options
	Suspends bool // a shell can resume the program after ctrl+z
	Loop     bool // begin again after it
}

// Smallest terminal that can show everything.
const (
	MinWidth  = 60
	MinHeight = 15
)

// Model is the tour as a Bubble Tea program.
type Model struct {
	options       Options
	terminal      look.Terminal
	look          look.Look
	width, height int

	scenes  []scene
	at      int     // the scene on show
	elapsed float64 // seconds of it that have passed
	paused  bool
	lived   bool      // what the scene on show shows came while it waited: it is shown complete, not once more
	noted   bool      // the speaker's notes are shown
	last    time.Time // of the last tick

	findings  findings
	parts     int  // those that are complete
	computing bool // the next one is
	failure   error
	working   atomic.Pointer[engine.Experiment] // part of what is being computed, if there is an experiment in it
	search    atomic.Pointer[tune.Session]      // part of it, if there is a search in it
	seen      sight                             // of both, when a message came last
	context   context.Context
	cancel    context.CancelFunc
	picture   widget.Cache
}

// New makes a tour; it computes nothing yet.
func New(o Options) *Model {
	m := &Model{options: o, scenes: scenes(o.Plan)}
	m.context, m.cancel = context.WithCancel(context.Background())
	m.terminal = look.Terminal{Asked: o.Theme}
	m.look.Follow(m.terminal)
	return m
}

// Close stops what is being computed. Call it after the program has ended.
func (m *Model) Close() { m.cancel() }

// Err is why a part of the tour could not be computed; nil if all that was begun could.
func (m *Model) Err() error { return m.failure }

// tickMsg moves the tour on.
type tickMsg struct{ now time.Time }

// tick is the time between two of them: nothing on the screen changes by itself in between.
const tick = time.Second / 10

func (m *Model) nextTick() tea.Cmd {
	return tea.Tick(tick, func(now time.Time) tea.Msg { return tickMsg{now} })
}

// Init starts the clock and the first computation.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.nextTick(), m.compute())
}

// Update handles a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.look.Hear(&m.terminal, msg)
	cmd := m.handle(msg)
	m.observe()
	return m, cmd
}

// sight is how far what is computed has come; it is drawn as it was seen, for workers write it meanwhile.
type sight struct {
	working  bool
	progress engine.Progress
	search   *tune.Snapshot // nil before the first model
}

// observe looks at what is computed.
func (m *Model) observe() {
	m.seen = sight{}
	if e := m.working.Load(); e != nil {
		m.seen.working, m.seen.progress = true, e.Progress()
	}
	if s := m.search.Load(); s != nil {
		m.seen.search = s.Snapshot()
	}
}

// handle carries out what a message asks for.
func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case foundMsg:
		return m.found(msg)
	case tickMsg:
		return m.pass(msg.now)
	case tea.KeyPressMsg:
		return m.key(msg.String())
	}
	return nil
}

// ready reports whether what the scene on show needs has been computed.
func (m *Model) ready() bool { return int(m.scenes[m.at].needs) < m.parts }

// failed reports whether what the scene on show needs will not be computed any more.
func (m *Model) failed() bool { return m.failure != nil && !m.ready() }

// pass lets the time since the last tick pass. The clock stands while a scene waits for what it shows, and after a time
// in which the program was suspended it goes on where it was.
func (m *Model) pass(now time.Time) tea.Cmd {
	const longest = time.Second
	seconds := min(now.Sub(m.last), longest).Seconds()
	if m.last.IsZero() {
		seconds = 0
	}
	m.last = now
	if !m.paused && (m.ready() || m.failed()) {
		m.elapsed += seconds
		if m.elapsed >= m.scenes[m.at].seconds {
			switch {
			case m.at < len(m.scenes)-1:
				m.show(m.at + 1)
			case m.options.Loop:
				m.show(0)
			default:
				m.elapsed = m.scenes[m.at].seconds
			}
		}
	}
	return tea.Batch(m.nextTick(), m.compute())
}

// show goes to the beginning of a scene; while the tour is paused to its end, where its picture is complete.
func (m *Model) show(at int) {
	m.at, m.elapsed, m.lived = max(0, min(at, len(m.scenes)-1)), 0, false
	if m.paused {
		m.elapsed = m.scenes[m.at].seconds
	}
}

// again is the time in seconds after which going back begins the same scene again, as music players do.
const again = 1.5

// key carries out what a key asks for.
func (m *Model) key(name string) tea.Cmd {
	switch name {
	case "space", "enter", "p":
		m.paused = !m.paused
	case "right", "l", "pgdown", "tab", "n":
		m.show(m.at + 1)
	case "left", "h", "pgup", "shift+tab":
		if !m.paused && m.elapsed > again {
			m.show(m.at)
		} else {
			m.show(m.at - 1)
		}
	case "home":
		m.show(0)
	case "end":
		m.show(len(m.scenes) - 1)
	case "s":
		m.noted = !m.noted
	case "ctrl+z":
		if m.options.Suspends {
			return tea.Suspend
		}
	case "q", "esc", "ctrl+c":
		m.cancel()
		return tea.Quit
	}
	return m.compute()
}

// frame is which of its pictures the scene on show is at. The last one stays for a while.
func (m *Model) frame() int {
	s := m.scenes[m.at]
	if m.lived {
		return s.frames - 1
	}
	const moving = 0.85 // share of the scene
	return min(s.frames-1, int(m.elapsed/(moving*s.seconds)*float64(s.frames)))
}
