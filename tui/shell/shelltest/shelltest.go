// Package shelltest is for tests: a person at the keyboard of the interface, without a terminal.
package shelltest

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/ui"
)

// Patience is how long something may take that is waited for, on a machine that is far slower than this one.
const Patience = 5 * time.Minute

// Person drives the interface as Bubble Tea would, one message after another.
type Person struct {
	T *testing.T
	M *shell.Model
	S *session.Session

	// jobs that begin now do their work and then stay as they are until they are stopped
	Hold bool
	// what comes before the work of jobs that begin now; its error ends them
	Before func(context.Context, session.Job) error
	Slow   time.Duration // how long jobs that begin now wait before each piece of their work
	Left   bool          // the program was asked to end

	came    chan tea.Msg
	pending int           // commands whose messages have not come yet
	held    chan struct{} // a job is
	holding bool
}

// New returns a person at the interface of a session with some screens, on a terminal of 80x24.
func New(t *testing.T, o session.Options, look shell.Options, screens func(*session.Session) []ui.Screen) *Person {
	p := &Person{T: t, came: make(chan tea.Msg, 1024), held: make(chan struct{}, 16)}
	o.Every, o.Around = time.Millisecond, p.around
	p.S = session.New(o)
	p.M = shell.New(p.S, look, screens(p.S)...)
	p.Resize(80, 24)
	return p
}

// around returns the work of a job as the person wants it.
func (p *Person) around(j session.Job) session.Work {
	hold, before, slow := p.Hold, p.Before, p.Slow
	return func(ctx context.Context) error {
		ctx = unhurried{ctx, slow}
		if before != nil {
			if err := before(ctx, j); err != nil {
				return err
			}
		}
		err := j.Work(ctx)
		if hold {
			p.held <- struct{}{}
			<-ctx.Done()
		}
		return err
	}
}

// unhurried is a context in which every piece of work waits a while.
type unhurried struct {
	context.Context
	pause time.Duration
}

func (c unhurried) Err() error {
	time.Sleep(c.pause)
	return c.Context.Err()
}

// Key returns a key press by its name.
func Key(name string) tea.KeyPressMsg {
	press, ok := ParseKey(name)
	if !ok {
		panic("shelltest: there is no key " + name)
	}
	return press
}

// Send hands over a message; what it starts runs.
func (p *Person) Send(msg tea.Msg) {
	_, cmd := p.M.Update(msg)
	p.Run(cmd)
}

// Run lets a command run.
func (p *Person) Run(cmd tea.Cmd) {
	if cmd != nil {
		p.pending++
		go func() { p.came <- cmd() }()
	}
}

// take hands over a message that came.
func (p *Person) take(msg tea.Msg) {
	p.pending--
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			p.Run(cmd)
		}
	case tea.QuitMsg:
		p.Left = true
	default:
		p.Send(msg)
	}
}

// Until takes messages until something is so, or none can come any more.
func (p *Person) Until(what string, so func() bool) {
	p.T.Helper()
	for end := time.After(Patience); p.pending > 0 && !so(); {
		select {
		case msg := <-p.came:
			p.take(msg)
		case <-end:
			p.T.Fatalf("%s takes too long:\n%s", what, p.Screen())
		}
	}
}

// Settle waits for everything that runs, but for what is held.
func (p *Person) Settle() {
	p.T.Helper()
	p.Until("settling", func() bool {
		select {
		case <-p.held:
			p.holding = true
		default:
		}
		const ofJob = 2 // its end and the next look at it
		p.holding = p.holding && p.S.State() == session.Running
		return p.holding && p.pending <= ofJob
	})
}

// Press presses keys and lets everything that they start finish.
func (p *Person) Press(names ...string) {
	p.T.Helper()
	for _, name := range names {
		p.Send(Key(name))
		p.Settle()
	}
}

// Begin presses a key that starts a job and returns once the job runs.
func (p *Person) Begin(name string) {
	p.T.Helper()
	p.Send(Key(name))
	p.Until("beginning", func() bool { return p.S.State() == session.Running })
	if p.S.State() != session.Running {
		p.T.Fatalf("%s starts nothing:\n%s", name, p.Screen())
	}
}

// Type types a text.
func (p *Person) Type(text string) {
	p.T.Helper()
	for _, r := range text {
		p.Press(string(r))
	}
}

// Resize changes the size of the terminal.
func (p *Person) Resize(width, height int) {
	p.Send(tea.WindowSizeMsg{Width: width, Height: height})
	if p.holding || p.S.State() != session.Running {
		p.Settle()
	}
}

// Click clicks where a text is on the screen.
func (p *Person) Click(text string) {
	p.T.Helper()
	for y, line := range strings.Split(p.Screen(), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			p.Send(tea.MouseClickMsg{X: ansi.StringWidth(before), Y: y, Button: tea.MouseLeft})
			p.Settle()
			return
		}
	}
	p.T.Fatalf("%q is not on screen:\n%s", text, p.Screen())
}

// Visit goes to a parameter on the configuration screen.
func (p *Person) Visit(name string) {
	p.T.Helper()
	p.S.Post(session.Show(session.None.String()))
	p.S.Post(session.Wrong{Key: name})
	p.Send(nil)
	p.Settle()
}

// Set gives a parameter of the configuration another value.
func (p *Person) Set(assignments ...string) {
	p.T.Helper()
	d := p.S.Draft()
	for _, a := range assignments {
		if err := config.Assign(&d.Config, a); err != nil {
			p.T.Fatal(err)
		}
	}
	p.S.Edit(d)
	p.Send(nil)
	p.Settle()
}

// Screen returns what is on the screen, without colours.
func (p *Person) Screen() string { return ansi.Strip(p.M.View().Content) }

// See waits until texts are on the screen.
func (p *Person) See(want ...string) {
	p.T.Helper()
	for _, w := range want {
		for end := time.Now().Add(Patience); !strings.Contains(p.Screen(), w); {
			select {
			case msg := <-p.came:
				p.take(msg)
			case <-time.After(time.Millisecond):
				if time.Now().After(end) || p.pending == 0 {
					p.T.Fatalf("the screen does not show %q:\n%s", w, p.Screen())
				}
			}
		}
	}
}
