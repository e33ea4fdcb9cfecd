// A person at the keyboard of the interface, for tests without a terminal.

package screen

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rfm/config"
	"rfm/tui/session"
	"rfm/tui/shell"
	"rfm/tui/tuitest"
	"rfm/tui/ui"
)

// patience bounds every wait, also on a much slower machine.
const patience = 5 * time.Minute

// person drives the interface as Bubble Tea would, one message after another.
type person struct {
	T *testing.T
	M *shell.Model
	S *session.Session
	D *ui.Dialogs

	// jobs that begin from now on do their work and then wait until they are stopped
	Hold bool
	// runs before the work of jobs that begin from now on; its error ends them
	Before func(context.Context, session.Job) error
	Left   bool // the program was asked to end

	came    chan tea.Msg
	pending int                  // commands whose messages have not arrived yet
	taken   int                  // messages that have arrived
	held    chan context.Context // one entry for each job that is held
	holding context.Context      // of the last one
}

// holds reports whether a job has done its work and waits to be stopped.
func (p *person) holds() bool {
	select {
	case p.holding = <-p.held:
	default:
	}
	return p.holding != nil && p.holding.Err() == nil
}

// personAt returns a person at the interface of a session with some screens, on a terminal of 80x24.
func personAt(t *testing.T, o session.Options, look shell.Options,
	screens func(*session.Session, *ui.Dialogs) []ui.Screen) *person {
	p := &person{T: t, came: make(chan tea.Msg, 1024), held: make(chan context.Context, 16)}
	o.Every, o.Around = time.Millisecond, p.around
	p.S = session.New(o)
	p.D = &ui.Dialogs{}
	p.M = shell.New(p.S, p.D, look, screens(p.S, p.D)...)
	p.Resize(80, 24)
	return p
}

// around wraps the work of a job by Before and Hold.
func (p *person) around(j session.Job) session.Work {
	hold, before := p.Hold, p.Before
	return func(ctx context.Context) error {
		if before != nil {
			if err := before(ctx, j); err != nil {
				return err
			}
		}
		err := j.Work(ctx)
		if hold {
			p.held <- ctx
			<-ctx.Done()
		}
		return err
	}
}

// Send delivers a message and runs the commands that follow.
func (p *person) Send(msg tea.Msg) {
	_, cmd := p.M.Update(msg)
	p.Run(cmd)
}

// Run runs a command in the background.
func (p *person) Run(cmd tea.Cmd) {
	if cmd != nil {
		p.pending++
		go func() { p.came <- cmd() }()
	}
}

// take delivers a message that arrived.
func (p *person) take(msg tea.Msg) {
	p.pending--
	p.taken++
	if msg != nil && reflect.TypeOf(msg).Kind() == reflect.Func {
		p.T.Errorf("a message is a %T: it should say what has happened", msg)
	}
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

// Until takes messages until a condition holds, or none can arrive any more.
func (p *person) Until(what string, so func() bool) {
	p.T.Helper()
	for end := time.After(patience); p.pending > 0 && !so(); {
		select {
		case msg := <-p.came:
			p.take(msg)
		case <-end:
			p.T.Fatalf("%s takes too long:\n%s", what, p.Screen())
		}
	}
}

// Settle waits for all commands except held jobs.
func (p *person) Settle() {
	p.T.Helper()
	const ofJob = 2 // messages: its end and the next update of its progress
	p.Until("settling", func() bool { return p.holds() && p.pending <= ofJob })
	const update = 4 // messages, of which at least one copies the progress
	last := p.taken + update
	p.Until("the progress of a held job", func() bool { return !p.holds() || p.taken >= last })
}

// Press presses keys and waits until all that they start has finished.
func (p *person) Press(names ...string) {
	p.T.Helper()
	for _, name := range names {
		p.Send(keyPress(name))
		p.Settle()
	}
}

// Begin presses a key that starts a job and returns once the job runs.
func (p *person) Begin(name string) {
	p.T.Helper()
	p.Send(keyPress(name))
	p.Until("beginning", func() bool { return p.S.Runner.State() == session.Running && !p.S.Runner.Preparing() })
	if p.S.Runner.State() != session.Running {
		p.T.Fatalf("%s starts nothing:\n%s", name, p.Screen())
	}
}

// Type types a text.
func (p *person) Type(text string) {
	p.T.Helper()
	for _, r := range text {
		p.Press(string(r))
	}
}

// Resize changes the size of the terminal.
func (p *person) Resize(width, height int) {
	p.Send(tea.WindowSizeMsg{Width: width, Height: height})
	if p.holds() || p.S.Runner.State() != session.Running {
		p.Settle()
	}
}

// Visit selects a parameter on the configuration screen.
func (p *person) Visit(name string) {
	p.T.Helper()
	p.S.Select(name)
	p.Send(nil)
	p.Settle()
}

// Set assigns parameters of the configuration.
func (p *person) Set(assignments ...string) {
	p.T.Helper()
	d := p.S.Draft.Version()
	d.Config = tuitest.With(p.T, d.Config, assignments...)
	p.S.Draft.Edit(d)
	p.Send(nil)
	p.Settle()
}

// Screen returns the screen as text, without colours.
func (p *person) Screen() string { return ansi.Strip(p.M.View().Content) }

// See waits until texts are on the screen.
func (p *person) See(want ...string) {
	p.T.Helper()
	for _, w := range want {
		for end := time.Now().Add(patience); !strings.Contains(p.Screen(), w); {
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

// special maps the names of keys that are not characters.
var special = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
}

// keyPress returns a key press by its name: a character or one of special, possibly after ctrl+ or shift+.
func keyPress(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	rest, shift := strings.CutPrefix(rest, "shift+")
	if ctrl {
		k.Mod = tea.ModCtrl
	}
	if shift {
		k.Mod = tea.ModShift
	}
	characters := []rune(rest)
	switch code, ok := special[rest]; {
	case ok:
		k.Code = code
	case len(characters) == 1:
		k.Code = characters[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	default:
		panic("no key is called " + name)
	}
	return k
}

// tinyDarcy is tiny with fields on the unit square.
func tinyDarcy(t testing.TB, assignments ...string) config.Config {
	return tuitest.Of(t, "darcy-quick", append([]string{"data.train=6", "data.test=8", "features.count=8", "data.grid=33",
		"train.grid=17", "evaluation.baselines=no"}, assignments...)...)
}
