// Package demo is a guided tour of the random feature model that runs by itself: scenes with a few plain words, one
// equation and a picture each. Their results are computed while the tour runs; nothing is stored.
package demo

import (
	"context"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"rfm/model/engine"
	"rfm/model/paper"
	"rfm/model/tune"
	"rfm/tui/look"
	"rfm/tui/theme"
	"rfm/tui/widget"
)

// Options configure the tour.
type Options struct {
	Plan     paper.Tour
	Workers  int // goroutines that compute; 0 is one for each core
	Theme    theme.Options
	Suspends bool // a shell can resume the program after ctrl+z
	Loop     bool // restart the tour at its end
}

// Smallest terminal that can show everything.
const (
	minWidth  = 60
	minHeight = 15
)

// Model is the tour as a Bubble Tea program.
type Model struct {
	options       Options
	terminal      look.Terminal
	look          look.Look
	width, height int

	scenes  []scene
	at      int     // current scene
	elapsed float64 // seconds for which it has been shown
	paused  bool
	lived   bool      // the results of the current scene arrived while it waited: it is shown complete, not replayed
	noted   bool      // the speaker's notes are shown
	last    time.Time // of the last tick

	findings  findings
	parts     int  // the number of complete parts
	computing bool // the next one is in progress
	failure   error
	working   atomic.Pointer[engine.Experiment] // experiment in progress, if the part has one
	search    atomic.Pointer[tune.Session]      // search in progress, if the part has one
	seen      sight                             // progress of both at the last message
	context   context.Context
	cancel    context.CancelFunc
	picture   widget.Cache
}

// New returns a tour; it computes nothing yet.
func New(o Options) *Model {
	m := &Model{options: o, scenes: scenes(o.Plan)}
	m.context, m.cancel = context.WithCancel(context.Background())
	m.terminal = look.Terminal{Asked: o.Theme}
	m.look.Follow(m.terminal)
	return m
}

// Close cancels the running computation. Call it after the program has ended.
func (m *Model) Close() { m.cancel() }

// Err returns why a part of the tour could not be computed; nil if every part begun could.
func (m *Model) Err() error { return m.failure }

// tickMsg advances the clock of the tour.
type tickMsg struct{ now time.Time }

// tick is the time between two tickMsg: the screen does not change by itself in between.
const tick = time.Second / 10

func (m *Model) nextTick() tea.Cmd {
	return tea.Tick(tick, func(now time.Time) tea.Msg { return tickMsg{now} })
}

// Init implements tea.Model: it starts the clock and the first computation.
func (m *Model) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, m.nextTick(), m.compute())
}

// Update implements tea.Model: it carries out a message and then records how far the computation is.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.look.Hear(&m.terminal, msg)
	cmd := m.handle(msg)
	m.observe()
	return m, cmd
}

// sight is the progress of the computation at the last message. View draws this copy; workers change the original.
type sight struct {
	working  bool
	progress engine.Progress
	search   *tune.Snapshot // nil before the first model
}

// observe updates the sight.
func (m *Model) observe() {
	m.seen = sight{}
	if e := m.working.Load(); e != nil {
		m.seen.working, m.seen.progress = true, e.Progress()
	}
	if s := m.search.Load(); s != nil {
		m.seen.search = s.Snapshot()
	}
}

// handle carries out a message.
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

// ready reports whether the results for the current scene have been computed.
func (m *Model) ready() bool { return int(m.scenes[m.at].needs) < m.parts }

// failed reports whether the results for the current scene cannot be computed any more.
func (m *Model) failed() bool { return m.failure != nil && !m.ready() }

// pass lets the time since the last tick pass. The clock stops while a scene waits for its results; a time in which the
// program was suspended counts as at most one second.
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

// show moves to the beginning of a scene; while the tour is paused to its end, where its picture is complete.
func (m *Model) show(at int) {
	m.at, m.elapsed, m.lived = max(0, min(at, len(m.scenes)-1)), 0, false
	if m.paused {
		m.elapsed = m.scenes[m.at].seconds
	}
}

// again is the time in seconds after which going back restarts the same scene, as in music players.
const again = 1.5

// key carries out a key.
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

// frame returns the index of the current picture of the scene. The last one stays for a while.
func (m *Model) frame() int {
	s := m.scenes[m.at]
	if m.lived {
		return s.frames - 1
	}
	const moving = 0.85 // share of the scene
	return min(s.frames-1, int(m.elapsed/(moving*s.seconds)*float64(s.frames)))
}
